//! `sets:`, `tools:` and `project:`, which hold for the hooks of their own file.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use crate::lint::guards::limit::Known;
use hookc_base::input_role::{INPUT_WORDS, InputKind, InputRole};
use hookc_schema::decode::{DECLARED, listed};
use hookc_schema::dialect::predicates::SET;
use hookc_schema::suggest::nearest;
use hookc_schema::tree::Declarations;
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::vocab::{self, Vocabulary};
use hookc_schema::{Code, Diagnostic, Diagnostics};
use hookc_shell::effects::{
    InSet, Problem, ProblemKind, Server, Servers, Set, ToolRoles, Tools, matches_glob,
};

use crate::lint::effects::known_tools;

/// What a tool is declared as, if nobody knows what it does.
const UNKNOWN: &str = "unknown";

/// The declarations of a policy about effects.
#[derive(Default)]
pub(crate) struct Declared {
    /// Its sets.
    pub(crate) sets: Vec<Set>,
    /// The names of sets that cannot be read.
    faulty: Vec<String>,
    /// By set, its patterns: `of`, and `except`.
    pub(super) patterns: Vec<[Vec<Value>; 2]>,
    own_tools: Vec<ToolRoles>,
    /// The known tools that they replace.
    replaced: HashSet<String>,
    /// The bytes of all roles of inputs.
    tools: OnceLock<Arc<[u8]>>,
    /// The directory of the project.
    pub(super) project: Option<String>,
    /// How far the conditions of `allow` limit events.
    pub(crate) limits: Known,
}

impl Declared {
    pub(crate) fn new(declarations: &Declarations, out: &mut Diagnostics) -> Self {
        let mut declared = Self::default();
        for set in mapping(declarations.sets.as_ref(), "`sets`", "sets: {ours: ['src/**']}", out) {
            declared.set(set, out);
        }
        for tool in mapping(declarations.tools.as_ref(), "`tools`", "tools: {'mcp__*': unknown}", out) {
            known_tools(tool, out);
            declared.own_tools.extend(self::tool(tool, out));
        }
        // A module does not depend on the order in which they are written.
        declared.own_tools.sort_by(|one, other| one.name.cmp(&other.name));
        let is_replaced = |tool: &&String| declared.own_tools.iter().any(|new| matches_glob(&new.name, tool));
        declared.replaced = Vocabulary::builtin().tools.by_name.keys().filter(is_replaced).cloned().collect();
        declared.project = declarations.project.as_ref().and_then(|value| project(value, out));
        declared
    }

    fn set(&mut self, member: &Member, out: &mut Diagnostics) {
        let name = &member.key.node;
        if !is_name(name) {
            let what = format!("`{name}` is not the name of a set");
            let new = Diagnostic::new(Code::E0412, member.key.span, what).with_label("not a name");
            return out.push(new.help("write a name of letters, digits, `_` and `-`, without `@`"));
        }
        let Some(lists) = lists(member, out) else { return self.faulty.push(name.clone()) };
        let texts = |list: &[Value]| list.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        let [of, except] = &lists;
        self.sets.push(Set { name: name.clone(), of: texts(of), except: texts(except) });
        self.patterns.push(lists);
    }

    /// Whether a set is missing only because its declaration is reported.
    pub(super) fn is_faulty(&self, problem: &Problem) -> bool {
        matches!(&problem.kind, ProblemKind::UnknownSet { name, .. } if self.faulty.contains(name))
    }

    /// The pattern of a set in which a fault is.
    pub(super) fn pattern(&self, place: &InSet) -> Option<&Value> {
        let at = self.sets.iter().position(|set| set.name == place.name)?;
        let [of, except] = self.patterns.get(at)?;
        if place.is_except { except.get(place.at) } else { of.get(place.at) }
    }

    /// Whether a declaration replaces what is known about a tool.
    pub(crate) fn replaces(&self, tool: &str) -> bool {
        self.replaced.contains(tool)
    }

    /// The bytes of the roles of inputs: those of the policy, and those of known tools.
    pub(super) fn tools(&self) -> &Arc<[u8]> {
        self.tools.get_or_init(|| {
            let tools = Tools {
                declared: self.own_tools.clone(),
                shipped: tool_roles(vocab::roles_without_servers()),
                servers: servers(),
            };
            let mut bytes = Vec::new();
            tools.encode(&mut bytes);
            bytes.into()
        })
    }
}

/// Declarations of known tools, as those of a policy.
#[must_use]
pub fn tool_roles(known: &vocab::ToolRoles) -> Vec<ToolRoles> {
    known.iter().map(|(name, inputs)| ToolRoles { name: name.clone(), inputs: inputs.clone() }).collect()
}

/// The tools of the servers that the vocabulary knows.
fn servers() -> Servers {
    let spellings =
        vocab::spellings().into_iter().map(|(start, between)| (start.to_owned(), between.to_owned()));
    let servers = vocab::servers().iter();
    let servers =
        servers.map(|server| Server { names: server.names.clone(), tools: tool_roles(&server.tools) });
    Servers { spellings: spellings.collect(), servers: servers.collect() }
}

/// The members of a section; another value is reported.
fn mapping<'v>(section: Option<&'v Value>, name: &str, example: &str, out: &mut Diagnostics) -> &'v [Member] {
    match section.map(|section| (section, &section.kind)) {
        None => &[],
        Some((_, Kind::Map(members))) => members,
        Some((section, _)) => {
            out.push(DECLARED.wrong(section, name, "a mapping").help(format!("write `{example}`")));
            &[]
        }
    }
}

/// The patterns of a set: a list, or lists under `of` and `except`.
fn lists(member: &Member, out: &mut Diagnostics) -> Option<[Vec<Value>; 2]> {
    let start = out.errors();
    let lists = match &member.value.kind {
        Kind::Seq(items) => {
            for item in items {
                let _ = DECLARED.text(item, "a pattern", out);
            }
            [items.clone(), Vec::new()]
        }
        Kind::Str(text) => {
            let what = format!("the set `{}`", member.key.node);
            let new = DECLARED.wrong(&member.value, &what, "a list of patterns, or a mapping");
            out.push(new.help(format!("write `{}: ['{}']`", member.key.node, text.value)));
            return None;
        }
        _ => {
            let what = format!("the set `{}`", member.key.node);
            let fields = SET.read_as(&what, &member.value, DECLARED, out)?;
            [fields.items("of").to_vec(), fields.items("except").to_vec()]
        }
    };
    (out.errors() == start).then_some(lists)
}

fn is_name(name: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(letter) && name.chars().all(|c| letter(c) || c.is_ascii_digit() || c == '-')
}

/// A tool: the roles of its inputs, or `unknown`.
fn tool(member: &Member, out: &mut Diagnostics) -> Option<ToolRoles> {
    let name = member.key.node.clone();
    let inputs = match &member.value.kind {
        Kind::Str(text) if text.value == UNKNOWN => return Some(ToolRoles { name, inputs: None }),
        Kind::Map(inputs) => inputs,
        _ => {
            let new = DECLARED.wrong(&member.value, &format!("the tool `{name}`"), "a mapping or `unknown`");
            let near = member.value.as_str().and_then(|text| nearest(text, [UNKNOWN]));
            let new = new.help("write the role of each input: `{path: write}`; `{}` does nothing");
            out.push(new.did_you_mean(near, member.value.span));
            return None;
        }
    };
    let read: Vec<_> = inputs.iter().map(|input| role(input, out)).collect();
    let mut inputs = read.into_iter().collect::<Option<Vec<_>>>()?;
    inputs.sort();
    Some(ToolRoles { name, inputs: Some(inputs) })
}

fn role(input: &Member, out: &mut Diagnostics) -> Option<(String, String)> {
    let value = &input.value;
    let text = DECLARED.text(value, &format!("the role of `{}`", input.key.node), out)?;
    match InputRole::parse(&text.value) {
        Ok(role) => Some((input.key.node.clone(), role.to_string())),
        Err(invalid) => {
            out.push(invalid_role(value, &text.value, invalid.range, invalid.is_kind));
            None
        }
    }
}

fn invalid_role(value: &Value, text: &str, range: Range<usize>, is_kind: bool) -> Diagnostic {
    let word = text.get(range.clone()).unwrap_or_default();
    let span = value.span_within(range);
    let kinds = || InputKind::ALL.iter().map(|kind| kind.name());
    if !is_kind {
        let what = format!("`{word}` cannot be in this role");
        let new = Diagnostic::new(Code::E0447, span, what).with_label("not here");
        return new.help("`tree`, `glob` and a default follow the role of a path; an input is either required or optional")
            .did_you_mean(nearest(word, INPUT_WORDS).filter(|near| *near != word), span);
    }
    let what = format!("unknown role `{word}`");
    let new = Diagnostic::new(Code::E0447, span, what).with_label("not a role");
    new.help(format!("the roles are {}", listed(kinds()))).did_you_mean(nearest(word, kinds()), span)
}

fn project(value: &Value, out: &mut Diagnostics) -> Option<String> {
    let text = DECLARED.string(value, "`project`", out)?;
    let is_absolute = text.node.starts_with('/') || text.node.get(1..2) == Some(":");
    if !is_absolute {
        let what = format!("`{}` is not an absolute path", text.node);
        let new = Diagnostic::new(Code::E0412, text.span, what).with_label("relative");
        out.push(new.help("write the whole path of the project's directory"));
    }
    is_absolute.then_some(text.node)
}
