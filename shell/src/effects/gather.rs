//! Gathers what an event does.

use hookc_base::input_role::{InputKind, InputRole, Presence};

use super::collector::{Collector, Marks};
use super::text::Stored;
use super::{Actions, Event, Input, Kind, Project, Scheme, UnknownCause, Value, inputs, line, patches};
use crate::paths;

/// Inputs that tools usually have, and what they mean for a tool that nobody declares.
const ASSUMED: &[(&str, InputKind)] = &[
    ("file_path", InputKind::Edit),
    ("absolute_path", InputKind::Edit),
    ("notebook_path", InputKind::Edit),
    ("target_file", InputKind::Edit),
    ("path", InputKind::Edit),
    ("file", InputKind::Edit),
    ("filename", InputKind::Edit),
    ("files[*]", InputKind::Edit),
    ("paths[*]", InputKind::Edit),
    ("command", InputKind::Line),
    ("cmd", InputKind::Line),
    ("url", InputKind::Url),
    ("uri", InputKind::Url),
    ("content", InputKind::Text),
    ("text", InputKind::Text),
];

/// Gathers what an event does. `out` is cleared first.
///
/// ```
/// use hookc_shell::effects::{Actions, Event, Input, Project, ToolRoles, Tools, Value, gather};
///
/// struct Line(&'static str);
/// impl Input for Line {
///     fn each(&self, path: &str, see: &mut dyn FnMut(Value<'_>)) {
///         if path == "command" {
///             see(Value::Text(self.0));
///         }
///     }
/// }
///
/// let inputs = Some(vec![("command".to_owned(), "line required".to_owned())]);
/// let tools = Tools { shipped: vec![ToolRoles { name: "Bash".to_owned(), inputs }], ..Tools::default() };
/// let event = Event {
///     tool: "Bash",
///     host_tool: None,
///     cwd: Some("/home/me"),
///     project: Project::Absent,
///     tools: &tools,
///     programs: Default::default(),
/// };
/// let mut actions = Actions::default();
/// gather(&event, &Line("cd api && echo x > \"$D\"/.env"), &mut actions);
/// let objects: Vec<_> = actions.effects().map(|effect| (effect.kind.as_str(), effect.object.text)).collect();
/// assert_eq!(objects, [("run", "cd"), ("run", "echo"), ("write", "$D/.env")]);
/// ```
pub fn gather(event: &Event<'_>, input: &dyn Input, out: &mut Actions) {
    out.clear();
    collect(event, input, out);
    if out.store.is_full {
        out.unknown.get_or_insert(UnknownCause::Limit);
    }
}

fn collect(event: &Event<'_>, input: &dyn Input, out: &mut Actions) {
    let cwd = root(event.cwd.unwrap_or_default(), out);
    out.cwd = Some(cwd);
    out.project = match event.project {
        Project::At(path) => Some(root(path, out)),
        Project::Nowhere => None,
        Project::Absent => Some(cwd),
    };
    let mut collector = Collector::new(out);
    let Some(tool) = event.tools.find(event.tool, event.host_tool) else {
        collector.actions.is_undeclared = true;
        collector.is_assumed = true;
        let inputs = ASSUMED.iter().map(|(path, kind)| (*path, InputRole::from(*kind)));
        return Tool { event, input, out: &mut collector }.read(&inputs.collect::<Vec<_>>());
    };
    let Some(inputs) = &tool.inputs else { return collector.unknown(UnknownCause::Tool) };
    let mut roles = Vec::new();
    let has_effect = |role: &str| role != InputKind::Data.name();
    for (path, role) in inputs.iter().filter(|(_, role)| has_effect(role)) {
        match InputRole::parse(role) {
            Ok(role) => roles.push((path.as_str(), role)),
            Err(_) => collector.unknown(UnknownCause::Input),
        }
    }
    Tool { event, input, out: &mut collector }.read(&roles);
}

/// A directory of the event; empty if its place is unknown.
fn root(path: &str, out: &mut Actions) -> Stored {
    let mut resolved = String::new();
    let is_place = paths::resolve("", path, &mut resolved).is_some() && resolved.starts_with(['/', '~']);
    out.store.literal(if is_place { &resolved } else { "" })
}

/// The tool of an event, whose inputs are read.
struct Tool<'t, 'a> {
    event: &'t Event<'t>,
    input: &'t dyn Input,
    out: &'t mut Collector<'a>,
}

impl Tool<'_, '_> {
    fn read(&mut self, roles: &[(&str, InputRole<'_>)]) {
        let cwd = self.out.actions.cwd.unwrap_or_default();
        let mut directory = cwd;
        for (path, _) in roles.iter().filter(|(_, role)| role.kind == InputKind::Dir) {
            self.texts(path, &mut |tool, text| {
                inputs::resolve(tool.out, cwd, text);
                directory = tool.out.actions.store.push(tool.out.draft.text());
            });
        }
        let mut globs = Vec::new();
        for (path, _) in roles.iter().filter(|(_, role)| role.kind == InputKind::Below) {
            self.texts(path, &mut |_, text| globs.extend(inputs::alternatives(text)));
        }
        globs.retain(|glob| !glob.starts_with('!'));
        let mut has_either = !roles.iter().any(|(_, role)| role.presence == Presence::Either);
        for (path, role) in roles {
            let has_no_effect = matches!(role.kind, InputKind::Data | InputKind::Dir | InputKind::Below);
            if has_no_effect && role.presence == Presence::Optional {
                continue;
            }
            let is_there = self.role(path, role, directory, &globs);
            has_either |= is_there && role.presence == Presence::Either;
            if !is_there && role.presence == Presence::Required && !self.is_empty_list(path) {
                self.out.unknown(UnknownCause::Input);
            }
        }
        if !has_either {
            self.out.unknown(UnknownCause::Input);
        }
        self.defaults(roles, directory, &globs);
    }

    /// The defaults of kinds without an input.
    fn defaults(&mut self, roles: &[(&str, InputRole<'_>)], directory: Stored, globs: &[String]) {
        for (number, (_, role)) in roles.iter().enumerate() {
            let Some(default) = role.default else { continue };
            let same = || roles.iter().filter(|(_, other)| other.kind == role.kind);
            let is_there = same().any(|(path, _)| self.is_there(path));
            let is_first = roles
                .iter()
                .take(number)
                .all(|(_, other)| other.kind != role.kind || other.default.is_none());
            if !is_there && is_first {
                inputs::path(self.out, role, directory, default, globs);
            }
        }
    }

    fn is_there(&self, path: &str) -> bool {
        let mut is_there = false;
        self.input.each(path, &mut |_| is_there = true);
        is_there
    }

    /// Whether an input is in each element of a list without elements.
    fn is_empty_list(&self, path: &str) -> bool {
        let Some((list, _)) = path.split_once("[*]") else { return false };
        let mut is_empty = false;
        self.input.each(list, &mut |value| {
            if let Value::Words(words) = value {
                is_empty |= words.next().is_none();
            }
        });
        is_empty
    }

    /// Calls `see` with each text of an input; other values make the event unknown. Whether the input is there.
    fn texts(&mut self, path: &str, see: &mut dyn FnMut(&mut Self, &str)) -> bool {
        let (input, mut is_there) = (self.input, false);
        input.each(path, &mut |value| {
            is_there = true;
            match value {
                Value::Text(text) => see(self, text),
                Value::Words(words) => words.for_each(|text| see(self, text)),
                Value::Other => self.out.no_text(UnknownCause::Input),
            }
        });
        is_there
    }

    /// The effects of an input; whether it is there.
    fn role(&mut self, path: &str, role: &InputRole<'_>, directory: Stored, globs: &[String]) -> bool {
        match role.kind {
            InputKind::Data | InputKind::Dir | InputKind::Below => self.is_there(path),
            InputKind::Line => self.line(path, directory),
            InputKind::Code => {
                let is_there = self.is_there(path);
                if is_there {
                    self.out.unknown(UnknownCause::Code);
                }
                self.input.each(path, &mut |value| self.add_texts(value));
                is_there
            }
            InputKind::Text => {
                let mut is_there = false;
                self.input.each(path, &mut |value| {
                    is_there = true;
                    self.add_texts(value);
                });
                is_there
            }
            kind => self.texts(path, &mut |tool, text| match kind {
                InputKind::Url => inputs::url(tool.out, text),
                InputKind::Host => inputs::host(tool.out, text),
                InputKind::Ref => inputs::pushed(tool.out, text),
                InputKind::Package => {
                    tool.out.named(Kind::Install, Scheme::Package, text, Marks::default());
                }
                InputKind::Patch => patches::input(tool.out, directory, text),
                _ => inputs::path(tool.out, role, directory, text, globs),
            }),
        }
    }

    fn add_texts(&mut self, value: Value<'_>) {
        match value {
            Value::Text(text) => self.out.actions.add_text(text),
            Value::Words(words) => words.for_each(|text| self.out.actions.add_text(text)),
            Value::Other => {}
        }
    }

    /// The command lines of an input.
    fn line(&mut self, path: &str, directory: Stored) -> bool {
        let names = [Some(self.event.tool), self.event.host_tool];
        let foreign = names.into_iter().flatten().find_map(crate::foreign);
        let (input, programs, mut is_there) = (self.input, self.event.programs, false);
        input.each(path, &mut |value| {
            is_there = true;
            let mut words = String::new();
            let text = match value {
                Value::Text(text) => text,
                Value::Words(list) => {
                    list.for_each(|word| crate::write_word(word, &mut words));
                    words.as_str()
                }
                Value::Other => return self.out.no_text(UnknownCause::Line(crate::Cause::NotText)),
            };
            match foreign {
                Some(cause) => {
                    self.out.actions.add_text(text);
                    self.out.unknown(UnknownCause::Line(cause));
                }
                None => line::read(text, directory, programs, self.out),
            }
        });
        is_there
    }
}
