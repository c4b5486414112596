//! Which partitions an event belongs to.

use std::borrow::Cow;
use std::path::PathBuf;

use hookc_base::PartitionTag;

use crate::event::Event;

/// What the partitions of an event are named after.
#[derive(Clone, Debug, Default)]
pub(crate) struct Partitions {
    session: Option<String>,
    agent: Option<String>,
    project: Option<PathBuf>,
}

impl Partitions {
    /// Those of an event. `parent` is the member with the session that started this one, `project` the root of the project.
    pub(crate) fn new(event: &Event, parent: Option<&str>, project: Option<PathBuf>) -> Self {
        let not_empty = |id: Cow<'_, str>| Some(id.into_owned()).filter(|id| !id.is_empty());
        let text = |member: &str| event.text(member).and_then(not_empty);
        let of_thread = |member: &str| event.text_in("event", member).and_then(not_empty);
        let session = parent.and_then(text).or_else(|| text("session_id")).or_else(|| text("thread_id"));
        Self {
            session: session.or_else(|| of_thread("thread_id")),
            agent: text("agent_id").or_else(|| of_thread("agent_id")),
            // Where links lead: the same project has one history, however it is reached.
            project: project.map(|root| root.canonicalize().unwrap_or(root)),
        }
    }

    /// Those of an event that an embedder passes: the project is what the event says.
    pub(crate) fn of_embedder(event: &Event) -> Self {
        let project = event.text("project_dir").or_else(|| event.text("cwd"));
        Self::new(event, None, project.map(|root| root.into_owned().into()))
    }

    /// The name of a partition; `None` if the event does not say which it is.
    pub(crate) fn name(&self, key: PartitionTag) -> Option<Vec<&[u8]>> {
        let session = || self.session.as_deref().map(str::as_bytes);
        // An event without the id of an agent is of the main one.
        let agent = || self.agent.as_deref().unwrap_or_default().as_bytes();
        let project = || Some(self.project.as_deref()?.as_os_str().as_encoded_bytes());
        Some(match key {
            PartitionTag::Session => vec![b"session", session()?],
            PartitionTag::Agent => vec![b"agent", session()?, agent()],
            PartitionTag::Project => vec![b"project", project()?],
            PartitionTag::User => vec![b"user"],
        })
    }

    /// The name of the partition of the session's main agent, if the event is of another one.
    pub(crate) fn main_agent(&self) -> Option<Vec<&[u8]>> {
        self.agent.as_ref()?;
        Some(vec![b"agent", self.session.as_deref()?.as_bytes(), b""])
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn partitions(event: Value, parent: Option<&str>) -> [Option<Vec<Vec<u8>>>; 4] {
        let partitions = Partitions::new(&Event::from_value(event), parent, None);
        let owned = |name: Vec<&[u8]>| name.into_iter().map(<[u8]>::to_vec).collect();
        let names = PartitionTag::ALL.iter().map(|key| partitions.name(*key).map(owned));
        names.collect::<Vec<_>>().try_into().unwrap()
    }

    fn name(parts: &[&str]) -> Option<Vec<Vec<u8>>> {
        Some(parts.iter().map(|part| part.as_bytes().to_vec()).collect())
    }

    #[test]
    fn sub_agents_share_the_session_and_sessions_that_of_their_parent() {
        let main = partitions(json!({"session_id": "s"}), None);
        assert_eq!(main, [name(&["session", "s"]), name(&["agent", "s", ""]), None, name(&["user"])]);
        let sub = partitions(json!({"session_id": "s", "agent_id": "a"}), None);
        assert_eq!(sub[..2], [name(&["session", "s"]), name(&["agent", "s", "a"])]);
        let child = partitions(json!({"session_id": "s", "parent": "p"}), Some("parent"));
        assert_eq!(child[0], name(&["session", "p"]));
        let alone = partitions(json!({"session_id": "s", "parent": ""}), Some("parent"));
        assert_eq!(alone[0], name(&["session", "s"]));
    }

    #[test]
    fn threads_are_sessions_and_events_without_an_id_have_none() {
        let thread = partitions(json!({"event": {"type": "error", "thread_id": "t"}}), None);
        assert_eq!(thread[0], name(&["session", "t"]));
        let agent = partitions(json!({"event": {"type": "error", "thread_id": "t", "agent_id": "a"}}), None);
        assert_eq!(agent[1], name(&["agent", "t", "a"]));
        assert_eq!(partitions(json!({"session_id": "", "agent_id": "a"}), None)[..2], [None, None]);
        assert_eq!(partitions(json!({"event": {"thread_id": ""}}), None)[0], None);
        assert_eq!(partitions(json!({"session_id": 7}), None)[0], None);
    }
}
