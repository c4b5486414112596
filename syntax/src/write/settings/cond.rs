//! A condition as a matcher and a rule, if the reader would produce the same condition from them.

use hookc_schema::tree::{Cond, CondKind, Op, Right};
use hookc_schema::value::{Kind, Text, Value};
use hookc_schema::vocab::{Matcher, Names};
use hookc_schema::{Diagnostics, Span};

use crate::front::settings::matcher::{self, LoweredMatcher, OtherTests};
use crate::front::settings::{agent, rule};

/// The context of a hook.
pub(super) struct At<'a> {
    /// The event.
    pub(super) event: &'a str,
    /// The field that its matchers test.
    pub(super) subject: Option<&'a Matcher>,
    /// Whether the handler belongs to a skill.
    pub(super) skill: bool,
}

/// The matcher and rule that express a condition.
#[derive(Default)]
pub(super) struct MatcherAndRule {
    pub(super) matcher: Option<String>,
    pub(super) rule: Option<String>,
}

impl At<'_> {
    /// Expresses a condition, with the rule of the action, if any; `None` if a matcher and a rule
    /// cannot express it.
    pub(super) fn say(&self, cond: Option<&Cond>, carried: Option<&str>) -> Option<MatcherAndRule> {
        let parts: &[Cond] = match cond.map(|cond| &cond.kind) {
            None => &[],
            Some(CondKind::All(parts)) if parts.len() > 1 => parts,
            Some(_) => cond.map(std::slice::from_ref).unwrap_or_default(),
        };
        let with = || {
            let (first, rest) = parts.split_first()?;
            Some(MatcherAndRule { matcher: Some(self.matcher(first)?), rule: self.rule(rest, carried)? })
        };
        let without =
            |parts: &[Cond]| Some(MatcherAndRule { matcher: None, rule: self.rule(parts, carried)? });
        let whole = || cond.and_then(|cond| without(std::slice::from_ref(cond)));
        with().or_else(|| without(parts)).or_else(whole)
    }

    fn matcher(&self, cond: &Cond) -> Option<String> {
        let subject = self.subject?;
        let text = candidate(cond, subject)?;
        let read = matcher::lower(
            &Text::plain(&text),
            Span::default(),
            (subject, OtherTests::When),
            &mut Diagnostics::new(),
        )?;
        (read == LoweredMatcher::Cond(cond.clone())).then_some(text)
    }

    /// The rule for the rest of a condition; `Some(None)` if nothing is left.
    fn rule(&self, parts: &[Cond], carried: Option<&str>) -> Option<Option<String>> {
        let (text, whole) = match (parts, carried) {
            ([], None) => return Some(None),
            ([_], Some(carried)) => (carried.to_owned(), false),
            ([one], None) => (rule_of(one)?, true),
            _ => return None,
        };
        if !agent::has_rules(self.event) {
            return None;
        }
        let read = rule::lower(&Text::plain(&text), Span::default(), &mut Diagnostics::new())?;
        (Some(&read.cond) == parts.first() && read.whole == whole).then_some(Some(text))
    }
}

/// A leaf of a path with a literal.
fn leaf(cond: &Cond) -> Option<(&str, Op, &Value)> {
    let CondKind::Leaf(leaf) = &cond.kind else { return None };
    let Right::Value(value) = &leaf.right else { return None };
    let plain = leaf.ignore_case.is_none() && leaf.assert_format.is_none();
    plain.then_some((&*leaf.path.text, leaf.op.node, &**value))
}

/// The matcher that may express a condition.
fn candidate(cond: &Cond, subject: &Matcher) -> Option<String> {
    if subject.names == Names::Files {
        return match &cond.kind {
            CondKind::Any(several) => {
                several.iter().map(file).collect::<Option<Vec<_>>>().map(|all| all.join("|"))
            }
            _ => file(cond),
        };
    }
    let (path, op, value) = leaf(cond).filter(|(path, _, _)| *path == subject.path)?;
    let _ = path;
    let names: Vec<&str> = match &value.kind {
        Kind::Str(text) => vec![&text.value],
        Kind::Seq(items) if op == Op::In => items.iter().map(Value::as_str).collect::<Option<_>>()?,
        _ => return None,
    };
    let escaped = || names.iter().map(|name| regex::escape(name)).collect::<Vec<_>>().join("|");
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ' ');
    let all_plain = names.iter().all(|name| !name.is_empty() && name.chars().all(plain));
    Some(match op {
        Op::Eq | Op::In if all_plain && subject.names == Names::Plain => names.join("|"),
        Op::Eq | Op::In if all_plain && !names.iter().any(|name| name.contains(['-', ' '])) => {
            names.join("|")
        }
        Op::Eq if !names.iter().all(|name| name.chars().all(|c| plain(c) || c == ':')) => {
            format!("^{}$", escaped())
        }
        Op::Eq => format!("^{}$", names.join("|")),
        Op::In => format!("^({})$", names.join("|")),
        Op::StartsWith => format!("^{}", escaped()),
        Op::EndsWith => format!("{}$", escaped()),
        Op::Contains if all_plain => format!("{}.*", names.join("")),
        Op::Contains => escaped(),
        Op::Regex => names.join(""),
        _ => return None,
    })
}

/// The name of the file that a condition asks for.
fn file(cond: &Cond) -> Option<String> {
    let (_, op, value) = leaf(cond)?;
    let pattern = value.as_str().filter(|_| op == Op::Regex)?;
    let name = pattern.strip_prefix(r"(?:^|[/\\])")?.strip_suffix('$')?;
    let mut plain = String::with_capacity(name.len());
    let mut chars = name.chars();
    while let Some(c) = chars.next() {
        plain.push(if c == '\\' { chars.next()? } else { c });
    }
    Some(plain)
}

/// The rule that may express a condition.
fn rule_of(cond: &Cond) -> Option<String> {
    if let CondKind::All(parts) = &cond.kind {
        let [tool, input] = &**parts else { return None };
        let (_, op, value) = leaf(input)?;
        let pattern = value.as_str()?;
        let star = if op == Op::EndsWith { "*" } else { "" };
        return Some(format!("{}({star}{pattern})", rule_of(tool)?));
    }
    let (path, op, value) = leaf(cond)?;
    match (path, op, &value.kind) {
        ("tool_name", Op::Eq, Kind::Str(name)) => Some(name.value.clone()),
        ("tool_name", Op::StartsWith, Kind::Str(name)) => Some(format!("{}*", name.value)),
        ("tool_name", Op::In, Kind::Seq(_)) => Some("Agent".to_owned()),
        _ => None,
    }
}
