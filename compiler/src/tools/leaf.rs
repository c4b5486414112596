//! The tools for which a test of `tool_name` is true, and those for which it is false.
//!
//! For a declared tool the operator is evaluated. For an undeclared tool the result is certain only
//! for `eq` and `in`; a pattern, or one of its alternatives, that matches no declared tool is meant
//! for undeclared ones.

use hookc_base::text::Case;
use hookc_schema::tree::{Leaf, Op, Right};
use hookc_schema::value::{Kind, Value};
use hookc_syntax::pattern;
use hookc_vm::text::{fold, glob};
use regex_syntax::hir::{Hir, HirKind};

use super::Table;
use super::set::{Others, ToolSet};
use crate::fields::is_tool_name;

/// Alternatives of a pattern that are checked individually; more count as one.
const ALTERNATIVES: usize = 64;

/// The declared tools that match, and what is known about others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Matched {
    known: u128,
    others: Others,
}

impl Matched {
    const NOTHING: Self = Self { known: 0, others: Others::Excluded };

    fn or(self, other: Self) -> Self {
        Self { known: self.known | other.known, others: self.others.max(other.others) }
    }

    /// The sets for which it is false and true.
    fn sets(self) -> [ToolSet; 2] {
        [ToolSet::new(!self.known, Others::Unstated), ToolSet::new(self.known, self.others)]
    }
}

/// The tools for which a leaf is false, and those for which it is true.
pub(crate) fn tools_by_result(leaf: &Leaf, table: &mut Table<'_>) -> [ToolSet; 2] {
    let Right::Value(value) = &leaf.right else { return [ToolSet::ALL; 2] };
    if !is_tool_name(&leaf.path) {
        return [ToolSet::ALL; 2];
    }
    let case = leaf.case();
    match (leaf.op.node, &value.kind) {
        (Op::Eq, _) => table.equal(value, case).sets(),
        (Op::Ne, _) => {
            let [when_false, when_true] = table.equal(value, case).sets();
            [when_true, when_false]
        }
        (Op::In, Kind::Seq(items)) => any(items.iter().map(|item| table.equal(item, case))).sets(),
        (op @ (Op::Contains | Op::StartsWith | Op::EndsWith), Kind::Str(text)) => {
            table.text(op, &text.value, case).sets()
        }
        (Op::Regex, Kind::Str(text)) => table.regex(&text.value, case).sets(),
        (Op::Glob, Kind::Str(text)) => table.glob(&text.value, case).sets(),
        (Op::Glob, Kind::Seq(items)) => {
            let patterns = items.iter().filter_map(Value::as_str);
            any(patterns.map(|pattern| table.glob(pattern, case))).sets()
        }
        _ => [ToolSet::ALL; 2],
    }
}

fn any(matched: impl Iterator<Item = Matched>) -> Matched {
    matched.fold(Matched::NOTHING, Matched::or)
}

impl Table<'_> {
    fn equal(&self, value: &Value, case: Case) -> Matched {
        let Some(text) = value.as_str() else { return Matched::NOTHING };
        let known = match (case.is_ignored(), self.index(text)) {
            (false, Some(index)) => ToolSet::bit(index),
            (false, None) => 0,
            (true, _) => self.matching(|name| folded(name) == folded(text)),
        };
        let others = if known == 0 { Others::Named } else { Others::Excluded };
        Matched { known, others }
    }

    fn text(&self, op: Op, needle: &str, case: Case) -> Matched {
        let shown = |text: &str| if case.is_ignored() { folded(text) } else { text.to_owned() };
        let needle = shown(needle);
        self.pattern(&needle, |name| {
            let name = shown(name);
            match op {
                Op::StartsWith => name.starts_with(&needle),
                Op::EndsWith => name.ends_with(&needle),
                _ => name.contains(&needle),
            }
        })
    }

    fn glob(&self, pattern: &str, case: Case) -> Matched {
        self.pattern(pattern, |name| glob::matches(pattern, name, case))
    }

    /// Each alternative of a regular expression is a pattern.
    fn regex(&mut self, pattern: &str, case: Case) -> Matched {
        let key = (pattern.to_owned(), case);
        if let Some(found) = self.patterns.get(&key) {
            return *found;
        }
        let found = match pattern::hir(pattern, case) {
            Some(hir) => any(alternatives(&hir).iter().map(|one| self.alternative(one))),
            // It does not compile, which is a separate error.
            None => Matched { known: u128::MAX, others: Others::Unstated },
        };
        self.patterns.insert(key, found);
        found
    }

    fn alternative(&self, hir: &Hir) -> Matched {
        let text = hir.to_string();
        match regex::Regex::new(&text) {
            Ok(built) => self.pattern(&text, |name| built.is_match(name)),
            Err(_) => Matched { known: u128::MAX, others: Others::Unstated },
        }
    }

    /// A pattern that no declared tool matches, or that contains the prefix of MCP tools, is meant
    /// for others.
    fn pattern(&self, text: &str, matches: impl Fn(&str) -> bool) -> Matched {
        let known = self.matching(matches);
        let named = known == 0 || text.contains("mcp");
        Matched { known, others: if named { Others::Named } else { Others::Unstated } }
    }

    fn matching(&self, matches: impl Fn(&str) -> bool) -> u128 {
        let names = self.names().enumerate().filter(|(_, name)| matches(name));
        names.fold(0, |known, (index, _)| known | ToolSet::bit(index))
    }
}

/// A text with its case folded.
pub(crate) fn folded(text: &str) -> String {
    let mut out = String::new();
    fold::fold_into(text, &mut out);
    out
}

/// The top-level alternatives of a pattern: those of `a|b`, `^(a|b)$` and `x(a|b)`.
fn alternatives(hir: &Hir) -> Vec<Hir> {
    let (mut left, mut done) = (vec![hir.clone()], Vec::new());
    while let Some(one) = left.pop() {
        match split(&one) {
            Some(parts) if left.len() + done.len() + parts.len() <= ALTERNATIVES => left.extend(parts),
            _ => done.push(one),
        }
    }
    done
}

/// One pattern as several, if its first alternation shows.
fn split(hir: &Hir) -> Option<Vec<Hir>> {
    match hir.kind() {
        HirKind::Alternation(parts) => Some(parts.clone()),
        HirKind::Capture(capture) => Some(vec![(*capture.sub).clone()]),
        HirKind::Concat(parts) => {
            let (at, inner) = parts.iter().enumerate().find_map(|(at, part)| Some((at, split(part)?)))?;
            let with = |one: Hir| {
                let part =
                    |(index, part): (usize, &Hir)| if index == at { one.clone() } else { part.clone() };
                Hir::concat(parts.iter().enumerate().map(part).collect())
            };
            Some(inner.into_iter().map(with).collect())
        }
        _ => None,
    }
}

/// The words of a pattern of alternatives.
pub(crate) struct Words {
    pub(crate) words: Vec<String>,
    /// Whether they are whole texts: `^(a|b)$`, and not `a|b`.
    pub(crate) is_whole: bool,
}

/// The words of `^(a|b)$` and of `a|b`.
pub(crate) fn words(pattern: &str) -> Option<Words> {
    let anchored = pattern.strip_prefix("^(").and_then(|rest| rest.strip_suffix(")$"));
    let inner = anchored.map(|inner| inner.strip_prefix("?:").unwrap_or(inner)).unwrap_or(pattern);
    let is_word =
        |text: &&str| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let words: Vec<&str> = inner.split('|').collect();
    let words = Some(words).filter(|words| words.iter().all(is_word))?;
    Some(Words { words: words.into_iter().map(str::to_owned).collect(), is_whole: anchored.is_some() })
}
