//! Reads one hook, and the hooks that a subscription expands to.

use std::collections::HashMap;

use hookc_schema::decode::{Fields, YAML, listed};
use hookc_schema::dialect::workflow::{HOOK, POINTS};
use hookc_schema::suggest::nearest_spelling;
use hookc_schema::tree::{Action, Cond, Family, Hook, OnError, UncomparedSpan};
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, Span, Spanned};

use super::args::{self, Args};
use super::level::Level;
use super::names::Names;
use super::{FIRST, READ, SUBSCRIBED};
use crate::expr::path::PathCache;
use crate::front::common;
use crate::limits;

/// The values of `inject_as` that are not names in the context.
const SPECIAL: [&str; 2] = ["_prompt", "_system_prompt"];

/// The timing points after the last prompt of a step.
const NO_PROMPT: [&str; 2] = ["post_action", "on_error"];

/// The spelling of `null` in other languages.
const NOTHING: [&str; 4] = ["none", "nil", "~", "undefined"];

/// The hooks of a file while it is read.
#[derive(Debug, Default)]
pub(super) struct Reader {
    pub(super) hooks: Vec<Hook>,
    pub(super) names: Names,
    /// The subscribed artifacts and their spans.
    subscribed: HashMap<String, Span>,
    /// Written hooks that equal the expansion of a subscription.
    expanded: Vec<Spanned<String>>,
}

/// The keys of a hook; `None` for a missing or invalid one.
#[derive(Default)]
struct Draft {
    params: Vec<(Spanned<String>, Value)>,
    artifact: Option<Spanned<String>>,
    inject_as: Option<Spanned<String>>,
    args: Args,
    on_error: Option<Spanned<OnError>>,
    max_retries: Option<Span>,
}

impl Reader {
    /// Reads the hooks of a level: its subscriptions, then its own.
    pub(super) fn level(&mut self, level: &Level<'_>, out: &mut Diagnostics) {
        if let Some(member) = level.subscribed {
            self.subscriptions(member, level, out);
        }
        let Some(member) = level.hooks.filter(|member| member.value.kind != Kind::Null) else { return };
        if !matches!(member.value.kind, Kind::Map(_)) {
            return out.push(no_points(&member.value));
        }
        let Some(points) = POINTS.read(&member.value, YAML, out) else { return };
        out.extend(points.others.iter().map(|point| unknown_point(&point.key)));
        for (at, key) in POINTS.keys.iter().enumerate() {
            let Some(point) = points.member(key.name) else { continue };
            for item in points.items(key.name) {
                if let Some(hook) = self.hook(item, &point.key, at, level, out) {
                    self.hooks.push(hook);
                }
            }
        }
    }

    /// Reads a hook; `None` after an error was reported.
    fn hook(
        &mut self,
        value: &Value,
        point: &Spanned<String>,
        at: usize,
        level: &Level<'_>,
        out: &mut Diagnostics,
    ) -> Option<Hook> {
        let start = out.errors();
        if !matches!(value.kind, Kind::Map(_)) {
            let new = YAML.wrong(value, "a hook", "a mapping");
            out.push(new.help("write `- artifact_id: name`, and its other keys below"));
            return None;
        }
        let fields = HOOK.read(value, YAML, out)?;
        let draft = Draft::read(&fields, out);
        let cond = common::guard(&fields, value.span, limits::NESTING, (&mut PathCache::default(), out));
        draft.retries(out);
        draft.targets(point, out);
        if out.errors() > start {
            return None;
        }
        Some(self.finish(draft, value.span, point, at, level.condition(cond, out)))
    }

    fn finish(
        &mut self,
        draft: Draft,
        span: Span,
        point: &Spanned<String>,
        at: usize,
        condition: Option<Cond>,
    ) -> Hook {
        let index = self.hooks.len();
        self.names.used(draft.args.names, at, index);
        if let Some(name) = &draft.inject_as {
            self.names.injected(name, at, index);
        }
        if let (Some(artifact), Some(target), 0) = (&draft.artifact, &draft.inject_as, at) {
            let method =
                draft.params.iter().any(|(key, value)| key.node == "method" && value.as_str() == Some(READ));
            if method && target.node.strip_prefix(SUBSCRIBED) == Some(artifact.node.as_str()) {
                self.expanded.push(artifact.clone());
            }
        }
        let kind = draft.artifact.map_or(span, |artifact| artifact.span);
        hook(span, point.clone(), condition, invoke(span, kind, draft.params), draft.on_error)
    }

    fn subscriptions(&mut self, member: &Member, level: &Level<'_>, out: &mut Diagnostics) {
        if member.value.kind == Kind::Null {
            return;
        }
        for item in YAML.list(&member.value, "`subscribed_artifacts`", out).unwrap_or_default() {
            let Some(id) = text(item, "a subscribed artifact", out) else { continue };
            if let Some(first) = self.subscribed.get(&id.node) {
                let what = format!("duplicate subscription `{}`", id.node);
                let new = Diagnostic::new(Code::W0607, id.span, what).with_label("read again");
                out.push(new.also(*first, "the first time").help("remove one of the two"));
            } else {
                self.subscribed.insert(id.node.clone(), id.span);
            }
            let target = Spanned::new(format!("{SUBSCRIBED}{}", id.node), id.span);
            self.names.injected(&target, 0, self.hooks.len());
            let param = |key: &str, text: &str| {
                let value = Value::string(args::literal(text), id.span);
                (Spanned::new(key.to_owned(), id.span), value)
            };
            let params =
                vec![param("artifact", &id.node), param("method", READ), param("inject_as", &target.node)];
            let point = Spanned::new(FIRST.to_owned(), member.key.span);
            let condition = level.condition(None, out);
            self.hooks.push(hook(id.span, point, condition, invoke(id.span, id.span, params), None));
        }
    }

    /// Reports hooks that repeat a subscription.
    pub(super) fn repeated(&self, out: &mut Diagnostics) {
        for artifact in &self.expanded {
            let Some(sugar) = self.subscribed.get(&artifact.node) else { continue };
            let what = format!("`{}` is read twice: it is also subscribed", artifact.node);
            let new = Diagnostic::new(Code::W0276, artifact.span, what).with_label("read here");
            let new = new.also(*sugar, "subscribed here");
            out.push(new.help("remove one of the two: a subscription is such a hook"));
        }
    }
}

impl Draft {
    fn read(fields: &Fields<'_>, out: &mut Diagnostics) -> Self {
        let mut draft = Self { on_error: fields.word("on_error", OnError::CHOICES), ..Self::default() };
        for (key, member) in fields.sound() {
            let (name, value, span) = (key.becomes.unwrap_or(key.name), &member.value, member.key.span);
            match key.name {
                "artifact_id" => {
                    draft.artifact = fields.string(key.name);
                    draft.literal(name, span, draft.artifact.clone());
                }
                "method" => draft.literal(name, span, fields.string(key.name)),
                "args" if value.kind != Kind::Null => {
                    let value = draft.args.lower(value, out);
                    draft.param(name, span, value);
                }
                "inject_as" => draft.target(span, value, out),
                "max_retries" => {
                    draft.max_retries = Some(span);
                    draft.param(name, span, value.clone());
                }
                _ => {}
            }
        }
        draft
    }

    fn param(&mut self, key: &str, span: Span, value: Value) {
        self.params.push((Spanned::new(key.to_owned(), span), value));
    }

    fn literal(&mut self, key: &str, span: Span, text: Option<Spanned<String>>) {
        if let Some(text) = text {
            self.param(key, span, Value::string(args::literal(&text.node), text.span));
        }
    }

    /// Reads `inject_as`: a name, a special target, or nothing.
    fn target(&mut self, key: Span, value: &Value, out: &mut Diagnostics) {
        if value.kind == Kind::Null || value.as_str() == Some("null") {
            return self.param("inject_as", key, Value::new(Kind::Null, value.span));
        }
        let Some(name) = text(value, "`inject_as`", out) else { return };
        out.extend(near_special(&name));
        self.inject_as = Some(name.clone());
        self.literal("inject_as", key, Some(name));
    }

    /// Reports targets that nothing reads.
    fn targets(&self, point: &Spanned<String>, out: &mut Diagnostics) {
        let Some(target) = &self.inject_as else { return };
        let name = target.node.as_str();
        if SPECIAL.contains(&name) && NO_PROMPT.contains(&point.node.as_str()) {
            let new = Diagnostic::new(Code::W0295, target.span, format!("`{name}` at `{}`", point.node));
            let new = new.with_label("no prompt follows").also(point.span, "the timing point");
            out.push(new.help("inject it at `pre_decision`, or under another name"));
        } else if name.contains('.') {
            let new =
                Diagnostic::new(Code::W0296, target.span, format!("`inject_as: {name}` contains a dot"));
            let new = new.with_label("one name, including the dot");
            let new = new.note(format!("`{{{name}}}` reads a member of another value and finds nothing"));
            out.push(new.help(format!("write a name such as `{}`", name.replace('.', "_"))));
        }
    }

    fn retries(&self, out: &mut Diagnostics) {
        let retry = self.on_error.is_some_and(|on| on.node == OnError::Retry);
        if let Some(span) = self.max_retries.filter(|_| !retry) {
            let new = Diagnostic::new(Code::W0281, span, "`max_retries` needs `on_error: retry`");
            out.push(new.with_label("no effect").help("write `on_error: retry`, or remove it"));
        }
    }
}

fn hook(
    span: Span,
    event: Spanned<String>,
    condition: Option<Cond>,
    action: Action,
    on_error: Option<Spanned<OnError>>,
) -> Hook {
    Hook { condition, on_error, ..Hook::new(span, vec![event], Family::Workflow, action) }
}

fn invoke(span: Span, kind: Span, params: Vec<(Spanned<String>, Value)>) -> Action {
    Action {
        span: UncomparedSpan(span),
        kind: Spanned::new("invoke".to_owned(), kind),
        params,
        templates: true,
    }
}

/// Reads a non-empty string; anything else is reported.
fn text(value: &Value, what: &str, out: &mut Diagnostics) -> Option<Spanned<String>> {
    let text = YAML.string(value, what, out)?;
    if text.node.trim().is_empty() {
        let new = Diagnostic::new(Code::E0203, value.span, format!("{what} is empty"));
        out.push(new.with_label("empty").help("write a name"));
        return None;
    }
    Some(text)
}

fn near_special(name: &Spanned<String>) -> Option<Diagnostic> {
    let text = name.node.as_str();
    let lower = text.to_ascii_lowercase();
    let near = match NOTHING.contains(&lower.as_str()) || lower == "null" {
        true => "null",
        false if text.starts_with('_') && !SPECIAL.contains(&text) => nearest_spelling(text, SPECIAL)?,
        false => return None,
    };
    let new = Diagnostic::new(Code::W0278, name.span, format!("`{text}` is an ordinary name in the context"));
    Some(new.with_label("not a special target").did_you_mean(Some(near), name.span))
}

fn unknown_point(key: &Spanned<String>) -> Diagnostic {
    let new = Diagnostic::new(Code::E0275, key.span, format!("unknown timing point `{}`", key.node));
    let new = new.with_label("unknown").help(format!("the timing points are {}", listed(POINTS.names())));
    new.did_you_mean(POINTS.near(&key.node), key.span)
}

/// The diagnostic for `hooks` that is not a mapping of timing points.
fn no_points(value: &Value) -> Diagnostic {
    let new = YAML.wrong(value, "`hooks`", "a mapping of timing points");
    let events = match &value.kind {
        Kind::Seq(items) => items.iter().any(|item| item.get("event").is_some()),
        _ => false,
    };
    new.help(if events {
        "hooks with an `event` belong to a hooks file: read it with `--dialect hooks-yaml`"
    } else {
        "write a timing point such as `pre_decision:` with a list of hooks"
    })
}
