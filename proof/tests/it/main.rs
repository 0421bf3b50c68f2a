//! The cases run in memory, and every control behaves.

mod cases;
mod controls;
mod variants;
