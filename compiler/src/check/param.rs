//! Parameters of an action against their declared types.

use std::cmp::Ordering;

use hookc_schema::value::{Kind, Value};
use hookc_schema::vocab::{ParamType, Type, TypeSet};
use hookc_schema::{Code, Diagnostic, Span};

use super::event::Scope;
use super::template::Draft;
use super::{Cx, path, value};

/// A parameter of an action that is being checked.
pub(super) struct Param<'p> {
    /// Its action's kind.
    pub(super) kind: &'p str,
    /// Its name.
    pub(super) name: &'p str,
    /// Its declared type.
    pub(super) declared: &'p ParamType,
    /// The span of its value.
    pub(super) span: Span,
}

impl Param<'_> {
    /// Whether the known value fits the declared type; errors are reported.
    pub(super) fn check(&self, draft: &Draft, cx: &mut Cx<'_>) -> bool {
        match draft {
            Draft::Const(value) => self.constant(value, cx),
            Draft::Hole(path, default) if !path.is_one_value() => {
                let fits = self.is_type(Type::Array, "the nodes of this path are a list", cx);
                fits && default.as_ref().is_none_or(|default| self.constant(default, cx))
            }
            Draft::Hole(_, Some(default)) => self.constant(default, cx),
            Draft::Hole(_, None) => true,
            Draft::Text(_) => self.is_type(Type::String, "text with templates is a string", cx),
            Draft::Seq(_) => self.is_type(Type::Array, "this is an array", cx),
            Draft::Map(_) => self.is_type(Type::Object, "this is an object", cx),
        }
    }

    fn constant(&self, value: &Value, cx: &mut Cx<'_>) -> bool {
        let declared = self.declared;
        if !declared.types.has(value::kind(value)) {
            let label = match (&value.kind, declared.types.has(Type::Integer)) {
                (Kind::Num(_), true) => "this is not a whole number".to_owned(),
                _ => format!("this is {}", value.noun()),
            };
            let new = self.wrong_type(value.span).with_label(label);
            cx.report(unquoted(new, value, declared.types));
            return false;
        }
        self.is_allowed(value, cx) && self.is_enough(value, cx)
    }

    fn is_type(&self, kind: Type, label: &str, cx: &mut Cx<'_>) -> bool {
        let fits = self.declared.types.has(kind);
        if !fits {
            cx.report(self.wrong_type(self.span).with_label(label));
        }
        fits
    }

    fn wrong_type(&self, span: Span) -> Diagnostic {
        let types = value::describe(self.declared.types);
        Diagnostic::new(Code::E0409, span, format!("`{}` of `{}` is {types}", self.name, self.kind))
    }

    fn is_allowed(&self, value: &Value, cx: &mut Cx<'_>) -> bool {
        let Some(allowed) = &self.declared.allowed else { return true };
        if allowed.iter().any(|one| one.same(value)) {
            return true;
        }
        let what = format!("`{}` of `{}` does not allow this value", self.name, self.kind);
        let mut new = Diagnostic::new(Code::E0409, value.span, what).with_label("not an allowed value");
        if let Some(names) = one_of(allowed) {
            new = new.note(format!("it is {names}"));
        }
        let names = allowed.iter().filter_map(Value::as_str);
        let near = value.as_str().and_then(|text| cx.near.find(text, names));
        cx.report(match near {
            Some(near) => new.help(format!("did you mean `{near}`?")),
            None => new,
        });
        false
    }

    fn is_enough(&self, value: &Value, cx: &mut Cx<'_>) -> bool {
        let (Kind::Num(number), Some(minimum)) = (&value.kind, &self.declared.minimum) else {
            return true;
        };
        if hookc_vm::format::number::compare(&number.0, &minimum.0) != Ordering::Less {
            return true;
        }
        let what = format!("`{}` of `{}` is at least {}", self.name, self.kind, minimum.0);
        cx.report(Diagnostic::new(Code::E0409, value.span, what).with_label("too small"));
        false
    }

    /// Warns about a template that is a whole string if its field never has a type that the
    /// parameter accepts.
    pub(super) fn check_field(&self, draft: &Draft, scope: &Scope, cx: &mut Cx<'_>) {
        let Draft::Hole(path, default) = draft else { return };
        let Some(types) = path::declared_types(path, scope, cx) else { return };
        if value::meet(types, self.declared.types) {
            return;
        }
        let what =
            format!("`{}` never has a type that `{}` of `{}` accepts", path.text, self.name, self.kind);
        let (declared, takes) = (value::describe(types), value::describe(self.declared.types));
        let new = Diagnostic::new(Code::W0418, path.span, what).with_label(format!("declared as {declared}"));
        let new = new.note(format!("`{}` is {takes}; the action fails with this value", self.name));
        let text = self.declared.types.has(Type::String) && default.is_none();
        cx.report(match text {
            true => new.help("a template with text around it produces a string"),
            false => new,
        });
    }
}

/// `one of `a`, `b``, when all are texts.
pub(super) fn one_of(allowed: &[Value]) -> Option<String> {
    let names: Option<Vec<&str>> = allowed.iter().map(Value::as_str).collect();
    let names = names.filter(|names| !names.is_empty() && names.len() <= 12)?;
    Some(format!("one of `{}`", names.join("`, `")))
}

fn unquoted(new: Diagnostic, value: &Value, types: TypeSet) -> Diagnostic {
    match &value.kind {
        Kind::Str(text) if types.has(Type::Integer) && value::is_number(&text.value) => {
            new.help(format!("remove the quotes: `{}`", text.value))
        }
        Kind::Str(text) if types.has(Type::Boolean) && matches!(text.value.as_str(), "true" | "false") => {
            new.help(format!("remove the quotes: `{}`", text.value))
        }
        Kind::Num(_) | Kind::Bool(_) if types.has(Type::String) => new.help("put it in quotes"),
        _ => new,
    }
}
