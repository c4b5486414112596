//! The names of the vocabulary with what they contain, from the shipped data.

use hookc_schema::agents::{self, Capability};
use hookc_schema::tree::Family;
use hookc_schema::tree::print::json;
use hookc_schema::vocab::{ActionKind, EventType, FieldSchema, ToolType, Vocabulary};
use serde::Serialize;

/// Names by kind.
#[derive(Default, Serialize)]
pub(super) struct Names {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) events: Vec<EventName>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tools: Vec<ToolName>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) actions: Vec<ActionName>,
}

/// An event type.
#[derive(Serialize)]
pub(super) struct EventName {
    pub(super) name: String,
    pub(super) family: &'static str,
    pub(super) description: String,
    pub(super) strategy: &'static str,
    /// Whether a denial keeps it from happening.
    pub(super) prevents: bool,
    pub(super) fields: Vec<Field>,
    pub(super) agents: Vec<AgentEvent>,
}

/// An event type at an agent.
#[derive(Serialize)]
pub(super) struct AgentEvent {
    pub(super) agent: String,
    /// The agent's name of it.
    pub(super) event: String,
    /// What an answer can do.
    pub(super) can: Vec<&'static str>,
}

/// A tool.
#[derive(Serialize)]
pub(super) struct ToolName {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) inputs: Vec<Field>,
    pub(super) response: Vec<Field>,
    pub(super) agents: Vec<AgentTool>,
}

/// A tool at an agent.
#[derive(Serialize)]
pub(super) struct AgentTool {
    pub(super) agent: String,
    /// The agent's names of it, if it has others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) names: Vec<String>,
}

/// An action kind.
#[derive(Serialize)]
pub(super) struct ActionName {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) parameters: Vec<Field>,
    pub(super) agents: Vec<AgentAction>,
}

/// The events at which an agent honours an action.
#[derive(Serialize)]
pub(super) struct AgentAction {
    pub(super) agent: String,
    pub(super) events: Vec<String>,
}

/// A field of an event, an input of a tool, or a parameter of an action.
#[derive(Serialize)]
pub(super) struct Field {
    pub(super) path: String,
    #[serde(rename = "type")]
    pub(super) types: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) role: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) values: Vec<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) required: bool,
    pub(super) description: String,
}

impl Names {
    /// Everything that is shipped.
    pub(super) fn new() -> Self {
        let vocabulary = Vocabulary::builtin();
        Self {
            events: vocabulary.events.values().map(|event| event_name(event, &vocabulary)).collect(),
            tools: vocabulary.tools.by_name.iter().map(|(name, tool)| tool_name(name, tool)).collect(),
            actions: vocabulary.actions.iter().map(|(name, kind)| action_name(name, kind)).collect(),
        }
    }

    /// The parts with a name of the vocabulary or of an agent.
    pub(super) fn named(mut self, name: &str) -> Self {
        let is_event = |event: &AgentEvent| event.event == name;
        self.events.retain(|event| event.name == name || event.agents.iter().any(is_event));
        let is_tool = |tool: &AgentTool| tool.names.iter().any(|called| called == name);
        self.tools.retain(|tool| tool.name == name || tool.agents.iter().any(is_tool));
        self.actions.retain(|action| action.name == name);
        self
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all().next().is_none()
    }

    /// All names of the vocabulary.
    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        let events = self.events.iter().map(|event| event.name.as_str());
        let tools = self.tools.iter().map(|tool| tool.name.as_str());
        events.chain(tools).chain(self.actions.iter().map(|action| action.name.as_str()))
    }
}

fn event_name(event: &EventType, vocabulary: &Vocabulary) -> EventName {
    let mut found = Vec::new();
    fields(&event.schema, "", &mut found);
    if event.family == Family::Agent {
        let sent = ["", &event.name].into_iter().filter_map(|name| vocabulary.tools.some_agents.get(name));
        sent.for_each(|schema| fields(schema, "", &mut found));
    }
    let agents = agents::answered().filter(|_| event.family == Family::Agent);
    let at = |agent: &'static agents::Agent| {
        let name = agent.name.clone();
        agent.events_of(&event.name).map(move |native| AgentEvent {
            agent: name.clone(),
            event: native.name.clone(),
            can: Capability::ALL.iter().filter(|can| native.can(**can)).map(|can| can.name()).collect(),
        })
    };
    EventName {
        name: event.name.clone(),
        family: event.family.name(),
        description: event.description.clone(),
        strategy: event.strategy.name(),
        prevents: event.prevents,
        fields: found,
        agents: agents.flat_map(at).collect(),
    }
}

fn tool_name(name: &str, tool: &ToolType) -> ToolName {
    let part = |schema: Option<&FieldSchema>, prefix: &str| {
        let mut found = Vec::new();
        if let Some(schema) = schema {
            fields(schema, prefix, &mut found);
        }
        found
    };
    let called = agents::own_names(name);
    let at = |agent: &'static agents::Agent| {
        let names = called.iter().filter(|(label, _)| *label == agent.label);
        AgentTool { agent: agent.name.clone(), names: names.map(|(_, name)| (*name).to_owned()).collect() }
    };
    ToolName {
        name: name.to_owned(),
        description: tool.description.clone(),
        inputs: part(tool.input.as_ref(), "tool_input."),
        response: part(tool.response.as_ref(), "tool_response."),
        agents: agents::answered().filter(|agent| agent.sends_tool(name)).map(at).collect(),
    }
}

fn action_name(name: &str, kind: &ActionKind) -> ActionName {
    let parameters = kind.params.iter().map(|(name, param)| Field {
        path: name.clone(),
        types: param.types.to_string(),
        role: None,
        values: param.allowed.iter().flatten().map(json).collect(),
        required: param.required,
        description: param.description.clone(),
    });
    let capability = Capability::ALL.iter().find(|capability| capability.name() == name);
    let at = |agent: &'static agents::Agent| {
        let events = agent.events.iter().filter(|event| capability.is_some_and(|can| event.can(*can)));
        let events: Vec<String> = events.map(|event| event.name.clone()).collect();
        (!events.is_empty()).then(|| AgentAction { agent: agent.name.clone(), events })
    };
    ActionName {
        name: name.to_owned(),
        description: kind.description.clone(),
        parameters: parameters.collect(),
        agents: agents::answered().filter_map(at).collect(),
    }
}

/// Each field of an object by its path, members after their object.
fn fields(schema: &FieldSchema, prefix: &str, found: &mut Vec<Field>) {
    for (name, field) in &schema.properties {
        let path = format!("{prefix}{name}");
        found.push(Field {
            path: path.clone(),
            types: field.types.to_string(),
            role: field.role.as_ref().map(|role| role.node.clone()).filter(|role| role != "data"),
            values: field.allowed.iter().flatten().map(json).collect(),
            required: false,
            description: field.description.clone(),
        });
        fields(field, &format!("{path}."), found);
        if let Some(items) = &field.items {
            fields(items, &format!("{path}[*]."), found);
        }
    }
}
