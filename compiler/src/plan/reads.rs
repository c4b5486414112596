//! What the hooks of an event type read, whatever the results of their conditions: a duplicate key
//! there is an error of the event.

use std::collections::{BTreeSet, HashSet};
use std::hash::Hash;
use std::sync::Arc;

use hookc_schema::tree::{Op, Part, SharedId, Step, ViewKind};
use hookc_schema::value::{Kind, Value};
use hookc_schema::{Code, Diagnostic, Span};
use hookc_vm::limits::EVENT_VIEWS;

use super::paths::PathNodes;
use super::{Builder, NodeId, SlotId};
use crate::ir::{
    ActionScope, CheckedAction, LowCond, Nodes, ReadPath, Rendered, ScopePaths, Test, TestRight, Watch,
};
use crate::link::{LinkedEvent, LinkedHook};

/// What an event type reads: nodes, slots used whole, and views, all ascending.
#[derive(Clone, Debug)]
pub(super) struct Lists {
    pub(super) reads: Arc<[NodeId]>,
    pub(super) whole: Arc<[SlotId]>,
    pub(super) views: Arc<[usize]>,
}

/// The lists of all event types, each once.
#[derive(Debug, Default)]
pub(super) struct Interned {
    reads: HashSet<Arc<[NodeId]>>,
    whole: HashSet<Arc<[SlotId]>>,
    views: HashSet<Arc<[usize]>>,
}

fn intern<T: Eq + Hash>(known: &mut HashSet<Arc<[T]>>, list: Vec<T>) -> Arc<[T]> {
    if let Some(known) = known.get(list.as_slice()) {
        return Arc::clone(known);
    }
    let list: Arc<[T]> = list.into();
    known.insert(Arc::clone(&list));
    list
}

/// The conditions of an event type, `None` for a constant.
pub(super) type Key = Vec<Option<SharedId>>;

/// What determines the lists of an event type; `None` if a condition is not shared, or an action may
/// have a template.
pub(super) fn key(event: &LinkedEvent) -> Option<Key> {
    let constant = |action: &CheckedAction| {
        action.params.iter().all(|(_, param)| matches!(param.value, Rendered::Const(_)))
    };
    let one = |hook: &LinkedHook| match (&hook.cond, constant(&hook.action)) {
        (LowCond::Const(_), true) => Some(None),
        (cond, true) => cond.shared().map(Some),
        (_, false) => None,
    };
    event.hooks.iter().map(one).collect()
}

/// By node and by slot: the last event, plus one, that read it.
#[derive(Debug, Default)]
pub(super) struct LastReads {
    nodes: Vec<usize>,
    slots: Vec<usize>,
}

/// The reads of one event type.
#[derive(Debug)]
pub(super) struct Reads {
    stamp: usize,
    nodes: Vec<NodeId>,
    whole: Vec<SlotId>,
    views: BTreeSet<usize>,
    /// Shared conditions that have been read.
    shared: HashSet<SharedId>,
    /// Whether the limit of views has been reported.
    reported: bool,
}

impl Reads {
    /// Of the event type number `event`.
    pub(super) fn new(event: usize) -> Self {
        let (nodes, whole, views) = (Vec::new(), Vec::new(), BTreeSet::new());
        Self { stamp: event + 1, nodes, whole, views, shared: HashSet::new(), reported: false }
    }

    /// Every event type reads its type.
    pub(super) fn type_paths(&mut self, builder: &mut Builder) {
        for node in builder.type_places() {
            self.node(node, builder);
        }
    }

    /// Every leaf of a condition, before folding.
    pub(super) fn condition(&mut self, cond: &LowCond, builder: &mut Builder) {
        if cond.shared().is_some_and(|id| !self.shared.insert(id)) {
            return;
        }
        match cond {
            LowCond::Const(_) => {}
            LowCond::All(conds) | LowCond::Any(conds) => {
                conds.iter().for_each(|cond| self.condition(cond, builder));
            }
            LowCond::Not(cond) => self.condition(cond, builder),
            LowCond::Test(test) => self.test(&test.node, builder),
            LowCond::Some(some) => {
                self.path(&some.node.path, true, builder);
                self.condition(&some.node.cond, builder);
            }
            LowCond::Effects(test) => self.actions(&test.node.scope, builder),
            // What is compared is hashed as a whole.
            LowCond::Past(past) => past.node.paths().for_each(|path| self.path(path, true, builder)),
        }
    }

    /// What is recorded of an event.
    pub(super) fn watch(&mut self, watch: &Watch, builder: &mut Builder) {
        self.condition(&watch.cond, builder);
        for excluded in &watch.excluded {
            self.condition(&excluded.cond, builder);
            excluded.keys.iter().for_each(|path| self.path(path, true, builder));
        }
        watch.keys.iter().chain(&watch.values).for_each(|path| self.path(path, true, builder));
    }

    /// What the actions of an event come from.
    fn actions(&mut self, scope: &ActionScope, builder: &mut Builder) {
        let ScopePaths { input, tool, host_tool, cwd, project } = scope.paths();
        self.path(&input, true, builder);
        for path in [tool, host_tool, Some(cwd), project].into_iter().flatten() {
            self.path(&path, false, builder);
        }
    }

    fn test(&mut self, test: &Test, builder: &mut Builder) {
        let whole = whole(test);
        test.paths().for_each(|path| self.path(path, whole, builder));
    }

    /// Every template of an action.
    pub(super) fn action(&mut self, action: &CheckedAction, builder: &mut Builder) {
        action.params.iter().for_each(|(_, param)| self.rendered(&param.value, builder));
    }

    fn rendered(&mut self, value: &Rendered, builder: &mut Builder) {
        match value {
            // The condition of the hook reads what a reason does.
            Rendered::Const(_) | Rendered::Because(_) => {}
            Rendered::Slot(path, _) => self.path(path, true, builder),
            Rendered::Text(parts) | Rendered::Seq(parts) => {
                parts.iter().for_each(|part| self.rendered(part, builder));
            }
            Rendered::Map(members) => members.iter().for_each(|(_, value)| self.rendered(value, builder)),
        }
    }

    fn path(&mut self, path: &ReadPath, whole: bool, builder: &mut Builder) {
        if let ReadPath::Nodes(nodes) = path {
            return self.nodes(nodes, builder);
        }
        if let ReadPath::Declared(scope, inner) = path
            && inner.steps().first() == Some(&Step::View(ViewKind::Effects))
        {
            self.actions(scope, builder);
        }
        if let ReadPath::Recall(recall) = path {
            return recall.paths().for_each(|path| self.path(path, true, builder));
        }
        // Its quantifier uses the node as a whole.
        if let ReadPath::Bound(..) = path {
            return;
        }
        let place = builder.paths.locate(path, &mut builder.pool);
        let values = match place {
            PathNodes::Plain(node) => [node, node],
            PathNodes::Merged([_, root, nested]) => [root, nested],
        };
        for node in values {
            self.node(node, builder);
            if whole {
                self.slot(node, builder);
            }
        }
    }

    /// A query and those in its filters use their start value as a whole.
    pub(super) fn nodes(&mut self, nodes: &Nodes, builder: &mut Builder) {
        self.path(nodes.start(), true, builder);
        let mut from_root = Vec::new();
        nodes.rest().parts(&mut |part| {
            if let Part::Query(true, query) = part {
                from_root.push(query);
            }
        });
        for query in from_root {
            let prefix = ReadPath::Plain(query.prefix().0.into());
            self.path(&prefix, true, builder);
        }
    }

    /// A node and all its ancestors: if one of their members is a duplicate, so are the values
    /// below.
    fn node(&mut self, node: NodeId, builder: &mut Builder) {
        if let Some(view) = builder.paths.view_of(node) {
            return self.view(view, builder);
        }
        builder.marks.nodes.resize(builder.paths.nodes.len(), 0);
        let mut at = Some(node);
        while let Some(node) = at {
            let row = builder.paths.nodes.get(node.index());
            let (Some(row), Some(mark)) = (row, builder.marks.nodes.get_mut(node.index())) else {
                return builder.faults.note("a read of a node that the trie does not have");
            };
            // The root is no member, and what is marked is read with all above it.
            let Some((parent, _)) = row.parent.filter(|_| *mark != self.stamp) else { break };
            *mark = self.stamp;
            self.nodes.push(node);
            at = Some(parent);
        }
    }

    /// A view, and what it is made from. In its own text, no member is a duplicate.
    fn view(&mut self, view: usize, builder: &mut Builder) {
        if self.views.insert(view) {
            for node in builder.paths.sources(view, &mut builder.pool) {
                self.node(node, builder);
            }
        }
    }

    /// Reports the first hook with which an event type has too many views.
    pub(super) fn over_limit(&mut self, hook: Span) -> Option<Diagnostic> {
        if self.reported || self.views.len() <= EVENT_VIEWS {
            return None;
        }
        self.reported = true;
        let what = format!("the hooks of an event type read more than {EVENT_VIEWS} views");
        let new = Diagnostic::new(Code::E0445, hook, what).with_label("exceeds the limit");
        Some(
            new.note("a merged field counts twice: at the root and in `event`")
                .help("write the same path in all hooks, or a `$` path, which reads one place"),
        )
    }

    fn slot(&mut self, node: NodeId, builder: &mut Builder) {
        if builder.paths.view_of(node).is_some() {
            return;
        }
        let slot = builder.paths.capture(node);
        builder.marks.slots.resize(builder.paths.slots.len(), 0);
        match builder.marks.slots.get_mut(slot.index()) {
            Some(mark) if *mark == self.stamp => {}
            Some(mark) => {
                *mark = self.stamp;
                self.whole.push(slot);
            }
            None => builder.faults.note("a read of a slot that the trie does not have"),
        }
    }

    /// The lists, each as one of those of all event types.
    pub(super) fn finish(mut self, interned: &mut Interned) -> Lists {
        self.nodes.sort_unstable();
        self.whole.sort_unstable();
        Lists {
            reads: intern(&mut interned.reads, self.nodes),
            whole: intern(&mut interned.whole, self.whole),
            views: intern(&mut interned.views, self.views.into_iter().collect()),
        }
    }
}

/// Whether the contents of arrays and objects at the paths of a leaf matter to it: deep equality
/// reads them, texts, numbers and presence do not.
fn whole(test: &Test) -> bool {
    match (&test.right, test.op) {
        (TestRight::Value(value), Op::Eq) => container(value),
        (TestRight::Value(value), Op::In) => match &value.kind {
            Kind::Seq(elements) => elements.iter().any(container),
            _ => false,
        },
        (TestRight::Schema(_), _) => true,
        (TestRight::Path(_), op) => matches!(op, Op::Eq | Op::In | Op::Contains),
        _ => false,
    }
}

fn container(value: &Value) -> bool {
    matches!(value.kind, Kind::Seq(_) | Kind::Map(_))
}
