//! The strategy of an event type that files declare: all files must agree.

use foldhash::{HashMap, HashMapExt};
use hookc_schema::tree::Family;
use hookc_schema::vocab::Strategy;
use hookc_schema::{Code, Diagnostic, Diagnostics, Span};

use crate::ir::Checked;

/// The declarations of files by name (an event type has few families).
pub(super) type DeclaredStrategies = HashMap<String, Vec<DeclaredStrategy>>;

/// A strategy, and where it was declared.
#[derive(Clone, Copy, Debug)]
pub(super) struct DeclaredStrategy {
    pub(super) family: Family,
    pub(super) strategy: Strategy,
    span: Span,
}

/// Collects the strategies of all files and reports where two conflict. The first one applies.
pub(super) fn declared(policies: &[Checked], out: &mut Diagnostics) -> DeclaredStrategies {
    let mut strategies = DeclaredStrategies::new();
    for (family, name, strategy) in policies.iter().flat_map(|policy| &policy.strategies) {
        let said = DeclaredStrategy { family: *family, strategy: *strategy, span: name.span };
        let known = strategies.entry(name.node.clone()).or_default();
        match known.iter().find(|before| before.family == *family) {
            None => known.push(said),
            Some(before) if before.strategy != *strategy => out.push(disagree(&name.node, before, &said)),
            Some(_) => {}
        }
    }
    strategies
}

fn disagree(event: &str, before: &DeclaredStrategy, here: &DeclaredStrategy) -> Diagnostic {
    let message = format!("conflicting strategies of event `{event}`");
    let new = Diagnostic::new(Code::E0503, here.span, message);
    let new = new.with_label(format!("`{}` here", name(here.strategy)));
    let new = new.also(before.span, format!("`{}` here", name(before.strategy)));
    new.help("write the same `strategy` in both files, or in one of them only")
}

/// As written.
pub(super) fn name(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::First => "first",
        Strategy::All => "all",
    }
}
