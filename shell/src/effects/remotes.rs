//! Machines, and branches of remotes.

use std::ops::Range;

use super::actions::EffectFacts;
use super::roles::{Roles, has_hole};
use super::text::Stored;
use super::{Kind, Scheme, Text, objects, redirects, targets};
use crate::arguments::Argument;
use crate::programs::{Attribute, Role};
use crate::token::long;
use crate::{Command, HoleKind, Word};

impl<'w> Roles<'_, '_, 'w> {
    /// Contacts the machine of an address.
    pub(super) fn contact(&mut self, address: Stored) {
        let text = self.out.actions.text(address);
        let (authority, host) = (objects::authority(text), objects::host(text));
        self.has_host = true;
        if host.is_empty() {
            return;
        }
        if has_hole(text, &authority) {
            // What is unknown can end the host, or start another one.
            self.out.draft.clear();
            let source = self.out.actions.store.get(address).text.get(authority).unwrap_or_default();
            self.out.draft.push_hole(source, HoleKind::Text);
            return self.out.drafted(Kind::Contact, Scheme::Host, self.marks);
        }
        let host = self.part(address, host);
        self.out.effect(Kind::Contact, Scheme::Host, host, self.marks);
    }

    pub(super) fn host(&mut self, argument: &Argument<'w>) {
        let object = self.object(argument);
        self.contact(object);
        // `dig $(base64 F).example`, but not `ssh $(cat F)` and `ssh me@$(cat F)`.
        let text = argument.word.text();
        let is_part = argument.word.holes().all(|hole| hole.range.end < text.len());
        if is_part && !text.contains('@') {
            self.taken(argument.word);
        }
    }

    /// An address: a machine, or a file here.
    pub(super) fn address(&mut self, argument: &Argument<'w>) {
        let object = self.object(argument);
        if self.address_of(object) {
            self.taken(argument.word);
        }
    }

    /// The effects of an address. Whether it is that of a machine.
    pub(super) fn address_of(&mut self, object: Stored) -> bool {
        let text = self.out.actions.text(object);
        if objects::scheme(text).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file")) {
            let path = self.part(object, "file://".len()..text.text.len());
            self.paths(path, &[Kind::Read], false);
            return false;
        }
        if objects::is_path(text) {
            self.has_host = true;
            self.paths(object, &[Kind::Use], true);
            return false;
        }
        self.contact(object);
        true
    }

    /// The path of a file here. A file with an address is on another machine, which is contacted.
    pub(super) fn local(&mut self, file: Stored, kinds: &[Kind]) -> Option<Stored> {
        let text = self.out.actions.text(file);
        let Some(scheme) = address_scheme(text).filter(|_| !self.is_pathspec()) else { return Some(file) };
        if scheme.eq_ignore_ascii_case("file") {
            return Some(self.part(file, "file://".len()..text.text.len()));
        }
        // `http://../x` can also be a path.
        let is_path = text.text.split('/').any(|name| name == "..");
        self.contact(file);
        self.has_remote_output |= kinds.contains(&Kind::Write);
        is_path.then_some(file)
    }

    /// Text that is sent, or the file that it names.
    pub(super) fn data(&mut self, argument: &Argument<'w>, is_form: bool) {
        if self.is_dry {
            return;
        }
        let object = self.object(argument);
        let files = objects::sent_files(self.out.actions.text(object), is_form);
        if files.is_empty() {
            self.out.effect(Kind::Send, Scheme::Text, object, self.marks);
            return self.taken(argument.word);
        }
        for range in files {
            let file = self.part(object, range);
            if self.out.actions.text(file).as_literal().is_some_and(redirects::is_input) {
                redirects::send_input(self.command, self.marks, self.out);
            } else {
                self.paths(file, &[Kind::Read, Kind::Send], false);
            }
        }
    }

    /// Sends the files whose content is a part of a word: `curl -d "$(cat F)"`.
    fn taken(&mut self, word: Word<'_>) {
        let base = self.line.base;
        let numbers = self.command.origins(word).map(|(from, to)| (long(from) + base)..(long(to) + base));
        let numbers: Vec<_> = numbers.collect();
        if numbers.is_empty() {
            return;
        }
        let is_source = |command: u32| {
            let number = long(command).checked_sub(1);
            number.is_some_and(|number| numbers.iter().any(|range| range.contains(&number)))
        };
        let is_read = |effect: &&EffectFacts| {
            let is_file = effect.scheme == Scheme::File && matches!(effect.kind, Kind::Read | Kind::Use);
            is_file && is_source(effect.command)
        };
        let files: Vec<_> =
            self.out.actions.effects.iter().filter(is_read).map(|file| (file.object, file.is_tree)).collect();
        for (object, is_tree) in files {
            self.out.effect(Kind::Send, Scheme::File, object, self.marks.tree(is_tree));
        }
        for redirect in self.command.inputs_of(word).flat_map(Command::taken) {
            redirects::send_file(redirect, self.marks, self.out);
        }
    }
}

/// The scheme of an address. One letter is a drive.
pub(super) fn address_scheme(text: Text<'_>) -> Option<&str> {
    objects::scheme(text).filter(|scheme| scheme.len() > 1)
}

/// Sends what a command that writes to an address has read, by its effects from a position on: `ffmpeg -i F http://h/x`.
pub(super) fn uploads(roles: &mut Roles<'_, '_, '_>, first: usize) {
    if !roles.has_remote_output || roles.is_dry {
        return;
    }
    let is_source = |effect: &&EffectFacts| {
        effect.scheme == Scheme::File && matches!(effect.kind, Kind::Read | Kind::Use)
    };
    let sources = roles.out.actions.effects.iter().skip(first).filter(is_source);
    let sources: Vec<_> = sources.map(|source| (source.object, source.is_tree)).collect();
    for (object, is_tree) in &sources {
        roles.out.effect(Kind::Send, Scheme::File, *object, roles.marks.tree(*is_tree));
    }
    if sources.is_empty() && roles.line.is_fed(roles.command) {
        redirects::send_input(roles.command, roles.marks, roles.out);
    }
}

/// The branches that a push moves.
pub(super) fn pushes(roles: &mut Roles<'_, '_, '_>) {
    let reading = roles.reading;
    let find = |role: Role| reading.arguments.iter().filter(move |argument| argument.role == Some(role));
    // `--repo` names the remote only without an operand that does.
    let names_remote = find(Role::RemoteName).max_by_key(|argument| argument.flag.is_none());
    let remote = names_remote.map(|argument| roles.object(argument));
    if let Some(remote) = remote {
        let text = roles.out.actions.text(remote);
        if objects::scheme(text).is_some() || objects::remote_path(text).is_some() {
            roles.contact(remote);
        } else if objects::is_path(text) {
            roles.has_host = true;
        }
    }
    let all_refs = reading.has(Attribute::AllRefs);
    if roles.is_dry || !reading.has_place(Role::Ref) {
        return;
    }
    let refs: Vec<Stored> = find(Role::Ref).map(|argument| roles.object(argument)).collect();
    if refs.is_empty() || all_refs {
        // With tags alone, no branch moves.
        let name = if all_refs { "*" } else { "HEAD" };
        if all_refs || !reading.has(Attribute::Tags) {
            push(roles, remote, None, name);
        }
    }
    for name in refs {
        let text = roles.out.actions.text(name);
        let range = objects::pushed(text);
        // `git push origin tag v1`
        if text.text != "tag" {
            // `:` is each branch that both have.
            let unknown = if text.text.ends_with(':') { "*" } else { "HEAD" };
            push(roles, remote, range.map(|range| (name, range)), unknown);
        }
    }
}

fn push(
    roles: &mut Roles<'_, '_, '_>,
    remote: Option<Stored>,
    branch: Option<(Stored, Range<usize>)>,
    unknown: &str,
) {
    let draft = &mut roles.out.draft;
    draft.clear();
    match remote {
        Some(remote) => draft.push(roles.out.actions.store.get(remote)),
        None => draft.push_hole("@{push}", HoleKind::Text),
    }
    draft.push_str(":");
    match branch {
        Some((text, range)) => draft.push_ref(roles.out.actions.store.get(text), range),
        None => draft.push_hole(unknown, HoleKind::Text),
    }
    roles.out.drafted(Kind::Push, Scheme::Branch, roles.marks);
}

/// Files that are copied to or from another machine: `scp a host:b`.
pub(super) fn transfers(roles: &mut Roles<'_, '_, '_>) {
    let reading = roles.reading;
    let remotes: Vec<&Argument<'_>> =
        reading.arguments.iter().filter(|argument| argument.role == Some(Role::Remote)).collect();
    let is_tree = reading.has(Attribute::Tree);
    let Some((target, sources)) = remotes.split_last() else { return };
    let target = roles.object(target);
    let is_remote = |roles: &Roles<'_, '_, '_>, object: Stored| {
        let text = roles.out.actions.text(object);
        objects::scheme(text).is_some() || objects::remote_path(text).is_some()
    };
    let is_sent = is_remote(roles, target);
    let is_shown = roles.out.actions.text(target).as_literal() == Some("-");
    for source in sources {
        let source = roles.object(source);
        if is_remote(roles, source) {
            roles.contact(source);
            elsewhere(roles, source, if is_shown { Kind::Read } else { Kind::Use }, is_tree);
            roles.sources.push(source);
        } else {
            let kinds: &[Kind] = if is_sent { &[Kind::Read, Kind::Send] } else { &[Kind::Use] };
            roles.paths(source, kinds, is_tree);
            roles.sources.push(source);
        }
    }
    if is_sent {
        roles.contact(target);
    } else if !is_shown {
        roles.paths(target, &[Kind::Write], is_tree);
        targets::into(roles, target);
    }
}

/// A file of another machine or of a container, whose directory is in none of this one.
fn elsewhere(roles: &mut Roles<'_, '_, '_>, address: Stored, kind: Kind, is_tree: bool) {
    let text = roles.out.actions.store.get(address);
    let start = objects::remote_path(text).unwrap_or_else(|| objects::authority(text).end);
    let (place, path) = text.text.split_at_checked(start).unwrap_or_default();
    let draft = &mut roles.out.draft;
    draft.clear();
    draft.push_hole(place, HoleKind::Text);
    if !path.is_empty() {
        draft.push_str(if path.starts_with('/') { "" } else { "/" });
        draft.push_range(text, start..text.text.len());
        let kind = roles.line.read(roles.command, kind);
        roles.out.file(&[kind], roles.marks.tree(is_tree));
    }
}
