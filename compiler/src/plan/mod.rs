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
pub use print::print;
pub use schema::SchemaRule;

pub(crate) use history::kind_text;
pub(crate) use print::types;
pub(crate) use text::{infix, shorthand};

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use foldhash::fast::RandomState;
use hookc_base::ConstTag;
use hookc_schema::tree::{self, Family, Layer, Mode, OnError, OnFailure, ViewKind};
use hookc_schema::vocab::Strategy;
use hookc_schema::{Diagnostic, Diagnostics, Span};
use hookc_shell::programs::{Described, Programs};
use hookc_vm::format::op::Op;
use indexmap::IndexMap;

use crate::fault::Faults;
use crate::ir::Nodes;
use crate::link::{Linked, LinkedEvent, LinkedHook};

/// The input of code generation. Every table contains a row once; an id is a row's number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// The texts of everything below but labels.
    pub strings: Vec<String>,
    /// Constants, ascending in the order of the module.
    pub consts: Vec<Constant>,
    /// Lists of constants, each ascending and without repeats.
    pub lists: Vec<Vec<ConstId>>,
    /// Regular expressions.
    pub patterns: Vec<StrId>,
    /// The path trie; row 0 is the event's root, children have higher numbers.
    pub nodes: Vec<TrieNode>,
    /// The slots of the trie: the node that each captures. The first three are
    /// `event.type`, `hook_event_name`, `event_type`.
    pub slots: Vec<NodeId>,
    /// The slots of merged fields, numbered after those of the trie.
    pub derived: Vec<Merged>,
    /// Command lines that are read as parts of the event, ascending by node.
    pub views: Vec<View>,
    /// The programs that policies declare as wrappers, ascending by name; none without views, effects
    /// and permission rules.
    pub wrappers: Vec<Wrapper>,
    /// The programs that policies describe, ascending by name; none without views, effects and permission rules.
    pub programs: Vec<Described>,
    /// JSON Schemas: rules, each keyword at most once, in the order of the
    /// table. Schemas of one value have lower numbers than what applies them.
    pub schemas: Vec<Vec<SchemaRule>>,
    /// Queries; those in filters have lower numbers.
    pub queries: Vec<query::Query>,
    /// Nodes that quantifiers bind, and values below them.
    pub bounds: Vec<Bound>,
    /// Predicates about effects.
    pub effects: Vec<Effect>,
    /// Where the actions of events come from.
    pub scopes: Vec<Scope>,
    /// Values of events that are compared or kept together.
    pub ties: Vec<Tie>,
    /// Monitors of the history, ascending by identity.
    pub cells: Vec<Cell>,
    /// What policies call the patterns of monitors that use facts, ascending by monitor.
    pub cell_names: Vec<(usize, String)>,
    /// Reads of the history; those that others refer to have lower numbers.
    pub recalls: Vec<Recall>,
    /// Predicates; those about nodes, and in the conditions of quantifiers, have lower numbers.
    pub preds: Vec<Pred>,
    /// Conditions; operands have lower numbers.
    pub conds: Vec<Cond>,
    /// Template nodes; children have lower numbers.
    pub templates: Vec<Template>,
    /// Checks of rendered parameters.
    pub checks: Vec<Check>,
    /// Actions.
    pub actions: Vec<Action>,
    /// Event types, ascending by family and name.
    pub events: Vec<Event>,
}

/// A constant: `text` is a number's canonical text, a string, or a container
/// as canonical compact JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Constant {
    /// Its kind.
    pub kind: ConstTag,
    /// See above; `None` for null and booleans.
    pub text: Option<StrId>,
}

/// A step of the trie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TrieStep {
    /// A member.
    Name(StrId),
    /// An element, negative from the end.
    Index(i64),
    /// The view of the text here.
    View(ViewKind),
    /// The view of the path of a file here, in a project that the policy states.
    FileIn(StrId),
    /// The view of what the event does.
    Effects(ScopeId),
}

impl TrieStep {
    /// Whether it leads to a view.
    #[must_use]
    pub const fn is_view(self) -> bool {
        self.kind().is_some()
    }

    /// The view that it leads to.
    #[must_use]
    pub const fn kind(self) -> Option<ViewKind> {
        match self {
            Self::View(kind) => Some(kind),
            Self::FileIn(_) => Some(ViewKind::File),
            Self::Effects(_) => Some(ViewKind::Effects),
            Self::Name(_) | Self::Index(_) => None,
        }
    }
}

/// What is made of the event and read as a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// What it shows.
    pub kind: ViewKind,
    /// What it is made of.
    pub source: ViewSource,
    /// The slot of the working directory, if it is of a text.
    pub cwd: Option<SlotId>,
    /// The slot of the tool's name, which decides how a command line is read.
    pub tool: Option<SlotId>,
    /// The slot of the project's directory, which decides whether a file is inside.
    pub project: Option<SlotId>,
    /// The directory of the project that the policy states.
    pub stated: Option<StrId>,
    /// The root of the view.
    pub node: NodeId,
}

/// What a view is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewSource {
    /// The text in a slot of the trie.
    Text(SlotId),
    /// What the event does.
    Effects(ScopeId),
}

/// A program that policies declare as a wrapper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrapper {
    /// Its name.
    pub name: StrId,
    /// Its options whose value is the next word, ascending.
    pub options: Vec<StrId>,
    /// Its operands before the command.
    pub operands: usize,
}

/// A node of the trie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrieNode {
    /// Its parent and the step from there; `None` for the root.
    pub parent: Option<(NodeId, TrieStep)>,
    /// The slot that captures the value here.
    pub slot: Option<SlotId>,
}

/// The slots of a merged field `f...`: `root` if `guard` is present, otherwise `nested`. All three
/// are in the trie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Merged {
    /// The root member `f`.
    pub guard: SlotId,
    /// `f...`
    pub root: SlotId,
    /// `event.f...`
    pub nested: SlotId,
}

/// A predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pred {
    /// The test.
    pub op: Op,
    /// The operand.
    pub left: Left,
    /// Against what.
    pub right: Right,
}

/// Nodes relative to a bound node, or the nodes of a quantifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bound {
    /// The number of quantifiers between it and the one that binds its start; `None`: it starts at
    /// the slot of the query.
    pub up: Option<u32>,
    /// The query.
    pub query: QueryId,
}

/// A predicate about effects.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Effect {
    /// Its bytes.
    pub predicate: Arc<[u8]>,
    /// Where the actions of the event come from.
    pub scope: ScopeId,
}

/// Where the actions of an event come from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scope {
    /// The slot of the input.
    pub input: SlotId,
    /// The slot of the tool's name.
    pub tool: Option<SlotId>,
    /// The slot of the name that the agent has for the tool.
    pub host_tool: Option<SlotId>,
    /// The slot of the working directory.
    pub cwd: SlotId,
    /// The slot of the project.
    pub project: Option<SlotId>,
    /// The project that the policy states.
    pub stated: Option<StrId>,
    /// The bytes of the roles of inputs.
    pub tools: Arc<[u8]>,
}

/// The first operand of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Left {
    /// The value of a slot.
    Slot(SlotId),
    /// The current node.
    Node,
    /// The nodes of a query.
    Query(QueryId),
    /// The nodes of a quantifier, or a value below a bound node.
    Bound(BoundId),
    /// What the event does.
    Effect(EffectId),
    /// A read of the history.
    Recall(RecallId),
    /// A predicate that reads values of the history.
    Pred(PredId),
}

/// The second operand of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Right {
    None,
    Const(ConstId),
    List(ListId),
    Pattern(PatternId),
    Schema(SchemaId),
    Slot(SlotId),
    Pred(PredId),
    Bound(BoundId),
    Cond(CondId),
    Recall(RecallId),
}

/// A condition. A constant is never an operand; groups have at least two different conditions, none
/// of them a short group of the group's own kind; `Not` is never nested.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Cond {
    Const(bool),
    Pred(PredId),
    Not(CondId),
    All(Vec<CondId>),
    Any(Vec<CondId>),
}

/// A template node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Template {
    /// A constant.
    Const(ConstId),
    /// The value of a slot, or the constant for absent and null.
    Slot(SlotId, Option<ConstId>),
    /// A value of the history, or the constant for absent and null.
    Recall(RecallId, Option<ConstId>),
    /// The list of the nodes of a query, or the constant for none.
    Nodes(QueryId, Option<ConstId>),
    /// What made the condition of the hook true: the first predicate whose condition is true.
    Because(Vec<(CondId, EffectId)>),
    /// The texts of string constants, slots and reasons in a row.
    Text(Vec<TemplateId>),
    /// An array.
    Array(Vec<TemplateId>),
    /// An object, keys in RFC 8785 order.
    Object(Vec<(StrId, TemplateId)>),
}

/// The type check of a rendered parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Check {
    /// Bits by type; 0 any.
    pub types: u8,
    /// Allowed values.
    pub allowed: Option<ListId>,
    /// Least number.
    pub minimum: Option<ConstId>,
}

/// An action.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Action {
    /// Its kind.
    pub kind: StrId,
    /// Its parameters, keys in RFC 8785 order.
    pub params: Vec<Param>,
}

/// A parameter of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Param {
    /// Its name.
    pub key: StrId,
    /// Its value.
    pub value: TemplateId,
    /// The type check of the value, if it is rendered.
    pub check: Option<CheckId>,
}

/// An event type.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its vocabulary.
    pub family: Family,
    /// Its name.
    pub name: StrId,
    /// How its hooks combine.
    pub strategy: Strategy,
    /// Trie nodes whose members must be unique, ascending.
    pub reads: Arc<[NodeId]>,
    /// Trie slots whose values must have unique keys, ascending.
    pub whole: Arc<[SlotId]>,
    /// The numbers of the views that its hooks read, ascending.
    pub views: Arc<[usize]>,
    /// By rank.
    pub hooks: Vec<Hook>,
    /// What is recorded of its events.
    pub watches: Vec<Watch>,
}

/// A hook at its rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Hook {
    /// Its id or label.
    pub label: String,
    /// Its source location.
    pub span: Span,
    /// Its layer.
    pub layer: Layer,
    /// Its mode.
    pub mode: Mode,
    /// On its action's error.
    pub on_error: Option<OnError>,
    /// On failure.
    pub on_failure: Option<OnFailure>,
    /// Its condition.
    pub cond: CondId,
    /// Its action.
    pub action: ActionId,
}

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

impl Plan {
    /// Whether a node of the trie is in a view.
    pub(crate) fn is_in_view(&self, node: NodeId) -> bool {
        let mut at = node;
        while let Some((parent, step)) = self.nodes.get(at.index()).and_then(|node| node.parent) {
            if step.is_view() {
                return true;
            }
            at = parent;
        }
        false
    }

    /// A string of the plan, for people and for sorting; empty for an id that is not of it.
    #[must_use]
    pub fn string(&self, id: StrId) -> &str {
        self.strings.get(id.index()).map_or("", String::as_str)
    }
}
