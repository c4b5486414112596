//! A command line in which the first words of some commands are replaced.

use std::fmt;
use std::ops::Range;

use crate::{Command, Commands, Context, Problem, Word, with_commands};

/// Why a line cannot be rewritten.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RewriteError {
    /// The line cannot be read.
    Unreadable(Problem),
    /// No command begins with any of the words.
    NoCommand,
    /// A command begins with these words, but they are not written so in the line: they come from a variable, an alias, or
    /// the code of another shell.
    Hidden(String),
}

impl fmt::Display for RewriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(problem) => write!(f, "the command line cannot be read: {}", problem.cause),
            Self::NoCommand => f.write_str("no command begins with the words that are to be replaced"),
            Self::Hidden(words) => write!(f, "`{words}` is not written so in the command line"),
        }
    }
}

impl std::error::Error for RewriteError {}

/// Replaces the words that commands of a line begin with. Of several that fit, the longest are replaced.
///
/// ```
/// use hookc_shell::{RewriteError, rewrite};
///
/// let table = [("npm", "pnpm"), ("npm ci", "pnpm install --frozen-lockfile"), ("npx", "pnpm dlx")];
/// assert_eq!(
///     rewrite("cd web && sudo npm ci -q | tee 'npm log'; npx tsc", &table).unwrap(),
///     "cd web && sudo pnpm install --frozen-lockfile -q | tee 'npm log'; pnpm dlx tsc"
/// );
/// assert_eq!(rewrite("sh -c 'npm ci'", &table), Err(RewriteError::Hidden("npm ci".to_owned())));
/// ```
///
/// # Errors
/// If the line cannot be read, if it has none of the words, or has them where they cannot be replaced.
pub fn rewrite(line: &str, table: &[(&str, &str)]) -> Result<String, RewriteError> {
    let replaced = with_commands(line, &Context::default(), |commands| replacements(line, commands, table));
    let replaced = replaced.map_err(RewriteError::Unreadable)??;
    if replaced.is_empty() {
        return Err(RewriteError::NoCommand);
    }
    let (mut new, mut end) = (String::with_capacity(line.len()), 0);
    for (range, text) in replaced {
        new.push_str(line.get(end..range.start).unwrap_or_default());
        new.push_str(text);
        end = range.end;
    }
    new.push_str(line.get(end..).unwrap_or_default());
    Ok(new)
}

/// What is replaced, in the order of the line.
fn replacements<'t>(
    line: &str,
    commands: Commands<'_>,
    table: &[(&str, &'t str)],
) -> Result<Vec<(Range<usize>, &'t str)>, RewriteError> {
    let mut found: Vec<(Range<usize>, &str)> = Vec::new();
    for command in commands.iter() {
        let fitting = table.iter().filter(|(from, _)| begins_with(command, from));
        let Some((from, to)) = fitting.max_by_key(|(from, _)| from.split_ascii_whitespace().count()) else {
            continue;
        };
        let hidden = || RewriteError::Hidden((*from).to_owned());
        let range =
            written(line, command, from).filter(|_| is_of_line(command, from, to)).ok_or_else(hidden)?;
        // A command in a loop or a function is there several times.
        if !found.contains(&(range.clone(), *to)) {
            found.push((range, to));
        }
    }
    found.sort_by_key(|(range, _)| range.start);
    let overlaps = found.windows(2).any(|pair| matches!(pair, [(a, _), (b, _)] if b.start < a.end));
    if overlaps { Err(RewriteError::Hidden(line.to_owned())) } else { Ok(found) }
}

fn begins_with(command: Command<'_>, words: &str) -> bool {
    let mut given = command.words();
    words.split_ascii_whitespace().all(|word| given.next().and_then(Word::literal) == Some(word))
}

/// Whether the first words of a command are words of the line, and other ones in their place are, too: not in the code of
/// another shell, where `sh -c npx` would become `sh -c pnpm dlx`.
fn is_of_line(command: Command<'_>, from: &str, to: &str) -> bool {
    if command.via().next().is_none() {
        return true;
    }
    let count = |words: &str| words.split_ascii_whitespace().count();
    let Some(starter) = command.starter() else { return false };
    let is_argument = |word: Word<'_>| starter.words().any(|given| given.span() == word.span());
    let is_all = command.words().len() == count(from);
    command.words().take(count(from)).all(is_argument) && (!is_all || count(from) == count(to))
}

/// The range of the first words of a command, if each stands in the line as it is, or in quotes.
fn written(line: &str, command: Command<'_>, words: &str) -> Option<Range<usize>> {
    let mut all: Option<Range<usize>> = None;
    for (given, word) in command.words().zip(words.split_ascii_whitespace()) {
        let range = given.span()?;
        let text = line.get(range.clone())?;
        let bare = ['\'', '"'].iter().find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote));
        let between = all.as_ref().map(|before| line.get(before.end..range.start));
        let follows = between.is_none_or(|between| between.is_some_and(|text| text.trim().is_empty()));
        if bare.unwrap_or(text) != word || !follows {
            return None;
        }
        all = Some(all.map_or(range.start, |before| before.start)..range.end);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: [(&str, &str); 3] = [("npm", "pnpm"), ("npm ci", "pnpm install -f"), ("npx", "pnpm dlx")];

    #[test]
    fn words_are_replaced_where_commands_begin() {
        for (line, new) in [
            ("npm i x", "pnpm i x"),
            ("npm ci", "pnpm install -f"),
            ("'npm' \"ci\" --x", "pnpm install -f --x"),
            ("npm  ci", "pnpm install -f"),
            ("X=npm npm test && echo npm > npm", "X=npm pnpm test && echo npm > npm"),
            ("for i in a b; do npm run $i; done", "for i in a b; do pnpm run $i; done"),
            ("f() { npm ci; }; f; f", "f() { pnpm install -f; }; f; f"),
            ("timeout 9 nice npm ci x", "timeout 9 nice pnpm install -f x"),
            ("echo $(npm root) | xargs npx x", "echo $(pnpm root) | xargs pnpm dlx x"),
            ("npm ci; $X y", "pnpm install -f; $X y"),
            ("sudo npx tsc; sh -c npm", "sudo pnpm dlx tsc; sh -c pnpm"),
        ] {
            assert_eq!(rewrite(line, &TABLE).as_deref(), Ok(new), "{line}");
        }
    }

    #[test]
    fn what_cannot_be_replaced_is_an_error() {
        let hidden = |words: &str| RewriteError::Hidden(words.to_owned());
        for (line, why) in [
            ("X=npm; $X ci", hidden("npm ci")),
            ("X='npm ci'; $X", hidden("npm ci")),
            ("n\\pm i", hidden("npm")),
            ("bash -c 'npm ci'; npm ci", hidden("npm ci")),
            ("sh -c npm\\ ci", hidden("npm ci")),
            ("sh -c npx tsc", hidden("npx")),
            ("bash <<< 'npm ci'", hidden("npm ci")),
            ("echo npm", RewriteError::NoCommand),
            ("/usr/bin/npm ci", RewriteError::NoCommand),
            ("", RewriteError::NoCommand),
        ] {
            assert_eq!(rewrite(line, &TABLE), Err(why), "{line}");
        }
        assert!(matches!(rewrite("npm 'ci", &TABLE), Err(RewriteError::Unreadable(_))));
    }
}
