//! The tables of a plan. Every table contains a row once; an id is a row's number.

use std::sync::Arc;

use hookc_base::ConstTag;
use hookc_schema::Span;
use hookc_schema::tree::{Family, Layer, Mode, OnError, OnFailure, ViewKind};
use hookc_schema::vocab::Strategy;
use hookc_shell::programs::Described;
use hookc_vm::format::op::Op;

use super::{
    ActionId, BoundId, Cell, CheckId, CondId, ConstId, EffectId, ListId, NodeId, PatternId, PredId, QueryId,
    Recall, RecallId, SchemaId, SchemaRule, ScopeId, SlotId, StrId, TemplateId, Tie, Watch, query,
};

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
