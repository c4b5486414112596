//! The checker: names and types of one policy against the vocabulary. What is doubtful is a lint (`lint`).
//!
//! A hook is checked in two steps. Everything independent of the event (operators and their values,
//! patterns, the action's kind and parameters, templates) is checked once; paths and field types
//! are resolved once per event type, because the event's schema defines the fields.
//!
//! Cost: linear in the policy. Event types and patterns are looked up once per
//! name, suggestions have a budget.

mod action;
mod answer;
mod argv;
mod because;
mod children;
mod comparison;
mod cond;
pub(crate) mod effects;
pub(crate) mod event;
mod history;
mod hook;
pub(crate) mod hosts;
mod leaf;
mod members;
mod param;
mod path;
mod pattern;
mod programs;
mod quantified;
mod query;
mod range;
mod rewrite;
mod shared;
mod template;
mod tool_names;
mod typed;
mod undeclared;
pub(crate) mod value;
mod view;

pub use crate::hosts::Hosts;
pub use hosts::unsupported;
pub use query::filters as path;

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use foldhash::{HashMap, HashSet};
use hookc_schema::tree::{Family, Layer, Leaf, Op, Policy};
use hookc_schema::vocab::{Vocabulary, declared_strategies};
use hookc_schema::{Code, Diagnostic, Diagnostics, Span};
use hookc_shell::programs::Programs;
use hookc_syntax::pattern::LiteralTest;

pub(crate) use effects::shipped_scope;
pub use effects::tool_roles;

use crate::ir::{Checked, LowCond};
use crate::limits;
use crate::lint::{self, SharedFacts};
use crate::names::Suggester;
use crate::schema::Graph;
use crate::tools;

/// Checks one policy. Hooks with errors are omitted from the result.
pub fn check(
    policy: &Policy,
    layer: Option<Layer>,
    vocabulary: &Arc<Vocabulary>,
    out: &mut Diagnostics,
) -> Checked {
    let in_templates = history::in_templates(policy);
    let mut cx = Cx::new(vocabulary, out);
    cx.effects = effects::Declared::new(&policy.declarations, cx.out);
    let wrappers = programs::wrappers(&vocabulary.wrappers, cx.out);
    let described = programs::described(policy.declarations.programs.as_ref(), cx.out);
    cx.programs = programs::of_file(&wrappers, &described);
    cx.own_names = event::has_own_names(policy);
    cx.history.add_templates(&in_templates);
    history::check_facts(policy, &mut cx);
    let hooks = policy.hooks.iter().filter_map(|hook| hook::check(hook, layer, &mut cx)).collect();
    history::report_unused(policy, &mut cx);
    cx.events.report_spellings(cx.out);
    let strategies = declared_strategies(&policy.declarations);
    Checked { hooks, strategies, wrappers, programs: described, ..Checked::default() }
}

/// The state of checking one policy.
struct Cx<'a> {
    vocabulary: &'a Vocabulary,
    out: &'a mut Diagnostics,
    events: event::Scopes<'a>,
    patterns: pattern::Known<'a>,
    /// By leaf, the schema of its `matches`.
    schemas: HashMap<*const Leaf, Arc<Graph>>,
    near: Suggester,
    /// By code, where it was reported before this check.
    earlier: HashMap<Code, HashSet<Span>>,
    /// Bytes that hooks can still repeat for further events.
    copies: usize,
    /// The declared tools.
    tools: tools::Table<'a>,
    /// The condition of the current hook, or those of the current fact.
    conditions: tool_names::Conditions<'a>,
    /// What was meant by names of tools.
    tool_names: tool_names::Memo,
    /// What lints about tools know about shared conditions.
    tool_lints: lint::tools::Known,
    /// What the condition of the current hook determines about the tool.
    narrowed: tools::Narrowed,
    /// The possible tools at the current position.
    here: tools::ToolSet,
    /// The condition of the current hook at the current event.
    lowered: Option<LowCond>,
    /// The paths that the condition of the current hook compares with absolute names of files.
    absolute: BTreeSet<String>,
    /// Their values and fingerprints, for lints.
    facts: SharedFacts,
    /// The conditions that several hooks share.
    shared: shared::SharedConds,
    /// The names of quantifiers around the current position, the innermost last.
    bound: Vec<quantified::BoundName>,
    /// What the current position decides.
    polarity: view::Polarity,
    /// Diagnostics that are reported once, for any number of events of a hook.
    reported: HashSet<(Code, Span)>,
    /// What is said about fields that events do not declare.
    undeclared: undeclared::Known,
    tails: path::Tails,
    /// What the policy declares about effects.
    effects: effects::Declared,
    /// The programs of the policy, and the shipped ones.
    programs: Programs,
    /// The hooks are those of an agent's own settings file.
    own_names: bool,
    /// The vocabulary in which the names of events of the current hook are looked up first.
    hook_family: Family,
    /// The facts of the policy.
    history: history::Facts<'a>,
    /// The current position is in a `where`.
    in_where: bool,
}

impl<'a> Cx<'a> {
    fn new(vocabulary: &'a Vocabulary, out: &'a mut Diagnostics) -> Self {
        let near = Suggester { left: hookc_syntax::limits::SUGGESTIONS };
        let (events, patterns) = (event::Scopes::default(), pattern::Known::default());
        Self {
            vocabulary,
            out,
            events,
            patterns,
            schemas: HashMap::default(),
            near,
            earlier: HashMap::default(),
            copies: limits::EVENT_COPIES,
            tools: tools::Table::new(&vocabulary.tools),
            conditions: tool_names::Conditions::default(),
            tool_names: tool_names::Memo::default(),
            tool_lints: lint::tools::Known::default(),
            narrowed: tools::Narrowed::default(),
            here: tools::ToolSet::ALL,
            lowered: None,
            absolute: BTreeSet::new(),
            facts: SharedFacts::default(),
            shared: shared::SharedConds::default(),
            effects: effects::Declared::default(),
            programs: Programs::SHIPPED,
            bound: Vec::new(),
            polarity: view::Polarity::default(),
            reported: HashSet::default(),
            undeclared: undeclared::Known::default(),
            tails: path::Tails::default(),
            own_names: false,
            hook_family: Family::Thread,
            history: history::Facts::default(),
            in_where: false,
        }
    }

    /// Reports a diagnostic that does not depend on the event.
    fn report_once(&mut self, new: Diagnostic) {
        if new.span().is_none_or(|span| self.reported.insert((new.code, span))) {
            self.report(new);
        }
    }

    /// Reports an error once and returns `None`.
    fn fail<T>(&mut self, new: Diagnostic) -> Option<T> {
        self.report_once(new);
        None
    }

    /// Reports those of a list, each once.
    fn report_all_once(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        found.into_iter().for_each(|new| self.report_once(new));
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.out.push(diagnostic);
    }

    /// The plain text that the regular expression of a leaf is.
    fn plain(&self, leaf: &'a Leaf) -> Option<Rc<LiteralTest>> {
        let (_, pattern) = leaf.texts().next().filter(|_| leaf.op.node == Op::Regex)?;
        self.patterns.get(&(pattern, leaf.case()))?.plain.clone()
    }

    /// Whether a front end has already reported the matcher at the span of a diagnostic.
    fn reported_matcher(&mut self, new: &Diagnostic) -> bool {
        new.span().is_some_and(|span| self.was_reported(Code::W0237, span))
    }

    /// Whether a code was reported at `span` before this check.
    fn was_reported(&mut self, code: Code, span: Span) -> bool {
        let out = &self.out;
        let spans = || out.iter().filter(|found| found.code == code).filter_map(Diagnostic::span).collect();
        self.earlier.entry(code).or_insert_with(spans).contains(&span)
    }
}
