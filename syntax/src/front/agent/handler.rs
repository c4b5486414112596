//! Reads a handler: its type, its keys, and the resulting action.

use hookc_schema::agents::{Agent, Key, Kind as Type};
use hookc_schema::decode::{JSON, intended, misspelt, short};
use hookc_schema::tree::{Action, OnFailure, UncomparedSpan};
use hookc_schema::value::{Kind, Member, Number, Value};
use hookc_schema::vocab::{Type as Of, Vocabulary};
use hookc_schema::{Code, Diagnostic, Span, Spanned};

use super::file::At;
use super::{Cx, matcher};
use crate::front::common::inner;
use crate::front::json;
use crate::front::settings::words;

/// The result of reading a handler.
pub(super) struct Handler {
    pub(super) action: Action,
    pub(super) description: Option<Spanned<String>>,
    pub(super) on_failure: Option<Spanned<OnFailure>>,
    pub(super) enabled: Option<Spanned<bool>>,
}

/// Reads a handler. An invalid one is reported and omitted.
pub(super) fn handler(at: &At<'_>, value: &Value, members: &[Member], cx: &mut Cx<'_>) -> Option<Handler> {
    let kind = kind(value, members, cx)?;
    if let Some(new) = skipped(at, kind, members, cx) {
        cx.emit(new);
        return None;
    }
    let start = cx.out.errors();
    let mut draft = Draft { kind, params: Vec::new(), on_failure: None };
    for member in members {
        draft.member(member, cx);
    }
    draft.command(value, cx);
    draft.timeout(at, cx);
    let sound = cx.out.errors() == start;
    let text = |key: &str| members.iter().rev().find(|member| member.key.node == key);
    let description = text("description").and_then(|member| {
        let text = member.value.as_str()?;
        Some(Spanned::new(text.to_owned(), member.value.span))
    });
    let named = ["name", "command"].iter().filter_map(|key| text(key)?.value.as_str().map(str::to_owned));
    let off = named.into_iter().any(|name| cx.disabled.contains(&name));
    let on_failure = draft.on_failure;
    let place = text("type").map_or_else(|| short(value), |member| member.value.span);
    let action = draft.finish(place, value.span, cx);
    let enabled = off.then(|| Spanned::new(false, value.span));
    sound.then_some(Handler { action, description, on_failure, enabled })
}

/// The type of a handler: the written one, otherwise inferred from its keys.
fn kind(value: &Value, members: &[Member], cx: &mut Cx<'_>) -> Option<&'static Type> {
    let types = &cx.form.handler.types;
    let has = |key: &String| members.iter().any(|member| member.key.node == *key);
    let Some(written) = members.iter().rev().find(|member| member.key.node == "type") else {
        let meant = types.iter().find(|kind| kind.needs.iter().any(has));
        if meant.is_some() && cx.form.handler.untyped {
            return meant;
        }
        let new = without_type(value, meant, cx);
        cx.emit(new);
        return None;
    };
    let name = JSON.string(&written.value, "a handler's `type`", cx.out)?;
    let found = types.iter().find(|kind| kind.name == name.node);
    let wrong = match found {
        None => Some(unknown_type(&name.node, inner(&written.value), cx)),
        Some(kind) if !kind.needs.is_empty() && !kind.needs.iter().any(has) => {
            Some(without_needed(value, kind, cx))
        }
        Some(_) => None,
    };
    match wrong {
        Some(new) => {
            cx.emit(new);
            None
        }
        None => found,
    }
}

/// What to write as the type of a handler.
fn write_type(cx: &Cx<'_>) -> String {
    let types = cx.form.handler.types.iter().filter(|kind| !kind.skipped);
    let names: Vec<_> = types.map(|kind| format!("`{}`", kind.name)).collect();
    format!("write one of {} as its `type`", names.join(", "))
}

/// A handler without a type; `meant` is that to which its keys belong.
fn without_type(value: &Value, meant: Option<&Type>, cx: &Cx<'_>) -> Diagnostic {
    let (types, is_untyped) = (&cx.form.handler.types, cx.form.handler.untyped);
    let known = known(cx);
    let misspelled = |key: &str| Some(misspelt(intended(value, key, &known)?, "a handler", key));
    let found = match is_untyped {
        true => types.iter().flat_map(|kind| &kind.needs).find_map(|key| misspelled(key)),
        false => misspelled("type"),
    };
    if let Some(new) = found {
        return new;
    }
    let (key, help) = match meant {
        Some(kind) => ("type", format!("add `\"type\": \"{}\"`", kind.name)),
        None if is_untyped => ("command", "add `\"command\": \"...\"`".to_owned()),
        None => ("type", write_type(cx)),
    };
    let new = Diagnostic::new(Code::E0202, short(value), format!("a handler needs `{key}`"));
    new.with_label(format!("no `{key}` here")).help(help)
}

fn unknown_type(name: &str, span: Span, cx: &mut Cx<'_>) -> Diagnostic {
    let help = write_type(cx);
    if cx.form.handler.unconverted.iter().any(|known| known == name) {
        let what = format!("hookc cannot convert handlers of {} of type `{name}`", cx.agent.label);
        return Diagnostic::new(Code::W0234, span, what).with_label("the handler is ignored").help(help);
    }
    let types = &cx.form.handler.types;
    let near = cx.near(name, types.iter().map(|kind| kind.name.as_str()));
    let new = Diagnostic::new(Code::E0204, span, format!("unknown handler type `{name}`"));
    new.with_label("nothing would run it").help(help).did_you_mean(near, span)
}

/// A handler without any of the keys that its type needs.
fn without_needed(value: &Value, kind: &Type, cx: &Cx<'_>) -> Diagnostic {
    let what = format!("a `{}` handler", kind.name);
    let known = known(cx);
    let meant = |key: &String| Some(misspelt(intended(value, key, &known)?, &what, key));
    if let Some(new) = kind.needs.iter().find_map(meant) {
        return new;
    }
    let message = format!("{what} needs `{}`", kind.needs.join("` or `"));
    let first = kind.needs.first().map_or("command", String::as_str);
    let new = Diagnostic::new(Code::E0202, short(value), message).with_label("missing");
    new.help(format!("add `\"{first}\": \"...\"`"))
}

/// The keys of a handler, and those next to it.
fn known(cx: &Cx<'_>) -> Vec<&'static str> {
    let keys = cx.form.handler.keys.iter().map(|key| key.name.as_str());
    keys.chain(cx.form.entry.iter().map(String::as_str)).chain(["type"]).collect()
}

/// The warning for a handler that the agent does not run.
fn skipped(at: &At<'_>, kind: &Type, members: &[Member], cx: &Cx<'_>) -> Option<Diagnostic> {
    let last = |key: &str| members.iter().rev().find(|member| member.key.node == key);
    let here = kind.except.contains(&at.known.name);
    let span = inner(&last("type").filter(|_| kind.skipped || here)?.value);
    let event = if here { format!(" at `{}`", at.known.name) } else { String::new() };
    let message = format!("{} skips handlers of type `{}`{event}", cx.agent.label, kind.name);
    let help = "write a `command` handler";
    Some(Diagnostic::new(Code::W0635, span, message).with_label("never runs").help(help))
}

/// A handler under construction.
struct Draft {
    kind: &'static Type,
    params: Vec<(Spanned<String>, Value)>,
    on_failure: Option<Spanned<OnFailure>>,
}

impl Draft {
    fn member(&mut self, member: &Member, cx: &mut Cx<'_>) {
        let (key, span) = (member.key.node.as_str(), member.key.span);
        match cx.form.handler.key(key) {
            Some(Key { param: None, .. }) => {}
            Some(known) => self.param(known, member, cx),
            None if key == "type" || matcher::is_note(key) => {}
            None if !cx.agent.groups && cx.form.entry.iter().any(|known| known == key) => {}
            None => {
                let keys = cx.form.handler.keys.iter().map(|key| key.name.as_str());
                let near = cx.near(key, keys.chain(["type"]));
                let message = format!("{} does not read the key `{key}` of a handler", cx.agent.label);
                let new = Diagnostic::new(Code::W0232, span, message).with_label("not read");
                cx.emit(new.help(words::remove(key)).did_you_mean(near, span));
            }
        }
    }

    fn param(&mut self, known: &Key, member: &Member, cx: &mut Cx<'_>) {
        let Some(param) = known.param.as_deref() else { return };
        let (what, value) = (format!("`{}`", known.name), &member.value);
        if param == "fail_closed" {
            let is_closed = match &known.yes {
                Some(yes) => JSON.text(value, &what, cx.out).is_some_and(|text| text.value == *yes),
                None => JSON.boolean(value, &what, cx.out).is_some_and(|closed| closed.node),
            };
            self.on_failure =
                is_closed.then(|| Spanned::new(OnFailure::Closed, value.span)).or(self.on_failure.take());
            return;
        }
        let Some(of) = type_of(&self.kind.action, param) else {
            let message = format!("a `{}` handler has no key `{}`", self.kind.name, known.name);
            let new = Diagnostic::new(Code::W0232, member.key.span, message).with_label("not read");
            return cx.emit(new.help("remove it"));
        };
        let value = match of {
            Of::Number => seconds(known, member, cx),
            Of::Boolean => JSON.boolean(value, &what, cx.out).map(|_| json::last(value)),
            Of::Object => JSON.mapping(value, &what, cx.out).map(|_| json::last(value)),
            Of::Array => JSON.list(value, &what, cx.out).map(|_| json::last(value)),
            _ => JSON.text(value, &what, cx.out).map(|_| value.clone()),
        };
        // If several keys set one parameter, the first one that the type lists is read.
        let first = self.kind.needs.iter().position(|need| *need == known.name).unwrap_or(0);
        if let Some(value) = value {
            let at = self.params.iter().position(|(name, _)| name.node == param);
            match at.and_then(|at| self.params.get_mut(at)) {
                Some(old) if first == 0 => *old = (Spanned::new(param.to_owned(), member.key.span), value),
                Some(_) => {}
                None => self.params.push((Spanned::new(param.to_owned(), member.key.span), value)),
            }
        }
    }

    /// Reads the command; reports a handler with a command for PowerShell only.
    fn command(&mut self, value: &Value, cx: &mut Cx<'_>) {
        let has = self.params.iter().any(|(name, _)| name.node == "command");
        if has || self.kind.action != "run" {
            return;
        }
        let Some(command) = value.get("powershell") else { return };
        if JSON.text(command, "`powershell`", cx.out).is_some() {
            let name = |name: &str| Spanned::new(name.to_owned(), command.span);
            self.params.push((name("command"), command.clone()));
            self.params.push((name("shell"), Value::string("powershell", command.span)));
        }
    }

    /// Reports a timeout that the agent cuts at an event.
    fn timeout(&self, at: &At<'_>, cx: &mut Cx<'_>) {
        let timeout = self.params.iter().find(|(name, _)| name.node == "timeout");
        let Some((longest, (_, value))) = at.known.longest.zip(timeout) else { return };
        let Kind::Num(number) = &value.kind else { return };
        if number.compare(&Number(longest.to_string())).is_gt() {
            let (label, event) = (&cx.agent.label, &at.known.name);
            let what = format!("{label} ends a handler at `{event}` after {longest} seconds");
            let new = Diagnostic::new(Code::W0656, value.span, what).with_label("longer than that");
            cx.emit(new.note("it cuts a longer timeout").help(format!("write `{longest}` or less")));
        }
    }

    fn finish(mut self, kind: Span, span: Span, cx: &Cx<'_>) -> Action {
        let place = Spanned::new(self.kind.action.clone(), kind);
        let name = |name: &str| Spanned::new(name.to_owned(), span);
        if self.kind.action == "run" {
            // A command without a timeout has none here: the runtime knows how long the agent waits for it.
            self.params.push((name("result"), Value::string(cx.form.result.as_str(), span)));
        } else if !self.params.iter().any(|(name, _)| name.node == "timeout") {
            let seconds = Number(cx.form.handler.timeout.to_string());
            self.params.push((name("timeout"), Value::new(Kind::Num(seconds), span)));
        }
        Action { span: UncomparedSpan(span), kind: place, params: self.params, templates: false }
    }
}

/// The type of an action's parameter; `None` if the action has no such parameter.
fn type_of(action: &str, param: &str) -> Option<Of> {
    let vocabulary = Vocabulary::builtin();
    let declared = vocabulary.actions.get(action)?.params.get(param)?;
    declared.types.types().next()
}

/// A duration in seconds.
fn seconds(known: &Key, member: &Member, cx: &mut Cx<'_>) -> Option<Value> {
    let value = &member.value;
    let Kind::Num(number) = &value.kind else {
        let unit = if known.divide > 1 { "milliseconds" } else { "seconds" };
        let what = format!("`{}`", known.name);
        let new = JSON.wrong(value, &what, &format!("a number of {unit}"));
        cx.emit(new.help("write a number such as `30000`"));
        return None;
    };
    let text = &number.0;
    let whole = text.bytes().all(|byte| byte.is_ascii_digit());
    let first = || (Spanned::new(number.clone(), value.span), 0);
    let is_small = number.compare(&Number(known.from.to_string())).is_lt();
    let is_fraction = || text.parse::<f64>().is_ok_and(|seconds| seconds.fract() != 0.0);
    if cx.form.handler.whole && is_fraction() {
        let new = JSON.wrong(value, &format!("`{}`", known.name), "a whole number of seconds");
        cx.emit(new.help("write a number such as `30`"));
        return None;
    }
    if is_small {
        return Some(value.clone());
    }
    if known.divide == 1 {
        if words::thousands(number).is_some() || number.compare(&Number("3600".to_owned())).is_gt() {
            cx.long.get_or_insert_with(first).1 += 1;
        }
        return Some(value.clone());
    }
    if !whole || text.len() > 12 {
        let what = format!("`{}`", known.name);
        let new = JSON.wrong(value, &what, "a whole number of milliseconds");
        cx.emit(new.help("write a number such as `30000`"));
        return None;
    }
    if number.compare(&Number(SHORTEST.to_string())).is_lt() && text != "0" {
        cx.short.get_or_insert_with(first).1 += 1;
    }
    let total: u64 = text.parse().ok()?;
    let (seconds, rest) = (total / u64::from(known.divide), total % u64::from(known.divide));
    let decimal = format!("{seconds}.{rest:03}");
    let decimal = if rest == 0 { seconds.to_string() } else { decimal.trim_end_matches('0').to_owned() };
    Some(Value::new(Kind::Num(Number(decimal)), value.span))
}

/// The shortest plausible timeout in milliseconds: a process hardly starts and ends faster.
const SHORTEST: u32 = 500;

/// The warning for timeouts that look like seconds.
pub(super) fn too_short(agent: &Agent, first: &Spanned<Number>, count: usize) -> Diagnostic {
    let ms = first.node.text();
    let message = match count {
        1 => format!("a `timeout` of {ms} ms looks like seconds"),
        count => format!("{count} timeouts look like seconds: the first is {ms} ms"),
    };
    let new = Diagnostic::new(Code::W0286, first.span, message).with_label("seconds?");
    let new =
        new.note(format!("{} reads it in milliseconds and stops the handler after that time", agent.label));
    new.did_you_mean(Some(&format!("{ms}000")), first.span)
}
