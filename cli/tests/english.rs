//! The English of the program: messages, help, code pages, documents, comments and names use the
//! standard terms of `docs/glossary.md` and plain sentences. This test rejects the
//! phrases that this project replaced; it does not replace reading a text aloud.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{hookc, project};

/// Phrases that no text for the user contains, with the words to write instead.
const EVERYWHERE: &[(&str, &str)] = &[
    ("is told", "is reported"),
    ("are told", "are reported"),
    ("falls open", "fails open"),
    ("falls closed", "fails closed"),
    ("which way it falls", "failure mode"),
    ("is refused", "is rejected, is denied"),
    ("are refused", "are rejected, are denied"),
    ("what is no ", "an invalid ..."),
    ("has nobody", "a positive statement"),
    ("is none,", "a positive statement"),
    ("are none,", "a positive statement"),
    ("carried out", "executed"),
    ("carry out", "execute"),
    ("carries out", "executes"),
    ("what it came to", "result"),
    ("older form", "legacy syntax"),
    ("the one layout", "canonical format"),
    ("their one layout", "canonical format"),
    ("knowingly does not", "limitations"),
    ("a blank", "whitespace"),
    ("in the place of", "instead of"),
    ("without a word", "silently"),
];

/// Phrases that messages, help and code pages do not contain either.
const MESSAGES: &[(&str, &str)] = &[
    ("of which", "two sentences"),
    ("refuses", "denies, rejects"),
    ("refused", "denied, rejected"),
    ("nobody", "a positive statement"),
    ("is not there", "does not exist"),
    (" is no ", "is not a"),
    (" are no ", "are not"),
    (" holds ", "contains, is true"),
    ("does not hold", "is false"),
    ("stands ", "is"),
    ("laid out", "formatted"),
    ("folder", "directory"),
    ("switched off", "disabled"),
    ("switches all", "disables all"),
    ("passes over", "ignores"),
    ("passed over", "ignored"),
    ("goes on", "continues"),
    ("looked for", "searched for"),
    ("so that it would", "two sentences"),
    ("left out", "ignored, omitted"),
    ("leave it out", "remove it"),
    (" behind the ", "after the"),
    (" beside ", "next to, with"),
];

/// Phrases that no comment contains.
const COMMENTS: &[(&str, &str)] = &[
    ("the same, but", "what it does"),
    ("the same about", "what it does"),
    (" behind ", "after"),
    (" beside ", "next to, with"),
    ("carried out", "executed"),
    ("of which no", "two sentences"),
    ("lies ", "is"),
];

/// Names that say nothing, in code.
const NAMES: &[(&str, &str)] = &[
    ("fn of", "`new`, `parse`, `from_...`, `for_...`"),
    ("let all", "the noun"),
    ("let own", "the noun"),
    ("let of = |", "what it finds"),
    ("let told", "`reported`"),
    ("let odd", "`suspicious`"),
    ("let vain", "`useless`"),
    ("let is", "`is_...`"),
    ("let behind", "`after`, `next`"),
    ("let beside", "what it is"),
    ("fn perhaps", "`maybe`"),
];

/// Texts that contain a phrase for a reason.
const ALLOWED: &[(&str, &str)] = &[
    // A flag of Copilot CLI.
    ("--trust-folder", "folder"),
    ("there is no ", " is no "),
    ("is no decision", " is no "),
    ("there are no ", " are no "),
    ("stands for itself", "stands "),
];

/// The directories of the crates whose comments and names are read.
const CRATES: &[&str] = &[
    "agent",
    "base",
    "cli",
    "compiler",
    "fuzz",
    "history",
    "hookc",
    "oracle",
    "runtime",
    "schema",
    "shell",
    "shellroot",
    "syntax",
    "vm",
];

#[test]
fn comments_and_names_use_standard_terms() {
    let mut found = Vec::new();
    for path in CRATES.iter().flat_map(|name| files(&project().join(name).join("src"), "rs")) {
        for line in fs::read_to_string(&path).unwrap().lines() {
            let line = line.trim_start();
            report(&path, line, &[if line.starts_with("//") { COMMENTS } else { NAMES }], &mut found);
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn messages_and_code_pages_use_standard_terms() {
    let mut found = Vec::new();
    for folder in ["base", "schema", "syntax", "compiler", "vm", "runtime", "hookc", "cli"] {
        for path in files(&project().join(folder).join("src"), "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let shipped = text.split("#[cfg(test)]").next().unwrap();
            for literal in literals(shipped) {
                report(&path, &literal, &[EVERYWHERE, MESSAGES], &mut found);
            }
        }
    }
    for path in files(&project().join("schema/codes"), "md") {
        report_lines(&path, &[EVERYWHERE, MESSAGES], &mut found);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The whole `--help` and the short `-h` of the program and of each of its verbs, as printed.
#[test]
fn help_uses_standard_terms() {
    let folder = tempfile::tempdir().unwrap();
    let mut found = Vec::new();
    let mut open = vec![Vec::<String>::new()];
    let mut pages = 0;
    while let Some(verb) = open.pop() {
        for flag in ["--help", "-h"] {
            let args: Vec<&str> = verb.iter().map(String::as_str).chain([flag]).collect();
            let run = hookc(&folder, &args, "");
            assert_eq!(run.code, 0, "{args:?}: {}", run.err);
            pages += 1;
            // One line per paragraph, because a phrase can contain a line end.
            for paragraph in run.out.split("\n\n") {
                let text = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
                let path = project().join(format!("hookc {}", args.join(" ")));
                report(&path, &text, &[EVERYWHERE, MESSAGES], &mut found);
                found.extend(
                    identifier(&text).map(|word| format!("{args:?}: `{word}` is a name of the code: {text}")),
                );
            }
            if flag == "--help" {
                open.extend(verbs(&run.out).map(|name| [&verb[..], &[name]].concat()));
            }
        }
    }
    assert!(pages > 40, "{pages}");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// A word in camel case outside of backticks: a type of the code, not a word of English.
fn identifier(text: &str) -> Option<&str> {
    let prose = text.split('`').step_by(2);
    let mut words = prose.flat_map(|part| part.split(|c: char| !c.is_alphanumeric()));
    words.find(|word| {
        let capitals: Vec<usize> = word.match_indices(char::is_uppercase).map(|(at, _)| at).collect();
        capitals.first() == Some(&0) && capitals.windows(2).any(|pair| pair[1] > pair[0] + 1)
    })
}

/// The verbs that a help page lists, without `help` itself.
fn verbs(help: &str) -> impl Iterator<Item = String> + '_ {
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| !line.is_empty());
    let named =
        listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next().filter(|name| !name.is_empty()));
    named.filter(|name| *name != "help").map(str::to_owned)
}

#[test]
fn documents_use_standard_terms() {
    let mut found = Vec::new();
    let mut paths = files(&project().join("docs"), "md");
    paths.extend(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(|name| project().join(name)));
    // Records of decisions keep the words of their day.
    paths.retain(|path| !path.components().any(|part| part.as_os_str() == "decisions"));
    for path in paths {
        report_lines(&path, &[EVERYWHERE], &mut found);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

fn report_lines(path: &Path, lists: &[&[(&str, &str)]], found: &mut Vec<String>) {
    for line in fs::read_to_string(path).unwrap().lines() {
        report(path, line, lists, found);
    }
}

fn report(path: &Path, text: &str, lists: &[&[(&str, &str)]], found: &mut Vec<String>) {
    let lower = without_placeholders(text).to_lowercase();
    for (phrase, instead) in lists.iter().copied().flatten() {
        let allowed = ALLOWED.iter().any(|(part, one)| one == phrase && lower.contains(part));
        if contains(&lower, phrase) && !allowed {
            let path = path.strip_prefix(project()).unwrap().display();
            found.push(format!("{path}: `{phrase}` (write: {instead}): {text}"));
        }
    }
}

/// A text without its placeholders, such as `{name}`.
fn without_placeholders(text: &str) -> String {
    let mut parts = text.split('{');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |out, part| out + part.split_once('}').map_or(part, |(_, rest)| rest))
}

/// Whether a text contains a phrase between word boundaries.
fn contains(text: &str, phrase: &str) -> bool {
    let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '-');
    text.match_indices(phrase).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + phrase.len()..]);
        let starts = phrase.starts_with(' ') || !letter(before.chars().next_back());
        starts && (phrase.ends_with([' ', ',']) || !letter(after.chars().next()))
    })
}

/// The files of a directory with an extension, at any depth.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|one| one == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The string literals of Rust source that contain a space, without line
/// continuations.
fn literals(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if c == '\'' {
            let escaped = rest[1..].starts_with('\\');
            let skip = rest
                .char_indices()
                .skip(if escaped { 3 } else { 2 })
                .find(|(_, c)| *c == '\'')
                .map_or(1, |(at, _)| at + 1);
            rest = &rest[if skip <= 12 { skip } else { 1 }..];
        } else if c == '"' {
            let end = closing(rest);
            let literal = &rest[1..end];
            if literal.contains(' ') {
                let mut lines = literal.split("\\\n").map(str::trim_start);
                let first = literal.split("\\\n").next().unwrap_or_default();
                lines.next();
                found.push(format!("{first}{}", lines.collect::<String>()));
            }
            rest = &rest[(end + 1).min(rest.len())..];
        } else {
            rest = &rest[c.len_utf8()..];
        }
    }
    found
}

/// Where a literal that starts with a quote ends.
fn closing(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    text.len()
}
