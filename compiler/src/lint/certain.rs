//! What is certain about a test whatever the event is.

use hookc_schema::tree::{Leaf, Op, Right};
use hookc_schema::value::{Kind, Value};

/// The result of a leaf for an absent value, if that is certain.
pub(crate) fn absent(leaf: &Leaf) -> Option<bool> {
    let null = |value: &Value| value.kind == Kind::Null;
    match (leaf.op.node, &leaf.right) {
        (Op::Exists, Right::Value(value)) => Some(value.kind == Kind::Bool(false)),
        (Op::Exists, _) => Some(false),
        (Op::Matches, _) => Some(false),
        (_, Right::None) => None,
        (Op::Eq | Op::Ne | Op::In, Right::Path(_)) => None,
        (Op::Eq | Op::Contains, Right::Value(value)) => (!null(value)).then_some(false),
        (Op::Ne, Right::Value(value)) => (!null(value)).then_some(true),
        (Op::In, Right::Value(value)) => match &value.kind {
            Kind::Seq(items) => (!items.iter().any(null)).then_some(false),
            _ => None,
        },
        _ => Some(false),
    }
}

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
