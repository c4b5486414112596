//! Lowers the match block to a condition: each key is a test of a field, and all must be true.

use hookc_schema::decode::YAML;
use hookc_schema::dialect::repository::MATCH;
use hookc_schema::tree::{Cond, CondKind, Leaf, Op, Right};
use hookc_schema::value::{Kind, Number, Text, Value};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Diagnostics, Span, Spanned};

use super::{event, scope};
use crate::expr::path;
use crate::pattern;

/// The path that `min_duration_ms` tests.
pub(crate) const DURATION: &str = "duration_ms";

/// The path that `only_if_changed_paths` tests.
pub(crate) const CHANGED: &str = "$.changed_files[*]";

/// The condition of a match block at an event; `None` if it is always true, or after an error was
/// reported.
pub(super) fn condition(
    block: &Value,
    event: &Spanned<String>,
    vocabulary: &Vocabulary,
    out: &mut Diagnostics,
) -> Option<Cond> {
    let fields = MATCH.read_as("a match block", block, YAML, out)?;
    let at = At { event, vocabulary };
    let member = |name: &str| fields.member(name).map(|member| (&member.key, &member.value));
    let tests = [
        member("ability_scope").and_then(|(key, value)| at.ability(key, value, out)),
        member("min_duration_ms").and_then(|(key, value)| at.duration(key, value, out)),
        member("only_if_changed_paths").and_then(|(key, value)| at.changed(key, value, out)),
    ];
    let mut tests: Vec<Cond> = tests.into_iter().flatten().collect();
    match tests.len() {
        0 | 1 => tests.pop(),
        _ => Some(Cond { span: block.span, kind: CondKind::All(tests.into()) }),
    }
}

/// The event that the keys must apply to.
#[derive(Clone, Copy)]
struct At<'a> {
    event: &'a Spanned<String>,
    vocabulary: &'a Vocabulary,
}

impl At<'_> {
    fn applies(&self, key: &Spanned<String>, field: &'static str, out: &mut Diagnostics) -> bool {
        if event::has_field(self.vocabulary, &self.event.node, field) {
            return true;
        }
        let what = format!("`{}` cannot apply to `{}`", key.node, self.event.node);
        let new = Diagnostic::new(Code::E0252, key.span, what).also(self.event.span, "the event");
        let others: Vec<_> = event::with_field(self.vocabulary, field).collect();
        let new = new.with_label(format!("the event has no `{field}`"));
        out.push(new.help(format!("remove it; it applies to `{}`", others.join("` and `"))));
        false
    }

    /// Lowers a glob, or a list of globs, on the ability.
    fn ability(&self, key: &Spanned<String>, value: &Value, out: &mut Diagnostics) -> Option<Cond> {
        let Some(field) = event::ability(self.vocabulary, &self.event.node) else {
            self.applies(key, "ability_id", out);
            return None;
        };
        let globs = globs(value, key, out)?;
        if globs.iter().any(|(text, _)| scope::is_any(&text.value)) {
            return None;
        }
        let names: Option<Vec<Value>> = globs
            .iter()
            .map(|(text, span)| scope::literal(&text.value).map(|name| Value::string(name, *span)))
            .collect();
        let (op, right) = match names {
            Some(mut names) if names.len() == 1 => (Op::Eq, names.pop()?),
            Some(names) => (Op::In, Value::new(Kind::Seq(names), value.span)),
            None => {
                let lowered = |(text, span): &(Text, Span)| Value::new(Kind::Str(scope::lower(text)), *span);
                (Op::Glob, one_or_all(globs.iter().map(lowered).collect(), value.span))
            }
        };
        leaf(field, op, right, key.span)
    }

    fn duration(&self, key: &Spanned<String>, value: &Value, out: &mut Diagnostics) -> Option<Cond> {
        let applies = self.applies(key, "duration_ms", out);
        let Kind::Num(number) = &value.kind else { return None };
        let order = number.compare(&Number("0".to_owned()));
        if order.is_lt() {
            let new = Diagnostic::new(Code::E0204, value.span, "`min_duration_ms` cannot be negative");
            out.push(
                new.with_label("negative").help("write a number of milliseconds, or 0 for any duration"),
            );
        }
        if !applies || !order.is_gt() {
            return None;
        }
        leaf(DURATION, Op::Gte, value.clone(), key.span)
    }

    fn changed(&self, key: &Spanned<String>, value: &Value, out: &mut Diagnostics) -> Option<Cond> {
        if !self.applies(key, "changed_files", out) {
            return None;
        }
        let globs = globs(value, key, out)?;
        let patterns = globs.into_iter().map(|(text, span)| Value::new(Kind::Str(text), span)).collect();
        leaf(CHANGED, Op::Glob, one_or_all(patterns, value.span), key.span)
    }
}

/// A leaf with generated parts.
fn leaf(path: &str, op: Op, right: Value, key: Span) -> Option<Cond> {
    let path = path::parse(&Text::plain(path), key, &mut Diagnostics::new())?;
    let span = key.to(right.span);
    let leaf = Leaf {
        path,
        op: Spanned::new(op, key),
        right: Right::Value(right.into()),
        ignore_case: None,
        assert_format: None,
    };
    Some(Cond { span, kind: CondKind::Leaf(leaf.into()) })
}

fn one_or_all(mut values: Vec<Value>, span: Span) -> Value {
    match (values.pop(), values.is_empty()) {
        (Some(only), true) => only,
        (last, _) => {
            values.extend(last);
            Value::new(Kind::Seq(values), span)
        }
    }
}

/// Reads a glob or a list of globs; invalid ones are reported with the result `None`.
fn globs(value: &Value, key: &Spanned<String>, out: &mut Diagnostics) -> Option<Vec<(Text, Span)>> {
    let items = match &value.kind {
        Kind::Seq(items) => items.as_slice(),
        _ => std::slice::from_ref(value),
    };
    if items.is_empty() {
        let new = Diagnostic::new(Code::E0203, value.span, format!("`{}` is empty", key.node));
        out.push(new.with_label("never matches").help("write at least one glob, or remove the key"));
        return None;
    }
    let what = match value.kind {
        Kind::Seq(_) => format!("a glob of `{}`", key.node),
        _ => format!("`{}`", key.node),
    };
    let read = items.iter().map(|item| glob(item, &what, out));
    read.collect::<Vec<_>>().into_iter().collect()
}

fn glob(value: &Value, what: &str, out: &mut Diagnostics) -> Option<(Text, Span)> {
    let Kind::Str(text) = &value.kind else {
        let scalar = matches!(value.kind, Kind::Num(_) | Kind::Bool(_));
        let help = if scalar { "put it in quotes" } else { "write a glob, such as `services/**`" };
        out.push(YAML.wrong(value, what, "a glob as a string").help(help));
        return None;
    };
    if text.value.is_empty() {
        let new = Diagnostic::new(Code::E0203, value.span, format!("{what} is empty"));
        out.push(new.with_label("matches nothing").help("write a glob, or remove it"));
        return None;
    }
    if let Some(problem) = pattern::glob_problem(value, &text.value) {
        out.push(problem);
        return None;
    }
    Some((text.clone(), value.span))
}
