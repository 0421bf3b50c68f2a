//! One line a figure: what was measured, what it is measured against in the same run, and how they compare.

use std::time::{Duration, Instant};

/// A measured figure.
pub(crate) struct Figure {
    /// What it is.
    pub(crate) what: &'static str,
    /// Ours.
    pub(crate) ours: String,
    /// What it is measured against, and its figure.
    pub(crate) reference: String,
    /// Ours beside it.
    pub(crate) ratio: String,
    /// What it should be.
    pub(crate) budget: &'static str,
    /// Whether it is.
    pub(crate) met: bool,
}

impl Figure {
    pub(crate) fn print(&self) {
        let met = if self.met { "met" } else { "NOT MET" };
        println!("{:<44} {:>16}   {:<44} {:>10}   {} ({met})", self.what, self.ours, self.reference, self.ratio, self.budget);
    }
}

/// The middle one.
pub(crate) fn median<T: Copy + PartialOrd>(mut values: Vec<T>) -> T {
    values.sort_by(|left, right| left.partial_cmp(right).unwrap_or(std::cmp::Ordering::Equal));
    values[values.len() / 2]
}

/// The value that this share of all is at most.
pub(crate) fn percentile(values: &mut [Duration], share: f64) -> Duration {
    values.sort();
    let place = ((values.len() as f64) * share).ceil() as usize;
    values[place.clamp(1, values.len()) - 1]
}

/// Nanoseconds of one call, as the median of several rounds of many calls.
pub(crate) fn nanoseconds(rounds: usize, calls: u32, mut call: impl FnMut()) -> f64 {
    for _ in 0..calls / 4 {
        call();
    }
    let round = |call: &mut dyn FnMut()| {
        let start = Instant::now();
        for _ in 0..calls {
            call();
        }
        start.elapsed().as_nanos() as f64 / f64::from(calls)
    };
    median((0..rounds).map(|_| round(&mut call)).collect())
}
