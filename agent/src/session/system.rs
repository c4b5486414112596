//! The system prompt.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError};

use serde_json::json;

use super::{Caller, Session};
use crate::policy;

/// Who the model is.
const IDENTITY: &str = "You are a coding agent on the command line. You work in the user's project with tools, \
and answer briefly. A denied call is final: do not try to reach the same by other means.";

impl Session {
    /// The system prompt, built when it is first needed: the identity, the environment, the
    /// project's instructions, the skills, the permission rules.
    pub(super) fn system(self: &Arc<Self>) -> Arc<str> {
        if let Some(built) = self.system.lock().unwrap_or_else(PoisonError::into_inner).clone() {
            return built;
        }
        // Hooks run meanwhile, which may need the prompt themselves.
        let built: Arc<str> = self.build().into();
        let mut system = self.system.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(system.get_or_insert(built))
    }

    fn build(self: &Arc<Self>) -> String {
        let mut parts = vec![IDENTITY.to_owned()];
        parts.push(format!(
            "Working directory: {}\nPlatform: {}",
            self.place.cwd.display(),
            std::env::consts::OS
        ));
        parts.extend(self.instructions());
        let session = Caller::default();
        for skill in &self.skills.skills {
            self.fire_skill(&session, skill, "pre_context", json!({}));
        }
        parts.extend(self.skills.system_prompt().map(|text| text.trim_end().to_owned()));
        for skill in &self.skills.skills {
            self.fire_skill(&session, skill, "post_context", json!({}));
        }
        parts.push(self.rules());
        parts.extend(self.append_system.iter().cloned());
        parts.join("\n\n")
    }

    /// The instructions of the user and the project.
    fn instructions(&self) -> Vec<String> {
        let user = policy::home().map(|home| home.join(".claude/CLAUDE.md"));
        let paths = ["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"].map(|name| self.project.join(name));
        let read = |path: PathBuf| std::fs::read_to_string(path).ok().filter(|text| !text.trim().is_empty());
        user.into_iter().chain(paths).filter_map(read).map(|text| text.trim_end().to_owned()).collect()
    }

    fn rules(&self) -> String {
        let permissions = &self.permissions;
        let mut lines = vec![format!("Permission mode: {}", permissions.mode.as_str())];
        for (name, rules) in [
            ("Allowed", &permissions.allow),
            ("Denied", &permissions.deny),
            ("Asked about", &permissions.ask),
        ] {
            if !rules.is_empty() {
                lines.push(format!("{name}: {}", rules.join(", ")));
            }
        }
        lines.join("\n")
    }
}
