//! A report about the hooks of an event's type: as text, and as JSON.

use std::fmt::{self, Write as _};

use hookc_base::json::quoted;
use hookc_schema::terminal::escape;
use hookc_vm::format::{Tables, ViewKind};
use hookc_vm::trace::{Deciding, Probe, Traced};
use hookc_vm::{DecideError, LoadError, Module};
use serde_json::Value;

use super::{Kind, Part, Spelling, commands, condition, effects, file};
use crate::disasm::PatternTexts;
use crate::disasm::describe::{self, Names};

fn name(hook: &Traced) -> String {
    hook.label.clone().unwrap_or_else(|| format!("rank {}", hook.rank))
}

/// Why each hook of an event's type did or did not match: what `hookc explain` shows.
///
/// ```
/// use hookc_compiler::explain::Report;
/// use hookc_vm::{DecideOptions, Module, Scratch};
///
/// # let module = Module::load(include_bytes!("../../../vm/examples/policy.hookc"))?;
/// let event = br#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "rm a"}}"#;
/// let (options, mut scratch) = (DecideOptions::default(), Scratch::new());
/// let trace = module.trace(&mut scratch, event, &options)?;
/// let mut report = Report::new(&module, module.probe(&mut scratch, event, &options)?)?;
/// for hook in trace.hooks() {
///     println!("{}", report.text(hook)?);
/// }
/// assert!(report.json(&trace.hooks()[1])?.starts_with(r#"{"hook":"ask_before_rm","rank":1,"verdict":"decides""#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Report<'m> {
    tables: Tables<'m>,
    names: Names<'m>,
    probe: Probe<'m>,
    styled: bool,
    spelling: Spelling,
}

impl fmt::Debug for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Report").field("tables", &self.tables).finish_non_exhaustive()
    }
}

impl<'m> Report<'m> {
    /// A report about the event that the module was probed with.
    ///
    /// # Errors
    /// The module was opened, and is not valid.
    pub fn new(module: &'m Module, probe: Probe<'m>) -> Result<Self, LoadError> {
        let tables = module.tables()?;
        Ok(Self { tables, names: Names::new(tables), probe, styled: false, spelling: Spelling::default() })
    }

    /// Whether the marks of the text have colours, as escape sequences of terminals.
    #[must_use]
    pub fn styled(mut self, styled: bool) -> Self {
        self.styled = styled;
        self
    }

    /// Shows tests as their author spelled them.
    #[must_use]
    pub fn spelled(mut self, spelling: Spelling) -> Self {
        self.spelling = spelling;
        self
    }

    /// Shows patterns about the past as their authors wrote them.
    #[must_use]
    pub fn with_patterns(self, patterns: PatternTexts) -> Self {
        Self { names: self.names.with_patterns(patterns), ..self }
    }

    fn condition(&mut self, hook: &Traced) -> Result<Option<Part>, DecideError> {
        condition(&self.tables, &self.names, &mut self.probe, hook.rank)
    }

    /// Lines for people, without a line end after the last.
    ///
    /// # Errors
    /// A pattern could not be built, or a limit was reached.
    pub fn text(&mut self, hook: &Traced) -> Result<String, DecideError> {
        let mut text = format!("{}: {}", escape(&name(hook)), hook.verdict.as_str());
        if let Some(by) = &hook.shadowed_by {
            let _ = write!(text, " by {}", escape(by));
        }
        match (self.condition(hook)?, &hook.deciding) {
            (Some(Part { kind: Kind::Const, outcome: Some(true) }), _) => {
                text.push_str("\n    it has no condition to test");
            }
            (Some(part), _) => self.tree(&part, 1, &mut Vec::new(), &mut text),
            (None, Some(deciding)) => {
                let _ = write!(
                    text,
                    "\n    {}\n    (the condition has too many tests to show)",
                    escape(&describe::deciding(&self.names, deciding))
                );
            }
            (None, None) => {}
        }
        if let Some((file, row, column)) = &hook.place {
            let _ = write!(text, "\n    at {}:{row}:{column}", escape(file));
        }
        Ok(text)
    }

    /// A part on its own line, its children indented below it.
    fn tree<'p>(&self, part: &'p Part, depth: usize, shown: &mut Vec<&'p str>, text: &mut String) {
        let _ = write!(text, "\n{:1$}{2} ", "", depth * 4, self.mark(part.outcome));
        let parts = match &part.kind {
            Kind::Const => {
                text.push_str(if part.outcome == Some(false) { "false" } else { "true" });
                &[][..]
            }
            Kind::Test { text: leaf, read, other, every, views, decided_by } => {
                let leaf = self.spelling.spell(leaf);
                let mut nodes_left = self.nodes_of(read.as_deref(), decided_by);
                let read = read.as_ref().map(|read| match read.nodes {
                    // The lines below show them.
                    Some(count) if is_of_objects(read) && !views.is_empty() => nodes(count, read, *every),
                    _ => describe::read(read, other.as_deref(), *every),
                });
                let read = read.as_deref().unwrap_or("not evaluated");
                let _ = write!(text, "{}: {}", escape(&leaf), escape(read));
                for (kind, view) in views {
                    let lines = match (kind, shown.contains(&view.as_str())) {
                        (ViewKind::Shell, true) => vec!["the same command line".to_owned()],
                        (ViewKind::File, true) => vec!["the same path".to_owned()],
                        (ViewKind::Effects, true) => vec!["the same effects".to_owned()],
                        (ViewKind::Shell, false) => commands::lines(view),
                        (ViewKind::File, false) => vec![file::line(view)],
                        (ViewKind::Effects, false) => effects::lines(view),
                        // What the test read says it.
                        (ViewKind::Size, _) => Vec::new(),
                    };
                    shown.push(view);
                    for line in lines {
                        let reason = nodes_left.iter().position(|node| node.label == line);
                        let reason = reason.map(|at| nodes_left.remove(at).reason).unwrap_or_default();
                        let _ =
                            write!(text, "\n{:1$}{2}{3}", "", depth * 4 + 2, escape(&line), escape(&reason));
                    }
                }
                for node in nodes_left {
                    let line = format!("{}{}", node.label, node.reason);
                    let _ = write!(text, "\n{:1$}{2}", "", depth * 4 + 2, escape(&line));
                }
                &[]
            }
            Kind::All(parts) => {
                text.push_str("all of");
                parts
            }
            Kind::Any(parts) => {
                text.push_str("any of");
                parts
            }
        };
        parts.iter().for_each(|part| self.tree(part, depth + 1, shown, text));
    }

    /// The nodes of a quantifier, each with what determined its condition.
    fn nodes_of(&self, read: Option<&Deciding>, decided_by: &[Option<(String, bool)>]) -> Vec<Node> {
        let nodes = read.and_then(|read| read.actual.as_deref()).filter(|_| !decided_by.is_empty());
        let nodes: Vec<Value> = nodes.and_then(|nodes| serde_json::from_str(nodes).ok()).unwrap_or_default();
        let node = |(node, reason): (&Value, &Option<(String, bool)>)| {
            let (test, holds) = reason.as_ref()?;
            let reason = format!("  ({} is {holds})", self.spelling.spell(test));
            Some(Node { label: commands::label(node), reason })
        };
        nodes.iter().zip(decided_by).filter_map(node).collect()
    }

    fn mark(&self, outcome: Option<bool>) -> String {
        let (mark, colour) = match outcome {
            Some(true) => ("✓", 32),
            Some(false) => ("✗", 31),
            None => ("–", 2),
        };
        if self.styled { format!("\u{1b}[{colour}m{mark}\u{1b}[0m") } else { mark.to_owned() }
    }

    /// One JSON object, without a line end: `hook`, `rank`, `verdict`, `condition` and what they need.
    ///
    /// # Errors
    /// As [`Report::text`].
    pub fn json(&mut self, hook: &Traced) -> Result<String, DecideError> {
        let mut line = format!("{{\"hook\":{},\"rank\":{}", quoted(&name(hook)), hook.rank);
        let _ = write!(line, ",\"verdict\":{}", quoted(hook.verdict.as_str()));
        if let Some(by) = &hook.shadowed_by {
            let _ = write!(line, ",\"by\":{}", quoted(by));
        }
        if let Some(deciding) = &hook.deciding {
            let leaf = quoted(&self.names.predicate(deciding.pred));
            let _ = write!(line, ",\"leaf\":{leaf},\"holds\":{}", deciding.holds);
            values(deciding, false, &mut line);
        }
        if let Some(part) = self.condition(hook)? {
            line.push_str(",\"condition\":");
            part_json(&part, &mut line);
        }
        if let Some((file, row, column)) = &hook.place {
            let _ = write!(line, ",\"source\":{}", quoted(&format!("{file}:{row}:{column}")));
        }
        line.push('}');
        Ok(line)
    }
}

/// A node of a quantifier, as it is shown.
struct Node {
    label: String,
    reason: String,
}

/// Whether the nodes that a test read are objects, such as the commands of a view.
fn is_of_objects(read: &Deciding) -> bool {
    read.actual.as_deref().is_some_and(|nodes| nodes.starts_with("[{"))
}

/// The nodes of a test without their values.
fn nodes(count: usize, read: &Deciding, every: bool) -> String {
    match (read.holds, every) {
        (true, false) => format!("true of one of {count}"),
        (false, false) => format!("false of each of {count}"),
        (true, true) => format!("false of one of {count}"),
        (false, true) => format!("true of each of {count}"),
    }
}

/// The values that a test read, as members.
fn values(read: &Deciding, every: bool, line: &mut String) {
    if let Some(count) = read.nodes {
        let _ = write!(line, ",\"nodes\":{count}");
    }
    if let Some(because) = &read.because {
        let _ = write!(line, ",\"because\":{}", quoted(because));
    }
    for (key, value) in [
        ("actual", &read.actual),
        ("other", &read.other),
        (if every { "counterexamples" } else { "matching" }, &read.matching),
    ] {
        if let Some(value) = value {
            let _ = write!(line, ",\"{key}\":{value}");
        }
    }
}

fn part_json(part: &Part, line: &mut String) {
    let outcome = part.outcome.map_or("null", |outcome| if outcome { "true" } else { "false" });
    let _ = write!(line, "{{\"outcome\":{outcome}");
    let group = match &part.kind {
        Kind::Const => None,
        Kind::Test { text, read, every, views, decided_by, .. } => {
            let _ = write!(line, ",\"leaf\":{}", quoted(text));
            if let Some(read) = read {
                values(read, *every, line);
            }
            if !views.is_empty() {
                let views: Vec<&str> = views.iter().map(|(_, view)| view.as_str()).collect();
                let _ = write!(line, ",\"views\":[{}]", views.join(","));
            }
            if !decided_by.is_empty() {
                let test = |test: &Option<(String, bool)>| match test {
                    Some((test, holds)) => format!("{{\"leaf\":{},\"holds\":{holds}}}", quoted(test)),
                    None => "null".to_owned(),
                };
                let tests: Vec<String> = decided_by.iter().map(test).collect();
                let _ = write!(line, ",\"decided_by\":[{}]", tests.join(","));
            }
            None
        }
        Kind::All(parts) => Some(("all", parts)),
        Kind::Any(parts) => Some(("any", parts)),
    };
    if let Some((word, parts)) = group {
        let _ = write!(line, ",\"{word}\":[");
        for (at, part) in parts.iter().enumerate() {
            line.push_str(if at > 0 { "," } else { "" });
            part_json(part, line);
        }
        line.push(']');
    }
    line.push('}');
}
