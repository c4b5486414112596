//! Patterns of commands as they are written.

use super::list::is_regex;
use super::rows::Row;
use super::verb;

/// A pattern of one command, without braces and sets of programs.
#[derive(Clone, Debug)]
pub(super) struct CommandPattern {
    pub(super) env: Vec<(String, String)>,
    pub(super) program: String,
    pub(super) words: Vec<String>,
}

/// A pattern, with what gives it its output.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub(super) from: Option<CommandPattern>,
    pub(super) to: CommandPattern,
}

/// Reads a pattern.
pub(super) fn parse(text: &str) -> Option<Pattern> {
    let sides: Vec<&str> = text.split(" | ").collect();
    match sides.as_slice() {
        [to] => Some(Pattern { from: None, to: one(to)? }),
        [from, to] => Some(Pattern { from: Some(one(from)?), to: one(to)? }),
        _ => None,
    }
}

fn one(text: &str) -> Option<CommandPattern> {
    let mut words = text.split_whitespace().map(str::to_owned).peekable();
    let mut env = Vec::new();
    let setting = |word: &String| {
        let (name, value) = word.split_once('=')?;
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        is_name.then(|| (name.to_owned(), value.to_owned()))
    };
    while let Some(pair) = words.peek().and_then(setting) {
        env.push(pair);
        words.next();
    }
    Some(CommandPattern { env, program: words.next()?, words: words.collect() })
}

impl Pattern {
    /// The command that it is about.
    pub(super) fn into_target(self) -> CommandPattern {
        self.to
    }
}

impl CommandPattern {
    /// Whether a word is written in it.
    pub(super) fn has_word(&self, word: &str) -> bool {
        self.words.iter().any(|listed| listed == word)
    }

    /// Whether it names a flag by one of these names.
    pub(super) fn asks_flag(&self, names: &[String], row: Option<&Row>) -> bool {
        asked(self, row, false).flags.iter().any(|(is_not, name, _)| !is_not && names.contains(name))
    }

    /// The operands that it names, also a subcommand.
    pub(super) fn plain_operands(&self) -> Vec<String> {
        self.words.iter().filter(|word| !word.starts_with(['-', '!'])).cloned().collect()
    }
}

/// The words of a pattern by what they ask.
#[derive(Default)]
pub(super) struct Asked {
    pub(super) verb: Option<Vec<String>>,
    pub(super) flags: Vec<(bool, String, Option<String>)>,
    /// Flags after an operand, whether they must be absent, as they are written: those of what is started.
    pub(super) started: Vec<(bool, String)>,
    /// Those after `--`.
    pub(super) dashed: Vec<(bool, String)>,
    pub(super) no_flags: bool,
    pub(super) operands: Vec<String>,
    pub(super) excluded: Vec<String>,
    pub(super) is_anchored: bool,
    pub(super) is_closed: bool,
}

/// Reads the words of a pattern by the row of a command.
pub(super) fn asked(pattern: &CommandPattern, row: Option<&Row>, stops_early: bool) -> Asked {
    let mut asked = Asked::default();
    let mut seen: Vec<Option<String>> = Vec::new();
    let (before, after) = match pattern.words.iter().position(|word| word == "--") {
        Some(at) => (at, at + 1),
        None => (pattern.words.len(), pattern.words.len()),
    };
    let words = pattern.words.iter().enumerate().filter(|(at, _)| !(before..after).contains(at));
    let texts = row.filter(|row| row.words().any(|name| name == pattern.program));
    let is_flag = |word: &str| {
        word.len() > 1 && word.starts_with('-') && !texts.is_some_and(|row| row.takes_text(word))
    };
    for (at, word) in words {
        let (is_not, rest) = word.strip_prefix('!').map_or((false, word.as_str()), |rest| (true, rest));
        match rest {
            "*" if is_not => asked.is_closed = true,
            "-*" if is_not => asked.no_flags = true,
            rest if is_flag(rest) && at >= after && before < after => {
                asked.dashed.push((is_not, rest.to_owned()));
            }
            rest if is_flag(rest) && is_passed(row, &seen) => {
                asked.started.push((is_not, rest.to_owned()));
            }
            rest if is_flag(rest) => {
                for (name, value) in flags(rest, row) {
                    asked.flags.push((is_not, name, value));
                }
            }
            rest if is_not => asked.excluded.push(rest.to_owned()),
            rest => {
                seen.push((!is_path(rest)).then(|| rest.trim_start_matches('^').to_owned()));
                asked.operands.push(rest.to_owned());
            }
        }
    }
    if let Some(first) = asked.operands.first_mut()
        && let Some(rest) = first.strip_prefix('^')
    {
        *first = rest.to_owned();
        asked.is_anchored = true;
        return asked;
    }
    let literal: Vec<Option<String>> =
        asked.operands.iter().map(|word| (!is_path(word)).then(|| word.clone())).collect();
    if let Some(mut found) = row.and_then(|row| verb::find(row, &literal)) {
        if stops_early && found.row.is_none() {
            // The pattern names a group, and operands of any of its subcommands.
            found.at.truncate(1);
            found.path.iter_mut().for_each(|path| path.truncate(1));
        }
        asked.verb = found.path;
        if asked.verb.is_some() {
            let operands = std::mem::take(&mut asked.operands).into_iter().enumerate();
            asked.operands =
                operands.filter(|(at, _)| !found.at.contains(at)).map(|(_, word)| word).collect();
        }
        if let Some(first) = asked.operands.first_mut()
            && let Some(rest) = first.strip_prefix('^')
        {
            *first = rest.to_owned();
            asked.is_anchored = true;
        }
    }
    asked
}

/// Whether a flag after some words of a pattern belongs to what the command starts: its options end at its first operand.
fn is_passed(row: Option<&Row>, seen: &[Option<String>]) -> bool {
    let Some(row) = row else { return false };
    let verb = verb::find(row, seen).filter(|verb| verb.path.is_some());
    let taken = verb.as_ref().map_or(0, |verb| verb.at.len());
    let row = verb.map_or(Some(row), |verb| verb.row);
    seen.len() > taken && row.is_some_and(|row| row.operands.is_some() && row.stops())
}

/// The flags of a word, without dashes, with the value.
pub(super) fn flags(word: &str, row: Option<&Row>) -> Vec<(String, Option<String>)> {
    let (name, value) = match word.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (word, None),
    };
    let has = |row: &Row| {
        let of =
            |row: &Row| row.options.iter().any(|options| options.names.iter().any(|listed| listed == name));
        row.is("long_dash") || of(row) || row.subs.iter().any(of)
    };
    if name.starts_with("--") || name.chars().count() == 2 || row.is_some_and(has) {
        return vec![(name.trim_start_matches('-').to_owned(), value)];
    }
    let letters: Vec<char> = name.chars().skip(1).collect();
    let last = letters.len() - 1;
    let letter = |(at, c): (usize, &char)| (c.to_string(), value.clone().filter(|_| at == last));
    letters.iter().enumerate().map(letter).collect()
}

/// Whether an operand of a pattern is compared as a path.
pub(super) fn is_path(word: &str) -> bool {
    !is_regex(word)
        && (word.starts_with('/')
            || word.starts_with("./")
            || word.starts_with('~')
            || word.starts_with("**"))
}
