//! Checks the text of a handler's path: whether it leaves the repository, and whether it was
//! written for a shell, which does not run.

use hookc_schema::value::Value;
use hookc_schema::{Code, Diagnostic, Diagnostics, Span};

/// Characters with a meaning in a shell that are rare in names of scripts. Whitespace is included
/// because it separates arguments in a shell.
const SHELL: &[char] = &[
    ';', '|', '&', '$', '<', '>', '`', '"', '\'', '*', '?', '(', ')', '{', '}', '\\', ' ', '\t', '\n', '\r',
];

/// Lints the path of a handler as written.
pub(super) fn lint(path: &str, value: &Value, out: &mut Diagnostics) {
    if leaves(path) {
        out.push(outside(path, value.span));
    }
    let home = path.starts_with('~').then_some(0);
    let Some(at) = home.or_else(|| path.find(SHELL)) else { return };
    let length = path.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
    let new = Diagnostic::new(
        Code::W0292,
        value.span_within(at..at + length),
        "a handler is a path, not a command line",
    );
    let new =
        new.with_label("shell syntax").note(format!("hookc would start a program with the name `{path}`"));
    out.push(new.help("write only the path of a script, and put the rest into the script"));
}

/// The diagnostic for a handler outside its repository.
pub(super) fn outside(path: &str, span: Span) -> Diagnostic {
    Diagnostic::new(Code::W0291, span, format!("the handler `{path}` is outside its repository"))
        .with_label("outside")
        .note("another clone of the repository has no such file, or a different one")
        .help("keep the script in the repository, such as `./scripts/hooks/NAME`")
}

/// Whether the text of a path leads out of its starting directory.
fn leaves(path: &str) -> bool {
    let drive = matches!(path.as_bytes(), [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic());
    if path.starts_with(['/', '\\']) || drive {
        return true;
    }
    let mut depth = 0_usize;
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => match depth.checked_sub(1) {
                Some(up) => depth = up,
                None => return true,
            },
            _ => depth += 1,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::leaves;

    #[test]
    fn paths_that_lead_out() {
        for path in ["../x", "a/../../x", "/usr/bin/x", "./../x", "C:/x", "a/../.."] {
            assert!(leaves(path), "{path}");
        }
        for path in ["x", "./x", "a/../x", "a/b/../../x", "..x", "a/..b", "x:y/z"] {
            assert!(!leaves(path), "{path}");
        }
    }
}
