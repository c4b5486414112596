//! Names of tools as values: `tool_name == 'bash'`.
//!
//! An agent's own name for a tool, or a misspelled declared name, never occurs: events are
//! translated before evaluation. Any other name may belong to an undeclared tool. In a pattern,
//! only a literal for a whole name, or for the prefix of names, can be judged: tools of MCP servers
//! can contain any text.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

use hookc_base::text::Case;
use hookc_schema::agents::{self, Agent};
use hookc_schema::diag::Fix;
use hookc_schema::suggest;
use hookc_schema::tree::{Cond, Leaf, Op, Right};
use hookc_schema::value::{Kind, Value};
use hookc_schema::{Code, Diagnostic};
use hookc_syntax::pattern;

use crate::fields::is_tool_name;
use crate::names::{is_slip, listed};
use crate::tools::Table;
use crate::tools::leaf::{Words, folded, words};

/// The part of a name that a literal represents.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Form {
    Whole,
    Prefix,
    Inside,
}

/// The conditions that are true or false together: that of a hook, or those of the patterns of a fact.
#[derive(Default)]
pub(super) struct Conditions<'a> {
    written: Vec<&'a Cond>,
    /// Whether they name servers, once a test asked.
    names_servers: OnceCell<bool>,
}

impl<'a> Conditions<'a> {
    pub(super) fn new(written: impl IntoIterator<Item = &'a Cond>) -> Self {
        Self { written: written.into_iter().collect(), names_servers: OnceCell::new() }
    }

    /// Whether they test names of tools of MCP servers as events of most agents have them, or the server.
    fn names_servers(&self) -> bool {
        *self.names_servers.get_or_init(|| {
            let mut patterns = Vec::new();
            self.written.iter().for_each(|cond| cond.event_patterns(&mut |pattern| patterns.push(pattern)));
            let inner = patterns.into_iter().filter_map(|pattern| pattern.condition.as_ref());
            self.written.iter().copied().chain(inner).any(names_servers)
        })
    }
}

/// Reports the names in a test of `tool_name` that no event has. `conds` are the conditions around it.
pub(super) fn check(
    leaf: &Leaf,
    conds: &Conditions<'_>,
    table: &Table<'_>,
    memo: &mut Memo,
) -> Vec<Diagnostic> {
    let Right::Value(value) = &leaf.right else { return Vec::new() };
    if !is_tool_name(&leaf.path) {
        return Vec::new();
    }
    let mut names = Names { conds, table, case: leaf.case(), memo };
    match (leaf.op.node, &value.kind) {
        (Op::Eq | Op::Ne, Kind::Str(_)) => names.one(value, Form::Whole, &[]).into_iter().collect(),
        (Op::In, Kind::Seq(items)) => {
            let listed: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
            items.iter().filter_map(|item| names.one(item, Form::Whole, &listed)).collect()
        }
        (Op::StartsWith, Kind::Str(_)) => names.one(value, Form::Prefix, &[]).into_iter().collect(),
        (Op::Contains, Kind::Str(_)) => names.one(value, Form::Inside, &[]).into_iter().collect(),
        (Op::Glob, Kind::Str(_)) => names.glob(value, &[]).into_iter().collect(),
        (Op::Glob, Kind::Seq(items)) => {
            let listed: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
            items.iter().filter_map(|item| names.glob(item, &listed)).collect()
        }
        (Op::Regex, Kind::Str(text)) => names.regex(value, &text.value),
        _ => Vec::new(),
    }
}

struct Names<'t> {
    conds: &'t Conditions<'t>,
    table: &'t Table<'t>,
    case: Case,
    memo: &'t mut Memo,
}

/// Answers of [`Names::meant`], by the text, its form, and whether case is ignored: many hooks test
/// the same names.
pub(super) type Memo = HashMap<(String, Form, Case), Option<Rc<IntendedName>>>;

/// The intended name.
pub(super) struct IntendedName {
    names: Vec<String>,
    /// Whether it is an agent's own name.
    is_native: bool,
}

impl Names<'_> {
    fn one(&mut self, value: &Value, form: Form, listed: &[&str]) -> Option<Diagnostic> {
        let text = value.as_str()?;
        let has_start = form != Form::Inside;
        let misspelled = || self.one_underscore(value, text).filter(|_| has_start);
        if let Some(new) = no_name(value, text, form, self.case).or_else(misspelled) {
            return Some(new);
        }
        let meant = self.meant(text, form)?;
        // A policy that lists both names also serves untranslated events.
        if meant.names.iter().any(|name| listed.contains(&name.as_str())) {
            return None;
        }
        let mut new = report(value, text, form, &meant);
        if let [only] = meant.names.as_slice() {
            let span = value.span_within(0..text.len());
            if span.range().len() == text.len() {
                new.fix = Some(Fix::new(span, only.clone()));
            }
        }
        Some(new)
    }

    /// A glob without special characters is a name, one with a star at its end a prefix.
    fn glob(&mut self, value: &Value, listed: &[&str]) -> Option<Diagnostic> {
        let text = value.as_str()?;
        let plain = |text: &str| !text.contains(['*', '?', '[', ']', '{', '}', '\\']);
        match text.strip_suffix('*') {
            None if plain(text) => self.one(value, Form::Whole, listed),
            Some(prefix) if plain(prefix) && !prefix.is_empty() => {
                let prefix = Value::string(prefix, value.span);
                self.one(&prefix, Form::Prefix, listed)
            }
            _ => None,
        }
    }

    /// The words of `^a$`, `^(a|b)$`, `^a`, `a|b`.
    fn regex(&mut self, value: &Value, pattern: &str) -> Vec<Diagnostic> {
        let start = pattern.strip_prefix('^').map(|rest| rest.strip_prefix('(').unwrap_or(rest));
        let start =
            start.and_then(|rest| rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next());
        if let Some(new) = start.and_then(|start| self.one_underscore(value, start)) {
            return std::iter::once(new).collect();
        }
        let (words, form) = match pattern::literal_test_of(pattern) {
            Some((Op::Eq, text)) => (vec![text], Form::Whole),
            Some((Op::StartsWith, text)) => (vec![text], Form::Prefix),
            Some((Op::Contains, text)) => (vec![text], Form::Inside),
            Some(_) => return Vec::new(),
            None => match words(pattern) {
                Some(Words { words, is_whole: true }) => (words, Form::Whole),
                Some(Words { words, is_whole: false }) => (words, Form::Inside),
                None => return Vec::new(),
            },
        };
        let listed: Vec<&str> = words.iter().map(String::as_str).collect();
        let values = words.iter().map(|word| Value::string(word.as_str(), value.span));
        let reported = values.filter_map(|word| self.one(&word, form, &listed));
        reported.collect()
    }

    /// Reports the start of a name as only some agents have them, `mcp_SERVER_TOOL`, unless a test next to it is for the
    /// others.
    fn one_underscore(&self, value: &Value, text: &str) -> Option<Diagnostic> {
        if !text.starts_with("mcp_") || text.starts_with("mcp__") || text == "mcp_" {
            return None;
        }
        if self.conds.names_servers() {
            return None;
        }
        let is_spelled =
            |agent: &&Agent| agent.mcp_names.as_deref().is_some_and(|name| name.starts_with("mcp_S"));
        let agents: Vec<&str> =
            agents::answered().filter(is_spelled).map(|agent| agent.label.as_str()).collect();
        let what = format!("`{text}` is a name of tools at {} alone", agents.join(" and "));
        let new = Diagnostic::new(Code::W0426, value.span, what).with_label("one `_`");
        Some(new.help(
            "at all other agents, tools of MCP servers are called `mcp__SERVER__TOOL`: test both names",
        ))
    }

    fn known(&self, matches: impl Fn(&str) -> bool) -> Option<&str> {
        self.table.names().find(|name| matches(name))
    }

    fn meant(&mut self, text: &str, form: Form) -> Option<Rc<IntendedName>> {
        let key = (text.to_owned(), form, self.case);
        if let Some(known) = self.memo.get(&key) {
            return known.clone();
        }
        let found = self.search(text, form).map(Rc::new);
        self.memo.insert(key, found.clone());
        found
    }

    fn search(&self, text: &str, form: Form) -> Option<IntendedName> {
        let fits = |name: &str, text: &str| match form {
            Form::Whole => name == text,
            Form::Prefix => name.starts_with(text),
            Form::Inside => name.contains(text),
        };
        let low = folded(text);
        let found = match self.case.is_ignored() {
            true => self.known(|name| fits(&folded(name), &low)),
            false => self.known(|name| fits(name, text)),
        };
        if found.is_some() || text.starts_with("mcp_") {
            return None;
        }
        match form {
            Form::Whole => self.name(text, &low),
            Form::Prefix if !agents::tools_called(text).is_empty() => self.name(text, &low),
            Form::Prefix => {
                let cased = || self.known(|name| folded(name).starts_with(&low));
                let cased = cased().and_then(|name| name.get(..text.len())).filter(|_| text.len() > 1);
                let slip = || suggest::slip(text, self.table.names()).filter(|near| is_slip(text, near));
                let near = cased.or_else(slip)?;
                Some(IntendedName { names: vec![near.to_owned()], is_native: false })
            }
            Form::Inside => {
                let cased = self.known(|name| folded(name) == low)?;
                Some(IntendedName { names: vec![cased.to_owned()], is_native: false })
            }
        }
    }

    fn name(&self, text: &str, low: &str) -> Option<IntendedName> {
        let native = agents::tools_called(text);
        if !native.is_empty() {
            return Some(IntendedName {
                names: native.into_iter().map(str::to_owned).collect(),
                is_native: true,
            });
        }
        let cased = self.known(|name| folded(name) == low);
        let near = cased.or_else(|| suggest::slip_of_name(text, self.table.names()))?;
        Some(IntendedName { names: vec![near.to_owned()], is_native: false })
    }
}

/// Reports a text that cannot be a tool name: a matcher, a pattern or a permission rule instead of
/// a name.
fn no_name(value: &Value, text: &str, form: Form, case: Case) -> Option<Diagnostic> {
    let report = |character: char, help: String| {
        let (what, label) = match form {
            Form::Whole => ("is not a tool name", "compared as a whole"),
            Form::Prefix | Form::Inside => ("is in no tool name", "compared as plain text"),
        };
        let what = format!("`{text}` {what}: names do not contain `{character}`");
        Diagnostic::new(Code::W0426, value.span, what).with_label(label).help(help)
    };
    // A pattern between slashes is reported as one (W0625).
    let character = text.chars().find(|c| "|,*?()^$".contains(*c)).filter(|_| !text.starts_with('/'));
    match character {
        Some(character @ ('|' | ',')) => {
            let names: Vec<String> = text.split(character).map(|name| format!("'{}'", name.trim())).collect();
            Some(report(character, format!("write `tool_name in [{}]`", names.join(", "))))
        }
        Some(character @ ('*' | '?')) => Some(report(character, "use the operator `glob`".to_owned())),
        Some(character @ ('(' | ')')) => {
            let help = "a permission rule is not a name: test `tool_input` in a separate condition";
            Some(report(character, help.to_owned()))
        }
        Some(character) => Some(report(character, "use the operator `=~`".to_owned())),
        None => {
            let is_cased = |start: &str| start != "mcp__" && start.eq_ignore_ascii_case("mcp__");
            if text.get(..5).is_some_and(|start| is_cased(start) && !case.is_ignored()) {
                let what = unknown(text, form);
                let new = Diagnostic::new(Code::W0426, value.span, what).with_label("in another case");
                return Some(new.help(format!("write `mcp__{}`", text.get(5..).unwrap_or_default())));
            }
            let whole = Some(text).filter(|_| form == Form::Whole)?;
            let server = whole.strip_prefix("mcp__");
            let server = server.filter(|server| !server.is_empty() && !server.contains("__"))?;
            let what = format!("no tool has the name `{text}`");
            let new = Diagnostic::new(Code::W0426, value.span, what).with_label("the name of a server");
            Some(new.help(format!("for all of its tools, write `tool_name starts_with 'mcp__{server}__'`")))
        }
    }
}

/// Whether a test of a condition, outside of its selections, names tools of MCP servers as most agents do, or a server.
fn names_servers(cond: &Cond) -> bool {
    cond.leaves().any(|leaf| {
        let is_server = leaf.path.text.starts_with("mcp_server");
        let has_name = |value: &Value| value.as_str().is_some_and(|text| text.contains("mcp__"));
        is_server
            || matches!(&leaf.right, Right::Value(value) if has_name(value) || value.items().iter().any(has_name))
    })
}

fn unknown(text: &str, form: Form) -> String {
    match form {
        Form::Whole => format!("no tool has the name `{text}`"),
        Form::Prefix => format!("no tool name starts with `{text}`"),
        Form::Inside => format!("no built-in tool name contains `{text}`"),
    }
}

fn report(value: &Value, text: &str, form: Form, meant: &IntendedName) -> Diagnostic {
    let what = unknown(text, form);
    let names: Vec<&str> = meant.names.iter().map(String::as_str).collect();
    let label = if meant.is_native { "an agent's own name" } else { "not the name of a tool" };
    let new = Diagnostic::new(Code::W0426, value.span, what).with_label(label);
    if meant.is_native {
        let new = new
            .note("events are translated before evaluation; `host_tool_name` contains the agent's own name");
        return new.help(format!("write {}", listed(&names)));
    }
    match form {
        Form::Inside => {
            new.help(format!("write {}; for tools of MCP servers, include `mcp__`", listed(&names)))
        }
        Form::Whole | Form::Prefix => new.help(format!("did you mean {}?", listed(&names))),
    }
}
