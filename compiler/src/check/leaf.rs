//! Checks a leaf independent of the event: the value that its operator accepts.

use std::sync::Arc;

use hookc_schema::tree::{Leaf, Op, Path, Right};
use hookc_schema::value::{Kind, Value};
use hookc_schema::{Code, Diagnostic};
use hookc_vm::format::keyword::Keyword;

use super::{Cx, history, pattern, query, value};
use crate::lint::leaf::once;
use crate::schema;

/// Whether the leaf is valid; all errors are reported.
pub(super) fn check<'a>(leaf: &'a Leaf, cx: &mut Cx<'a>) -> bool {
    let path = query::check(&leaf.path, cx) & history::check_recall(&leaf.path, cx);
    let modifiers = ignore_case(leaf, cx) & assert_format(leaf, cx);
    let right = match &leaf.right {
        Right::None => nothing(leaf, cx),
        Right::Value(value) => literal(leaf, value, cx),
        Right::Path(path) => history::check_recall(path, cx) & value_path(leaf, path, cx),
    };
    if !history::reads_history(leaf) {
        cx.report_all_once(once(leaf));
    }
    path && modifiers && right
}

fn ignore_case(leaf: &Leaf, cx: &mut Cx<'_>) -> bool {
    let Some(at) = leaf.ignore_case.filter(|_| !leaf.op.node.takes_case()) else {
        return true;
    };
    let what =
        format!("`ignore_case` has no effect on `{}`, which does not compare text", leaf.op.node.name());
    let with: Vec<&str> = Op::ALL.iter().filter(|op| op.takes_case()).map(|op| op.name()).collect();
    let help = format!("remove it; it applies to `{}`", with.join("`, `"));
    cx.report(Diagnostic::new(Code::E0405, at.span, what).with_label("no effect here").help(help));
    false
}

fn assert_format(leaf: &Leaf, cx: &mut Cx<'_>) -> bool {
    let Some(at) = leaf.assert_format.filter(|_| leaf.op.node != Op::Matches) else {
        return true;
    };
    let what = format!("`assert_format` has no effect on `{}`, which has no schema", leaf.op.node.name());
    let help = "remove it; it applies to `matches`";
    cx.report(Diagnostic::new(Code::E0403, at.span, what).with_label("no effect here").help(help));
    false
}

fn nothing(leaf: &Leaf, cx: &mut Cx<'_>) -> bool {
    let op = leaf.op.node;
    if op == Op::Exists {
        return true;
    }
    let what = format!("`{}` has nothing to compare with", op.name());
    let help = match op.takes_path() {
        true => format!("add `value` with {}, or `value_path` with a path", operand(op).takes),
        false => format!("add `value` with {}", operand(op).takes),
    };
    cx.report(Diagnostic::new(Code::E0403, leaf.op.span, what).with_label("needs a value").help(help));
    false
}

fn value_path(leaf: &Leaf, path: &Path, cx: &mut Cx<'_>) -> bool {
    let op = leaf.op.node;
    let new = if !op.takes_path() {
        let what = format!("`{}` cannot compare with the value at a path", op.name());
        let help = match op {
            Op::Exists => "remove `value_path`".to_owned(),
            _ => format!("write {} as `value`", operand(op).takes),
        };
        Diagnostic::new(Code::E0402, path.span, what).with_label("a path").help(help)
    } else if !path.is_singular() && path.recall().is_none() && !history::is_tied(leaf, path, cx) {
        let what = format!("`{}` compares with one value, and this path can select several", op.name());
        let help = "write a path without wildcards, slices, filters or `..`";
        Diagnostic::new(Code::E0402, path.span, what).with_label("selects a list of nodes").help(help)
    } else {
        return true;
    };
    cx.report(new);
    false
}

fn literal<'a>(leaf: &'a Leaf, value: &'a Value, cx: &mut Cx<'a>) -> bool {
    let op = leaf.op.node;
    let (numbers, taken) = (value::numbers(value, cx.out), taken(op, value));
    if !taken {
        cx.report(refused(op, value));
    }
    if op == Op::In && value.kind == Kind::Seq(Vec::new()) {
        let what = "`in` an empty array is never true";
        cx.report(Diagnostic::new(Code::W0601, value.span, what).with_label("contains no value"));
    }
    numbers && taken && patterns(leaf, value, cx) && schema(leaf, value, cx)
}

fn taken(op: Op, value: &Value) -> bool {
    let kind = &value.kind;
    match op {
        Op::Eq | Op::Ne => true,
        Op::Gt | Op::Gte | Op::Lt | Op::Lte => matches!(kind, Kind::Num(_)),
        Op::In => matches!(kind, Kind::Seq(_)),
        Op::Contains => !matches!(kind, Kind::Seq(_) | Kind::Map(_)),
        Op::StartsWith | Op::EndsWith | Op::Regex => matches!(kind, Kind::Str(_)),
        Op::Glob => match kind {
            Kind::Seq(items) => items.iter().all(|item| item.as_str().is_some()),
            kind => matches!(kind, Kind::Str(_)),
        },
        Op::Exists => matches!(kind, Kind::Bool(_)),
        Op::Matches => matches!(kind, Kind::Map(_) | Kind::Bool(_)),
    }
}

/// The value that an operator accepts, for people.
struct Operand {
    takes: &'static str,
    example: &'static str,
}

fn operand(op: Op) -> Operand {
    let (takes, example) = match op {
        Op::Eq | Op::Ne => ("any value", "write a value"),
        Op::Gt | Op::Gte | Op::Lt | Op::Lte => ("a number", "write a number such as `5`"),
        Op::In => ("an array", "write an array such as `[\"a\", \"b\"]`"),
        Op::Contains => (
            "a string, a number, a boolean or null",
            "write a single value such as `\"a\"`; test the members of an object by their paths",
        ),
        Op::StartsWith | Op::EndsWith => ("a string", "write a string such as `\"a\"`"),
        Op::Regex => ("a pattern, which is a string", "write a pattern such as `\"^a.*b$\"`"),
        Op::Glob => {
            ("a pattern or an array of patterns, which are strings", "write a pattern such as `\"*.md\"`")
        }
        Op::Exists => ("`true` or `false`", "write `true` or `false`"),
        Op::Matches => (
            "a JSON Schema, which is an object or a boolean",
            "write a schema such as `{\"type\": \"string\"}`",
        ),
    };
    Operand { takes, example }
}

fn refused(op: Op, value: &Value) -> Diagnostic {
    let wrong = wrong_item(op, value);
    let what = format!("`{}` takes {}", op.name(), operand(op).takes);
    let new = Diagnostic::new(Code::E0402, wrong.span, what).with_label(format!("this is {}", wrong.noun()));
    match (op, &wrong.kind) {
        (Op::Gt | Op::Gte | Op::Lt | Op::Lte, Kind::Str(text)) if value::is_number(&text.value) => {
            new.help(format!("remove the quotes: `{}`", text.value))
        }
        (Op::In, Kind::Null | Kind::Bool(_) | Kind::Num(_) | Kind::Str(_)) => {
            new.help("put it in brackets, or write `eq` for a single value")
        }
        (Op::Contains, Kind::Seq(_)) => {
            new.help("write one `contains` for each element, under `all` or under `any`")
        }
        (Op::StartsWith | Op::EndsWith | Op::Regex | Op::Glob, Kind::Num(_) | Kind::Bool(_)) => {
            new.help("put it in quotes")
        }
        (Op::Exists, _) => new.help("write `exists` alone, or with `value: false` for its opposite"),
        (Op::StartsWith | Op::EndsWith | Op::Regex, Kind::Seq(_)) => {
            new.help(format!("write one `{}` for each element, under `any`", op.name()))
        }
        (Op::Matches, Kind::Str(_)) => new.help(
            "write a schema such as `{\"type\": \"string\"}`; for a pattern, write `regex`, which is `=~` in `when`",
        ),
        _ => new.help(operand(op).example),
    }
}

/// The span for the label: in a list of patterns, the invalid element.
fn wrong_item(op: Op, value: &Value) -> &Value {
    let items = match &value.kind {
        Kind::Seq(items) if op == Op::Glob => items.as_slice(),
        _ => &[],
    };
    items.iter().find(|item| item.as_str().is_none()).unwrap_or(value)
}

fn patterns<'a>(leaf: &'a Leaf, value: &'a Value, cx: &mut Cx<'a>) -> bool {
    match (leaf.op.node, &value.kind) {
        (Op::Regex, Kind::Str(text)) => pattern::regex(value, &text.value, leaf.case(), cx),
        (Op::Glob, Kind::Str(_)) => pattern::glob(value, cx),
        (Op::Glob, Kind::Seq(items)) => {
            if items.is_empty() {
                let what = "`glob` with no pattern is never true";
                cx.report(Diagnostic::new(Code::W0601, value.span, what).with_label("an empty array"));
            }
            items.iter().filter(|item| !pattern::glob(item, cx)).count() == 0
        }
        _ => true,
    }
}

/// Compiles the schema of `matches` for every event of the hook.
fn schema<'a>(leaf: &'a Leaf, value: &'a Value, cx: &mut Cx<'a>) -> bool {
    if leaf.op.node != Op::Matches {
        return true;
    }
    let Some(graph) = schema::compile(value, leaf.assert_format.is_some(), cx.out) else { return false };
    let root = graph.nodes.get(graph.root as usize);
    if root.is_some_and(|rules| rules.iter().any(|rule| rule.keyword == Keyword::Never)) {
        let what = "`matches` against this schema is never true";
        cx.report(Diagnostic::new(Code::W0601, value.span, what).with_label("nothing is valid"));
    }
    cx.schemas.insert(std::ptr::from_ref(leaf), Arc::new(graph));
    true
}
