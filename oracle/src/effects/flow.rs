//! Files whose names a command gets from another one: of `xargs` and `find -exec`.

use std::collections::BTreeSet;

use super::commands::{base, parsed};
use super::line::{Command, Line, RedirectKind};
use super::model::{Act, Deeds, Effect, Kind, Scheme};
use super::table::Rows;
use super::text::{Symbol, Text};

/// Files that a command is given: an object, and whether everything below it is meant, too.
pub(super) type Given = (Text, bool);

/// What the output of a command is: `input`, a part of what it reads, or `words`, its operands.
pub(super) fn prints<'r>(rows: &'r Rows, command: &Command) -> Option<&'r str> {
    rows.program(&base(command.program.as_deref()?))?.text("prints")
}

/// Notes which commands read or use a file that an earlier effect of another command writes.
pub(super) fn add_files(deeds: &mut Deeds, start: usize) {
    let effects: Vec<Effect> = deeds.effects.get(start..).unwrap_or_default().to_vec();
    for (at, read) in effects.iter().enumerate() {
        let is_read = read.scheme == Scheme::File && matches!(read.kind, Kind::Read | Kind::Use);
        let is_package = read.scheme == Scheme::Package && read.kind == Kind::Install;
        let Some(act) = read.command.filter(|_| read.object.literal().is_some()) else { continue };
        let object = match deeds.commands.get(act) {
            _ if is_read => read.object.clone(),
            Some(act) if is_package => package_file(act, &read.object),
            _ => continue,
        };
        let is_source = |other: &&Effect| {
            let writes = other.scheme == Scheme::File && other.kind == Kind::Write;
            writes && other.object == object && other.command != read.command
        };
        let writers: Vec<usize> =
            effects.iter().take(at).filter(is_source).filter_map(|other| other.command).collect();
        deeds.commands.get_mut(act).into_iter().for_each(|act| act.files.extend(&writers));
    }
}

/// The file in the directory of a command that has the name of a package.
fn package_file(act: &Act, package: &Text) -> Text {
    let name = package.split_once(':').map(|(_, name)| name).unwrap_or_default();
    let directory = act.starts.first().cloned().unwrap_or_else(|| Text::unknown("$PWD"));
    if directory.0.is_empty() {
        return name;
    }
    let slash = if directory.0.last() == Some(&Symbol::Char('/')) { "" } else { "/" };
    directory.followed_by(&Text::from(slash)).followed_by(&name)
}

/// A file, what it is a copy of, and whether everything below that is copied, too.
type Origin = (Text, Text, bool);

/// What a file is a copy of: itself, what is in a copied directory, and with a tree the copies in it.
fn origins_of(origins: &[Origin], effect: &Effect) -> Vec<(Text, bool)> {
    let Some(path) = effect.object.literal() else { return Vec::new() };
    let below = |outer: &str, inner: &str| {
        inner.strip_prefix(outer).filter(|rest| rest.starts_with('/')).map(str::to_owned)
    };
    let same = origins.iter().filter(|(copy, ..)| *copy == effect.object);
    let mut found: Vec<(Text, bool)> = same.map(|(_, source, is_tree)| (source.clone(), *is_tree)).collect();
    let mut outer: Vec<(String, &Text)> = origins
        .iter()
        .filter(|(.., is_tree)| *is_tree)
        .filter_map(|(copy, source, _)| Some((below(&copy.literal()?, &path)?, source)))
        .collect();
    outer.sort_by_key(|(rest, _)| rest.len());
    let place = |(rest, source): (String, &Text)| {
        (super::place::resolve(source, &Text::from(rest.trim_start_matches('/'))), true)
    };
    found.extend(outer.into_iter().map(place));
    if effect.is_tree {
        let root = path.trim_end_matches('/');
        let mut inner: Vec<(String, &Origin)> =
            origins.iter().filter_map(|origin| Some((below(root, &origin.0.literal()?)?, origin))).collect();
        inner.sort_by(|(one, _), (other, _)| one.cmp(other));
        found.extend(inner.into_iter().map(|(_, (_, source, is_tree))| (source.clone(), *is_tree)));
    }
    found
}

/// Adds what commands read or send of copies that earlier ones make: `cat x` after `cp y x` reads `y`.
pub(super) fn add_copies(rows: &Rows, line: &Line, first: usize, deeds: &mut Deeds, start: usize) {
    let row_of = |command: usize| {
        let command = command.checked_sub(first).and_then(|number| line.commands.get(number));
        command.map(|command| parsed(rows, command)).and_then(|parsed| parsed.arguments.row)
    };
    let effects: Vec<Effect> = deeds.effects.get(start..).unwrap_or_default().to_vec();
    let is_source = |effect: &&Effect| {
        effect.scheme == Scheme::File
            && matches!(effect.kind, Kind::Read | Kind::Use | Kind::List | Kind::Send)
    };
    let mut origins: Vec<Origin> = Vec::new();
    for group in effects.chunk_by(|one, next| one.command == next.command) {
        let row = group.first().and_then(|effect| effect.command).and_then(row_of);
        let copier = row.filter(|row| row.is("copies") || row.is("aliases"));
        let mut sources = Vec::new();
        for effect in group.iter().filter(is_source) {
            let others = origins_of(&origins, effect);
            if matches!(effect.kind, Kind::Read | Kind::Send) {
                let read = |(object, is_tree): &(Text, bool)| Effect {
                    object: object.clone(),
                    is_tree: effect.is_tree && *is_tree,
                    is_implied: false,
                    ..effect.clone()
                };
                deeds.effects.extend(others.iter().map(read));
            }
            let is_moved =
                group.iter().any(|other| other.kind == Kind::Delete && other.object == effect.object);
            let is_alias = copier.as_ref().is_some_and(|row| row.is("aliases"));
            sources.push((effect.object.clone(), effect.is_tree || is_moved || is_alias));
            sources.extend(others);
        }
        let writes = |effect: &&Effect| effect.scheme == Scheme::File && effect.kind == Kind::Write;
        for written in group.iter().filter(writes).filter(|_| copier.is_some()) {
            for (source, is_tree) in &sources {
                if !origins.iter().any(|(copy, other, _)| *copy == written.object && other == source) {
                    origins.push((written.object.clone(), source.clone(), *is_tree));
                }
            }
        }
    }
}

/// Adds what commands send of the files that others read for them: by a pipe, by the text of a here-document, or as the names
/// that the starter of a command has from its input.
pub(super) fn add_sent(line: &Line, first: usize, deeds: &mut Deeds, start: usize) {
    let effects: Vec<Effect> = deeds.effects.get(start..).unwrap_or_default().to_vec();
    let is_pipe = |effect: &Effect| {
        effect.kind == Kind::Send && effect.object.is_hole() && effect.object.written() == "-"
    };
    let is_host = |effect: &Effect| effect.kind == Kind::Contact && !effect.is_implied;
    for (number, command) in line.commands.iter().enumerate() {
        let effects_here = || effects.iter().filter(|effect| effect.command == Some(first + number));
        let mut sources: BTreeSet<usize> = BTreeSet::new();
        let writers = |reader: usize| {
            let writes = move |(_, other): &(usize, &Command)| other.pipes_to.contains(&reader);
            line.commands.iter().enumerate().filter(writes).map(|(at, _)| at)
        };
        if effects_here().any(is_pipe) {
            sources.extend(writers(number));
            sources.extend(command.input.iter().flat_map(|redirect| &redirect.word.origins));
        }
        if let Some(starter) = command.starter.filter(|_| has_items(command) && effects_here().any(is_host)) {
            sources.insert(starter);
            sources.extend(writers(starter));
        }
        let reads = effects.iter().filter(|effect| effect.kind == Kind::Read);
        let is_source = |effect: &&Effect| {
            effect.command.is_some_and(|at| at >= first && sources.contains(&(at - first)))
        };
        let send = |read: &Effect| Effect {
            kind: Kind::Send,
            is_implied: false,
            command: Some(first + number),
            ..read.clone()
        };
        deeds.effects.extend(reads.filter(is_source).map(send));
    }
}

/// Whether a command has arguments from the input of the one that starts it.
fn has_items(command: &Command) -> bool {
    let is_item = |symbol: &Symbol| {
        let hole = Text(vec![*symbol]);
        hole.is_hole() && !hole.written().starts_with(['$', '`', '<', '>', '*', '?', '['])
    };
    command.has_more || command.words.iter().any(|word| word.text.0.iter().any(is_item))
}

/// The files that a command lists or that are named in its input; unknown ones if nothing says which.
pub(super) fn given(
    rows: &Rows,
    line: &Line,
    lister: Option<usize>,
    first: usize,
    deeds: &Deeds,
) -> Vec<Given> {
    let unknown = vec![(Text::unknown("{}"), false)];
    let Some(starter) = lister else { return unknown };
    let lists = |number: usize| {
        let is_list = |effect: &&Effect| {
            effect.command == Some(first + number)
                && (effect.kind == Kind::List || effect.kind == Kind::Read && effect.is_tree)
        };
        deeds.effects.iter().filter(is_list).map(|effect| (effect.object.clone(), true)).collect::<Vec<_>>()
    };
    let near = lists(starter);
    if !near.is_empty() {
        return near;
    }
    let input = line.commands.get(starter).and_then(|command| command.input.as_ref());
    if let Some(redirect) = input.filter(|redirect| redirect.kind == RedirectKind::Here) {
        let text = redirect.word.text.literal().filter(|text| !text.contains(['\\', '\'', '"']));
        let names = text.map(|text| text.split_whitespace().map(|name| (Text::from(name), false)).collect());
        return names.unwrap_or(unknown);
    }
    let mut before = line.commands.iter().enumerate().take(starter);
    let source = before.rfind(|(_, other)| {
        let is_there = other.pipes_to.contains(&starter) && !other.words.is_empty();
        is_there && prints(rows, other) != Some("input")
    });
    let Some((number, source)) = source else { return unknown };
    if prints(rows, source) == Some("words") {
        let operands = parsed(rows, source).arguments.operands;
        // The first word of `printf` is a format.
        let is_format =
            source.program.as_deref().map(base).as_deref() == Some("printf") && operands.len() > 1;
        let words: Vec<Given> =
            operands.into_iter().skip(usize::from(is_format)).map(|(_, text, _)| (text, false)).collect();
        let is_name =
            |(text, _): &Given| text.literal().is_some_and(|text| !text.contains([' ', '\n', '\\']));
        return if words.iter().all(is_name) { words } else { unknown };
    }
    let found = lists(number);
    if found.is_empty() { unknown } else { found }
}
