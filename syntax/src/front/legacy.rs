//! Actions in legacy syntax, `{primary, item_type, item_id, params}`, which files of thread
//! runtimes use in YAML and in XML. Each is converted to an action of the language, with a note; an
//! error is reported if there is no equivalent.
//!
//! | older form | read as |
//! |---|---|
//! | execute a directive | `call_directive` |
//! | execute the tool `.../internal/control` | the kind that its `action` names |
//! | execute the tool `.../internal/emitter` | `emit_event` |
//! | any other | `invoke` of `<item_type>:<item_id>`, the primary as method |

use hookc_schema::decode::listed as list;
use hookc_schema::suggest::nearest;
use hookc_schema::tree::{Action, UncomparedSpan};
use hookc_schema::value::{Kind, Member, Text, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, Span, Spanned};

use super::text_map::{self, Builder};

const PRIMARIES: [&str; 5] = ["execute", "load", "fetch", "search", "sign"];
const TYPES: [&str; 3] = ["directive", "tool", "knowledge"];

/// The actions of the control tool by their `action`, with the parameters that have other names in
/// the language.
const CONTROLS: [(&str, &[(&str, &str)]); 6] = [
    ("retry", &[("max_attempts", "max_attempts"), ("max_retries", "max_attempts"), ("delay", "delay")]),
    ("fail", &[("error_message", "error_message"), ("error", "error_message"), ("message", "error_message")]),
    ("abort", &[]),
    ("continue", &[]),
    ("escalate", &[("target", "target"), ("timeout_seconds", "timeout_seconds")]),
    ("suspend", &[("suspend_reason", "suspend_reason"), ("reason", "suspend_reason")]),
];

type Param = (Spanned<String>, Value);

/// A legacy action as written; `None` for a missing part.
#[derive(Debug)]
pub(crate) struct LegacyAction {
    /// The whole action.
    pub(crate) span: Span,
    /// The span for diagnostics.
    pub(crate) at: Span,
    /// `primary`; `execute` when absent.
    pub(crate) primary: Option<Spanned<String>>,
    /// `item_type`; otherwise the prefix of `item_id` up to a colon.
    pub(crate) item_type: Option<Spanned<String>>,
    /// `item_id`
    pub(crate) item_id: Option<Spanned<Text>>,
    /// `params`
    pub(crate) params: Vec<Param>,
    /// `position` of the hook: the destination of the result.
    pub(crate) position: Option<Spanned<String>>,
}

impl LegacyAction {
    /// Converts it to an action of the language; reports an error with the result `None` if there
    /// is none.
    pub(crate) fn lower(mut self, out: &mut Diagnostics) -> Option<Action> {
        let primary = self.primary(out);
        let item = self.item(out);
        let (primary, (kind, id)) = (primary?, item?);
        let name = id.node.value.as_str();
        let (action, params) = match (primary.as_str(), kind.as_str()) {
            ("execute", "directive") => ("call_directive".to_owned(), self.call(&id)),
            ("execute", "tool") if name.ends_with("/internal/control") => self.control(out)?,
            ("execute", "tool") if name.ends_with("/internal/emitter") => {
                ("emit_event".to_owned(), self.emit())
            }
            _ => ("invoke".to_owned(), self.invoke(&primary, &kind, &id)),
        };
        let what = format!("hookc reads this action in legacy syntax as `{action}`");
        let note = Diagnostic::new(Code::N0270, self.at, what).with_label("legacy syntax");
        out.push(note.help(format!("write {}", written(&action, &params))));
        out.extend(ignored_keys(self.params.iter().map(|(name, _)| name)));
        out.extend(self.position.as_ref().map(|position| ignored_key("position", position.span)));
        let kind = Spanned::new(action, self.at);
        Some(Action { span: UncomparedSpan(self.span), kind, params, templates: true })
    }

    fn primary(&self, out: &mut Diagnostics) -> Option<String> {
        let Some(primary) = &self.primary else { return Some("execute".to_owned()) };
        known(primary, "primary", &PRIMARIES, out)
    }

    /// The type of the item, and its name without the type.
    fn item(&self, out: &mut Diagnostics) -> Option<(String, Spanned<Text>)> {
        let Some(id) = &self.item_id else {
            let new =
                Diagnostic::new(Code::E0202, self.at, "`item_id` is missing in an action in legacy syntax");
            out.push(new.with_label("no `item_id` here").help("write `type:` with an action kind"));
            return None;
        };
        if let Some(kind) = &self.item_type {
            return Some((known(kind, "item_type", &TYPES, out)?, id.clone()));
        }
        let Some((kind, rest)) = id.node.value.split_once(':') else {
            let what = "an action in legacy syntax does not name its target";
            let new = Diagnostic::new(Code::E0271, id.span, what).with_label("directive, tool or knowledge?");
            out.push(new.help(format!(
                "write `type: call_directive` for a directive, or `item_type:` with one of {}",
                list(TYPES)
            )));
            return None;
        };
        let start = id.node.value.len() - rest.len();
        let name = text_map::slice(&id.node, start..id.node.value.len());
        let kind = Spanned::new(kind.to_owned(), id.node.map.span(id.span, 0..start - 1));
        let span = id.node.map.span(id.span, start..id.node.value.len());
        Some((known(&kind, "item_id", &TYPES, out)?, Spanned::new(name, span)))
    }

    fn call(&mut self, id: &Spanned<Text>) -> Vec<Param> {
        let mut params = vec![self.param("directive", Value::new(Kind::Str(id.node.clone()), id.span))];
        if !self.params.is_empty() {
            let given = self.params_object();
            params.push(self.param("parameters", given));
        }
        params
    }

    fn invoke(&mut self, primary: &str, kind: &str, id: &Spanned<Text>) -> Vec<Param> {
        let mut artifact = Builder::default();
        format!("{kind}:").chars().for_each(|c| artifact.put(c, 0));
        artifact.copy(&id.node.value, 0);
        let artifact = artifact.finish(id.node.value.len(), &id.node.map);
        let method = self.primary.as_ref().map_or(self.at, |primary| primary.span);
        let mut params = vec![
            self.param("artifact", Value::new(Kind::Str(artifact), id.span)),
            self.param("method", Value::string(primary, method)),
        ];
        if !self.params.is_empty() {
            let given = self.params_object();
            params.push(self.param("args", given));
        }
        let position = self.position.take();
        params.extend(position.map(|at| self.param("inject_as", Value::string(at.node, at.span))));
        params
    }

    /// All parameters as one object.
    fn params_object(&mut self) -> Value {
        let params = std::mem::take(&mut self.params);
        Value::new(
            Kind::Map(params.into_iter().map(|(key, value)| Member { key, value }).collect()),
            self.span,
        )
    }

    fn control(&mut self, out: &mut Diagnostics) -> Option<(String, Vec<Param>)> {
        let names = || CONTROLS.iter().map(|(name, _)| *name);
        let Some(action) = self.take("action") else {
            let new = Diagnostic::new(Code::E0271, self.at, "`action` is missing for the control tool");
            out.push(
                new.with_label("no `action` in `params`")
                    .help(format!("write `type:` with one of {}", list(names()))),
            );
            return None;
        };
        let Some((kind, ours)) = CONTROLS.iter().find(|(name, _)| action.1.as_str() == Some(*name)) else {
            let new = Diagnostic::new(Code::E0271, action.1.span, "unknown action of the control tool");
            let near = action.1.as_str().and_then(|text| nearest(text, names()));
            let new =
                new.with_label("unknown action").help(format!("write `type:` with one of {}", list(names())));
            out.push(new.did_you_mean(near, action.1.span));
            return None;
        };
        let mut params: Vec<Param> = Vec::new();
        for (theirs, name) in *ours {
            if params.iter().all(|(known, _)| known.node != *name) {
                params.extend(
                    self.take(theirs).map(|(key, value)| (Spanned::new((*name).to_owned(), key.span), value)),
                );
            }
        }
        Some(((*kind).to_owned(), params))
    }

    fn emit(&mut self) -> Vec<Param> {
        ["event_type", "payload"].into_iter().filter_map(|name| self.take(name)).collect()
    }

    fn take(&mut self, name: &str) -> Option<Param> {
        let at = self.params.iter().position(|(key, _)| key.node == name)?;
        Some(self.params.remove(at))
    }

    fn param(&self, name: &str, value: Value) -> Param {
        (Spanned::new(name.to_owned(), self.at), value)
    }
}

/// The word if it is one of `all`; otherwise an error is reported.
fn known(word: &Spanned<String>, key: &str, names: &[&str], out: &mut Diagnostics) -> Option<String> {
    if names.contains(&word.node.as_str()) {
        return Some(word.node.clone());
    }
    let what = format!("no action is equivalent to this `{key}`, `{}`", word.node);
    let new = Diagnostic::new(Code::E0271, word.span, what).with_label("unknown");
    let new =
        new.help(format!("write one of {}, or `type:` with an action kind", list(names.iter().copied())));
    out.push(new.did_you_mean(nearest(&word.node, names.iter().copied()), word.span));
    None
}

/// The start of the equivalent action in current syntax.
fn written(action: &str, params: &[Param]) -> String {
    let names: Vec<&str> = params.iter().map(|(name, _)| name.node.as_str()).collect();
    match names.as_slice() {
        [] => format!("`type: {action}`"),
        names => format!("`type: {action}` with `{}`", names.join("`, `")),
    }
}

/// W0272 for keys without an equivalent in the language.
pub(crate) fn ignored_keys<'a>(names: impl Iterator<Item = &'a Spanned<String>>) -> Option<Diagnostic> {
    let names: Vec<_> = names.collect();
    let first = names.first()?;
    let text = list(names.iter().map(|name| name.node.as_str()));
    let verb = if names.len() == 1 { "is" } else { "are" };
    let new = Diagnostic::new(Code::W0272, first.span, format!("{text} in legacy syntax {verb} ignored"));
    let new = new.with_label("ignored");
    let rest = names.iter().skip(1);
    Some(
        rest.fold(new, |new, name| new.also(name.span, "ignored"))
            .help("remove it if no other program reads it"),
    )
}

/// W0272 for one key.
pub(crate) fn ignored_key(name: &str, span: Span) -> Diagnostic {
    let what = format!("`{name}` in legacy syntax is ignored");
    Diagnostic::new(Code::W0272, span, what)
        .with_label("ignored")
        .help("remove it if no other program reads it")
}
