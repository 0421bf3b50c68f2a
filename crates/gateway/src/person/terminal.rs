//! A code shown on the terminal and typed back. It goes to `/dev/tty`, so that neither a pipe nor a redirect can give
//! the answer. It does not hold against a program that opens a terminal of its own, and says so.

use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Write as _};

use super::Person;
use crate::record::Refusal;

/// Letters and digits that can't be taken for one another.
const LETTERS: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

fn no_terminal() -> Refusal {
    Refusal::new(
        "NEEDS_PERSON",
        "This needs a person: run it at a terminal, or press the button on the review page.",
    )
}

fn open() -> Result<File, Refusal> {
    OpenOptions::new().read(true).write(true).open("/dev/tty").map_err(|_| no_terminal())
}

fn line(terminal: &File) -> Result<String, Refusal> {
    let mut line = String::new();
    BufReader::new(terminal).read_line(&mut line).map_err(|_| no_terminal())?;
    Ok(line.trim().to_owned())
}

/// Shows what is about to be decided and a code, and waits until it is typed back.
///
/// # Errors
/// There is no terminal, or something else was typed.
pub(crate) fn confirm(what: &str) -> Result<Person, Refusal> {
    let mut terminal = open()?;
    let code: String = (0..6)
        .filter_map(|_| LETTERS.get(usize::from(rand::random::<u8>()) % LETTERS.len()))
        .map(|byte| char::from(*byte))
        .collect();
    let written = writeln!(terminal, "{what}\nType {code} to say yes; anything else changes nothing.")
        .and_then(|()| write!(terminal, "> "))
        .and_then(|()| terminal.flush());
    written.map_err(|_| no_terminal())?;
    if line(&terminal)?.eq_ignore_ascii_case(&code) {
        Ok(Person::at_the_terminal())
    } else {
        Err(Refusal::new("NOT_CONFIRMED", "The code was not typed. Nothing was changed."))
    }
}

/// Asks for a passphrase without showing it.
///
/// # Errors
/// There is no terminal.
pub(crate) fn ask_passphrase(prompt: &str) -> Result<String, Refusal> {
    let mut terminal = open()?;
    write!(terminal, "{prompt} ").and_then(|()| terminal.flush()).map_err(|_| no_terminal())?;
    let typed = without_echo(&terminal);
    // The newline that was typed was not shown either.
    let _ = writeln!(terminal);
    typed
}

#[cfg(unix)]
fn without_echo(terminal: &File) -> Result<String, Refusal> {
    use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};

    let before = tcgetattr(terminal).map_err(|_| no_terminal())?;
    let mut quiet = before.clone();
    quiet.local_modes.remove(LocalModes::ECHO);
    tcsetattr(terminal, OptionalActions::Now, &quiet).map_err(|_| no_terminal())?;
    let typed = line(terminal);
    let restored = tcsetattr(terminal, OptionalActions::Now, &before);
    restored.map_err(|_| no_terminal())?;
    typed
}

#[cfg(not(unix))]
fn without_echo(_terminal: &File) -> Result<String, Refusal> {
    Err(no_terminal())
}
