//! The printer of the typed tree (`compile --emit tree`): indented text of everything with a
//! meaning and without spans, so that two notations of one policy print alike. Explicit defaults
//! print like absent ones; members of objects and parameters of actions are in RFC 8785 key order;
//! numbers have their canonical text.

mod history;
mod json;
mod path;

pub use history::extent;
pub use json::{json, string};
pub use path::{path, query, steps};

use std::fmt::Write;

use super::{
    Action, Cond, CondKind, Declarations, Guard, Hook, Leaf, Mode, Op, Pattern, Policy, Predicate, Right,
    Section, Skill,
};
use crate::value::{Kind, Number};

/// The tree as indented text, each line ending in a newline.
#[must_use]
pub fn policy(policy: &Policy) -> String {
    let mut out = Printer::default();
    out.line(0, "policy");
    if let Some(version) = &policy.schema_version {
        out.line(1, &format!("schema_version {}", string(&version.node)));
    }
    out.declarations(&policy.declarations);
    out.skill(policy.skill.as_ref());
    for fact in &policy.facts {
        out.fact(fact);
    }
    for hook in &policy.hooks {
        out.hook(hook);
    }
    out.text
}

/// One hook of the tree.
#[must_use]
pub fn hook(hook: &Hook) -> String {
    let mut out = Printer::default();
    out.hook(hook);
    out.text
}

/// One condition of the tree.
#[must_use]
pub fn condition(cond: &Cond) -> String {
    let mut out = Printer::default();
    out.cond(0, cond);
    out.text
}

/// A leaf on one line: `path op value`.
#[must_use]
pub fn leaf(leaf: &Leaf) -> String {
    let mut text = format!("{} {}", path(&leaf.path), leaf.op.node.name());
    match &leaf.right {
        Right::None => {}
        Right::Value(value) if leaf.op.node == Op::Exists && value.kind == Kind::Bool(true) => {}
        Right::Value(value) => text += &format!(" {}", json(value)),
        Right::Path(right) => text += &format!(" {}", path(right)),
    }
    if leaf.ignore_case.is_some() {
        text += " ignore_case";
    }
    if leaf.assert_format.is_some() {
        text += " assert_format";
    }
    text
}

#[derive(Default)]
struct Printer {
    text: String,
}

impl Printer {
    fn line(&mut self, depth: usize, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", depth * 2);
    }

    fn declarations(&mut self, declarations: &Declarations) {
        for (name, value) in declarations.sections() {
            self.line(1, &format!("{name} {}", json(value)));
        }
    }

    fn skill(&mut self, skill: Option<&Skill>) {
        let Some(skill) = skill else { return };
        self.line(1, &format!("skill {}", string(&skill.name.node)));
        if let Some(description) = &skill.description {
            self.line(2, &format!("description {}", string(&description.node)));
        }
        if let Some(trigger) = &skill.trigger {
            self.line(2, &format!("trigger {}", string(&trigger.node)));
        }
    }

    fn hook(&mut self, hook: &Hook) {
        match &hook.id {
            Some(id) => self.line(1, &format!("hook {}", string(&id.node))),
            None => self.line(1, "hook"),
        }
        let names: Vec<String> = hook.events.iter().map(|event| string(&event.node)).collect();
        self.line(2, &format!("event {} {}", hook.family.name(), names.join(" ")));
        if hook.section == Section::Builtin {
            self.line(2, "section builtin");
        }
        self.settings(hook);
        if let Some(cond) = &hook.condition {
            self.line(2, "condition");
            self.cond(3, cond);
        }
        self.action(&hook.action);
        self.rest(hook);
    }

    fn settings(&mut self, hook: &Hook) {
        let zero = Number("0".to_owned());
        if let Some(priority) = hook.priority.as_ref().filter(|p| p.node.compare(&zero).is_ne()) {
            self.line(2, &format!("priority {}", priority.node.text()));
        }
        if hook.enabled.is_some_and(|enabled| !enabled.node) {
            self.line(2, "enabled false");
        }
        if let Some(mode) = hook.mode.filter(|mode| mode.node != Mode::Enforce) {
            self.line(2, &format!("mode {}", mode.node.name()));
        }
    }

    fn rest(&mut self, hook: &Hook) {
        if let Some(on_error) = hook.on_error {
            self.line(2, &format!("on_error {}", on_error.node.name()));
        }
        if let Some(on_failure) = hook.on_failure {
            self.line(2, &format!("on_failure {}", on_failure.node.name()));
        }
        if let Some(description) = &hook.description {
            self.line(2, &format!("description {}", string(&description.node)));
        }
        for example in &hook.examples {
            let word = if example.matches { "matches" } else { "does not match" };
            let at = |at: &Option<crate::Spanned<String>>| {
                at.as_ref().map(|at| format!(" at {}", string(&at.node))).unwrap_or_default()
            };
            self.line(2, &format!("example {word}{} {}", at(&example.at), json(&example.event)));
            for earlier in &example.history {
                let outcome = earlier.outcome.map(|it| format!(" outcome {}", it.node.name()));
                let outcome = outcome.unwrap_or_default();
                self.line(4, &format!("after{}{outcome} {}", at(&earlier.at), json(&earlier.event)));
            }
        }
        for effect in &hook.effects {
            let detail = effect.detail.as_ref().map(|detail| format!(" {}", json(detail)));
            self.line(2, &format!("effect {}{}", string(&effect.name.node), detail.unwrap_or_default()));
        }
    }

    fn action(&mut self, action: &Action) {
        let literal = if action.templates { "" } else { " literal" };
        self.line(2, &format!("action {}{literal}", string(&action.kind.node)));
        let mut params: Vec<_> = action.params.iter().collect();
        params.sort_by(|(a, _), (b, _)| hookc_base::json::key_order(&a.node, &b.node));
        for (name, value) in params {
            self.line(3, &format!("{} {}", string(&name.node), json(value)));
        }
    }

    fn cond(&mut self, depth: usize, cond: &Cond) {
        let mut several = |word: &str, inner: &[Cond]| {
            self.line(depth, word);
            inner.iter().for_each(|cond| self.cond(depth + 1, cond));
        };
        match &cond.kind {
            CondKind::Const(value) => self.line(depth, if *value { "true" } else { "false" }),
            CondKind::All(inner) => several("all", inner),
            CondKind::Any(inner) => several("any", inner),
            CondKind::Not(inner) => several("not", std::slice::from_ref(inner)),
            CondKind::Leaf(inner) => self.line(depth, &leaf(inner)),
            CondKind::Quantified(inner) => {
                let (word, name) = (inner.quantifier.name(), string(&inner.name.node));
                self.line(depth, &format!("{word} {name} in {}", path(&inner.path)));
                self.cond(depth + 1, &inner.cond);
            }
            CondKind::Predicate(predicate) => self.predicate(depth, predicate),
            CondKind::Formerly(selection) => self.formerly(depth, selection),
        }
    }

    fn predicate(&mut self, depth: usize, predicate: &Predicate) {
        let Predicate::Only(guards) = predicate else { return self.line(depth, &predicate_line(predicate)) };
        self.line(depth, predicate.name());
        guards.iter().for_each(|guard| self.line(depth + 1, &self::guard(guard)));
    }
}

/// A predicate on one line: `reads "src/**"`, `only(reads, writes)`.
fn predicate_line(predicate: &Predicate) -> String {
    let name = predicate.name();
    match predicate {
        Predicate::Guard(guard) => self::guard(guard),
        Predicate::Only(guards) => {
            let guards: Vec<String> = guards.iter().map(self::guard).collect();
            format!("{name}({})", guards.join(", "))
        }
        Predicate::Unknown => name.to_owned(),
        Predicate::Mentions(of) | Predicate::Passed(of) => format!("{name}{}", patterns("", of)),
    }
}

/// A guard on one line: `reads "src/**" except "x"`.
fn guard(guard: &Guard) -> String {
    let lists = guard.lists().map(|(word, list)| patterns(word, list));
    format!("{}{}", guard.name().as_str(), lists.concat())
}

fn patterns(word: &str, list: &[Pattern]) -> String {
    let before = if word.is_empty() || list.is_empty() { String::new() } else { format!(" {word}") };
    let texts = list.iter().map(|pattern| format!(" {}", string(&pattern.node.value)));
    texts.fold(before, |all, text| all + &text)
}
