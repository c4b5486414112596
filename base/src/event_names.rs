//! The names of event types: those of the vocabularies, and those that agents have for them.
//!
//! `schema/data` is their source, and a test of that crate compares them. They are here too, so that a program without
//! the compiler can report a misspelt one.

use crate::suggest;

/// The event types of all vocabularies.
pub const TYPES: &[&str] = &[
    "after_complete",
    "after_step",
    "before_step",
    "build_system_prompt",
    "context_window_pressure",
    "directive_return",
    "error",
    "graph_completed",
    "graph_started",
    "graph_step_completed",
    "limit",
    "thread_continued",
    "thread_started",
    "ConfigChange",
    "CwdChanged",
    "DirectoryAdded",
    "Elicitation",
    "ElicitationResult",
    "FileChanged",
    "InstructionsLoaded",
    "MessageDisplay",
    "Notification",
    "PermissionDenied",
    "PermissionRequest",
    "PostCompact",
    "PostModelSwitch",
    "PostToolBatch",
    "PostToolUse",
    "PostToolUseFailure",
    "PreCompact",
    "PreModelSwitch",
    "PreToolUse",
    "SessionEnd",
    "SessionStart",
    "Setup",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "TaskCompleted",
    "TaskCreated",
    "TeammateIdle",
    "UserPromptExpansion",
    "UserPromptSubmit",
    "WorktreeCreate",
    "WorktreeRemove",
    "ModelOutput",
    "PostAbilityCall",
    "PreAbilityCall",
    "PreAbilityCreate",
    "PromptSubmit",
    "SessionStop",
    "on_error",
    "post_context",
    "post_execute",
    "pre_context",
    "pre_execute",
    "post_action",
    "post_decision",
    "pre_decision",
];

/// The agents' own names of event types, where they differ.
pub const OF_AGENTS: &[(&str, &str)] = &[
    ("BeforeTool", "PreToolUse"),
    ("AfterTool", "PostToolUse"),
    ("BeforeAgent", "UserPromptSubmit"),
    ("AfterAgent", "Stop"),
    ("PostCompaction", "PostCompact"),
    ("PreCompress", "PreCompact"),
    ("sessionStart", "SessionStart"),
    ("sessionEnd", "SessionEnd"),
    ("preToolUse", "PreToolUse"),
    ("postToolUse", "PostToolUse"),
    ("postToolUseFailure", "PostToolUseFailure"),
    ("beforeShellExecution", "PreToolUse"),
    ("afterShellExecution", "PostToolUse"),
    ("beforeMCPExecution", "PreToolUse"),
    ("afterMCPExecution", "PostToolUse"),
    ("beforeReadFile", "PreToolUse"),
    ("beforeTabFileRead", "PreToolUse"),
    ("afterFileEdit", "PostToolUse"),
    ("afterTabFileEdit", "PostToolUse"),
    ("beforeSubmitPrompt", "UserPromptSubmit"),
    ("subagentStart", "SubagentStart"),
    ("subagentStop", "SubagentStop"),
    ("preCompact", "PreCompact"),
    ("stop", "Stop"),
    ("userPromptSubmitted", "UserPromptSubmit"),
    ("userPromptTransformed", "UserPromptSubmit"),
    ("permissionRequest", "PermissionRequest"),
    ("agentStop", "Stop"),
    ("errorOccurred", "StopFailure"),
    ("notification", "Notification"),
    ("ErrorOccurred", "StopFailure"),
    ("agentSpawn", "SessionStart"),
    ("agent_end", "Stop"),
    ("agent_resume", "SessionStart"),
    ("agent_start", "SessionStart"),
    ("pre_compact", "PreCompact"),
    ("prompt_submit", "UserPromptSubmit"),
    ("session_shutdown", "SessionEnd"),
    ("tool_call", "PreToolUse"),
    ("tool_result", "PostToolUse"),
    ("userPromptSubmit", "UserPromptSubmit"),
    ("TaskStart", "SessionStart"),
    ("TaskResume", "SessionStart"),
    ("TaskComplete", "Stop"),
    ("pre_user_prompt", "UserPromptSubmit"),
    ("pre_read_code", "PreToolUse"),
    ("post_read_code", "PostToolUse"),
    ("pre_write_code", "PreToolUse"),
    ("post_write_code", "PostToolUse"),
    ("pre_run_command", "PreToolUse"),
    ("post_run_command", "PostToolUse"),
    ("pre_mcp_tool_use", "PreToolUse"),
    ("post_mcp_tool_use", "PostToolUse"),
    ("post_cascade_response", "Stop"),
    ("post_cascade_response_with_transcript", "Stop"),
    ("tool.before", "PreToolUse"),
    ("tool.after", "PostToolUse"),
    ("tool.error", "PostToolUseFailure"),
    ("session.start", "SessionStart"),
    ("session.end", "SessionEnd"),
];

/// The event type that is probably meant by a name which neither a vocabulary nor `own` has; `None` for a name that one
/// of them has, and for one that is like none.
///
/// ```
/// use hookc_base::event_names::misspelt;
///
/// assert_eq!(misspelt("PreTolUse", ["deployed"]), Some("PreToolUse"));
/// assert_eq!(misspelt("BeforeTool", ["deployed"]), Some("PreToolUse"));
/// assert_eq!(misspelt("deploy", ["deployed"]), Some("deployed"));
/// assert_eq!(misspelt("PreToolUse", ["deployed"]), None);
/// assert_eq!(misspelt("something_else", ["deployed"]), None);
/// ```
#[must_use]
pub fn misspelt<'n>(name: &str, local_names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let known: Vec<&'n str> = local_names.into_iter().chain(TYPES.iter().copied()).collect();
    if known.contains(&name) {
        return None;
    }
    let of_agent = OF_AGENTS.iter().find(|(listed, _)| *listed == name).map(|(_, meant)| *meant);
    of_agent.or_else(|| suggest::nearest_spelling(name, known))
}
