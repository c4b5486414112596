//! Tools that a condition lists in vain (W0646): `tool_name in ['Edit', 'Write']` beside a test of
//! `tool_input.content`, which only `Write` has.
//!
//! For a declared tool, a leaf about an input that the tool does not have is false, or true if it
//! asks for an absent value. If the whole condition is then false for a tool that it names, but can
//! be true for another one that it names, the first name has no effect: calls of that tool pass.

use std::collections::HashMap;

use hookc_schema::tree::{Cond, CondKind, Leaf, Op, Path, Quantifier, Right, SharedId};
use hookc_schema::value::{Kind, Value};
use hookc_schema::{Code, Diagnostic, Span};

use super::input::{input, without};
use super::member::listed_all;
use super::set::ToolSet;
use super::{Narrowed, Place, Table, is_tool_name, leaf, value};

/// Facts about shared conditions.
#[derive(Default)]
pub(super) struct SharedResults {
    can_be: HashMap<SharedId, CanBe>,
    named: HashMap<(SharedId, bool), u128>,
}

/// The declared tools for which a condition can be false, and those for which it can be true.
type CanBe = [u128; 2];

/// Reports the names of tools in a condition for which it is never true. `narrowed` is what its
/// tests of the name determine.
pub(in crate::check) fn check(cond: &Cond, narrowed: &Narrowed, table: &mut Table<'_>) -> Vec<Diagnostic> {
    let named = named(cond, true, table);
    let [_, alive] = can_be(cond, table);
    if named & alive == 0 || named & !alive == 0 {
        return Vec::new();
    }
    let dead = named & !alive & narrowed.whole().known();
    let mut found: Vec<InVain<'_>> = Vec::new();
    for index in (0..table.tools.len()).filter(|index| dead & ToolSet::bit(*index) != 0) {
        let Some((name, span, input)) = one(cond, narrowed.place(), index, table) else { continue };
        // A pattern can name several tools at one place.
        match found.iter_mut().find(|found| found.span == span && found.input == input) {
            Some(found) => found.tools.push(name),
            None => found.push(InVain { tools: vec![name], span, input }),
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

/// Tools that are named at one place in vain.
struct InVain<'t> {
    tools: Vec<&'t str>,
    span: Span,
    /// The input that they do not have.
    input: String,
}

impl InVain<'_> {
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
    let span = written(cond, true, name)?;
    // If no possible tool has the input, that is reported (W0424).
    let (input, _) = missing(cond, place, index, table).filter(|(_, with)| *with != 0)?;
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
            let words = value::words(&text.value).map(|(words, _)| words).unwrap_or_default();
            words.into_iter().map(|word| (value, word)).collect()
        }
        _ => Vec::new(),
    }
}

/// The declared tools that a condition names in a test that makes it true.
pub(super) fn named(cond: &Cond, positive: bool, table: &mut Table<'_>) -> u128 {
    let id = cond.shared().map(|id| (id, positive));
    if let Some(known) = id.and_then(|id| table.vain.named.get(&id)) {
        return *known;
    }
    let named = match &cond.kind {
        CondKind::Const(_) | CondKind::Quantified(_) | CondKind::Predicate(_) => 0,
        CondKind::All(parts) | CondKind::Any(parts) => {
            parts.iter().fold(0, |all, part| all | named(part, positive, table))
        }
        CondKind::Not(part) => named(part, !positive, table),
        CondKind::Leaf(_) if !positive => 0,
        CondKind::Leaf(leaf) => {
            let bits = texts(leaf).into_iter().filter_map(|(_, text)| table.index(&text)).map(ToolSet::bit);
            bits.fold(0, |all, bit| all | bit)
        }
    };
    table.vain.named.extend(id.map(|id| (id, named)));
    named
}

/// Where a condition names a tool.
fn written(cond: &Cond, positive: bool, name: &str) -> Option<Span> {
    match &cond.kind {
        CondKind::Const(_) | CondKind::Quantified(_) | CondKind::Predicate(_) => None,
        CondKind::All(parts) | CondKind::Any(parts) => {
            parts.iter().find_map(|part| written(part, positive, name))
        }
        CondKind::Not(part) => written(part, !positive, name),
        CondKind::Leaf(leaf) => {
            let found = texts(leaf).into_iter().filter(|_| positive).find(|(_, text)| text == name);
            found.map(|(value, _)| value.span)
        }
    }
}

pub(super) fn can_be(cond: &Cond, table: &mut Table<'_>) -> CanBe {
    let id = cond.shared();
    if let Some(known) = id.and_then(|id| table.vain.can_be.get(&id)) {
        return *known;
    }
    let result = contents(cond, table);
    table.vain.can_be.extend(id.map(|id| (id, result)));
    result
}

fn contents(cond: &Cond, table: &mut Table<'_>) -> CanBe {
    let (parts, all): (&[Cond], _) = match &cond.kind {
        CondKind::Const(true) => return [0, u128::MAX],
        CondKind::Const(false) => return [u128::MAX, 0],
        CondKind::Predicate(_) => return [u128::MAX; 2],
        CondKind::Leaf(test) => {
            let [when_false, when_true] = leaf::tools_by_result(test, table).map(ToolSet::known);
            let without = input(&test.path).map_or(0, |name| without(&name, table));
            return match test.if_absent() {
                Some(true) => [when_false & !without, when_true],
                Some(false) => [when_false, when_true & !without],
                None => [when_false, when_true],
            };
        }
        CondKind::Not(part) => {
            let [when_false, when_true] = can_be(part, table);
            return [when_true, when_false];
        }
        CondKind::Quantified(inner) => {
            // An absent value has no nodes.
            let without = input(&inner.path).map_or(0, |name| without(&name, table));
            return match inner.quantifier {
                Quantifier::Some => [u128::MAX, !without],
                Quantifier::Every => [!without, u128::MAX],
            };
        }
        CondKind::All(parts) => (parts, true),
        CondKind::Any(parts) => (parts, false),
    };
    let neutral = if all { [0, u128::MAX] } else { [u128::MAX, 0] };
    parts.iter().fold(neutral, |[one_false, one_true], part| {
        let [when_false, when_true] = can_be(part, table);
        match all {
            true => [one_false | when_false, one_true & when_true],
            false => [one_false & when_false, one_true | when_true],
        }
    })
}

/// The first input in the condition that a tool does not have, and the possible tools there that have
/// it.
fn missing(cond: &Cond, place: Place<'_>, index: usize, table: &Table<'_>) -> Option<(String, u128)> {
    let lacks = |path: &Path| {
        let name = input(path)?;
        let without = without(&name, table);
        let with = place.tools().known() & !without & table.all();
        (without & ToolSet::bit(index) != 0).then_some((name, with))
    };
    match &cond.kind {
        CondKind::Const(_) | CondKind::Predicate(_) => None,
        CondKind::All(parts) | CondKind::Any(parts) => {
            let places = place.parts(matches!(cond.kind, CondKind::All(_)), parts.len());
            parts.iter().zip(places).find_map(|(part, place)| missing(part, place, index, table))
        }
        CondKind::Not(part) => missing(part, place.inner(), index, table),
        CondKind::Leaf(leaf) => lacks(&leaf.path),
        CondKind::Quantified(inner) => lacks(&inner.path),
    }
}
