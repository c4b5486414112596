//! Low-level conditions with the meaning of a guard (W0665): `tool_input.command starts_with 'git push'` is meant as
//! `runs('git push')`, which sees every spelling, every tool and every agent.
//!
//! Only hooks that deny or ask are looked at, and only tests that must be true; the whole condition, or the largest
//! part of it that has such a meaning, is reported once.

mod command;
mod commands;
mod files;
mod lines;
mod meaning;
mod texts;
mod views;
mod words;
mod written;

use std::collections::HashSet;

use hookc_schema::diag::Fix;
use hookc_schema::tree::{Cond, CondKind, Family, Hook, Op, Policy, SharedId};
use hookc_schema::vocab::{ToolField, Vocabulary};
use hookc_schema::{Code, Diagnostic, Diagnostics, Sources, Span};

pub(crate) use command::object_of;
use meaning::Meaning;
pub(crate) use words::alternatives;

use super::verdict::Verdict;

/// The most conditions of a policy that are reported.
const REPORTED: usize = 64;

/// Reports the conditions of policies that a guard should replace.
pub(crate) fn lint(policies: &[Policy], vocabulary: &Vocabulary, sources: &Sources, out: &mut Diagnostics) {
    let already: HashSet<Span> = out.iter().filter_map(Diagnostic::span).collect();
    for policy in policies {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        for hook in &policy.hooks {
            let Some(cond) = hook.condition.as_ref().filter(|_| guards_tools(hook, vocabulary)) else {
                continue;
            };
            if found.len() >= REPORTED || !is_new(cond, &mut seen) {
                continue;
            }
            let start = found.len();
            find(cond, &mut found);
            for one in found.iter_mut().skip(start) {
                one.is_fixable &= has_effects(hook, vocabulary);
                // A declared tool does what its declaration says.
                one.meaning.is_certain &= policy.declarations.tools.is_none();
            }
        }
        let new = found.iter().take(REPORTED).filter(|one| !already.contains(&one.span));
        new.map(|one| one.report(sources)).for_each(|new| out.push(new));
    }
}

/// Whether a hook denies, or asks, what a tool may do.
fn guards_tools(hook: &Hook, vocabulary: &Vocabulary) -> bool {
    let events = hook.events.iter().filter_map(|event| vocabulary.event(hook.family, &event.node));
    let mut of_agents = events.filter(|event| event.family == Family::Agent);
    Verdict::from_kind(&hook.action.kind.node).restricts()
        && of_agents.any(|event| event.schema.property("tool_input").is_some())
}

/// Whether each event of a hook has effects, so that a guard is valid there.
fn has_effects(hook: &Hook, vocabulary: &Vocabulary) -> bool {
    hook.events.iter().all(|event| {
        let event = vocabulary.event(hook.family, &event.node);
        event.is_none_or(|event| event.has_tool(ToolField::Input))
    })
}

/// Whether hooks before have not shared the condition.
fn is_new(cond: &Cond, seen: &mut HashSet<SharedId>) -> bool {
    cond.shared().is_none_or(|id| seen.insert(id))
}

/// A condition with the meaning of a guard.
struct Found {
    span: Span,
    meaning: Meaning,
    /// Whether the tests of the tool in the same condition would still narrow the guard.
    keeps_tool: bool,
    /// Whether it is joined with other conditions.
    is_part: bool,
    /// Whether the guard is valid in the place of the condition.
    is_fixable: bool,
}

impl Found {
    fn report(&self, sources: &Sources) -> Diagnostic {
        let guard = self.meaning.text(self.is_part);
        let new =
            Diagnostic::new(Code::W0665, self.span, "a guard says this for every spelling and every tool");
        let new = new.with_label("a test of one spelling");
        let remove = if self.keeps_tool { ", without the test of `tool_name`" } else { "" };
        let known = self.meaning.unknown_program.as_ref();
        let only_if = known.map_or_else(String::new, |name| format!(" if `{name}` is a program"));
        let new = new.help(format!("write `{guard}`{remove}{only_if}"));
        let mut new = match &self.meaning.similar {
            Some(flags) => new.note(format!("it has other flags too: `{flags}`")),
            None => new,
        };
        if !self.keeps_tool
            && self.is_fixable
            && self.meaning.is_whole
            && let Some(text) = written::replacement(sources, self.span, &self.meaning, self.is_part)
        {
            let is_safe = self.meaning.is_certain;
            new.fix = Some(if is_safe { Fix::certain(self.span, text) } else { Fix::new(self.span, text) });
        }
        new
    }
}

/// Finds the largest parts of a condition that have the meaning of a guard. The recursion depth is the nesting of the
/// condition.
fn find(cond: &Cond, found: &mut Vec<Found>) {
    let is_shared = cond.shared().is_some();
    if let Some(meaning) = meaning(cond, None) {
        let meaning = if is_shared { meaning.doubtful() } else { meaning };
        let (keeps_tool, is_part, is_fixable) = (false, false, true);
        return found.push(Found { span: cond.span, meaning, keeps_tool, is_part, is_fixable });
    }
    let start = found.len();
    match &cond.kind {
        CondKind::All(parts) => joined(parts, found),
        CondKind::Any(parts) => parts.iter().for_each(|part| find(part, found)),
        CondKind::Const(_)
        | CondKind::Not(_)
        | CondKind::Leaf(_)
        | CondKind::Quantified(_)
        | CondKind::Predicate(_)
        | CondKind::Formerly(_) => {}
    }
    for one in found.iter_mut().skip(start) {
        one.is_part = true;
        // Another hook may use the condition for something else than a denial.
        one.meaning.is_certain &= !is_shared;
    }
}

/// Parts that are joined with `and`. A test of the tool goes with the only part that has a meaning.
fn joined(parts: &[Cond], found: &mut Vec<Found>) {
    let tool = parts.iter().position(|part| tools(part).is_some());
    let named = tool.and_then(|at| parts.get(at)).and_then(tools);
    let (tools, is_exact) = named.map_or((None, false), |(tools, is_exact)| (Some(tools), is_exact));
    let is_other = |at: usize| Some(at) != tool;
    let meant: Vec<(usize, Meaning)> = parts
        .iter()
        .enumerate()
        .filter(|(at, _)| is_other(*at))
        .filter_map(|(at, part)| Some((at, meaning(part, tools.as_deref())?)))
        .map(|(at, meaning)| (at, if is_exact { meaning } else { meaning.doubtful() }))
        .collect();
    let (is_only, count) = (meant.len() == 1, parts.len());
    for (at, meaning) in meant {
        let Some(part) = parts.get(at) else { continue };
        let next_to = tool.filter(|tool| is_only && tool.abs_diff(at) == 1).and_then(|tool| parts.get(tool));
        let span = next_to.map_or(part.span, |tool| tool.span.to(part.span));
        let keeps_tool = tool.is_some() && next_to.is_none() && !meaning.is_about_commands();
        found.push(Found { span, meaning, keeps_tool, is_part: count > 1, is_fixable: true });
    }
    for (at, part) in parts.iter().enumerate() {
        let has_meaning = meaning(part, tools.as_deref()).is_some();
        if is_other(at) && !has_meaning {
            find(part, found);
        }
    }
}

/// What a condition means, if it is a guard; `tools` are the tools that a test next to it names. The recursion depth is
/// the nesting of the condition.
fn meaning(cond: &Cond, tools: Option<&[String]>) -> Option<Meaning> {
    match &cond.kind {
        CondKind::Leaf(leaf) => {
            let found = lines::meaning(leaf, tools).or_else(|| commands::of_path(leaf, tools));
            let found = found.or_else(|| files::meaning(leaf, tools)).or_else(|| texts::meaning(leaf, tools));
            found.or_else(|| views::meaning(leaf))
        }
        CondKind::Quantified(inner) => commands::meaning(inner, tools).or_else(|| views::of_each(inner)),
        CondKind::Any(parts) => {
            let parts: Option<Vec<Meaning>> = parts.iter().map(|part| meaning(part, tools)).collect();
            parts?.into_iter().reduce(Meaning::or)
        }
        CondKind::All(parts) => {
            let named = parts.iter().find_map(self::tools);
            let mut others = parts.iter().filter(|part| self::tools(part).is_none());
            let (only, None) = (others.next()?, others.next()) else { return None };
            let Some((named, is_exact)) = named else { return meaning(only, tools) };
            let meaning = meaning(only, Some(&named))?;
            Some(if is_exact { meaning } else { meaning.doubtful() })
        }
        CondKind::Const(_) | CondKind::Not(_) | CondKind::Predicate(_) | CondKind::Formerly(_) => None,
    }
}

/// The tools that a test of `tool_name` names, and whether it is true of no other tool.
fn tools(cond: &Cond) -> Option<(Vec<String>, bool)> {
    let CondKind::Leaf(leaf) = &cond.kind else { return None };
    if !leaf.path.is_field("tool_name") {
        return None;
    }
    let is_cased = leaf.ignore_case.is_none();
    Some(match leaf.op.node {
        Op::Eq | Op::In => (leaf.texts().map(|(_, text)| text.to_owned()).collect(), is_cased),
        Op::Regex => {
            let (names, is_exact) = leaf.right.text().and_then(words::alternatives).unwrap_or_default();
            (names, is_exact && is_cased)
        }
        // Tools that are not known here: nothing has a meaning for them.
        _ => (Vec::new(), false),
    })
}
