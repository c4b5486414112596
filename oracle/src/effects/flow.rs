//! Files whose names a command gets from another one: of `xargs` and `find -exec`.

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

/// Adds what commands read or send of copies that earlier ones make: `cat x` after `cp y x` reads `y`.
pub(super) fn add_copies(rows: &Rows, line: &Line, first: usize, deeds: &mut Deeds, start: usize) {
    let copies = |command: usize| {
        let command = command.checked_sub(first).and_then(|number| line.commands.get(number));
        let parsed = command.map(|command| parsed(rows, command));
        parsed.and_then(|parsed| parsed.arguments.row).is_some_and(|row| row.is("copies"))
    };
    let effects: Vec<Effect> = deeds.effects.get(start..).unwrap_or_default().to_vec();
    let is_source = |effect: &&Effect| {
        effect.scheme == Scheme::File
            && matches!(effect.kind, Kind::Read | Kind::Use | Kind::List | Kind::Send)
    };
    // A file, and what it is a copy of.
    let mut origins: Vec<(Text, Text)> = Vec::new();
    for group in effects.chunk_by(|one, next| one.command == next.command) {
        let mut sources = Vec::new();
        for effect in group.iter().filter(is_source) {
            let is_copy =
                |(path, _): &&(Text, Text)| effect.object.literal().is_some() && *path == effect.object;
            let others: Vec<Text> = origins.iter().filter(is_copy).map(|(_, other)| other.clone()).collect();
            if matches!(effect.kind, Kind::Read | Kind::Send) {
                let read = |object: &Text| Effect {
                    object: object.clone(),
                    is_tree: false,
                    is_implied: false,
                    ..effect.clone()
                };
                deeds.effects.extend(others.iter().map(read));
            }
            sources.push(effect.object.clone());
            sources.extend(others);
        }
        if group.first().and_then(|effect| effect.command).is_some_and(copies) {
            let writes = |effect: &&Effect| effect.scheme == Scheme::File && effect.kind == Kind::Write;
            let pairs = group
                .iter()
                .filter(writes)
                .flat_map(|written| sources.iter().map(|source| (written.object.clone(), source.clone())));
            for pair in pairs {
                if !origins.contains(&pair) {
                    origins.push(pair);
                }
            }
        }
    }
}

/// The files whose names the starter of a command gives it; unknown ones if nothing says which.
pub(super) fn given(rows: &Rows, line: &Line, command: &Command, first: usize, deeds: &Deeds) -> Vec<Given> {
    let unknown = vec![(Text::unknown("{}"), false)];
    let Some(starter) = command.starter else { return unknown };
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
