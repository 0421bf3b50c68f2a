//! The text form of a shop's rules, `policy.toml`.

use desk::money::{self, Currency, Minor};
use policy::{Budget, Measured, Rules, Starts, Strength, Tier, Window};
use serde::Deserialize;

/// The rules of the demonstration in their text form.
pub const DEMO: &str = r#"[window]
days = 30
starts = "purchase"
measured = "receipt"

[limits]
prior_refunds = 2

[[tier]]
currency = "USD"
people = 1
strength = "in_page"
expires_minutes = 60
"#;

/// Why a text is not a set of rules: one sentence that names the setting.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RulesError(String);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    window: Option<WindowTable>,
    #[serde(default)]
    limits: Limits,
    #[serde(default)]
    tier: Vec<TierTable>,
    #[serde(default)]
    budget: Vec<BudgetTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WindowTable {
    days: u32,
    #[serde(default)]
    starts: StartsWord,
    #[serde(default)]
    measured: MeasuredWord,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StartsWord {
    #[default]
    Delivery,
    Purchase,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum MeasuredWord {
    #[default]
    Receipt,
    Now,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Limits {
    prior_refunds: Option<u32>,
    record_age_hours: Option<u64>,
    #[serde(default)]
    refund_final_sale: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TierTable {
    currency: String,
    up_to: Option<String>,
    #[serde(default = "one")]
    people: u8,
    #[serde(default)]
    strength: StrengthWord,
    #[serde(default = "one_hour")]
    expires_minutes: u64,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StrengthWord {
    #[default]
    InPage,
    Console,
    Passkey,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BudgetTable {
    currency: String,
    per_day: String,
}

const fn one() -> u8 {
    1
}

const fn one_hour() -> u64 {
    60
}

/// Reads rules from their text form.
///
/// # Errors
/// The text is not TOML, or a setting is unknown, missing or impossible.
pub fn parse(text: &str) -> Result<Rules, RulesError> {
    let file: File = toml::from_str(text).map_err(|error| RulesError(error.message().to_owned()))?;
    let mut tiers = file.tier.into_iter().map(tier).collect::<Result<Vec<_>, _>>()?;
    if tiers.is_empty() {
        return Err(RulesError("there is no [[tier]]: each currency needs at least one".to_owned()));
    }
    tiers.sort_by_key(|tier| (tier.currency, tier.up_to.unwrap_or(u64::MAX)));
    Ok(Rules {
        window: file.window.map(|window| Window {
            days: window.days,
            starts: match window.starts {
                StartsWord::Delivery => Starts::Delivery,
                StartsWord::Purchase => Starts::Purchase,
            },
            measured: match window.measured {
                MeasuredWord::Receipt => Measured::AtReceipt,
                MeasuredWord::Now => Measured::Now,
            },
        }),
        prior_refunds: file.limits.prior_refunds,
        refund_final_sale: file.limits.refund_final_sale,
        record_age: file.limits.record_age_hours.map(|hours| hours.saturating_mul(3_600)),
        budgets: file.budget.into_iter().map(budget).collect::<Result<Vec<_>, _>>()?,
        tiers,
    })
}

fn tier(table: TierTable) -> Result<Tier, RulesError> {
    let currency = currency(&table.currency)?;
    if table.people == 0 {
        return Err(RulesError("`people` must be at least 1: a person approves, always".to_owned()));
    }
    if table.expires_minutes == 0 {
        return Err(RulesError("`expires_minutes` must be at least 1".to_owned()));
    }
    Ok(Tier {
        currency,
        up_to: table.up_to.map(|text| amount(&text, currency, "up_to")).transpose()?,
        people: table.people,
        strength: match table.strength {
            StrengthWord::InPage => Strength::InPage,
            StrengthWord::Console => Strength::Console,
            StrengthWord::Passkey => Strength::Passkey,
        },
        expires: table.expires_minutes.saturating_mul(60),
    })
}

fn budget(table: BudgetTable) -> Result<Budget, RulesError> {
    let currency = currency(&table.currency)?;
    Ok(Budget { currency, per_day: amount(&table.per_day, currency, "per_day")? })
}

fn currency(code: &str) -> Result<Currency, RulesError> {
    money::currency(code)
        .ok_or_else(|| RulesError("`currency` must be an ISO 4217 code like \"USD\"".to_owned()))
}

fn amount(text: &str, currency: Currency, setting: &str) -> Result<u64, RulesError> {
    Minor::from_text(text, currency)
        .map(|minor| minor.0)
        .map_err(|error| RulesError(format!("`{setting}`: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_says_all_there_is_to_say() {
        let rules = parse(
            r#"
            [window]
            days = 14
            starts = "purchase"
            measured = "now"
            [limits]
            prior_refunds = 3
            record_age_hours = 2
            [[tier]]
            currency = "USD"
            people = 2
            strength = "console"
            expires_minutes = 30
            [[tier]]
            currency = "USD"
            up_to = "100.00"
            [[budget]]
            currency = "USD"
            per_day = "5000"
            "#,
        )
        .unwrap();
        assert_eq!(rules.window.map(|window| window.days), Some(14));
        assert_eq!(rules.record_age, Some(7_200));
        assert_eq!(rules.tier(Currency::USD, 10_000).people, 1);
        assert_eq!(rules.tier(Currency::USD, 10_001).people, 2);
        assert_eq!(rules.budget(Currency::USD), Some(500_000));
    }

    #[test]
    fn the_demonstrations_text_says_what_its_rules_are() {
        assert_eq!(parse(DEMO).unwrap(), Rules::demo());
    }

    #[test]
    fn without_a_word_the_window_starts_at_delivery_and_is_measured_at_receipt() {
        let rules = parse("[window]\ndays = 30\n[[tier]]\ncurrency = \"EUR\"").unwrap();
        let window = rules.window.unwrap();
        assert_eq!((window.starts, window.measured), (Starts::Delivery, Measured::AtReceipt));
    }

    #[test]
    fn a_mistake_is_named() {
        let says = |text: &str| parse(text).unwrap_err().to_string();
        assert!(says("[window]\ndays = 30\n").contains("[[tier]]"));
        assert!(says("[[tier]]\ncurrency = \"usd\"").contains("currency"));
        assert!(says("[[tier]]\ncurrency = \"USD\"\npeople = 0").contains("people"));
        assert!(says("[[tier]]\ncurrency = \"USD\"\nup_to = \"1,00\"").contains("up_to"));
        assert!(says("[windw]\ndays = 30").contains("windw"));
    }
}
