//! The `where` of a selection: its ties to the current event, what they exclude, and the rest, which is about the past
//! event alone.

use hookc_base::text::Case;
use hookc_schema::tree::{Cond, CondKind, CondPart, EventPattern, Leaf, Op, Path, PathKind, Step, View};
use hookc_schema::{Code, Diagnostic, Span};

use super::is_now;
use crate::check::Cx;
use crate::tools::Place;

/// The most paths of a tie.
const PATHS: usize = hookc_vm::limits::HISTORY_TIE_PATHS;

/// A part of a `where`.
#[derive(Clone, Copy)]
pub(super) struct Part<'a, 'n> {
    pub(super) cond: &'a Cond,
    /// The tools for which it matters.
    pub(super) place: Place<'n>,
    pub(super) negated: bool,
}

impl<'a, 'n> Part<'a, 'n> {
    /// Its parts, if it is a group or a negation.
    fn parts(self) -> Vec<Self> {
        let Self { cond, place, negated } = self;
        let group = |parts: &'a [Cond], is_all| {
            let places = place.parts(is_all, parts.len());
            parts.iter().zip(places).map(|(cond, place)| Self { cond, place, negated }).collect()
        };
        match &cond.kind {
            CondKind::All(parts) => group(parts, true),
            CondKind::Any(parts) => group(parts, false),
            CondKind::Not(cond) => vec![Self { cond, place: place.inner(), negated: !negated }],
            _ => Vec::new(),
        }
    }
}

/// A path of the past event that must equal one of the current event.
#[derive(Clone)]
pub(super) struct Tie<'a> {
    pub(super) past: &'a Path,
    /// Without `now`.
    pub(super) current: Path,
    pub(super) case: Case,
}

/// A conjunct `not (TIES and CONDITIONS)`.
#[derive(Clone, Default)]
pub(super) struct Exclusion<'a, 'n> {
    pub(super) ties: Vec<Tie<'a>>,
    pub(super) rest: Vec<Part<'a, 'n>>,
}

/// The parts of a `where`.
#[derive(Clone, Default)]
pub(super) struct Split<'a, 'n> {
    pub(super) ties: Vec<Tie<'a>>,
    pub(super) excluded: Vec<Exclusion<'a, 'n>>,
    pub(super) rest: Vec<Part<'a, 'n>>,
}

impl Split<'_, '_> {
    /// Whether it compares the past event with the current one.
    pub(super) fn is_tied(&self) -> bool {
        !self.ties.is_empty() || !self.excluded.is_empty()
    }
}

/// Splits the `where` of a pattern; `None` after an error.
pub(super) fn split<'a, 'n>(
    pattern: &'a EventPattern,
    place: Place<'n>,
    cx: &mut Cx<'a>,
) -> Option<Split<'a, 'n>> {
    let mut split = Split::default();
    let Some(cond) = &pattern.condition else { return Some(split) };
    let is_sound = add(Part { cond, place, negated: false }, &mut split, cx);
    if let Some(tie) = split.ties.get(PATHS) {
        let what = format!("more than {PATHS} comparisons with the current event");
        let new = Diagnostic::new(Code::E0455, tie.past.span, what).with_label("one too many");
        return cx.fail(new);
    }
    if let Some(one) = split.excluded.get(hookc_history::limits::CONJUNCTS) {
        let span = one.ties.first().map_or(cond.span, |tie| tie.past.span);
        let what = format!(
            "more than {} negated comparisons with the current event",
            hookc_history::limits::CONJUNCTS
        );
        return cx.fail(Diagnostic::new(Code::E0455, span, what).with_label("one too many"));
    }
    is_sound.then_some(split)
}

/// Adds a conjunct; whether it is sound. The nesting of the source bounds the recursion.
fn add<'a, 'n>(part: Part<'a, 'n>, split: &mut Split<'a, 'n>, cx: &mut Cx<'a>) -> bool {
    let Part { cond, negated, .. } = part;
    if !has_current(cond, cx) {
        split.rest.push(part);
        return true;
    }
    match (&cond.kind, negated) {
        (CondKind::Not(_), _) | (CondKind::All(_), false) | (CondKind::Any(_), true) => {
            part.parts().into_iter().filter(|part| !add(*part, split, cx)).count() == 0
        }
        (CondKind::Leaf(leaf), _) if is_equality(leaf, negated) => {
            let tie = tie(leaf, cx);
            split.ties.extend(tie.clone());
            tie.is_some()
        }
        _ => {
            let mut exclusion = Exclusion::default();
            let is_sound = exclude(Part { negated: !negated, ..part }, &mut exclusion, cx);
            split.excluded.push(exclusion);
            is_sound
        }
    }
}

/// Adds what a conjunct excludes: `part` is its negation.
fn exclude<'a, 'n>(part: Part<'a, 'n>, exclusion: &mut Exclusion<'a, 'n>, cx: &mut Cx<'a>) -> bool {
    let Part { cond, negated, .. } = part;
    if !has_current(cond, cx) {
        exclusion.rest.push(part);
        return true;
    }
    match (&cond.kind, negated) {
        (CondKind::Not(_), _) | (CondKind::All(_), false) | (CondKind::Any(_), true) => {
            part.parts().into_iter().filter(|part| !exclude(*part, exclusion, cx)).count() == 0
        }
        (CondKind::Leaf(leaf), _) if is_equality(leaf, negated) => {
            let tie = tie(leaf, cx);
            exclusion.ties.extend(tie.clone());
            tie.is_some()
        }
        (CondKind::Leaf(leaf), _) if is_equality(leaf, !negated) => report_alternative(cond.span, cx),
        (CondKind::Leaf(leaf), _) => report_leaf(leaf, cx),
        (CondKind::Quantified(inner), _) => {
            let new =
                Diagnostic::new(Code::E0455, inner.name.span, "a quantifier that reads the current event");
            let new = new.with_label("each past event would have to be kept");
            cx.report_once(new.help(
                "write a path with a wildcard in place of the quantifier, or put the quantifier around the condition \
                 about the past",
            ));
            false
        }
        _ => report_alternative(cond.span, cx),
    }
}

/// Reports a comparison that need not be true; always false.
fn report_alternative(span: Span, cx: &mut Cx<'_>) -> bool {
    let new = Diagnostic::new(Code::E0455, span, "one of several comparisons with the current event");
    let new = new.with_label("need not be true");
    cx.report_once(new.help("write two conditions about the past, joined by `or`"));
    false
}

/// Whether a leaf says, under its negation, that two values are equal.
fn is_equality(leaf: &Leaf, negated: bool) -> bool {
    matches!((leaf.op.node, negated), (Op::Eq, false) | (Op::Ne, true)) && leaf.right_path().is_some()
}

/// The tie of an equality; `None` after an error.
fn tie<'a>(leaf: &'a Leaf, cx: &mut Cx<'a>) -> Option<Tie<'a>> {
    let right = leaf.right_path()?;
    let case = leaf.case();
    let (past, current) = match (is_current(&leaf.path, cx), is_current(right, cx)) {
        (true, false) => (right, &leaf.path),
        (false, true) => (&leaf.path, right),
        _ => {
            report_leaf(leaf, cx);
            return None;
        }
    };
    if past.recall().is_some() || current.recall().is_some() {
        let new =
            Diagnostic::new(Code::E0455, leaf.op.span, "a value of the history in a comparison with `now`");
        return cx.fail(new.with_label("not the path of an event"));
    }
    Some(Tie { past, current: without_now(current), case })
}

/// Reports a leaf about the current event that is no tie; always false.
fn report_leaf(leaf: &Leaf, cx: &mut Cx<'_>) -> bool {
    let is_now = |path: &Path| is_current(path, cx);
    let new = if is_now(&leaf.path) && leaf.right_path().is_none_or(is_now) {
        let new = Diagnostic::new(Code::E0455, leaf.path.span, "a test of the current event alone");
        new.with_label("says nothing about the past event")
            .help("move it out of the parentheses, and join it with `and`")
    } else {
        let what = format!("`{}` between the past event and the current one", leaf.op.node.name());
        let new = Diagnostic::new(Code::E0455, leaf.op.span, what);
        new.with_label("each past event would have to be kept")
            .help("compare with `==`, or with a value that is written in the policy")
    };
    cx.report_once(new);
    false
}

/// Whether a condition reads the current event. What is nested in another selection is about its own events.
fn has_current(cond: &Cond, cx: &Cx<'_>) -> bool {
    cond.walk().flat_map(CondPart::paths).any(|path| is_current(path, cx))
}

/// Whether a path belongs to the current event: it starts with `now`, or at a node of a quantifier around the selection.
fn is_current(path: &Path, cx: &Cx<'_>) -> bool {
    if is_now(path) {
        return true;
    }
    let PathKind::Short(steps) = &path.source().kind else { return false };
    matches!(steps.first(), Some(Step::Name(name)) if cx.bound.iter().any(|bound| bound.name == *name))
}

/// The path from the current event.
fn without_now(path: &Path) -> Path {
    if !is_now(path) {
        return path.clone();
    }
    match &path.kind {
        PathKind::View(view) => {
            let source = without_now(&view.source);
            let text = path.text.replacen(&*view.source.text, &source.text, 1).into();
            let view = View { kind: view.kind, source, rest: view.rest.clone() };
            Path { span: path.span, text, kind: PathKind::View(Box::new(view)) }
        }
        PathKind::Short(steps) => {
            let rest: Vec<Step> = steps.iter().skip(1).cloned().collect();
            let text: &str = path.text.strip_prefix("now").unwrap_or(&path.text);
            let text = text.strip_prefix('.').unwrap_or(text);
            Path { span: tail(path, text.len()), text: text.into(), kind: PathKind::Short(rest.into()) }
        }
        PathKind::Query(_) | PathKind::Recall(_) => path.clone(),
    }
}

/// The span of the last bytes of a path that is written without escapes.
fn tail(path: &Path, length: usize) -> Span {
    let span = path.span;
    if span.range().len() != path.text.len() {
        return span;
    }
    Span::new(span.source, span.range().end.saturating_sub(length)..span.range().end)
}
