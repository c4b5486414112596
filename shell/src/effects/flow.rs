//! What commands get from other ones by files: their names, of `xargs` and `find -exec`, and their content.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::actions::EffectFacts;
use super::collector::{Collector, Marks};
use super::line::Line;
use super::text::Stored;
use super::{Kind, Scheme, UnknownCause};
use crate::programs::Row;
use crate::token::{Range, long, short};
use crate::{Command, Redirect, Word, limits};

/// A file that another command names.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed {
    pub(super) object: Stored,
    /// Everything below it, too.
    pub(super) is_tree: bool,
    /// The object is a word, which is not resolved yet.
    pub(super) is_word: bool,
}

/// Whether a word stands for a name that the starter of a command gives it: `{}` of `find -exec` and `xargs -I`.
pub(super) fn is_given(command: Command<'_>, word: Word<'_>) -> bool {
    let is_whole = |range: std::ops::Range<usize>| range == (0..word.text().len());
    command.starter().is_some() && word.holes().any(|hole| is_whole(hole.range) && is_replaced(hole.text))
}

/// Whether all that a command shows are its words.
pub(super) fn prints_words(command: Command<'_>) -> bool {
    prints(command) == Some("words")
}

/// The files that a command lists, or that are named in what it reads; none if they are unknown.
pub(super) fn listed(line: &Line<'_>, starter: Command<'_>, out: &mut Collector<'_>) -> Option<Vec<Listed>> {
    let listed = lists_of(line, starter, out);
    if !listed.is_empty() {
        return Some(listed);
    }
    if let Some(text) = starter.stream(0).and_then(Redirect::body) {
        return written(text, out);
    }
    let sources = line.commands.iter().take(starter.number()).filter(|other| {
        let is_before = other.pipes_to().any(|next| next == starter);
        is_before && prints(*other) != Some("input") && other.program().is_some()
    });
    let source = sources.last()?;
    if prints_words(source) {
        return printed(source, line, out);
    }
    let lists = lists_of(line, source, out);
    (!lists.is_empty()).then_some(lists)
}

/// The text that a command reads: its own, or that of the one command in front of it in a pipe, which only prints it.
pub(super) fn input_text<'w>(line: &Line<'w>, command: Command<'w>) -> Option<Word<'w>> {
    let body = |command: Command<'w>| command.stream(0).and_then(Redirect::body);
    let mut givers = line.commands.iter().filter(|other| other.pipes_to().any(|next| next == command));
    let giver = givers.next().filter(|giver| prints(*giver) == Some("input") && giver.operands().len() == 0);
    let is_single = givers.next().is_none();
    body(command).or_else(|| body(giver.filter(|_| is_single)?))
}

/// What the output of a command is, by its row: a part of its input, or its words.
fn prints(command: Command<'_>) -> Option<&'static str> {
    command.described()?.row.text("prints")
}

/// What a command lists.
fn lists_of(line: &Line<'_>, command: Command<'_>, out: &Collector<'_>) -> Vec<Listed> {
    let number = short(line.base + command.number() + 1);
    let effects = out.actions.effects.iter().filter(|effect| effect.command == number);
    let lists =
        effects.filter(|effect| effect.kind == Kind::List || effect.kind == Kind::Read && effect.is_tree);
    lists.map(|effect| Listed { object: effect.object, is_tree: true, is_word: false }).collect()
}

/// The names in a text that a starter reads.
fn written(text: Word<'_>, out: &mut Collector<'_>) -> Option<Vec<Listed>> {
    let text = text.literal().filter(|text| !text.contains(['\\', '\'', '"']))?;
    let listed = |name| Listed { object: out.actions.store.literal(name), is_tree: false, is_word: true };
    Some(text.split_ascii_whitespace().map(listed).collect())
}

/// The words that a command prints.
fn printed(command: Command<'_>, line: &Line<'_>, out: &Collector<'_>) -> Option<Vec<Listed>> {
    let facts = out.actions.commands.get(line.base + command.number())?;
    let (from, to) = facts.operands;
    let words = out.actions.operands.get(long(from)..long(to))?;
    // The first word of `printf` is a format.
    let skipped = usize::from(command.name() == Some("printf") && words.len() > 1);
    let is_names = |word: &Stored| {
        out.actions.text(*word).as_literal().is_some_and(|text| !text.contains([' ', '\n', '\\']))
    };
    let words: Vec<Stored> = words.iter().skip(skipped).map(|operand| operand.word).collect();
    let listed = |word| Listed { object: word, is_tree: false, is_word: true };
    words.iter().all(is_names).then(|| words.into_iter().map(listed).collect())
}

/// A file that another one is a copy or a link of.
#[derive(Clone, Debug)]
struct Origin {
    source: Stored,
    /// The path below the source.
    below: String,
    /// Everything below it is copied, too.
    is_tree: bool,
}

/// What copies are made of, by their paths.
type Origins<'o> = BTreeMap<&'o str, Vec<Origin>>;

/// What a path is a copy of: itself, what is in a copied directory, and with a tree the copies in it.
fn origins_of(origins: &Origins<'_>, path: &str, is_tree: bool) -> Vec<Origin> {
    let mut found: Vec<Origin> = origins.get(path).cloned().unwrap_or_default();
    for (at, _) in path.rmatch_indices('/').take(SOURCES) {
        let (Some(outer), Some(below)) = (path.get(..at), path.get(at..)) else { continue };
        let trees = origins.get(outer).into_iter().flatten().filter(|origin| origin.is_tree);
        found.extend(
            trees.map(|origin| Origin { below: format!("{}{below}", origin.below), ..origin.clone() }),
        );
    }
    if is_tree {
        let prefix = format!("{}/", path.trim_end_matches('/'));
        let inner = origins.range(&*prefix..).take_while(|(copy, _)| copy.starts_with(&prefix));
        found.extend(inner.flat_map(|(_, origins)| origins.iter().cloned()).take(SOURCES));
    }
    found.truncate(SOURCES);
    found
}

/// Adds what commands read or send of copies and links, by the effects from a position on: `cat x` after `cp y x` reads `y`.
pub(super) fn copies(first: usize, out: &mut Collector<'_>) {
    let row_of = |command: u32| {
        let facts = long(command).checked_sub(1).and_then(|number| out.actions.commands.get(number));
        facts.and_then(|facts| facts.row)
    };
    let is_copier = |row: &&Row| row.is("copies") || row.is("aliases");
    let effects = out.actions.effects.get(first..).unwrap_or_default();
    if !effects.iter().any(|effect| row_of(effect.command).is_some_and(|row| is_copier(&row))) {
        return;
    }
    let mut origins = Origins::new();
    let mut added = Vec::new();
    for group in effects.chunk_by(|one, next| one.command == next.command) {
        let copier = group.first().and_then(|effect| row_of(effect.command)).filter(is_copier);
        let mut sources = Vec::new();
        let files = || group.iter().filter(|effect| effect.scheme == Scheme::File);
        for effect in files().filter(|effect| is_source(effect.kind)) {
            let path = out.actions.text(effect.object).as_literal();
            let others = path.map(|path| origins_of(&origins, path, effect.is_tree)).unwrap_or_default();
            if matches!(effect.kind, Kind::Read | Kind::Send) && added.len() < limits::EFFECTS {
                added.extend(others.iter().map(|other| (*effect, other.clone())));
            }
            // What is moved, or has another name, can be a directory.
            let text = out.actions.text(effect.object);
            let is_whole = copier.is_some_and(|row| row.is("aliases"))
                || files().any(|other| other.kind == Kind::Delete && out.actions.text(other.object) == text);
            let is_tree = effect.is_tree || is_whole;
            sources.push(Origin { source: effect.object, below: String::new(), is_tree });
            sources.extend(others);
        }
        for written in files().filter(|effect| copier.is_some() && effect.kind == Kind::Write) {
            let Some(path) = out.actions.text(written.object).as_literal() else { continue };
            let known = origins.entry(path).or_default();
            for source in sources.iter().take(SOURCES) {
                let is_same = |other: &Origin| {
                    other.below == source.below
                        && out.actions.text(other.source) == out.actions.text(source.source)
                };
                if known.len() < SOURCES && !known.iter().any(is_same) {
                    known.push(source.clone());
                }
            }
        }
    }
    for (effect, origin) in added {
        let object = match origin.below.as_str() {
            "" => origin.source,
            below => {
                out.resolve_str(Some(origin.source), below.trim_start_matches('/'));
                out.actions.store.push(out.draft.text())
            }
        };
        let marks = long(effect.command).checked_sub(1).map(Marks::for_command).unwrap_or_default();
        let is_tree = effect.is_tree && origin.is_tree;
        out.effect(effect.kind, Scheme::File, object, marks.tree(is_tree));
    }
}

/// The most files of which one is a copy.
const SOURCES: usize = 64;

/// Whether an effect takes the content of a file, or another name of it.
const fn is_source(kind: Kind) -> bool {
    matches!(kind, Kind::Read | Kind::Use | Kind::List | Kind::Send)
}

/// The file in the directory of a command that has the name of a package: `pip install x.whl`.
fn package_file(command: u32, package: &str, out: &Collector<'_>) -> Option<String> {
    let (_, name) = package.split_once(':')?;
    let facts = out.actions.commands.get(long(command).checked_sub(1)?)?;
    let directory = out.actions.directories.get(long(facts.directories.0))?.as_ref()?;
    let directory = out.actions.text(*directory).as_literal()?.trim_end_matches('/');
    Some(if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") })
}

/// Adds what commands send of the files that others read for them, by the effects from a position on: `cat x | curl -d @-`,
/// `cat x | xargs curl`.
pub(super) fn sent(line: &Line<'_>, first: usize, out: &mut Collector<'_>) {
    let effects = out.actions.effects.get(first..).unwrap_or_default();
    let (mut senders, mut contacts) = (BTreeSet::new(), BTreeSet::new());
    for effect in effects {
        match (effect.kind, effect.scheme) {
            (Kind::Send, Scheme::Pipe) => senders.insert(effect.command),
            (Kind::Contact, _) if !effect.is_implied => contacts.insert(effect.command),
            _ => continue,
        };
    }
    let reads: Vec<EffectFacts> =
        effects.iter().filter(|effect| effect.kind == Kind::Read && effect.command > 0).copied().collect();
    if reads.is_empty() {
        return;
    }
    let commands: Vec<Command<'_>> = line.commands.iter().collect();
    for &command in &commands {
        let number = short(line.base + command.number() + 1);
        let starter = command.starter().filter(|_| contacts.contains(&number) && has_items(command));
        if out.actions.effects.len() >= limits::EFFECTS || !senders.contains(&number) && starter.is_none() {
            continue;
        }
        let input = command.stream(0).filter(|_| senders.contains(&number));
        let origins: Vec<Range> = input
            .into_iter()
            .flat_map(|redirect| command.origins(redirect.body().unwrap_or(redirect.word())))
            .collect();
        let is_source = |read: &&EffectFacts| {
            let at = read.command - 1;
            let source = long(at).checked_sub(line.base).and_then(|at| commands.get(at).copied());
            let feeds = |target: Command<'_>| {
                let target = short(target.number());
                source
                    .is_some_and(|source| source.pipe_ranges().any(|(from, to)| (from..to).contains(&target)))
            };
            let is_origin = |(from, to): &Range| {
                source.is_some_and(|source| (*from..*to).contains(&short(source.number())))
            };
            senders.contains(&number) && (feeds(command) || origins.iter().any(is_origin))
                || starter.is_some_and(|starter| source == Some(starter) || feeds(starter))
        };
        for read in reads.iter().filter(is_source) {
            let marks = Marks::for_command(line.base + command.number()).tree(read.is_tree);
            out.effect(Kind::Send, read.scheme, read.object, marks);
        }
    }
}

/// Whether a command has arguments from the input of the one that starts it: `xargs curl`, `xargs -I{} curl h/{}`.
fn has_items(command: Command<'_>) -> bool {
    command.has_more() || command.words().any(|word| word.holes().any(|hole| is_replaced(hole.text)))
}

/// Whether a hole is a text that a program replaces, such as `{}`.
fn is_replaced(text: &str) -> bool {
    !text.starts_with(['$', '`', '<', '>', '*', '?', '['])
}

/// Notes which commands read or use a file that an earlier one writes, by the effects from a position on.
pub(super) fn files(first: usize, out: &mut Collector<'_>) {
    let mut writers: HashMap<&str, Vec<u32>> = HashMap::new();
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    let effects = out.actions.effects.iter().skip(first);
    for effect in effects.filter(|effect| effect.command > 0) {
        let Some(object) = out.actions.text(effect.object).as_literal() else { continue };
        let path = match (effect.scheme, effect.kind) {
            (Scheme::File, Kind::Write) => {
                writers.entry(object).or_default().push(effect.command);
                continue;
            }
            (Scheme::File, Kind::Read | Kind::Use) => Cow::Borrowed(object),
            (Scheme::Package, Kind::Install) => match package_file(effect.command, object, out) {
                Some(path) => Cow::Owned(path),
                None => continue,
            },
            _ => continue,
        };
        if pairs.len() < limits::EFFECTS {
            let others = writers.get(&*path).into_iter().flatten().filter(|other| **other != effect.command);
            pairs.extend(others.map(|other| (effect.command, *other)));
        }
    }
    if pairs.len() >= limits::EFFECTS {
        out.unknown(UnknownCause::Limit);
    }
    pairs.sort_unstable();
    pairs.dedup();
    for group in pairs.chunk_by(|one, next| one.0 == next.0) {
        let from = short(out.actions.numbers.len());
        out.actions.numbers.extend(group.iter().map(|(_, writer)| (writer - 1, *writer)));
        let range = (from, short(out.actions.numbers.len()));
        let reader = group.first().and_then(|(reader, _)| long(*reader).checked_sub(1));
        if let Some(facts) = reader.and_then(|reader| out.actions.commands.get_mut(reader)) {
            facts.files = range;
        }
    }
}
