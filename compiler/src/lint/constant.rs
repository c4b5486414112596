//! Conditions that are always true or never (W0604): constants that decide
//! their group, and leaves of a group that exclude each other.

use hookc_schema::tree::{Cond, CondKind, Quantifier};
use hookc_schema::{Code, Diagnostic, Diagnostics, Span};

use super::SharedFacts;
use super::contradiction::{self, Clash};
use crate::ir::LowCond;

/// The value that a condition certainly has at every event.
pub(crate) fn value(cond: &LowCond, facts: &mut SharedFacts) -> Option<bool> {
    Judge { facts, causes: Vec::new() }.cond(cond, None).value
}

/// Like [`value`], but also reports what makes parts of a condition constant. `tree` is the source of `cond`: it has the
/// spans. The parts that hooks share are reported once.
pub(crate) fn report(
    cond: &LowCond,
    tree: &Cond,
    facts: &mut SharedFacts,
    out: &mut Diagnostics,
) -> Option<bool> {
    let mut judge = Judge { facts, causes: Vec::new() };
    let verdict = judge.cond(cond, Some(tree));
    let mut causes = judge.causes;
    if let (Some(value), false, false) = (verdict.value, verdict.reported, *cond == LowCond::Const(true)) {
        causes.push(Cause { span: Some(tree.span), value, clash: None });
    }
    let whole = verdict.value.map(|value| match value {
        true => "the hook always matches",
        false => "the hook never matches; to disable a hook, write `enabled: false`",
    });
    out.extend(causes.iter().filter_map(|cause| cause.report(whole)));
    verdict.value
}

/// The result of analysing a condition.
struct Verdict {
    /// Its value, if that is certain.
    value: Option<bool>,
    /// Whether the reason has been reported.
    reported: bool,
}

/// Why a part of a condition is constant.
struct Cause {
    span: Option<Span>,
    value: bool,
    clash: Option<Clash>,
}

impl Cause {
    fn report(&self, whole: Option<&str>) -> Option<Diagnostic> {
        let (span, clash) = (self.span?, self.clash.as_ref());
        let new = match (clash, self.value) {
            (None, value) => {
                let when = if value { "always" } else { "never" };
                Diagnostic::new(Code::W0604, span, format!("this condition is {when} true"))
                    .with_label(format!("{when} true"))
            }
            (Some(clash), false) => {
                Diagnostic::new(Code::W0604, clash.second, "these conditions contradict each other")
                    .with_label(clash.why)
                    .also(clash.first, "with this")
            }
            (Some(clash), true) => {
                Diagnostic::new(Code::W0604, clash.second, "one of these conditions is always true")
                    .with_label("true if the other is false")
                    .also(clash.first, "the other")
                    .help("if you mean both, write `all` instead of `any`")
            }
        };
        Some(match whole {
            Some(whole) => new.note(whole),
            None => new,
        })
    }
}

/// Analyses conditions.
struct Judge<'f> {
    facts: &'f mut SharedFacts,
    causes: Vec<Cause>,
}

impl Judge<'_> {
    /// Recursion is bounded by the nesting that front ends let through.
    fn cond(&mut self, cond: &LowCond, tree: Option<&Cond>) -> Verdict {
        let id = cond.shared();
        if let Some(known) = id.and_then(|id| self.facts.values.get(&id)) {
            return Verdict { value: *known, reported: true };
        }
        let verdict = self.contents(cond, tree);
        self.facts.values.extend(id.map(|id| (id, verdict.value)));
        verdict
    }

    fn contents(&mut self, cond: &LowCond, tree: Option<&Cond>) -> Verdict {
        match cond {
            LowCond::Const(value) => Verdict { value: Some(*value), reported: false },
            LowCond::Test(_) | LowCond::Effects(_) | LowCond::Past(_) => {
                Verdict { value: None, reported: false }
            }
            LowCond::Not(part) => {
                let tree = tree.and_then(|tree| match &tree.kind {
                    CondKind::Not(part) => Some(part.as_ref()),
                    CondKind::Quantified(_) => Some(tree),
                    _ => None,
                });
                let inner = self.cond(part, tree);
                Verdict { value: inner.value.map(|value| !value), reported: inner.reported }
            }
            LowCond::Some(some) => self.quantified(&some.node.cond, tree),
            LowCond::All(parts) => self.group(parts, tree, true),
            LowCond::Any(parts) => self.group(parts, tree, false),
        }
    }

    /// A condition that is true for no node makes `some` false; one that is true for all says
    /// nothing, because there may be no node.
    fn quantified(&mut self, cond: &LowCond, tree: Option<&Cond>) -> Verdict {
        let inner = match tree.map(|tree| &tree.kind) {
            Some(CondKind::Quantified(inner)) => Some(inner.as_ref()),
            _ => None,
        };
        let every = inner.is_some_and(|inner| inner.quantifier == Quantifier::Every);
        let tree = inner.map(|inner| &inner.cond);
        let verdict = match cond {
            LowCond::Not(part) if every => {
                let inner = self.cond(part, tree);
                Verdict { value: inner.value.map(|value| !value), ..inner }
            }
            _ => self.cond(cond, tree),
        };
        Verdict { value: verdict.value.filter(|value| !value), ..verdict }
    }

    /// `all` (neutral true, decided by a false) or `any` (the other way round).
    fn group(&mut self, parts: &[LowCond], tree: Option<&Cond>, neutral: bool) -> Verdict {
        let trees: &[Cond] = match tree.map(|tree| &tree.kind) {
            Some(CondKind::All(trees) | CondKind::Any(trees)) => trees,
            _ => &[],
        };
        let (mut decided, mut open, mut reported) = (false, false, false);
        for (at, part) in parts.iter().enumerate() {
            let tree = trees.get(at);
            let verdict = self.cond(part, tree);
            reported |= verdict.reported;
            open |= verdict.value.is_none();
            if verdict.value == Some(!neutral) {
                if !verdict.reported && !decided {
                    self.causes.push(Cause {
                        span: tree.map(|tree| tree.span),
                        value: !neutral,
                        clash: None,
                    });
                }
                decided = true;
            }
        }
        if decided {
            return Verdict { value: Some(!neutral), reported: true };
        }
        if !open {
            return Verdict { value: Some(neutral), reported };
        }
        match contradiction::find(parts, neutral) {
            Some(clash) => {
                self.causes.push(Cause { span: Some(clash.second), value: !neutral, clash: Some(clash) });
                Verdict { value: Some(!neutral), reported: true }
            }
            None => Verdict { value: None, reported },
        }
    }
}
