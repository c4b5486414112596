//! The smallest correct hook with what can be understood of a hook in another shape: `rules:`, `on:`, `match:`,
//! `action: block`, the settings of an agent.

use hookc_base::input_role::InputKind;
use hookc_schema::agents::{self, events_called, plain_name};
use hookc_schema::dialect::meant;
use hookc_schema::tree::Family;
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::vocab::{self, Vocabulary};
use hookc_schema::{Diagnostics, suggest};

use crate::expr::print::literal;
use crate::expr::when;
use crate::scalar;

/// How deep a value is searched, and how many members and texts in all.
const DEPTH: usize = 6;
const MEMBERS: usize = 200;

/// The bytes of a text that is read: a draft is a few lines of a message.
const TEXT: usize = 500;

/// How many names, commands or paths are written.
const LISTED: usize = 4;

/// The characters that are written of what is left out.
const OMITTED: usize = 40;

/// The field that says whether a denial made the agent go on.
const STOPPED: &str = "stop_hook_active";

/// What a key of another tool is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum About {
    Id,
    Event,
    Tool,
    Command,
    Path,
    Action,
    Reason,
    Condition,
    File,
}

/// The letters of keys, without case and separators.
const KEYS: &[(About, &[&str])] = &[
    (About::Id, &["id", "name", "rule", "title"]),
    (About::Event, &["event", "events", "on", "trigger", "hook", "hookevent", "eventtype", "phase"]),
    (About::Tool, &["tool", "tools", "toolname", "matcher", "toolmatcher"]),
    (
        About::Command,
        &[
            "command",
            "commands",
            "cmd",
            "pattern",
            "patterns",
            "regex",
            "match",
            "matches",
            "contains",
            "commandmatches",
            "commandpattern",
            "commandregex",
            "toolinputcommand",
        ],
    ),
    (About::Path, &["path", "paths", "filepath", "files", "glob", "globs", "pathmatches", "filepattern"]),
    (About::File, &["file"]),
    (About::Action, &["action", "decision", "effect", "then", "verdict", "outcome", "type", "permission"]),
    (About::Reason, &["reason", "message", "msg", "text", "feedback", "content"]),
    (About::Condition, &["when", "if", "condition", "conditions", "unless"]),
];

/// What is understood.
#[derive(Default)]
struct Draft {
    id: Option<String>,
    event: Option<String>,
    tools: Vec<String>,
    commands: Vec<String>,
    paths: Vec<String>,
    condition: Option<String>,
    action: Option<&'static str>,
    reason: Option<String>,
    file: Option<String>,
    program: Option<String>,
    /// The condition is `true`.
    always: bool,
    /// What of the hook is not in the draft.
    omitted: Vec<String>,
    left: usize,
}

/// The hook that a value in another shape seems to mean, as a list of one hook; `None` if neither what it is about nor what
/// it does is understood.
pub(crate) fn hook(value: &Value) -> Option<String> {
    let mut draft = Draft { left: MEMBERS, ..Draft::default() };
    draft.read(value, None, DEPTH);
    let is_about_something = draft.event.is_some()
        || draft.condition.is_some()
        || !(draft.tools.is_empty() && draft.commands.is_empty() && draft.paths.is_empty());
    (is_about_something && (draft.action.is_some() || draft.event.is_some())).then(|| draft.write())
}

impl Draft {
    fn read(&mut self, value: &Value, about: Option<About>, depth: usize) {
        let Some(left) = self.left.checked_sub(1) else { return };
        self.left = left;
        match &value.kind {
            Kind::Map(members) if depth > 0 => {
                members.iter().for_each(|member| self.member(member, about, depth))
            }
            Kind::Seq(items) if depth > 0 => {
                // Of several hooks, the first.
                let items = if items.iter().any(|item| matches!(item.kind, Kind::Map(_))) {
                    items.get(..1)
                } else {
                    Some(&**items)
                };
                items.into_iter().flatten().for_each(|item| self.read(item, about, depth - 1));
            }
            Kind::Str(text) if text.value.len() <= TEXT => self.text(&text.value, about),
            Kind::Bool(true) if about == Some(About::Condition) => self.always = true,
            _ => {}
        }
    }

    fn member(&mut self, member: &Member, around: Option<About>, depth: usize) {
        let key = member.key.node.as_str();
        if let Some(event) = event(key) {
            self.event.get_or_insert(event);
        }
        // `deny: a reason`
        if let Some(kind) =
            meant::action_kind(key).filter(|_| self.action.is_none() && around == Some(About::Action))
        {
            self.action = Some(kind);
            return self.read(&member.value, Some(About::Reason), depth - 1);
        }
        let plain = plain_name(key);
        let about = KEYS.iter().find(|(_, keys)| keys.contains(&plain.as_str())).map(|(about, _)| *about);
        let is_event = member.value.as_str().and_then(event).is_some();
        match about {
            Some(About::Action) if is_event => self.read(&member.value, Some(About::Event), depth - 1),
            Some(About::Command) if around == Some(About::Action) || self.action == Some("run") => {
                let program = member.value.as_str().filter(|program| program.len() <= TEXT);
                self.program = self.program.take().or_else(|| program.map(str::to_owned));
            }
            None if around.is_none() && event(key).is_none() => {
                let (understood, omitted) = (self.understood(), self.omitted.len());
                self.read(&member.value, None, depth - 1);
                if self.understood() == understood && self.omitted.len() == omitted {
                    self.omit(key);
                }
            }
            about => self.read(&member.value, about.or(around), depth - 1),
        }
    }

    /// How many parts of the hook are understood.
    fn understood(&self) -> usize {
        let lists = self.tools.len() + self.commands.len() + self.paths.len();
        let texts = [&self.id, &self.event, &self.condition, &self.reason, &self.file, &self.program];
        lists + texts.into_iter().flatten().count() + usize::from(self.action.is_some())
    }

    fn text(&mut self, text: &str, about: Option<About>) {
        match about {
            Some(About::Id) => self.id = self.id.take().or_else(|| identifier(text)),
            Some(About::Event) => {
                self.event = self.event.take().or_else(|| event(text));
            }
            Some(About::Tool) => text.split('|').for_each(|name| self.tools.extend(tool(name.trim()))),
            Some(About::Command) => {
                self.commands.extend(commands(text));
                if !is_plain(text) {
                    self.omit(text);
                }
            }
            Some(About::Path) => self.paths.push(text.to_owned()),
            Some(About::File) => self.file = Some(text.to_owned()),
            Some(About::Action) => self.action = self.action.or_else(|| meant::action_kind(text)),
            Some(About::Reason) => {
                self.reason.get_or_insert_with(|| text.to_owned());
            }
            Some(About::Condition) => self.condition(text),
            None => {}
        }
    }

    /// A condition in this language, or the names in one of another language.
    fn condition(&mut self, text: &str) {
        let written = hookc_schema::value::Text { value: text.to_owned(), ..Default::default() };
        if when::parse(&written, hookc_schema::Span::default(), &mut Diagnostics::new()).is_some() {
            self.condition.get_or_insert_with(|| text.to_owned());
            return;
        }
        let (ends, is_command) = (plain_name(text).contains("endswith"), text.contains("command"));
        for quoted in text.split(['\'', '"']).skip(1).step_by(2) {
            match tool(quoted) {
                Some(name) => self.tools.push(name),
                None if quoted.starts_with(['.', '/', '~']) || quoted.contains('*') => {
                    self.paths.push(if ends { format!("*{quoted}") } else { quoted.to_owned() });
                }
                None if is_command => self.commands.extend(commands(quoted)),
                None => {}
            }
        }
    }

    fn write(mut self) -> String {
        let event = self.event.take().unwrap_or_else(|| "PreToolUse".to_owned());
        self.tools.sort_unstable();
        self.tools.dedup();
        let mut out = "hooks:\n".to_owned();
        out.push_str(&format!("  - id: {}\n", self.id.as_deref().unwrap_or("my_hook")));
        out.push_str(&format!("    event: {event}\n"));
        self.omit_unused(&event);
        match self.test(&event) {
            Some(test) => {
                out.push_str("    when: ");
                scalar::string(&mut out, &test);
                out.push('\n');
            }
            None if event == "PreToolUse" && !self.always => {
                out.push_str("    when: tool_name == 'Bash'  # what it is about\n");
            }
            None => {}
        }
        out.push_str(&format!("    action: {}", self.written_action(&event)));
        if !self.omitted.is_empty() {
            out.push_str(&format!("\n    # not in it, or not all of it: {}", self.omitted.join(", ")));
        }
        out
    }

    /// Lists what is understood, and is not in the condition.
    fn omit_unused(&mut self, event: &str) {
        let has_condition = self.condition.is_some() || !has_field(event, "tool_name");
        let paths = if has_condition || !self.commands.is_empty() { self.paths.as_slice() } else { &[] };
        let commands = if has_condition { self.commands.as_slice() } else { &[] };
        for text in commands.iter().chain(paths).cloned().collect::<Vec<_>>() {
            self.omit(&text);
        }
    }

    /// Adds a key or a text that is not in the draft, or not all of it.
    fn omit(&mut self, text: &str) {
        if self.omitted.len() < LISTED {
            let start: String = text.chars().take(OMITTED).collect();
            self.omitted.push(format!("`{}`", start.escape_debug()));
        }
    }

    /// The condition.
    fn test(&self, event: &str) -> Option<String> {
        let list = |texts: &[String]| {
            texts.iter().take(LISTED).map(|text| literal(text)).collect::<Vec<_>>().join(", ")
        };
        if let Some(condition) = &self.condition {
            return Some(condition.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        if !has_field(event, "tool_name") {
            return has_field(event, STOPPED).then(|| format!("{STOPPED} == false"));
        }
        if !self.commands.is_empty() {
            return Some(format!("runs({})", list(&self.commands)));
        }
        if !self.paths.is_empty() {
            let paths = list(&self.paths);
            let is_change = |kind| matches!(kind, InputKind::Write | InputKind::Edit | InputKind::Delete);
            let changes = |name: &String| vocab::inputs(name).any(|(_, kind)| is_change(kind));
            let only = |test: &dyn Fn(&String) -> bool| !self.tools.is_empty() && self.tools.iter().all(test);
            return Some(match () {
                () if only(&changes) => format!("changes({paths})"),
                () if only(&|name| !changes(name)) => format!("reads({paths})"),
                () => format!("reads({paths}) or changes({paths})"),
            });
        }
        match self.tools.as_slice() {
            [] => None,
            [tool] => Some(format!("tool_name == {}", literal(tool))),
            tools => Some(format!("tool_name in [{}]", list(tools))),
        }
    }

    fn written_action(&self, event: &str) -> String {
        let text =
            |text: Option<&String>, default: &str| scalar::double(text.map_or(default, String::as_str));
        let kind = self.action.unwrap_or(if self.program.is_some() { "run" } else { "deny" });
        match (kind, &self.file) {
            ("allow", _) => "{type: allow}".to_owned(),
            ("inject", Some(file)) => format!("{{type: inject, file: {}}}", scalar::double(file)),
            ("inject", None) => format!(
                "{{type: inject, text: {}}}",
                text(self.reason.as_ref(), "what the model should know")
            ),
            ("log", _) => format!("{{type: log, message: {}}}", text(self.reason.as_ref(), "${tool_name}")),
            ("run", _) => format!("{{type: run, command: {}}}", text(self.program.as_ref(), "make check")),
            ("modify", _) => "{type: modify, input: {command: \"what to run instead\"}}".to_owned(),
            (kind, _) => {
                let default = match kind {
                    "ask" => "Run it?",
                    _ if event == "Stop" => "what is still to be done",
                    _ => "what to do instead",
                };
                format!("{{type: {kind}, reason: {}}}", text(self.reason.as_ref(), default))
            }
        }
    }
}

/// Whether events of a type have a field; guards are about those with a tool.
fn has_field(event: &str, field: &str) -> bool {
    let vocabulary = Vocabulary::builtin();
    let declared = vocabulary.event(Family::Agent, event);
    declared.is_some_and(|event| event.schema.properties.contains_key(field))
}

fn identifier(text: &str) -> Option<String> {
    let parts = text
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-')
        .filter(|part| !part.is_empty());
    let name = parts.take(8).collect::<Vec<_>>().join("_");
    name.starts_with(|c: char| c.is_ascii_alphabetic()).then_some(name)
}

/// The event of the vocabulary with almost this name, or that an agent calls so.
fn event(name: &str) -> Option<String> {
    let plain = plain_name(name);
    if plain.len() < "stop".len() {
        return None;
    }
    let vocabulary = Vocabulary::builtin();
    let known = vocabulary.events.keys().filter(|(family, _)| *family == Family::Agent);
    let listed = known.map(|(_, name)| name).find(|name| plain_name(name) == plain).cloned();
    let native = || events_called(name).find(|(_, event)| event.event != event.name);
    listed.or_else(|| native().map(|(_, event)| event.event.clone()))
}

/// The tool of the vocabulary with this name, in any case, or that an agent calls so.
fn tool(name: &str) -> Option<String> {
    let vocabulary = Vocabulary::builtin();
    let known = || vocabulary.tools.by_name.keys().map(String::as_str);
    let found = known()
        .find(|known| known.eq_ignore_ascii_case(name))
        .or_else(|| agents::tools_called(name).into_iter().next())
        .or_else(|| suggest::slip(name, known()));
    found.map(str::to_owned)
}

/// The commands that a pattern is about.
fn commands(pattern: &str) -> Vec<String> {
    let alternatives = if pattern.contains('(') { vec![pattern] } else { pattern.split('|').collect() };
    alternatives.into_iter().filter_map(words).collect()
}

/// Whether a pattern is nothing but words of commands.
fn is_plain(pattern: &str) -> bool {
    pattern.split('|').all(|one| {
        let spaced = spaced(one);
        let written = spaced.trim_matches(['^', '$', '.', '*', ' ']).split_whitespace();
        words(one).is_some_and(|words| written.eq(words.split_whitespace()))
    })
}

/// A pattern with spaces in place of `\s+` and the like.
fn spaced(pattern: &str) -> String {
    pattern.replace("\\s+", " ").replace("\\s*", " ").replace("\\b", " ").replace("\\s", " ")
}

/// The words with which the commands of a pattern start: `git push` of `^git\s+push.*main`.
fn words(pattern: &str) -> Option<String> {
    let spaced = spaced(pattern);
    let start = spaced.trim_start_matches(['^', '.', '*', ' ', '(']);
    let plain = start.split(|c: char| !(c.is_ascii_alphanumeric() || " -_/.:=".contains(c))).next()?;
    // The word before a quantifier or an alternative is a part of one.
    let whole =
        if plain.len() < start.len() && !plain.ends_with(' ') { plain.trim_end_matches('.') } else { plain };
    let words = whole.split_whitespace().take(LISTED).collect::<Vec<_>>().join(" ");
    words.starts_with(|c: char| c.is_ascii_alphabetic()).then_some(words)
}

#[cfg(test)]
mod tests {
    use hookc_schema::{SourceId, Span};

    use super::*;
    use crate::front::yaml;

    fn read(text: &str) -> Value {
        yaml::read(text, SourceId::default(), &mut Diagnostics::new()).unwrap()
    }

    #[test]
    fn a_draft_of_long_texts_and_lists_is_short() {
        let long = "a".repeat(1 << 14);
        let many = vec!["Bash, Edit, Write, Read, Grep, Glob, a b, /x/*"; 200].join(", ");
        for key in KEYS.iter().filter_map(|(_, keys)| keys.first()) {
            for value in [format!("'{long}'"), format!("[{many}]"), format!("{{{key}: '{long}'}}")] {
                let text = format!("event: PreToolUse\ntool: Bash\n{key}: {value}\n");
                assert!(hook(&read(&text)).is_none_or(|draft| draft.len() < 1_000), "{key}");
            }
        }
    }

    #[test]
    fn texts_of_conditions_are_literals() {
        let draft = hook(&read("on: PreToolUse\nglob: [\"it's\\n\"]\naction: deny")).unwrap();
        let draft = read(&draft);
        let Kind::Seq(hooks) = &draft.get("hooks").unwrap().kind else { panic!() };
        let Kind::Str(test) = &hooks[0].get("when").unwrap().kind else { panic!() };
        assert!(test.value.contains(r#""it's\n""#), "{}", test.value);
        assert!(when::parse(test, Span::default(), &mut Diagnostics::new()).is_some());
    }
}
