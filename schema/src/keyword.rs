//! The keywords of JSON Schema, draft 2020-12, with the kind of their values: schemas under `matches` can
//! have them, and the schemas of declared events.

/// The kind of a keyword's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeywordValue {
    /// No schema.
    Data,
    /// A schema.
    Schema,
    /// An array of schemas.
    Schemas,
    /// An object of schemas.
    Named,
    /// An annotation, which asserts nothing.
    Remark,
}

/// Every keyword, the core ones first.
pub const KEYWORDS: &[(&str, KeywordValue)] = &[
    ("$schema", KeywordValue::Data),
    ("$id", KeywordValue::Data),
    ("$anchor", KeywordValue::Data),
    ("$dynamicAnchor", KeywordValue::Data),
    ("$ref", KeywordValue::Data),
    ("$dynamicRef", KeywordValue::Data),
    ("$defs", KeywordValue::Named),
    ("$comment", KeywordValue::Remark),
    ("type", KeywordValue::Data),
    ("enum", KeywordValue::Data),
    ("const", KeywordValue::Data),
    ("multipleOf", KeywordValue::Data),
    ("maximum", KeywordValue::Data),
    ("exclusiveMaximum", KeywordValue::Data),
    ("minimum", KeywordValue::Data),
    ("exclusiveMinimum", KeywordValue::Data),
    ("maxLength", KeywordValue::Data),
    ("minLength", KeywordValue::Data),
    ("pattern", KeywordValue::Data),
    ("format", KeywordValue::Data),
    ("maxItems", KeywordValue::Data),
    ("minItems", KeywordValue::Data),
    ("uniqueItems", KeywordValue::Data),
    ("maxContains", KeywordValue::Data),
    ("minContains", KeywordValue::Data),
    ("maxProperties", KeywordValue::Data),
    ("minProperties", KeywordValue::Data),
    ("required", KeywordValue::Data),
    ("dependentRequired", KeywordValue::Data),
    ("allOf", KeywordValue::Schemas),
    ("anyOf", KeywordValue::Schemas),
    ("oneOf", KeywordValue::Schemas),
    ("not", KeywordValue::Schema),
    ("if", KeywordValue::Schema),
    ("then", KeywordValue::Schema),
    ("else", KeywordValue::Schema),
    ("dependentSchemas", KeywordValue::Named),
    ("prefixItems", KeywordValue::Schemas),
    ("items", KeywordValue::Schema),
    ("contains", KeywordValue::Schema),
    ("properties", KeywordValue::Named),
    ("patternProperties", KeywordValue::Named),
    ("additionalProperties", KeywordValue::Schema),
    ("propertyNames", KeywordValue::Schema),
    ("unevaluatedItems", KeywordValue::Schema),
    ("unevaluatedProperties", KeywordValue::Schema),
    ("title", KeywordValue::Remark),
    ("description", KeywordValue::Remark),
    ("default", KeywordValue::Remark),
    ("examples", KeywordValue::Remark),
    ("deprecated", KeywordValue::Remark),
    ("readOnly", KeywordValue::Remark),
    ("writeOnly", KeywordValue::Remark),
    ("contentEncoding", KeywordValue::Remark),
    ("contentMediaType", KeywordValue::Remark),
    ("contentSchema", KeywordValue::Remark),
];

/// The kind of a keyword's value; `None` for an unknown keyword.
#[must_use]
pub fn value_kind(name: &str) -> Option<KeywordValue> {
    KEYWORDS.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
}
