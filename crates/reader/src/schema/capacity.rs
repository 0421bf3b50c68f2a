//! How many bits of a stranger's choosing can cross.

use core::fmt;

use super::{Kind, Schema};
use crate::code::Code;

/// The capacity of a crossing: what a stranger who steers every value could tell at most, in bits per field. Text that
/// stays behind counts with what its presence tells; the outcome counts with the codes there are.
#[derive(Debug, Clone, PartialEq)]
pub struct Capacity {
    fields: Vec<(String, f64)>,
    outcome: f64,
}

impl Capacity {
    pub(super) fn of(schema: &Schema) -> Self {
        let bits = |values: u128| {
            #[expect(
                clippy::cast_precision_loss,
                reason = "a logarithm of a count; the last bit does not matter"
            )]
            let values = values as f64;
            values.log2()
        };
        let fields = schema
            .fields()
            .iter()
            .map(|field| {
                let missing = u128::from(!field.required());
                let values = match field.kind() {
                    Kind::Boolean => 2,
                    Kind::Choice(values) => values.len() as u128,
                    Kind::Number(range) => range.values(),
                    Kind::Date(range) => range.values(),
                    // Whatever is no record of ours crosses as "none".
                    Kind::Record(records) => records.len() as u128 + u128::from(field.required()),
                    Kind::Text { .. } => 1,
                    Kind::Texts { items, .. } => *items as u128 + 1,
                };
                (field.name().to_owned(), bits(values + missing))
            })
            .collect();
        // Each code, each with any field or none, or none at all.
        let outcomes = Code::ALL.len() * (schema.fields().len() + 1) + 1;
        Self { fields, outcome: bits(outcomes as u128) }
    }

    /// Bits per field, in the schema's order.
    #[must_use]
    pub fn fields(&self) -> &[(String, f64)] {
        &self.fields
    }

    /// Bits in whether, and why, a result is withheld.
    #[must_use]
    pub fn outcome(&self) -> f64 {
        self.outcome
    }

    /// All bits together.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.fields.iter().map(|(_, bits)| bits).sum::<f64>() + self.outcome
    }
}

impl fmt::Display for Capacity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, bits) in &self.fields {
            writeln!(f, "{name:<24} {bits:>6.1} bits")?;
        }
        writeln!(f, "{:<24} {:>6.1} bits", "(outcome)", self.outcome)?;
        write!(f, "{:<24} {:>6.1} bits", "in all, at most", self.total())
    }
}
