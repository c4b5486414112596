//! One hook, and the hooks that a subscription stands for.

use std::collections::HashMap;

use hookc_schema::suggest::{nearest, nearest_spelling};
use hookc_schema::tree::{Action, Cond, Family, Hook, OnError, UncomparedSpan};
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Code, Diagnostic, Span, Spanned};

use super::args::{self, Args};
use super::level::Level;
use super::names::Names;
use super::{POINTS, READ, SUBSCRIBED};
use crate::front::{hooks_yaml, shape};

const KEYS: [&str; 8] =
    ["artifact_id", "method", "args", "inject_as", "on_error", "max_retries", "condition", "when"];

/// Other names for a key, beside those that any key may have.
const OTHERS: [(&str, &[&str]); 5] = [
    ("artifact_id", &["artifact", "artifact_name", "tool", "target_artifact"]),
    ("method", &["function", "call"]),
    ("args", &["arguments", "params", "parameters", "input", "inputs", "kwargs"]),
    ("inject_as", &["inject", "inject_into", "output_key", "save_as"]),
    ("max_retries", &["retries", "max_attempts", "retry_count"]),
];

/// The targets of `inject_as` that mean more than a name in the context.
const SPECIAL: [&str; 2] = ["_prompt", "_system_prompt"];

/// The timing points behind the last prompt of a step.
const NO_PROMPT: [&str; 2] = ["post_action", "on_error"];

/// What other languages write for `null`.
const NOTHING: [&str; 4] = ["none", "nil", "~", "undefined"];

/// The hooks of a file so far.
#[derive(Debug, Default)]
pub(super) struct Reader {
    pub(super) hooks: Vec<Hook>,
    pub(super) names: Names,
    /// Each subscribed artifact, and where.
    subscribed: HashMap<String, Span>,
    /// The hooks that are written as subscriptions would be.
    expanded: Vec<Spanned<String>>,
}

/// The keys of a hook, each if it is there and sound.
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
    /// The hooks of a level: its subscriptions, then its own.
    pub(super) fn level(&mut self, level: &Level<'_>, out: &mut Vec<Diagnostic>) {
        if let Some(member) = level.subscribed {
            self.subscriptions(member, level, out);
        }
        let Some(member) = level.hooks.filter(|member| member.value.kind != Kind::Null) else { return };
        let Kind::Map(points) = &member.value.kind else {
            return out.push(no_points(&member.value));
        };
        for point in points {
            match POINTS.iter().position(|known| *known == point.key.node) {
                Some(at) => self.point(point, at, level, out),
                None => out.push(unknown_point(&point.key)),
            }
        }
    }

    fn point(&mut self, member: &Member, at: usize, level: &Level<'_>, out: &mut Vec<Diagnostic>) {
        let items = match &member.value.kind {
            Kind::Null => return,
            Kind::Map(_) => {
                let new = shape::wrong(&member.value, &format!("`{}`", member.key.node), "a list of hooks");
                return out.push(new.help("put `- ` before the hook's first key, and indent its other keys"));
            }
            _ => shape::list(&member.value, &format!("`{}`", member.key.node), out).unwrap_or_default(),
        };
        for item in items {
            if let Some(hook) = self.hook(item, &member.key, at, level, out) {
                self.hooks.push(hook);
            }
        }
    }

    /// Reads a hook; `None` when something in it is an error.
    fn hook(
        &mut self,
        value: &Value,
        point: &Spanned<String>,
        at: usize,
        level: &Level<'_>,
        out: &mut Vec<Diagnostic>,
    ) -> Option<Hook> {
        let start = out.len();
        let Kind::Map(members) = &value.kind else {
            let new = shape::wrong(value, "a hook", "a mapping");
            out.push(new.help("write `- artifact_id: name`, and its other keys below"));
            return None;
        };
        let mut draft = Draft::default();
        members.iter().for_each(|member| draft.read(member, out));
        let own = hooks_yaml::guard(value, out);
        let reported = out.get(start..).unwrap_or(&[]);
        if value.get("artifact_id").is_none() && !shape::misspelled(reported, "artifact_id") {
            out.push(
                shape::missing(value, "a hook", "artifact_id").help("write `artifact_id:` with its name"),
            );
        }
        draft.retries(out);
        draft.targets(point, out);
        if out.iter().skip(start).any(Diagnostic::is_error) {
            return None;
        }
        Some(self.finish(draft, value.span, point, at, level.condition(own, out)))
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

    fn subscriptions(&mut self, member: &Member, level: &Level<'_>, out: &mut Vec<Diagnostic>) {
        if member.value.kind == Kind::Null {
            return;
        }
        for item in shape::list(&member.value, "`subscribed_artifacts`", out).unwrap_or_default() {
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
            let point = Spanned::new(POINTS[0].to_owned(), member.key.span);
            let condition = level.condition(None, out);
            self.hooks.push(hook(id.span, point, condition, invoke(id.span, id.span, params), None));
        }
    }

    /// Tells of hooks that say again what a subscription says.
    pub(super) fn repeated(&self, out: &mut Vec<Diagnostic>) {
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
    fn read(&mut self, Member { key, value }: &Member, out: &mut Vec<Diagnostic>) {
        match key.node.as_str() {
            "artifact_id" => {
                self.artifact = text(value, "`artifact_id`", out);
                self.literal("artifact", key.span, self.artifact.clone());
            }
            "method" => {
                let method = text(value, "`method`", out);
                self.literal("method", key.span, method);
            }
            "args" => self.args(key, value, out),
            "inject_as" => self.target(key, value, out),
            "on_error" => self.on_error = shape::word(value, "`on_error`", OnError::CHOICES, out),
            "max_retries" => self.count(key, value, out),
            // Both are read together.
            "condition" | "when" => {}
            _ => out.push(unknown_key(key)),
        }
    }

    fn param(&mut self, key: &str, span: Span, value: Value) {
        self.params.push((Spanned::new(key.to_owned(), span), value));
    }

    fn literal(&mut self, key: &str, span: Span, text: Option<Spanned<String>>) {
        if let Some(text) = text {
            self.param(key, span, Value::string(args::literal(&text.node), text.span));
        }
    }

    fn args(&mut self, key: &Spanned<String>, value: &Value, out: &mut Vec<Diagnostic>) {
        match value.kind {
            Kind::Null => {}
            Kind::Map(_) => {
                let value = self.args.lower(value, out);
                self.param("args", key.span, value);
            }
            _ => {
                let new = shape::wrong(value, "`args`", "a mapping");
                out.push(new.help("write named arguments: `args: {name: value}`"));
            }
        }
    }

    /// `inject_as`: a name, a special target, or nothing.
    fn target(&mut self, key: &Spanned<String>, value: &Value, out: &mut Vec<Diagnostic>) {
        if value.kind == Kind::Null || value.as_str() == Some("null") {
            return self.param("inject_as", key.span, Value::new(Kind::Null, value.span));
        }
        let Some(name) = text(value, "`inject_as`", out) else { return };
        out.extend(near_special(&name));
        self.inject_as = Some(name.clone());
        self.literal("inject_as", key.span, Some(name));
    }

    fn count(&mut self, key: &Spanned<String>, value: &Value, out: &mut Vec<Diagnostic>) {
        match &value.kind {
            Kind::Num(number) if number.0.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.max_retries = Some(key.span);
                self.param("max_retries", key.span, value.clone());
            }
            Kind::Num(number) => {
                let what = format!("`max_retries` cannot be {}", number.0);
                let new = Diagnostic::new(Code::E0203, value.span, what).with_label("not a whole number");
                out.push(new.help("write a whole number, such as 3"));
            }
            _ => out.push(shape::wrong(value, "`max_retries`", "a whole number").help(
                "write, for \
                                                                                       example, 3",
            )),
        }
    }

    /// Targets that nothing reads.
    fn targets(&self, point: &Spanned<String>, out: &mut Vec<Diagnostic>) {
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

    fn retries(&self, out: &mut Vec<Diagnostic>) {
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

/// A string that is not empty; told if it is none.
fn text(value: &Value, what: &str, out: &mut Vec<Diagnostic>) -> Option<Spanned<String>> {
    let text = shape::string(value, what, out)?;
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

fn unknown_key(key: &Spanned<String>) -> Diagnostic {
    let other = OTHERS.iter().find(|(_, others)| others.contains(&key.node.as_str()));
    let near = other.map(|(name, _)| *name).or_else(|| nearest(&key.node, KEYS));
    let new = Diagnostic::new(Code::E0201, key.span, format!("a workflow hook has no key `{}`", key.node));
    let new = new.with_label("unknown").help(format!("its keys are `{}`", KEYS.join("`, `")));
    new.did_you_mean(near, key.span)
}

fn unknown_point(key: &Spanned<String>) -> Diagnostic {
    let near = nearest(&key.node, POINTS);
    let new = Diagnostic::new(Code::E0275, key.span, format!("unknown timing point `{}`", key.node));
    let new = new.with_label("unknown").help(format!("the timing points are `{}`", POINTS.join("`, `")));
    new.did_you_mean(near, key.span)
}

/// `hooks` that is no mapping of timing points.
fn no_points(value: &Value) -> Diagnostic {
    let new = shape::wrong(value, "`hooks`", "a mapping of timing points");
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
