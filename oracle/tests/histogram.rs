//! How often each instruction decided about a hook, each way, and each verdict and construct occurred
//! (`HOOKC_HISTOGRAM=1`).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

use hookc_vm::format::op::Op;
use hookc_vm::format::{Cell, NONE, Range, Recall, RecallTag, Tables};
use hookc_vm::trace::{Traced, Verdict};
use hookc_vm::{DecideOptions, Module, Scratch};

/// One event of so many is traced: a trace evaluates every hook without indexes.
const STEP: usize = 5;

/// What was counted: true and false.
static SEEN: Mutex<BTreeMap<String, [u64; 2]>> = Mutex::new(BTreeMap::new());

pub(crate) fn is_asked() -> bool {
    std::env::var_os("HOOKC_HISTOGRAM").is_some()
}

/// Traces some of the events.
pub(crate) fn count(module: &Module, events: &[(usize, String)]) {
    let mut scratch = Scratch::new();
    for (_, event) in events.iter().step_by(STEP) {
        count_one(module, &mut scratch, event, &DecideOptions::default());
    }
}

/// Traces an event.
pub(crate) fn count_one(module: &Module, scratch: &mut Scratch, event: &str, options: &DecideOptions<'_>) {
    let tables = module.tables().unwrap();
    let mut counted: BTreeMap<String, [u64; 2]> = BTreeMap::new();
    let mut add = |name: String, holds: bool| counted.entry(name).or_default()[usize::from(!holds)] += 1;
    match module.trace(scratch, event.as_bytes(), options) {
        Err(_) => add("(an invalid event)".to_owned(), false),
        Ok(trace) => trace.hooks().iter().for_each(|hook| count_hook(&tables, hook, &mut add)),
    }
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    for (name, counts) in counted {
        let sum = seen.entry(name).or_default();
        sum[0] += counts[0];
        sum[1] += counts[1];
    }
}

fn count_hook(tables: &Tables<'_>, hook: &Traced, add: &mut impl FnMut(String, bool)) {
    add(format!("(hook: {})", hook.verdict.as_str()), true);
    let Some(deciding) = &hook.deciding else { return add("(no test)".to_owned(), true) };
    let row = tables.preds.get(deciding.pred as usize);
    let op = row.and_then(|row| Op::from_number(row.op));
    let name = op.map_or("?", Op::mnemonic);
    if hook.verdict == Verdict::Unknown {
        return add(format!("{name}, unknown"), false);
    }
    add(name.to_owned(), deciding.holds);
    if deciding.nodes.is_some() {
        add(format!("{name}, of a query"), deciding.holds);
    }
    if deciding.actual.is_none() && op != Some(Op::Past) {
        add("(of an absent value)".to_owned(), deciding.holds);
    }
    let recall =
        row.filter(|_| op == Some(Op::Past)).and_then(|row| tables.recalls.get(row.a.get() as usize));
    recall.iter().flat_map(|recall| rules(tables, recall)).for_each(|rule| add(rule, deciding.holds));
}

/// The operator of a read of the history, and what else it has.
fn rules(tables: &Tables<'_>, recall: &Recall) -> Vec<String> {
    let cell = tables.cells.get(recall.cell.get() as usize).and_then(Cell::form).unwrap();
    let operator = RecallTag::from_number(recall.operator).unwrap().name();
    let has = |range: Range| range.length.get() > 0;
    let words = [
        ("within a duration", recall.within.get() != NONE),
        ("since", has(recall.since) || has(cell.anchors)),
        ("tied", recall.tie.get() != NONE),
        ("with a negated tie", has(recall.excluded)),
        ("including now", has(recall.now)),
        ("nested", cell.level > 1),
    ];
    let words = words.into_iter().filter(|(_, has)| *has).map(|(word, _)| format!("past, {operator} {word}"));
    let kind = format!("past, {:?}", cell.kind).split([' ', '{']).take(2).collect::<Vec<_>>().join(" ");
    words.chain([format!("past, {operator}"), kind, format!("past, per {}", cell.partition.name())]).collect()
}

/// All that was counted so far.
pub(crate) fn table() -> String {
    let seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut out = "| deciding test | true | false |\n|---|---:|---:|\n".to_owned();
    for (name, [yes, no]) in seen.iter() {
        let _ = writeln!(out, "| {name} | {yes} | {no} |");
    }
    out
}
