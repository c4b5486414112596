//! Rewrites the first words of commands of a line.

use std::fmt;
use std::ops::Range;

use crate::programs::base_name;
use crate::{Command, Commands, Context, Problem, Word, with_commands};

/// Why a line cannot be rewritten.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RewriteError {
    /// The line cannot be read.
    Unreadable(Problem),
    /// No command begins with any of the words.
    NoCommand,
    /// A command begins with these words, or can, but the line does not have them as plain text: they come from a variable,
    /// an alias or the code of another shell, the program has a directory, or an option is between them.
    Hidden(String),
}

impl fmt::Display for RewriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(problem) => write!(f, "the command line cannot be read: {}", problem.cause),
            Self::NoCommand => f.write_str("no command begins with words that `rewrite` replaces"),
            Self::Hidden(words) => {
                write!(
                    f,
                    "a command that begins with `{words}` cannot be rewritten: write these words in plain text"
                )
            }
        }
    }
}

impl std::error::Error for RewriteError {}

/// Replaces the first words of the commands of a line. If several entries of the table match a command, the one with the
/// most words applies.
///
/// ```
/// use hookc_shell::{Context, RewriteError, rewrite};
///
/// let table = [("npm", "pnpm"), ("npm ci", "pnpm install --frozen-lockfile"), ("npx", "pnpm dlx")];
/// let rewrite = |line| rewrite(line, &Context::default(), &table);
/// assert_eq!(
///     rewrite("cd web && sudo npm ci -q | tee 'npm log'; npx tsc").unwrap(),
///     "cd web && sudo pnpm install --frozen-lockfile -q | tee 'npm log'; pnpm dlx tsc"
/// );
/// assert_eq!(rewrite("sh -c 'npm ci'"), Err(RewriteError::Hidden("npm ci".to_owned())));
/// ```
///
/// # Errors
/// If the line cannot be read, if no command begins with any of the words, or if one does that cannot be rewritten.
pub fn rewrite(line: &str, context: &Context<'_>, table: &[(&str, &str)]) -> Result<String, RewriteError> {
    let mut entries = table.to_vec();
    entries.sort_by_key(|(from, _)| std::cmp::Reverse(count(from)));
    let replaced = with_commands(line, context, |commands| replacements(line, commands, &entries));
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

fn count(words: &str) -> usize {
    words.split_ascii_whitespace().count()
}

/// The replacements, in the order of the line. Entries with more words come first.
fn replacements<'t>(
    line: &str,
    commands: Commands<'_>,
    entries: &[(&str, &'t str)],
) -> Result<Vec<(Range<usize>, &'t str)>, RewriteError> {
    let mut found: Vec<(Range<usize>, &str)> = Vec::new();
    for command in commands.iter() {
        let Some((from, to)) = entries.iter().find(|(from, _)| may_begin_with(command, from)) else {
            continue;
        };
        let range = range_in_line(line, command, from).filter(|_| is_of_line(command, from, to));
        let range = range.ok_or_else(|| RewriteError::Hidden((*from).to_owned()))?;
        // A command in a loop or a function is there several times.
        if !found.contains(&(range.clone(), *to)) {
            found.push((range, to));
        }
    }
    found.sort_by_key(|(range, _)| range.start);
    let overlaps = found.windows(2).any(|pair| matches!(pair, [(a, _), (b, _)] if b.start < a.end));
    if overlaps { Err(RewriteError::Hidden(line.to_owned())) } else { Ok(found) }
}

/// Whether a command begins with words, or can: an unknown word can be any, a program can have its directory in front,
/// and options can stand before its subcommand.
fn may_begin_with(command: Command<'_>, words: &str) -> bool {
    let mut words = words.split_ascii_whitespace();
    let (Some(program), Some(first)) = (words.next(), command.program()) else { return false };
    if first.text() != program && base_name(first.text()) != program {
        return false;
    }
    let mut given = command.words().skip(1).peekable();
    for (at, word) in words.enumerate() {
        let sub = command.sub().and_then(Word::literal).filter(|_| at == 0);
        match given.next() {
            None => return command.has_more(),
            Some(unknown) if unknown.literal().is_none() => return true,
            Some(known) if known.literal() == Some(word) => {}
            Some(option) => return option.text().starts_with('-') && sub == Some(word),
        }
    }
    true
}

/// Whether the first words of a command are words of the line, and those in their place are, too: not in the code of
/// another shell, where `sh -c npx` would become `sh -c pnpm dlx`.
fn is_of_line(command: Command<'_>, from: &str, to: &str) -> bool {
    if command.via().next().is_none() {
        return true;
    }
    let Some(starter) = command.starter() else { return false };
    let is_argument = |word: Word<'_>| starter.words().any(|given| given.span() == word.span());
    // Code is one word: only a command of one word can be that.
    let is_code = command.words().len() == 1;
    command.words().take(count(from)).all(is_argument) && (!is_code || count(to) == 1)
}

/// The range of the first words of a command, if the line has them as plain text, each perhaps in quotes.
fn range_in_line(line: &str, command: Command<'_>, words: &str) -> Option<Range<usize>> {
    let mut found: Option<Range<usize>> = None;
    if command.words().len() < count(words) {
        return None;
    }
    for (given, word) in command.words().zip(words.split_ascii_whitespace()) {
        let range = given.span()?;
        let text = line.get(range.clone())?;
        let unquoted = ['\'', '"'].iter().find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote));
        let between = found.as_ref().map(|before| line.get(before.end..range.start));
        let follows = between.is_none_or(|between| between.is_some_and(|text| text.trim().is_empty()));
        if unquoted.unwrap_or(text) != word || !follows {
            return None;
        }
        found = Some(found.map_or(range.start, |before| before.start)..range.end);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Wrapper;
    use crate::programs::Programs;

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
            ("sudo npm ci", "sudo pnpm install -f"),
            ("sudo npx tsc; sh -c npm", "sudo pnpm dlx tsc; sh -c pnpm"),
        ] {
            assert_eq!(rewrite(line, &Context::default(), &TABLE).as_deref(), Ok(new), "{line}");
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
            ("/usr/bin/npm ci", hidden("npm ci")),
            ("npm i && /usr/bin/npm install", hidden("npm")),
            ("npm i; $BIN/npm i", hidden("npm")),
            ("npm i; \"$BIN/npm\" i", hidden("npm")),
            ("npm i; npm --silent ci", hidden("npm ci")),
            ("npm i; npm $X", hidden("npm ci")),
            ("npm i; ls | xargs npm", hidden("npm ci")),
            ("npm i; eval 'npm ci'", hidden("npm ci")),
            ("pnpm i; pnpm ci", RewriteError::NoCommand),
            ("", RewriteError::NoCommand),
        ] {
            assert_eq!(rewrite(line, &Context::default(), &TABLE), Err(why), "{line}");
        }
        assert!(matches!(rewrite("npm 'ci", &Context::default(), &TABLE), Err(RewriteError::Unreadable(_))));
    }

    #[test]
    fn the_wrappers_of_a_policy_start_commands_too() {
        let wrappers = vec![Wrapper::new("company-run").with_options(["--as"])];
        let programs = Programs::new(wrappers, Vec::new()).unwrap();
        let context = Context { programs: &programs, ..Context::default() };
        let line = "npm i; company-run --as me npm ci";
        assert_eq!(
            rewrite(line, &context, &TABLE).as_deref(),
            Ok("pnpm i; company-run --as me pnpm install -f")
        );
        assert_eq!(rewrite("company-run npm ci", &Context::default(), &TABLE), Err(RewriteError::NoCommand));
        let path = rewrite("npm i; company-run /opt/npm ci", &context, &TABLE);
        assert_eq!(path, Err(RewriteError::Hidden("npm ci".to_owned())));
    }
}
