//! The parameters of the action: those given, and valid placeholder values for the other required
//! ones.

use hookc_base::action::Kind;
use hookc_schema::tree::Family;
use hookc_schema::vocab::{ParamType, Type, Vocabulary};
use serde_json::{Value, json};

use super::spec::Spec;

/// Parameters with a text for people, which receive the summary.
const SAYS: [&str; 5] = ["reason", "message", "error_message", "text", "prompt"];

/// All parameters, in the order of their output.
pub(super) fn params(spec: &Spec, handler: Option<&str>) -> Vec<(String, Value)> {
    let mut params = handler.map(|path| handled(spec, path)).unwrap_or_default();
    let declared = Vocabulary::builtin();
    if let Some(kind) = declared.actions.get(spec.action.as_str()) {
        let given = |name: &String| spec.params.iter().any(|(key, _)| key == name);
        for (name, param) in &kind.params {
            let has = params.iter().any(|(key, _)| key == name) || given(name);
            let first = kind.one_of.iter().any(|group| group.first() == Some(name) && handler.is_none());
            let other = kind.one_of.iter().any(|group| group.contains(name) && group.iter().any(given));
            let says = SAYS.contains(&name.as_str()) && !spec.summary.is_empty() && kind.one_of.is_empty();
            if !has && !other && (param.required || first || says) {
                params.push((name.clone(), value(spec, name, param)));
            }
        }
    }
    for (name, value) in &spec.params {
        params.retain(|(key, _)| key != name);
        params.push((name.clone(), value.clone()));
    }
    params
}

/// The parameters that refer to the handler.
fn handled(spec: &Spec, path: &str) -> Vec<(String, Value)> {
    let path = format!("./{path}");
    if spec.action != Kind::Run {
        return vec![("file".to_owned(), path.into())];
    }
    let mut params =
        vec![("argv".to_owned(), json!([path])), ("result".to_owned(), result(spec.family).into())];
    params.extend(spec.blocking.map(|blocking| ("blocking".to_owned(), blocking.into())));
    params
}

/// How the output of a handler is read, by vocabulary.
pub(super) fn result(family: Family) -> &'static str {
    match family {
        Family::Thread => "return",
        Family::Agent => "agent",
        Family::Repository => "signals",
        Family::Skill | Family::Workflow => "status",
    }
}

fn value(spec: &Spec, name: &str, param: &ParamType) -> Value {
    let json = |value| serde_json::from_str(&hookc_syntax::expr::print::json(value)).ok();
    let known = param.default.as_ref().or_else(|| param.allowed.as_ref()?.first());
    if let Some(value) = known.and_then(json) {
        return value;
    }
    let least = || param.minimum.as_ref().and_then(|least| serde_json::from_str(&least.0).ok());
    match param.types.types().next() {
        Some(Type::Object) => json!({}),
        Some(Type::Array) => json!([]),
        Some(Type::Boolean) => json!(true),
        Some(Type::Integer | Type::Number) => least().unwrap_or(json!(1)),
        _ => text(spec, name).into(),
    }
}

fn text(spec: &Spec, name: &str) -> String {
    match name {
        "url" => "https://example.com/hook".to_owned(),
        "directive" => "path/to/directive".to_owned(),
        "command" => "true".to_owned(),
        // A `${` in the summary is not a template.
        _ if SAYS.contains(&name) && !spec.summary.is_empty() => spec.summary.replace("${", "$${"),
        _ => spec.id.clone(),
    }
}
