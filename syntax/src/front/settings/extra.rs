//! The keys of the language in a handler or a group. The agent ignores them.

use hookc_schema::decode::{Fields, JSON};
use hookc_schema::tree::{Action, Cond, CondKind, Family, Hook, Section, UncomparedSpan};
use hookc_schema::value::Value;
use hookc_schema::{Span, Spanned};

use super::Cx;
use crate::expr::path::PathCache;
use crate::front::common::{Common, plain};
use crate::front::hooks_yaml;

/// The values of the keys.
#[derive(Debug, Default)]
pub(super) struct Extra(pub(super) Common);

impl Extra {
    /// Reads the keys.
    pub(super) fn read(fields: &Fields<'_>, cx: &mut Cx<'_>) -> Self {
        Self(Common::read(fields, JSON, &mut PathCache::default(), cx.out))
    }

    /// Whether the hook is disabled.
    pub(super) fn switch_off(&mut self, span: Span) {
        self.0.enabled = Some(Spanned::new(false, span));
    }

    /// Builds the hook of an event; missing keys of a handler are inherited from its group.
    pub(super) fn hook(self, event: &Spanned<String>, span: Span, group: &Self, made: HookParts) -> Hook {
        let (common, group) = (self.0, &group.0);
        let mut conds = made.matcher;
        conds.extend([group.condition.clone(), group.when.clone()].into_iter().flatten());
        conds.extend(made.rule);
        conds.extend([common.condition, common.when].into_iter().flatten());
        Hook {
            span: UncomparedSpan(span),
            id: common.id.or_else(|| group.id.clone()),
            events: vec![event.clone()],
            family: Family::Agent,
            section: Section::Hooks,
            priority: common.priority.or_else(|| group.priority.clone()),
            enabled: common.enabled.or(group.enabled),
            mode: common.mode.or(group.mode),
            condition: all(conds),
            action: made.action,
            on_error: common.on_error.or(group.on_error),
            on_failure: common.on_failure.or(group.on_failure),
            description: common.description.or_else(|| group.description.clone()),
            effects: Vec::new(),
            examples: if common.examples.is_empty() { group.examples.clone() } else { common.examples },
        }
    }
}

/// The parts of a hook that do not come from the keys of the language.
pub(super) struct HookParts {
    pub(super) matcher: Vec<Cond>,
    pub(super) rule: Vec<Cond>,
    pub(super) action: Action,
}

/// The conjunction of conditions, flattened.
fn all(mut conds: Vec<Cond>) -> Option<Cond> {
    let (first, last) = (conds.first()?.span, conds.last()?.span);
    if conds.len() == 1 {
        return conds.pop();
    }
    let span = if first.start <= last.end { first.to(last) } else { first };
    Some(Cond { span, kind: CondKind::All(conds.into()) })
}

/// `action`: typed, its strings are templates.
pub(super) fn action(value: &Value, cx: &mut Cx<'_>) -> Option<Action> {
    hooks_yaml::action(&plain(value), cx.out)
}
