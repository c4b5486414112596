//! Actions: kinds, parameters, defaults, templates.

use hookc_base::action;
use hookc_base::json::key_order;
use hookc_schema::dialect::meant;
use hookc_schema::tree::{Action, CondKind, Family};
use hookc_schema::value::{Kind, Value};
use hookc_schema::vocab::{ActionKind, ParamType, ToolField};
use hookc_schema::{Code, Diagnostic, Span, Spanned};
use hookc_syntax::front::settings::permission_rule;

use super::event::Scope;
use super::param::{self, Param};
use super::{Cx, answer, argv, because, rewrite, template, tool_names, value};
use crate::ir::{CheckedAction, CheckedParam};
use crate::tools;
use crate::tools::member::{Member, Missing, member};

/// An action with checked parameters and parsed templates, for any event.
pub(super) struct Draft<'a> {
    kind: &'a str,
    /// The kind, if it is a built-in one.
    known: Option<action::Kind>,
    /// Whether its strings are templates.
    typed: bool,
    /// In RFC 8785 key order, defaults filled in.
    params: Vec<BoundParam<'a>>,
}

struct BoundParam<'a> {
    name: &'a str,
    declared: &'a ParamType,
    span: Span,
    draft: template::Draft,
    /// Whether it is the vocabulary's default and was not written.
    default: bool,
}

impl BoundParam<'_> {
    fn param<'p>(&'p self, kind: &'p str) -> Param<'p> {
        Param { kind, name: self.name, declared: self.declared, span: self.span }
    }
}

/// Checks an action; `None` after an error.
pub(super) fn read<'a>(action: &'a Action, cx: &mut Cx<'a>) -> Option<Draft<'a>> {
    let vocabulary = cx.vocabulary;
    let kind = action.kind.node.as_str();
    let Some(declared) = vocabulary.actions.get(kind) else {
        let near = cx.near.find(kind, vocabulary.actions.keys().map(String::as_str));
        let meant = || meant::action_kind(kind).filter(|meant| vocabulary.actions.contains_key(*meant));
        let near = near.or_else(meant);
        let what = format!("unknown action kind `{kind}`");
        let span = action.kind.span;
        cx.report(Diagnostic::new(Code::E0406, span, what).with_label("unknown").did_you_mean(near, span));
        return None;
    };
    let given: Vec<_> = action.params.iter().map(|param| bind_param(action, declared, param, cx)).collect();
    let missing = missing(action, declared, cx);
    let mut params = given.into_iter().collect::<Option<Vec<_>>>()?;
    let drafts = argv::Params(params.iter().map(|given| (given.name, &given.draft)).collect());
    let is_data = argv::check(action, &drafts, cx);
    let choices = choices(action, declared, cx);
    if missing || !choices || !is_data {
        return None;
    }
    params.extend(defaults(action, declared));
    params.sort_by(|a, b| key_order(a.name, b.name));
    Some(Draft { kind, known: action.known(), typed: action.templates, params })
}

fn bind_param<'a>(
    action: &'a Action,
    declared: &'a ActionKind,
    (name, value): &'a (Spanned<String>, Value),
    cx: &mut Cx<'a>,
) -> Option<BoundParam<'a>> {
    let draft = template::read(value, action.templates, cx);
    let Some(declared) = declared.params.get(&name.node) else {
        let near = cx.near.find(&name.node, declared.params.keys().map(String::as_str));
        cx.report(unknown(action, declared, name, near));
        return None;
    };
    let given = BoundParam { name: &name.node, declared, span: value.span, draft: draft?, default: false };
    let fits = given.param(&action.kind.node).check(&given.draft, cx);
    fits.then_some(given)
}

fn unknown(action: &Action, declared: &ActionKind, name: &Spanned<String>, near: Option<&str>) -> Diagnostic {
    let kind = &action.kind.node;
    let what = format!("`{kind}` has no parameter `{}`", name.node);
    let new = Diagnostic::new(Code::E0407, name.span, what).with_label("unknown");
    let names: Vec<&str> = declared.params.keys().map(String::as_str).collect();
    let is_key = hookc_schema::dialect::hooks::HOOK.key(&name.node).is_some_and(|key| !key.legacy);
    match (near, names.is_empty()) {
        _ if is_key => {
            new.help(format!("`{}` is a key of the hook: write it next to `action`, not in it", name.node))
        }
        (Some(_), _) => new.did_you_mean(near, name.span),
        (None, true) => new.help(format!("`{kind}` has no parameters")),
        (None, false) => new.help(format!("its parameters are `{}`", names.join("`, `"))),
    }
}

/// Reports missing required parameters.
fn missing(action: &Action, declared: &ActionKind, cx: &mut Cx<'_>) -> bool {
    // Few parameters are declared, so that each may look at all that are given.
    let given = |wanted: &str| {
        let mut last = action.params.iter().rev();
        last.find(|(name, _)| name.node == wanted).map(|(_, value)| value)
    };
    let mut any = false;
    for (name, param) in &declared.params {
        if param.default.is_some() || given(name).is_some() {
            continue;
        }
        let because = param.required_if.as_ref().filter(|(other, value)| {
            let default = || declared.params.get(other).and_then(|other| other.default.as_ref());
            let other = given(other).or_else(default);
            other.is_some_and(|other| other.same(value))
        });
        if param.required || because.is_some() {
            cx.report(absent(action, name, param, because));
            any = true;
        }
    }
    any
}

/// Exactly one parameter of each group of alternatives must be given.
fn choices(action: &Action, declared: &ActionKind, cx: &mut Cx<'_>) -> bool {
    let kind = &action.kind.node;
    let mut fine = true;
    for group in &declared.one_of {
        let mut given = action.params.iter().map(|(name, _)| name).filter(|name| group.contains(&name.node));
        let names = || group.join("` or `");
        let new = match (given.next(), given.next()) {
            (Some(_), None) => continue,
            (None, _) => {
                Diagnostic::new(Code::E0408, action.kind.span, format!("`{kind}` needs `{}`", names()))
                    .with_label("all of them are missing")
                    .help("add one of them")
            }
            (Some(first), Some(second)) => {
                let what = format!("`{kind}` takes `{}` or `{}`, not both", first.node, second.node);
                Diagnostic::new(Code::E0403, second.span, what)
                    .with_label("extra")
                    .also(first.span, "the other")
                    .help("remove one of them")
            }
        };
        cx.report(new);
        fine = false;
    }
    fine
}

fn absent(action: &Action, name: &str, param: &ParamType, because: Option<&(String, Value)>) -> Diagnostic {
    let kind = &action.kind.node;
    let when = match because {
        Some((other, value)) => match value.as_str() {
            Some(text) => format!(" when `{other}` is `{text}`"),
            None => format!(" with this `{other}`"),
        },
        None => String::new(),
    };
    let shape =
        param.allowed.as_deref().and_then(param::one_of).unwrap_or_else(|| value::describe(param.types));
    Diagnostic::new(Code::E0408, action.kind.span, format!("`{kind}` needs `{name}`{when}"))
        .with_label(format!("`{name}` is missing"))
        .help(format!("add `{name}`: {shape}"))
}

fn defaults<'a>(action: &'a Action, declared: &'a ActionKind) -> impl Iterator<Item = BoundParam<'a>> {
    let given = move |wanted: &str| action.params.iter().any(|(name, _)| name.node == wanted);
    let absent = declared.params.iter().filter(move |(name, _)| !given(name));
    absent.filter_map(|(name, param)| {
        let default = value::sorted_copy(param.default.as_ref()?);
        let draft = template::Draft::Const(default);
        Some(BoundParam { name, declared: param, span: action.kind.span, draft, default: true })
    })
}

/// The action at one event type, which hooks of a dialect's family name; `None`
/// after an error.
pub(super) fn resolve(
    action: &Draft<'_>,
    dialect: Family,
    event: &str,
    scope: &Scope,
    cx: &mut Cx<'_>,
) -> Option<CheckedAction> {
    let at = answer::At { dialect, typed: action.typed, event, scope };
    let resolved: Vec<_> = action.params.iter().map(|given| resolve_param(action, given, &at, cx)).collect();
    let mut params = resolved.into_iter().collect::<Option<Vec<_>>>()?;
    let has = |name: &str| params.iter().any(|(other, _)| other == name);
    if let Some((name, value)) = because::default(action.known, has, cx) {
        params.push((name.to_owned(), CheckedParam { value, declared: None }));
        params.sort_by(|(a, _), (b, _)| key_order(a, b));
    }
    Some(CheckedAction { kind: action.kind.to_owned(), params })
}

/// Checks a permission rule in a policy; `false` after an error.
fn rule(kind: &str, text: &str, span: Span, cx: &mut Cx<'_>) -> bool {
    let Some(cond) = permission_rule(text, span) else {
        let what = format!("`if` of `{kind}` is a permission rule, and `{text}` is not");
        let help = "write `Tool` or `Tool(pattern)`, such as `Bash(git *)`; write other conditions as `when`";
        cx.report_once(Diagnostic::new(Code::E0435, span, what).with_label("expected one rule").help(help));
        return false;
    };
    let names = match &cond.kind {
        CondKind::Leaf(leaf) => {
            tool_names::check(leaf, &tool_names::Conditions::default(), &cx.tools, &mut cx.tool_names)
        }
        _ => Vec::new(),
    };
    let misspelled = !names.is_empty();
    cx.report_all_once(names);
    if !misspelled && tools::excludes(&cond, cx.narrowed.whole(), &mut cx.tools) {
        let what = "this `if` is never true: the condition of the hook is for other tools";
        let new = Diagnostic::new(Code::W0240, span, what).with_label("never runs");
        cx.report_once(new.help("name the tool that the condition names, or remove `if`"));
    }
    true
}

/// Checks the names of a new input against those of the possible tools.
fn inputs(draft: &template::Draft, cx: &mut Cx<'_>) {
    let keys: Vec<&Spanned<String>> = match draft {
        template::Draft::Map(members) => members.iter().map(|(key, _)| key).collect(),
        template::Draft::Const(Value { kind: Kind::Map(members), .. }) => {
            members.iter().map(|member| &member.key).collect()
        }
        _ => Vec::new(),
    };
    for key in keys {
        let elsewhere = match member(&cx.tools, cx.here, ToolField::Input, &key.node) {
            Member::Open | Member::Declared(_) => continue,
            Member::Elsewhere(tools) => tools,
            Member::Nowhere => Vec::new(),
        };
        let missing =
            Missing { name: &key.node, part: ToolField::Input, set: cx.here, span: key.span, is_name: false };
        if let Some(new) = missing.report(&elsewhere, &cx.tools, &mut cx.near) {
            cx.report_once(new);
        }
    }
}

/// The declared type is only relevant for a placeholder.
fn resolve_param(
    action: &Draft<'_>,
    given: &BoundParam<'_>,
    at: &answer::At<'_>,
    cx: &mut Cx<'_>,
) -> Option<(String, CheckedParam)> {
    let constant = match &given.draft {
        template::Draft::Const(value) => Some(value),
        _ => None,
    };
    let default = constant.filter(|_| given.default);
    let default = default.and_then(|value| at.default(action.known, given.name, value));
    let text = default.as_ref().or(constant).and_then(Value::as_str);
    if let Some(reported) = at.check(action.known, given.name, text, given.span) {
        cx.report(reported);
        return None;
    }
    let modifies = |name: &str| (action.known, given.name) == (Some(action::Kind::Modify), name);
    if modifies("rewrite")
        && let Some(reported) = rewrite::check(constant, given.span)
    {
        cx.report(reported);
        return None;
    }
    if given.name == "if" && at.takes_rule(action.known) && !rule(action.kind, text?, given.span, cx) {
        return None;
    }
    if modifies("input") && at.scope.has_tools() {
        inputs(&given.draft, cx);
    }
    let default = default.map(template::Draft::Const);
    let value = default.as_ref().unwrap_or(&given.draft).resolve(at.scope, cx)?;
    given.param(action.kind).check_field(&given.draft, at.scope, cx);
    let declared = given.draft.has_hole().then(|| Box::new(given.declared.clone()));
    Some((given.name.to_owned(), CheckedParam { value, declared }))
}
