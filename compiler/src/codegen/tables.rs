//! The plan's tables as the module's.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;
use hookc_base::row_number;
use hookc_vm::format::Image;
use hookc_vm::format::op::Op;
use hookc_vm::format::{
    Action, Argument, Bound, Check, Const, Derived, Edge, Event, Hook, Kind, NODE, NONE, Node, Param,
    ParamValue, Pattern, Range, Row, Template, TemplateForm, View, Wrapper,
};

use super::blocks::{Blocks, blocks};
use super::queries;
use super::schema;
use crate::fault::Faults;
use crate::plan::{self, Left, NodeId, Plan, Right, StrId, TrieStep, ViewSource};
use crate::rows::range;

/// All tables of the module except labels and locations.
pub(super) fn tables(plan: &Plan, faults: &Faults) -> Image {
    let mut image = Image { slots: row_number(plan.slots.len() + plan.derived.len()), ..Image::default() };
    strings(plan, &mut image);
    image.consts = plan.consts.iter().map(constant).collect();
    for list in &plan.lists {
        let range = pick(&mut image, list.iter().map(|id| id.0));
        image.lists.push(range);
    }
    trie(plan, &mut image);
    let slot = |m: &plan::Merged| Derived {
        guard: m.guard.0.into(),
        root: m.root.0.into(),
        nested: m.nested.0.into(),
    };
    let view = |view: &plan::View| View {
        source: match view.source {
            ViewSource::Text(slot) => slot.0.into(),
            ViewSource::Effects(scope) => scope.0.into(),
        },
        cwd: optional(view.cwd.map(|cwd| cwd.0)).into(),
        tool: optional(view.tool.map(|tool| tool.0)).into(),
        project: optional(view.project.map(|project| project.0)).into(),
        stated: optional(view.stated.map(|path| path.0)).into(),
        node: view.node.0.into(),
        kind: u32::from(view.kind.number()).into(),
    };
    image.views = plan.views.iter().map(view).collect();
    for row in &plan.wrappers {
        let options = pick(&mut image, row.options.iter().map(|option| option.0));
        let operands = row_number(row.operands).into();
        image.wrappers.push(Wrapper { name: row.name.0.into(), options, operands });
    }
    image.derived = plan.derived.iter().map(slot).collect();
    queries::add(plan, &mut image);
    image.bounds = plan.bounds.iter().map(bound).collect();
    super::effects::add(plan, &mut image);
    super::history::add(plan, &mut image, faults);
    let blocks = blocks(plan, faults);
    let numbers = Numbers { slots: image.slots, bounds: row_number(plan.bounds.len()) };
    image.preds = plan.preds.iter().map(|row| pred(row, numbers, &blocks)).collect();
    image.patterns = plan.patterns.iter().map(|text| Pattern { text: text.0.into() }).collect();
    schema::schemas(plan, &mut image);
    actions(plan, &blocks, numbers, &mut image);
    let mut lists = EventLists::default();
    plan.events.iter().for_each(|event| add_event(plan, event, &blocks, &mut lists, &mut image));
    image.conds = blocks.conds;
    image.code = blocks.code;
    image
}

pub(super) fn optional(id: Option<u32>) -> u32 {
    id.unwrap_or(NONE)
}

/// Appends numbers to the table of indices.
pub(super) fn pick(image: &mut Image, numbers: impl IntoIterator<Item = u32>) -> Range {
    let start = image.indices.len();
    numbers.into_iter().for_each(|number| image.indices.push(number.into()));
    range(start, image.indices.len())
}

fn strings(plan: &Plan, image: &mut Image) {
    for string in &plan.strings {
        image.add_string(string);
    }
}

fn constant(constant: &plan::Constant) -> Const {
    Const::new(constant.kind, constant.text.map(|id| id.0))
}

fn bound(bound: &plan::Bound) -> Bound {
    Bound { up: optional(bound.up).into(), query: bound.query.0.into() }
}

/// How many slots come before others.
#[derive(Clone, Copy)]
struct Numbers {
    slots: u32,
    bounds: u32,
}

impl Numbers {
    /// The slot of a value below a bound node.
    fn bound(self, id: plan::BoundId) -> u32 {
        self.slots.saturating_add(id.0)
    }

    /// The slot of a value of the history.
    fn recall(self, id: plan::RecallId) -> u32 {
        self.slots.saturating_add(self.bounds).saturating_add(id.0)
    }
}

fn pred(pred: &plan::Pred, numbers: Numbers, blocks: &Blocks<'_>) -> Row {
    let right = match pred.right {
        Right::None => 0,
        Right::Const(id) => id.0,
        Right::List(id) => id.0,
        Right::Pattern(id) => id.0,
        Right::Schema(id) => id.0,
        Right::Slot(id) => id.0,
        Right::Pred(id) => id.0,
        Right::Bound(id) => numbers.bound(id),
        Right::Recall(id) => numbers.recall(id),
        Right::Cond(id) => blocks.number(id),
    };
    let left = match pred.left {
        Left::Slot(id) => id.0,
        Left::Query(id) => id.0,
        Left::Bound(id) if pred.op == Op::Some => id.0,
        Left::Bound(id) => numbers.bound(id),
        Left::Recall(id) if pred.op == Op::Past => id.0,
        Left::Recall(id) => numbers.recall(id),
        Left::Pred(id) => id.0,
        Left::Node => NODE,
        Left::Effect(id) => id.0,
    };
    Row { op: pred.op as u8, a: left.into(), b: right.into() }
}

/// An edge of the plan's trie: parent, step, child.
type Step = (NodeId, TrieStep, NodeId);

fn trie(plan: &Plan, image: &mut Image) {
    let edge = |(at, node): (usize, &plan::TrieNode)| {
        let (parent, step) = node.parent.filter(|(_, step)| !step.is_view())?;
        Some((parent, step, NodeId::new(at)))
    };
    let mut edges: Vec<Step> = plan.nodes.iter().enumerate().filter_map(edge).collect();
    edges.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| step_order(plan, a.1, b.1)));
    let mut rest = edges.iter().peekable();
    for (at, node) in plan.nodes.iter().enumerate() {
        let start = image.edges.len();
        while let Some((_, step, child)) = rest.next_if(|(parent, ..)| parent.index() == at) {
            let (name, index) = match step {
                TrieStep::Name(name) => (name.0, 0),
                TrieStep::Index(index) => (NONE, *index),
                // The root of a view has no edge.
                TrieStep::View(_) | TrieStep::FileIn(_) | TrieStep::Effects(_) => continue,
            };
            image.edges.push(Edge { name: name.into(), index: index.into(), node: child.0.into() });
        }
        let slot = optional(node.slot.map(|slot| slot.0)).into();
        image.nodes.push(Node { edges: range(start, image.edges.len()), slot });
    }
}

/// Names before indexes, names by bytes.
fn step_order(plan: &Plan, a: TrieStep, b: TrieStep) -> Ordering {
    match (a, b) {
        (TrieStep::Name(a), TrieStep::Name(b)) => plan.string(a).cmp(plan.string(b)),
        (TrieStep::Index(a), TrieStep::Index(b)) => a.cmp(&b),
        (TrieStep::Index(_), TrieStep::Name(_)) => Ordering::Greater,
        (TrieStep::Name(_) | TrieStep::Index(_), _) => Ordering::Less,
        // Views have no edges.
        (TrieStep::View(_) | TrieStep::FileIn(_) | TrieStep::Effects(_), _) => Ordering::Greater,
    }
}

fn actions(plan: &Plan, blocks: &Blocks<'_>, slots: Numbers, image: &mut Image) {
    let numbers = Templates::new(plan);
    for (node, _) in plan.templates.iter().zip(&numbers.0).filter(|(_, number)| number.is_some()) {
        let row = template(node, (plan, blocks, slots), &numbers, image);
        image.templates.push(row);
    }
    for check in &plan.checks {
        image.checks.push(Check {
            types: u32::from(check.types).into(),
            allowed: optional(check.allowed.map(|id| id.0)).into(),
            minimum: optional(check.minimum.map(|id| id.0)).into(),
        });
    }
    let mut kinds = Kinds::default();
    for action in &plan.actions {
        let kind = kinds.number(action, image).into();
        let arguments = row_number(image.arguments.len()).into();
        let argument =
            |param: &plan::Param| Argument { node: numbers.value(plan, param.value).number().into() };
        image.arguments.extend(action.params.iter().map(argument));
        image.actions.push(Action { kind, arguments });
    }
}

/// The kinds of actions, each with its parameters once.
#[derive(Default)]
struct Kinds(HashMap<(StrId, Vec<Param>), u32, RandomState>);

impl Kinds {
    fn number(&mut self, action: &plan::Action, image: &mut Image) -> u32 {
        let param = |param: &plan::Param| Param {
            key: param.key.0.into(),
            check: optional(param.check.map(|id| id.0)).into(),
        };
        let params = action.params.iter().map(param).collect();
        *self.0.entry((action.kind, params)).or_insert_with_key(|(kind, params)| {
            let start = image.params.len();
            image.params.extend_from_slice(params);
            image.kinds.push(Kind { name: kind.0.into(), params: range(start, image.params.len()) });
            row_number(image.kinds.len().saturating_sub(1))
        })
    }
}

/// By template of the plan, its row. A constant that only parameters have needs none.
struct Templates(Vec<Option<u32>>);

impl Templates {
    fn new(plan: &Plan) -> Self {
        use plan::Template as T;
        let mut is_inner = vec![false; plan.templates.len()];
        let mut mark =
            |id: &plan::TemplateId| is_inner.get_mut(id.index()).into_iter().for_each(|it| *it = true);
        for node in &plan.templates {
            match node {
                T::Text(parts) | T::Array(parts) => parts.iter().for_each(&mut mark),
                T::Object(members) => members.iter().for_each(|(_, value)| mark(value)),
                T::Const(_) | T::Slot(..) | T::Recall(..) | T::Nodes(..) | T::Because(_) => {}
            }
        }
        let mut rows = 0..;
        let kept = |(node, inner): (&T, &bool)| *inner || !matches!(node, T::Const(_));
        let number = |pair| if kept(pair) { rows.next() } else { None };
        Self(plan.templates.iter().zip(&is_inner).map(number).collect())
    }

    /// The row of a node that is part of another one.
    fn row(&self, id: plan::TemplateId) -> u32 {
        optional(self.0.get(id.index()).copied().flatten())
    }

    fn value(&self, plan: &Plan, id: plan::TemplateId) -> ParamValue {
        match plan.templates.get(id.index()) {
            Some(plan::Template::Const(constant)) => ParamValue::Const(constant.0),
            _ => ParamValue::Template(self.row(id)),
        }
    }
}

fn template(
    node: &plan::Template,
    (plan, blocks, slots): (&Plan, &Blocks<'_>, Numbers),
    numbers: &Templates,
    image: &mut Image,
) -> Template {
    use plan::Template as T;
    let nodes =
        |parts: &[plan::TemplateId], image: &mut Image| pick(image, parts.iter().map(|id| numbers.row(*id)));
    Template::new(match node {
        T::Const(id) => TemplateForm::Const(id.0),
        T::Slot(slot, default) => TemplateForm::Slot { slot: slot.0, default: default.map(|id| id.0) },
        T::Recall(recall, default) => {
            TemplateForm::Slot { slot: slots.recall(*recall), default: default.map(|id| id.0) }
        }
        T::Nodes(query, default) => TemplateForm::Nodes { query: query.0, default: default.map(|id| id.0) },
        T::Because(reasons) => {
            let pair = |(cond, effect): &(plan::CondId, plan::EffectId)| {
                [blocks.test(plan, *cond).number(), effect.0]
            };
            TemplateForm::Because(pick(image, reasons.iter().flat_map(pair)))
        }
        T::Text(parts) => TemplateForm::Text(nodes(parts, image)),
        T::Array(parts) => TemplateForm::Array(nodes(parts, image)),
        T::Object(members) => {
            let pairs = members.iter().flat_map(|(key, value)| [key.0, numbers.row(*value)]);
            TemplateForm::Object(pick(image, pairs))
        }
    })
}

/// Lists of event types: one that several have is written once.
#[derive(Default)]
struct EventLists(HashMap<*const (), Range>);

impl EventLists {
    fn add<T>(&mut self, list: &Arc<[T]>, number: impl Fn(&T) -> u32, image: &mut Image) -> Range {
        if list.is_empty() {
            return pick(image, []);
        }
        let range = self.0.entry(Arc::as_ptr(list).cast());
        *range.or_insert_with(|| pick(image, list.iter().map(number)))
    }
}

fn add_event(
    plan: &Plan,
    event: &plan::Event,
    blocks: &Blocks<'_>,
    lists: &mut EventLists,
    image: &mut Image,
) {
    let start = image.hooks.len();
    image.hooks.extend(event.hooks.iter().map(|hook| Hook {
        cond: blocks.test(plan, hook.cond).number().into(),
        action: hook.action.0.into(),
        modes: Hook::modes(hook.mode, hook.on_error, hook.on_failure),
    }));
    let hooks = range(start, image.hooks.len());
    let reads = lists.add(&event.reads, |id| id.0, image);
    let whole = lists.add(&event.whole, |id| id.0, image);
    let views = lists.add(&event.views, |number| row_number(*number), image);
    image.events.push(Event {
        family: event.family.number(),
        strategy: event.strategy.number(),
        zero: [0; 2],
        name: event.name.0.into(),
        hooks,
        reads,
        whole,
        views,
        index: NONE.into(),
    });
    super::history::observe(plan, event, blocks, image);
}
