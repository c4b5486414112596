//! Regular expressions between slashes, in quotes (W0625): `'/^rm/i'`. The slashes are a part of such a pattern.

use hookc_schema::value::Value;
use hookc_schema::{Code, Diagnostic};

use crate::expr::print;

/// What is said of a pattern.
pub const PATTERN: &str = "the slashes are a part of this pattern";

/// What is between the slashes of a text, and the flags after them.
#[derive(Clone, Copy, Debug)]
pub struct Enclosed<'t> {
    inner: &'t str,
    flags: &'t str,
}

/// Directories at the root, or of a project, in which names are written.
const DIRECTORIES: [&str; 14] =
    ["bin", "sbin", "etc", "usr", "var", "tmp", "lib", "opt", "dev", "src", "home", "root", "proc", "sys"];

/// The parts of a text such as `/^rm/i`.
#[must_use]
pub fn enclosed(text: &str) -> Option<Enclosed<'_>> {
    let (inner, flags) = text.strip_prefix('/')?.rsplit_once('/')?;
    let sure = !inner.is_empty() && flags.chars().all(|c| "gimsuy".contains(c));
    sure.then_some(Enclosed { inner, flags })
}

impl Enclosed<'_> {
    /// Whether the flags are those that people write, and not the name of a directory (`ui`, `img`). `/bin/g`
    /// can be the start of a program.
    fn has_flags(&self) -> bool {
        let flags = matches!(self.flags, "i" | "g" | "gi" | "ig" | "im" | "gm");
        flags && !DIRECTORIES.contains(&self.inner) && !self.inner.contains('/')
    }

    fn is_anchored(&self) -> bool {
        self.inner.starts_with('^') || self.inner.ends_with('$')
    }

    /// Whether a regular expression in quotes was to be this one.
    #[must_use]
    pub fn is_pattern(&self) -> bool {
        let inner = self.inner;
        let space = inner.contains(char::is_whitespace) || inner.contains("\\s") || inner.contains("\\b");
        let special = !self.flags.is_empty() && inner.contains(['\\', '(', '[', '|', '+', '*', '?']);
        space || self.is_anchored() || special || self.has_flags()
    }

    /// Like `is_pattern`, but where the operator compares text, in which a space, a bracket or a star is plausible.
    #[must_use]
    pub fn is_pattern_in_text(&self) -> bool {
        let escape = self.inner.contains("\\s") || self.inner.contains("\\b");
        self.is_anchored() || escape || self.has_flags()
    }

    /// What to write, in place of the text or of the operator and the text.
    #[must_use]
    pub fn help(&self, op: &str) -> String {
        let nocase = if self.flags.contains('i') { ", and `nocase` after it" } else { "" };
        format!("write `{op}{}`{nocase}", print::literal(self.inner))
    }
}

/// The diagnostic for the pattern of a regular expression.
#[must_use]
pub fn in_pattern(value: &Value, pattern: &str) -> Option<Diagnostic> {
    let found = enclosed(pattern).filter(Enclosed::is_pattern)?;
    Some(report(value, PATTERN, found.help("")))
}

/// The diagnostic for the pattern of a schema, which has no flags.
#[must_use]
pub fn in_schema(value: &Value, pattern: &str) -> Option<Diagnostic> {
    let found = enclosed(pattern).filter(Enclosed::is_pattern)?;
    let flags = if found.flags.contains('i') { "; to ignore case, use `=~` with `nocase`" } else { "" };
    Some(report(value, PATTERN, format!("write `{}`{flags}", print::literal(found.inner))))
}

/// The diagnostic for a text between slashes.
#[must_use]
pub fn report(value: &Value, what: &str, help: String) -> Diagnostic {
    let new = Diagnostic::new(Code::W0625, value.span, what);
    new.with_label("a pattern in quotes has no slashes").help(help)
}

#[cfg(test)]
mod tests {
    use super::enclosed;

    #[test]
    fn patterns_between_slashes() {
        let pattern = |text: &str| enclosed(text).is_some_and(|found| found.is_pattern());
        for text in ["/^rm/", "/rm/i", "/rm/gi", "/rm -rf/", "/a|b/g", r"/\.env$/i", "/x/im"] {
            assert!(pattern(text), "{text}");
        }
        for text in [
            "/etc/",
            "/src/",
            "/bin/s",
            "/usr/lib/g",
            "/home/.*/",
            "/",
            "//",
            "/x",
            "rm/i",
            "/etc/msg",
            "/bin/g",
            "/src/ui",
            "/src/img",
        ] {
            assert!(!pattern(text), "{text}");
        }
    }

    #[test]
    fn texts_between_slashes() {
        let pattern = |text: &str| enclosed(text).is_some_and(|found| found.is_pattern_in_text());
        for text in ["/^rm/", "/rm/i", "/rm$/", "/rm|dd/i"] {
            assert!(pattern(text), "{text}");
        }
        for text in ["/My Documents/", "/rm/", "/a(b)/", "/etc/ssh/i"] {
            assert!(!pattern(text), "{text}");
        }
    }
}
