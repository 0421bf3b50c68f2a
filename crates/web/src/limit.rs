//! How often somebody may ask.

use std::num::NonZeroU32;
use std::sync::Arc;

use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use http::StatusCode;

use crate::ApiError;

/// A rate limit per key: a burst, refilled evenly within a second.
#[derive(Clone, Debug)]
pub struct Limit {
    limiter: Arc<DefaultKeyedRateLimiter<String>>,
}

impl Limit {
    /// At most `per_second` in the long run and `burst` at once. Zero counts as one.
    pub fn new(per_second: u32, burst: u32) -> Limit {
        let at_least_one = |number: u32| NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
        let quota = Quota::per_second(at_least_one(per_second)).allow_burst(at_least_one(burst));
        Limit { limiter: Arc::new(RateLimiter::keyed(quota)) }
    }

    /// Counts one request of a key.
    ///
    /// # Errors
    /// `TOO_MANY_REQUESTS`, 429, with the seconds to wait.
    pub fn take(&self, key: String) -> Result<(), ApiError> {
        self.limiter.check_key(&key).map_err(|until| {
            let wait = until.wait_time_from(DefaultClock::default().now());
            ApiError::new(
                StatusCode::TOO_MANY_REQUESTS,
                "TOO_MANY_REQUESTS",
                "Too many requests; wait a moment and try again.",
            )
            .retry_after(wait.as_secs().saturating_add(1))
        })
    }

    /// Forgets keys that have not asked for a while.
    pub fn shrink(&self) {
        self.limiter.retain_recent();
        self.limiter.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_key_does_not_use_up_anothers_share() {
        let limit = Limit::new(1, 2);
        assert!(limit.take("a".into()).is_ok());
        assert!(limit.take("a".into()).is_ok());
        let refused = limit.take("a".into()).unwrap_err();
        assert_eq!((refused.status.as_u16(), refused.code), (429, "TOO_MANY_REQUESTS"));
        assert!(refused.retry_after >= Some(1));
        assert!(limit.take("b".into()).is_ok());
    }
}
