//! Replacement by id: the nearest hook of an id stays, the others go. Of policies that do
//! not belong together (two files of a directory) each has a nearest one.

use hookc_schema::tree::Layer;
use hookc_schema::{Code, Diagnostic, Diagnostics, Spanned};

use super::Entry;
use crate::fault::Faults;

const UNKNOWN: &str = "an id of a hook that the linker does not have";

/// Removes hooks that a nearer one replaces, then disabled ones. Disabled hooks without an id stay
/// until labels are assigned, so that enabling one does not rename others.
pub(super) fn replace(entries: &mut Vec<Entry>, faults: &Faults, out: &mut Diagnostics) {
    let (mut gone, mut again) = (vec![false; entries.len()], vec![false; entries.len()]);
    for group in groups(entries).chunk_by(|a, b| a.id.node == b.id.node) {
        complain(group, out);
        let mut before: Option<&Named<'_>> = None;
        for named in group {
            let nearest = before.is_none_or(|before| before.entry.distance == named.entry.distance);
            let is_separate = before.is_none_or(|before| before.entry.group != named.entry.group);
            if nearest && is_separate {
                faults.put(&mut again, named.at, before.is_some(), UNKNOWN);
                faults.put(&mut gone, named.at, !named.entry.hook.enabled, UNKNOWN);
                before = Some(named);
            } else {
                faults.put(&mut gone, named.at, true, UNKNOWN);
            }
        }
    }
    entries.iter_mut().zip(again).for_each(|(entry, again)| entry.again = again);
    let mut gone = gone.into_iter();
    entries.retain(|_| !faults.known(gone.next(), false, UNKNOWN));
}

/// An entry with an id.
#[derive(Clone, Copy)]
struct Named<'e> {
    id: &'e Spanned<String>,
    entry: &'e Entry,
    at: usize,
}

/// All hooks with an id, by id, nearest first, as written.
fn groups(entries: &[Entry]) -> Vec<Named<'_>> {
    let mut named = Vec::with_capacity(entries.len());
    for (at, entry) in entries.iter().enumerate() {
        named.extend(entry.hook.id.as_ref().map(|id| Named { id, entry, at }));
    }
    named.sort_unstable_by(|a, b| {
        let key = |n: &Named<'_>| (n.entry.distance, n.entry.group, n.at);
        a.id.node.cmp(&b.id.node).then_with(|| key(a).cmp(&key(b)))
    });
    named
}

/// The errors of the hooks with one id, nearest first.
fn complain(group: &[Named<'_>], out: &mut Diagnostics) {
    for pair in group.windows(2) {
        if let [first, again] = pair
            && first.entry.distance == again.entry.distance
            && first.entry.group == again.entry.group
        {
            out.push(twice(first, again));
        }
    }
    if let Some(managed) = group.first().filter(|n| n.entry.hook.layer == Layer::Managed) {
        let others = group.iter().filter(|n| n.entry.hook.layer != Layer::Managed);
        out.extend(others.map(|other| kept(managed, other)));
    }
}

fn twice(first: &Named<'_>, again: &Named<'_>) -> Diagnostic {
    let (id, layer) = (&again.id.node, again.entry.hook.layer.name());
    let new =
        Diagnostic::new(Code::E0501, again.id.span, format!("duplicate id `{id}` in the layer `{layer}`"));
    let new = new.with_label("again here").also(first.id.span, "first here");
    if first.id.span.source == again.id.span.source {
        return new.help("give one of them another id, or remove it");
    }
    new.help("give one of them another id, or put one file in another layer with `--layer NAME=FILE`")
}

fn kept(managed: &Named<'_>, other: &Named<'_>) -> Diagnostic {
    let id = &other.id.node;
    let verb = if other.entry.hook.enabled { "replaced" } else { "disabled" };
    let new =
        Diagnostic::new(Code::E0502, other.id.span, format!("the managed hook `{id}` cannot be {verb}"));
    let new = new.with_label("the same id here").also(managed.id.span, "managed here");
    new.help("give this hook another id, or remove it")
}
