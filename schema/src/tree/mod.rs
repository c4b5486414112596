//! The typed tree: the result of reading any dialect and the input of every later stage. It does
//! not record its notation. Equality ignores spans.

mod history;
mod op;
mod path;
mod predicate;
pub mod print;
mod visit;
mod walk;

pub use history::{
    DurationUnit, EventPattern, Extent, Fact, FactPattern, OutcomeWord, PartitionKey, Recall, RecallOperator,
    Recorded, Selection,
};
pub use hookc_base::{Family, Layer, Mode, OnError, OnFailure, Verb, ViewKind};
pub use op::Op;
pub use path::{
    Comparable, CompareOp, Filter, Function, Path, PathKind, Query, Segment, Selector, Step, View,
};
pub use predicate::{Guard, Pattern, Predicate, PredicateName};
pub use visit::Part;
pub use walk::{CondPart, Demand, Fold};

use std::sync::Arc;

use hookc_base::action;
use hookc_base::text::Case;

use crate::span::{SourceId, Span, Spanned};
use crate::value::{Kind, Member, Number, Value};

/// The content of one source.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// The source.
    pub source: Spanned<()>,
    /// `schema_version`, as written.
    pub schema_version: Option<Spanned<String>>,
    /// The hooks in order of writing.
    pub hooks: Vec<Hook>,
    /// The declarations of the file.
    pub declarations: Declarations,
    /// `facts:`, in order of writing.
    pub facts: Vec<Fact>,
    /// The skill that the source is, if it is one.
    pub skill: Option<Skill>,
    /// The name of the agent that reads the source, if its location determines one.
    pub agent: Option<&'static str>,
}

/// The metadata of a skill.
#[derive(Clone, Debug, PartialEq)]
pub struct Skill {
    /// `name`, or the name derived from its path.
    pub name: Spanned<String>,
    /// `description`
    pub description: Option<Spanned<String>>,
    /// `trigger`, a slash command: `/name`.
    pub trigger: Option<Spanned<String>>,
    /// The keys of other programs, such as `allowed-tools`.
    pub others: Vec<Member>,
    /// The text below the front matter.
    pub body: Spanned<String>,
    /// The source's name, with `/`.
    pub path: String,
}

/// The declarations of a hooks file as written; the vocabulary loader interprets them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Declarations {
    /// `events:`
    pub events: Option<Value>,
    /// `operators:`
    pub operators: Option<Value>,
    /// `combinators:`
    pub combinators: Option<Value>,
    /// `action_types:`
    pub action_types: Option<Value>,
    /// `event_context_schema:`
    pub event_context_schema: Option<Value>,
    /// `return_schema:`
    pub return_schema: Option<Value>,
    /// `wrappers:`
    pub wrappers: Option<Value>,
    /// `programs:`
    pub programs: Option<Value>,
    /// `sets:`
    pub sets: Option<Value>,
    /// `tools:`
    pub tools: Option<Value>,
    /// `project:`
    pub project: Option<Value>,
}

/// One rule: at these events, under this condition, this action.
#[derive(Clone, Debug, PartialEq)]
pub struct Hook {
    /// The whole hook.
    pub span: UncomparedSpan,
    /// `id`
    pub id: Option<Spanned<String>>,
    /// `event`: at least one name.
    pub events: Vec<Spanned<String>>,
    /// The event names are looked up here first.
    pub family: Family,
    /// The list that contains it: `hooks:` or `builtin_hooks:`.
    pub section: Section,
    /// `priority`, 0 when absent.
    pub priority: Option<Spanned<Number>>,
    /// `enabled`, true when absent.
    pub enabled: Option<Spanned<bool>>,
    /// `mode`, enforce when absent.
    pub mode: Option<Spanned<Mode>>,
    /// `condition` and `when` together (`all: [condition, when]` when both
    /// are there); `None`: always.
    pub condition: Option<Cond>,
    /// `action`
    pub action: Action,
    /// `on_error`
    pub on_error: Option<Spanned<OnError>>,
    /// `on_failure`
    pub on_failure: Option<Spanned<OnFailure>>,
    /// `description`
    pub description: Option<Spanned<String>>,
    /// `examples`, shape checked, events as written.
    pub examples: Vec<Example>,
    /// `effects`: the effects that the hook declares.
    pub effects: Vec<Effect>,
}

/// A description of an effect for people: listed, never executed.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// The effect.
    pub name: Spanned<String>,
    /// Its target, if given.
    pub detail: Option<Value>,
}

/// A span that equality ignores.
#[derive(Clone, Copy, Debug, Default)]
pub struct UncomparedSpan(pub Span);

impl PartialEq for UncomparedSpan {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// An inline example of a hook.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// The event.
    pub event: Value,
    /// Whether the hook's condition must be true.
    pub matches: bool,
    /// The events before it, in order.
    pub history: Vec<EarlierEvent>,
    /// When it happens: a second after the event before it if absent.
    pub at: Option<Spanned<String>>,
}

/// An event before that of an [`Example`].
#[derive(Clone, Debug, PartialEq)]
pub struct EarlierEvent {
    /// The event, with its type.
    pub event: Value,
    /// When it happened: a second after the event before it if absent.
    pub at: Option<Spanned<String>>,
    /// What became of it: what the hooks decide if absent.
    pub outcome: Option<Spanned<Recorded>>,
}

impl Example {
    /// An event without others before it.
    #[must_use]
    pub fn new(event: Value, matches: bool) -> Self {
        Self { event, matches, history: Vec::new(), at: None }
    }
}

/// The section of a file that contains a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// `hooks:`; the layer is the file's.
    Hooks,
    /// `builtin_hooks:`; layer builtin.
    Builtin,
}

/// A condition. A clone shares the contents: hooks with the same condition, such as the handlers of
/// a group, have it once.
#[derive(Clone, Debug)]
pub struct Cond {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: CondKind,
}

impl PartialEq for Cond {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl Cond {
    /// The identity of its contents, if other conditions share them: what is done once for each
    /// identity is linear in the source, however many hooks have the condition.
    #[must_use]
    pub fn shared(&self) -> Option<SharedId> {
        match &self.kind {
            CondKind::Const(_) => None,
            CondKind::All(parts) | CondKind::Any(parts) => SharedId::from_arc(parts),
            CondKind::Not(part) => SharedId::from_arc(part),
            CondKind::Leaf(leaf) => SharedId::from_arc(leaf),
            CondKind::Quantified(inner) => SharedId::from_arc(inner),
            CondKind::Predicate(predicate) => SharedId::from_arc(predicate),
            CondKind::Formerly(selection) => SharedId::from_arc(selection),
        }
    }
}

/// The identity of contents with several owners. It is valid as long as one of them lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SharedId(*const ());

impl SharedId {
    /// The identity of what `owned` points to; `None` if it has no other owner.
    #[must_use]
    pub fn from_arc<T: ?Sized>(owned: &Arc<T>) -> Option<Self> {
        (Arc::strong_count(owned) > 1).then(|| Self(Arc::as_ptr(owned).cast()))
    }
}

/// The kinds of a [`Cond`].
#[derive(Clone, Debug, PartialEq)]
pub enum CondKind {
    /// `true`, `false`
    Const(bool),
    /// `all: [...]`; empty: true.
    All(Arc<[Cond]>),
    /// `any: [...]`; empty: false.
    Any(Arc<[Cond]>),
    /// `not: c`
    Not(Arc<Cond>),
    /// A test of one path.
    Leaf(Arc<Leaf>),
    /// `some: {as: x, in: path, condition: c}`, `every: ...`
    Quantified(Arc<Quantified>),
    /// `reads(...)`, `only(...)`, `unknown()`: a test of what the event does.
    Predicate(Arc<Predicate>),
    /// `formerly(...)`: an earlier event is in the selection.
    Formerly(Arc<Selection>),
}

/// A condition about the nodes of a path. In it, a path in the shorthand whose first step is the
/// name starts at the node.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantified {
    /// For which nodes it must be true.
    pub quantifier: Quantifier,
    /// The name of the node.
    pub name: Spanned<String>,
    /// The nodes; of a path that selects at most one value, the children of that value.
    pub path: Path,
    /// The condition.
    pub cond: Cond,
}

hookc_base::named_enums! {
    /// For which nodes a condition must be true.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Quantifier name {
        /// `some`: one at least.
        Some "some";
        /// `every`: all of them.
        Every "every";
    }
}

impl Quantifier {
    /// The quantifier of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.name() == name)
    }
}

/// `{path, op, value}` or `{path, op, value_path}`.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf {
    /// The path, parsed.
    pub path: Path,
    /// The operator.
    pub op: Spanned<Op>,
    /// The right operand.
    pub right: Right,
    /// `ignore_case: true`, where it was written; `false` is dropped.
    pub ignore_case: Option<Spanned<()>>,
    /// `assert_format: true`.
    pub assert_format: Option<Spanned<()>>,
}

impl Leaf {
    /// Whether letters of another case are equal.
    #[must_use]
    pub const fn case(&self) -> Case {
        Case::ignored_if(self.ignore_case.is_some())
    }

    /// The texts that it compares with, each with its value.
    pub fn texts(&self) -> impl Iterator<Item = (&Value, &str)> {
        let items: &[Value] = match &self.right {
            Right::Value(value) => match &value.kind {
                Kind::Seq(items) if matches!(self.op.node, Op::In | Op::Glob) => items,
                Kind::Str(_) => std::slice::from_ref(&**value),
                _ => &[],
            },
            Right::None | Right::Path(_) => &[],
        };
        items.iter().filter_map(|value| Some((value, value.as_str()?)))
    }

    /// The path of its right operand.
    #[must_use]
    pub const fn right_path(&self) -> Option<&Path> {
        match &self.right {
            Right::Path(path) => Some(path),
            Right::None | Right::Value(_) => None,
        }
    }
}

/// The right operand of a leaf.
#[derive(Clone, Debug, PartialEq)]
pub enum Right {
    /// No operand (`exists`).
    None,
    /// A literal. The checked hook shares it.
    Value(Arc<Value>),
    /// The value at a path.
    Path(Path),
}

/// The action of a hook.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// The whole action.
    pub span: UncomparedSpan,
    /// `type`
    pub kind: Spanned<String>,
    /// The other keys in source order. Strings are templates if the dialect has templates.
    pub params: Vec<(Spanned<String>, Value)>,
    /// Whether strings of `params` are templates.
    pub templates: bool,
}

impl Declarations {
    /// The sections that were written, by name.
    pub fn sections(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        let sections = [
            ("events", &self.events),
            ("operators", &self.operators),
            ("combinators", &self.combinators),
            ("action_types", &self.action_types),
            ("event_context_schema", &self.event_context_schema),
            ("return_schema", &self.return_schema),
            ("wrappers", &self.wrappers),
            ("programs", &self.programs),
            ("sets", &self.sets),
            ("tools", &self.tools),
            ("project", &self.project),
        ];
        sections.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?)))
    }
}

impl Action {
    /// Its kind, if it is one of the built-in vocabulary.
    #[must_use]
    pub fn known(&self) -> Option<action::Kind> {
        action::Kind::parse(&self.kind.node)
    }

    /// Whether it is of this kind.
    #[must_use]
    pub fn is(&self, kind: action::Kind) -> bool {
        self.known() == Some(kind)
    }

    /// The parameter of that name.
    #[must_use]
    pub fn param(&self, name: &str) -> Option<&Value> {
        self.params.iter().find(|(key, _)| key.node == name).map(|(_, value)| value)
    }
}

impl Hook {
    /// The parameter of its action of that name.
    #[must_use]
    pub fn param(&self, name: &str) -> Option<&Value> {
        self.action.param(name)
    }

    /// Whether its decisions count: it is enabled, and not in a mode that only observes.
    #[must_use]
    pub fn decides(&self) -> bool {
        self.is_enabled() && self.enforces()
    }

    /// Whether its mode is to enforce.
    #[must_use]
    pub fn enforces(&self) -> bool {
        self.mode.is_none_or(|mode| mode.node == Mode::Enforce)
    }

    /// Whether it is enabled.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        self.enabled.is_none_or(|enabled| enabled.node)
    }

    /// Creates a hook of these events with an action and nothing else.
    #[must_use]
    pub fn new(span: Span, events: Vec<Spanned<String>>, family: Family, action: Action) -> Self {
        Self {
            span: UncomparedSpan(span),
            id: None,
            events,
            family,
            section: Section::Hooks,
            priority: None,
            enabled: None,
            mode: None,
            condition: None,
            action,
            on_error: None,
            on_failure: None,
            description: None,
            examples: Vec::new(),
            effects: Vec::new(),
        }
    }
}

impl Policy {
    /// A policy without hooks.
    #[must_use]
    pub fn empty(source: SourceId) -> Self {
        Self {
            source: Spanned::new((), Span { source, start: 0, end: 0 }),
            schema_version: None,
            hooks: Vec::new(),
            declarations: Declarations::default(),
            facts: Vec::new(),
            skill: None,
            agent: None,
        }
    }
}
