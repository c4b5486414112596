//! The path trie and its slots.

use std::sync::Arc;

use foldhash::{HashMap, HashMapExt};
use hookc_schema::tree::{Step, ViewKind};

use super::pool::{Pool, Unique};
use super::{Builder, Merged, NodeId, Scope, ScopeId, SlotId, TrieNode, TrieStep, View, ViewSource};
use crate::fault::Faults;
use crate::ir::{ActionScope, ReadPath, ScopePaths};

/// The member of an event that contains the rest of a merged field.
const EVENT: &str = "event";

/// The field with the working directory, which decides how a text is read.
const CWD: &str = "cwd";

/// The field with the directory of the project, which decides whether a file is inside.
const PROJECT: &str = "project_dir";

/// The field with the name of the tool, which decides how a command line is read.
const TOOL: &str = "tool_name";

/// The paths of an event's type, in the order in which they are tried.
const TYPE_PATHS: [&[&str]; 3] = [&["event", "type"], &["hook_event_name"], &["event_type"]];

/// A derived slot while the number of trie slots is unknown.
const DERIVED: u32 = 1 << 31;

/// The trie under construction: parents precede children.
#[derive(Debug)]
pub(super) struct Paths {
    pub(super) nodes: Vec<TrieNode>,
    edges: HashMap<(NodeId, TrieStep), NodeId>,
    pub(super) slots: Vec<NodeId>,
    pub(super) derived: Unique<Merged>,
    /// What is made of the event and read as parts of it, ascending by node.
    pub(super) views: Vec<View>,
    /// Where the actions of events come from.
    pub(super) scopes: Unique<Scope>,
    /// What the policy of the path that is located declares.
    declared: Option<Arc<ActionScope>>,
    /// Where the event starts.
    pub(super) event: NodeId,
    pub(super) faults: Faults,
}

/// The nodes that can contain a path's value.
#[derive(Clone, Copy, Debug)]
pub(super) enum PathNodes {
    /// A path from the root.
    Plain(NodeId),
    /// The guard `f`, `f...`, `event.f...`.
    Merged([NodeId; 3]),
}

impl Default for Paths {
    fn default() -> Self {
        let root = TrieNode { parent: None, slot: None };
        let (edges, slots, derived) = (HashMap::new(), Vec::new(), Unique::default());
        let (views, scopes) = (Vec::new(), Unique::default());
        let (declared, event, faults) = (None, NodeId(0), Faults::default());
        Self { nodes: vec![root], edges, slots, derived, views, scopes, declared, event, faults }
    }
}

impl Paths {
    pub(super) fn locate(&mut self, path: &ReadPath, pool: &mut Pool) -> PathNodes {
        let root = NodeId(0);
        match path {
            ReadPath::Plain(steps) => PathNodes::Plain(self.walk(root, steps, pool)),
            ReadPath::Merged(steps) => self.merged(root, steps, pool),
            ReadPath::Declared(scope, inner) => {
                self.declared = Some(Arc::clone(scope));
                let place = self.locate(inner, pool);
                self.declared = None;
                place
            }
            // They start at no node of the trie: a plan reads them through a bound, or a monitor.
            ReadPath::Bound(..) | ReadPath::Recall(_) => PathNodes::Plain(root),
            // The start of the query.
            ReadPath::Nodes(nodes) => self.locate(nodes.start(), pool),
        }
    }

    /// A merged field of an event that starts at a node.
    fn merged(&mut self, root: NodeId, steps: &[Step], pool: &mut Pool) -> PathNodes {
        let (first, rest) = steps.split_at(steps.len().min(1));
        let guard = self.walk(root, first, pool);
        let below = self.walk(guard, rest, pool);
        let event = self.child(root, TrieStep::Name(pool.string(EVENT)));
        PathNodes::Merged([guard, below, self.walk(event, steps, pool)])
    }

    /// The root of the view of the text at a node, or of what the event does.
    fn view(&mut self, text: NodeId, kind: ViewKind, pool: &mut Pool) -> NodeId {
        if kind == ViewKind::Effects {
            return self.effects(pool);
        }
        let stated = self.declared.as_ref().and_then(|scope| scope.project.as_deref());
        let stated = stated.map(|path| pool.string(path));
        let step = stated.map_or(TrieStep::View(kind), TrieStep::FileIn);
        if let Some(node) = self.edges.get(&(text, step)) {
            return *node;
        }
        let node = self.child(text, step);
        let source = ViewSource::Text(self.capture(text));
        let mut setting = |name| {
            let place = self.setting(name, pool);
            self.slot(place)
        };
        let cwd = (kind != ViewKind::Size).then(|| setting(CWD));
        let tool = (kind == ViewKind::Shell).then(|| setting(TOOL));
        let project = (kind == ViewKind::File && stated.is_none()).then(|| setting(PROJECT));
        self.views.push(View { kind, source, cwd, tool, project, stated, node });
        node
    }

    /// The root of the view of what an event does.
    fn effects(&mut self, pool: &mut Pool) -> NodeId {
        let Some(scope) = self.declared.clone() else {
            self.faults.note("a view of effects without the declarations of its policy");
            return self.event;
        };
        let scope = self.action_scope(&scope, pool);
        let step = TrieStep::Effects(scope);
        if let Some(node) = self.edges.get(&(self.event, step)) {
            return *node;
        }
        let node = self.child(self.event, step);
        let (kind, source) = (ViewKind::Effects, ViewSource::Effects(scope));
        self.views.push(View { kind, source, cwd: None, tool: None, project: None, stated: None, node });
        node
    }

    /// The row of where the actions of an event come from.
    pub(super) fn action_scope(&mut self, scope: &ActionScope, pool: &mut Pool) -> ScopeId {
        let ScopePaths { input, tool, host_tool, cwd, project } = scope.paths();
        let mut slot = |path: &ReadPath| {
            let place = match path {
                ReadPath::Merged(steps) => self.merged(self.event, steps, pool),
                _ => PathNodes::Plain(self.event),
            };
            self.slot(place)
        };
        let input = slot(&input);
        let [tool, host_tool] = [tool, host_tool].map(|path| path.as_ref().map(&mut slot));
        let (cwd, project) = (slot(&cwd), project.as_ref().map(&mut slot));
        let stated = scope.project.as_ref().map(|path| pool.string(path));
        let tools = Arc::clone(&scope.tools);
        ScopeId::new(self.scopes.add(Scope { input, tool, host_tool, cwd, project, stated, tools }))
    }

    /// A field of the event that decides how a text is read.
    fn setting(&mut self, name: &str, pool: &mut Pool) -> PathNodes {
        self.merged(self.event, &[Step::Name(name.to_owned())], pool)
    }

    pub(super) fn has_views(&self) -> bool {
        !self.views.is_empty()
    }

    /// The view that a node is in.
    pub(super) fn view_of(&self, node: NodeId) -> Option<usize> {
        let mut at = node;
        while let Some((parent, step)) = self.nodes.get(at.index())?.parent {
            if step.is_view() {
                return self.views.binary_search_by_key(&at, |view| view.node).ok();
            }
            at = parent;
        }
        None
    }

    /// The nodes that the view of a text is made from.
    pub(super) fn sources(&mut self, view: usize, pool: &mut Pool) -> Vec<NodeId> {
        let Some(row) = self.views.get(view).copied() else { return Vec::new() };
        let ViewSource::Text(source) = row.source else { return Vec::new() };
        let mut nodes: Vec<NodeId> = self.slots.get(source.index()).copied().into_iter().collect();
        let settings = [row.cwd.map(|_| CWD), row.tool.map(|_| TOOL), row.project.map(|_| PROJECT)];
        for name in settings.into_iter().flatten() {
            if let PathNodes::Merged([_, root, nested]) = self.setting(name, pool) {
                nodes.extend([root, nested]);
            }
        }
        nodes
    }

    pub(super) fn walk(&mut self, from: NodeId, steps: &[Step], pool: &mut Pool) -> NodeId {
        let step = |node, step: &Step| {
            let step = match step {
                Step::Name(name) => TrieStep::Name(pool.string(name)),
                Step::Index(index) => TrieStep::Index(*index),
                Step::View(kind) => return self.view(node, *kind, pool),
            };
            self.child(node, step)
        };
        steps.iter().fold(from, step)
    }

    fn child(&mut self, parent: NodeId, step: TrieStep) -> NodeId {
        *self.edges.entry((parent, step)).or_insert_with(|| {
            self.nodes.push(TrieNode { parent: Some((parent, step)), slot: None });
            NodeId::new(self.nodes.len() - 1)
        })
    }

    /// The slot of a node.
    pub(super) fn capture(&mut self, node: NodeId) -> SlotId {
        let next = SlotId::new(self.slots.len());
        let Some(row) = self.nodes.get_mut(node.index()) else {
            self.faults.note("a slot for a node that the trie does not have");
            return next;
        };
        let slot = *row.slot.get_or_insert(next);
        if slot == next {
            self.slots.push(node);
        }
        slot
    }

    /// The slot with the value of a path.
    pub(super) fn slot(&mut self, place: PathNodes) -> SlotId {
        match place {
            PathNodes::Plain(node) => self.capture(node),
            PathNodes::Merged(nodes) => {
                let [guard, root, nested] = nodes.map(|node| self.capture(node));
                let row = SlotId::new(self.derived.add(Merged { guard, root, nested })).0;
                if row & DERIVED != 0 {
                    self.faults.note("more slots of merged fields than numbers");
                }
                SlotId(row | DERIVED)
            }
        }
    }

    /// The final number of a slot: derived ones follow those of the trie.
    pub(super) fn number(&self, slot: SlotId) -> SlotId {
        match slot.0 & DERIVED {
            0 => slot,
            _ => SlotId::new((slot.0 & !DERIVED) as usize + self.slots.len()),
        }
    }
}

impl Builder {
    /// Assigns the first slots to the type paths.
    pub(super) fn type_paths(&mut self) {
        for place in self.type_places() {
            self.paths.capture(place);
        }
    }

    /// The nodes of the type paths.
    pub(super) fn type_places(&mut self) -> [NodeId; 3] {
        let Self { paths, pool, .. } = self;
        let step = |paths: &mut Paths, pool: &mut Pool, node, name: &str| {
            let name = pool.string(name);
            paths.child(node, TrieStep::Name(name))
        };
        TYPE_PATHS.map(|names| names.iter().fold(NodeId(0), |node, name| step(paths, pool, node, name)))
    }

    /// The slot of a path.
    pub(super) fn slot(&mut self, path: &ReadPath) -> SlotId {
        let place = self.paths.locate(path, &mut self.pool);
        self.paths.slot(place)
    }
}
