//! Builds the wasm that pages load, and writes what `src/assets.rs` embeds.
//!
//! Two crates are built for wasm32 by nested cargo calls: `widget` (behind `/quarantine.js`) and `page` (behind
//! `/page.js`). Nothing is written outside `OUT_DIR` and a target folder of its own beside the outer one; the outer
//! call holds the lock of its own.

use std::env;
use std::error::Error;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256, Sha384};
use wasm_bindgen_cli_support::Bindgen;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const TARGET: &str = "wasm32-unknown-unknown";
const ADD_TARGET: &str = "rustup target add wasm32-unknown-unknown";

/// What the two crates are made of. Paths are relative to this crate.
const SOURCES: [&str; 9] = [
    "build.rs",
    "../widget",
    "../crates/page",
    "../crates/audit",
    "../crates/desk",
    "../crates/policy",
    "../crates/wire",
    "../proof",
    "../Cargo.lock",
];

fn main() -> ExitCode {
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            for line in error.to_string().lines() {
                println!("cargo::error={line}");
            }
            ExitCode::FAILURE
        }
    }
}

fn build() -> Result<()> {
    println!("cargo::rerun-if-changed=../Cargo.toml");
    // A path that is not there would count as changed every time.
    for source in SOURCES.into_iter().filter(|source| Path::new(source).exists()) {
        println!("cargo::rerun-if-changed={source}");
    }
    let out = PathBuf::from(variable("OUT_DIR")?);
    let target_dir = out.ancestors().nth(4).ok_or("OUT_DIR is not inside a target folder")?.join("widget");
    have_target()?;

    let mut assets = Vec::new();
    for (crate_name, name) in [("widget", "quarantine"), ("page", "page")] {
        let raw = compile(crate_name, &target_dir)?;
        let mut made = Bindgen::new()
            .input_path(raw)
            .no_modules(true)?
            .typescript(false)
            .remove_name_section(true)
            .remove_producers_section(true)
            .omit_default_module_path(true)
            .generate_output()?;
        let mut glue = made.js().to_owned();
        let module = made.wasm_mut();
        // The names that tie glue and wasm together are long, end in a hash each, and are read by nobody else.
        for (count, import) in module.imports.iter_mut().enumerate() {
            let short = format!("i{count}");
            glue = glue.replace(&format!("{}:", import.name), &format!("{short}:"));
            import.name = short;
        }
        let binary = module.emit_wasm();
        let file = format!("{name}-{}.wasm", short(&binary));
        let script = match name {
            "quarantine" => wrap(Path::new("../widget/js"), &glue, &file, &integrity(&binary))?,
            _ => format!("{}\nwasm_bindgen.file = \"{file}\";\n", squeeze(&glue)),
        };
        assets.push(Made {
            path: format!("/{name}.js"),
            kind: "text/javascript; charset=utf-8",
            fixed: false,
            body: script.into_bytes(),
        });
        assets.push(Made { path: format!("/{file}"), kind: "application/wasm", fixed: true, body: binary });
    }
    write(&out, &assets)
}

/// Builds a crate for the browser; gives its raw wasm. One call each, since the widget goes without the standard
/// library and what it shares with the other must be built without it too.
fn compile(name: &str, target_dir: &Path) -> Result<PathBuf> {
    let cargo_home = match env::var("CARGO_HOME") {
        Ok(folder) => folder,
        Err(_) => env::home_dir().ok_or("no home folder")?.join(".cargo").display().to_string(),
    };
    let mut cargo = Command::new(variable("CARGO")?);
    cargo
        .current_dir("..")
        .args(["build", "--package", name, "--lib", "--locked"])
        .args(["--target", TARGET, "--profile", "widget", "--target-dir"])
        .arg(target_dir)
        // Set, it beats RUSTFLAGS and every configuration file: flags meant for the machine's own processor break a
        // wasm build. The remap keeps the building machine's paths out of what is shipped.
        .env("CARGO_ENCODED_RUSTFLAGS", format!("--remap-path-prefix={cargo_home}=/cargo"));
    // Clippy and check put themselves in front of the compiler; the widget would be built again for each of them.
    for name in [
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTC_WRAPPER",
        "CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER",
        "CARGO_BUILD_RUSTC_WRAPPER",
    ] {
        cargo.env_remove(name);
    }
    for (name, _) in env::vars().filter(|(name, _)| name.starts_with("CARGO_PROFILE_")) {
        cargo.env_remove(name);
    }
    let done = cargo.output()?;
    if !done.status.success() {
        return Err(format!("the {name} was not built:\n{}", String::from_utf8_lossy(&done.stderr)).into());
    }
    Ok(target_dir.join(TARGET).join("widget").join(format!("{name}.wasm")))
}

/// Makes sure that the toolchain can build for wasm, or says which command makes it so.
fn have_target() -> Result<()> {
    if target_installed()? {
        return Ok(());
    }
    let mut words = ADD_TARGET.split(' ');
    let added = Command::new(words.next().unwrap_or_default()).args(words).current_dir("..").output();
    if added.is_ok_and(|done| done.status.success()) && target_installed()? {
        return Ok(());
    }
    Err(format!("the target {TARGET} is missing; install it with: {ADD_TARGET}").into())
}

fn target_installed() -> Result<bool> {
    let asked =
        Command::new(variable("RUSTC")?).args(["--print", "target-libdir", "--target", TARGET]).output()?;
    Ok(asked.status.success() && Path::new(String::from_utf8_lossy(&asked.stdout).trim()).is_dir())
}

/// One classic script that leaves no global but its own: the glue stands inside the function of `boot.js`.
fn wrap(folder: &Path, glue: &str, file: &str, integrity: &str) -> Result<String> {
    let boot = fs::read_to_string(folder.join("boot.js"))?;
    let part = |name: &str| fs::read_to_string(folder.join(name));
    let whole = boot
        .replace("__WASM__", file)
        .replace("__INTEGRITY__", integrity)
        .replace("/* the fallback */", &part("fallback.js")?)
        .replace("/* the view */", &part("view.js")?)
        .replace("/* the glue */", glue);
    Ok(squeeze(&whole))
}

/// The script without comments that fill whole lines and without indentation. Neither the glue nor our own script has
/// a text that spans lines, so nothing but white space changes.
fn squeeze(script: &str) -> String {
    let mut out = String::with_capacity(script.len());
    let mut comment = false;
    for line in script.lines().map(str::trim) {
        comment |= line.starts_with("/*");
        if !comment && !line.is_empty() && !line.starts_with("//") {
            out.push_str(line);
            out.push('\n');
        }
        comment &= !line.ends_with("*/");
    }
    out
}

struct Made {
    path: String,
    kind: &'static str,
    fixed: bool,
    body: Vec<u8>,
}

fn write(out: &Path, assets: &[Made]) -> Result<()> {
    // What an earlier build named differently would only lie there.
    for stale in fs::read_dir(out)? {
        fs::remove_file(stale?.path())?;
    }
    let mut table =
        format!("/// Everything that is embedded.\npub const ASSETS: [Asset; {}] = [\n", assets.len());
    for Made { path, kind, fixed, body } in assets {
        let file = path.trim_start_matches('/');
        fs::write(out.join(file), body)?;
        fs::write(out.join(format!("{file}.gz")), gzip(body)?)?;
        table.push_str(&format!(
            "    Asset {{ path: {path:?}, content_type: {kind:?}, immutable: {fixed}, etag: {:?}, integrity: {:?}, \
             body: include_bytes!(concat!(env!(\"OUT_DIR\"), {path:?})), \
             gzip: include_bytes!(concat!(env!(\"OUT_DIR\"), \"{path}.gz\")) }},\n",
            format!("\"{}\"", short(body)),
            integrity(body),
        ));
    }
    table.push_str("];\n");
    fs::write(out.join("assets.rs"), table)?;
    Ok(())
}

fn gzip(body: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(body)?;
    Ok(encoder.finish()?)
}

/// The first 16 hexadecimal digits of the SHA-256: enough to name a version.
fn short(body: &[u8]) -> String {
    Sha256::digest(body).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// What stands in an `integrity` attribute.
fn integrity(body: &[u8]) -> String {
    format!("sha384-{}", STANDARD.encode(Sha384::digest(body)))
}

fn variable(name: &str) -> Result<String> {
    env::var(name).map_err(|_| format!("cargo did not set {name}").into())
}
