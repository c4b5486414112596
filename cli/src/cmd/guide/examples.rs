//! The recipes that the guide shows.

/// Policies of `corpus/recipes`; each starts with a comment that says what it does.
const RECIPES: [&str; 12] = [
    include_str!("../../../recipes/protected-branch/hooks.yaml"),
    include_str!("../../../recipes/secrets/hooks.yaml"),
    include_str!("../../../recipes/generated-files/hooks.yaml"),
    include_str!("../../../recipes/inside-the-project/hooks.yaml"),
    include_str!("../../../recipes/new-dependencies/hooks.yaml"),
    include_str!("../../../recipes/read-only-commands/hooks.yaml"),
    include_str!("../../../recipes/mcp-allowlist/hooks.yaml"),
    include_str!("../../../recipes/tests-before-stop/hooks.yaml"),
    include_str!("../../../recipes/format-after-edit/hooks.yaml"),
    include_str!("../../../recipes/dry-run-first/hooks.yaml"),
    include_str!("../../../recipes/notifications/hooks.yaml"),
    include_str!("../../../recipes/session-note/hooks.yaml"),
];

/// Each as a block.
pub(super) fn blocks() -> String {
    RECIPES.map(|policy| format!("```yaml\n{policy}```\n")).join("\n")
}
