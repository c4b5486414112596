//! Files whose names a command gets from another one: of `xargs` and `find -exec`.

use super::commands::{base, parsed};
use super::line::{Command, Line, RedirectKind};
use super::model::{Deeds, Effect, Kind, Scheme};
use super::table::Rows;
use super::text::Text;

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
        let Some(act) = read.command.filter(|_| is_read && read.object.literal().is_some()) else { continue };
        let is_source = |other: &&Effect| {
            let writes = other.scheme == Scheme::File && other.kind == Kind::Write;
            writes && other.object == read.object && other.command != read.command
        };
        let writers: Vec<usize> =
            effects.iter().take(at).filter(is_source).filter_map(|other| other.command).collect();
        deeds.commands.get_mut(act).into_iter().for_each(|act| act.files.extend(&writers));
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
