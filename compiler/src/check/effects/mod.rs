//! Predicates about effects: their patterns, and the events that have effects.

mod declared;

use std::sync::Arc;

use hookc_base::text::Case;
use hookc_schema::tree::{self, Step};
use hookc_schema::value::Value;
use hookc_schema::vocab::{EventType, ToolField, Type};
use hookc_schema::{Code, Diagnostic, Diagnostics, Span, Spanned};
use hookc_shell::effects::{List, Predicate, Problem, Set, ToolRoles, Tools, check as check_patterns};

use super::Cx;
use super::event::Scope;
use crate::effects::from_tree;
use crate::fields::{PROMPT, SUCCEEDED};
use crate::ir::{ActionScope, EffectTest, LowCond, ReadPath, Test, TestRight};
use crate::lint::{self, effects::Declarations};

/// The field with the input of a tool.
const INPUT: &str = "tool_input";

pub(crate) use declared::Declared;
pub use declared::tool_roles;

/// The sets that a policy declares.
pub(crate) fn declared_sets(policy: &tree::Policy) -> Vec<Set> {
    Declared::new(&policy.declarations, &mut Diagnostics::new()).sets
}

/// Whether the patterns of a predicate are valid; what is wrong is reported.
pub(super) fn check(predicate: &tree::Predicate, span: Span, cx: &mut Cx<'_>) -> bool {
    if let tree::Predicate::Mentions(of) | tree::Predicate::Passed(of) = predicate
        && of.is_empty()
    {
        let what = format!("`{}` without a pattern is never true", predicate.name());
        let new = Diagnostic::new(Code::E0447, span, what).with_label("no pattern");
        cx.report(
            new.help("write a pattern, such as `mentions(/AKIA[0-9A-Z]{16}/)` or `passed('cargo test')`"),
        );
        return false;
    }
    match check_patterns(&from_tree(predicate), &cx.effects.sets, &cx.programs) {
        Ok(_) => {
            let Declared { sets, patterns, .. } = &cx.effects;
            let (programs, tools) = (&cx.programs, &cx.vocabulary.tools);
            let found = lint::effects::patterns(predicate, &Declarations { sets, patterns, programs, tools });
            cx.report_all_once(found);
            true
        }
        Err(problem) if cx.effects.is_faulty(&problem) => false,
        Err(problem) => {
            let new = wrong(&problem, predicate, span, cx);
            cx.report(new);
            false
        }
    }
}

/// The diagnostic for a pattern, at the pattern of the set if it is in one.
fn wrong(problem: &Problem, predicate: &tree::Predicate, span: Span, cx: &Cx<'_>) -> Diagnostic {
    let pattern = pattern(predicate, problem);
    let used = pattern.map_or(span, |pattern| pattern.node.map.span(pattern.span, problem.range.clone()));
    let in_set = problem.in_set.as_ref().and_then(|in_set| {
        let value = cx.effects.pattern(in_set)?;
        Some(value.span_within(in_set.range.clone()))
    });
    let mut new = Diagnostic::new(Code::E0447, in_set.unwrap_or(used), problem.message());
    new = new.with_label("this pattern");
    if in_set.is_some() {
        new = new.also(used, "used here");
    }
    match problem.help() {
        Some(help) => new.help(help),
        None => new,
    }
}

fn pattern<'p>(predicate: &'p tree::Predicate, problem: &Problem) -> Option<&'p tree::Pattern> {
    let list = match predicate {
        tree::Predicate::Mentions(of) | tree::Predicate::Passed(of) => of,
        _ => {
            let guard = predicate.guards().get(problem.guard)?;
            match problem.list {
                List::Of => &guard.of,
                List::Except => &guard.except,
                List::By => &guard.by,
                List::NotBy => &guard.not_by,
            }
        }
    };
    list.get(problem.at)
}

/// The predicate at one event type; `None` after an error.
pub(super) fn lower(
    predicate: &tree::Predicate,
    span: Span,
    scope: &Scope,
    cx: &mut Cx<'_>,
) -> Option<LowCond> {
    let asked = Asked::by(predicate);
    let Some(scope) = cx.effects.scope(asked, scope.declared.as_deref()) else {
        let new = no_effects(predicate.name(), asked, span, scope, cx);
        return cx.fail(new);
    };
    let low = from_tree(predicate);
    let mut bytes = Vec::new();
    low.encode(&cx.effects.sets, &mut bytes);
    let test = EffectTest { predicate: bytes.into(), scope };
    let low_cond = LowCond::Effects(Arc::new(Spanned::new(test, span)));
    Some(match low {
        Predicate::Passed(_) => LowCond::All([succeeded(span), low_cond].into()),
        _ => low_cond,
    })
}

/// `tool_ok == true`
fn succeeded(span: Span) -> LowCond {
    let path = ReadPath::Merged([Step::Name(SUCCEEDED.to_owned())].into());
    let truth = Value::new(hookc_schema::value::Kind::Bool(true), span);
    let right = TestRight::Value(truth.into());
    let test = Test { path, op: tree::Op::Eq, right, case: Case::Respected, never_list: true };
    LowCond::Test(Arc::new(Spanned::new(test, span)))
}

/// Where the actions of an event of a tool come from, without the declarations of a policy.
pub(crate) fn shipped_scope() -> Arc<ActionScope> {
    Declared::default().tool_scope()
}

/// Where the actions of a view of effects at `span` come from; `None` after an error.
pub(super) fn scope_of_view(span: Span, scope: &Scope, cx: &mut Cx<'_>) -> Option<Arc<ActionScope>> {
    let found = cx.effects.scope(Asked::Effects, scope.declared.as_deref());
    if found.is_none() {
        let new = no_effects("effects()", Asked::Effects, span, scope, cx);
        cx.report_once(new);
    }
    found
}

/// What is asked about an event.
#[derive(Clone, Copy)]
enum Asked {
    /// What it does.
    Effects,
    /// Its texts.
    Texts,
    /// What has succeeded.
    Success,
}

impl Asked {
    const fn by(predicate: &tree::Predicate) -> Self {
        match predicate {
            tree::Predicate::Passed(_) => Self::Success,
            tree::Predicate::Mentions(_) => Self::Texts,
            _ => Self::Effects,
        }
    }
}

/// The diagnostic for a predicate or a view at an event that does nothing.
fn no_effects(name: &str, asked: Asked, span: Span, scope: &Scope, cx: &Cx<'_>) -> Diagnostic {
    let event = scope.declared.as_ref().map_or("", |event| event.name.as_str());
    let what = match asked {
        Asked::Success => format!("`{name}` at `{event}`, which does not follow a tool"),
        Asked::Texts => format!("`{name}` at `{event}`, which has no texts"),
        Asked::Effects => format!("`{name}` at `{event}`, which has no effects"),
    };
    let fits = |event: &&EventType| cx.effects.scope(asked, Some(event)).is_some();
    let names = cx.vocabulary.events.values().filter(fits);
    let names: Vec<String> = names.map(|event| format!("`{}`", event.name)).collect();
    let new = Diagnostic::new(Code::E0446, span, what).with_label("not at this event");
    new.help(format!("the events are {}", names.join(", ")))
}

impl Declared {
    /// Where the actions of an event come from; `None` if it has none of those that are asked about.
    fn scope(&self, asked: Asked, event: Option<&EventType>) -> Option<Arc<ActionScope>> {
        let Some(event) = event else { return Some(self.tool_scope()) };
        let part = match asked {
            Asked::Success => ToolField::Response,
            Asked::Effects | Asked::Texts => ToolField::Input,
        };
        if event.schema.properties.values().any(|field| field.tool == Some(part)) {
            return Some(self.tool_scope());
        }
        if part == ToolField::Response {
            return None;
        }
        let roles = event.schema.roles();
        if !roles.is_empty() {
            return Some(self.event_scope(roles));
        }
        let prompt = event.schema.property(PROMPT).filter(|field| field.types.has(Type::String));
        let is_prompt = matches!(asked, Asked::Texts) && prompt.is_some();
        is_prompt.then(|| self.event_scope(vec![(PROMPT.to_owned(), "text".to_owned())]))
    }

    /// The actions of a tool, if the policy states its project.
    pub(super) fn stated_project(&self) -> Option<Arc<ActionScope>> {
        self.project.is_some().then(|| self.tool_scope())
    }

    /// The actions of a tool.
    fn tool_scope(&self) -> Arc<ActionScope> {
        let project = self.project.clone();
        let (input, tools) = (Some(INPUT), Arc::clone(self.tools()));
        Arc::new(ActionScope { input, tools, project })
    }

    /// The actions of an event whose fields have roles.
    fn event_scope(&self, inputs: Vec<(String, String)>) -> Arc<ActionScope> {
        let declared = vec![ToolRoles { name: "*".to_owned(), inputs: Some(inputs) }];
        let mut bytes = Vec::new();
        Tools { declared, ..Tools::default() }.encode(&mut bytes);
        Arc::new(ActionScope { input: None, tools: bytes.into(), project: self.project.clone() })
    }
}
