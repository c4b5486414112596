//! How often each instruction decided about a hook, each way, and each verdict and construct occurred
//! (`HOOKC_HISTOGRAM=1`).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

use hookc_vm::format::op::Op;
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
    let (tables, mut scratch) = (module.tables().unwrap(), Scratch::new());
    let mut own: BTreeMap<String, [u64; 2]> = BTreeMap::new();
    for (_, event) in events.iter().step_by(STEP) {
        let Ok(trace) = module.trace(&mut scratch, event.as_bytes(), &DecideOptions::default()) else {
            own.entry("(an invalid event)".to_owned()).or_default()[1] += 1;
            continue;
        };
        for hook in trace.hooks() {
            own.entry(format!("(hook: {})", hook.verdict.as_str())).or_default()[0] += 1;
            let Some(deciding) = &hook.deciding else {
                own.entry("(no test)".to_owned()).or_default()[0] += 1;
                continue;
            };
            let row = tables.preds.get(deciding.pred as usize);
            let name = row.and_then(|row| Op::from_number(row.op)).map_or("?", Op::mnemonic);
            own.entry(name.to_owned()).or_default()[usize::from(!deciding.holds)] += 1;
            if deciding.nodes.is_some() {
                own.entry(format!("{name}, of a query")).or_default()[usize::from(!deciding.holds)] += 1;
            }
            if deciding.actual.is_none() {
                own.entry("(of an absent value)".to_owned()).or_default()[usize::from(!deciding.holds)] += 1;
            }
        }
    }
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    for (name, counts) in own {
        let all = seen.entry(name).or_default();
        all[0] += counts[0];
        all[1] += counts[1];
    }
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
