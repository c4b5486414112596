//! The types of the vocabulary.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use hookc_base::{Family, Strategy};

use crate::span::Spanned;
use crate::value::{Kind, Number, Value};

use super::view::ViewMember;

hookc_base::named_enums! {
    /// A type of JSON Schema.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[allow(missing_docs, reason = "the names are JSON Schema's")]
    pub enum Type name {
        Null "null";
        Boolean "boolean";
        Integer "integer";
        Number "number";
        String "string";
        Array "array";
        Object "object";
    }
}

impl Type {
    /// The type of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }
}

/// A set of types; the empty set means any type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeSet(pub u8);

impl TypeSet {
    /// Any type at all.
    pub const ANY: Self = Self(0);

    /// The set of one type.
    #[must_use]
    pub fn only(kind: Type) -> Self {
        Self(1 << kind as u8)
    }

    /// Whether it contains values of `kind`. An integer is a number.
    #[must_use]
    pub fn has(self, kind: Type) -> bool {
        let number = kind == Type::Integer && self.0 & Self::only(Type::Number).0 != 0;
        self.0 == 0 || self.0 & Self::only(kind).0 != 0 || number
    }

    /// Both sets' types; any with any.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        if self == Self::ANY || other == Self::ANY { Self::ANY } else { Self(self.0 | other.0) }
    }

    /// Whether every value of this set is in `other`.
    #[must_use]
    pub fn within(self, other: Self) -> bool {
        other == Self::ANY || (self != Self::ANY && self.types().all(|kind| other.has(kind)))
    }

    /// The types as declared, none for any.
    pub fn types(self) -> impl Iterator<Item = Type> {
        Type::ALL.iter().copied().filter(move |&kind| self.0 & Self::only(kind).0 != 0)
    }

    /// Whether the type of `value` is in it. `1.0` is an integer.
    #[must_use]
    pub fn holds(self, value: &Value) -> bool {
        self.has(match &value.kind {
            Kind::Null => Type::Null,
            Kind::Bool(_) => Type::Boolean,
            Kind::Num(number) if number.is_integer() => Type::Integer,
            Kind::Num(_) => Type::Number,
            Kind::Str(_) => Type::String,
            Kind::Seq(_) => Type::Array,
            Kind::Map(_) => Type::Object,
        })
    }
}

impl FromIterator<Type> for TypeSet {
    fn from_iter<I: IntoIterator<Item = Type>>(types: I) -> Self {
        Self(types.into_iter().fold(0, |bits, kind| bits | Self::only(kind).0))
    }
}

impl fmt::Display for TypeSet {
    /// `string or null`; `any` for any.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ANY {
            return f.write_str("any");
        }
        let names: Vec<&str> = self.types().map(Type::name).collect();
        f.write_str(&names.join(" or "))
    }
}

/// A declared event type.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct EventType {
    /// Its vocabulary.
    pub family: Family,
    /// Its name.
    pub name: String,
    /// How its hooks combine.
    pub strategy: Strategy,
    /// The schema of the event, from the root.
    pub schema: Arc<FieldSchema>,
    /// The field that a matcher of agent settings tests, if there is one.
    pub matcher: Option<Matcher>,
    /// When it comes, if not before each use of a tool: what a guard there does not see.
    pub comes: Option<String>,
    /// Whether a denial keeps it from happening; it is false of reports.
    pub prevents: bool,
    /// One line.
    pub description: String,
}

impl EventType {
    /// Whether one of its fields is this part of the use of a tool.
    #[must_use]
    pub fn has_tool(&self, part: ToolField) -> bool {
        self.schema.properties.values().any(|field| field.tool == Some(part))
    }
}

/// The field that the matchers of an event's groups test (settings dialect).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matcher {
    /// The field.
    pub path: String,
    /// The characters of its names.
    pub names: Names,
}

/// The characters of a matcher that is an exact name or a list of names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Names {
    /// Letters, digits, `_`, `-` and spaces; `|` and `,` between two.
    #[default]
    Plain,
    /// Letters, digits and `_`; `|` between two.
    Words,
    /// File names with any characters, separated by `|`. The field contains a path.
    Files,
}

/// The type of a field: the part of JSON Schema that declarations use.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct FieldSchema {
    /// Allowed types.
    pub types: TypeSet,
    /// Declared members.
    pub properties: BTreeMap<String, FieldSchema>,
    /// Type of the elements.
    pub items: Option<Box<FieldSchema>>,
    /// Type of the members that are not declared, if it is known.
    pub others: Option<Box<FieldSchema>>,
    /// `additionalProperties: false`
    pub closed: bool,
    /// Allowed values (`const` is one of one).
    pub allowed: Option<Vec<Value>>,
    /// The least number that it can be.
    pub minimum: Option<Number>,
    /// The greatest number that it can be.
    pub maximum: Option<Number>,
    /// `format`, an annotation.
    pub format: Option<String>,
    /// Which events have it, if not all of their type: `inside a sub-agent`.
    pub when: Option<String>,
    /// What a tool does with it, as [`hookc_base::input_role::InputRole`] reads it.
    pub role: Option<Spanned<String>>,
    /// Its members are those of the tool that the event is about.
    pub tool: Option<ToolField>,
    /// Whether it is an object of a view.
    pub view: bool,
    /// The member of a view that it is, or an element of.
    pub member: Option<ViewMember>,
    /// One line.
    pub description: String,
}

/// The part of a tool that a field contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolField {
    /// Its input.
    Input,
    /// Its response.
    Response,
}

/// The built-in tools of coding agents.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Tools {
    /// Tools by name, as events contain it after translation.
    pub by_name: BTreeMap<String, ToolType>,
    /// Root fields that only some agents send, by event type; those of all
    /// events under the empty name.
    pub some_agents: BTreeMap<String, FieldSchema>,
    /// The fields that the response of any tool can have, in addition to its own.
    pub any_response: FieldSchema,
}

/// A built-in tool. `None` is an unknown shape.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ToolType {
    /// Its input: an object with these members, for all agents.
    pub input: Option<FieldSchema>,
    /// Its response, if it is an object.
    pub response: Option<FieldSchema>,
    /// The tools that agents have in its place now.
    pub now: Vec<String>,
    /// One line.
    pub description: String,
}

impl ToolType {
    /// The shape of its input or response, if known.
    #[must_use]
    pub fn field(&self, field: ToolField) -> Option<&FieldSchema> {
        match field {
            ToolField::Input => self.input.as_ref(),
            ToolField::Response => self.response.as_ref(),
        }
    }
}

impl Tools {
    /// Whether some agent sends a root field at an event.
    #[must_use]
    pub fn sends(&self, event: &str, field: &str) -> bool {
        let sent = ["", event].into_iter().filter_map(|event| self.some_agents.get(event));
        sent.into_iter().any(|fields| fields.property(field).is_some())
    }
}

/// A declared action kind.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ActionKind {
    /// Its parameters.
    pub params: BTreeMap<String, ParamType>,
    /// Groups of parameters; exactly one parameter of a group is required (`command` or `argv` of
    /// `run`).
    pub one_of: Vec<Vec<String>>,
    /// One line.
    pub description: String,
}

/// A declared parameter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParamType {
    /// Allowed types.
    pub types: TypeSet,
    /// Required.
    pub required: bool,
    /// Filled in when compiling.
    pub default: Option<Value>,
    /// Allowed values.
    pub allowed: Option<Vec<Value>>,
    /// Least number.
    pub minimum: Option<Number>,
    /// `required_if: {param: value}`: required when another parameter has this value (`delay` of a
    /// `fixed` backoff).
    pub required_if: Option<(String, Value)>,
    /// One line.
    pub description: String,
}

/// A program that a file declares as a wrapper: it runs the command in its arguments.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Wrapper {
    /// Its name, without a directory.
    pub name: Spanned<String>,
    /// Its options whose value is the next word.
    pub options: Vec<String>,
    /// How many operands of its own precede the command.
    pub operands: Spanned<usize>,
}

impl Wrapper {
    /// A wrapper with its options that take a value and the number of its own operands.
    #[must_use]
    pub const fn new(name: Spanned<String>, options: Vec<String>, operands: Spanned<usize>) -> Self {
        Self { name, options, operands }
    }
}

/// A declared operator.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct OperatorType {
    /// The types that it is for.
    pub types: TypeSet,
    /// One line.
    pub description: String,
}

impl FieldSchema {
    /// Adds `other`'s members that are not declared here, its types where any
    /// are allowed here.
    #[must_use]
    pub fn with(mut self, other: &Self) -> Self {
        for (name, field) in &other.properties {
            self.properties.entry(name.clone()).or_insert_with(|| field.clone());
        }
        if self.types == TypeSet::ANY {
            self.types = other.types;
        }
        self.role = self.role.or_else(|| other.role.clone());
        self
    }

    /// The declared field at `name`.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&Self> {
        self.properties.get(name)
    }

    /// What the member `name` contains, whether it is declared or not.
    #[must_use]
    pub fn child(&self, name: &str) -> Option<&Self> {
        self.property(name).or(self.others.as_deref())
    }

    /// The union of two schemas: the values that either allows.
    #[must_use]
    pub fn either(mut self, other: Self) -> Self {
        for (name, theirs) in other.properties {
            let joined = match self.properties.remove(&name) {
                Some(ours) => ours.either(theirs),
                None => theirs,
            };
            self.properties.insert(name, joined);
        }
        self.types = self.types.or(other.types);
        self.items = None;
        self.others = None;
        self.member = None;
        self.closed = false;
        self.allowed = self.allowed.zip(other.allowed).map(|(a, b)| [a, b].concat());
        (self.minimum, self.maximum, self.format) = (None, None, None);
        self
    }

    /// The root properties that merge with `event`: declared at the root, other than `event`, and
    /// not declared inside `event`.
    #[must_use]
    pub fn merges(&self, name: &str) -> bool {
        let inside = || self.property("event").is_some_and(|e| e.property(name).is_some());
        name != "event" && self.property(name).is_some() && !inside()
    }
}
