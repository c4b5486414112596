//! The names that coding agents use for events and tools of the agent vocabulary.
//!
//! The adapters of the runtime translate by these tables, and the checker rejects
//! by them: a hook for an event, or a condition on a tool, under a name that no
//! event has once it is translated.

use crate::suggest;
use crate::tree::Family;

/// Pairs of an agent's name and the vocabulary's.
pub type Names = [(&'static str, &'static str)];

/// An agent and its own names.
#[derive(Clone, Copy, Debug)]
pub struct Agent {
    /// As `--host` has it.
    pub host: &'static str,
    /// As people call it.
    pub title: &'static str,
    /// Its events. If several have one name in the vocabulary, the first covers them all.
    pub events: &'static Names,
    /// Its tools.
    pub tools: &'static Names,
}

/// The agents that `hookc run` supports, except those that use only the vocabulary's names.
pub const ALL: &[Agent] = &[
    Agent { host: "gemini", title: "Gemini CLI", events: GEMINI_EVENTS, tools: GEMINI_TOOLS },
    Agent { host: "codex", title: "Codex CLI", events: &[], tools: CODEX_TOOLS },
    Agent { host: "cursor", title: "Cursor", events: CURSOR_EVENTS, tools: CURSOR_TOOLS },
    Agent { host: "copilot", title: "Copilot CLI", events: COPILOT_EVENTS, tools: COPILOT_TOOLS },
];

/// The vocabulary's name; the agent's own if it has no other.
#[must_use]
pub fn translated<'n>(names: &Names, own: &'n str) -> &'n str {
    names.iter().find(|(name, _)| *name == own).map_or(own, |(_, name)| name)
}

/// The agents' own names for a tool of the vocabulary, each with the agent's title.
#[must_use]
pub fn own_names(tool: &str) -> Vec<(&'static str, &'static str)> {
    let of = |agent: &'static Agent| {
        let own = agent.tools.iter().filter(move |(_, name)| *name == tool);
        own.map(move |(own, _)| (agent.title, *own))
    };
    ALL.iter().flat_map(of).collect()
}

/// The vocabulary's names for a tool that some agent calls so, in order.
#[must_use]
pub fn tools_called(own: &str) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    let pairs = ALL.iter().flat_map(|agent| agent.tools).chain(PATCH);
    for (_, name) in pairs.filter(|(name, _)| *name == own) {
        if !names.contains(name) {
            names.push(name);
        }
    }
    names
}

/// The event that the author meant by a name that no event has after translation: the agent's own
/// name for an event, or a misspelled name.
///
/// `host` is the current agent, if known: its own names are recognized in any vocabulary. `events`
/// are the names of the agent vocabulary.
#[must_use]
pub fn meant_event<'n>(
    family: Family,
    name: &str,
    host: Option<&str>,
    events: impl Iterator<Item = &'n str>,
) -> Option<&'n str> {
    misnamed(family, name, host).or_else(|| misspelt(family, name, events))
}

/// The event that an agent knows by this name.
#[must_use]
pub fn misnamed(family: Family, name: &str, host: Option<&str>) -> Option<&'static str> {
    let named = |agent: &Agent| agent.events.iter().find(|(own, _)| *own == name).map(|(_, meant)| *meant);
    let own = || ALL.iter().filter(|agent| Some(agent.host) == host).find_map(named);
    // Agents' names have capitals; a name without may belong to threads or workflows.
    let agents = family == Family::Agent || name.contains(char::is_uppercase);
    own().or_else(|| ALL.iter().filter(|_| agents).find_map(named))
}

/// The event of the agent vocabulary that is closest to a misspelled name.
fn misspelt<'n>(family: Family, name: &str, events: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let known: Vec<&'n str> = events.collect();
    if !matches!(family, Family::Agent | Family::Thread) || known.contains(&name) {
        return None;
    }
    suggest::slip(name, known)
}

/// The reason why `check` and `run` reject hooks for such an event.
#[must_use]
pub fn never_runs(name: &str, meant: &str) -> String {
    format!("no event has the name `{name}`, so its hooks would never run: write `{meant}`")
}

/// Other names for fields of the vocabulary: those of agents whose events are translated, and
/// common mistakes. If several apply, the first one that the event has wins.
const FIELDS: &Names = &[
    ("toolName", "tool_name"),
    ("tool", "tool_name"),
    ("toolArgs", "tool_input"),
    ("tool_args", "tool_input"),
    ("toolInput", "tool_input"),
    ("input", "tool_input"),
    ("args", "tool_input"),
    ("toolResult", "tool_response"),
    ("tool_result", "tool_response"),
    ("tool_output", "tool_response"),
    ("result_json", "tool_response"),
    ("output", "tool_response"),
    ("response", "tool_response"),
    ("result", "tool_response"),
    ("sessionId", "session_id"),
    ("transcriptPath", "transcript_path"),
    ("agentId", "agent_id"),
    ("agentType", "agent_type"),
    ("agentName", "agent_type"),
    ("agent_name", "agent_type"),
    ("subagent_type", "agent_type"),
    ("hookName", "hook_event_name"),
    ("hookEventName", "hook_event_name"),
    ("permissionSuggestions", "permission_suggestions"),
    ("customInstructions", "custom_instructions"),
    ("notificationType", "notification_type"),
    ("message", "prompt"),
    ("user_message", "prompt"),
    ("user_prompt", "prompt"),
    ("stopReason", "stop_reason"),
];

/// The same for the inputs of tools.
const INPUTS: &Names = &[
    ("path", "file_path"),
    ("path", "notebook_path"),
    ("file_path", "notebook_path"),
    ("file", "file_path"),
    ("filename", "file_path"),
    ("cmd", "command"),
    ("script", "command"),
    ("text", "content"),
    ("old", "old_string"),
    ("new", "new_string"),
    ("old_text", "old_string"),
    ("new_text", "new_string"),
    ("uri", "url"),
    ("regex", "pattern"),
];

/// Fields of events that the author may have meant by an unknown name.
pub fn fields_meant(name: &str) -> impl Iterator<Item = &'static str> {
    meant(FIELDS, name)
}

/// Inputs of tools that the author may have meant by an unknown name.
pub fn inputs_meant(name: &str) -> impl Iterator<Item = &'static str> {
    meant(INPUTS, name)
}

fn meant(names: &'static Names, name: &str) -> impl Iterator<Item = &'static str> {
    names.iter().filter(move |(other, _)| *other == name).map(|(_, field)| *field)
}

/// Events of the Gemini CLI.
pub const GEMINI_EVENTS: &Names = &[
    ("BeforeTool", "PreToolUse"),
    ("AfterTool", "PostToolUse"),
    ("BeforeAgent", "UserPromptSubmit"),
    ("AfterAgent", "Stop"),
    ("PreCompress", "PreCompact"),
];

/// Tools of the Gemini CLI.
pub const GEMINI_TOOLS: &Names = &[
    ("run_shell_command", "Bash"),
    ("read_file", "Read"),
    ("write_file", "Write"),
    ("replace", "Edit"),
    ("glob", "Glob"),
    ("search_file_content", "Grep"),
    ("grep_search", "Grep"),
    ("web_fetch", "WebFetch"),
    ("google_web_search", "WebSearch"),
];

/// Tools of the Codex CLI, which names most of them as the vocabulary does.
const CODEX_TOOLS: &Names = &[("shell", "Bash"), ("exec_command", "Bash"), ("local_shell", "Bash")];

/// The tool of Codex CLI and Copilot CLI whose events are split by file.
const PATCH: &Names = &[("apply_patch", "Write"), ("apply_patch", "Edit")];

/// Events of Cursor.
pub const CURSOR_EVENTS: &Names = &[
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
];

/// Tools of Cursor.
pub const CURSOR_TOOLS: &Names =
    &[("Shell", "Bash"), ("StrReplace", "Edit"), ("EditNotebook", "NotebookEdit")];

/// Events of the Copilot CLI.
pub const COPILOT_EVENTS: &Names = &[
    ("sessionStart", "SessionStart"),
    ("sessionEnd", "SessionEnd"),
    ("userPromptSubmitted", "UserPromptSubmit"),
    ("preToolUse", "PreToolUse"),
    ("postToolUse", "PostToolUse"),
    ("postToolUseFailure", "PostToolUseFailure"),
    ("permissionRequest", "PermissionRequest"),
    ("agentStop", "Stop"),
    ("subagentStart", "SubagentStart"),
    ("subagentStop", "SubagentStop"),
    ("errorOccurred", "StopFailure"),
    ("preCompact", "PreCompact"),
    ("notification", "Notification"),
];

/// Tools of the Copilot CLI.
pub const COPILOT_TOOLS: &Names = &[
    ("bash", "Bash"),
    ("powershell", "PowerShell"),
    ("view", "Read"),
    ("create", "Write"),
    ("edit", "Edit"),
    ("glob", "Glob"),
    ("grep", "Grep"),
    ("web_fetch", "WebFetch"),
    ("task", "Agent"),
    ("str_replace_editor", "Edit"),
    ("apply_patch", "Edit"),
    ("rg", "Grep"),
    ("web_search", "WebSearch"),
    ("ask_user", "AskUserQuestion"),
    ("update_todo", "TodoWrite"),
];
