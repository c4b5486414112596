//! What an event does: the roles of the inputs of its tool.

use std::sync::Arc;

use serde_json::Value;

use super::commands::add_line;
use super::glob::braces;
use super::inputs::{addresses, file, unprefixed, wildcards};
use super::line::Line;
use super::model::{Deeds, Effect, Kind, Scheme};
use super::patch;
use super::place::{Anchors, below, resolve};
use super::table::Rows;
use super::text::{Symbol, Text};

/// A tool by a glob of its name: its inputs by path, with their roles; none if it is unknown what it does.
pub type ToolRow = (String, Option<Vec<(String, String)>>);

/// The project of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Project {
    /// A directory.
    At(String),
    /// None.
    Nowhere,
    /// The event does not say.
    Absent,
}

/// An event with a tool.
#[derive(Clone, Debug)]
pub struct ToolEvent {
    /// The tool.
    pub tool: String,
    /// The name that the agent has for it.
    pub host_tool: Option<String>,
    /// The directory of the agent.
    pub cwd: Option<String>,
    /// The project.
    pub project: Project,
    /// The inputs.
    pub input: Value,
}

/// What the policy and the program say about tools and programs.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    /// The tools that the policy declares.
    pub declared: Vec<ToolRow>,
    /// The tools that the program knows.
    pub shipped: Arc<[ToolRow]>,
    /// The rows of programs.
    pub rows: Arc<Rows>,
}

/// The reader of command lines: a line by its text and its directory; nothing if it cannot be read.
pub type LineOf<'a> = &'a dyn Fn(&str, Option<&str>) -> Option<Line>;

/// What an event does.
#[must_use]
pub fn gather(event: &ToolEvent, knowledge: &Knowledge, line_of: LineOf<'_>) -> Deeds {
    let cwd = root(event.cwd.as_deref().unwrap_or_default());
    let event = &ToolEvent { cwd: Some(cwd.clone()), ..event.clone() };
    let project = match &event.project {
        Project::At(path) => Some(root(path)),
        Project::Nowhere => None,
        Project::Absent => Some(cwd.clone()),
    };
    let deeds = Deeds { anchors: Anchors { project, cwd: Some(cwd) }, ..Deeds::default() };
    let mut gatherer = Gatherer { event, knowledge, line_of, deeds };
    match find(knowledge, event) {
        Some(None) => gatherer.deeds.is_unknown = true,
        Some(Some(inputs)) => gatherer.declared(inputs),
        None => gatherer.assumed(),
    }
    gatherer.deeds.effects.retain(|effect| !effect.is_sink());
    gatherer.deeds
}

/// A directory of an event; empty if its place is unknown.
fn root(path: &str) -> String {
    let is_place = path.starts_with('/') || path == "~" || path.starts_with("~/");
    let resolved = is_place.then(|| resolve(&Text::default(), &Text::from(path)).literal());
    resolved.flatten().unwrap_or_default()
}

/// The row of the tool of an event.
fn find<'k>(knowledge: &'k Knowledge, event: &ToolEvent) -> Option<&'k Option<Vec<(String, String)>>> {
    let best = |rows: &'k [ToolRow], tool: &str| {
        let matching = rows.iter().filter(|(glob, _)| super::list::is_text(glob, tool));
        let mut matching: Vec<&ToolRow> = matching.collect();
        matching.sort_by_key(|(glob, _)| (glob.contains('*'), std::cmp::Reverse(glob.len())));
        matching.first().map(|(_, inputs)| inputs)
    };
    best(&knowledge.declared, &event.tool)
        .or_else(|| event.host_tool.as_ref().and_then(|tool| best(&knowledge.shipped, tool)))
        .or_else(|| best(&knowledge.shipped, &event.tool))
}

/// Every value at a path except null.
fn values<'v>(value: &'v Value, path: &str) -> Vec<&'v Value> {
    let mut found = vec![value];
    for step in path.split('.') {
        let (name, is_list) = step.strip_suffix("[*]").map_or((step, false), |name| (name, true));
        found = found.into_iter().filter_map(|value| value.get(name)).collect();
        if is_list {
            found = found.into_iter().flat_map(|value| value.as_array().into_iter().flatten()).collect();
        }
    }
    found.retain(|value| !value.is_null());
    found
}

/// The role of an input.
struct Role<'r> {
    kind: &'r str,
    words: Vec<&'r str>,
}

impl<'r> Role<'r> {
    fn new(text: &'r str) -> Self {
        let mut words = text.split_whitespace();
        Self { kind: words.next().unwrap_or_default(), words: words.collect() }
    }

    fn has(&self, word: &str) -> bool {
        self.words.contains(&word)
    }

    fn default(&self) -> Option<&'r str> {
        let marks = ["tree", "glob", "required", "either"];
        self.words.iter().copied().find(|word| !marks.contains(word))
    }
}

struct Gatherer<'a> {
    event: &'a ToolEvent,
    knowledge: &'a Knowledge,
    line_of: LineOf<'a>,
    deeds: Deeds,
}

/// The kinds of effects of a path role.
fn kinds(role: &str) -> &'static [Kind] {
    match role {
        "read" => &[Kind::Read],
        "use" => &[Kind::Use],
        "list" => &[Kind::List],
        "write" => &[Kind::Write],
        "delete" => &[Kind::Delete],
        "send" => &[Kind::Read, Kind::Send],
        "edit" => &[Kind::Use, Kind::Write],
        "move" => &[Kind::Use, Kind::Delete],
        _ => &[],
    }
}

impl Gatherer<'_> {
    fn declared(&mut self, inputs: &[(String, String)]) {
        let roles: Vec<(&str, Role<'_>)> =
            inputs.iter().map(|(path, role)| (path.as_str(), Role::new(role))).collect();
        let is_there = |path: &str| !values(&self.event.input, path).is_empty();
        let is_empty = |path: &str| {
            let list = path.split_once("[*]").map(|(list, _)| values(&self.event.input, list));
            let mut lists = list.into_iter().flatten().filter_map(|value| value.as_array());
            lists.any(Vec::is_empty)
        };
        let missing =
            roles.iter().any(|(path, role)| role.has("required") && !is_there(path) && !is_empty(path));
        let mut either = roles.iter().filter(|(_, role)| role.has("either")).peekable();
        let none_of = either.peek().is_some() && !either.any(|(path, _)| is_there(path));
        self.deeds.is_unknown |= missing || none_of;
        let directory = self.directory(&roles);
        let globs: Vec<Text> = roles
            .iter()
            .filter(|(_, role)| role.kind == "below")
            .flat_map(|(path, _)| self.texts(path))
            .flat_map(|glob| braces(&glob))
            .filter(|glob| !glob.starts_with('!'))
            .map(|glob| wildcards(&glob))
            .collect();
        for (path, role) in &roles {
            let given = values(&self.event.input, path);
            let is_first =
                roles.iter().find(|(_, other)| other.kind == role.kind && other.default().is_some());
            let is_default = is_first.is_some_and(|(first, _)| first == path)
                && !roles.iter().any(|(path, other)| other.kind == role.kind && is_there(path));
            let input = Input { role, directory: &directory, globs: &globs };
            for value in given {
                self.value(&input, value);
            }
            if let Some(text) = role.default().filter(|_| is_default) {
                self.text(&input, text);
            }
        }
    }

    fn texts(&self, path: &str) -> Vec<String> {
        values(&self.event.input, path)
            .into_iter()
            .filter_map(|value| value.as_str().map(str::to_owned))
            .collect()
    }

    /// The directory of the line and of relative paths.
    fn directory(&self, roles: &[(&str, Role<'_>)]) -> Text {
        let cwd = Text::from(self.event.cwd.clone().unwrap_or_default().as_str());
        let dirs = roles.iter().filter(|(_, role)| role.kind == "dir");
        let named = dirs.flat_map(|(path, _)| self.texts(path)).next_back();
        named.map_or_else(|| cwd.clone(), |path| file(&path, &cwd))
    }

    fn value(&mut self, input: &Input<'_>, value: &Value) {
        match (input.role.kind, value) {
            ("code", _) => self.deeds.is_unknown = true,
            ("data", _) | ("dir" | "below", Value::String(_)) => {}
            ("text", value) => all_texts(value, &mut self.deeds.texts),
            (_, Value::String(text)) => self.text(input, text),
            ("line", Value::Array(words)) => {
                let quoted = |word: &Value| Some(format!("'{}'", word.as_str()?.replace('\'', "'\\''")));
                match words.iter().map(quoted).collect::<Option<Vec<_>>>() {
                    Some(words) => self.text(input, &words.join(" ")),
                    None => self.deeds.is_unknown = true,
                }
            }
            (_, Value::Array(list)) if list.iter().all(Value::is_string) => {
                list.iter().filter_map(Value::as_str).for_each(|text| self.text(input, text));
            }
            _ => self.deeds.is_unknown = true,
        }
    }

    fn text(&mut self, input: &Input<'_>, text: &str) {
        let kind = input.role.kind;
        if matches!(kind, "line" | "url" | "patch") {
            self.deeds.texts.push(Text::from(text));
        }
        match kind {
            "line" => self.line(text, input.directory),
            "url" | "host" => {
                let effects = addresses(text, kind == "host");
                self.deeds
                    .effects
                    .extend(effects.into_iter().map(|(kind, scheme, object)| tool(kind, scheme, object)));
            }
            "ref" => self.add(
                Kind::Push,
                Scheme::Branch,
                Text::unknown("*").followed_by(&Text::from(":")).followed_by(&Text::from(unprefixed(text))),
            ),
            "package" => self.add(Kind::Install, Scheme::Package, Text::from(text)),
            "patch" => self.patch(text, input.directory),
            _ => self.paths(input, text),
        }
    }

    fn add(&mut self, kind: Kind, scheme: Scheme, object: Text) {
        self.deeds.effects.push(tool(kind, scheme, object));
    }

    fn paths(&mut self, input: &Input<'_>, text: &str) {
        // There is no such file; the inputs of a tool that nobody declares can be anything.
        if text.contains('\0') {
            self.deeds.is_unknown |= !self.deeds.is_undeclared;
            return;
        }
        let glob = input.role.has("glob");
        let texts = if glob { braces(text) } else { vec![text.to_owned()] };
        if texts.len() > 1 {
            return texts.iter().for_each(|text| self.paths(input, text));
        }
        let narrow = |path: &Text, glob: &Text| {
            // With a directory, it starts at the path.
            let mut glob = glob.clone();
            while let Some(rest) = glob.strip_prefix("./") {
                glob = rest;
            }
            let glob = &glob;
            let name = glob.literal();
            let is_directory = matches!(name.as_deref(), Some("" | "~" | "." | ".."));
            if is_directory || glob.0.contains(&Symbol::Char('/')) {
                resolve(path, glob)
            } else {
                below(path, glob)
            }
        };
        let path = if glob { narrow(input.directory, &wildcards(text)) } else { file(text, input.directory) };
        let narrowed: Vec<Text> = input.globs.iter().map(|glob| narrow(&path, glob)).collect();
        let is_tree = input.role.has("tree");
        let objects = if narrowed.is_empty() || !is_tree {
            vec![(path, is_tree)]
        } else {
            narrowed.into_iter().map(|path| (path, false)).collect()
        };
        for (object, is_tree) in objects {
            for kind in kinds(input.role.kind) {
                self.deeds.effects.push(Effect { is_tree, ..tool(*kind, Scheme::File, object.clone()) });
            }
        }
    }

    fn line(&mut self, text: &str, directory: &Text) {
        let foreign = ["powershell", "pwsh", "cmd", "cmd.exe", "batch"];
        let names = || [&self.event.tool].into_iter().chain(&self.event.host_tool);
        let is_foreign = foreign.iter().any(|name| names().any(|tool| name.eq_ignore_ascii_case(tool)));
        let directory = directory.literal().filter(|path| !path.is_empty());
        match (self.line_of)(text, directory.as_deref()).filter(|_| !is_foreign) {
            Some(line) => add_line(&self.knowledge.rows, &line, &mut self.deeds),
            None => self.deeds.is_unknown = true,
        }
    }

    /// The files of a patch.
    fn patch(&mut self, text: &str, directory: &Text) {
        let sections = patch::sections(text);
        let changes = if sections.is_empty() { patch::diff(text, None) } else { sections };
        self.deeds.is_unknown |= changes.is_empty();
        for (kind, path) in changes {
            self.add(kind, Scheme::File, file(&path, directory));
        }
    }

    /// A tool that nobody declares: its inputs by their names.
    fn assumed(&mut self) {
        self.deeds.is_undeclared = true;
        let roles: [(&[&str], &str); 4] = [
            (
                &[
                    "file_path",
                    "absolute_path",
                    "notebook_path",
                    "target_file",
                    "path",
                    "file",
                    "filename",
                    "files[*]",
                    "paths[*]",
                ],
                "edit",
            ),
            (&["command", "cmd"], "line"),
            (&["url", "uri"], "url"),
            (&["content", "text"], "text"),
        ];
        let directory = Text::from(self.event.cwd.clone().unwrap_or_default().as_str());
        for (paths, role) in roles {
            for path in paths {
                let role = Role::new(role);
                let input = Input { role: &role, directory: &directory, globs: &[] };
                for value in values(&self.event.input, path) {
                    let is_list = value.as_array().is_some_and(|list| list.iter().all(Value::is_string));
                    if value.is_string() || is_list {
                        let first = self.deeds.effects.len();
                        self.value(&input, value);
                        for effect in self.deeds.effects.iter_mut().skip(first) {
                            effect.is_assumed = true;
                            if role.kind == "edit" && effect.kind == Kind::Use {
                                effect.kind = Kind::Read;
                            }
                        }
                    }
                }
            }
        }
    }
}

struct Input<'a> {
    role: &'a Role<'a>,
    directory: &'a Text,
    globs: &'a [Text],
}

fn tool(kind: Kind, scheme: Scheme, object: Text) -> Effect {
    Effect { kind, scheme, object, is_tree: false, is_implied: false, is_assumed: false, command: None }
}

/// Every text in a value.
fn all_texts(value: &Value, texts: &mut Vec<Text>) {
    match value {
        Value::String(text) => texts.push(Text::from(text.as_str())),
        Value::Array(items) => items.iter().for_each(|item| all_texts(item, texts)),
        Value::Object(members) => members.values().for_each(|item| all_texts(item, texts)),
        _ => {}
    }
}
