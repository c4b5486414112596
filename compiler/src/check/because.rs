//! `${because}`: the sentence about what made the condition of a hook true.

use std::sync::Arc;

use hookc_base::action::Kind;
use hookc_schema::tree::{Path, PathKind, Step};
use hookc_schema::{Code, Diagnostic, Spanned};

use super::Cx;
use super::event::Scope;
use crate::ir::{EffectTest, LowCond, Reason, Rendered};

/// The name in a template.
const NAME: &str = "because";

/// The parameter of a denial that it is, if there is none.
const REASON: &str = "reason";

/// Whether a template asks for the sentence: the event has no such field.
pub(super) fn is_asked(path: &Path, scope: &Scope) -> bool {
    let is_name = |step: &Step| matches!(step, Step::Name(name) if name == NAME);
    let PathKind::Short(steps) = &path.kind else { return false };
    let is_field = || scope.declared.as_ref().is_some_and(|event| event.schema.property(NAME).is_some());
    matches!(&**steps, [step] if is_name(step)) && !is_field()
}

/// The sentence in a template; `None` after an error.
pub(super) fn resolve(path: &Path, cx: &mut Cx<'_>) -> Option<Rendered> {
    let Some(cond) = &cx.lowered else { return None };
    let reasons = reasons(cond);
    if reasons.is_empty() {
        let what = "`because` in a hook whose condition has no predicate about effects";
        let new = Diagnostic::new(Code::E0448, path.span, what).with_label("nothing to say");
        return cx.fail(new.help("write a condition such as `reads(@secrets)`, or write the reason as text"));
    }
    Some(Rendered::Because(reasons.into()))
}

/// The parameter of a denial without a reason, if a predicate makes each condition true.
pub(super) fn default(
    kind: Option<Kind>,
    has: impl Fn(&str) -> bool,
    cx: &Cx<'_>,
) -> Option<(&'static str, Rendered)> {
    let is_denial = matches!(kind, Some(Kind::Deny | Kind::Ask));
    let cond = cx.lowered.as_ref().filter(|_| is_denial && !has(REASON))?;
    is_always(cond, true).then(|| (REASON, Rendered::Because(reasons(cond).into())))
}

/// Whether each way to the truth of a condition is by a predicate about effects. The recursion is as deep as conditions
/// nest.
fn is_always(cond: &LowCond, truth: bool) -> bool {
    match cond {
        LowCond::Effects(_) => true,
        LowCond::Not(inner) => is_always(inner, !truth),
        LowCond::All(parts) | LowCond::Any(parts) => match matches!(cond, LowCond::All(_)) == truth {
            true => parts.iter().any(|part| is_always(part, truth)),
            false => !parts.is_empty() && parts.iter().all(|part| is_always(part, truth)),
        },
        LowCond::Const(_) | LowCond::Test(_) | LowCond::Some(_) | LowCond::Past(_) => false,
    }
}

/// The predicates of a condition in the order of writing, each with what has to be true so that it made the condition
/// true.
fn reasons(cond: &LowCond) -> Vec<Reason> {
    let mut reasons = Vec::new();
    collect(cond, true, &mut Vec::new(), &mut reasons);
    reasons
}

/// The recursion is as deep as conditions nest.
fn collect(cond: &LowCond, truth: bool, around: &mut Vec<LowCond>, reasons: &mut Vec<Reason>) {
    match cond {
        LowCond::Effects(test) => reasons.push(reason(test, around)),
        LowCond::Not(inner) => collect(inner, !truth, around, reasons),
        LowCond::All(parts) | LowCond::Any(parts) => {
            let is_each = matches!(cond, LowCond::All(_)) == truth;
            for part in parts.iter() {
                let before = around.len();
                if !is_each {
                    around.push(if truth { part.clone() } else { LowCond::Not(Arc::new(part.clone())) });
                }
                collect(part, truth, around, reasons);
                around.truncate(before);
            }
        }
        LowCond::Const(_) | LowCond::Test(_) | LowCond::Some(_) | LowCond::Past(_) => {}
    }
}

fn reason(test: &Arc<Spanned<EffectTest>>, around: &[LowCond]) -> Reason {
    let when = match around {
        [] => LowCond::Const(true),
        [one] => one.clone(),
        several => LowCond::All(several.into()),
    };
    Reason { when, effect: Arc::clone(test) }
}
