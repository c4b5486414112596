//! Patterns of commands that mean something else than they seem to (W0678): several commands in one, a flag, a keyword or
//! other syntax of the shell, SQL, a subcommand without its program, and what a guard sees in one spelling alone.

use hookc_shell::effects::PatternKind::Command;
use hookc_shell::programs;

use super::kinds::{Row, Tested, excepted, help, named, row, write};
use crate::lint::lowlevel::object_of;

/// Only the first row that applies is reported.
pub(super) const ROWS: &[Row] = &[
    row(&[Command], "`{part}` is the name of one program", |&Tested { first, .. }| {
        let is_pair = |(one, other): &(&str, &str)| !one.is_empty() && !other.is_empty();
        if let Some((one, other)) = first.split_once("||").filter(is_pair) {
            return named(first, format!("write `'{one}', '{other}'` for each of them"));
        }
        let (one, other) = first.split_once('|').filter(is_pair)?;
        let pipe = format!("`'{one} | {other}'` for a pipe");
        named(first, format!("write `'{one}', '{other}'` for each of them, or {pipe}"))
    }),
    row(&[Command], "a command is not negated", excepted),
    row(
        &[Command],
        "`{part}` is a word here: a pattern is one command, or two with ` | ` between them",
        |one| {
            let is_joint = |word: &&str| {
                matches!(*word, "&&" | "||" | ";" | "&" | ">" | ">>" | "<" | "2>&1")
                    || word.starts_with("||")
                    || word.ends_with("||")
            };
            let what = "write a pattern for each command; what a redirection does is";
            let joint = one.text.split_whitespace().find(is_joint)?;
            named(joint, format!("{what} `writes(...)` or `reads(...)`"))
        },
    ),
    row(&[Command], "quotes are characters in a pattern of commands", |one| {
        let has_quotes = one.text.contains(['"', '\'']) && !one.text.contains('/');
        has_quotes.then(|| help("write the words without quotes, and `*` for a word with spaces"))?
    }),
    row(&[Command], "a pattern of commands starts with a program", |&Tested { text, first, .. }| {
        let what = "write the program in front of it, or";
        first.starts_with('-').then(|| help(format!("{what} `'* {text}'` for any program")))?
    }),
    row(&[Command], "`{part}` is a keyword of the shell, not a program", |one| {
        let what = "write the program that is started".to_owned();
        // A keyword can also be a program, as in `/usr/bin/time make`.
        let is_keyword = hookc_shell::is_keyword(one.first) && !programs::has_program(one.first);
        is_keyword.then(|| named(one.first, what))?
    }),
    row(&[Command], "`{part}` stays as it is: nothing expands a pattern", |one| {
        let is_expanded = |word: &&str| {
            let is_name = |name: &str| name.starts_with(|c: char| c.is_ascii_uppercase());
            word.strip_prefix('$').is_some_and(is_name)
                || ["$(", "${", "`", "<(", ">("].iter().any(|start| word.starts_with(start))
        };
        let word = one.text.split_whitespace().find(is_expanded)?;
        named(word, "write what it becomes, or `*` for any word".to_owned())
    }),
    row(&[Command], "a pipe in a pattern has spaces at its sides", |&Tested { text, .. }| {
        let is_glued = |word: &&str| word.len() > 1 && (word.starts_with('|') || word.ends_with('|'));
        let word = text.split_whitespace().find(is_glued)?;
        let parts = text.replacen(word, &word.replace('|', " | "), 1);
        write(&parts.split_whitespace().collect::<Vec<_>>().join(" "))
    }),
    row(&[Command], "`{part}` is a word here: other words may follow anyway", |&Tested { text, .. }| {
        let dots = text.split_whitespace().find(|word| matches!(*word, "..." | "…"))?;
        let rest: Vec<_> = text.split_whitespace().filter(|word| *word != dots).collect();
        named(dots, format!("write `'{}'`", rest.join(" ")))
    }),
    row(&[Command], "this is SQL, and it is compared with commands", |&Tested { text, first, .. }| {
        let is_drop = ["DROP", "DELETE", "TRUNCATE"].contains(&first);
        let is_other = || ["ALTER", "INSERT", "UPDATE", "SELECT"].contains(&first);
        let set = if is_drop { "`mentions(@sql_drops)` or " } else { "" };
        let pattern = to_regex(text);
        (is_drop || is_other()).then(|| help(format!("for a text, write {set}`mentions(/{pattern}/i)`")))?
    }),
    row(&[Command], "`{part}` is a subcommand, and a pattern starts with the program", |one| {
        let owner = subcommand_of(one.first, one.text == one.first)?;
        let what = "write the program in front of it, as in";
        let instead = format!("or `'./{}'` for a program of the project", one.first);
        named(one.first, format!("{what} `'{owner} {}'`, {instead}", one.text))
    }),
];

/// Like [`ROWS`], for guards: the pattern matches one spelling of a command and misses others.
pub(super) const GUARD_ROWS: &[Row] = &[
    row(&[Command], "`*` at the end needs an operand: the command without one does not match", |one| {
        let start = one.text.strip_suffix(" *")?;
        help(format!("write `'{start}'`, which matches with any words, and without"))
    }),
    row(&[Command], "this sees `{part}` by this path alone", |&Tested { text, .. }| {
        let (program, rest) = text.split_once(' ').unwrap_or((text, ""));
        let base = program.strip_prefix('/')?.rsplit('/').next()?;
        programs::program(base)?;
        named(base, format!("write `'{}'`, which sees it by any path", format!("{base} {rest}").trim()))
    }),
    row(&[Command], "this sees `{part}` only where it has no dash", |&Tested { text, first, .. }| {
        programs::find(first).filter(|row| row.is("bundle_first"))?;
        let letters = text.split_whitespace().nth(1)?;
        let are_letters = letters.bytes().all(|byte| byte.is_ascii_alphabetic());
        are_letters.then(|| named(letters, format!("write `'{first} -{letters}'`, which sees both")))?
    }),
    row(&[Command], "this sees one way in which the command is written", |one| {
        help(format!("write `{}`, which sees each command that does this", object_of(one.text)?))
    }),
    row(&[Command], "this sees `{part}` by this name alone", |&Tested { text, first, .. }| {
        let base = first.strip_suffix('3').filter(|base| {
            programs::has_program(base) && programs::interpreters::without_version(first) == *base
        })?;
        let rest = text.strip_prefix(first).unwrap_or_default();
        named(first, format!("write `'{base}{rest}'`, which sees each version"))
    }),
    row(&[Command], "a signal has a number, names and flags, and this sees one of them", |one| {
        let flag = one.text.split_whitespace().find_map(|word| word.strip_prefix('-'))?;
        let is_signal =
            |name: &str| name.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
        let is_number = flag.bytes().all(|byte| byte.is_ascii_digit());
        let sends = programs::find(one.first)
            .is_some_and(|row| row.options().any(|option| option.names().any(|name| name == "--signal")));
        let has_others = one.list.iter().any(|other| other.contains("--signal=") || other.contains(" -s="));
        let is_one = !flag.is_empty() && is_signal(flag) && (is_number || flag.len() > 2);
        let forms = match (is_number, flag.strip_prefix("SIG").unwrap_or(flag)) {
            (_, "9" | "KILL") => "9,KILL,SIGKILL".to_owned(),
            (true, number) => format!("{number},NAME,SIGNAME"),
            (false, name) => format!("{name},SIG{name}"),
        };
        let list = |start: &str| format!("'{} {start}{{{forms}}}'", one.first);
        (sends && is_one && !has_others)
            .then(|| help(format!("write each, as in `{}, {}`", list("-"), list("--signal="))))?
    }),
    row(&[Command], "what `{part}` runs is seen without it too", |&Tested { text, first, .. }| {
        let mut rest = text.split_whitespace().skip(1);
        let code = rest.next().filter(|_| programs::interpreters::is_shell(first))?;
        let words: Vec<_> = match code {
            "-c" => rest.collect(),
            script if script.starts_with("./") => std::iter::once(script).chain(rest).collect(),
            _ => return None,
        };
        words.first().filter(|word| !word.starts_with('*'))?;
        named(first, format!("write `'{}'`, which sees both", words.join(" ")))
    }),
];

/// A pattern of commands as a regular expression, between slashes.
fn to_regex(pattern: &str) -> String {
    let words = pattern.trim_end_matches([' ', '*']).split('*');
    let words = words.map(|part| regex_syntax::escape(part).replace('/', "\\/"));
    words.collect::<Vec<_>>().join(".*")
}

/// The program whose subcommand the first word of a pattern is, rather than a program itself. A word alone, such as
/// `install`, can also be the name of a program.
fn subcommand_of(first: &str, is_alone: bool) -> Option<&'static str> {
    let owners = programs::with_subcommand(first);
    let is_subcommand = match programs::has_program(first) {
        true => is_alone && owners.count >= MANY,
        false => owners.count >= FEW || programs::has_subcommand("git", first),
    };
    is_subcommand.then_some(owners.largest)
}

/// A word that is no known program is a subcommand if so many programs have it.
const FEW: usize = 3;

/// So many programs have no subcommand in common that is also a program people write guards about, such as `rm` and `cp`.
const MANY: usize = 30;
