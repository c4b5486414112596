//! Values that a schema compares with.

use hookc_schema::value::{Kind, Value};

use crate::plan::{ConstKind, canonical};

/// A constant by its exact value: equal values, equal literals.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Literal {
    /// Its kind.
    pub kind: ConstKind,
    /// A number's canonical text, a string, or a container as canonical
    /// compact JSON; empty for null and booleans.
    pub text: String,
}

impl Literal {
    /// The literal of a value, whose numbers are within the limits.
    pub(crate) fn of(value: &Value) -> Self {
        let kind = match &value.kind {
            Kind::Null => ConstKind::Null,
            Kind::Bool(false) => ConstKind::False,
            Kind::Bool(true) => ConstKind::True,
            Kind::Num(_) => ConstKind::Number,
            Kind::Str(text) => return Self { kind: ConstKind::String, text: text.value.clone() },
            Kind::Seq(_) => ConstKind::Array,
            Kind::Map(_) => ConstKind::Object,
        };
        let text = match kind {
            ConstKind::Null | ConstKind::False | ConstKind::True => String::new(),
            _ => canonical(value),
        };
        Self { kind, text }
    }
}
