//! Whether the module of a plan would exceed the size limit.

use std::collections::HashSet;
use std::sync::Arc;

use hookc_schema::{Code, Diagnostic};
use hookc_vm::format::op::Op;
use hookc_vm::format::{
    Argument, Bound, Cell, Check, Const, Derived, Edge, Effect, Hook, Keyword, Kind, Label, Location, Node,
    Observed, Param, Pattern, Range, Recall, Row, Scope, Template, Tie, U24, View, Watch, Wrapper,
};
use hookc_vm::limits::MODULE_BYTES;

use super::query::{Filter, Query, Selector, Side};
use super::{Action, Cond, Plan, SchemaRule};
use crate::schema::Operand;

/// Bytes of a number that a range picks.
const INDEX: usize = 4;
/// The cost of each condition with its own block: the block, `yes`, `no`.
const BLOCK: usize = size_of::<Range>() + 2 * size_of::<Row>();
/// The header, the directory and what pads the sections.
const FRAME: usize = 4 << 10;

/// The size of a module, or an upper bound of it, against the limit: every offset in it then fits
/// its 32 bits.
pub(crate) fn over_limit(bytes: usize) -> Option<Diagnostic> {
    (bytes > MODULE_BYTES).then(|| {
        let message = format!("the module may need {bytes} bytes, more than the limit of {MODULE_BYTES}");
        Diagnostic::global(Code::E0703, message).help("compile it as several modules")
    })
}

/// The rows whose numbers operands have in three bytes, against the limit of those.
pub(super) fn too_many(plan: &Plan) -> Option<Diagnostic> {
    more_than(U24::END as usize - 1, plan)
}

/// Like [`too_many`], against any limit.
pub(crate) fn more_than(most: usize, plan: &Plan) -> Option<Diagnostic> {
    let slots = plan.slots.len() + plan.derived.len() + plan.bounds.len() + plan.recalls.len();
    // Each row of a filter, and each value that it compares, comes from a selector.
    let counts = [
        (plan.strings.len(), "strings"),
        (plan.preds.len(), "predicates"),
        (plan.conds.len(), "conditions"),
        (plan.actions.len(), "actions"),
        (slots, "paths"),
        (if plan.queries.is_empty() { 0 } else { plan.consts.len() }, "constants"),
        (plan.queries.iter().map(query).sum::<usize>() / size_of::<Row>(), "queries and filters"),
    ];
    let (count, what) = counts.into_iter().find(|(count, _)| *count > most)?;
    let message = format!("the module may need {count} {what}, more than the limit of {most}");
    Some(Diagnostic::global(Code::E0703, message).help("compile it as several modules"))
}

/// An upper bound of the size of a plan's module, but for its indexes.
pub(crate) fn bound(plan: &Plan) -> usize {
    let fixed = [
        plan.strings.len() * INDEX,
        plan.consts.len() * size_of::<Const>(),
        plan.patterns.len() * size_of::<Pattern>(),
        plan.nodes.len() * (size_of::<Node>() + size_of::<Edge>()),
        plan.derived.len() * size_of::<Derived>(),
        plan.views.len() * size_of::<View>(),
        plan.wrappers.iter().map(|row| size_of::<Wrapper>() + INDEX * row.options.len()).sum(),
        plan.programs.iter().map(|program| size_of::<Range>() + program.to_bytes().len()).sum(),
        plan.bounds.len() * size_of::<Bound>(),
        plan.effects.iter().map(|row| size_of::<Effect>() + row.predicate.len()).sum(),
        plan.scopes.iter().map(|row| size_of::<Scope>() + row.tools.len()).sum(),
        plan.ties.iter().map(|tie| size_of::<Tie>() + INDEX * tie.values.len()).sum(),
        plan.cells.iter().map(|cell| size_of::<Cell>() + INDEX * cell.anchors.len()).sum(),
        plan.recalls.iter().map(recall).sum(),
        plan.preds.len() * size_of::<Row>(),
        // The condition of a quantifier has its own block.
        plan.preds.iter().filter(|pred| pred.op == Op::Some).count() * BLOCK,
        plan.checks.len() * size_of::<Check>(),
    ];
    let strings = plan.strings.iter().map(String::len).sum::<usize>();
    let lists: usize = plan.lists.iter().map(|list| size_of::<Range>() + INDEX * list.len()).sum();
    let conds: usize = plan.conds.iter().map(cond).sum();
    let templates: usize = plan.templates.iter().map(template).sum();
    let actions: usize = plan.actions.iter().map(action).sum();
    let events: usize = plan.events.iter().map(event).sum::<usize>() + INDEX * read(&plan.events);
    let schemas: usize =
        plan.schemas.iter().flatten().map(rule).sum::<usize>() + plan.schemas.len() * size_of::<Range>();
    let queries: usize = plan.queries.iter().map(query).sum();
    FRAME
        + schemas
        + queries
        + fixed.iter().sum::<usize>()
        + strings
        + lists
        + conds
        + templates
        + actions
        + events
}

fn recall(recall: &super::Recall) -> usize {
    size_of::<Recall>() + INDEX * (recall.excluded.len() + recall.since.len() + recall.now.len())
}

fn rule(rule: &SchemaRule) -> usize {
    let picked = match &rule.operand {
        Operand::Names(names) => names.len(),
        Operand::Schemas(schemas) => schemas.len(),
        Operand::NamePairs(pairs) => 2 * pairs.len(),
        Operand::Named(pairs) => 2 * pairs.len(),
        Operand::Patterned(pairs) => 2 * pairs.len(),
        _ => 0,
    };
    size_of::<Keyword>() + INDEX * picked
}

fn query(query: &Query) -> usize {
    use hookc_vm::format::{Query as Head, Segment as Part, Selector as Choice};
    let selectors = query.segments.iter().flat_map(|segment| &segment.selectors);
    let selectors: usize = selectors
        .map(|selector| match selector {
            Selector::Filter(filter) => size_of::<Choice>() + self::filter(filter),
            _ => size_of::<Choice>(),
        })
        .sum();
    size_of::<Head>() + query.segments.len() * size_of::<Part>() + selectors
}

fn filter(filter: &Filter) -> usize {
    size_of::<Row>()
        + match filter {
            Filter::All(parts) | Filter::OneOf(parts) => parts.iter().map(self::filter).sum(),
            Filter::Not(part) => self::filter(part),
            Filter::Has(_) => 0,
            Filter::Match(one, _) => side(one),
            Filter::Compare(_, left, right) => side(left) + side(right),
        }
}

fn side(side: &Side) -> usize {
    match side {
        Side::Length(inner) => size_of::<Row>() + self::side(inner),
        Side::Literal(_) | Side::Only(_) | Side::Count(_) => size_of::<Row>(),
    }
}

fn cond(cond: &Cond) -> usize {
    match cond {
        Cond::All(inner) | Cond::Any(inner) => BLOCK + inner.len() * size_of::<Row>(),
        Cond::Const(_) | Cond::Pred(_) | Cond::Not(_) => 0,
    }
}

fn template(node: &super::Template) -> usize {
    use super::Template as T;
    // The condition of a reason has its own block.
    let blocks = if let T::Because(reasons) = node { reasons.len() * BLOCK } else { 0 };
    size_of::<Template>()
        + blocks
        + INDEX
            * match node {
                T::Text(parts) | T::Array(parts) => parts.len(),
                T::Object(members) => 2 * members.len(),
                T::Because(reasons) => 2 * reasons.len(),
                T::Const(_) | T::Slot(..) | T::Recall(..) | T::Nodes(..) => 0,
            }
}

fn action(action: &Action) -> usize {
    use hookc_vm::format::Action as Head;
    size_of::<Head>() + size_of::<Kind>() + action.params.len() * (size_of::<Param>() + size_of::<Argument>())
}

fn event(event: &super::Event) -> usize {
    use hookc_vm::format::Event as Head;
    let hook = size_of::<Hook>() + size_of::<Label>() + size_of::<Location>() + BLOCK + size_of::<Row>();
    let labels: usize = event.hooks.iter().map(|hook| hook.label.len()).sum();
    let watch = |watch: &super::Watch| {
        size_of::<Watch>() + BLOCK + size_of::<Row>() + watch.excluded.len() * (2 * INDEX + BLOCK)
    };
    let observed = if event.watches.is_empty() { 0 } else { size_of::<Observed>() };
    let watches: usize = event.watches.iter().map(watch).sum();
    size_of::<Head>() + event.hooks.len() * hook + labels + observed + watches
}

/// The length of the lists of what events read; event types share equal ones.
fn read(events: &[super::Event]) -> usize {
    let mut known: HashSet<*const ()> = HashSet::new();
    let mut total = 0;
    for event in events {
        let lists = [
            (Arc::as_ptr(&event.reads).cast(), event.reads.len()),
            (Arc::as_ptr(&event.whole).cast(), event.whole.len()),
            (Arc::as_ptr(&event.views).cast(), event.views.len()),
        ];
        total += lists
            .into_iter()
            .filter(|(list, _)| known.insert(*list))
            .map(|(_, length)| length)
            .sum::<usize>();
    }
    total
}
