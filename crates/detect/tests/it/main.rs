//! What the crate promises, through its public door.

mod gate;
mod linear;
mod places;
mod promises;
#[expect(
    clippy::unwrap_used,
    dead_code,
    unreachable_pub,
    reason = "shared with the report, where a set that can't be read should fail"
)]
mod sets;
mod shown;
