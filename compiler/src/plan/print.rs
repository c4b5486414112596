//! The plan as text (`compile --emit plan`).

use std::fmt::Write;

use hookc_base::ConstTag;
use hookc_base::json::quoted;
use hookc_schema::tree::Step;
use hookc_syntax::expr::print::literal;
use hookc_vm::format::op::Op;

use super::{
    Cond, CondId, ConstId, EffectId, Event, Hook, Left, ListId, NodeId, PatternId, Plan, Pred, QueryId,
    Right, SchemaId, SchemaRule, SlotId, StrId, Template, TemplateId, TrieStep, infix, shorthand,
};
use crate::schema::Operand;

/// The plan as text: slots with their paths, constants, predicates,
/// conditions, actions, then events with their hooks by rank. Stable; every
/// row ends in a newline.
#[must_use]
pub fn print(plan: &Plan) -> String {
    let mut out = String::new();
    let p = Printer { plan };
    // Writing to a `String` does not fail.
    let _ = p.all(&mut out);
    out
}

struct Printer<'p> {
    plan: &'p Plan,
}

type Done = std::fmt::Result;

impl Printer<'_> {
    fn all(&self, out: &mut String) -> Done {
        let plan = self.plan;
        rows(out, "slots", plan.slots.len() + plan.derived.len(), |at| self.slot_row(at))?;
        rows(out, "views", plan.views.len(), |at| self.view(at))?;
        rows(out, "wrappers", plan.wrappers.len(), |at| self.wrapper(at))?;
        rows(out, "programs", plan.programs.len(), |at| {
            plan.programs.get(at).map(ToString::to_string).unwrap_or_default()
        })?;
        rows(out, "constants", plan.consts.len(), |at| {
            format!("{} = {}", ConstId::new(at), self.constant(ConstId::new(at)))
        })?;
        rows(out, "lists", plan.lists.len(), |at| {
            format!("{} = {}", ListId::new(at), self.list(ListId::new(at)))
        })?;
        rows(out, "schemas", plan.schemas.len(), |at| {
            format!("{} = {}", SchemaId::new(at), self.schema(at))
        })?;
        rows(out, "queries", plan.queries.len(), |at| format!("q{at} = {}", self.query(QueryId::new(at))))?;
        rows(out, "bound nodes", plan.bounds.len(), |at| format!("u{at} = {}", self.bound(at)))?;
        rows(out, "ties", plan.ties.len(), |at| format!("i{at} = {}", plan.tie_text(at)))?;
        rows(out, "monitors", plan.cells.len(), |at| format!("cell{at} = {}", plan.cell_text(at)))?;
        rows(out, "recalls", plan.recalls.len(), |at| {
            format!("h{at} = {}", plan.recall_text(at, |id| self.constant(id)))
        })?;
        rows(out, "predicates", plan.preds.len(), |at| format!("p{at} = {}", self.pred(at)))?;
        rows(out, "conditions", plan.conds.len(), |at| format!("c{at} = {}", self.cond(at)))?;
        rows(out, "templates", plan.templates.len(), |at| format!("t{at} = {}", self.template(at)))?;
        rows(out, "checks", plan.checks.len(), |at| format!("h{at} = {}", self.check(at)))?;
        rows(out, "actions", plan.actions.len(), |at| format!("a{at} = {}", self.action(at)))?;
        plan.events.iter().try_for_each(|event| self.event(event, out))
    }

    fn event(&self, event: &Event, out: &mut String) -> Done {
        let family = event.family.name();
        let strategy = event.strategy.name();
        writeln!(out, "event {family} {} {strategy}", self.plan.string(event.name))?;
        let reads = event.reads.iter().map(|node| self.path(*node));
        writeln!(out, "  reads {}", reads.collect::<Vec<_>>().join(", "))?;
        if !event.whole.is_empty() {
            writeln!(out, "  whole {}", commas(&event.whole))?;
        }
        if !event.views.is_empty() {
            let views: Vec<String> = event.views.iter().map(|view| format!("v{view}")).collect();
            writeln!(out, "  views {}", views.join(", "))?;
        }
        event.hooks.iter().enumerate().try_for_each(|(rank, hook)| hook_row(rank, hook, out))?;
        event.watches.iter().try_for_each(|watch| writeln!(out, "  watch {}", watch.text()))
    }

    fn slot_row(&self, at: usize) -> String {
        let slot = SlotId::new(at);
        match self.plan.derived.get(at.wrapping_sub(self.plan.slots.len())) {
            Some(merged) => {
                let (guard, root, nested) = (merged.guard, merged.root, merged.nested);
                format!("{slot} = {} | {} ; {guard} ? {root} : {nested}", self.slot(root), self.slot(nested))
            }
            None => format!("{slot} = {}", self.slot(slot)),
        }
    }

    fn wrapper(&self, at: usize) -> String {
        let Some(wrapper) = self.plan.wrappers.get(at) else { return String::new() };
        let mut out = self.plan.string(wrapper.name).to_owned();
        for option in &wrapper.options {
            out.push_str(&format!(" {} VALUE", self.plan.string(*option)));
        }
        out.push_str(&" OPERAND".repeat(wrapper.operands));
        out
    }

    fn view(&self, at: usize) -> String {
        let Some(view) = self.plan.views.get(at) else { return String::new() };
        let path = self.path(view.node);
        let Some(cwd) = view.cwd.map(|cwd| self.slot(cwd)) else { return format!("v{at} = {path}") };
        let part = |word, slot: Option<SlotId>| {
            slot.map_or_else(String::new, |slot| format!(", {word} {}", self.slot(slot)))
        };
        let (tool, project) = (part("of", view.tool), part("project", view.project));
        let stated = view.stated.map(|path| format!(", project {}", quoted(self.plan.string(path))));
        format!("v{at} = {path} ; in {cwd}{tool}{project}{}", stated.unwrap_or_default())
    }

    /// A slot by its path; a merged field by that at the root.
    fn slot(&self, slot: SlotId) -> String {
        let derived = slot.index().checked_sub(self.plan.slots.len());
        let root = derived.and_then(|at| self.plan.derived.get(at)).map_or(slot, |merged| merged.root);
        self.plan.slots.get(root.index()).map_or_else(|| root.to_string(), |node| self.path(*node))
    }

    fn path(&self, node: NodeId) -> String {
        shorthand(&self.plan.steps(node))
    }

    fn constant(&self, id: ConstId) -> String {
        let Some(constant) = self.plan.consts.get(id.index()) else { return id.to_string() };
        let text = constant.text.map_or("", |text| self.plan.string(text));
        match constant.kind {
            ConstTag::Null => "null".to_owned(),
            ConstTag::False => "false".to_owned(),
            ConstTag::True => "true".to_owned(),
            ConstTag::String => quoted(text),
            ConstTag::Number | ConstTag::Array | ConstTag::Object => text.to_owned(),
        }
    }

    fn list(&self, id: ListId) -> String {
        let list = self.plan.lists.get(id.index()).map_or(&[][..], Vec::as_slice);
        let members: Vec<String> = list.iter().map(|member| self.constant(*member)).collect();
        format!("[{}]", members.join(", "))
    }

    fn pred(&self, at: usize) -> String {
        let Some(Pred { op, left, right }) = self.plan.preds.get(at) else { return String::new() };
        let right = match right {
            Right::None => String::new(),
            Right::Const(id) => self.constant(*id),
            Right::List(id) => self.list(*id),
            Right::Pattern(id) => {
                literal(self.plan.patterns.get(id.index()).map_or("", |text| self.plan.string(*text)))
            }
            Right::Schema(id) => id.to_string(),
            Right::Slot(slot) => self.slot(*slot),
            Right::Pred(pred) => pred.to_string(),
            Right::Bound(bound) => bound.to_string(),
            Right::Cond(cond) => cond.to_string(),
            Right::Recall(recall) => recall.to_string(),
        };
        match left {
            Left::Slot(slot) => infix(*op, &self.slot(*slot), &right),
            Left::Bound(nodes) if *op == Op::Some => format!("some({nodes}: {right})"),
            Left::Bound(bound) => infix(*op, &bound.to_string(), &right),
            Left::Node => infix(*op, "@", &right),
            Left::Query(query) => format!("{right} of any {query}"),
            Left::Effect(effect) => self.effect(*effect),
            Left::Recall(recall) => infix(*op, &recall.to_string(), &right),
            Left::Pred(pred) => format!("{} {pred}", op.mnemonic()),
        }
    }

    fn effect(&self, id: EffectId) -> String {
        let effect = self.plan.effects.get(id.index());
        effect.map_or_else(|| id.to_string(), |effect| crate::effects::text(&effect.predicate))
    }

    fn bound(&self, at: usize) -> String {
        let Some(bound) = self.plan.bounds.get(at) else { return String::new() };
        let text = self.query(bound.query);
        match bound.up {
            None | Some(0) => text,
            Some(up) => format!("{text} ; {up} out"),
        }
    }

    fn query(&self, id: QueryId) -> String {
        let query = self.plan.queries.get(id.index());
        query.map_or_else(|| id.to_string(), |query| query.text.clone())
    }

    fn schema(&self, at: usize) -> String {
        let rules = self.plan.schemas.get(at).map_or(&[] as &[SchemaRule], Vec::as_slice);
        let rules = rules.iter().map(|rule| format!("{}: {}", rule.keyword.mnemonic(), self.operand(rule)));
        format!("{{{}}}", rules.collect::<Vec<_>>().join(", "))
    }

    fn operand(&self, rule: &SchemaRule) -> String {
        use Operand as O;
        let name = |id: &StrId| quoted(self.plan.string(*id));
        let pattern = |id: &PatternId| {
            quoted(self.plan.patterns.get(id.index()).map_or("", |text| self.plan.string(*text)))
        };
        let schema = |schema: &u32| SchemaId(*schema).to_string();
        let list = |texts: Vec<String>| texts.join(", ");
        match &rule.operand {
            O::None => "true".to_owned(),
            O::Types(bits) => types(u32::from(*bits)),
            O::Count(count) => count.to_string(),
            O::Format(format) => format.name().to_owned(),
            O::Number(id) => self.constant(*id),
            O::List(id) => self.list(*id),
            O::Pattern(id) => pattern(id),
            O::Names(names) => format!("[{}]", list(names.iter().map(name).collect())),
            O::NamePairs(pairs) => {
                format!(
                    "{{{}}}",
                    list(pairs.iter().map(|(a, b)| format!("{}: {}", name(a), name(b))).collect())
                )
            }
            O::Schema(id) => schema(id),
            O::From(id, first) => format!("{} from {first}", schema(id)),
            O::Contains(id, least, None) => format!("{} at least {least}", schema(id)),
            O::Contains(id, least, Some(most)) => format!("{} {least} to {most}", schema(id)),
            O::Schemas(ids) => format!("[{}]", list(ids.iter().map(schema).collect())),
            O::Named(pairs) => {
                format!(
                    "{{{}}}",
                    list(pairs.iter().map(|(n, id)| format!("{}: {}", name(n), schema(id))).collect())
                )
            }
            O::Patterned(pairs) => {
                format!(
                    "{{{}}}",
                    list(pairs.iter().map(|(p, id)| format!("{}: {}", pattern(p), schema(id))).collect())
                )
            }
            O::Branch(test, then, other) => {
                let or_true = |id: &Option<u32>| id.as_ref().map_or_else(|| "true".to_owned(), schema);
                format!("{} then {} else {}", schema(test), or_true(then), or_true(other))
            }
        }
    }

    fn cond(&self, at: usize) -> String {
        match self.plan.conds.get(at) {
            Some(Cond::Const(value)) => value.to_string(),
            Some(Cond::Pred(pred)) => pred.to_string(),
            Some(Cond::Not(inner)) => format!("not {inner}"),
            Some(Cond::All(inner)) => format!("all({})", commas::<CondId>(inner)),
            Some(Cond::Any(inner)) => format!("any({})", commas::<CondId>(inner)),
            None => String::new(),
        }
    }

    fn template(&self, at: usize) -> String {
        match self.plan.templates.get(at) {
            Some(Template::Const(id)) => self.constant(*id),
            Some(Template::Slot(slot, None)) => format!("${{{}}}", self.slot(*slot)),
            Some(Template::Slot(slot, Some(id))) => {
                format!("${{{} ?? {}}}", self.slot(*slot), self.constant(*id))
            }
            Some(Template::Recall(recall, None)) => format!("${{{recall}}}"),
            Some(Template::Recall(recall, Some(id))) => {
                format!("${{{recall} ?? {}}}", self.constant(*id))
            }
            Some(Template::Nodes(query, None)) => format!("${{{}}}", self.query(*query)),
            Some(Template::Nodes(query, Some(id))) => {
                format!("${{{} ?? {}}}", self.query(*query), self.constant(*id))
            }
            Some(Template::Because(reasons)) => {
                let reason = |(cond, effect): &(CondId, EffectId)| format!("{effect} if {cond}");
                format!("because({})", reasons.iter().map(reason).collect::<Vec<_>>().join(", "))
            }
            Some(Template::Text(parts)) => format!("text({})", commas::<TemplateId>(parts)),
            Some(Template::Array(parts)) => format!("[{}]", commas::<TemplateId>(parts)),
            Some(Template::Object(members)) => {
                let member = |(key, value): &(StrId, TemplateId)| {
                    format!("{}: {value}", quoted(self.plan.string(*key)))
                };
                format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(", "))
            }
            None => String::new(),
        }
    }

    fn check(&self, at: usize) -> String {
        let Some(check) = self.plan.checks.get(at) else { return String::new() };
        let mut out = types(u32::from(check.types));
        out.extend(check.allowed.map(|list| format!(" in {}", self.list(list))));
        out.extend(check.minimum.map(|least| format!(" >= {}", self.constant(least))));
        out
    }

    fn action(&self, at: usize) -> String {
        let Some(action) = self.plan.actions.get(at) else { return String::new() };
        let param = |param: &super::Param| {
            let check = param.check.map_or_else(String::new, |check| format!(" {check}"));
            format!("{} = {}{check}", self.plan.string(param.key), param.value)
        };
        let params: Vec<String> = action.params.iter().map(param).collect();
        format!("{}({})", self.plan.string(action.kind), params.join(", "))
    }
}

fn hook_row(rank: usize, hook: &Hook, out: &mut String) -> Done {
    let (label, layer) = (quoted(&hook.label), hook.layer.name());
    let mode = hook.mode.name();
    write!(out, "  {rank} {label} {layer} {mode} {} {}", hook.cond, hook.action)?;
    if let Some(on_error) = hook.on_error {
        write!(out, " on_error {on_error}")?;
    }
    if let Some(on_failure) = hook.on_failure {
        write!(out, " on_failure {on_failure}")?;
    }
    writeln!(out)
}

fn rows(out: &mut String, title: &str, count: usize, row: impl Fn(usize) -> String) -> Done {
    if count > 0 {
        writeln!(out, "{title}")?;
    }
    (0..count).try_for_each(|at| writeln!(out, "  {}", row(at)))
}

fn commas<T: ToString>(items: &[T]) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}

/// The types of a check's bits.
pub(crate) fn types(bits: u32) -> String {
    const NAMES: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];
    let named = NAMES.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1).map(|(_, name)| *name);
    let names: Vec<&str> = named.collect();
    if names.is_empty() { "any".to_owned() } else { names.join("|") }
}

impl Plan {
    /// The steps from the event's root to a node of the trie.
    #[must_use]
    pub fn steps(&self, node: NodeId) -> Vec<Step> {
        let up = |node: &NodeId| self.nodes.get(node.index())?.parent.map(|(parent, _)| parent);
        let nodes = std::iter::successors(Some(node), up);
        let step = |node: NodeId| match self.nodes.get(node.index())?.parent?.1 {
            TrieStep::Name(name) => Some(Step::Name(self.string(name).to_owned())),
            TrieStep::Index(index) => Some(Step::Index(index)),
            view => view.kind().map(Step::View),
        };
        let mut steps: Vec<Step> = nodes.filter_map(step).collect();
        steps.reverse();
        steps
    }
}
