//! Permissions: rules of the settings, the mode, and questions on a terminal.

use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

use hookc_runtime::Event;
use hookc_runtime::permission::{BaseDirs, RuleMatch, covers, is_rule, matches, real_path};
use hookc_schema::agents::{self, Agent};
use hookc_schema::suggest::nearest;
use serde_json::Value;

use crate::args::{Common, Mode};
use crate::failure::Failure;
use crate::policy;

/// The names of tools in rules: the agent's own, and the earlier name of one.
const TOOLS: [&str; 9] = ["Agent", "Bash", "Edit", "Glob", "Grep", "Read", "Skill", "Task", "Write"];

/// What rules and mode say about a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Permission {
    Allow,
    /// The user decides.
    Ask(String),
    Deny(String),
}

/// The rules of a session.
#[derive(Clone, Debug)]
pub(crate) struct Permissions {
    pub(crate) allow: Vec<String>,
    pub(crate) deny: Vec<String>,
    pub(crate) ask: Vec<String>,
    pub(crate) mode: Mode,
    is_bypass_disabled: bool,
}

impl Permissions {
    /// From the settings files, in order, and the command line. The lists add up; the last mode
    /// applies.
    pub(crate) fn read(settings: &[PathBuf], common: &Common) -> Result<Self, Failure> {
        let mut rules = Self {
            allow: Vec::new(),
            deny: Vec::new(),
            ask: Vec::new(),
            mode: Mode::Default,
            is_bypass_disabled: false,
        };
        for path in settings {
            let value = policy::settings(path)?;
            let Some(part) = value.get("permissions") else { continue };
            rules.add(part).map_err(|why| Failure::usage(format!("{}: {why}", path.display())))?;
        }
        for (list, more) in [(&mut rules.allow, &common.allow), (&mut rules.deny, &common.deny)] {
            for rule in more {
                list.push(checked(rule).and_then(of_a_tool).map_err(Failure::usage)?);
            }
        }
        rules.mode = common.permission_mode.unwrap_or(rules.mode);
        if rules.mode == Mode::BypassPermissions && rules.is_bypass_disabled {
            let text = "`permissions.disableBypassPermissionsMode` of the settings forbids the mode `bypassPermissions`";
            return Err(Failure::usage(text));
        }
        Ok(rules)
    }

    fn add(&mut self, part: &Value) -> Result<(), String> {
        let members = part.as_object().ok_or("`permissions` is not an object")?;
        // A misspelled list that denies would deny nothing.
        if let Some(name) = members.keys().find(|name| !MEMBERS.contains(&name.as_str())) {
            return Err(format!("unknown `permissions.{name}`: expected {}", MEMBERS.join(", ")));
        }
        let lists = [("allow", &mut self.allow), ("deny", &mut self.deny), ("ask", &mut self.ask)];
        for (name, list) in lists {
            let Some(rules) = part.get(name) else { continue };
            let rules = rules.as_array().ok_or_else(|| format!("`permissions.{name}` is not a list"))?;
            for rule in rules {
                let rule =
                    rule.as_str().ok_or_else(|| format!("a rule in `permissions.{name}` is not text"))?;
                list.push(checked(rule)?);
            }
        }
        self.is_bypass_disabled |= members.contains_key("disableBypassPermissionsMode");
        if let Some(mode) = part.get("defaultMode") {
            let known = mode.as_str().and_then(Mode::from_name);
            self.mode = known.ok_or_else(|| format!("unknown `permissions.defaultMode`: {mode}"))?;
        }
        Ok(())
    }

    /// The rules that deny or ask about files: a search leaves out what they concern.
    pub(crate) fn unread(&self) -> Vec<String> {
        let about = |rule: &&String| {
            let name = rule.split_once('(').map(|(name, _)| name.trim());
            name.is_some_and(|name| ["Read", "Grep", "Glob"].contains(&name) || name.contains('*'))
        };
        self.deny.iter().chain(&self.ask).filter(about).cloned().collect()
    }

    /// What they say about a call, `event` being its `PreToolUse`. `is_allowed` is the answer of a
    /// hook: it replaces the question of the mode, but no rule.
    pub(crate) fn check(&self, event: &Event, call: &Call<'_>, is_allowed: bool) -> Permission {
        let home = policy::home();
        let places = BaseDirs { cwd: call.cwd.to_owned(), project: call.project.to_owned(), home };
        let matches = |rule: &str| matches(rule, event, &places, Default::default()) != RuleMatch::Fails;
        let hit = |rule: &&String| matches(rule) || widened(rule, call).is_some_and(|rule| matches(&rule));
        if let Some(rule) = self.deny.iter().find(hit) {
            return Permission::Deny(format!("the rule `{rule}` denies it"));
        }
        if let Some(rule) = self.ask.iter().find(hit) {
            return Permission::Ask(format!("the rule `{rule}` asks"));
        }
        if self.mode == Mode::Plan && !call.is_read_only {
            return Permission::Deny("the permission mode `plan` only reads".to_owned());
        }
        let rules: Vec<&str> = self.allow.iter().map(String::as_str).collect();
        let inside = call.path.as_ref().is_none_or(|path| is_inside(path, call.project));
        let is_own = call.path.as_ref().is_some_and(|path| is_own(path, call.project));
        let edits = self.mode == Mode::AcceptEdits && call.is_edit && inside && !is_own;
        if is_allowed
            || self.mode == Mode::BypassPermissions
            || edits
            || call.is_read_only && inside
            || covers(&rules, event, &places, Default::default())
        {
            return Permission::Allow;
        }
        Permission::Ask("no rule allows it".to_owned())
    }
}

/// A rule that denies or asks, as a rule for the tool of a call: `Edit(...)` is about all tools that
/// change a file, `Read(...)` about all that read files.
fn widened(rule: &str, call: &Call<'_>) -> Option<String> {
    let (name, argument) = rule.trim().split_once('(')?;
    let is_about = match name.trim_end() {
        "Edit" => call.is_edit,
        "Read" => call.is_read_only && call.path.is_some(),
        _ => false,
    };
    is_about.then(|| format!("{}({argument}", call.tool))
}

/// The members of `permissions`; `additionalDirectories` has no effect: files there need a rule.
const MEMBERS: [&str; 6] =
    ["allow", "deny", "ask", "defaultMode", "additionalDirectories", "disableBypassPermissionsMode"];

fn checked(rule: &str) -> Result<String, String> {
    if !is_rule(rule) {
        return Err(format!("`{rule}` is not a permission rule"));
    }
    // `rm` and `bash(rm *)` would match no tool.
    let is_tool = |name: &str| name.starts_with(|first: char| first.is_ascii_uppercase() || first == '*');
    if is_tool(rule.trim()) || rule.trim().starts_with("mcp__") {
        Ok(rule.to_owned())
    } else {
        Err(format!("`{rule}` is not a permission rule: expected the name of a tool, such as `Bash(rm *)`"))
    }
}

/// A rule of the command line is about a tool of this agent: a misspelled one would deny nothing.
/// Settings can have rules for tools of other agents.
fn of_a_tool(rule: String) -> Result<String, String> {
    let name = rule.split_once('(').map_or(rule.as_str(), |(name, _)| name).trim();
    if name.contains('*') || name.starts_with("mcp__") || TOOLS.contains(&name) {
        return Ok(rule);
    }
    let near = nearest(name, TOOLS).map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
    Err(format!("`{rule}`: there is no tool `{name}`{near}: expected one of {}", TOOLS.join(", ")))
}

/// A call, as far as permissions depend on it.
#[derive(Debug)]
pub(crate) struct Call<'c> {
    pub(crate) tool: &'c str,
    pub(crate) cwd: &'c Path,
    pub(crate) project: &'c Path,
    pub(crate) is_read_only: bool,
    /// Whether it changes one file.
    pub(crate) is_edit: bool,
    /// The file or directory that it works on.
    pub(crate) path: Option<PathBuf>,
}

/// Directories whose files decide what an agent may do, or what Git and editors start, besides those of the agents'
/// settings: changes in them are asked about.
const PROTECTED: [&str; 7] = [".ai", ".git", ".hooks", ".husky", ".idea", ".system", ".vscode"];

/// Whether a path has a protected directory below the project, as written or where its links lead. The directory need
/// not exist.
fn is_own(path: &Path, project: &Path) -> bool {
    let real = (real_path(path), real_path(project));
    let below = |path: &Path, project: &Path| path.strip_prefix(project).is_ok_and(has_protected);
    below(path, project) || below(&real.0, &real.1) || is_in_repository(&real.0, &real.1)
}

/// Whether a part of a path has the name of a protected directory on some disk: without case, without dots and spaces
/// at its end, by its short name, or with characters that are ignored.
fn has_protected(path: &Path) -> bool {
    let parts: Vec<String> = path.iter().map(|part| plain(&part.to_string_lossy())).collect();
    let has_directory = |directory: &str| {
        let names: Vec<&str> = directory.split('/').collect();
        parts.windows(names.len()).any(|at| at.iter().zip(&names).all(|(part, name)| is_named(part, name)))
    };
    let settings = agents::all().flat_map(Agent::directories);
    PROTECTED.into_iter().chain(settings).any(has_directory) || parts.iter().any(|part| part == "head")
}

/// Whether a name without case is that of a directory, or its short name (`GIT~1`).
fn is_named(part: &str, name: &str) -> bool {
    let short = name.trim_start_matches('.').get(..6).unwrap_or(name.trim_start_matches('.'));
    let number = part.strip_prefix(short).and_then(|rest| rest.strip_prefix('~'));
    part == name || number.is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
}

/// A name as a disk without case has it: in lower case, without a stream after `:`, without characters that are ignored,
/// and without dots and spaces at its end.
fn plain(name: &str) -> String {
    let name = name.split(':').next().unwrap_or(name);
    let name = name.chars().filter(|c| !hookc_schema::terminal::is_hostile(*c));
    let name: String = name.flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect();
    name.trim_end_matches(['.', ' ']).to_owned()
}

/// Whether a path is in the directory of a Git repository, whatever its name.
fn is_in_repository(path: &Path, project: &Path) -> bool {
    let is_repository = |at: &&Path| ["HEAD", "objects", "refs"].iter().all(|name| at.join(name).exists());
    path.ancestors().skip(1).take_while(|at| at.starts_with(project)).any(|at| is_repository(&at))
}

/// Whether a path is inside a directory, links resolved as far as the path exists.
fn is_inside(path: &Path, directory: &Path) -> bool {
    real_path(path).starts_with(real_path(directory))
}

/// Asks a yes or no on the terminal; `None` without one.
pub(crate) fn ask(question: &str) -> Option<bool> {
    let stdin = std::io::stdin();
    if !stdin.is_terminal() {
        return None;
    }
    let mut out = std::io::stderr().lock();
    let text = hookc_schema::terminal::escape_block(question);
    let _ = write!(out, "{text} [y/N] ");
    let _ = out.flush();
    let mut line = String::new();
    let read = stdin.lock().read_line(&mut line);
    Some(read.is_ok() && matches!(line.trim(), "y" | "Y" | "yes" | "Yes"))
}
