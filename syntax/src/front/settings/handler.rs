//! Reads a handler: its type, its keys, and the resulting action.

use hookc_schema::decode::{JSON, intended, listed, missing, misspelt};
use hookc_schema::dialect::settings::{FAILS, GROUP, TYPED};
use hookc_schema::tree::{Action, Cond, OnFailure, UncomparedSpan};
use hookc_schema::value::{Kind, Member, Number, Text, Value};
use hookc_schema::{Code, Diagnostic, Span, Spanned};

use super::agent::{self, HandlerType};
use super::extra::{self, Extra};
use super::{Cx, rule, words};
use crate::front::common::inner;
use crate::front::json;

/// The result of reading a handler.
pub(super) struct Handler {
    pub(super) rule: Vec<Cond>,
    pub(super) action: Action,
    pub(super) extra: Extra,
    /// Whether it is a typed action of the language.
    pub(super) typed: bool,
}

/// Reads a handler; `flat` if it is outside a group.
pub(super) fn handler(
    event: &Spanned<String>,
    value: &Value,
    members: &[Member],
    flat: bool,
    cx: &mut Cx<'_>,
) -> Option<Handler> {
    let last = |key: &str| members.iter().rev().find(|member| member.key.node == key);
    let start = cx.out.errors();
    let read = match (last("type"), last("action")) {
        (Some(kind), Some(action)) => {
            let message = "a handler has both `type` and `action`";
            let new = Diagnostic::new(Code::E0205, action.key.span, message).with_label("the second");
            let new = new.also(kind.key.span, "the first");
            cx.report(
                new.help("write `type` for a handler of the agent, or `action` for an action of hookc"),
            );
            None
        }
        (Some(kind), None) => {
            let known = type_of(kind, cx)?;
            Draft::new(event, known, &kind.value, flat).read(value, cx)
        }
        (None, Some(_)) => typed(value, flat, cx),
        (None, None) => {
            let field = ["command", "prompt", "url"].iter().find_map(|key| last(key));
            cx.report(match (kindless(value), field) {
                (Some(new), _) => new,
                (None, Some(field)) => untyped(value, field),
                (None, None) => missing(value, "a handler", "type")
                    .help(format!("write one of {} as its `type`", types())),
            });
            None
        }
    };
    let sound = cx.out.errors() == start;
    read.filter(|_| sound)
}

/// Reports a misspelled `type` or `action` of a handler.
pub(super) fn kindless(value: &Value) -> Option<Diagnostic> {
    let handlers = agent::types().iter().flat_map(|kind| kind.table.names());
    let known: Vec<&str> = handlers.chain(TYPED.names()).chain(GROUP.names()).collect();
    let meant = |key: &str| Some(misspelt(intended(value, key, &known)?, "a handler", key));
    meant("type").or_else(|| meant("action"))
}

/// Reports a handler with an action but without a type.
pub(super) fn untyped(value: &Value, field: &Member) -> Diagnostic {
    let meant = match field.key.node.as_str() {
        "prompt" => "prompt",
        "url" => "http",
        _ => "command",
    };
    missing(value, "a handler", "type").help(format!("add `\"type\": \"{meant}\"`"))
}

fn types() -> String {
    listed(agent::types().iter().map(HandlerType::name))
}

fn type_of(kind: &Member, cx: &mut Cx<'_>) -> Option<&'static HandlerType> {
    let name = JSON.string(&kind.value, "a handler's `type`", cx.out)?;
    let known = agent::types().iter().find(|one| one.name() == name.node);
    if known.is_none() {
        let names: Vec<&str> = agent::types().iter().map(HandlerType::name).collect();
        let near = cx.near(&name.node, &names);
        let message = format!("unknown handler type `{}`", name.node);
        let span = inner(&kind.value);
        let new = Diagnostic::new(Code::E0204, span, message).with_label("nothing would run it");
        cx.report(new.help(format!("write one of {} as its `type`", types())).did_you_mean(near, span));
    }
    known
}

/// Reads a typed action and the keys of the language next to it.
fn typed(value: &Value, flat: bool, cx: &mut Cx<'_>) -> Option<Handler> {
    let fields = TYPED.read(value, JSON, cx.out)?;
    for member in &fields.others {
        match member.key.node.as_str() {
            "matcher" if flat => {}
            key if words::is_comment(key) => cx.comment(&member.key),
            _ => cx.report(TYPED.unknown(TYPED.what, &member.key)),
        }
    }
    let extra = Extra::read(&fields, cx);
    let action = extra::action(fields.value("action")?, cx)?;
    Some(Handler { rule: Vec::new(), action, extra, typed: true })
}

/// A handler of a known type under construction.
struct Draft<'e> {
    event: &'e Spanned<String>,
    known: &'static HandlerType,
    /// The value of `type`.
    kind: Span,
    flat: bool,
    params: Vec<(Spanned<String>, Value)>,
    rule: Vec<Cond>,
    extra: Extra,
}

impl<'e> Draft<'e> {
    fn new(event: &'e Spanned<String>, known: &'static HandlerType, kind: &Value, flat: bool) -> Self {
        let (params, rule, extra) = (Vec::new(), Vec::new(), Extra::default());
        Self { event, known, kind: kind.span, flat, params, rule, extra }
    }

    fn read(mut self, value: &Value, cx: &mut Cx<'_>) -> Option<Handler> {
        let fields = self.known.table.read(value, JSON, cx.out)?;
        self.extra = Extra::read(&fields, cx);
        for (key, member) in fields.sound() {
            match (key.name, key.becomes) {
                ("if", _) => self.rule(member, cx),
                ("onFailure", _) => self.fails(&member.value),
                // The last of several equal keys wins.
                ("on_failure", _) => self.extra.0.on_failure = fields.word("on_failure", OnFailure::CHOICES),
                (_, Some(param)) => self.param(param, member, cx),
                _ => {}
            }
        }
        for member in &fields.others {
            match member.key.node.as_str() {
                "matcher" if self.flat => {}
                key if words::is_comment(key) => cx.comment(&member.key),
                _ => self.unread(member, cx),
            }
        }
        Some(self.finish(value.span, cx))
    }

    fn fails(&mut self, value: &Value) {
        let found = FAILS.iter().find(|(word, _)| value.as_str() == Some(word));
        self.extra.0.on_failure = found.map(|(_, meaning)| Spanned::new(*meaning, value.span));
    }

    fn unread(&self, member: &Member, cx: &mut Cx<'_>) {
        let (key, span) = (&member.key.node, member.key.span);
        let names: Vec<&str> = self.known.table.names().collect();
        let near = cx.near(key, &names);
        let is_of_group = GROUP.key(key).is_some();
        let message = format!("{} has no key `{key}`", self.known.table.what);
        let new = Diagnostic::new(Code::W0232, span, message).with_label("not read");
        let owner = agent::types().iter().find(|one| one.table.key(key).is_some());
        cx.report(match owner {
            Some(owner) => new.help(format!("`{key}` applies to handlers of type `{}`", owner.name())),
            None if is_of_group => {
                new.help(format!("`{key}` is a key of the group: write it next to `hooks`"))
            }
            None => new.help(words::remove(key)).did_you_mean(near, span),
        });
    }

    fn param(&mut self, param: &str, member: &Member, cx: &mut Cx<'_>) {
        if param == "once" && !cx.skill {
            let message = "`once` applies only to the hooks of a skill";
            let new = Diagnostic::new(Code::W0232, member.key.span, message).with_label("not read");
            return cx.report(new.help("remove it: the handler runs every time"));
        }
        if param == "timeout" {
            seconds(&member.value, cx);
        }
        self.put(param, member.key.span, json::last(&member.value));
    }

    /// Sets a parameter; the last value wins.
    fn put(&mut self, name: &str, key: Span, value: Value) {
        self.params.retain(|(known, _)| known.node != name);
        self.params.push((Spanned::new(name.to_owned(), key), value));
    }

    fn rule(&mut self, member: &Member, cx: &mut Cx<'_>) {
        let value = &member.value;
        let Kind::Str(text) = &value.kind else { return };
        if !agent::has_rules(&self.event.node) {
            cx.report(never(self.event, value));
            self.extra.switch_off(value.span);
            return;
        }
        let Some(lowered) = rule::lower(text, value.span, cx.out) else { return };
        self.rule = vec![lowered.cond];
        self.params.retain(|(known, _)| known.node != "if");
        if !lowered.whole {
            cx.report(carried(text, value));
            self.put("if", member.key.span, value.clone());
        }
    }

    fn finish(mut self, span: Span, cx: &mut Cx<'_>) -> Handler {
        self.exec(cx);
        let injects = self.flat && self.known.name() == "prompt" && self.params.len() == 1;
        let kind = if injects { "inject" } else { &self.known.data.action };
        if injects {
            self.params.iter_mut().for_each(|(name, _)| name.node = "text".to_owned());
        }
        if self.known.data.action == "run" {
            let result = if self.flat { "flat" } else { "agent" };
            self.put("result", self.kind, Value::string(result, self.kind));
        }
        let has = |name: &str| self.params.iter().any(|(known, _)| known.node == name);
        let background = self.is("async") || self.is("rewake");
        let default = self.known.default_seconds(&self.event.node).filter(|_| !self.flat && !background);
        if let Some(seconds) = default.filter(|_| !has("timeout")) {
            self.put("timeout", self.kind, Value::new(Kind::Num(Number(seconds.to_string())), self.kind));
        }
        let kind = Spanned::new(kind.to_owned(), self.kind);
        let action = Action { span: UncomparedSpan(span), kind, params: self.params, templates: false };
        Handler { rule: self.rule, action, extra: self.extra, typed: false }
    }

    fn is(&self, name: &str) -> bool {
        self.params.iter().any(|(known, value)| known.node == name && value.kind == Kind::Bool(true))
    }

    /// With `args`, `command` is a program that no shell reads.
    fn exec(&mut self, cx: &mut Cx<'_>) {
        let Some(at) = self.params.iter().position(|(name, _)| name.node == "command") else { return };
        let Some((_, Value { kind: Kind::Seq(items), .. })) =
            self.params.iter_mut().find(|(name, _)| name.node == "argv")
        else {
            return;
        };
        let rest = std::mem::take(items);
        let (_, command) = self.params.remove(at);
        if let Some((_, Value { kind: Kind::Seq(items), .. })) =
            self.params.iter_mut().find(|(name, _)| name.node == "argv")
        {
            items.push(command);
            items.extend(rest);
        }
        if let Some(at) = self.params.iter().position(|(name, _)| name.node == "shell") {
            let (key, _) = self.params.remove(at);
            let new = Diagnostic::new(Code::W0232, key.span, "`shell` has no effect next to `args`");
            let new = new.with_label("not read").note("with `args`, the program starts without a shell");
            cx.report(new.help("remove it, or write everything in `command`"));
        }
    }
}

/// Records a number of seconds that looks like another unit.
fn seconds(value: &Value, cx: &mut Cx<'_>) {
    let Kind::Num(number) = &value.kind else { return };
    let round = words::thousands(number).is_some();
    if round || number.compare(&Number("3600".to_owned())).is_gt() {
        let first = || (Spanned::new(number.clone(), value.span), 0);
        cx.long.get_or_insert_with(first).1 += 1;
    }
}

fn never(event: &Spanned<String>, value: &Value) -> Diagnostic {
    let message = format!("a handler of `{}` with `if` never runs", event.node);
    let new = Diagnostic::new(Code::W0240, value.span, message).with_label("the event has no tool");
    new.help(format!("`if` applies to the events {}; use `when` for others", agent::rule_events().join(", ")))
}

fn carried(text: &Text, value: &Value) -> Diagnostic {
    let message = format!("the runtime checks the rule `{}`", text.value);
    let new = Diagnostic::new(Code::N0241, value.span, message)
        .with_label("only the tool is part of the condition");
    new.note(
        "no condition on a field is equivalent: a command line has several commands, and a path \
              depends on the directory",
    )
}
