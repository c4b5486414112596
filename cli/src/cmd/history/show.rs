//! What `hookc history show` prints.

use std::time::SystemTime;

use hookc_runtime::history::{Call, PartitionFile};
use hookc_runtime::log::rfc3339;
use hookc_schema::terminal;
use serde::Serialize;

use crate::args::{Format, Global};
use crate::exit::Failure;
use crate::out::{self, plural};

/// The histories of a call.
#[derive(Serialize)]
pub(super) struct Shown {
    agent: String,
    policies: Vec<String>,
    histories: Vec<One>,
    /// Damaged files that were kept.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    damaged: Vec<String>,
}

/// A history.
#[derive(Serialize)]
struct One {
    bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<String>,
    #[serde(flatten)]
    content: Content,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Content {
    Known { events: u64, cells: usize, waiting: usize },
    Unknown { unknown: &'static str, why: String },
}

impl Shown {
    pub(super) fn new(call: &Call, files: &[PartitionFile]) -> Self {
        Self {
            agent: call.agent.clone(),
            policies: call.policies.clone(),
            histories: files.iter().map(One::new).collect(),
            damaged: call.damaged().iter().map(|path| path.display().to_string()).collect(),
        }
    }
}

impl One {
    fn new(file: &PartitionFile) -> Self {
        let content = match &file.partition {
            Ok(partition) => Content::Known {
                events: partition.step(),
                cells: partition.cells(),
                waiting: partition.waiting(),
            },
            Err(why) => {
                Content::Unknown { unknown: why.word(), why: format!("{}: {why}", file.path.display()) }
            }
        };
        let last: Option<SystemTime> = file.modified;
        Self { bytes: file.bytes, last: last.map(rfc3339), content }
    }
}

pub(super) fn print(global: &Global, calls: &[Shown], session: Option<&str>) -> Result<(), Failure> {
    if global.format == Format::Json {
        let text = serde_json::to_string_pretty(calls).map_err(|error| Failure::input(error.to_string()))?;
        return out::json(&(text + "\n"));
    }
    if calls.is_empty() {
        let what = match session {
            Some(session) => format!("no history of session {}", terminal::escape(session)),
            None => "no history is kept: no installed policy has conditions about earlier events".to_owned(),
        };
        return out::text(&format!("{what}\n"));
    }
    for call in calls {
        out::text(&text(call))?;
    }
    Ok(())
}

fn text(call: &Shown) -> String {
    let policies: Vec<_> = call.policies.iter().map(|policy| terminal::escape(policy)).collect();
    let mut lines = vec![format!("{} {}", call.agent, policies.join(" "))];
    for one in &call.histories {
        let last = one.last.as_deref().map(|last| format!(", last written {last}")).unwrap_or_default();
        lines.push(match &one.content {
            Content::Known { events, cells, waiting } => {
                let events = plural(usize::try_from(*events).unwrap_or(usize::MAX), "event");
                let waiting = match waiting {
                    0 => String::new(),
                    count => format!(", {count} of them undecided"),
                };
                format!("  {events}{waiting}, {}, {} bytes{last}", plural(*cells, "cell"), one.bytes)
            }
            Content::Unknown { why, .. } => format!("  unknown: {}{last}", terminal::escape(why)),
        });
    }
    lines.extend(call.damaged.iter().map(|path| format!("  kept: {}", terminal::escape(path))));
    lines.join("\n") + "\n"
}
