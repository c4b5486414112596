//! The result of the checker: hooks with resolved names and typed values. Spans refer to the
//! source.

mod history;

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use hookc_base::text::Case;
use hookc_schema::tree::{Family, Layer, Mode, OnError, OnFailure, Op, Query, SharedId, Step};
use hookc_schema::value::{Number, Value};
use hookc_schema::vocab::{EventType, ParamType, Strategy, Wrapper};
use hookc_schema::{Span, Spanned};
use hookc_shell::programs::Described;
use hookc_syntax::expr::print;

use crate::schema::Graph;

pub use history::{
    Excluded, Monitor, PastRelation, PastRight, PastTest, RecallText, RecallValue, TiedMonitor, Watch,
};

/// The hooks of one source, in order of writing, disabled ones included
/// (linking needs them).
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// The hooks.
    pub hooks: Vec<CheckedHook>,
    /// The event types that the file itself declares with a strategy.
    pub strategies: Vec<(Family, Spanned<String>, Strategy)>,
    /// The programs that the file declares as wrappers.
    pub wrappers: Vec<Wrapper>,
    /// The programs that the file describes.
    pub programs: Vec<DescribedProgram>,
    /// Whether these are the shipped hooks, which are farther than every layer of the user. The
    /// pipeline sets this; the checker does not know.
    pub shipped: bool,
    /// Which policies it belongs together with: those of one number share their ids. The
    /// pipeline says so.
    pub group: usize,
}

/// A program that a file describes.
#[derive(Clone, Debug)]
pub struct DescribedProgram {
    /// Its name, and what the file says about it.
    pub described: Described,
    /// All of its names.
    pub names: Vec<String>,
    /// How many regexes its row has.
    pub regexes: usize,
    /// Its key in the file.
    pub span: Span,
}

/// A checked hook.
#[derive(Clone, Debug)]
pub struct CheckedHook {
    /// The whole hook in its source.
    pub span: Span,
    /// Its explicit id.
    pub id: Option<Spanned<String>>,
    /// Its layer.
    pub layer: Layer,
    /// Its priority.
    pub priority: Number,
    /// Whether it is enabled.
    pub enabled: bool,
    /// Its mode.
    pub mode: Mode,
    /// On its action's error.
    pub on_error: Option<OnError>,
    /// On failure.
    pub on_failure: Option<OnFailure>,
    /// One entry per event name: paths resolve per event type.
    pub events: Vec<CheckedEvent>,
}

/// A hook lowered for one of its events.
#[derive(Clone, Debug)]
pub struct CheckedEvent {
    /// The event's vocabulary.
    pub family: Family,
    /// The event's name, where the hook names it.
    pub name: Spanned<String>,
    /// The declared type, if anyone declared it.
    pub declared: Option<Arc<EventType>>,
    /// The condition; `LowCond::Const(true)` if absent.
    pub cond: LowCond,
    /// The value that the condition certainly has at every event.
    pub certain: Option<bool>,
    /// A hash of the condition, without its spans.
    pub print: u64,
    /// The action.
    pub action: CheckedAction,
}

/// A condition with typed leaves. Spans are kept for lints. As in the tree, a clone shares the
/// contents.
#[derive(Clone, Debug)]
pub enum LowCond {
    /// `true`, `false`
    Const(bool),
    /// All are true.
    All(Arc<[LowCond]>),
    /// One is true.
    Any(Arc<[LowCond]>),
    /// It is false.
    Not(Arc<LowCond>),
    /// A test.
    Test(Arc<Spanned<Test>>),
    /// A condition that is true for one of some nodes.
    Some(Arc<Spanned<Quantified>>),
    /// A predicate about effects.
    Effects(Arc<Spanned<EffectTest>>),
    /// A test of the history.
    Past(Arc<Spanned<PastTest>>),
}

impl LowCond {
    /// The identity of its contents, if other conditions share them.
    #[must_use]
    pub fn shared(&self) -> Option<SharedId> {
        match self {
            Self::Const(_) => None,
            Self::All(parts) | Self::Any(parts) => SharedId::from_arc(parts),
            Self::Not(part) => SharedId::from_arc(part),
            Self::Test(test) => SharedId::from_arc(test),
            Self::Some(some) => SharedId::from_arc(some),
            Self::Effects(effects) => SharedId::from_arc(effects),
            Self::Past(past) => SharedId::from_arc(past),
        }
    }
}

impl PartialEq for LowCond {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Const(a), Self::Const(b)) => a == b,
            (Self::All(a), Self::All(b)) | (Self::Any(a), Self::Any(b)) => Arc::ptr_eq(a, b) || a == b,
            (Self::Not(a), Self::Not(b)) => Arc::ptr_eq(a, b) || a == b,
            (Self::Test(a), Self::Test(b)) => Arc::ptr_eq(a, b) || a == b,
            (Self::Some(a), Self::Some(b)) => Arc::ptr_eq(a, b) || a == b,
            (Self::Effects(a), Self::Effects(b)) => Arc::ptr_eq(a, b) || a == b,
            (Self::Past(a), Self::Past(b)) => Arc::ptr_eq(a, b) || a == b,
            _ => false,
        }
    }
}

/// The nodes of a quantifier and its condition. `every` has become `Not` of `Some` of `Not`.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantified {
    /// The nodes, or the value whose children they are.
    pub path: ReadPath,
    /// Whether the nodes are the children of the value at `path`.
    pub children: bool,
    /// The condition.
    pub cond: LowCond,
}

/// A predicate about what an event does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EffectTest {
    /// Its bytes, with the sets of its policy that it names.
    pub predicate: Arc<[u8]>,
    /// Where the actions of the event come from.
    pub scope: Arc<ActionScope>,
}

/// Where the actions of an event come from.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ActionScope {
    /// The field with the input of a tool; `None` if the fields of the event itself have roles.
    pub input: Option<&'static str>,
    /// The bytes of the roles of inputs by tool.
    pub tools: Arc<[u8]>,
    /// The directory of the project that the policy states.
    pub project: Option<String>,
}

impl ActionScope {
    /// The paths that it reads: the input, and what else determines the actions, if it is about a tool.
    #[must_use]
    pub fn paths(&self) -> ScopePaths {
        let field = |name: &str| ReadPath::Merged(Arc::new([Step::Name(name.to_owned())]));
        ScopePaths {
            input: self.input.map_or_else(|| ReadPath::Plain(Arc::new([])), field),
            tool: self.input.map(|_| field("tool_name")),
            host_tool: self.input.map(|_| field("host_tool_name")),
            cwd: field("cwd"),
            project: self.project.is_none().then(|| field("project_dir")),
        }
    }
}

/// The paths that determine the actions of an event.
#[derive(Clone, Debug, PartialEq)]
pub struct ScopePaths {
    /// The input, which is used as a whole.
    pub input: ReadPath,
    /// The name of the tool.
    pub tool: Option<ReadPath>,
    /// The name that the agent has for the tool.
    pub host_tool: Option<ReadPath>,
    /// The working directory.
    pub cwd: ReadPath,
    /// The project.
    pub project: Option<ReadPath>,
}

/// A leaf. `ne` and `exists: false` have become `Not` of `eq` and `exists`.
#[derive(Clone, Debug)]
pub struct Test {
    /// The operand that it reads.
    pub path: ReadPath,
    /// Any operator but `ne`.
    pub op: Op,
    /// The right operand.
    pub right: TestRight,
    /// `ignore_case`
    pub case: Case,
    /// Whether the declaration of the path excludes lists. It is no part of the meaning.
    pub never_list: bool,
}

impl Test {
    /// The paths that it reads: its operand, and its right operand.
    pub fn paths(&self) -> impl Iterator<Item = &ReadPath> {
        let right = match &self.right {
            TestRight::Path(path) => Some(path),
            TestRight::None | TestRight::Value(_) | TestRight::Schema(_) => None,
        };
        std::iter::once(&self.path).chain(right)
    }

    /// The values of the history that it reads.
    pub fn recalls(&self) -> impl Iterator<Item = &RecallValue> {
        self.paths().filter_map(|path| match path {
            ReadPath::Recall(read) => Some(&**read),
            _ => None,
        })
    }
}

impl PartialEq for Test {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path && self.op == other.op && self.right == other.right && self.case == other.case
    }
}

impl Hash for Test {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.path, self.op, &self.right, self.case).hash(state);
    }
}

/// The right operand of a [`Test`].
#[derive(Clone, Debug, PartialEq, Hash)]
pub enum TestRight {
    /// `exists`
    None,
    /// A literal of a type that the operator accepts.
    Value(Arc<Value>),
    /// The value at a path.
    Path(ReadPath),
    /// The schema of `matches`.
    Schema(Arc<Graph>),
}

/// A path, resolved for one event type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ReadPath {
    /// From the event's root.
    Plain(Arc<[Step]>),
    /// A merged field: `f...` of the root, otherwise of `event`. The first step is the name `f`.
    Merged(Arc<[Step]>),
    /// Into a view that is made with the declarations of the policy: of what the event does, or of the path of a file if
    /// the policy states its project.
    Declared(Arc<ActionScope>, Box<ReadPath>),
    /// A path that can select several values.
    Nodes(Box<Nodes>),
    /// From a node that a quantifier binds: the number of quantifiers between this path and that one,
    /// and the steps from the node.
    Bound(usize, Arc<[Step]>),
    /// A value of the history.
    Recall(Arc<RecallValue>),
}

impl ReadPath {
    /// Its steps; none of a path that can select several values.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        match self {
            Self::Plain(steps) | Self::Merged(steps) | Self::Bound(_, steps) => steps,
            Self::Declared(_, inner) => inner.steps(),
            Self::Nodes(_) | Self::Recall(_) => &[],
        }
    }

    /// The path with further steps; `None` for one that can select several values.
    #[must_use]
    pub fn below(self, further: &[Step]) -> Option<Self> {
        let longer = |steps: &[Step]| steps.iter().chain(further).cloned().collect();
        Some(match self {
            Self::Plain(steps) => Self::Plain(longer(&steps)),
            Self::Merged(steps) => Self::Merged(longer(&steps)),
            Self::Bound(up, steps) => Self::Bound(up, longer(&steps)),
            Self::Declared(scope, inner) => Self::Declared(scope, Box::new(inner.below(further)?)),
            Self::Nodes(_) | Self::Recall(_) => return None,
        })
    }
}

/// A path from the event's root that can select several values.
#[derive(Clone, Debug)]
pub struct Nodes {
    /// Its printed form; with equal starts, equal texts are equal queries.
    text: String,
    start: Box<ReadPath>,
    rest: Query,
}

impl Nodes {
    /// The path of a query.
    #[must_use]
    pub fn new(query: &Query) -> Self {
        let (steps, rest) = query.prefix();
        Self::below(ReadPath::Plain(steps.into()), Query { segments: rest.to_vec() })
    }

    /// What `rest` selects from the value at `start`.
    #[must_use]
    pub fn below(start: ReadPath, rest: Query) -> Self {
        Self { text: print::nodes(start.steps(), &rest), start: Box::new(start), rest }
    }

    /// The path of the value that its query starts at: the longest that selects at most one.
    #[must_use]
    pub fn start(&self) -> &ReadPath {
        &self.start
    }

    /// The query from there.
    #[must_use]
    pub fn rest(&self) -> &Query {
        &self.rest
    }

    /// Its printed form.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl PartialEq for Nodes {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && self.start == other.start
    }
}

impl Eq for Nodes {}

impl Hash for Nodes {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl PartialOrd for Nodes {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Nodes {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text.cmp(&other.text).then_with(|| self.start.cmp(&other.start))
    }
}

/// An action with checked parameters and defaults.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct CheckedAction {
    /// The kind.
    pub kind: String,
    /// Parameters, in RFC 8785 key order.
    pub params: Vec<(String, CheckedParam)>,
}

/// A checked parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedParam {
    /// Its value.
    pub value: Rendered,
    /// Its declared type; it matters at run time only if `value` has a slot.
    pub declared: Option<Box<ParamType>>,
}

impl Hash for CheckedParam {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value.hash(state);
    }
}

/// A predicate that can make a condition true.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// It did if this is true.
    pub when: LowCond,
    /// The predicate.
    pub effect: Arc<Spanned<EffectTest>>,
}

impl Hash for Reason {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.effect.hash(state);
    }
}

/// A value with holes.
#[derive(Clone, Debug, PartialEq, Hash)]
pub enum Rendered {
    /// No hole in it.
    Const(Value),
    /// The value at a path, typed, or the default for absent and null; for a path that can select
    /// several values, the list of nodes, or the default for none.
    Slot(ReadPath, Option<Value>),
    /// What made the condition of the hook true: the first of these predicates whose `when` is true.
    Because(Arc<[Reason]>),
    /// Text with holes: `Const` strings, `Slot`s and `Because`.
    Text(Vec<Rendered>),
    /// An array with holes.
    Seq(Vec<Rendered>),
    /// An object with holes, in RFC 8785 key order.
    Map(Vec<(String, Rendered)>),
}
