//! The types of the vocabulary.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::tree::Family;
use crate::value::{Number, Value};

/// A type of JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are JSON Schema's")]
pub enum Type {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

/// A set of types; empty means any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TypeSet(pub u8);

impl TypeSet {
    /// Any type at all.
    pub const ANY: Self = Self(0);

    /// The set of one type.
    #[must_use]
    pub fn of(kind: Type) -> Self {
        Self(1 << kind as u8)
    }

    /// Whether values of `kind` are in it. An integer is a number.
    #[must_use]
    pub fn has(self, kind: Type) -> bool {
        let number = kind == Type::Integer && self.0 & Self::of(Type::Number).0 != 0;
        self.0 == 0 || self.0 & Self::of(kind).0 != 0 || number
    }

    /// Both sets' types.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// How hooks of an event type combine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// The first hook that matches decides.
    #[default]
    First,
    /// Every hook that matches, in order.
    All,
}

/// A declared event type.
#[derive(Clone, Debug, PartialEq)]
pub struct EventType {
    /// Whose it is.
    pub family: Family,
    /// Its name.
    pub name: String,
    /// How its hooks combine.
    pub strategy: Strategy,
    /// What the event looks like, from the root.
    pub schema: Arc<FieldSchema>,
    /// One line.
    pub description: String,
}

/// The type of a field: the part of JSON Schema that declarations use.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FieldSchema {
    /// Allowed types.
    pub types: TypeSet,
    /// Declared members.
    pub properties: BTreeMap<String, FieldSchema>,
    /// Type of the elements.
    pub items: Option<Box<FieldSchema>>,
    /// `additionalProperties: false`
    pub closed: bool,
    /// Allowed values (`const` is one of one).
    pub allowed: Option<Vec<Value>>,
    /// `format`, an annotation.
    pub format: Option<String>,
    /// One line.
    pub description: String,
}

/// A declared action kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ActionKind {
    /// Its parameters.
    pub params: BTreeMap<String, ParamType>,
    /// One line.
    pub description: String,
}

/// A declared parameter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParamType {
    /// Allowed types.
    pub types: TypeSet,
    /// Must be given.
    pub required: bool,
    /// Filled in when compiling.
    pub default: Option<Value>,
    /// Allowed values.
    pub allowed: Option<Vec<Value>>,
    /// Least number.
    pub minimum: Option<Number>,
    /// `required_if: {param: value}`: must be given when another parameter
    /// has this value (`delay` of a `fixed` backoff).
    pub required_if: Option<(String, Value)>,
    /// One line.
    pub description: String,
}

/// A declared operator.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OperatorType {
    /// The types that it is for.
    pub types: TypeSet,
    /// One line.
    pub description: String,
}

impl FieldSchema {
    /// The declared field at `name`.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&Self> {
        self.properties.get(name)
    }

    /// The root properties that merge with `event` (semantics §2): declared at
    /// the root, other than `event`, and not declared inside `event`.
    #[must_use]
    pub fn merges(&self, name: &str) -> bool {
        let inside = || self.property("event").is_some_and(|e| e.property(name).is_some());
        name != "event" && self.property(name).is_some() && !inside()
    }
}
