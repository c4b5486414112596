//! The commands of a line, and their effects.

use super::actions::{CommandFacts, FlagFacts, OperandFacts};
use super::collector::{Collector, Marks};
use super::command::keys::first_words;
use super::command::verb;
use super::keys::StoredKeys;
use super::required::Status;
use super::text::Stored;
use super::{Kind, Scheme, UnknownCause, flow, redirects, roles, variables};
use crate::arguments::Reading;
use crate::programs::Programs;
use crate::token::{Range, long, short};
use crate::typed::with_kept_commands;
use crate::{Command, Commands, Context, HoleKind};

/// A line that is being read.
pub(super) struct Line<'w> {
    pub(super) commands: Commands<'w>,
    /// The number of its first command among those of the event.
    pub(super) base: usize,
    /// The names of the variables that it sets, sorted.
    pub(super) sets: Vec<&'w str>,
    /// The variables that it sets to values with others in them, sorted: `X` and `Y` of `read X <<< "$Y"`.
    pub(super) sources: Vec<(&'w str, &'w str)>,
    readings: Vec<Reading<'w>>,
    /// Commands that read what another one writes.
    fed: Vec<bool>,
    /// Commands whose output can be seen.
    shown: Vec<bool>,
    /// Commands whose output, with files in it, can be seen or is passed on.
    open: Vec<bool>,
    /// Where the variables that it exports start in the settings of the event.
    exports: u32,
    /// For each command, the first interpreter of another language that reads its output as code; by number, sorted.
    code_readers: Vec<(usize, usize)>,
}

/// Adds the commands of a line, and their effects.
pub(super) fn read(line: &str, cwd: Stored, programs: &Programs, out: &mut Collector<'_>) {
    let text = out.actions.store.literal(line);
    out.actions.texts.push(text);
    let directory = out.actions.text(cwd).text.to_owned();
    let context = Context { cwd: Some(&directory), programs };
    let read = with_kept_commands(line, &context, |commands| {
        let variables = commands.variables();
        let readings: Vec<Reading<'_>> = commands.iter().map(Reading::new).collect();
        let line = Line {
            commands,
            base: out.actions.commands.len(),
            sets: variables.iter().map(|variable| variable.name).collect(),
            sources: variables::sources(commands),
            fed: fed(commands),
            shown: variables::shown(commands, &readings, variables::operands),
            open: variables::shown(commands, &readings, variables::contents),
            code_readers: code_readers(commands, &readings),
            readings,
            exports: exports(commands, out),
        };
        for variable in &variables {
            let name = out.actions.store.literal(variable.name);
            out.actions.variables.push((name, variable.is_exported));
        }
        if let Some(kind) = commands.opaque().next() {
            out.unknown(UnknownCause::Opaque(kind));
        }
        for (command, reading) in commands.iter().zip(&line.readings) {
            line.facts(command, reading, out);
        }
        let first = out.actions.effects.len();
        out.actions.lines.push((text, (short(line.base), short(out.actions.commands.len()))));
        for (command, reading) in commands.iter().zip(&line.readings) {
            line.effects(command, reading, out);
        }
        flow::copies(first, out);
        flow::sent(&line, first, out);
        flow::files(first, out);
    });
    if let Err(problem) = read {
        out.unknown(UnknownCause::Line(problem.cause));
    }
}

/// The first reader of the code in each command's output.
fn code_readers(commands: Commands<'_>, readings: &[Reading<'_>]) -> Vec<(usize, usize)> {
    let is_interpreter = |reading: &Reading<'_>| reading.program.is_some_and(|program| program.interpreter);
    let readers = commands.iter().zip(readings).filter(|(_, reading)| is_interpreter(reading));
    let mut found: Vec<(usize, usize)> = readers
        .flat_map(|(command, _)| command.runs().map(move |giver| (giver.number(), command.number())))
        .collect();
    found.sort_unstable();
    found.dedup_by_key(|(giver, _)| *giver);
    found
}

impl<'w> Line<'w> {
    /// Whether a command is the first one that reads the output of another one as code: its text is read once.
    pub(super) fn reads_code_first(&self, reader: Command<'w>, giver: Command<'w>) -> bool {
        self.code_readers.binary_search(&(giver.number(), reader.number())).is_ok()
    }

    /// Adds a command.
    fn facts(&self, command: Command<'w>, reading: &Reading<'w>, out: &mut Collector<'_>) {
        let directories = self.directories(command, reading, out);
        let directory = directory(out, directories);
        let mut facts = CommandFacts {
            name: command.name().map(|name| out.actions.store.literal(name)),
            verb: reading.verb().map(|verb| out.actions.store.literal(&verb)),
            sub: command.sub_word().map(|word| out.word(word)),
            directories,
            is_either: command.cwd().is_either(),
            starter: command.starter().map(|starter| short(starter.number() + self.base)),
            is_plain: reading.is_plain,
            has_unlisted: reading.has_unlisted,
            has_more: command.has_more(),
            executes: reading.executes(),
            is_captured: command.is_captured(),
            is_required: command.is_required(),
            status: Status::new(reading),
            row: reading.row(),
            first_words: u64::MAX,
            ..CommandFacts::default()
        };
        let program = command.program().filter(|word| word.text().contains('/'));
        let mut path = |word| resolved(out.word(word), directory, out);
        facts.path = program.map(&mut path);
        facts.script = reading.script_file().map(&mut path);
        facts.words = words(command, out);
        facts.flags = flags(reading, out);
        facts.operands = operands(command, directory, out);
        facts.env = settings(command, out);
        let (from, to) = command.export_range();
        facts.exports = (self.exports + from, self.exports + to);
        facts.runs = self.numbers(command.run_ranges(), out);
        facts.pipes_to = self.numbers(command.pipe_ranges(), out);
        facts.inputs = self.numbers(command.input_ranges(), out);
        facts.keys = {
            let row = reading.program.map(|program| program.row);
            let has_path = facts.path.is_some() || facts.script.is_some();
            StoredKeys::for_command(command.name(), row, has_path, &mut out.actions.keys)
        };
        out.actions.programs |= facts.keys.mask();
        out.actions.commands.push(facts);
        subcommand(out);
    }

    /// Adds the directories that a command can run in, with the directory that its own options name.
    fn directories(&self, command: Command<'w>, reading: &Reading<'w>, out: &mut Collector<'_>) -> Range {
        let from = short(out.actions.directories.len());
        for path in command.cwd().paths() {
            let mut directory = path.map(|path| out.actions.store.literal(path));
            for word in reading.directories() {
                let word = out.word(word);
                out.resolve(directory, word);
                directory = Some(out.actions.store.push(out.draft.text()));
            }
            out.actions.directories.push(directory);
        }
        (from, short(out.actions.directories.len()))
    }

    /// Adds numbers of commands of this line, each once.
    fn numbers(&self, ranges: impl Iterator<Item = Range>, out: &mut Collector<'_>) -> Range {
        let from = out.actions.numbers.len();
        let (base, end) = (short(self.base), short(self.commands.len()));
        let ranges = ranges.map(|(from, to)| (from.min(end) + base, to.min(end) + base));
        out.actions.numbers.extend(ranges.filter(|(from, to)| from < to));
        merge(&mut out.actions.numbers, from);
        (short(from), short(out.actions.numbers.len()))
    }

    /// Adds the effects of a command.
    fn effects(&self, command: Command<'w>, reading: &Reading<'w>, out: &mut Collector<'_>) {
        let number = self.base + command.number();
        let marks = Marks::for_command(number);
        if let Some(program) = command.program() {
            let name = out.actions.commands.get(number).and_then(|facts| facts.name);
            let object = name.unwrap_or_else(|| out.word(program));
            out.effect(Kind::Run, Scheme::Program, object, marks);
        }
        let first = out.actions.effects.len();
        variables::effects(self, command, reading, out);
        roles::effects(self, command, reading, out);
        redirects::effects(self, command, marks, out);
        redirects::sent(self, command, reading, first, out);
    }

    /// Whether a command reads what another one writes.
    pub(super) fn is_fed(&self, command: Command<'w>) -> bool {
        self.fed.get(command.number()).copied().unwrap_or_default()
            || command.redirects().any(|redirect| redirect.body().is_some())
    }

    /// Whether the output of a command can be seen.
    pub(super) fn is_shown(&self, command: Command<'w>) -> bool {
        self.shown.get(command.number()).copied().unwrap_or(true)
    }

    /// What a command does to a file whose content its output has: it only uses it if nothing shows or passes on the output.
    pub(super) fn read(&self, command: Command<'w>, kind: Kind) -> Kind {
        let is_open = self.open.get(command.number()).copied().unwrap_or(true);
        if kind == Kind::Read && !is_open { Kind::Use } else { kind }
    }

    /// The directories in which a command certainly or as likely runs.
    pub(super) fn likely(&self, command: Command<'w>, out: &Collector<'_>) -> Vec<Option<Stored>> {
        let Some(facts) = out.actions.commands.get(self.base + command.number()) else { return Vec::new() };
        let count = if facts.is_either { 2 } else { 1 };
        let (from, to) = facts.directories;
        let directories = out.actions.directories.get(long(from)..long(to)).unwrap_or_default();
        directories.iter().take(count).copied().collect()
    }
}

/// Which commands read what another one writes.
fn fed(commands: Commands<'_>) -> Vec<bool> {
    let mut changes = vec![0_i32; commands.len() + 1];
    for (from, to) in commands.iter().flat_map(|command| command.pipe_ranges()) {
        let (from, to) = (long(from).min(commands.len()), long(to).min(commands.len()));
        if from < to {
            changes.get_mut(from).into_iter().for_each(|count| *count += 1);
            changes.get_mut(to).into_iter().for_each(|count| *count -= 1);
        }
    }
    let mut depth = 0;
    let open = changes.into_iter().map(|change| {
        depth += change;
        depth > 0
    });
    open.take(commands.len()).collect()
}

fn directory(out: &Collector<'_>, (from, to): Range) -> Option<Stored> {
    out.actions.directories.get(long(from)).copied().filter(|_| from < to).flatten()
}

/// Adds the words of the subcommand of the last command.
fn subcommand(out: &mut Collector<'_>) {
    let last = out.actions.commands().next_back().filter(|act| act.facts.sub.is_some());
    let Some([canonical, written]) = last.map(|act| [verb::of_act(act), verb::written(act)]) else { return };
    let words = &mut out.actions.words;
    let mut add = |added: Vec<Stored>| {
        let from = short(words.len());
        words.extend(added);
        (from, short(words.len()))
    };
    let [canonical, written] = [canonical, written].map(&mut add);
    if let Some(facts) = out.actions.commands.last_mut() {
        (facts.canonical, facts.written) = (canonical, written);
    }
    let first_words = out.actions.commands().next_back().map_or(u64::MAX, first_words);
    if let Some(facts) = out.actions.commands.last_mut() {
        facts.first_words = first_words;
    }
}

/// The path that a word names in a directory.
fn resolved(word: Stored, directory: Option<Stored>, out: &mut Collector<'_>) -> Stored {
    out.resolve(directory, word);
    out.actions.store.push(out.draft.text())
}

/// Adds the words of a command.
fn words(command: Command<'_>, out: &mut Collector<'_>) -> Range {
    let from = short(out.actions.words.len());
    for word in command.words() {
        let word = out.word(word);
        out.actions.words.push(word);
    }
    (from, short(out.actions.words.len()))
}

/// Adds the variables that a command gets.
fn settings(command: Command<'_>, out: &mut Collector<'_>) -> Range {
    let from = short(out.actions.settings.len());
    for setting in command.env() {
        let setting = (out.word(setting.name), out.word(setting.value));
        out.actions.settings.push(setting);
    }
    (from, short(out.actions.settings.len()))
}

/// Adds the variables that a line exports, and gives their place.
fn exports(commands: Commands<'_>, out: &mut Collector<'_>) -> u32 {
    let from = short(out.actions.settings.len());
    for (name, value) in commands.exports().list {
        let name = out.actions.store.literal(name);
        let value = match value {
            Some(value) => out.word(value),
            None => {
                out.draft.clear();
                out.draft.push_hole("$", HoleKind::Text);
                out.actions.store.push(out.draft.text())
            }
        };
        out.actions.settings.push((name, value));
    }
    from
}

fn flags(reading: &Reading<'_>, out: &mut Collector<'_>) -> Range {
    let from = short(out.actions.flags.len());
    for flag in &reading.flags {
        let facts = FlagFacts {
            name: out.actions.store.literal(flag.name),
            value: flag.value.map(|value| out.word(value)),
            at: short(flag.at),
            is_global: flag.is_global,
            is_alias: flag.is_alias,
            is_listed: flag.is_listed,
            is_code: flag.is_code,
        };
        out.actions.flags.push(facts);
    }
    (from, short(out.actions.flags.len()))
}

fn operands(command: Command<'_>, directory: Option<Stored>, out: &mut Collector<'_>) -> Range {
    let from = short(out.actions.operands.len());
    for (at, word) in command.placed_operands() {
        let word = out.word(word);
        let path = resolved(word, directory, out);
        out.actions.operands.push(OperandFacts { word, path, at: short(at) });
    }
    (from, short(out.actions.operands.len()))
}

/// Joins the ranges of a list from a position on, so that they are in order and do not overlap.
fn merge(ranges: &mut Vec<Range>, from: usize) {
    let Some(added) = ranges.get_mut(from..).filter(|added| added.len() > 1) else { return };
    added.sort_unstable();
    let mut ranges_after = ranges.split_off(from).into_iter();
    let Some(mut last) = ranges_after.next() else { return };
    for next in ranges_after {
        if next.0 <= last.1 {
            last.1 = last.1.max(next.1);
        } else {
            ranges.push(std::mem::replace(&mut last, next));
        }
    }
    ranges.push(last);
}
