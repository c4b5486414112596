//! Cases for all stages: one directory per case, so that adding a directory adds a test.
//!
//! ```text
//! eval/NAME/     policy.* (one or more), events.ndjson or steps.ndjson, expected.txt
//! reject/CODE-NAME/  input.*, expected.txt (rendered diagnostics)
//! accept/NAME/   policy.* that compile without a diagnostic
//! parity/NAME/   notations of one policy, equal stripped modules
//! fmt/NAME/      input.yaml, expected.yaml (its canonical format)
//! stages/NAME/   policy.*, tree.txt, plan.txt, asm.txt
//! recipes/NAME/  hooks.yaml, hooks.test.yaml: a recipe of docs/recipes.md
//! starters/NAME/ hooks.yaml, hooks.test.yaml, README.md: a starter policy
//! ```
//!
//! A directory with other files, or without one of these, is an error (`layout.rs`). `BLESS=1` writes the expected
//! files; review the diff.
#![forbid(unsafe_code)]
#![allow(clippy::disallowed_methods, reason = "the loader of test data reads files")]

mod layout;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, io};

/// The directory of the corpus.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// How often a test repeats something, or how large it makes it: `all`, or `under_miri`, which interprets.
#[must_use]
pub const fn amount(full: usize, under_miri: usize) -> usize {
    if cfg!(miri) { under_miri } else { full }
}

/// Whether the heavy judges of the tests run in full: `HOOKC_FULL=1`, which CI sets.
#[must_use]
pub fn is_full() -> bool {
    env::var("HOOKC_FULL").is_ok_and(|full| full == "1")
}

/// How often a heavy judge repeats something: `full` with `HOOKC_FULL=1`, otherwise `short`.
#[must_use]
pub fn effort(full: usize, short: usize) -> usize {
    if is_full() { full } else { short }
}

/// Whether to leave `what` to the full run, which is then reported.
#[must_use]
pub fn left_to_full_run(what: &str) -> bool {
    if !is_full() {
        announce(&format!("skipped without HOOKC_FULL=1: {what}"));
    }
    !is_full()
}

/// The number in an environment variable, which makes a test as long as you like.
#[must_use]
pub fn number(variable: &str) -> Option<usize> {
    env::var(variable).ok()?.parse().ok()
}

/// Writes a program: a file that the threads of the caller can start at once.
///
/// Another process writes it. A file that this process had open for writing would be open in
/// every child that another thread forks meanwhile, and until that child calls `exec`, the
/// kernel refuses to start the file (`ETXTBSY`).
///
/// # Errors
/// If the file cannot be written.
pub fn write_program(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut install =
        Command::new("install").args(["-m", "755", "/dev/stdin"]).arg(path).stdin(Stdio::piped()).spawn()?;
    let written = install.stdin.take().map_or(Ok(()), |mut input| input.write_all(bytes));
    let status = install.wait()?;
    if status.success() { written } else { Err(io::Error::other(format!("install: {status}"))) }
}

/// The cases of a kind (`eval`, `reject`, ...), by name.
///
/// # Errors
/// If the directory cannot be read, has no case, or a case has not the files of its kind.
pub fn cases(kind: &str) -> io::Result<Vec<Case>> {
    let mut cases = Vec::new();
    for entry in fs::read_dir(root().join(kind))? {
        let path = entry?.path();
        if path.is_dir() {
            let case = Case::open(path)?;
            layout::check(kind, &case).map_err(io::Error::other)?;
            cases.push(case);
        }
    }
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    if cases.is_empty() { Err(io::Error::other(format!("corpus/{kind} has no case"))) } else { Ok(cases) }
}

/// One directory of the corpus.
#[derive(Clone, Debug)]
pub struct Case {
    /// The name of the directory.
    pub name: String,
    /// The directory.
    pub path: PathBuf,
    /// Its files by name.
    pub files: Vec<String>,
}

impl Case {
    fn open(path: PathBuf) -> io::Result<Self> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&path)? {
            files.push(entry?.file_name().to_string_lossy().into_owned());
        }
        files.sort();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(Self { name, path, files })
    }

    /// Names of the files that start with `stem` and a dot, or a digit and a dot.
    #[must_use]
    pub fn inputs(&self, stem: &str) -> Vec<&str> {
        let is_case = |file: &&String| {
            file.strip_prefix(stem)
                .is_some_and(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with('.'))
        };
        self.files.iter().filter(is_case).map(String::as_str).collect()
    }

    /// The text of a file of the case.
    ///
    /// # Errors
    /// When it cannot be read as UTF-8.
    pub fn text(&self, file: &str) -> io::Result<String> {
        fs::read_to_string(self.path.join(file))
    }

    /// The bytes of a file of the case.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn bytes(&self, file: &str) -> io::Result<Vec<u8>> {
        fs::read(self.path.join(file))
    }

    /// Compares `actual` with the file; with `BLESS=1`, writes it instead.
    ///
    /// # Errors
    /// The difference, with the first line that differs.
    pub fn expect(&self, file: &str, actual: &str) -> Result<(), String> {
        expect(&self.path.join(file), actual)
    }
}

/// Compares `actual` with a golden file; with `BLESS=1`, writes it instead.
///
/// # Errors
/// The difference, with the first line that differs.
pub fn expect(path: &Path, actual: &str) -> Result<(), String> {
    if env::var("BLESS").is_ok_and(|bless| bless == "1") {
        return fs::write(path, actual).map_err(|error| format!("{}: {error}", path.display()));
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    if expected == actual {
        return Ok(());
    }
    let same = expected.lines().zip(actual.lines()).take_while(|(a, b)| a == b).count();
    let line = |text: &str| text.lines().nth(same).unwrap_or("(end)").to_owned();
    Err(format!(
        "{} differs at line {}:\n  expected: {}\n  actual:   {}\nBLESS=1 rewrites it\n--- actual\n{actual}",
        path.display(),
        same + 1,
        line(&expected),
        line(actual)
    ))
}

/// The directory of shared suites and real-world files, if present: `HOOKC_SHARED`, otherwise
/// `../shared` next to the project. Tests that need it report that they skip.
#[must_use]
pub fn shared() -> Option<PathBuf> {
    let named = env::var("HOOKC_SHARED").ok().map(PathBuf::from);
    let beside = || root().parent().and_then(Path::parent).map(|parent| parent.join("shared"));
    let found = named.or_else(beside).filter(|path| path.is_dir());
    if found.is_none() {
        announce("skipped: neither HOOKC_SHARED nor ../shared is there");
    }
    found
}

/// A file or directory of the shared suites, if present. Tests that need it report that they skip.
#[must_use]
pub fn suite(name: &str) -> Option<PathBuf> {
    let found = Some(shared()?.join("suites").join(name)).filter(|path| path.exists());
    if found.is_none() {
        announce(&format!("skipped: there is no suite {name}"));
    }
    found
}

/// The tests of the JSONPath compliance suite (RFC 9535), if present.
#[must_use]
pub fn jsonpath_suite() -> Option<Vec<serde_json::Value>> {
    let text = fs::read_to_string(suite("jsonpath-cts/cts.json")?).ok()?;
    let mut suite: serde_json::Value = serde_json::from_str(&text).ok()?;
    serde_json::from_value(suite.get_mut("tests")?.take()).ok()
}

/// All files in a directory tree, by path; empty if the directory does not exist.
#[must_use]
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

/// Writes to the terminal, also from a test whose output is captured.
fn announce(message: &str) {
    let _ = writeln!(io::stderr(), "{message}");
}
