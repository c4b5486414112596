//! Effects of redirections, and of the input and the output of a command.

use std::ops::Range;

use super::collector::{Collector, Marks};
use super::line::Line;
use super::roles::is_process;
use super::{Kind, Scheme, flow};
use crate::arguments::Reading;
use crate::{Command, Redirect, RedirectKind};

/// Adds the effects of the redirections of a command.
pub(super) fn effects(line: &Line<'_>, command: Command<'_>, marks: Marks, out: &mut Collector<'_>) {
    for redirect in command.redirects().filter(|redirect| redirect.is_file()) {
        let (reads, writes) = match redirect.kind() {
            RedirectKind::Read => (true, false),
            RedirectKind::ReadWrite => (true, true),
            _ => (false, true),
        };
        if is_process(redirect.word()) {
            continue;
        }
        if let Some(host) = socket(redirect) {
            let word = out.word(redirect.word());
            out.draft.clear();
            out.draft.push_range(out.actions.store.get(word), host);
            out.drafted(Kind::Contact, Scheme::Host, marks);
            // Nobody knows what writes to `{fd}`.
            if writes && redirect.descriptor().is_none() {
                out.pipe(marks);
            }
            continue;
        }
        resolve(redirect, out);
        if reads {
            out.file(&[line.read(command, Kind::Read)], marks);
        }
        if writes {
            out.file(&[Kind::Write], marks);
        }
    }
}

/// Adds what a command sends: its input, and what it shows on a connection. `first` is its first effect.
pub(super) fn sent(
    line: &Line<'_>,
    command: Command<'_>,
    reading: &Reading<'_>,
    first: usize,
    out: &mut Collector<'_>,
) {
    let marks = Marks::for_command(line.base + command.number());
    if reading.sends_input() && !reading.is_dry() {
        match command.stream(0) {
            Some(redirect) => input(redirect, marks, out),
            None if line.is_fed(command) => out.pipe(marks),
            None => {}
        }
    }
    if command.program().is_some() && command.stream(1).is_some_and(|redirect| socket(redirect).is_some()) {
        output(line, command, first, marks, out);
    }
}

/// Whether an argument names the input of its command.
pub(super) fn is_input(text: &str) -> bool {
    matches!(text, "-" | "/dev/stdin" | "/dev/fd/0")
}

/// Sends the input of a command.
pub(super) fn send_input(command: Command<'_>, marks: Marks, out: &mut Collector<'_>) {
    match command.stream(0) {
        Some(redirect) => input(redirect, marks, out),
        None => out.pipe(marks),
    }
}

/// Sends the file of a redirection.
pub(super) fn send_file(redirect: Redirect<'_>, marks: Marks, out: &mut Collector<'_>) {
    resolve(redirect, out);
    out.file(&[Kind::Send], marks);
}

/// Sends what a redirection gives to read.
fn input(redirect: Redirect<'_>, marks: Marks, out: &mut Collector<'_>) {
    match redirect.body() {
        Some(body) if body.is_known() => {
            let text = out.word(body);
            out.effect(Kind::Send, Scheme::Text, text, marks);
        }
        Some(_) => out.pipe(marks),
        None if is_process(redirect.word()) => out.pipe(marks),
        None if socket(redirect).is_some() => {}
        None => send_file(redirect, marks, out),
    }
}

/// Sends what a command shows: what it reads; words that it prints; else something that is unknown.
fn output(line: &Line<'_>, command: Command<'_>, first: usize, marks: Marks, out: &mut Collector<'_>) {
    let reads: Vec<_> =
        out.actions.effects.iter().skip(first).filter(|effect| effect.kind == Kind::Read).copied().collect();
    for read in &reads {
        out.effect(Kind::Send, read.scheme, read.object, marks.tree(read.is_tree));
    }
    if flow::prints_words(command) {
        for word in command.operands().filter(|word| word.is_known()) {
            let text = out.word(word);
            out.effect(Kind::Send, Scheme::Text, text, marks);
        }
    } else if reads.is_empty() || line.is_fed(command) {
        out.pipe(marks);
    }
}

/// Builds the path of the file of a redirection.
fn resolve(redirect: Redirect<'_>, out: &mut Collector<'_>) {
    let word = out.word(redirect.word());
    let place = redirect.directories().next().flatten().map(|path| out.actions.store.literal(path));
    out.resolve(place, word);
}

/// The host of a file that bash connects with: `/dev/tcp/HOST/PORT`.
fn socket(redirect: Redirect<'_>) -> Option<Range<usize>> {
    let path = redirect.word().text();
    let start = ["/dev/tcp/", "/dev/udp/"].into_iter().find(|start| path.starts_with(start))?.len();
    let rest = path.get(start..)?;
    let host = rest.split('/').next().filter(|host| !host.is_empty())?;
    Some(start..start + host.len())
}
