//! The plan: slots, constants, predicates and conditions, each once.
//!
//! Paths become slots of a trie, literals constants by exact value, leaves predicates, and
//! conditions a graph in which equal parts are shared. Nothing is converted to disjunctive normal
//! form, so the plan is never larger than the source. The meaning of conditions does not change:
//! only constants are folded, short nested groups of one kind flattened, duplicates and double negations
//! removed. The source order is kept, so that the deciding leaf can be reported as written.

mod actions;
mod conds;
mod effects;
mod finish;
mod fold;
mod history;
mod ids;
mod model;
mod paths;
mod pool;
mod preds;
mod print;
pub mod query;
mod reads;
mod schema;
mod simple_schema;
pub(crate) mod size;
mod text;

pub use history::{Cell, Compared, Recall, RecallKind, Tie, TieValue, Watch};
pub use ids::{
    ActionId, BoundId, CheckId, CondId, ConstId, EffectId, ListId, NodeId, PatternId, PredId, QueryId,
    RecallId, SchemaId, ScopeId, SlotId, StrId, TemplateId, TieId,
};
pub use model::{
    Action, Bound, Check, Cond, Constant, Effect, Event, Hook, Left, Merged, Param, Plan, Pred, Right, Scope,
    Template, TrieNode, TrieStep, View, ViewSource, Wrapper,
};
pub use print::print;
pub use schema::SchemaRule;

pub(crate) use history::kind_text;
pub(crate) use print::types;
pub(crate) use text::{infix, shorthand};

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;
use hookc_schema::tree::{self, Family};
use hookc_schema::vocab::Strategy;
use hookc_schema::{Diagnostic, Diagnostics};
use hookc_shell::programs::{Described, Programs};
use indexmap::IndexMap;

use crate::fault::Faults;
use crate::ir::Nodes;
use crate::link::{Linked, LinkedEvent, LinkedHook};

/// Makes the plan of linked hooks. Errors are reported; the plan is then only for display. Linear
/// in the source, except for sorting the constants.
pub fn plan(linked: &Linked, out: &mut Diagnostics) -> Plan {
    let mut builder = Builder::default();
    builder.type_paths();
    builder.monitors = history::Monitors::collect(linked);
    for (at, event) in with_observed(linked, &builder.monitors).iter().enumerate() {
        let drafts = builder.monitors.watches_of(event.family, &event.name);
        let (reads::Lists { reads, whole, views }, hooks) = builder.event(at, event, &drafts);
        let watches: Vec<Watch> = drafts.iter().filter_map(|draft| builder.watch(draft)).collect();
        out.extend(history::over_limit(&event.name, &drafts, &watches));
        let name = builder.pool.string(&event.name);
        let (family, strategy) = (event.family, event.strategy);
        builder.events.push(Event { family, name, strategy, reads, whole, views, hooks, watches });
    }
    builder.declare(&linked.programs);
    out.append(&mut builder.problems);
    out.append(&mut builder.pool.problems);
    match builder.finish() {
        Ok(plan) => {
            out.extend(size::over_limit(size::bound(&plan)).or_else(|| size::too_many(&plan)));
            plan
        }
        Err(fault) => {
            out.push(fault.diagnostic());
            Plan::default()
        }
    }
}

/// The event types with hooks, and those that are only recorded, ascending by family and name.
fn with_observed<'l>(linked: &'l Linked, monitors: &history::Monitors) -> Vec<Cow<'l, LinkedEvent>> {
    let mut events: Vec<Cow<'l, LinkedEvent>> = linked.events.iter().map(Cow::Borrowed).collect();
    let known: HashSet<(Family, &str)> =
        linked.events.iter().map(|event| (event.family, event.name.as_str())).collect();
    for (family, name) in monitors.observed().filter(|event| !known.contains(event)) {
        // Without hooks, nothing is combined.
        let (strategy, hooks) = (Strategy::All, Vec::new());
        events.push(Cow::Owned(LinkedEvent { family, name: name.to_owned(), strategy, hooks }));
    }
    events.sort_by(|a, b| (a.family, &a.name).cmp(&(b.family, &b.name)));
    events
}

/// The plan of a single path: its query has the last number, and the only event type, which has no
/// hooks, reads the path. `event` leads to the event from the root.
///
/// # Errors
/// If a literal of the path is not a constant of a module; the first such error.
pub(crate) fn of_nodes(
    nodes: &Nodes,
    event: &[tree::Step],
    programs: &Programs,
) -> Result<Plan, Box<Diagnostic>> {
    let mut builder = Builder::default();
    builder.type_paths();
    let mut reads = reads::Reads::new(0);
    builder.paths.event = builder.paths.walk(NodeId(0), event, &mut builder.pool);
    reads.nodes(nodes, &mut builder);
    builder.nodes(nodes);
    builder.declare(programs);
    let reads::Lists { reads, whole, views } = reads.finish(&mut builder.lists);
    let (family, strategy) = (Family::Thread, Strategy::First);
    let name = builder.pool.string("");
    builder.events.push(Event {
        family,
        name,
        strategy,
        reads,
        whole,
        views,
        hooks: Vec::new(),
        watches: Vec::new(),
    });
    let mut problems = std::mem::take(&mut builder.pool.problems).into_iter();
    match problems.next() {
        Some(problem) => Err(Box::new(problem)),
        None => builder.finish().map_err(|fault| Box::new(fault.diagnostic())),
    }
}

/// A plan under construction.
#[derive(Debug, Default)]
struct Builder {
    pool: pool::Pool,
    paths: paths::Paths,
    schemas: schema::Schemas,
    queries: pool::Unique<query::Query>,
    bounds: pool::Unique<Bound>,
    effects: pool::Unique<Effect>,
    ties: pool::Unique<Tie>,
    recalls: pool::Unique<Recall>,
    monitors: history::Monitors,
    preds: pool::Unique<Pred>,
    conds: pool::Unique<Cond>,
    templates: pool::Unique<Template>,
    checks: pool::Unique<Check>,
    actions: pool::Unique<Action>,
    events: Vec<Event>,
    wrappers: Vec<Wrapper>,
    programs: Vec<Described>,
    /// An action has a permission rule.
    has_rules: bool,
    constants: fold::Constants,
    /// Conditions that several hooks share.
    shared: IndexMap<tree::SharedId, CondId, RandomState>,
    /// Marks of [`reads`].
    marks: reads::LastReads,
    /// What event types read, by their conditions.
    read: HashMap<reads::Key, reads::Lists>,
    /// Equal lists of different event types are one.
    lists: reads::Interned,
    problems: Diagnostics,
    faults: Faults,
}

impl Builder {
    /// Adds the programs of policies, which only views, effects and permission rules need.
    fn declare(&mut self, programs: &Programs) {
        if !self.paths.has_views() && !self.has_rules && self.paths.scopes.is_empty() {
            return;
        }
        self.programs = programs.described().to_vec();
        for wrapper in programs.wrappers() {
            let name = self.pool.string(&wrapper.name);
            let mut options: Vec<StrId> =
                wrapper.options.iter().map(|option| self.pool.string(option)).collect();
            options.sort_unstable();
            self.wrappers.push(Wrapper { name, options, operands: wrapper.operands });
        }
    }

    /// What an event type reads, and its hooks. Types with the same conditions, and without
    /// templates, share their lists.
    fn event(
        &mut self,
        at: usize,
        event: &LinkedEvent,
        watches: &[history::WatchDraft],
    ) -> (reads::Lists, Vec<Hook>) {
        let key = reads::key(event).filter(|_| watches.is_empty());
        if let Some(known) = key.as_ref().and_then(|key| self.read.get(key)).cloned() {
            return (known, event.hooks.iter().map(|hook| self.hook(hook)).collect());
        }
        let mut reads = reads::Reads::new(at);
        reads.type_paths(self);
        let mut hooks = Vec::with_capacity(event.hooks.len());
        for hook in &event.hooks {
            reads.condition(&hook.cond, self);
            reads.action(&hook.action, self);
            self.problems.extend(reads.over_limit(hook.span));
            hooks.push(self.hook(hook));
        }
        for watch in watches.iter().filter_map(history::WatchDraft::source) {
            reads.watch(watch, self);
            self.problems.extend(reads.over_limit(watch.span));
        }
        let lists = reads.finish(&mut self.lists);
        self.read.extend(key.map(|key| (key, lists.clone())));
        (lists, hooks)
    }

    fn hook(&mut self, hook: &LinkedHook) -> Hook {
        Hook {
            label: hook.label.clone(),
            span: hook.span,
            layer: hook.layer,
            mode: hook.mode,
            on_error: hook.on_error,
            on_failure: hook.on_failure,
            cond: self.condition(&hook.cond),
            action: self.action(&hook.action),
        }
    }
}
