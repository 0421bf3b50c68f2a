//! How much a server may say without being asked.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// A bucket that fills evenly and holds a second's worth more than it lets through each second.
#[derive(Debug)]
pub(super) struct Bucket {
    per_second: f64,
    inside: Mutex<(f64, Instant)>,
}

impl Bucket {
    pub(super) fn new(per_second: u32) -> Bucket {
        let per_second = f64::from(per_second.max(1));
        Bucket { per_second, inside: Mutex::new((per_second, Instant::now())) }
    }

    /// Takes one out; false if it is empty.
    pub(super) fn take(&self) -> bool {
        self.take_at(Instant::now())
    }

    fn take_at(&self, now: Instant) -> bool {
        let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = now.saturating_duration_since(inside.1).as_secs_f64();
        inside.0 = (inside.0 + passed * self.per_second).min(self.per_second);
        inside.1 = now;
        if inside.0 < 1.0 {
            return false;
        }
        inside.0 -= 1.0;
        true
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_storm_is_cut_and_a_quiet_second_fills_it_again() {
        let bucket = Bucket::new(10);
        let now = Instant::now();
        assert_eq!((0..100).filter(|_| bucket.take_at(now)).count(), 10);
        assert_eq!((0..100).filter(|_| bucket.take_at(now + Duration::from_secs(5))).count(), 10);
    }
}
