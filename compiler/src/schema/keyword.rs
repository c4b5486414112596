//! Keywords of other drafts and languages.

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

/// The replacement for a keyword of another language.
pub(super) fn instead(name: &str) -> Option<&'static str> {
    OTHERS.iter().find(|(other, _)| *other == name).map(|(_, help)| *help)
}
