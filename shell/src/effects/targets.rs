//! Files that a command writes under names that other words give.

use super::roles::{Roles, has_hole};
use super::text::Stored;
use super::{Kind, Text, objects, patches, place, remotes};
use crate::HoleKind;
use crate::programs::{Attribute, Role};

/// Copies have the names of their sources if the target is a directory.
pub(super) fn copies(roles: &mut Roles<'_, '_, '_>) {
    let reading = roles.reading;
    let mut targets = reading.arguments.iter().filter(|argument| argument.flag.is_none());
    let target = targets.rfind(|argument| argument.role == Some(Role::Write)).filter(|_| reading.copies());
    if let Some(target) = target.map(|target| roles.object(target))
        && remotes::address_scheme(roles.out.actions.text(target)).is_none()
    {
        into(roles, target);
        if roles.out.actions.text(target).as_literal().is_some_and(is_shown) {
            let sources = roles.sources.clone();
            sources.into_iter().for_each(|source| roles.paths(source, &[Kind::Read], false));
        }
    }
    let sources = std::mem::take(&mut roles.sources);
    if let Some(into) = roles.into.filter(|_| reading.text("outputs").is_none()) {
        roles.paths(into, &[Kind::Write], true);
        sources.iter().for_each(|source| inside(roles, into, *source));
    }
    roles.sources = sources;
}

/// The other places of what a symbolic link names: from the directory of the link.
pub(super) fn links(roles: &mut Roles<'_, '_, '_>) {
    let reading = roles.reading;
    if !reading.is("links") {
        return;
    }
    let operands = || reading.arguments.iter().filter(|argument| argument.flag.is_none());
    let target = operands().rfind(|argument| argument.role == Some(Role::Write));
    let Some(target) = target.map(|target| roles.object(target)).or(roles.into) else { return };
    let text = roles.out.actions.text(target);
    let directory =
        text.text.get(..place::last_part(text)).map_or(0, |path| path.trim_end_matches('/').len());
    let parent = (directory > 0).then(|| roles.part(target, 0..directory));
    for source in operands().filter(|argument| argument.role == Some(Role::List)) {
        let source = roles.object(source);
        let name = roles.out.actions.text(source);
        if objects::is_path(name) && !name.text.starts_with('.') {
            continue;
        }
        // The target can also be a directory with the link in it.
        let is_up = name.text.split('/').any(|name| name == "..");
        for directory in parent.into_iter().chain(is_up.then_some(target)) {
            roles.out.draft.clear();
            roles.out.draft.push(roles.out.actions.store.get(directory));
            roles.out.draft.push_str("/");
            roles.out.draft.push(roles.out.actions.store.get(source));
            let path = roles.out.actions.store.push(roles.out.draft.text());
            roles.paths(path, &[Kind::List], false);
        }
    }
}

/// Whether what is written to a file is shown: `/dev/stdout`.
fn is_shown(path: &str) -> bool {
    path != "/dev/null" && crate::typed::is_sink(path)
}

/// Writes files with the names of the sources, if a target can be a directory.
pub(super) fn into(roles: &mut Roles<'_, '_, '_>, target: Stored) {
    let sources = std::mem::take(&mut roles.sources);
    if can_be_directory(roles.out.actions.text(target)) || sources.len() > 1 {
        sources.iter().for_each(|source| inside(roles, target, *source));
    }
    roles.sources = sources;
}

/// Whether a target can be a directory: it has no extension.
fn can_be_directory(target: Text<'_>) -> bool {
    let name = target.text.get(place::last_part(target)..).unwrap_or_default();
    !name.get(1..).is_some_and(|rest| rest.contains('.')) || name == ".."
}

/// Writes a file with the name of a source in a directory.
fn inside(roles: &mut Roles<'_, '_, '_>, directory: Stored, source: Stored) {
    let text = roles.out.actions.text(source);
    let from = objects::remote_path(text).unwrap_or_default().max(place::last_part(text));
    let name = from..text.text.len();
    if matches!(text.text.get(name.clone()), None | Some("" | "." | "..")) && !has_hole(text, &name) {
        return;
    }
    roles.out.draft.clear();
    roles.out.draft.push(roles.out.actions.store.get(directory));
    roles.out.draft.push_str("/");
    roles.out.draft.push_range(roles.out.actions.store.get(source), name);
    let path = roles.out.actions.store.push(roles.out.draft.text());
    roles.paths(path, &[Kind::Write], false);
}

/// Files that no word names: what is unpacked, cloned or downloaded.
pub(super) fn outputs(roles: &mut Roles<'_, '_, '_>) {
    let reading = roles.reading;
    let outputs = reading.text("outputs").unwrap_or_default();
    let here = roles.into.unwrap_or_else(|| roles.out.actions.store.literal("."));
    let addresses = || reading.arguments.iter().filter(|argument| argument.role == Some(Role::Url));
    match outputs {
        "here" if patches::given(roles) => {}
        "here" | "unpacked" => roles.paths(here, &[Kind::Write], true),
        "clone" if roles.into.is_some() => roles.paths(here, &[Kind::Write], true),
        "clone" => {
            for address in addresses() {
                let address = roles.object(address);
                let text = roles.out.actions.text(address);
                let end = text.text.trim_end_matches('/').len();
                let end =
                    text.text.get(..end).map_or(end, |text| text.strip_suffix(".git").map_or(end, str::len));
                let start =
                    text.text.get(..end).and_then(|text| text.rfind(['/', ':'])).map_or(0, |at| at + 1);
                let name = roles.part(address, start..end);
                roles.paths(name, &[Kind::Write], true);
            }
        }
        _ if reading.has_option(Attribute::Download) => downloads(roles, here),
        "url" if !roles.has_output && !reading.lists(Attribute::Download) => downloads(roles, here),
        _ => {}
    }
}

fn downloads(roles: &mut Roles<'_, '_, '_>, here: Stored) {
    let reading = roles.reading;
    for address in reading.arguments.iter().filter(|argument| argument.role == Some(Role::Url)) {
        let address = roles.object(address);
        let text = roles.out.actions.text(address);
        if objects::is_path(text) {
            continue;
        }
        let name = objects::download(text);
        let draft = &mut roles.out.draft;
        draft.clear();
        draft.push(roles.out.actions.store.get(here));
        draft.push_str("/");
        match name {
            Some(name) => draft.push_range(roles.out.actions.store.get(address), name),
            None => draft.push_hole("index.html", HoleKind::Name),
        }
        let path = roles.out.actions.store.push(roles.out.draft.text());
        roles.paths(path, &[Kind::Write], false);
    }
}
