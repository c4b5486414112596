//! Other agents' names for events and tools, and those of the agent vocabulary.

use hookc_schema::suggest::slip;
use hookc_vm::{Family, Module};

use super::{ALL, Adapter};
use crate::agent;

/// Pairs of a host's name and the vocabulary's.
pub(super) type Names = [(&'static str, &'static str)];

/// The vocabulary's name; the host's own if it has no other.
pub(super) fn of<'n>(names: &Names, native: &'n str) -> &'n str {
    names.iter().find(|(own, _)| *own == native).map_or(native, |(_, name)| name)
}

/// Why a policy would be silent that hooks an event under a name which agents
/// have for it, and which no event has when it is decided about.
#[must_use]
pub fn misnamed(module: &Module, host: &dyn Adapter) -> Option<String> {
    let foreign =
        |name: &str, host: &dyn Adapter| host.renamed().iter().find(|(own, _)| *own == name).copied();
    module.events().find_map(|event| {
        let name = event.name;
        let own = foreign(name, host);
        let others = || ALL.iter().find_map(|host| foreign(name, *host));
        // Agents' names have capitals; what has none may be a thread's or a workflow's.
        let agents = event.family == Family::Agent || name.contains(char::is_uppercase);
        let meant = own.or_else(|| others().filter(|_| agents)).map(|(_, meant)| meant);
        let meant = meant.or_else(|| misspelt(event.family, name))?;
        Some(format!("no event is called `{name}` here, so that its hooks would never run: write `{meant}`"))
    })
}

/// The event of an agent that was meant by a name which nobody knows.
fn misspelt(family: Family, name: &str) -> Option<&'static str> {
    let known = || agent::names();
    if !matches!(family, Family::Agent | Family::Thread) || known().any(|known| known == name) {
        return None;
    }
    slip(name, known())
}

pub(super) const GEMINI_EVENTS: &Names = &[
    ("BeforeTool", "PreToolUse"),
    ("AfterTool", "PostToolUse"),
    ("BeforeAgent", "UserPromptSubmit"),
    ("AfterAgent", "Stop"),
    ("PreCompress", "PreCompact"),
];

pub(super) const GEMINI_TOOLS: &Names = &[
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

pub(super) const CURSOR_EVENTS: &Names = &[
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

pub(super) const CURSOR_TOOLS: &Names =
    &[("Shell", "Bash"), ("Delete", "Delete"), ("StrReplace", "Edit"), ("EditNotebook", "NotebookEdit")];

pub(super) const COPILOT_EVENTS: &Names = &[
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

pub(super) const COPILOT_TOOLS: &Names = &[
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
