//! Predicates about effects in conditions: where the parts of an event are that say what it does, and what a policy
//! declares about them.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use hookc_schema::tree::{self, Declarations, Step};
use hookc_schema::value::{Kind, Value};
use hookc_schema::vocab::{FieldSchema, ToolField, Type};

use crate::effects::{
    Deeds, Guard, Knowledge, Line, Predicate, Project, SetSource, Sets, ToolEvent, ToolRow, Verb, gather,
    view,
};
use crate::json::Json;
use crate::path::Places;
use crate::programs::Programs;

/// The reader of command lines: a line by its text, its directory, and the programs that policies add.
pub type LineReader = fn(&str, Option<&str>, &Programs) -> Option<Line>;

/// Sentences about an event, which the product words.
#[derive(Clone, Copy, Debug)]
pub struct Sentences {
    /// Why a predicate is true or false.
    pub because: fn(&ToolEvent, &Knowledge, &Programs, &Sets, &Predicate) -> String,
    /// Why a part of what it does is unknown.
    pub unknown: fn(&ToolEvent, &Knowledge, &Programs) -> String,
}

/// What predicates need besides the policy and the event.
#[derive(Clone, Debug)]
pub struct Effects {
    /// The rows of programs, and the tools that are known.
    pub knowledge: Knowledge,
    /// The shipped sets of patterns.
    pub sets: Arc<Sets>,
    /// The reader of command lines.
    pub line_of: LineReader,
    /// Sentences about events.
    pub sentences: Sentences,
}

/// What a policy declares about effects, for its own hooks.
#[derive(Debug, Default)]
pub(crate) struct Declared {
    sets: Sets,
    tools: Vec<ToolRow>,
    project: Option<String>,
    gathered: RefCell<BTreeMap<Asked, Rc<Gathered>>>,
}

/// Inputs of an event, each with its role.
type Inputs = Vec<(String, String)>;

/// The fields of an event with roles, and its text.
type Asked = (Option<Inputs>, String);

/// How many events are remembered.
const REMEMBERED: usize = 1_000;

/// What an event does, and the view of it.
#[derive(Debug, Default)]
struct Gathered {
    deeds: Deeds,
    view: OnceCell<Option<Json>>,
}

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
            gathered: RefCell::default(),
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

    /// Forgets what earlier events do, if they are many.
    pub(crate) fn forget(&self) {
        let mut gathered = self.gathered.borrow_mut();
        if gathered.len() > REMEMBERED {
            gathered.clear();
        }
    }

    /// Where the policy says that its project is.
    pub(crate) fn project(&self) -> Option<&str> {
        self.project.as_deref()
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
    pub(crate) programs: &'a Programs,
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
fn fields(schema: Option<&FieldSchema>) -> Option<Inputs> {
    let schema = schema?;
    let parts = [ToolField::Input, ToolField::Response];
    if schema.properties.values().any(|field| field.tool.is_some_and(|part| parts.contains(&part))) {
        return None;
    }
    let roles = schema.roles();
    let has_prompt = schema.properties.get("prompt").is_some_and(|field| field.types.has(Type::String));
    Some(if roles.is_empty() && has_prompt { vec![("prompt".to_owned(), "text".to_owned())] } else { roles })
}

/// Whether a part of the event that says what it does has a duplicate key.
pub(crate) fn reads_twice(
    schema: Option<&FieldSchema>,
    event: &Json,
    reads_success: bool,
    has_project: bool,
) -> bool {
    let twice = |name: &str, whole| field(name).has_duplicates(event, whole);
    let is_success = reads_success && twice("tool_ok", false);
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
        self.has_passed(predicate, event)
    }

    /// Whether a predicate is true of an event that had success.
    pub(crate) fn has_passed(&self, predicate: &tree::Predicate, event: &Json) -> bool {
        read(predicate).holds(self.sets, &self.effects.knowledge.rows, &self.gathered(event).deeds)
    }

    /// Why a predicate is true or false.
    pub(crate) fn sentence(&self, predicate: &tree::Predicate, event: &Json) -> String {
        let (asked, knowledge) = self.asked(event);
        (self.effects.sentences.because)(&asked, &knowledge, self.programs, self.sets, &read(predicate))
    }

    /// The view of what an event does.
    pub(crate) fn view(&self, event: &Json) -> Option<Json> {
        let gathered = self.gathered(event);
        let unknown = || {
            let (asked, knowledge) = self.asked(event);
            (self.effects.sentences.unknown)(&asked, &knowledge, self.programs)
        };
        let view = || {
            let view = view(&gathered.deeds, gathered.deeds.is_unknown.then(unknown));
            Json::parse(view.to_string().as_bytes()).ok()
        };
        gathered.view.get_or_init(view).clone()
    }

    /// What an event does, gathered once for all predicates of a policy: with the inputs of a tool, or with the fields of
    /// the event that have roles.
    fn gathered(&self, event: &Json) -> Rc<Gathered> {
        let key = (fields(self.schema), event.canonical());
        if let Some(known) = self.declared.gathered.borrow().get(&key) {
            return Rc::clone(known);
        }
        let gathered = Rc::new(Gathered { deeds: self.gather(event), view: OnceCell::new() });
        self.declared.gathered.borrow_mut().insert(key, Rc::clone(&gathered));
        gathered
    }

    /// What is asked about an event, and what is known about its tool.
    fn asked(&self, event: &Json) -> (ToolEvent, Knowledge) {
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
        (asked, knowledge)
    }

    fn gather(&self, event: &Json) -> Deeds {
        let (asked, knowledge) = self.asked(event);
        let line_of = |line: &str, cwd: Option<&str>| (self.effects.line_of)(line, cwd, self.programs);
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
