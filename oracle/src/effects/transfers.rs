//! Copies, here and to other machines.

use super::arguments::Argument;
use super::model::{Kind, Scheme};
use super::place::resolve;
use super::roles::{Found, Object, host, is_standard, last};
use super::text::{Symbol, Text};

/// The host of `[USER@]HOST:PATH`, and the path; what is before it is `text` without it.
pub(super) fn elsewhere(text: &Text) -> Option<(Text, Text)> {
    if text.prefix().contains("://") {
        let authority = text.split_once(':').map(|(_, rest)| rest.skip(2)).unwrap_or_default();
        let path = authority.split_once('/').map(|(_, path)| Text::from("/").followed_by(&path));
        return Some((host(text), path.unwrap_or_default()));
    }
    let (before, after) = text.split_once(':')?;
    let is_host = !before.0.contains(&Symbol::Char('/')) && !before.0.is_empty();
    is_host.then(|| (host(&before), after))
}

/// What a copy writes: files with the names of its sources, in a directory.
pub(super) fn copies(context: &Object<'_>) -> Vec<Found> {
    let roles = &context.parsed.roles;
    let is_source = |argument: &&Argument| {
        argument.option.is_none() && matches!(argument.role.as_str(), "READ" | "MOVE" | "USE" | "LIST")
    };
    let sources: Vec<&Argument> = roles.iter().filter(is_source).collect();
    let mut directories: Vec<Text> = Vec::new();
    let into = roles.iter().rfind(|argument| argument.role == "INTO");
    directories.extend(into.filter(|_| context.row.text("outputs").is_none()).map(|into| into.text.clone()));
    let slots = context.row.operands.clone().unwrap_or_default();
    let copies =
        slots.iter().any(|slot| slot.is_many && matches!(slot.role.as_str(), "READ" | "USE" | "MOVE"))
            && slots.last().is_some_and(|slot| slot.role == "WRITE");
    let target = roles.iter().rfind(|argument| argument.option.is_none() && argument.role == "WRITE");
    let is_here = |target: &&Argument| super::roles::address_scheme(&target.text).is_none();
    if let Some(target) = target.filter(|_| copies).filter(is_here)
        && (!is_file(&target.text) || sources.len() > 1)
    {
        directories.push(target.text.clone());
    }
    let slash = Text::from("/");
    let mut found = received(context);
    let named = |directory: &Text| {
        let names = sources.iter().map(|source| last(&source.text));
        let names = names.filter(|name| !matches!(name.literal().as_deref(), Some("" | "." | "..")));
        names.map(|name| directory.followed_by(&slash).followed_by(&name)).collect::<Vec<_>>()
    };
    let paths = directories.iter().flat_map(named);
    found.extend(paths.map(|path| (Kind::Write, Scheme::File, resolve(context.directory, &path))));
    found
}

/// What a symbolic link can name from its own directory, and from the target if that is one.
pub(super) fn links(context: &Object<'_>) -> Vec<Found> {
    if !context.row.is("links") {
        return Vec::new();
    }
    let operands = || context.parsed.roles.iter().filter(|argument| argument.option.is_none());
    let into = context.parsed.roles.iter().rfind(|argument| argument.role == "INTO");
    let Some(target) = operands().rfind(|argument| argument.role == "WRITE").or(into) else {
        return Vec::new();
    };
    let slash = Text::from("/");
    let mut parts: Vec<Text> = target.text.split('/');
    parts.pop();
    while parts.last().is_some_and(|part| part.0.is_empty()) {
        parts.pop();
    }
    let parent = parts.into_iter().reduce(|path, part| path.followed_by(&slash).followed_by(&part));
    let parent = parent.filter(|parent| !parent.0.is_empty());
    let sources = operands()
        .filter(|argument| argument.role == "LIST" && !argument.text.prefix().starts_with(['/', '~']));
    let paths = sources.flat_map(|source| {
        let is_up = source.text.split('/').iter().any(|name| name.literal().as_deref() == Some(".."));
        let directories = parent.iter().chain(is_up.then_some(&target.text));
        directories
            .map(|directory| directory.followed_by(&slash).followed_by(&source.text))
            .collect::<Vec<_>>()
    });
    paths.map(|path| (Kind::List, Scheme::File, resolve(context.directory, &path))).collect()
}

/// Whether a target is a file: it has an extension.
fn is_file(target: &Text) -> bool {
    let name = last(target);
    let dots = name.0.iter().skip(1).any(|symbol| *symbol == Symbol::Char('.'));
    dots && name.literal().as_deref() != Some("..")
}

/// What a transfer writes here: files with the names of its sources.
fn received(context: &Object<'_>) -> Vec<Found> {
    let remotes: Vec<&Argument> =
        context.parsed.roles.iter().filter(|argument| argument.role == "REMOTE").collect();
    let Some((target, sources)) = remotes.split_last() else { return Vec::new() };
    let is_here = elsewhere(&target.text).is_none() && !is_standard(&target.text);
    if !is_here || is_file(&target.text) && sources.len() < 2 {
        return Vec::new();
    }
    let name = |source: &&Argument| {
        let path = elsewhere(&source.text).map_or_else(|| source.text.clone(), |(_, path)| path);
        last(&path)
    };
    let names = sources.iter().map(name);
    let names = names.filter(|name| !matches!(name.literal().as_deref(), Some("" | "." | "..")));
    let path = |name: Text| target.text.followed_by(&Text::from("/")).followed_by(&name);
    names.map(|name| (Kind::Write, Scheme::File, resolve(context.directory, &path(name)))).collect()
}

/// A path here or elsewhere; the last one is the target.
pub(super) fn remote(context: &Object<'_>, argument: &Argument) -> Vec<Found> {
    let remotes: Vec<&Argument> =
        context.parsed.roles.iter().filter(|other| other.role == "REMOTE").collect();
    let is_target = remotes.last().is_some_and(|last| *last == argument);
    let is_shown = remotes.last().is_some_and(|last| is_standard(&last.text));
    if let Some((host, path)) = elsewhere(&argument.text) {
        let contact = (Kind::Contact, Scheme::Host, host);
        if is_target || path.0.is_empty() {
            return vec![contact];
        }
        let slash = if path.0.first() == Some(&Symbol::Char('/')) { "" } else { "/" };
        let place =
            Text(argument.text.0.iter().take(argument.text.0.len() - path.0.len()).copied().collect());
        let path = Text::unknown(&place.written()).followed_by(&Text::from(slash)).followed_by(&path);
        return vec![contact, (if is_shown { Kind::Read } else { Kind::Use }, Scheme::File, path)];
    }
    let path = resolve(context.directory, &argument.text);
    if is_target {
        return vec![(Kind::Write, Scheme::File, path)];
    }
    let goes_away = remotes.last().is_some_and(|last| elsewhere(&last.text).is_some());
    let kinds: &[Kind] = if goes_away { &[Kind::Read, Kind::Send] } else { &[Kind::Use] };
    kinds.iter().map(|kind| (*kind, Scheme::File, path.clone())).collect()
}
