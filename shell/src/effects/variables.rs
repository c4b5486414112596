//! Variables of the environment that commands show.

use std::collections::BTreeSet;

use super::collector::{Collector, Marks};
use super::line::Line;
use super::{Kind, Scheme};
use crate::arguments::Reading;
use crate::programs::Role;
use crate::token::long;
use crate::{Command, Commands, HoleKind, Word};

/// Variables that shells set themselves. Their values are no secrets.
const OF_SHELLS: &[&str] = &[
    "BASH",
    "BASHPID",
    "BASH_VERSION",
    "COLUMNS",
    "EPOCHREALTIME",
    "EPOCHSECONDS",
    "EUID",
    "GID",
    "HOSTNAME",
    "HOSTTYPE",
    "IFS",
    "LINENO",
    "LINES",
    "MACHTYPE",
    "OLDPWD",
    "OPTARG",
    "OPTIND",
    "OSTYPE",
    "PPID",
    "PWD",
    "RANDOM",
    "SECONDS",
    "SHLVL",
    "SRANDOM",
    "UID",
    "ZSH_VERSION",
];

/// Adds the reads of variables that are in the words of a command, or in texts that it reads.
pub(super) fn effects<'w>(
    line: &Line<'w>,
    command: Command<'w>,
    reading: &Reading<'w>,
    out: &mut Collector<'_>,
) {
    let is_traced = command.is_traced();
    if command.program().is_none() || reading.is("silent") && !is_traced || !has_variables(command) {
        return;
    }
    let is_role = |at: usize, word: Word<'_>, is: &dyn Fn(Role) -> bool| has_role(reading, at, word, is);
    let is_sent = |role: Role| matches!(role, Role::Data | Role::Form);
    // `@F` names a file.
    let is_file = |at: usize, word: Word<'_>| {
        let is_name = is_variable(word) && is_role(at, word, &is_reported);
        is_role(at, word, &has_object) && !is_name
            || word.text().contains(['@', '<']) && is_role(at, word, &is_sent)
    };
    // What is sent is not shown.
    let words = command.words().enumerate().filter(|(at, word)| !is_file(*at, *word));
    let (sent, shown): (Vec<_>, Vec<_>) =
        words.partition(|(at, word)| !is_traced && is_role(*at, *word, &is_sent));
    let bodies = command.redirects().filter_map(|redirect| redirect.body());
    let names = shown.into_iter().map(|(_, word)| word).chain(bodies).flat_map(|word| word.variables());
    let kind = if line.is_shown(command) { Kind::Read } else { Kind::Use };
    let marks = Marks::for_command(line.base + command.number());
    add(line, kind, names.collect(), marks, out);
    let values = command.env().map(|setting| setting.value).chain(sent.into_iter().map(|(_, word)| word));
    add(line, Kind::Use, values.flat_map(|word| word.variables()).collect(), marks, out);
}

/// Whether a word of a command, a value in front of it, or a text that it reads has a variable.
fn has_variables(command: Command<'_>) -> bool {
    let bodies = command.redirects().filter_map(|redirect| redirect.body());
    let mut words = command.words().chain(command.env().map(|setting| setting.value)).chain(bodies);
    words.any(|word| word.variables().next().is_some())
}

/// The variables that a line sets to values with others in them, each with one of those.
pub(super) fn sources(commands: Commands<'_>) -> Vec<(&str, &str)> {
    let flows = commands.flows();
    let pairs = flows
        .flat_map(|(name, word)| word.variables().map(move |source| (name.unwrap_or(POSITIONAL), source)));
    let renamed: BTreeSet<_> = pairs.filter(|(name, source)| name != source).collect();
    renamed.into_iter().collect()
}

/// The name of the positional parameters in [`Line::sources`].
const POSITIONAL: &str = "@";

/// Adds the variables whose values others have.
fn add_sources<'w>(line: &Line<'w>, names: &mut Vec<&'w str>) {
    if line.sources.is_empty() {
        return;
    }
    let (mut known, mut next): (BTreeSet<&str>, usize) = (names.iter().copied().collect(), 0);
    while let Some(name) = names.get(next).copied() {
        next += 1;
        let name = if is_number(name) { POSITIONAL } else { name };
        let from = line.sources.partition_point(|(listed, _)| *listed < name);
        let rest = line.sources.get(from..).unwrap_or_default();
        let sources = rest.iter().take_while(|(listed, _)| *listed == name).map(|(_, source)| *source);
        names.extend(sources.filter(|source| known.insert(source)));
    }
}

/// Whether a name is that of a positional parameter.
fn is_number(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_digit())
}

/// Adds effects on variables of the environment, each once.
fn add<'w>(line: &Line<'w>, kind: Kind, mut names: Vec<&'w str>, marks: Marks, out: &mut Collector<'_>) {
    add_sources(line, &mut names);
    names.sort_unstable();
    names.dedup();
    for name in names {
        let is_set = line.sets.binary_search(&name).is_ok();
        if name == "*" {
            // `${!X}`
            out.draft.clear();
            out.draft.push_hole(name, HoleKind::Text);
            out.drafted(kind, Scheme::Variable, marks);
        } else if !is_set && !is_number(name) && OF_SHELLS.binary_search(&name).is_err() {
            out.named(kind, Scheme::Variable, name, marks);
        }
    }
}

/// Whether a word of a command, or the value in it, has a role.
fn has_role(reading: &Reading<'_>, at: usize, word: Word<'_>, is_role: &dyn Fn(Role) -> bool) -> bool {
    // The value of an option is in the option's word, or in the next one.
    let from = reading.arguments.partition_point(|argument| argument.at + 1 < at);
    let near = reading.arguments.iter().skip(from).take_while(|argument| argument.at <= at);
    let near = near.filter(|argument| argument.at == at || argument.flag.is_some());
    let mut near = near.filter(|argument| word.text().ends_with(argument.word.text()));
    near.any(|argument| argument.role.is_some_and(is_role))
}

/// Whether a word is nothing but a variable: no part of it says that its value is a path.
fn is_variable(word: Word<'_>) -> bool {
    let whole = 0..word.text().len();
    word.holes().any(|hole| hole.range == whole && hole.text.starts_with('$'))
}

/// Whether a program that looks at a file prints the file's name, if only because there is no such file. A variable that is
/// written to or deleted is a path in practice.
fn is_reported(role: Role) -> bool {
    matches!(role, Role::Read | Role::List)
}

/// Whether a word in a role is the object of an effect: a path, a host, a branch.
fn has_object(role: Role) -> bool {
    use Role::{
        Declared, DelRef, Delete, Dir, Edit, Host, Into, List, Load, Move, Package, Read, Ref, RefSpec,
        Remote, RemoteName, Script, Send, SetRef, Url, Use, Write,
    };
    let has_path =
        matches!(role, Read | Use | List | Write | Edit | Delete | Move | Into | Dir | Send | Script | Load);
    let has_name = matches!(role, Url | Host | Remote | RemoteName | Ref | SetRef | DelRef | RefSpec);
    has_path || has_name || matches!(role, Package | Declared)
}

/// Which commands have an output that can be seen: those outside of substitutions, those whose shell prints what it runs, and
/// those whose output is in one of some words of a command that shows them.
pub(super) fn shown<'w>(
    commands: Commands<'w>,
    readings: &[Reading<'w>],
    words: impl Fn(Command<'w>, &Reading<'w>) -> Vec<Word<'w>>,
) -> Vec<bool> {
    let mut shown: Vec<bool> =
        commands.iter().map(|command| !command.is_captured() || command.is_traced()).collect();
    if shown.iter().all(|is_shown| *is_shown) {
        return shown;
    }
    // A substitution comes before the command that it is a part of.
    for (number, reading) in readings.iter().enumerate().rev() {
        let Some(command) = commands.get(number) else { continue };
        if !shown.get(command.number()).copied().unwrap_or_default() || reading.is("silent") {
            continue;
        }
        for word in words(command, reading) {
            for (from, to) in command.origins(word) {
                let printed = shown.get_mut(long(from)..long(to).min(commands.len()));
                printed.into_iter().flatten().for_each(|is_shown| *is_shown = true);
            }
        }
    }
    shown
}

/// The operands of a command: a key in an option is used.
pub(super) fn operands<'w>(command: Command<'w>, _: &Reading<'w>) -> Vec<Word<'w>> {
    command.operands().collect()
}

/// The words and texts that a command gets, but for what it starts: the content of a file in any of them can be shown.
pub(super) fn contents<'w>(command: Command<'w>, reading: &Reading<'w>) -> Vec<Word<'w>> {
    let is_started = |role: Role| role.starts();
    let words = command.words().enumerate().skip(1);
    let words = words.filter(|(at, word)| !has_role(reading, *at, *word, &is_started)).map(|(_, word)| word);
    // `< <(cat F)` passes it on, too.
    let read = command.redirects().flat_map(|redirect| [Some(redirect.word()), redirect.body()]).flatten();
    words.chain(read).collect()
}
