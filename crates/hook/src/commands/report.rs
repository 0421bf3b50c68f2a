//! `quarantine report FILE|-`: a report on an untrusted text.

use std::io::Read as _;
use std::path::Path;
use std::process::ExitCode;

use reader::Report;

use super::{Failed, Flags, failed};

/// Larger files are not read. In bytes.
const LIMIT: u64 = 32 << 20;

/// Runs it.
///
/// # Errors
/// Wrong use, or a file that can't be read.
pub fn run(words: &[String]) -> Result<ExitCode, Failed> {
    let flags = Flags::read(words, &["--json", "--because"])?;
    let [file] = flags.rest.as_slice() else {
        return failed("report takes one file, or - for standard input.");
    };
    let mut bytes = Vec::new();
    let (name, read) = if file == "-" {
        ("standard-input".to_owned(), std::io::stdin().lock().take(LIMIT + 1).read_to_end(&mut bytes))
    } else {
        let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy().into_owned();
        (name, std::fs::File::open(file).and_then(|file| file.take(LIMIT + 1).read_to_end(&mut bytes)))
    };
    match read {
        Err(_) => return failed("that file can't be read."),
        Ok(read) if read as u64 > LIMIT => return failed("that file is larger than 32 MiB."),
        Ok(_) => {}
    }
    let because = flags.because.unwrap_or_else(|| "who wrote it is not known".to_owned());
    let report = Report::on(&String::from_utf8_lossy(&bytes), &name, &because);
    if flags.json {
        println!("{:#}", report.json());
    } else {
        print!("{}", report.markdown());
    }
    Ok(ExitCode::SUCCESS)
}
