//! What a condition asks about command lines and about the inputs of tools.

use foldhash::HashMap;
use hookc_schema::tree::{
    Cond, CondKind, Leaf, Op, Path, Quantified, Quantifier, Right, SharedId, View, ViewKind,
};

use super::Place;
use super::part_of_line::is_part;
use super::paths::{commands_of, is_absence, is_nth};
use crate::lint::allowed::{self, Members};
use crate::lint::part::{self, Kinds, Part};

/// What is known about conditions that several hooks share.
pub(super) type Known<'h> = HashMap<(SharedId, Place), Found<'h>>;

/// What a condition asks about command lines.
#[derive(Clone, Copy, Default)]
pub(super) struct Found<'h> {
    /// The first path whose nodes are all tested, and its view.
    pub(super) each: Option<(&'h Path, &'h View)>,
    /// The same with the word `every`.
    pub(super) every: Option<&'h Path>,
    /// The first path of which one command suffices.
    pub(super) some: Option<Command<'h>>,
    /// Whether some command is excluded.
    pub(super) rejects: bool,
    /// What it reads of the view.
    pub(super) read: Members,
    /// Whether some path reads the view of a command line.
    pub(super) view: bool,
    /// The first test of a part of a line's text.
    pub(super) text: Option<&'h Leaf>,
    /// Whether some text is excluded.
    pub(super) excludes: bool,
    /// The first path to a command by its position.
    pub(super) nth: Option<&'h Path>,
    /// Whether some leaf is about a line as a whole.
    pub(super) whole: bool,
    /// The first test of a part of another text.
    pub(super) part: Option<Part<'h>>,
    /// Whether `..` is excluded.
    pub(super) excludes_up: bool,
    /// The kinds of texts of which a denial requires some.
    pub(super) required: Kinds,
    /// The first input of a tool about which a condition is true if it is absent.
    pub(super) absent: Option<&'h Path>,
    /// Whether a tool or an input is required.
    pub(super) present: bool,
}

/// A test of one command of a line.
#[derive(Clone, Copy)]
pub(super) struct Command<'h> {
    pub(super) path: &'h Path,
    pub(super) view: &'h View,
    /// The condition of a quantifier.
    pub(super) inner: Option<&'h Quantified>,
}

impl Found<'_> {
    fn and(self, other: Self) -> Self {
        Self {
            each: self.each.or(other.each),
            every: self.every.or(other.every),
            some: self.some.or(other.some),
            rejects: self.rejects || other.rejects,
            read: self.read | other.read,
            view: self.view || other.view,
            text: self.text.or(other.text),
            excludes: self.excludes || other.excludes,
            nth: self.nth.or(other.nth),
            whole: self.whole || other.whole,
            part: self.part.or(other.part),
            excludes_up: self.excludes_up || other.excludes_up,
            required: self.required | other.required,
            absent: self.absent.or(other.absent),
            present: self.present || other.present,
        }
    }
}

/// The recursion depth is the nesting of the condition.
pub(super) fn find<'h>(cond: &'h Cond, place: Place, known: &mut Known<'h>) -> Found<'h> {
    let key = cond.shared().map(|id| (id, place));
    if let Some(found) = key.and_then(|key| known.get(&key)) {
        return *found;
    }
    let found = match &cond.kind {
        CondKind::Const(_) | CondKind::Predicate(_) => Found::default(),
        CondKind::All(parts) | CondKind::Any(parts) => {
            parts.iter().map(|part| find(part, place, known)).fold(Found::default(), Found::and)
        }
        CondKind::Not(part) => find(part, place.negated_if(true), known),
        CondKind::Leaf(leaf) => of_leaf(leaf, place),
        CondKind::Quantified(inner) => {
            let (every, negated) = (inner.quantifier == Quantifier::Every, place.negated);
            let of_view = inner.path.view(ViewKind::Shell).map(|view| (&inner.path, view));
            let own = Found {
                each: of_view.filter(|_| every != negated),
                some: of_view.filter(|_| every == negated).map(|(path, view)| Command {
                    path,
                    view,
                    inner: Some(&**inner),
                }),
                every: of_view
                    .filter(|_| every && !negated && is_positive(&inner.cond))
                    .map(|(path, _)| path),
                view: of_view.is_some(),
                ..open(&inner.path, every != negated, place)
            };
            own.and(find(&inner.cond, place, known))
        }
    };
    known.extend(key.map(|key| (key, found)));
    found
}

/// Whether nothing in a condition is negated.
fn is_positive(cond: &Cond) -> bool {
    match &cond.kind {
        CondKind::Const(_) | CondKind::Predicate(_) => true,
        CondKind::All(parts) | CondKind::Any(parts) => parts.iter().all(is_positive),
        CondKind::Not(_) => false,
        CondKind::Leaf(leaf) => leaf.op.node != Op::Ne,
        CondKind::Quantified(inner) => is_positive(&inner.cond),
    }
}

/// What a test of a path says about what an `allow` leaves open. `holds` is whether it is true for an absent value.
fn open(path: &Path, holds: bool, place: Place) -> Found<'_> {
    if !place.allows {
        return Found::default();
    }
    let is_input = path.is_in("tool_input");
    Found {
        read: Members::of(path),
        absent: Some(path).filter(|_| holds && is_input),
        present: !holds && (is_input || path.is_in("tool_name")),
        ..Found::default()
    }
}

/// The most tests of a condition that are reported together.
const REPORTED: usize = 16;

/// The tests of a part of a line's text. The recursion depth is the nesting of the condition.
pub(super) fn texts<'h>(cond: &'h Cond, place: Place, leaves: &mut Vec<&'h Leaf>) {
    if leaves.len() >= REPORTED {
        return;
    }
    match &cond.kind {
        CondKind::All(parts) | CondKind::Any(parts) => {
            parts.iter().for_each(|part| texts(part, place, leaves));
        }
        CondKind::Not(part) => texts(part, place.negated_if(true), leaves),
        CondKind::Leaf(leaf) => leaves.extend(of_leaf(leaf, place).text),
        CondKind::Quantified(inner) => texts(&inner.cond, place, leaves),
        CondKind::Const(_) | CondKind::Predicate(_) => {}
    }
}

fn of_leaf(leaf: &Leaf, place: Place) -> Found<'_> {
    let part = leaf.path.is_command_line() && is_part(leaf);
    let place = place.negated_if(leaf.op.node == Op::Ne || is_absence(leaf));
    let negated = place.negated;
    let commands = commands_of(&leaf.path);
    // What makes an `allow` true, or a denial false.
    let permits = place.allows != negated;
    let mut own = open(&leaf.path, negated, place);
    if leaf.op.node == Op::Exists {
        own.absent = None;
    }
    if let Right::Path(path) = &leaf.right {
        own.read = own.read | open(path, negated, place).read;
    }
    if place.allows && leaf.path.text.ends_with(".name") && leaf.texts().any(|(_, text)| text == "git") {
        own.read = own.read | allowed::GIT;
    }
    Found {
        // A result other than these excludes the command.
        each: commands.filter(|(_, view)| negated && !view.rest.is_singular()),
        some: commands.filter(|_| !negated).map(|(path, view)| Command { path, view, inner: None }),
        rejects: negated && commands.is_some(),
        view: leaf.path.view(ViewKind::Shell).is_some(),
        text: Some(leaf).filter(|_| part && !negated),
        excludes: negated && leaf.path.is_command_line(),
        nth: commands.filter(|(_, view)| !negated && is_nth(view)).map(|(path, _)| path),
        whole: !negated && !part && leaf.path.is_command_line(),
        part: Some(leaf).filter(|_| permits).and_then(part::find),
        excludes_up: !permits && part::excludes_up(leaf),
        required: Some(leaf).filter(|_| !place.allows && !permits).map(Kinds::of).unwrap_or_default(),
        ..own
    }
}
