//! The canonical source of a monitor, from which its identity follows. Names of facts, windows, limits, layers and
//! spans are no part of it. It is stable: the state of an installed policy is found by it.

use std::fmt::Write;

use hookc_history::{CellId, Kind, Verdicts};
use hookc_schema::tree::Family;
use hookc_schema::value::Value;
use hookc_syntax::expr::print;

use crate::canonical;
use crate::ir::{
    ActionScope, LowCond, Monitor, PastRelation, PastRight, PastTest, ReadPath, RecallValue, Test, TestRight,
    TiedMonitor, Watch,
};

/// The source of an event type with verdicts.
pub(super) fn event(family: Family, name: &str, verdicts: Verdicts) -> String {
    format!("{} {} {}", family.name(), text(name), verdicts.bits())
}

/// The longest source of a pattern that is kept in full: each use of a fact reads it.
const LONG: usize = 512;

/// The source of a pattern that requires a further condition.
pub(super) fn required(pattern: &str, low: &LowCond) -> String {
    let mut out = String::from(pattern);
    out.push_str(" and ");
    condition(low, &mut out);
    if out.len() <= LONG {
        return out;
    }
    let mut hash = String::from("hash ");
    hex(&CellId::from_source(out.as_bytes()).0, &mut hash);
    hash
}

/// The identity of a monitor. `patterns` are the sources of its watches.
pub(super) fn identity(monitor: &Monitor, patterns: &[&str]) -> CellId {
    let mut parts: Vec<String> =
        monitor.watches.iter().zip(patterns).map(|(watch, pattern)| watched(watch, pattern)).collect();
    parts.sort_unstable();
    parts.dedup();
    let mut out = kind(monitor.kind);
    let _ = write!(out, " per {} keep {}", monitor.partition.name(), monitor.keeps_text);
    let _ = write!(out, " folds {:?} {:?}", monitor.folds, monitor.excluded_folds);
    for anchor in &monitor.anchors {
        out.push_str(" since ");
        hex(&anchor.id.0, &mut out);
    }
    for part in parts {
        out.push('\n');
        out.push_str(&part);
    }
    CellId::from_source(out.as_bytes())
}

/// The highest level of the monitors that a condition reads.
pub(super) fn level(low: &LowCond) -> u8 {
    match low {
        LowCond::Const(_) | LowCond::Effects(_) => 0,
        LowCond::All(parts) | LowCond::Any(parts) => parts.iter().map(level).max().unwrap_or(0),
        LowCond::Not(part) => level(part),
        LowCond::Some(some) => level_of_path(&some.node.path).max(level(&some.node.cond)),
        LowCond::Test(test) => test.node.recalls().map(RecallValue::level).max().unwrap_or(0),
        LowCond::Past(past) => past.node.recalls().map(RecallValue::level).max().unwrap_or(0),
    }
}

fn level_of_path(path: &ReadPath) -> u8 {
    match path {
        ReadPath::Recall(recall) => recall.level(),
        _ => 0,
    }
}

/// The kind without its capacity.
fn kind(kind: Kind) -> String {
    match kind {
        Kind::Recent { .. } => "recent".to_owned(),
        Kind::Differing { conjuncts } => format!("differing {conjuncts}"),
        Kind::Counter => "counter".to_owned(),
        Kind::Total => "total".to_owned(),
        Kind::Sums => "sums".to_owned(),
        Kind::Distinct { .. } => "distinct".to_owned(),
        Kind::Last { values, .. } => format!("last {values}"),
    }
}

fn watched(watch: &Watch, pattern: &str) -> String {
    let mut out = String::from(pattern);
    for key in &watch.keys {
        out.push_str(" tie ");
        path(key, &mut out);
    }
    for excluded in &watch.excluded {
        out.push_str(" not ");
        condition(&excluded.cond, &mut out);
        for key in &excluded.keys {
            out.push_str(" tie ");
            path(key, &mut out);
        }
    }
    for value in &watch.values {
        out.push_str(" value ");
        path(value, &mut out);
    }
    out
}

fn condition(low: &LowCond, out: &mut String) {
    match low {
        LowCond::Const(value) => out.push_str(if *value { "true" } else { "false" }),
        LowCond::All(parts) => list("all", parts, out),
        LowCond::Any(parts) => list("any", parts, out),
        LowCond::Not(part) => list("not", std::slice::from_ref(part), out),
        LowCond::Test(test) => tested(&test.node, out),
        LowCond::Some(some) => {
            out.push_str(if some.node.children { "(each " } else { "(some " });
            path(&some.node.path, out);
            out.push(' ');
            condition(&some.node.cond, out);
            out.push(')');
        }
        LowCond::Effects(test) => {
            out.push_str("(effects ");
            hex(&test.node.predicate, out);
            scope(&test.node.scope, out);
            out.push(')');
        }
        LowCond::Past(past) => remembered(&past.node, out),
    }
}

fn list(name: &str, parts: &[LowCond], out: &mut String) {
    out.push('(');
    out.push_str(name);
    for part in parts {
        out.push(' ');
        condition(part, out);
    }
    out.push(')');
}

fn tested(test: &Test, out: &mut String) {
    let _ = write!(out, "({}{} ", test.op.name(), if test.case.is_ignored() { " nocase" } else { "" });
    path(&test.path, out);
    match &test.right {
        TestRight::None => {}
        TestRight::Value(literal) => value(literal, out),
        TestRight::Path(right) => path(right, out),
        // A graph has no spans.
        TestRight::Schema(graph) => {
            let _ = write!(out, " {graph:?}");
        }
    }
    out.push(')');
}

fn remembered(past: &PastTest, out: &mut String) {
    out.push_str("(past ");
    recall(&past.recall, out);
    match &past.relation {
        PastRelation::Formerly => {}
        PastRelation::Compare(op, right) => {
            let _ = write!(out, " {} ", op.name());
            match right {
                PastRight::Value(literal) => value(literal, out),
                PastRight::Path(right) => path(right, out),
                PastRight::Recall(right) => recall(right, out),
            }
        }
    }
    out.push(')');
}

fn recall(read: &RecallValue, out: &mut String) {
    tied(&read.pattern, out);
    let _ = write!(out, " within {:?} now {} back {}", read.within, read.now.is_some(), read.back);
    for anchor in &read.since {
        out.push_str(" since ");
        tied(anchor, out);
    }
}

fn tied(tied: &TiedMonitor, out: &mut String) {
    hex(&tied.monitor.id.0, out);
    for current in tied.current.iter().chain(tied.excluded.iter().flatten()) {
        out.push(' ');
        path(current, out);
    }
}

fn path(read: &ReadPath, out: &mut String) {
    match read {
        ReadPath::Plain(steps) => out.push_str(&print::steps(steps)),
        ReadPath::Merged(steps) => {
            out.push_str("merged ");
            out.push_str(&print::steps(steps));
        }
        ReadPath::Declared(declared, inner) => {
            scope(declared, out);
            path(inner, out);
        }
        ReadPath::Nodes(nodes) => {
            path(nodes.start(), out);
            out.push_str(" nodes ");
            out.push_str(nodes.text());
        }
        ReadPath::Bound(up, steps) => {
            let _ = write!(out, "bound {up} {}", print::steps(steps));
        }
        ReadPath::Recall(read) => recall(read, out),
    }
    out.push(' ');
}

fn scope(scope: &ActionScope, out: &mut String) {
    let _ = write!(out, " {:?} {:?} ", scope.input, scope.project);
    hex(&scope.tools, out);
}

fn value(literal: &Value, out: &mut String) {
    // A literal that has no canonical form has been reported.
    let _ = canonical::write(literal, out);
}

fn text(name: &str) -> String {
    serde_json::Value::from(name).to_string()
}

fn hex(bytes: &[u8], out: &mut String) {
    for byte in bytes {
        let _ = write!(out, "{byte:02x}");
    }
}
