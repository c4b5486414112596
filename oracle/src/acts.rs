//! Predicates about effects in conditions: where the parts of an event are that say what it does, and what a policy
//! declares about them.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use hookc_schema::tree::{self, Declarations, Step};
use hookc_schema::value::{Kind, Value};
use hookc_schema::vocab::{FieldSchema, ToolField, Type, Wrapper};

use crate::effects::{
    Deeds, Guard, Knowledge, Line, Predicate, Project, SetSource, Sets, ToolEvent, ToolRow, Verb, gather,
};
use crate::json::Json;
use crate::path::Places;

/// The reader of command lines: a line by its text, its directory, and the programs that policies declare as wrappers.
pub type LineReader = fn(&str, Option<&str>, &[Wrapper]) -> Option<Line>;

/// What predicates need besides the policy and the event.
#[derive(Clone, Debug)]
pub struct Effects {
    /// The rows of programs, and the tools that are known.
    pub knowledge: Knowledge,
    /// The shipped sets of patterns.
    pub sets: Arc<Sets>,
    /// The reader of command lines.
    pub line_of: LineReader,
}

/// What a policy declares about effects, for its own hooks.
#[derive(Debug, Default)]
pub(crate) struct Declared {
    sets: Sets,
    tools: Vec<ToolRow>,
    project: Option<String>,
    last: RefCell<Option<(EventKey, Rc<Deeds>)>>,
}

/// The text of an event, and whether its own fields have roles.
type EventKey = (String, bool);

impl Declared {
    pub(crate) fn new(declarations: &Declarations) -> Self {
        let set = |value: &Value| match &value.kind {
            Kind::Map(_) => SetSource { of: texts(value.get("of")), except: texts(value.get("except")) },
            _ => SetSource { of: texts(Some(value)), except: Vec::new() },
        };
        let inputs = |value: &Value| {
            let Kind::Map(inputs) = &value.kind else { return None };
            let role = |role: &Value| role.as_str().unwrap_or_default().to_owned();
            Some(inputs.iter().map(|input| (input.key.node.clone(), role(&input.value))).collect())
        };
        Self {
            sets: members(declarations.sets.as_ref()).map(|(name, value)| (name, set(value))).collect(),
            tools: members(declarations.tools.as_ref()).map(|(name, value)| (name, inputs(value))).collect(),
            project: declarations.project.as_ref().and_then(|path| path.as_str().map(str::to_owned)),
            last: RefCell::default(),
        }
    }

    /// All sets of its patterns: one that the policy declares replaces a shipped one.
    pub(crate) fn sets(&self, effects: &Effects) -> Arc<Sets> {
        if self.sets.is_empty() {
            return Arc::clone(&effects.sets);
        }
        let mut sets = Sets::clone(&effects.sets);
        sets.extend(self.sets.clone());
        Arc::new(sets)
    }

    /// Whether the policy says where its project is.
    pub(crate) const fn has_project(&self) -> bool {
        self.project.is_some()
    }
}

fn members(section: Option<&Value>) -> impl Iterator<Item = (String, &Value)> {
    let members = section.into_iter().flat_map(|section| match &section.kind {
        Kind::Map(members) => members.as_slice(),
        _ => &[],
    });
    members.map(|member| (member.key.node.clone(), &member.value))
}

/// The texts of a list, or the one text.
fn texts(value: Option<&Value>) -> Vec<String> {
    match value.map(|value| &value.kind) {
        Some(Kind::Seq(items)) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Some(Kind::Str(text)) => vec![text.value.clone()],
        _ => Vec::new(),
    }
}

/// A condition about effects, where it stands.
pub(crate) struct Test<'a> {
    pub(crate) effects: &'a Effects,
    pub(crate) declared: &'a Declared,
    pub(crate) sets: &'a Sets,
    pub(crate) wrappers: &'a [Wrapper],
    /// The schema of the event; nothing for an event that nobody declares.
    pub(crate) schema: Option<&'a FieldSchema>,
}

/// A field of an event: at its root, or in `event`.
fn field(name: &str) -> Places {
    let step = |name: &str| Step::Name(name.to_owned());
    Places { root: vec![step(name)], nested: Some(vec![step("event"), step(name)]) }
}

fn text(event: &Json, name: &str) -> Option<String> {
    match field(name).find(event) {
        Some(Json::Str(text)) => Some(text.clone()),
        _ => None,
    }
}

/// The inputs of an event without a tool whose own fields have roles; nothing if the event is about a tool.
fn fields(schema: Option<&FieldSchema>) -> Option<Vec<(String, String)>> {
    let schema = schema?;
    let parts = [ToolField::Input, ToolField::Response];
    if schema.properties.values().any(|field| field.tool.is_some_and(|part| parts.contains(&part))) {
        return None;
    }
    let roles = schema.roles();
    let has_prompt = schema.properties.get("prompt").is_some_and(|field| field.types.has(Type::String));
    Some(if roles.is_empty() && has_prompt { vec![("prompt".to_owned(), "text".to_owned())] } else { roles })
}

/// Whether a part of the event that a predicate reads has a duplicate key.
pub(crate) fn reads_twice(
    predicate: &tree::Predicate,
    schema: Option<&FieldSchema>,
    event: &Json,
    has_project: bool,
) -> bool {
    let twice = |name: &str, whole| field(name).has_duplicates(event, whole);
    let is_success = matches!(predicate, tree::Predicate::Passed(_)) && twice("tool_ok", false);
    let place = twice("cwd", false) || !has_project && twice("project_dir", false);
    let parts = match fields(schema) {
        Some(_) => event.has_duplicates(),
        None => twice("tool_input", true) || twice("tool_name", false) || twice("host_tool_name", false),
    };
    is_success || place || parts
}

impl Test<'_> {
    /// Whether a predicate is true of an event.
    pub(crate) fn holds(&self, predicate: &tree::Predicate, event: &Json) -> bool {
        let is_success = matches!(field("tool_ok").find(event), Some(Json::Bool(true)));
        if matches!(predicate, tree::Predicate::Passed(_)) && !is_success {
            return false;
        }
        read(predicate).holds(self.sets, &self.effects.knowledge.rows, &self.deeds(event))
    }

    /// What an event does, gathered once for all predicates of a policy about it.
    fn deeds(&self, event: &Json) -> Rc<Deeds> {
        let key = (event.canonical(), fields(self.schema).is_some());
        let mut last = self.declared.last.borrow_mut();
        match &*last {
            Some((known, deeds)) if *known == key => Rc::clone(deeds),
            _ => Rc::clone(&last.insert((key, Rc::new(self.gathered(event)))).1),
        }
    }

    fn gathered(&self, event: &Json) -> Deeds {
        let mut knowledge =
            Knowledge { declared: self.declared.tools.clone(), ..self.effects.knowledge.clone() };
        let project = match (&self.declared.project, field("project_dir").find(event)) {
            (Some(path), _) | (None, Some(Json::Str(path))) => Project::At(path.clone()),
            (None, None) => Project::Absent,
            (None, Some(_)) => Project::Nowhere,
        };
        let mut asked = ToolEvent {
            tool: text(event, "tool_name").unwrap_or_default(),
            host_tool: text(event, "host_tool_name"),
            cwd: text(event, "cwd"),
            project,
            input: field("tool_input").find(event).map_or(serde_json::Value::Null, plain),
        };
        if let Some(inputs) = fields(self.schema) {
            asked.input = own_fields(event, &inputs);
            (asked.tool, asked.host_tool) = (String::new(), None);
            knowledge.declared = vec![("*".to_owned(), Some(inputs))];
        }
        let line_of = |line: &str, cwd: Option<&str>| (self.effects.line_of)(line, cwd, self.wrappers);
        gather(&asked, &knowledge, &line_of)
    }
}

/// The fields of an event that have roles: those of its root, or else those of `event`.
fn own_fields(event: &Json, inputs: &[(String, String)]) -> serde_json::Value {
    let whole = plain(event);
    let names = inputs.iter().filter_map(|(path, _)| path.split(['.', '[']).next());
    let value = |name: &str| {
        let root = whole.get(name).filter(|value| !value.is_null());
        Some((name.to_owned(), root.or_else(|| whole.get("event")?.get(name))?.clone()))
    };
    serde_json::Value::Object(names.filter_map(value).collect())
}

/// A value without what no effect depends on: which number it is.
fn plain(json: &Json) -> serde_json::Value {
    match json {
        Json::Null => serde_json::Value::Null,
        Json::Bool(truth) => (*truth).into(),
        Json::Num(_) => 0.into(),
        Json::Str(text) => text.as_str().into(),
        Json::Arr(items) => items.iter().map(plain).collect(),
        Json::Obj(members) => members.iter().map(|(key, value)| (key.clone(), plain(value))).collect(),
    }
}

/// A predicate of a policy.
fn read(predicate: &tree::Predicate) -> Predicate {
    let texts = |patterns: &[tree::Pattern]| patterns.iter().map(|one| one.node.value.clone()).collect();
    let guard = |guard: &tree::Guard| Guard {
        verb: verb(guard.name().as_str().trim_start_matches("may_")),
        is_possible: guard.is_possible,
        of: texts(&guard.of),
        except: texts(&guard.except),
        by: texts(&guard.by),
        not_by: texts(&guard.not_by),
    };
    match predicate {
        tree::Predicate::Guard(inner) => Predicate::Guard(guard(inner)),
        tree::Predicate::Only(guards) => Predicate::Only(guards.iter().map(guard).collect()),
        tree::Predicate::Unknown => Predicate::Unknown,
        tree::Predicate::Mentions(of) => Predicate::Mentions(texts(of)),
        tree::Predicate::Passed(of) => Predicate::Passed(texts(of)),
    }
}

/// The verb of a name: `read` and `reads`.
fn verb(name: &str) -> Verb {
    match name.trim_end_matches('s') {
        "run" => Verb::Run,
        "read" => Verb::Read,
        "write" => Verb::Write,
        "delete" => Verb::Delete,
        "change" => Verb::Change,
        "contact" => Verb::Contact,
        "send" => Verb::Send,
        "install" => Verb::Install,
        _ => Verb::Push,
    }
}
