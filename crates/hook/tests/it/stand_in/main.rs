//! A stand-in for a reading model, as a program: `cargo run -p hook --example stand_in_model`. It prints its address and
//! serves until its standard input ends. The name of the model it is asked as is the mode it answers in.
#![expect(clippy::unwrap_used, reason = "a stand-in ends where its set-up fails")]

mod extractor;
mod mode;
mod serve;

fn main() {
    serve::until_stdin_ends();
}
