//! The recipes that the guide shows.

/// Policies of `corpus/recipes`; each starts with a comment that says what it does.
const RECIPES: [&str; 12] = [
    include_str!("../../../../corpus/recipes/protected-branch/hooks.yaml"),
    include_str!("../../../../corpus/recipes/secrets/hooks.yaml"),
    include_str!("../../../../corpus/recipes/generated-files/hooks.yaml"),
    include_str!("../../../../corpus/recipes/inside-the-project/hooks.yaml"),
    include_str!("../../../../corpus/recipes/new-dependencies/hooks.yaml"),
    include_str!("../../../../corpus/recipes/read-only-commands/hooks.yaml"),
    include_str!("../../../../corpus/recipes/mcp-allowlist/hooks.yaml"),
    include_str!("../../../../corpus/recipes/tests-before-stop/hooks.yaml"),
    include_str!("../../../../corpus/recipes/format-after-edit/hooks.yaml"),
    include_str!("../../../../corpus/recipes/dry-run-first/hooks.yaml"),
    include_str!("../../../../corpus/recipes/notifications/hooks.yaml"),
    include_str!("../../../../corpus/recipes/session-note/hooks.yaml"),
];

/// Each as a block.
pub(super) fn blocks() -> String {
    RECIPES.map(|policy| format!("```yaml\n{policy}```\n")).join("\n")
}
