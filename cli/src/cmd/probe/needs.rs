//! What the policies of calls have hooks for.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use hookc_schema::agents::Event;
use hookc_vm::Module;

use super::question::{self, Subject};
use crate::args::Sources;
use crate::cmd::doctor::policy;
use crate::cmd::run::module;
use crate::files::Texts;
use crate::installed::calls::Call;
use crate::installed::target::Target;
use crate::installed::{WORKTREE, hooked};

/// Most tools that are tried for a hook that is for any tool.
const TOOLS: usize = 100;

/// The events and tools that a policy has hooks for.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Needs {
    /// Event types of the vocabulary.
    events: BTreeSet<String>,
    /// For each event, the tools of each of its hooks; `None` for any.
    tools: BTreeMap<String, Vec<Option<BTreeSet<String>>>>,
}

/// Something that a call must get.
#[derive(Clone, Debug)]
pub(super) struct Need {
    /// The tool; `None` if any will do.
    pub(super) tool: Option<String>,
    /// The events that show it, one of which must reach the call.
    pub(super) subjects: Vec<Subject>,
}

/// What the policies of a call need; `None` if they cannot be compiled, which the answer to a question says.
pub(super) fn of_call(agent: Target, call: &Call) -> Option<Needs> {
    let (layers, files): (Vec<String>, Vec<String>) =
        call.policies.iter().cloned().partition(|policy| policy.contains('='));
    let files: Vec<PathBuf> = files.into_iter().map(PathBuf::from).collect();
    of_files(agent, &files, Sources { layers, verify_key: call.start.verify_key.clone(), ..Sources::plain() })
}

/// What policies need.
pub(super) fn of_files(agent: Target, files: &[PathBuf], sources: Sources) -> Option<Needs> {
    let sources = Sources { hosts: vec![agent.name.clone()], ..sources };
    let mut tools = BTreeMap::new();
    let module = module(Module::load, files, &mut Texts::default(), &sources, |built| {
        tools = policy::tools(built);
    });
    Some(Needs { events: hooked(&module.ok()?), tools })
}

impl Needs {
    /// The events that no call is for, by the agent's names; `called` are those with a call.
    pub(super) fn uncalled(&self, agent: Target, called: &BTreeSet<&str>) -> Vec<&'static str> {
        let events = self.events.iter().filter(|event| *event != WORKTREE);
        events.flat_map(|event| agent.uncalled(event, called)).collect()
    }

    /// What a call at an event must get; and the tools of hooks that the agent does not have.
    pub(super) fn at(&self, agent: Target, event: &Event) -> (Vec<Need>, Vec<String>) {
        if !question::has_tool(event) {
            let values =
                if event.values.is_empty() { vec!["probe".to_owned()] } else { event.values.clone() };
            let subjects = values.into_iter().map(Subject::Value).collect();
            return (vec![Need { tool: None, subjects }], Vec::new());
        }
        let hooks = self.tools.get(&event.event).map(Vec::as_slice).unwrap_or_default();
        let fits = |tool: &str| event.tool.as_deref().is_none_or(|only| only == tool);
        let (mut needs, mut absent) = (Vec::new(), Vec::new());
        for tool in hooks.iter().flatten().flatten().collect::<BTreeSet<_>>() {
            let forms = question::tools(agent.agent(), tool);
            match forms.is_empty() {
                true => absent.push(tool.clone()),
                false if !fits(tool) => {}
                false => needs.push(Need {
                    tool: Some(tool.clone()),
                    subjects: forms.into_iter().map(Subject::Tool).collect(),
                }),
            }
        }
        // A hook that is for one of several tools of which the agent has some is not lost.
        let lost = |tool: &String| {
            hooks
                .iter()
                .flatten()
                .any(|tools| tools.contains(tool) && tools.iter().all(|one| absent.contains(one)))
        };
        let absent_alone: Vec<String> = absent.iter().filter(|tool| lost(tool)).cloned().collect();
        if hooks.is_empty() || hooks.iter().any(Option::is_none) {
            let shared: BTreeSet<&str> = agent.shared_tools().filter(|tool| fits(tool)).collect();
            let forms = shared.into_iter().flat_map(|tool| question::tools(agent.agent(), tool));
            needs.push(Need { tool: None, subjects: forms.take(TOOLS).map(Subject::Tool).collect() });
        }
        (needs, absent_alone)
    }
}
