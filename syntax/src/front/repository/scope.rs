//! Globs on ability ids. They are the globs of the language, except that a single `*` crosses `/`:
//! ids such as `db/users/write` are names, not paths of files.

use hookc_schema::value::Text;

use crate::front::text_map::Builder;

/// Whether a glob matches every id.
pub(crate) fn is_any(glob: &str) -> bool {
    !glob.is_empty() && glob.bytes().all(|byte| byte == b'*')
}

/// The only name that a glob matches, if it has no special characters.
pub(crate) fn literal(glob: &str) -> Option<String> {
    let mut name = String::with_capacity(glob.len());
    let mut chars = glob.chars();
    while let Some(c) = chars.next() {
        match c {
            '*' | '?' | '[' | '{' => return None,
            '\\' => name.push(chars.next()?),
            c => name.push(c),
        }
    }
    Some(name)
}

/// The glob that matches just this name.
pub(crate) fn quote(name: &str) -> String {
    let mut glob = String::with_capacity(name.len());
    for c in name.chars() {
        if matches!(c, '*' | '?' | '[' | '{' | '\\') {
            glob.push('\\');
        }
        glob.push(c);
    }
    glob
}

/// The smallest meaningful part of a glob.
enum Part<'g> {
    /// One star.
    Star,
    /// Two or more stars.
    Stars(&'g str),
    /// An escape, a class, or any other character.
    Other(&'g str),
}

/// The parts of a valid glob, each with its offset.
fn parts(glob: &str) -> impl Iterator<Item = (usize, Part<'_>)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = glob.get(at..).filter(|rest| !rest.is_empty())?;
        let (start, length) = (at, length(rest));
        at += length;
        let part = rest.get(..length)?;
        Some((
            start,
            match part {
                "*" => Part::Star,
                stars if stars.starts_with('*') => Part::Stars(stars),
                other => Part::Other(other),
            },
        ))
    })
}

/// The length in bytes of the first part of a glob.
fn length(glob: &str) -> usize {
    let first = glob.chars().next().map_or(0, char::len_utf8);
    let escaped = |at: usize| glob.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    match glob.as_bytes().first() {
        Some(b'*') => glob.len() - glob.trim_start_matches('*').len(),
        Some(b'\\') => 1 + escaped(1),
        Some(b'[') => class(glob),
        _ => first,
    }
}

/// The length in bytes of the class at the start of a glob, including its `]`.
fn class(glob: &str) -> usize {
    let mut escape = false;
    for (at, byte) in glob.bytes().enumerate() {
        match byte {
            _ if escape => escape = false,
            b'\\' => escape = true,
            b']' => return at + 1,
            _ => {}
        }
    }
    glob.len()
}

/// Converts a valid glob to the language: `*` becomes `**`. Before a `/` this would form `**/`,
/// which can match the empty string; there the `/` is escaped.
pub(crate) fn lower(glob: &Text) -> Text {
    let text = glob.value.as_str();
    let mut new = Builder::default();
    let mut after_star = false;
    for (at, part) in parts(text) {
        match part {
            Part::Star => {
                new.copy("*", at);
                new.put('*', at);
            }
            Part::Other("/") if after_star => {
                new.put('\\', at);
                new.copy("/", at);
            }
            Part::Stars(part) | Part::Other(part) => new.copy(part, at),
        }
        after_star = matches!(part, Part::Star);
    }
    new.finish(text.len(), &glob.map)
}

/// Converts a glob of the language to a glob on ability ids; `None` if it has a `*`, which stops at
/// `/`.
pub(crate) fn raise(glob: &str) -> Option<String> {
    let mut new = String::with_capacity(glob.len());
    let mut remaining = parts(glob).peekable();
    while let Some((_, part)) = remaining.next() {
        match (part, remaining.peek()) {
            (Part::Star, _) => return None,
            (Part::Stars("**"), Some((_, Part::Other("\\/")))) => {
                new.push_str("*/");
                remaining.next();
            }
            (Part::Stars("**"), next) if !matches!(next, Some((_, Part::Other("/")))) => new.push('*'),
            (Part::Stars(part) | Part::Other(part), _) => new.push_str(part),
        }
    }
    Some(new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hookc_base::text::Case;
    use hookc_schema::value::TextMap;
    use hookc_vm::text::glob::matches;

    fn lowered(glob: &str) -> String {
        lower(&Text { value: glob.to_owned(), map: TextMap::Shift(0) }).value
    }

    #[test]
    fn a_star_crosses_folders() {
        let table: &[(&str, &[&str], &[&str])] = &[
            ("db.*", &["db.", "db.a", "db.a/b"], &["db", "xdb.a"]),
            ("*/write", &["a/write", "a/b/write", "/write"], &["write", "a/write/b"]),
            ("db/*/write", &["db/a/write", "db/a/b/write", "db//write"], &["db/write"]),
            ("**/write", &["write", "a/b/write"], &["awrite"]),
            ("{a,*}/b", &["a/b", "x/y/b", "/b"], &["b"]),
            ("{*/,x}b", &["xb", "q/b", "p/q/b"], &["b"]),
            ("a\\*b", &["a*b"], &["axb"]),
            ("a\\**b", &["a*b", "a*/b", "a*xb"], &["ab"]),
            ("[*]/b", &["*/b"], &["x/b"]),
            ("[\\]*]*", &["]x/y", "*"], &["x"]),
            ("edit_?ile", &["edit_file"], &["edit_/ile"]),
        ];
        for (glob, yes, no) in table {
            let lowered = lowered(glob);
            yes.iter()
                .for_each(|id| assert!(matches(&lowered, id, Case::Respected), "{glob} {lowered} {id}"));
            no.iter()
                .for_each(|id| assert!(!matches(&lowered, id, Case::Respected), "{glob} {lowered} {id}"));
        }
    }

    #[test]
    fn raising_undoes_lowering() {
        for glob in ["db.*", "*/w", "a*/b*", "**/w", "***", "{a,*}/b", "[*]/", "\\*", "*\\/", "x\\", "é*/é"]
        {
            let raised = raise(&lowered(glob)).unwrap();
            assert_eq!(lowered(&raised), lowered(glob), "{glob} {raised}");
        }
        assert_eq!(raise("a*"), None);
        assert_eq!(raise("a**").as_deref(), Some("a*"));
    }

    #[test]
    fn names_are_names() {
        assert_eq!(literal("edit_file").as_deref(), Some("edit_file"));
        assert_eq!(literal("a\\*b").as_deref(), Some("a*b"));
        assert_eq!(literal(&quote("a*[b]{c}\\?")).as_deref(), Some("a*[b]{c}\\?"));
        for glob in ["a*", "a?", "[a]", "{a}", "a\\"] {
            assert_eq!(literal(glob), None, "{glob}");
        }
        assert!(is_any("*") && is_any("**") && !is_any("") && !is_any("*a"));
    }

    #[test]
    fn spans_stay() {
        let lowered = lower(&Text { value: "a*/b".to_owned(), map: TextMap::Shift(10) });
        assert_eq!(lowered.value, "a**\\/b");
        let at = |part: std::ops::Range<usize>| {
            let span = lowered.map.span(hookc_schema::Span::default(), part);
            (span.start, span.end)
        };
        assert_eq!(at(0..1), (10, 11));
        assert_eq!(at(5..6), (13, 14));
    }
}
