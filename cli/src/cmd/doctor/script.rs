//! Scripts of handlers: syntax of bash in one that `sh` executes (W0687).

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use hookc_compiler::lint::{Extension, bash_syntax};
use hookc_schema::Code;

use super::finding::Findings;
use crate::files;

/// The size of the largest script that is read.
const MAX_BYTES: u64 = 256 * 1024;

/// Whether a program is a shell that may be without the extensions of bash.
pub(super) fn is_sh(program: &str) -> bool {
    matches!(program.rsplit('/').next(), Some("sh" | "dash"))
}

/// Whether the first line of a file names such a shell.
pub(super) fn has_sh(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let mut line = Vec::new();
    let read = BufReader::new(file.take(256)).read_until(b'\n', &mut line);
    let line = String::from_utf8_lossy(&line);
    let Some(words) = line.strip_prefix("#!").filter(|_| read.is_ok()) else { return false };
    let program = words.split_whitespace().find(|word| !word.ends_with("/env") && !word.starts_with('-'));
    program.is_some_and(is_sh)
}

/// Reports the first syntax of bash in a script of `sh`.
pub(super) fn check(path: &Path, out: &mut Findings) {
    let Some(text) = text(path) else { return };
    let Some(Extension { span, name, instead, .. }) = bash_syntax(&text) else { return };
    let line = text.get(..span.start).map_or(1, |before| before.matches('\n').count() + 1);
    let message = format!("{name} is syntax of bash, and this script runs in `sh`");
    let help = format!("write {instead}, or start the script, and call it, with bash");
    let here = std::env::current_dir().ok();
    let shown = here.and_then(|here| path.strip_prefix(here).ok()).unwrap_or(path);
    out.odd(Code::W0687.name(), format!("{}:{line}", files::name(shown)), message, &help);
}

fn text(path: &Path) -> Option<String> {
    if path.metadata().ok().filter(std::fs::Metadata::is_file)?.len() > MAX_BYTES {
        return None;
    }
    std::fs::read_to_string(path).ok()
}
