//! Values that a schema compares with.

use hookc_schema::value::{Kind, Value};

use hookc_base::ConstTag;

use crate::canonical::canonical;

/// A constant by its exact value: equal values, equal literals.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Literal {
    /// Its kind.
    pub kind: ConstTag,
    /// A number's canonical text, a string, or a container as canonical
    /// compact JSON; empty for null and booleans.
    pub text: String,
}

impl Literal {
    /// The literal of a value, whose numbers are within the limits.
    pub(crate) fn from_value(value: &Value) -> Self {
        let kind = match &value.kind {
            Kind::Null => ConstTag::Null,
            Kind::Bool(false) => ConstTag::False,
            Kind::Bool(true) => ConstTag::True,
            Kind::Num(_) => ConstTag::Number,
            Kind::Str(text) => return Self { kind: ConstTag::String, text: text.value.clone() },
            Kind::Seq(_) => ConstTag::Array,
            Kind::Map(_) => ConstTag::Object,
        };
        let text = match kind {
            ConstTag::Null | ConstTag::False | ConstTag::True => String::new(),
            _ => canonical(value),
        };
        Self { kind, text }
    }
}
