//! Decisions about command lines that a further command on the line evades (W0644): an `allow`
//! about the text of a line, or about one of its commands, and a denial about each command. What
//! an `allow` about each command leaves open is in [`allowed`]. An `allow` that is true without the input that it
//! tests (W0655).

use foldhash::HashMap;

use hookc_schema::tree::{
    Cond, CondKind, Hook, Leaf, Op, Path, PathKind, Quantified, Quantifier, Right, Segment, Selector,
    SharedId, Step, View,
};
use hookc_schema::value::Kind;
use hookc_schema::{Code, Diagnostic, Diagnostics};
use hookc_syntax::expr::print;
use regex_syntax::hir::{Class, Hir, HirKind};

use super::allowed::{self, Members};
use super::part::{self, Part};
use super::text;

/// What is known about conditions that several hooks share.
pub(super) type Known<'h> = HashMap<(SharedId, Place), Found<'h>>;

/// Where a condition is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Place {
    /// Whether its hook allows something; otherwise it denies, or asks.
    allows: bool,
    negated: bool,
}

impl Place {
    fn negated_if(self, negated: bool) -> Self {
        Self { negated: self.negated != negated, ..self }
    }
}

/// Checks the condition of a hook that decides about something.
pub(super) fn check<'h>(hook: &'h Hook, known: &mut Known<'h>, out: &mut Diagnostics) {
    let kind = hook.action.kind.node.as_str();
    if !matches!(kind, "allow" | "deny" | "ask") {
        return;
    }
    let place = Place { allows: kind == "allow", negated: false };
    let found = hook.condition.as_ref().map(|cond| find(cond, place, known)).unwrap_or_default();
    if !place.allows {
        out.extend(found.every.map(one_passes).or_else(|| found.nth.map(others_pass)));
        return;
    }
    if let Some((path, view)) = found.each {
        out.extend(allowed::check(path, view, found.read));
    }
    let bounded = found.each.is_some() || found.rejects || found.excludes || found.whole;
    out.extend(found.some.filter(|_| !bounded).map(one_allows));
    out.extend(found.text.filter(|_| !found.excludes && !found.view).map(by_text));
    out.extend(found.part.filter(|part| !part.is_up() || !found.excludes_up).map(part::report));
    out.extend(found.absent.filter(|_| !found.present).map(without));
}

/// What a condition asks about command lines.
#[derive(Clone, Copy, Default)]
pub(super) struct Found<'h> {
    /// The first path whose nodes are all tested, and its view.
    each: Option<(&'h Path, &'h View)>,
    /// The same with the word `every`.
    every: Option<&'h Path>,
    /// The first path of which one command suffices.
    some: Option<Command<'h>>,
    /// Whether some command is excluded.
    rejects: bool,
    /// What it reads of the view.
    read: Members,
    /// Whether some path reads a view.
    view: bool,
    /// The first test of a part of a line's text.
    text: Option<&'h Leaf>,
    /// Whether some text is excluded.
    excludes: bool,
    /// The first path to a command by its position.
    nth: Option<&'h Path>,
    /// Whether some leaf is about a line as a whole.
    whole: bool,
    /// The first test of a part of another text.
    part: Option<Part<'h>>,
    /// Whether `..` is excluded.
    excludes_up: bool,
    /// The first input of a tool about which a condition is true if it is absent.
    absent: Option<&'h Path>,
    /// Whether a tool or an input is required.
    present: bool,
}

/// A test of one command of a line.
#[derive(Clone, Copy)]
struct Command<'h> {
    path: &'h Path,
    view: &'h View,
    /// The condition of a quantifier.
    inner: Option<&'h Quantified>,
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
            absent: self.absent.or(other.absent),
            present: self.present || other.present,
        }
    }
}

/// The recursion depth is the nesting of the condition.
fn find<'h>(cond: &'h Cond, place: Place, known: &mut Known<'h>) -> Found<'h> {
    let key = cond.shared().map(|id| (id, place));
    if let Some(found) = key.and_then(|key| known.get(&key)) {
        return *found;
    }
    let found = match &cond.kind {
        CondKind::Const(_) => Found::default(),
        CondKind::All(parts) | CondKind::Any(parts) => {
            parts.iter().map(|part| find(part, place, known)).fold(Found::default(), Found::and)
        }
        CondKind::Not(part) => find(part, place.negated_if(true), known),
        CondKind::Leaf(leaf) => of_leaf(leaf, place),
        CondKind::Quantified(inner) => {
            let (every, negated) = (inner.quantifier == Quantifier::Every, place.negated);
            let of_view = match &inner.path.kind {
                PathKind::Shell(view) => Some((&inner.path, &**view)),
                _ => None,
            };
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
        CondKind::Const(_) => true,
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
    let is_input = is_in(path, "tool_input");
    Found {
        read: Members::of(path),
        absent: Some(path).filter(|_| holds && is_input),
        present: !holds && (is_input || is_in(path, "tool_name")),
        ..Found::default()
    }
}

fn of_leaf(leaf: &Leaf, place: Place) -> Found<'_> {
    let part = leaf.path.is_command_line() && is_part(leaf);
    let is_absence = leaf.op.node == Op::Exists
        && matches!(&leaf.right, Right::Value(value) if value.kind == Kind::Bool(false));
    let place = place.negated_if(leaf.op.node == Op::Ne || is_absence);
    let negated = place.negated;
    let commands = commands_of(&leaf.path);
    let mut own = open(&leaf.path, negated, place);
    if leaf.op.node == Op::Exists {
        own.absent = None;
    }
    if let Right::Path(path) = &leaf.right {
        own.read = own.read | open(path, negated, place).read;
    }
    Found {
        // A result other than these excludes the command.
        each: commands.filter(|(_, view)| negated && !view.rest.is_singular()),
        some: commands.filter(|_| !negated).map(|(path, view)| Command { path, view, inner: None }),
        rejects: negated && commands.is_some(),
        view: matches!(leaf.path.kind, PathKind::Shell(_)),
        text: Some(leaf).filter(|_| part && !negated),
        excludes: negated && leaf.path.is_command_line(),
        nth: commands.filter(|(_, view)| !negated && is_nth(view)).map(|(path, _)| path),
        whole: !negated && !part && leaf.path.is_command_line(),
        part: Some(leaf).filter(|_| place.allows && !negated).and_then(part::find),
        excludes_up: place.allows && negated && part::excludes_up(leaf),
        ..own
    }
}

/// Whether a path leads into a member of the event.
fn is_in(path: &Path, name: &str) -> bool {
    let starts = |steps: &[Step]| {
        let is = |at: usize, name: &str| matches!(steps.get(at), Some(Step::Name(own)) if own == name);
        is(0, name) || is(0, "event") && is(1, name)
    };
    match &path.source().kind {
        PathKind::Short(steps) => starts(steps),
        PathKind::Query(query) => starts(&query.prefix().0),
        PathKind::Shell(_) => false,
    }
}

/// Whether a path into commands is about one at a position.
fn is_nth(view: &View) -> bool {
    matches!(view.rest.segments.get(1), Some(Segment::Child(second)) if matches!(second.as_slice(), [Selector::Index(_)]))
}

/// A path to commands of a line, or into them, and its view.
fn commands_of(path: &Path) -> Option<(&Path, &View)> {
    let PathKind::Shell(view) = &path.kind else { return None };
    let Some(Segment::Child(first)) = view.rest.segments.first() else { return None };
    let is_commands = matches!(first.as_slice(), [Selector::Name(name)] if name == "commands");
    is_commands.then_some((path, view))
}

/// Whether a leaf is true for a text whatever else is in it.
fn is_part(leaf: &Leaf) -> bool {
    let mut texts = leaf.texts().map(|(_, text)| text);
    match leaf.op.node {
        Op::StartsWith | Op::EndsWith | Op::Contains => texts.next().is_some(),
        Op::Glob => texts.any(|text| text.contains('*')),
        Op::Regex => texts.any(|text| !is_whole(text)),
        _ => false,
    }
}

/// Characters that separate commands, or start one in another.
const SEPARATORS: [char; 6] = [';', '&', '|', '\n', '`', '$'];

/// Whether a pattern is about a whole line, and matches no line with several commands.
fn is_whole(pattern: &str) -> bool {
    let Ok(hir) = regex_syntax::parse(pattern) else { return true };
    text::anchors(&hir) == (true, true) && !has_separator(&hir)
}

fn has_separator(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => false,
        HirKind::Literal(text) => text.0.iter().any(|byte| SEPARATORS.contains(&char::from(*byte))),
        HirKind::Class(Class::Unicode(class)) => {
            let within =
                |c: &char| class.ranges().iter().any(|range| (range.start()..=range.end()).contains(c));
            SEPARATORS.iter().any(within)
        }
        HirKind::Class(Class::Bytes(_)) => true,
        HirKind::Repetition(repetition) => has_separator(&repetition.sub),
        HirKind::Capture(capture) => has_separator(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(has_separator),
    }
}

fn by_text(leaf: &Leaf) -> Diagnostic {
    let what = "this allows a line with further commands";
    let new = Diagnostic::new(Code::W0644, leaf.path.span.to(leaf.op.span), what);
    let new = new.with_label("about a part of the text");
    let new = new.note("a line can contain several commands: `git status; rm -rf /`");
    new.help(allowed::instead(&leaf.path, "c", &allowed::command(leaf)))
}

fn one_allows(command: Command) -> Diagnostic {
    let what = "this allows a line with further commands";
    let new = Diagnostic::new(Code::W0644, command.path.span, what).with_label("one command suffices");
    let new = new.note("a line can contain several commands: `git status; rm -rf /`");
    let source = &command.view.source;
    new.help(match command.inner {
        Some(inner) => allowed::instead(source, &inner.name.node, &print::when(&inner.cond, false)),
        None => allowed::instead(source, "c", "c.name == 'PROGRAM'"),
    })
}

fn without(path: &Path) -> Diagnostic {
    let what = format!("this allows every tool without `{}`", path.source().text);
    let new = Diagnostic::new(Code::W0655, path.span, what).with_label("true if it is absent");
    new.help("require the tool, with `and`: `tool_name == 'NAME'`")
}

fn others_pass(path: &Path) -> Diagnostic {
    let what = "one other command on the line evades this";
    let new = Diagnostic::new(Code::W0644, path.span, what).with_label("about one position");
    let new = new.note("a line can contain several commands: `cd /; rm -rf x`");
    new.help("test each command, with `some(c in shell(...).commands: ...)`")
}

fn one_passes(path: &Path) -> Diagnostic {
    let what = "one other command on the line evades this";
    let new = Diagnostic::new(Code::W0644, path.span, what).with_label("every command must match");
    let new = new.note("the condition is false for a line with one command for which it is false");
    new.help("write `some` instead of `every`")
}
