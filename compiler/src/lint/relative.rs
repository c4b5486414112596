//! Texts that match no absolute path.

use hookc_schema::tree::Op;

/// Whether a text, a prefix or a pattern certainly matches no absolute path.
pub(crate) fn is_relative(op: Op, text: &str) -> bool {
    let name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '@' | '.');
    let drive = |text: &str| text.get(1..2) == Some(":");
    match op {
        Op::Regex => {
            let Some(rest) = text.strip_prefix('^').filter(|rest| !rest.contains('|') && !drive(rest)) else {
                return false;
            };
            let rest = rest.strip_prefix('\\').filter(|rest| rest.starts_with('.')).unwrap_or(rest);
            let mut chars = rest.chars();
            let literal = chars.next().is_some_and(|c| name(c) && (c != '.' || text.starts_with("^\\")));
            // A drive letter: `^C:`, `^c:`.
            literal && !chars.next().is_some_and(|c| matches!(c, '*' | '?' | '{' | ':'))
        }
        Op::Glob => match text.strip_prefix('*') {
            Some(rest) => !rest.starts_with('*') && !rest.contains(['/', '{']),
            None => text.starts_with(name) && !drive(text),
        },
        _ => {
            text.starts_with(name) && !drive(text) && (op != Op::StartsWith || text.chars().nth(1).is_some())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_relative;
    use hookc_schema::tree::Op;

    #[test]
    fn relative_paths() {
        for (op, text) in [
            (Op::Eq, "package.json"),
            (Op::Eq, "./a"),
            (Op::In, ".env"),
            (Op::StartsWith, "src/"),
            (Op::StartsWith, "src"),
            (Op::Glob, "src/**"),
            (Op::Glob, "*.env"),
            (Op::Regex, "^src/"),
            (Op::Regex, r"^\.env$"),
        ] {
            assert!(is_relative(op, text), "{text}");
        }
        for (op, text) in [
            (Op::Eq, "/etc/passwd"),
            (Op::Eq, r"C:\x"),
            (Op::StartsWith, "C"),
            (Op::Eq, ""),
            (Op::Glob, "**/src/**"),
            (Op::Glob, "*/src"),
            (Op::Glob, "{a,/b}/**"),
            (Op::Glob, "C:/**"),
            (Op::Regex, "src/"),
            (Op::Regex, "^/src"),
            (Op::Regex, "^.env"),
            (Op::Regex, "^src|/src"),
            (Op::Regex, "^C:"),
            (Op::Regex, "^a?/x"),
        ] {
            assert!(!is_relative(op, text), "{text}");
        }
    }
}
