//! Effects of redirections.

use std::ops::Range;

use super::collector::{Collector, Marks};
use super::roles::is_process;
use super::{Kind, Scheme};
use crate::arguments::Reading;
use crate::{Command, Redirect, RedirectKind};

/// Adds the effects of the redirections of a command.
pub(super) fn effects(command: Command<'_>, reading: &Reading<'_>, marks: Marks, out: &mut Collector<'_>) {
    for redirect in command.redirects().filter(|redirect| redirect.is_file()) {
        let (reads, writes) = match redirect.kind() {
            RedirectKind::Read => (true, false),
            RedirectKind::ReadWrite => (true, true),
            _ => (false, true),
        };
        if is_process(redirect.word()) {
            continue;
        }
        let word = out.word(redirect.word());
        if let Some(host) = socket(redirect) {
            out.draft.clear();
            out.draft.push_range(out.out.store.get(word), host);
            out.drafted(Kind::Contact, Scheme::Host, marks);
            if writes {
                out.pipe(marks);
            }
            continue;
        }
        let place = redirect.directories().next().flatten().map(|path| out.out.store.literal(path));
        out.resolve(place, word);
        if reads {
            let sends = reading.sends_input() && redirect.descriptor() == Some(0);
            out.file(if sends { &[Kind::Read, Kind::Send] } else { &[Kind::Read] }, marks);
        }
        if writes {
            out.file(&[Kind::Write], marks);
        }
    }
}

/// The host of a file that bash connects with: `/dev/tcp/HOST/PORT`.
fn socket(redirect: Redirect<'_>) -> Option<Range<usize>> {
    let path = redirect.word().text();
    let start = ["/dev/tcp/", "/dev/udp/"].into_iter().find(|start| path.starts_with(start))?.len();
    let rest = path.get(start..)?;
    let host = rest.split('/').next().filter(|host| !host.is_empty())?;
    Some(start..start + host.len())
}
