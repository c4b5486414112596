//! Rows of a module for people: `explain`, `disasm` and error messages use the same text.

use hookc_base::json::quoted;
use hookc_schema::tree::{Step, ViewKind};
use hookc_syntax::expr::print;
use hookc_vm::format::Tables;
use hookc_vm::format::event::Item;
use hookc_vm::format::op::{Op, Operand};
use hookc_vm::format::{NODE, NONE, ParamValue, Range, TemplateForm};
use hookc_vm::trace::Deciding;

use super::patterns::PatternTexts;
use crate::plan::{infix, shorthand};

/// A predicate as a leaf of a `when` expression, `error.code == "x"`. To describe many, create
/// [`Names`] once.
#[must_use]
pub fn predicate(tables: &Tables<'_>, pred: u32) -> String {
    Names::new(*tables).predicate(pred)
}

/// The path of a slot as it would be written; for a merged field, the one at the root. To describe
/// many, create [`Names`] once.
#[must_use]
pub fn slot(tables: &Tables<'_>, slot: u32) -> String {
    Names::new(*tables).slot(slot)
}

/// Characters of a value that [`deciding`] shows, and of a predicate.
const SHOWN: usize = 200;
const PREDICATE: usize = 600;

/// The deciding predicate of a condition, and the values that it read: `cost.spend > 10 is false:
/// the value is 5`; over several nodes, their number and the first of them.
#[must_use]
pub fn deciding(names: &Names<'_>, deciding: &Deciding) -> String {
    let truth = if deciding.holds { "is true" } else { "is false" };
    let leaf = cut(&names.predicate(deciding.pred), PREDICATE);
    format!("{leaf} {truth}: {}", read(deciding, names.other(deciding.pred).as_deref(), false))
}

/// The values that a predicate read; `other` is its second path, if it has one. Of `every`, the
/// nodes that its negation matches are counterexamples.
pub(crate) fn read(deciding: &Deciding, other: Option<&str>, every: bool) -> String {
    let value = |json: &Option<String>| match json {
        Some(json) => format!("is {}", short(json)),
        None => "is absent".to_owned(),
    };
    let mut text = match (deciding.nodes, &deciding.matching) {
        _ if let Some(because) = &deciding.because => cut(because, SHOWN),
        (Some(count), Some(matching)) if count > 1 => {
            let what = if every { "counterexamples among" } else { "matching nodes of" };
            format!("the first {what} {count} are {}", short(matching))
        }
        (Some(count), _) => nodes(count, deciding.actual.as_deref().unwrap_or_default()),
        (None, _) => format!("the value {}", value(&deciding.actual)),
    };
    if let Some(other) = other.filter(|_| deciding.because.is_none() || deciding.other.is_some()) {
        text.push_str(&format!(", {other} {}", value(&deciding.other)));
    }
    text
}

/// The number of nodes of a query, and the list of the first of them.
fn nodes(count: usize, list: &str) -> String {
    match count {
        0 => "no node".to_owned(),
        1 => format!("the only node is {}", short(list.get(1..list.len().saturating_sub(1)).unwrap_or(list))),
        2..=Deciding::MAX_NODES => format!("the {count} nodes are {}", short(list)),
        _ => format!("the first of {count} nodes are {}", short(list)),
    }
}

pub(crate) fn short(json: &str) -> String {
    cut(json, SHOWN)
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or(text)),
    }
}

/// The texts of a module's rows. Making it costs a pass over the trie.
#[derive(Clone, Debug)]
pub struct Names<'m> {
    pub(super) tables: Tables<'m>,
    /// By node, its parent and the step from there.
    parents: Vec<Option<(u32, Name<'m>)>>,
    /// By trie slot, its node.
    nodes: Vec<u32>,
    /// By monitor, the event types and rows of what feeds it.
    pub(super) watches: Vec<Vec<(u32, u32)>>,
    /// What authors call the patterns of monitors.
    pub(super) patterns: PatternTexts,
    /// The maximum length of names and constants in bytes.
    pub(super) longest: usize,
}

/// A step that borrows its name.
#[derive(Clone, Copy, Debug)]
enum Name<'m> {
    Member(&'m str),
    Element(i64),
    /// From a text to its view.
    View(ViewKind),
}

impl<'m> Names<'m> {
    /// The names of a module.
    #[must_use]
    pub fn new(tables: Tables<'m>) -> Self {
        let trie = (tables.slots as usize).saturating_sub(tables.derived.len());
        let mut names = Self {
            tables,
            parents: vec![None; tables.nodes.len()],
            nodes: vec![0; trie],
            watches: super::history::by_cell(tables.cells.len(), tables.observed, tables.watches),
            patterns: PatternTexts::default(),
            longest: usize::MAX,
        };
        for (at, node) in (0..).zip(tables.nodes) {
            for edge in tables.edges_of(node) {
                let step = match edge.name.get() {
                    NONE => Name::Element(edge.index.get()),
                    name => Name::Member(tables.str(name)),
                };
                if let Some(parent) = names.parents.get_mut(edge.node.get() as usize) {
                    *parent = Some((at, step));
                }
            }
            if let Some(captured) = names.nodes.get_mut(node.slot.get() as usize) {
                *captured = at;
            }
        }
        for view in tables.views {
            // What the event does is not below a text.
            let source = view.text().map_or(Some(0), |slot| names.nodes.get(slot as usize).copied());
            if let Some(parent) = names.parents.get_mut(view.node.get() as usize) {
                *parent = source.zip(view.kind()).map(|(source, kind)| (source, Name::View(kind)));
            }
        }
        names
    }

    /// Shows the patterns of monitors as their authors wrote them.
    #[must_use]
    pub fn with_patterns(self, patterns: PatternTexts) -> Self {
        Self { patterns, ..self }
    }

    /// Truncates names and constants after `bytes`: otherwise the listing of a module in which many
    /// rows share a long name would be far larger than the module.
    #[must_use]
    pub fn cut(self, bytes: usize) -> Self {
        Self { longest: bytes, ..self }
    }

    /// A predicate as a leaf of a `when` expression.
    #[must_use]
    pub fn predicate(&self, pred: u32) -> String {
        let row = self.tables.preds.get(pred as usize);
        let Some((row, op)) = row.and_then(|row| Some((row, Op::from_number(row.op)?))) else {
            return format!("p{pred}");
        };
        if op == Op::Any {
            return self.tested(row.b.get(), &self.query(row.a.get()));
        }
        if op == Op::Some {
            return self.quantifier(pred, false);
        }
        match op {
            Op::Acts => return self.effect(row.a.get()),
            Op::Past => return self.recall(row.a.get(), 0),
            Op::Recalled => return self.predicate(row.a.get()),
            _ => {}
        }
        let left = if row.a.get() == NODE { "@".to_owned() } else { self.slot(row.a.get()) };
        self.tested(pred, &left)
    }

    /// Whether a predicate is a quantifier.
    #[must_use]
    pub(crate) fn is_quantifier(&self, pred: u32) -> bool {
        self.tables.preds.get(pred as usize).is_some_and(|row| row.op == Op::Some as u8)
    }

    /// A predicate that is to be false, as a leaf of a `when` expression.
    #[must_use]
    pub fn negation(&self, pred: u32) -> String {
        if self.is_quantifier(pred) {
            return self.quantifier(pred, true);
        }
        let text = self.predicate(pred);
        let equal = |op: &Op| matches!(op, Op::Eq | Op::EqFold | Op::EqSlot | Op::EqSlotFold);
        let Some((left, op, right)) = self.sides(pred).filter(|(_, op, _)| equal(op)) else {
            return format!("not {text}");
        };
        infix(op, &left, &right).replacen(&format!("{left} =="), &format!("{left} !="), 1)
    }

    /// The right path of a predicate, if it compares two locations.
    #[must_use]
    pub fn other(&self, pred: u32) -> Option<String> {
        let row = self.tables.preds.get(pred as usize)?;
        let op = Op::from_number(row.op)?;
        match op.operands().1 {
            Operand::Slot => Some(self.slot(row.b.get())),
            _ if op == Op::Some => None,
            _ if op == Op::Any => self.other(row.b.get()),
            _ if op == Op::Recalled => self.other(row.a.get()),
            _ => None,
        }
    }

    /// The slots that a predicate reads, or from which its nodes start.
    #[must_use]
    pub fn slots(&self, pred: u32) -> Vec<u32> {
        let Some(row) = self.tables.preds.get(pred as usize) else { return Vec::new() };
        let start = |query: u32| self.tables.queries.get(query as usize).map(|query| query.slot.get());
        let Some(op) = Op::from_number(row.op) else { return Vec::new() };
        let mut slots = match op {
            Op::Any => self.slots(row.b.get()),
            Op::Recalled => return self.slots(row.a.get()),
            _ => Vec::new(),
        };
        for (kind, number) in [(op.operands().0, row.a.get()), (op.operands().1, row.b.get())] {
            slots.extend(match kind {
                Operand::Slot => Some(number),
                Operand::Query => start(number),
                Operand::Bound => {
                    let bound = self.tables.bounds.get(number as usize);
                    bound.and_then(|bound| start(bound.query.get()))
                }
                _ => None,
            });
        }
        slots.retain(|slot| *slot < self.tables.slots);
        slots
    }

    /// A predicate about the operand written `left`.
    fn tested(&self, pred: u32, left: &str) -> String {
        let row = self.tables.preds.get(pred as usize);
        let Some((row, op)) = row.and_then(|row| Some((row, Op::from_number(row.op)?))) else {
            return format!("p{pred}");
        };
        infix(op, left, &self.right(op.operands().1, row.b.get()))
    }

    /// The operand, the operator, and the right operand.
    fn sides(&self, pred: u32) -> Option<(String, Op, String)> {
        let row = self.tables.preds.get(pred as usize)?;
        let op = Op::from_number(row.op)?;
        if op == Op::Recalled {
            return self.sides(row.a.get());
        }
        if op == Op::Any {
            let inner = self.tables.preds.get(row.b.get() as usize)?;
            let op = Op::from_number(inner.op)?;
            return Some((self.query(row.a.get()), op, self.right(op.operands().1, inner.b.get())));
        }
        Some((self.slot(row.a.get()), op, self.right(op.operands().1, row.b.get())))
    }

    /// A query as it would be written.
    #[must_use]
    pub fn query(&self, query: u32) -> String {
        let Some(row) = self.tables.queries.get(query as usize) else { return format!("q{query}") };
        let begin = |slot| {
            let root = self.merged(slot).map_or(slot, |(_, root, _)| root);
            self.nodes.get(root as usize).map_or_else(Vec::new, |node| self.steps(*node))
        };
        let (start, found) = super::query::query(&self.tables, row, begin);
        let text = start.map_or_else(|| print::query(false, &found), |start| print::nodes(&start, &found));
        self.clip(&text).to_owned()
    }

    pub(super) fn right(&self, kind: Operand, number: u32) -> String {
        match kind {
            Operand::Slot => self.slot(number),
            Operand::Const => self.constant(number),
            Operand::List => self.list(number),
            Operand::Pattern => self.pattern(number),
            Operand::Schema => super::schema::schema(self, &self.tables, number, self.longest),
            Operand::None
            | Operand::Query
            | Operand::Filter
            | Operand::Value
            | Operand::Pred
            | Operand::Cond
            | Operand::Bound
            | Operand::Effect
            | Operand::Recall
            | Operand::Addr => String::new(),
        }
    }

    /// A predicate about effects as it would be written.
    #[must_use]
    pub fn effect(&self, effect: u32) -> String {
        let row = self.tables.effects.get(effect as usize);
        let text = row.map(|row| crate::effects::text(self.tables.blob_of(row.predicate)));
        text.map_or_else(|| format!("e{effect}"), |text| self.clip(&text).to_owned())
    }

    /// The path of a slot as it would be written; for a merged field, the one at the root.
    #[must_use]
    pub fn slot(&self, slot: u32) -> String {
        if let Some(recall) = self.recall_of(slot) {
            return self.recall(recall, 0);
        }
        let root = self.merged(slot).map_or(slot, |(_, root, _)| root);
        self.nodes.get(root as usize).map_or_else(|| format!("s{slot}"), |node| self.path(*node))
    }

    /// The read of the history whose value a slot is.
    pub(super) fn recall_of(&self, slot: u32) -> Option<u32> {
        let first = (self.tables.slots as usize).saturating_add(self.tables.bounds.len());
        let recall = (slot as usize).checked_sub(first).filter(|at| *at < self.tables.recalls.len());
        recall.and_then(|recall| u32::try_from(recall).ok())
    }

    /// The paths of a slot: of a merged field both, `limit_code | event.limit_code`.
    #[must_use]
    pub fn slot_paths(&self, slot: u32) -> String {
        match self.merged(slot) {
            Some((_, root, nested)) => format!("{} | {}", self.slot(root), self.slot(nested)),
            None => self.slot(slot),
        }
    }

    /// The guard, root and nested slots of a merged field's slot.
    #[must_use]
    pub fn merged(&self, slot: u32) -> Option<(u32, u32, u32)> {
        let row = self.tables.derived.get((slot as usize).checked_sub(self.nodes.len())?)?;
        Some((row.guard.get(), row.root.get(), row.nested.get()))
    }

    /// The path of a node of the trie.
    #[must_use]
    pub fn path(&self, node: u32) -> String {
        shorthand(&self.steps(node))
    }

    fn steps(&self, node: u32) -> Vec<Step> {
        let parent = |node: u32| self.parents.get(node as usize).copied().flatten();
        // Children have higher numbers than parents, so this ends.
        let up = std::iter::successors(parent(node), |(node, _)| parent(*node));
        let step = |(_, name)| match name {
            Name::Member(name) => Step::Name(self.clip(name).to_owned()),
            Name::Element(index) => Step::Index(index),
            Name::View(kind) => Step::View(kind),
        };
        let mut steps: Vec<Step> = up.map(step).collect();
        steps.reverse();
        steps
    }

    /// A constant as JSON.
    #[must_use]
    pub fn constant(&self, constant: u32) -> String {
        match self.tables.constant(constant) {
            Item::Absent => format!("k{constant}"),
            Item::Null => "null".to_owned(),
            Item::Bool(value) => value.to_string(),
            Item::Str(text) => quoted(self.clip(text)),
            Item::Num(text) | Item::Array(text) | Item::Object(text) => self.clip(text).to_owned(),
        }
    }

    /// A list of constants as JSON.
    #[must_use]
    pub fn list(&self, list: u32) -> String {
        let constants = self.tables.list(list).iter().map(|constant| self.constant(constant.get()));
        super::schema::bracketed(constants, ('[', ']'), self.longest)
    }

    /// A regular expression as a literal of a `when` expression.
    #[must_use]
    pub fn pattern(&self, pattern: u32) -> String {
        let row = self.tables.patterns.get(pattern as usize);
        print::literal(row.map_or("", |row| self.clip(self.tables.str(row.text.get()))))
    }

    /// The value of a parameter, as it would be written in an action.
    #[must_use]
    pub fn param(&self, value: ParamValue) -> String {
        match value {
            ParamValue::Template(node) => self.template(node),
            ParamValue::Const(constant) => self.escaped(constant),
        }
    }

    /// A value with placeholders, as it would be written in an action.
    #[must_use]
    pub fn template(&self, node: u32) -> String {
        let mut out = String::new();
        self.write_template(node, &mut out);
        out
    }

    /// Nodes can share children, so the text can be much longer than the module; it is truncated.
    /// The verifier bounds the recursion.
    fn write_template(&self, node: u32, out: &mut String) {
        let Some(row) = self.tables.templates.get(node as usize) else { return };
        if out.len() > self.longest {
            return out.push_str("...");
        }
        match row.form() {
            Some(TemplateForm::Const(id)) => out.push_str(&self.escaped(id)),
            Some(TemplateForm::Slot { slot, default }) => {
                out.push('"');
                self.write_hole(&self.slot(slot), default, out);
                out.push('"');
            }
            Some(TemplateForm::Nodes { query, default }) => {
                out.push('"');
                self.write_hole(&self.query(query), default, out);
                out.push('"');
            }
            Some(TemplateForm::Because(_)) => out.push_str("\"${because}\""),
            Some(TemplateForm::Text(range)) => self.write_text(range, out),
            Some(TemplateForm::Array(range)) => self.write_parts(range, ('[', ']'), out),
            Some(TemplateForm::Object(range)) => self.write_parts(range, ('{', '}'), out),
            None => {}
        }
    }

    /// A constant with the templates undone.
    fn escaped(&self, constant: u32) -> String {
        self.constant(constant).replace("${", "$${")
    }

    fn write_hole(&self, path: &str, default: Option<u32>, out: &mut String) {
        out.push_str("${");
        out.push_str(path);
        if let Some(default) = default {
            out.push_str(" ?? ");
            out.push_str(&self.constant(default));
        }
        out.push('}');
    }

    fn write_text(&self, range: Range, out: &mut String) {
        out.push('"');
        for part in self.picked(range) {
            match self.tables.templates.get(part as usize).and_then(|row| row.form()) {
                Some(TemplateForm::Slot { slot, default }) => self.write_hole(&self.slot(slot), default, out),
                Some(TemplateForm::Because(_)) => out.push_str("${because}"),
                Some(TemplateForm::Const(id)) => {
                    let quoted = self.escaped(id);
                    let inner = quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
                    out.push_str(inner.unwrap_or(&quoted));
                }
                // A verified text has no other parts.
                _ => {}
            }
        }
        out.push('"');
    }

    fn write_parts(&self, range: Range, (open, close): (char, char), out: &mut String) {
        out.push(open);
        let parts: Vec<u32> = self.picked(range).collect();
        let width = if open == '{' { 2 } else { 1 };
        for (at, part) in parts.chunks(width).enumerate() {
            if at > 0 {
                out.push_str(", ");
            }
            if out.len() > self.longest {
                out.push_str("...");
                break;
            }
            match part {
                [key, value] => {
                    out.push_str(&quoted(self.clip(self.tables.str(*key))));
                    out.push_str(": ");
                    self.write_template(*value, out);
                }
                [value] => self.write_template(*value, out),
                _ => {}
            }
        }
        out.push(close);
    }

    fn picked(&self, range: Range) -> impl Iterator<Item = u32> {
        self.tables.indices_of(range).iter().map(|index| index.get())
    }

    pub(super) fn clip<'t>(&self, text: &'t str) -> &'t str {
        let end = text.len().min(self.longest);
        let end = (0..=end).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        text.get(..end).unwrap_or(text)
    }
}
