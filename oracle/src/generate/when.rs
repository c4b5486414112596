//! Conditions as `when` expressions in random handwriting: every spelling of
//! operators, connectives and strings that the language page allows.

use hookc_schema::tree::{
    Cond, CondKind, EventPattern, Extent, Guard, Leaf, Op, Path, PathKind, Pattern, Predicate, Recall,
    RecallOperator, Right, Selection, Step, print,
};
use hookc_schema::value::{Kind, Value};

use super::Rng;

/// The condition as equivalent text.
pub fn when(rng: &mut Rng, cond: &Cond) -> String {
    match &cond.kind {
        CondKind::Const(truth) => truth.to_string(),
        CondKind::Not(inner) => format!("{}({})", rng.pick(&["not ", "!", "! "]), when(rng, inner)),
        CondKind::All(parts) => group(rng, parts, "all", &[" and ", " && ", "&&"]),
        CondKind::Any(parts) => group(rng, parts, "any", &[" or ", " || ", "||"]),
        CondKind::Leaf(inner) => leaf(rng, inner),
        CondKind::Predicate(inner) => predicate(rng, inner),
        CondKind::Formerly(inner) => {
            format!("formerly{}{})", rng.pick(&["(", "( ", " ("]), selection(rng, inner))
        }
        CondKind::Quantified(inner) => {
            let (word, name) = (inner.quantifier.name(), &inner.name.node);
            let (open, colon) = (rng.pick(&["(", "( ", " ("]), rng.pick(&[":", ": ", " : "]));
            let body = when(rng, &inner.cond);
            format!("{word}{open}{name} in {}{colon}{body})", path(rng, &inner.path))
        }
    }
}

fn selection(rng: &mut Rng, selection: &Selection) -> String {
    let mut text = pattern(rng, &selection.of);
    match selection.within.as_ref().map(|within| within.node) {
        Some(Extent::Duration { count, unit }) => text += &format!(" within {count}{}", unit.name()),
        Some(Extent::Turn) => text += " within turn",
        Some(Extent::Session) => text += " within session",
        None => {}
    }
    if let Some(anchor) = &selection.since {
        let is_name = anchor.outcome.is_none() && anchor.condition.is_none() && anchor.names.len() == 1;
        let anchor = pattern(rng, anchor);
        text += &if is_name && rng.chance(70) {
            format!(" since {anchor}")
        } else {
            format!(" since ({anchor})")
        };
    }
    if let Some(key) = &selection.per {
        text += &format!(" per {}", key.node.name());
    }
    text + if selection.including_now.is_some() { " including now" } else { "" }
}

fn pattern(rng: &mut Rng, pattern: &EventPattern) -> String {
    let names: Vec<&str> = pattern.names.iter().map(|name| name.node.as_str()).collect();
    let outcome = pattern.outcome.as_ref().map(|word| format!("{} ", word.node.name())).unwrap_or_default();
    let condition = pattern.condition.as_ref().map(|cond| format!(" where {}", when(rng, cond)));
    format!("{outcome}{}{}", names.join(rng.pick(&[", ", ",", " , "])), condition.unwrap_or_default())
}

fn recall(rng: &mut Rng, recall: &Recall) -> String {
    let selection = selection(rng, &recall.selection);
    match &recall.operator {
        RecallOperator::Count => format!("count({selection})"),
        RecallOperator::Sum(path) => format!("sum({} of {selection})", self::path(rng, path)),
        RecallOperator::Distinct(paths) => {
            let paths: Vec<String> = paths.iter().map(|path| self::path(rng, path)).collect();
            format!("distinct({} of {selection})", paths.join(", "))
        }
        RecallOperator::Last { nth, rest } => {
            let nth = nth.as_ref().map(|nth| format!("{}, ", nth.node)).unwrap_or_default();
            format!("last({nth}{selection}){}", print::query(rest))
        }
    }
}

fn predicate(rng: &mut Rng, predicate: &Predicate) -> String {
    let inside = match predicate {
        Predicate::Guard(inner) => return guard(rng, inner),
        Predicate::Only(guards) => {
            let guards: Vec<String> = guards.iter().map(|inner| guard(rng, inner)).collect();
            guards.join(rng.pick(&[",", ", ", " , "]))
        }
        Predicate::Unknown => String::new(),
        Predicate::Mentions(of) | Predicate::Passed(of) => patterns(rng, of),
    };
    format!("{}{}{inside})", predicate.name(), rng.pick(&["(", " ( "]))
}

fn guard(rng: &mut Rng, guard: &Guard) -> String {
    let lists = guard.lists().into_iter().filter(|(_, list)| !list.is_empty());
    let lists: Vec<String> = lists.map(|(word, list)| format!("{word} {}", patterns(rng, list))).collect();
    format!("{}({})", guard.name().as_str(), lists.join(" "))
}

fn patterns(rng: &mut Rng, patterns: &[Pattern]) -> String {
    let texts: Vec<String> = patterns.iter().map(|one| string(rng, &one.node.value, true)).collect();
    texts.join(rng.pick(&[",", ", ", " , "]))
}

fn group(rng: &mut Rng, parts: &[Cond], list: &str, words: &[&str]) -> String {
    let texts: Vec<String> = parts.iter().map(|part| when(rng, part)).collect();
    if texts.len() < 2 || rng.chance(30) {
        return format!("{list}({})", texts.join(rng.pick(&[",", ", ", " , "])));
    }
    let word = rng.pick(words);
    let group = |part: &String| format!("({part})");
    format!("({})", texts.iter().map(group).collect::<Vec<_>>().join(word))
}

fn leaf(rng: &mut Rng, leaf: &Leaf) -> String {
    let (path, op) = (self::path(rng, &leaf.path), leaf.op.node);
    if op == Op::Exists {
        return match &leaf.right {
            Right::Value(value) => format!("exists({path}, {})", literal(rng, value, false)),
            _ => format!("exists({path})"),
        };
    }
    let sign = if rng.chance(50) { op.symbol() } else { op.as_str() };
    let mut fold = leaf.ignore_case.is_some();
    let right = match &leaf.right {
        Right::None => String::new(),
        Right::Path(path) => format!("({})", self::path(rng, path)),
        Right::Value(value) => match value.as_str().filter(|_| op == Op::Regex).and_then(slashed) {
            Some(pattern) if rng.chance(50) => {
                let flag = if fold && rng.chance(70) { "i" } else { "" };
                fold &= flag.is_empty();
                format!("{pattern}{flag}")
            }
            _ => literal(rng, value, op == Op::Regex),
        },
    };
    let fold = if fold { " nocase" } else { "" };
    let format = if leaf.assert_format.is_some() { " assert_format" } else { "" };
    format!("{path} {sign} {right}{fold}{format}")
}

/// A path; a first name in brackets is not a keyword.
fn path(rng: &mut Rng, path: &Path) -> String {
    let steps = match &path.kind {
        PathKind::Short(steps) => steps,
        PathKind::Recall(inner) => return recall(rng, inner),
        PathKind::Query(_) | PathKind::View(_) => return print::path(path),
    };
    let step = |step: &Step| match step {
        Step::Name(name) => format!("['{}']", name.replace('\\', "\\\\").replace('\'', "\\'")),
        Step::Index(index) => format!("[{index}]"),
        Step::View(_) => String::new(),
    };
    match steps.split_first() {
        // In brackets it would be a field.
        Some((Step::Name(name), rest)) if name == "now" => {
            rest.iter().fold(name.clone(), |text, one| text + &step(one))
        }
        _ => steps.iter().map(step).collect(),
    }
}

fn literal(rng: &mut Rng, value: &Value, pattern: bool) -> String {
    match &value.kind {
        Kind::Null => "null".to_owned(),
        Kind::Bool(truth) => truth.to_string(),
        Kind::Num(number) => number.0.clone(),
        Kind::Str(text) => string(rng, &text.value, pattern),
        Kind::Seq(items) => {
            let items: Vec<String> = items.iter().map(|item| literal(rng, item, false)).collect();
            format!("[{}]", items.join(rng.pick(&[",", ", "])))
        }
        Kind::Map(members) => {
            let member = |member: &hookc_schema::value::Member| {
                let key = string(rng, &member.key.node, false);
                format!("{key}: {}", literal(rng, &member.value, false))
            };
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
    }
}

/// Raw if that can express it, otherwise with JSON's escapes.
fn string(rng: &mut Rng, text: &str, pattern: bool) -> String {
    let sayable = |c: char| pattern || c >= ' ' || matches!(c, '\n' | '\r' | '\t');
    if text.chars().all(sayable) && rng.chance(60) {
        return format!("'{}'", text.replace('\'', "''"));
    }
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' if rng.chance(50) => out.push_str("\\n"),
            c if c < ' ' || rng.chance(5) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Between slashes, unless it contains text that slashes cannot express.
fn slashed(pattern: &str) -> Option<String> {
    let (mut out, mut chars) = (String::from("/"), pattern.chars());
    while let Some(c) = chars.next() {
        match c {
            '/' => out.push_str("\\/"),
            '\\' => out.extend(['\\', chars.next().filter(|next| *next != '/')?]),
            c => out.push(c),
        }
    }
    out.push('/');
    Some(out)
}
