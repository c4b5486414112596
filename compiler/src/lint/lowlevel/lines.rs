//! Tests of the text of a command line.

use hookc_base::Verb;
use hookc_schema::tree::{Leaf, Op, ViewKind};
use hookc_shell::programs;

use super::meaning::{self, Meaning};
use super::words::{self, ANY, BOUNDARY, END, START};
use super::{command, files};

/// What is no part of a word.
const EDGES: [char; 5] = [START, END, ANY, BOUNDARY, ' '];

/// What a test of `tool_input.command` means.
pub(super) fn meaning(leaf: &Leaf, tools: Option<&[String]>) -> Option<Meaning> {
    // What leads into a view of the line is a part of it.
    if leaf.path.view(ViewKind::Shell).is_some() || !files::is_line(&leaf.path, tools) {
        return None;
    }
    let texts: Vec<String> = match leaf.op.node {
        Op::Eq | Op::In | Op::StartsWith | Op::EndsWith | Op::Contains => {
            let starts = matches!(leaf.op.node, Op::Eq | Op::In | Op::StartsWith);
            let start = if starts { START.to_string() } else { String::new() };
            leaf.texts().map(|(_, text)| format!("{start}{}", text.replace('*', &ANY.to_string()))).collect()
        }
        Op::Glob => {
            let any = |text: &str| text.replace("**", "*").replace('*', &ANY.to_string());
            leaf.texts().map(|(_, text)| format!("{START}{}", any(text))).collect()
        }
        Op::Regex => words::texts(leaf.right.text()?)?,
        _ => return None,
    };
    let spaced: Vec<&str> = texts.iter().map(|text| text.trim_matches(EDGES)).collect();
    if let Some(set) = meaning::text_set(&spaced) {
        return Some(set);
    }
    let is_exact = leaf.op.node == Op::Eq || leaf.op.node == Op::In;
    let one = |text: &String| {
        let of_pattern = |pattern: String| match command::meant_object(&pattern) {
            Some(object) => Some(object),
            None => Meaning::new(Some(Verb::Run), vec![pattern]),
        };
        let run = pattern(text).and_then(of_pattern);
        let run = run.or_else(|| if is_exact { None } else { file(text) });
        run.or_else(|| of_unknown_program(text))
    };
    let meant: Vec<Option<Meaning>> = texts.iter().map(one).collect();
    let is_whole = meant.iter().all(Option::is_some);
    Some(meant.into_iter().flatten().reduce(Meaning::or)?.whole_if(is_whole))
}

/// What is done with a file that a part of a line names: `.env`, `/etc/`.
fn file(text: &str) -> Option<Meaning> {
    // What a line starts with is a program.
    if text.strip_prefix(START).is_some_and(|rest| !rest.starts_with(ANY)) {
        return None;
    }
    // A file is meant whose name has the part, `.env.local` and `prod.env` too, unless the part has an end there.
    let inside = text.trim_matches([START, END]);
    let is_start = inside.starts_with(' ');
    let is_end = inside.ends_with(' ') || text.ends_with(END) && !inside.ends_with(ANY);
    let text = text.replace(BOUNDARY, "");
    let name = text.trim_matches([START, END, ANY, ' ']);
    let pattern = match (name.starts_with('.') && !name.contains('/'), name.starts_with('/')) {
        (true, _) if name.len() > 2 && is_plain(name) && !name.contains("..") => {
            let any = |is_edge: bool| if is_edge { "" } else { "*" };
            format!("{}{}{}", any(is_start), name.replace(ANY, "*"), any(is_end))
        }
        (_, true) => files::pattern(name)?,
        _ => return None,
    };
    let meaning = |verb| Meaning::new(Some(verb), vec![pattern.clone()]);
    Some(meaning(Verb::Read)?.or(meaning(Verb::Write)?))
}

/// The commands of a program that no row describes, if the text has the form of a command: a name at the start of the
/// line, or one with other words.
fn of_unknown_program(text: &str) -> Option<Meaning> {
    let words = words(text)?;
    let name = words.first()?;
    let is_name =
        name.starts_with(|next: char| next.is_ascii_lowercase()) && !name.contains(['/', '=', ':', '.']);
    let is_start = text.strip_prefix(START).is_some_and(|rest| !rest.starts_with(ANY));
    if !is_name || words.len() == 1 && !is_start {
        return None;
    }
    let meaning = Meaning::new(Some(Verb::Run), vec![words.join(" ")])?;
    Some(Meaning { is_whole: false, unknown_program: Some(name.clone()), ..meaning })
}

/// The pattern of commands that a part of a line names. Its first word must be a program of the rows.
fn pattern(text: &str) -> Option<String> {
    let text = text.trim_matches(EDGES);
    if let Some(shell) = text.strip_prefix('|') {
        let pattern = pattern(shell)?;
        return Some(format!("* | {pattern}"));
    }
    if let Some((from, to)) = text.split_once('|') {
        return Some(format!("{} | {}", pattern(from)?, pattern(to)?));
    }
    let words = words(text)?;
    let is_wrapper =
        |word: &String| programs::program(word).is_some_and(|program| program.row.starts_first_operand());
    let inner = words.iter().position(|word| !is_wrapper(word)).unwrap_or_default();
    let words = words.get(inner..)?;
    programs::program(words.first()?)?;
    Some(words.join(" "))
}

/// The words of a part of a line; `None` if one of them may be only a part of a word, or of code.
fn words(text: &str) -> Option<Vec<String>> {
    let text = text.trim_matches(EDGES).replace([START, END], "");
    let mut words = Vec::new();
    for (at, part) in text.split(ANY).enumerate() {
        for (first, word) in part.split_whitespace().enumerate() {
            // After any text, a word may be only a part of one.
            let may_be_part = at > 0 && first == 0 && !part.starts_with([' ', BOUNDARY]);
            let word = word.replace(BOUNDARY, "");
            if may_be_part && !word.starts_with('-') || !is_plain(&word) {
                return None;
            }
            words.push(word);
        }
    }
    words.retain(|word| !word.is_empty());
    Some(words)
}

/// Whether a word is itself in a pattern of commands, and certainly no part of code.
fn is_plain(word: &str) -> bool {
    let is_special = |next: char| {
        !next.is_ascii_alphanumeric() && !matches!(next, '-' | '_' | '.' | '/' | ':' | '=' | '+')
    };
    !word.contains(is_special)
}
