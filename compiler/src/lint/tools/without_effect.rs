//! Tools that a condition lists without effect (W0646): `tool_name in ['Edit', 'Write']` with a test of
//! `tool_input.content`, which only `Write` has.
//!
//! For a declared tool, a leaf about an input that the tool does not have is false, or true if it
//! asks for an absent value. If the whole condition is then false for a tool that it names, but can
//! be true for another one that it names, the first name has no effect: calls of that tool pass.

use std::ops::{BitAnd, BitOr};

use hookc_schema::tree::{Cond, CondPart, Demand, Fold, Leaf, Op, Path, Right};
use hookc_schema::value::{Kind, Value};
use hookc_schema::{Code, Diagnostic, Span};

use crate::fields::is_tool_name;
use crate::names::listed_all;
use crate::tools::input::{input, without};
use crate::tools::narrow::find;
use crate::tools::{Narrowed, Place, Table, ToolSet, leaf};

/// Facts about shared conditions.
#[derive(Default)]
pub(super) struct SharedResults {
    possible: Fold<u128>,
    named: Fold<u128>,
}

/// Reports the names of tools in a condition for which it is never true. `narrowed` is what its
/// tests of the name determine.
pub(super) fn check(
    cond: &Cond,
    narrowed: &Narrowed,
    table: &mut Table<'_>,
    known: &mut SharedResults,
) -> Vec<Diagnostic> {
    let named = named(cond, table, known);
    let alive = possible(cond.whole(), table, known);
    if named & alive == 0 || named & !alive == 0 {
        return Vec::new();
    }
    let dead = named & !alive & narrowed.whole().known();
    let mut found: Vec<Useless<'_>> = Vec::new();
    for index in (0..table.tools.len()).filter(|index| dead & ToolSet::bit(*index) != 0) {
        let Some((name, span, input)) = one(cond, narrowed.place(), index, table) else { continue };
        // A pattern can name several tools at one place.
        match found.iter_mut().find(|found| found.span == span && found.input == input) {
            Some(found) => found.tools.push(name),
            None => found.push(Useless { tools: vec![name], span, input }),
        }
    }
    let mut reports: Vec<Diagnostic> = Vec::new();
    for one in &found {
        match reports.iter_mut().find(|report| report.span() == Some(one.span)) {
            // Other tools that the same pattern names.
            Some(report) => {
                let first = report.clone();
                *report = first.note(format!("nor for {}", one.why()));
            }
            None => reports.push(one.report()),
        }
    }
    reports
}

/// Tools that are named at one place without effect.
struct Useless<'t> {
    tools: Vec<&'t str>,
    span: Span,
    /// The input that they do not have.
    input: String,
}

impl Useless<'_> {
    fn why(&self) -> String {
        let (tools, input) = (listed_all(&self.tools), &self.input);
        let have = if self.tools.len() == 1 { "has" } else { "have" };
        format!("{tools}, which {have} no input `{input}`")
    }

    fn report(&self) -> Diagnostic {
        let what = format!("the condition is never true for {}", self.why());
        let new = Diagnostic::new(Code::W0646, self.span, what).with_label("listed without effect");
        let (of, names) = match self.tools.as_slice() {
            [one] => (format!("of `{one}`"), "the name"),
            _ => ("of each".to_owned(), "the names"),
        };
        new.help(format!(
            "add a condition about an input {of} (`docs/vocabulary.md` lists them), or remove {names}"
        ))
    }
}

/// The name of a tool, where the condition has it, and the input that the tool does not have.
fn one<'t>(
    cond: &Cond,
    place: Place<'_>,
    index: usize,
    table: &Table<'t>,
) -> Option<(&'t str, Span, String)> {
    let (name, _) = table.tools.get(index)?;
    let span = tests_of_names(cond).find(|(_, text)| text == name)?.0.span;
    // The first input in the condition that the tool does not have.
    let (input, with) = find(cond.whole(), place, &|_, path, tools| {
        let input = input(path)?;
        let without = without(&input, table);
        let with = tools.known() & !without & table.all();
        (without & ToolSet::bit(index) != 0).then_some((input, with))
    })?;
    // If no possible tool has it, that is reported (W0424).
    if with == 0 {
        return None;
    }
    Some((name, span, input))
}

/// The texts that a test of the tool's name compares with, if it names tools.
pub(super) fn texts(leaf: &Leaf) -> Vec<(&Value, String)> {
    let Right::Value(value) = &leaf.right else { return Vec::new() };
    let value: &Value = value;
    let one = |value| Value::as_str(value).map(|text| (value, text.to_owned()));
    match (leaf.op.node, &value.kind) {
        _ if !is_tool_name(&leaf.path) => Vec::new(),
        (Op::Eq | Op::Glob, Kind::Str(_)) => one(value).into_iter().collect(),
        (Op::In | Op::Glob, Kind::Seq(items)) => items.iter().filter_map(one).collect(),
        (Op::Regex, Kind::Str(text)) => {
            let words = leaf::words(&text.value).map(|found| found.words).unwrap_or_default();
            words.into_iter().map(|word| (value, word)).collect()
        }
        _ => Vec::new(),
    }
}

/// The texts that a condition compares with the name of the tool in tests that make it true.
fn tests_of_names(cond: &Cond) -> impl Iterator<Item = (&Value, String)> {
    let parts = cond.whole().walk(|part| !part.is_bound).filter(|part| !part.negated);
    parts.filter_map(CondPart::leaf).flat_map(texts)
}

/// The declared tools that a condition names in a test that makes it true.
pub(super) fn named(cond: &Cond, table: &Table<'_>, known: &mut SharedResults) -> u128 {
    known.named.value(cond.whole(), &mut |part, parts| match part.demand() {
        Demand::Leaf(leaf) if !part.negated => {
            let named = texts(leaf).into_iter().filter_map(|(_, text)| table.index(&text));
            named.map(ToolSet::bit).fold(0, BitOr::bitor)
        }
        Demand::Some(_) | Demand::Every(_) => 0,
        _ => parts.into_iter().fold(0, BitOr::bitor),
    })
}

/// The declared tools for which a part can be what it must be.
pub(super) fn possible(part: CondPart<'_>, table: &mut Table<'_>, known: &mut SharedResults) -> u128 {
    known.possible.value(part, &mut |part, parts| match part.demand() {
        Demand::Const(false) => 0,
        Demand::All => parts.into_iter().fold(u128::MAX, BitAnd::bitand),
        Demand::Any => parts.into_iter().fold(0, BitOr::bitor),
        Demand::Leaf(leaf) => {
            let [when_false, when_true] = leaf::tools_by_result(leaf, table).map(ToolSet::known);
            let tools = if part.negated { when_false } else { when_true };
            let is_false_without = leaf.if_absent() == Some(part.negated);
            if is_false_without { tools & with_input(&leaf.path, table) } else { tools }
        }
        // An absent value has no nodes.
        Demand::Some(inner) => with_input(&inner.path, table),
        Demand::Const(true) | Demand::Every(_) | Demand::Predicate(_) | Demand::Formerly(_) | Demand::Not => {
            u128::MAX
        }
    })
}

/// The tools that can have the input at which a path starts.
fn with_input(path: &Path, table: &Table<'_>) -> u128 {
    input(path).map_or(u128::MAX, |name| !without(&name, table))
}
