//! Command lines of handlers: written with what a shell needs quoted, and read
//! again as far as can be done without a shell.

/// The words of a command line up to the first operator.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Words<'l> {
    /// Without their quotes; variables stand as they are written.
    pub(crate) words: Vec<String>,
    /// The line from the operator on, if there is one.
    pub(crate) rest: Option<&'l str>,
}

/// Splits a line as a shell does.
pub(crate) fn words(line: &str) -> Words<'_> {
    let mut found = Words::default();
    let mut chars = line.chars();
    let mut word: Option<String> = None;
    loop {
        let here = chars.as_str();
        match chars.next() {
            None => break,
            Some(' ' | '\t') => found.words.extend(word.take()),
            Some('#') if word.is_none() => break,
            Some(';' | '&' | '|' | '<' | '>' | '(' | ')' | '`' | '\n') => {
                found.rest = Some(here);
                break;
            }
            Some('\'') => word.get_or_insert_default().extend(chars.by_ref().take_while(|c| *c != '\'')),
            Some('"') => double(&mut chars, word.get_or_insert_default()),
            Some('\\') => word.get_or_insert_default().extend(chars.next()),
            Some(c) => word.get_or_insert_default().push(c),
        }
    }
    found.words.extend(word);
    found
}

/// What stands behind a double quote, up to the next.
fn double(chars: &mut std::str::Chars<'_>, word: &mut String) {
    while let Some(c) = chars.next() {
        match c {
            '"' => return,
            '\\' => match chars.next() {
                Some(c @ ('"' | '\\' | '$' | '`')) => word.push(c),
                Some(c) => word.extend(['\\', c]),
                None => return,
            },
            c => word.push(c),
        }
    }
}

/// A word that a shell takes as it is.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./:@%+=,-".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// A path below the folder that a variable holds.
pub(crate) fn below(variable: &str, path: &str) -> String {
    let mut word = format!("\"${variable}/");
    for c in path.chars() {
        if matches!(c, '"' | '\\' | '$' | '`') {
            word.push('\\');
        }
        word.push(c);
    }
    word.push('"');
    word
}

/// A command that `hookc install` may have written.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ours {
    pub(crate) program: String,
    pub(crate) host: String,
    pub(crate) event: Option<String>,
    pub(crate) policies: Vec<String>,
}

/// Options of `run` that have a value.
const VALUED: [&str; 9] =
    ["--host", "--event", "--layer", "--dialect", "--merge", "--on-failure", "--log", "--redact", "--color"];

/// Reads a command line as a call of `hookc run` and nothing beside it.
pub(crate) fn ours(line: &str) -> Option<Ours> {
    let Words { words, rest: None } = words(line) else { return None };
    let mut words = words.into_iter();
    let program = words.next()?;
    let name = program.rsplit(['/', '\\']).next()?;
    if !matches!(name, "hookc" | "hookc.exe") || words.next()? != "run" {
        return None;
    }
    let (mut host, mut event, mut policies) = (None, None, Vec::new());
    while let Some(word) = words.next() {
        let (option, value) = match word.split_once('=') {
            Some((option, value)) if option.starts_with("--") => (option.to_owned(), Some(value.to_owned())),
            _ if VALUED.contains(&word.as_str()) => (word, words.next()),
            _ if word.len() > 1 && word.starts_with('-') => continue,
            _ => {
                policies.push(word);
                continue;
            }
        };
        match option.as_str() {
            "--host" => host = value,
            "--event" => event = value,
            _ => {}
        }
    }
    Some(Ours { program, host: host?, event, policies })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_as_a_shell_has_them() {
        let all = |line: &str| words(line).words;
        assert_eq!(all("a  'b c' \"d \\\"e\" f\\ g ''"), ["a", "b c", "d \"e", "f g", ""]);
        assert_eq!(all("\"$DIR/x y\".sh # why"), ["$DIR/x y.sh"]);
        assert_eq!(words("a && b").rest, Some("&& b"));
        assert_eq!(words("a # && b").rest, None);
        assert_eq!(all("cd x&&b"), ["cd", "x"]);
        for word in ["a", "a b", "it's", "", "$x", "ü", "a\nb"] {
            assert_eq!(all(&quoted(word)), [word]);
        }
        assert_eq!(below("R", "a \"$b"), "\"$R/a \\\"\\$b\"");
    }

    #[test]
    fn calls_of_run_are_known_again() {
        let read = ours("'/opt/my tools/hookc' run --host claude \"$CLAUDE_PROJECT_DIR/p.yaml\"").unwrap();
        assert_eq!(
            (read.host.as_str(), &read.policies[..]),
            ("claude", &["$CLAUDE_PROJECT_DIR/p.yaml".to_owned()][..])
        );
        let read = ours("hookc run --host=copilot --event stop --no-log --on-failure open a b").unwrap();
        assert_eq!((read.event.as_deref(), read.policies.len()), (Some("stop"), 2));
        for line in [
            "hookc eval x",
            "hookc run x",
            "hookc run --host claude p | tee log",
            "nohookc run --host a b",
            "",
        ] {
            assert_eq!(ours(line), None, "{line}");
        }
    }
}
