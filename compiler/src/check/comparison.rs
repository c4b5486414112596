//! Comparisons in filters of queries that are never true for the declared types (W0601):
//! `commands[?@.flags.f == false]`, `redirects[?@.op == '2>']`.

use hookc_schema::tree::{Comparable, CompareOp, Path};
use hookc_schema::value::Value;
use hookc_schema::vocab::{FieldSchema, Type, ViewMember};
use hookc_schema::{Code, Diagnostic};
use hookc_syntax::expr::print;

use super::value;

/// A comparison that is never true.
pub(super) struct Never {
    what: String,
    why: String,
}

impl Never {
    /// The diagnostic at the path whose filter it is.
    pub(super) fn report(self, path: &Path) -> Diagnostic {
        Diagnostic::new(Code::W0601, path.span, self.what).with_label("in this filter").note(self.why)
    }
}

/// Whether a side of a comparison, which has a declared type, never equals the other one.
pub(super) fn check(
    side: &Comparable,
    op: CompareOp,
    other: &Comparable,
    declared: &FieldSchema,
) -> Option<Never> {
    let Comparable::Query(absolute, query) = side else { return None };
    // A comparison of values without an order is false.
    if op == CompareOp::Ne {
        return None;
    }
    let (kind, literal) = match other {
        Comparable::Bool(bool) => (Type::Boolean, bool.to_string()),
        Comparable::Num(number) => (Type::Integer, number.0.clone()),
        Comparable::Str(text) => (Type::String, print::literal(text)),
        Comparable::Null | Comparable::Query(..) | Comparable::Call(_) => return None,
    };
    let path = print::query(*absolute, query);
    let why = if !declared.types.has(kind) {
        format!("`{path}` is declared as {}", value::describe(declared.types))
    } else if declared.member == Some(ViewMember::Flags) && *other == Comparable::Bool(false) {
        "a flag of a command is `true` or its text, and absent if the command does not have it".to_owned()
    } else if let (Some(why), CompareOp::Eq) = (name(other, declared.member, &path), op) {
        why
    } else {
        let (allowed, Comparable::Str(text), CompareOp::Eq) = (declared.allowed.as_ref()?, other, op) else {
            return None;
        };
        if allowed.iter().any(|one| one.as_str() == Some(text.as_str())) {
            return None;
        }
        let names: Vec<&str> = allowed.iter().filter_map(Value::as_str).collect();
        format!("its values are `{}`", names.join("`, `"))
    };
    let what = format!("the comparison of `{path}` with `{literal}` is never true");
    Some(Never { what, why })
}

/// Why a name of the view never equals a text: a directory, arguments, or a missing directory.
fn name(text: &Comparable, member: Option<ViewMember>, path: &str) -> Option<String> {
    let Comparable::Str(text) = text else { return None };
    match member? {
        ViewMember::Name | ViewMember::Sub if text.contains(['/', ' ']) => {
            Some(format!("`{path}` is one word, without a directory or arguments"))
        }
        ViewMember::Program if !text.contains('/') => {
            Some(format!("`{path}` is null for a program without a `/`: compare `name`"))
        }
        _ => None,
    }
}
