//! The keywords of draft 2020-12 with the kind of their values.

/// The kind of a keyword's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
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
pub(super) const KEYWORDS: &[(&str, Holds)] = &[
    ("$schema", Holds::Data),
    ("$id", Holds::Data),
    ("$anchor", Holds::Data),
    ("$dynamicAnchor", Holds::Data),
    ("$ref", Holds::Data),
    ("$dynamicRef", Holds::Data),
    ("$defs", Holds::Named),
    ("$comment", Holds::Remark),
    ("type", Holds::Data),
    ("enum", Holds::Data),
    ("const", Holds::Data),
    ("multipleOf", Holds::Data),
    ("maximum", Holds::Data),
    ("exclusiveMaximum", Holds::Data),
    ("minimum", Holds::Data),
    ("exclusiveMinimum", Holds::Data),
    ("maxLength", Holds::Data),
    ("minLength", Holds::Data),
    ("pattern", Holds::Data),
    ("format", Holds::Data),
    ("maxItems", Holds::Data),
    ("minItems", Holds::Data),
    ("uniqueItems", Holds::Data),
    ("maxContains", Holds::Data),
    ("minContains", Holds::Data),
    ("maxProperties", Holds::Data),
    ("minProperties", Holds::Data),
    ("required", Holds::Data),
    ("dependentRequired", Holds::Data),
    ("allOf", Holds::Schemas),
    ("anyOf", Holds::Schemas),
    ("oneOf", Holds::Schemas),
    ("not", Holds::Schema),
    ("if", Holds::Schema),
    ("then", Holds::Schema),
    ("else", Holds::Schema),
    ("dependentSchemas", Holds::Named),
    ("prefixItems", Holds::Schemas),
    ("items", Holds::Schema),
    ("contains", Holds::Schema),
    ("properties", Holds::Named),
    ("patternProperties", Holds::Named),
    ("additionalProperties", Holds::Schema),
    ("propertyNames", Holds::Schema),
    ("unevaluatedItems", Holds::Schema),
    ("unevaluatedProperties", Holds::Schema),
    ("title", Holds::Remark),
    ("description", Holds::Remark),
    ("default", Holds::Remark),
    ("examples", Holds::Remark),
    ("deprecated", Holds::Remark),
    ("readOnly", Holds::Remark),
    ("writeOnly", Holds::Remark),
    ("contentEncoding", Holds::Remark),
    ("contentMediaType", Holds::Remark),
    ("contentSchema", Holds::Remark),
];

/// Keywords of other drafts and of OpenAPI, and what to write instead.
const OTHERS: &[(&str, &str)] = &[
    ("definitions", "write `$defs`"),
    ("dependencies", "write `dependentRequired` or `dependentSchemas`"),
    ("additionalItems", "write `items`, and `prefixItems` for the elements before"),
    ("id", "write `$id`"),
    ("$recursiveRef", "write `$dynamicRef`"),
    ("$recursiveAnchor", "write `$dynamicAnchor`"),
    ("$vocabulary", "remove it: it is for meta-schemas"),
    ("nullable", "write `type` as a list with `\"null\"`"),
    ("discriminator", "write `oneOf`, and `const` for the member that selects the schema"),
    ("extends", "write `allOf`"),
    ("divisibleBy", "write `multipleOf`"),
    ("disallow", "write `not`"),
];

/// The kind of a keyword's value; `None` for an unknown keyword.
pub(super) fn holds(name: &str) -> Option<Holds> {
    KEYWORDS.iter().find(|(known, _)| *known == name).map(|(_, holds)| *holds)
}

/// The replacement for a keyword of another language.
pub(super) fn instead(name: &str) -> Option<&'static str> {
    OTHERS.iter().find(|(other, _)| *other == name).map(|(_, help)| *help)
}
