//! Workloads about earlier events: policies that ask for them, and events whose times grow.

use std::fmt::Write;

use hookc_oracle::generate::Rng;

/// A workload about earlier events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Past {
    /// `formerly` within an hour, with an equal file, in each policy.
    Formerly,
    /// `formerly`, `count`, `sum` and `distinct` within a minute to a day; a third has `since`, and three in four have
    /// a tie. The others also test the tool.
    Mixed,
}

/// Milliseconds between two events.
pub const STEP: u64 = 10_000;
/// Values of the tie.
const FILES: usize = 4_000;
/// The types of events, in turn: a policy can record 4,096 monitors of each.
const TYPES: [&str; 3] = ["PreToolUse", "PostToolUse", "PostToolUseFailure"];
const WINDOWS: [&str; 5] = ["1m", "10m", "1h", "6h", "1d"];
/// Tools after which a count starts again.
const RESETS: usize = 50;

impl Past {
    /// Both.
    pub const ALL: &[Self] = &[Self::Formerly, Self::Mixed];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Formerly => "formerly",
            Self::Mixed => "mixed",
        }
    }

    /// A policy of so many hooks.
    #[must_use]
    pub fn policy(self, hooks: usize) -> String {
        let mut out = "hooks:\n".to_owned();
        for hook in 0..hooks {
            let when = match self {
                Self::Formerly => selection(hook, true, "1h").replacen("(", "formerly(", 1),
                Self::Mixed => mixed(hook),
            };
            let _ = write!(
                out,
                "  - event: {}\n    when: \"{when}\"\n    action: {{type: log, message: 'Again.'}}\n",
                kind(hook)
            );
        }
        out
    }

    /// A policy of so many hooks without a history, for the same events.
    #[must_use]
    pub fn plain(hooks: usize) -> String {
        let mut out = "hooks:\n".to_owned();
        for hook in 0..hooks {
            let _ = write!(
                out,
                "  - event: {}\n    when: \"tool_input.file_path == 'other/{hook}'\"\n    action: {{type: log, message: 'Again.'}}\n",
                kind(hook)
            );
        }
        out
    }

    /// An event for policies of so many hooks.
    #[must_use]
    pub fn event(rng: &mut Rng, hooks: usize) -> String {
        let hook = rng.below(hooks);
        let (name, number) = if rng.chance(5) { ("reset", hook % RESETS) } else { ("tool", hook) };
        let (tool, kind) = (format!("{name}_{number}"), kind(hook));
        let (file, amount) = (rng.below(FILES), rng.below(1_000));
        format!(
            r#"{{"hook_event_name":"{kind}","session_id":"5f0c3a5e-61d0-4c1e-9d5d-1d2b0a3f7c11","transcript_path":"/home/me/.agent/projects/app/5f0c3a5e.jsonl","cwd":"/home/me/app","permission_mode":"default","tool_name":"{tool}","tool_input":{{"file_path":"/home/me/app/src/module_{file}.rs","amount":{amount}.50,"old_string":"let total = first + second;","new_string":"let total = first.checked_add(second)?;"}}}}"#
        )
    }
}

fn kind(hook: usize) -> &'static str {
    TYPES.get(hook % TYPES.len()).copied().unwrap_or("PreToolUse")
}

/// `(any PreToolUse where ... within ...`, and `)`.
fn selection(hook: usize, tied: bool, window: &str) -> String {
    let tie = if tied { " and tool_input.file_path == now.tool_input.file_path" } else { "" };
    format!("(any {} where tool_name == 'tool_{hook}'{tie} within {window})", kind(hook))
}

fn mixed(hook: usize) -> String {
    let window = WINDOWS.get(hook / 4 % WINDOWS.len()).copied().unwrap_or("1h");
    let tied = hook / 20 % 4 != 3;
    let mut what = selection(hook, tied, window);
    if (hook / 80).is_multiple_of(3) {
        what.pop();
        let _ = write!(what, " since (any {} where tool_name == 'reset_{}'))", kind(hook), hook % RESETS);
    }
    let leaf = match hook % 4 {
        0 => format!("formerly{what}"),
        1 => format!("count{what} >= 3"),
        2 => format!("sum(tool_input.amount of {} > 2000", what.trim_start_matches('(')),
        _ => format!("distinct(tool_input.amount of {} >= 3", what.trim_start_matches('(')),
    };
    if tied { leaf } else { format!("tool_name == 'tool_{}' and {leaf}", hook + TYPES.len()) }
}
