//! A session: everything that the loop needs, shared by the session's own agent and its
//! sub-agents.

mod conversation;
mod end;

use std::path::PathBuf;
use std::sync::Arc;

use hookc_runtime::action::Action;
use hookc_runtime::host::EventContext;
use hookc_runtime::{ActionFailure, Engine, Outcome};
use serde_json::{Map, Value};

pub(crate) use conversation::Conversation;
pub(crate) use end::End;

use crate::args::Common;
use crate::failure::Failure;
use crate::model::Model;
use crate::output::Output;
use crate::tools::Tool;

/// What directives and workflows add to a session.
pub(crate) trait Extension: Send + Sync {
    /// Executes an action that the session itself does not, or not in this way; `None` leaves it
    /// to the session.
    fn perform(
        &self,
        session: &Session,
        agent: &Caller,
        action: &Action,
        context: &EventContext<'_>,
    ) -> Option<Result<Outcome, ActionFailure>> {
        let _ = (session, agent, action, context);
        None
    }

    /// More members of the `event` of a thread event, such as `directive`.
    fn event_members(&self, agent: &Caller) -> Map<String, Value> {
        let _ = agent;
        Map::new()
    }
}

/// Who causes an event: kept in every call, so that depth and costs belong to somebody.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Caller {
    /// The sub-agent; `None` for the session's own agent.
    pub(crate) agent_id: Option<String>,
    /// Its type.
    pub(crate) agent_type: Option<String>,
    /// 0 for the session's own agent.
    pub(crate) depth: u32,
    /// The call of the tool that started it.
    pub(crate) tool_use_id: Option<String>,
}

/// What a directive or a workflow changes in a session.
#[derive(Default)]
pub(crate) struct Changes {
    /// The policies, instead of those of the project.
    pub(crate) engine: Option<Engine>,
    /// A text behind the system prompt.
    pub(crate) system: Option<String>,
    pub(crate) extension: Option<Arc<dyn Extension>>,
}

/// A session.
pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) project: PathBuf,
    pub(crate) model: Arc<dyn Model>,
    pub(crate) engine: Engine,
    pub(crate) output: Arc<Output>,
    pub(crate) tools: Vec<Box<dyn Tool>>,
    pub(crate) extension: Option<Arc<dyn Extension>>,
}

impl Session {
    /// Opens a session: reads the settings, the policies and the skills. `resume` is the id of a
    /// saved one.
    ///
    /// # Errors
    /// Something cannot be read, or contradicts itself.
    pub(crate) fn open(
        common: &Common,
        resume: Option<&str>,
        changes: Option<Changes>,
    ) -> Result<Self, Failure> {
        let _ = (common, resume, changes);
        Err(Failure::usage("not implemented yet"))
    }

    /// The session's own agent, where it was left.
    pub(crate) fn root(&self) -> Conversation {
        Conversation::default()
    }

    /// Submits a prompt and runs the loop until the model stops.
    ///
    /// # Errors
    /// The state cannot be saved, or the output cannot be written. How the conversation ended,
    /// also by an error of the model, is an [`End`].
    pub(crate) fn submit(&self, agent: &mut Conversation, prompt: &str) -> Result<End, Failure> {
        let _ = (agent, prompt);
        Err(Failure::usage("not implemented yet"))
    }
}
