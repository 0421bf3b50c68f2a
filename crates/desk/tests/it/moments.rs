//! Moments and the seconds between them.

use desk::Millis;

#[test]
fn seconds_are_whole_and_never_below_zero() {
    let noon = Millis(1_800_000_000_000);
    assert_eq!(Millis(noon.0 + 999).seconds_since(noon), 0);
    assert_eq!(Millis(noon.0 + 1_000).seconds_since(noon), 1);
    assert_eq!(Millis(noon.0 + 61_500).seconds_since(noon), 61);
    assert_eq!(noon.seconds_since(Millis(noon.0 + 5_000)), 0);
    assert_eq!(Millis(i64::MAX).seconds_since(Millis(i64::MIN)), i64::MAX.unsigned_abs() / 1_000);
}

#[test]
fn moments_move_by_seconds_and_stop_at_the_ends() {
    let noon = Millis(1_800_000_000_000);
    assert_eq!(noon.plus_seconds(60), Millis(1_800_000_060_000));
    assert_eq!(noon.minus_seconds(60), Millis(1_799_999_940_000));
    assert_eq!(noon.plus_seconds(u64::MAX), Millis(i64::MAX));
    assert_eq!(Millis(-2_000).minus_seconds(u64::MAX), Millis(i64::MIN));
}
