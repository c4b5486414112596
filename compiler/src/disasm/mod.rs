//! The disassembler (`hookc disasm`, `compile --emit asm`): the listing of a
//! module, table by table, in the notation of `docs/bytecode.md`.

pub mod condition;
pub mod describe;
mod history;
mod index;
pub(crate) mod patterns;
pub(crate) mod quantifier;
mod query;
mod reference;
mod rows;
mod schema;

pub use history::kept_paths;
pub use patterns::PatternTexts;
pub use reference::reference;

use std::fmt::Write;

use hookc_base::TemplateTag;
use hookc_base::json::quoted;
use hookc_shell::programs::Described;
use hookc_vm::format::Tables;
use hookc_vm::format::op::{Op, Operand};
use hookc_vm::format::{
    Event, Hook, HookTest, NODE, NONE, ParamValue, Range, Row, Template, TemplateForm, VERSION, ViewKind,
};
use hookc_vm::{Family, Layer, Mode, Strategy};

use crate::plan::types;
use describe::Names;

/// The maximum length of comments and paths in bytes.
const LONGEST: usize = 160;

type Done = std::fmt::Result;

/// The listing of a module. After `;` follows information from other tables.
#[must_use]
pub fn print(tables: &Tables<'_>) -> String {
    let listing = Listing { tables: *tables, names: Names::new(*tables).cut(LONGEST) };
    let mut out = format!("; hookc module, format {VERSION}\n");
    // Writing to a `String` does not fail.
    let _ = listing.all(&mut out);
    out
}

struct Listing<'m> {
    tables: Tables<'m>,
    names: Names<'m>,
}

impl Listing<'_> {
    fn all(&self, out: &mut String) -> Done {
        let t = &self.tables;
        let names = &self.names;
        rows(out, "strings", t.strings.len(), |at| format!("x{at} {}", quoted(t.str(at))))?;
        rows(out, "constants", t.consts.len(), |at| self.constant(at))?;
        rows(out, "lists", t.lists.len(), |at| format!("l{at} [{}] ; {}", self.members(at), names.list(at)))?;
        rows(out, "slots", t.slots as usize, |at| self.slot(at))?;
        rows(out, "views", t.views.len(), |at| self.view(at))?;
        rows(out, "wrappers", t.wrappers.len(), |at| self.wrapper(at))?;
        rows(out, "programs", t.programs.len(), |at| self.program(at))?;
        rows(out, "patterns", t.patterns.len(), |at| format!("r{at} {}", names.pattern(at)))?;
        self.queries(out)?;
        self.schemas(out)?;
        rows(out, "scopes", t.scopes.len(), |at| self.scope(at))?;
        rows(out, "effects", t.effects.len(), |at| self.effect(at))?;
        self.history(out)?;
        rows(out, "predicates", t.preds.len(), |at| self.predicate(at))?;
        if !t.conds.is_empty() {
            writeln!(out, "\nconditions")?;
        }
        (0_u32..).zip(t.conds).try_for_each(|(cond, _)| self.block(cond, out))?;
        rows(out, "templates", t.templates.len(), |at| self.template(at))?;
        rows(out, "checks", t.checks.len(), |at| self.check(at))?;
        if !t.actions.is_empty() {
            writeln!(out, "\nactions")?;
        }
        (0..t.actions.len()).try_for_each(|at| self.action(at, out))?;
        if !t.events.is_empty() {
            writeln!(out, "\nevents")?;
        }
        t.events.iter().try_for_each(|event| self.event(event, out))?;
        self.indexes(out)
    }

    /// Strings are complete in their own table, so other tables only name them.
    fn constant(&self, at: u32) -> String {
        let text = self.tables.consts.get(at as usize).map_or(NONE, |row| row.text.get());
        let named = if text == NONE { String::new() } else { format!(" ; x{text}") };
        format!("k{at} {}{named}", self.names.constant(at))
    }

    fn members(&self, list: u32) -> String {
        self.tables.list(list).iter().map(|id| format!("k{id}")).collect::<Vec<_>>().join(", ")
    }

    fn slot(&self, at: u32) -> String {
        let paths = self.names.slot_paths(at);
        match self.names.merged(at) {
            Some((guard, root, nested)) => format!("s{at} = {paths} ; s{guard} ? s{root} : s{nested}"),
            None => format!("s{at} = {paths}"),
        }
    }

    fn wrapper(&self, at: u32) -> String {
        let Some(wrapper) = self.tables.wrappers.get(at as usize) else { return String::new() };
        let mut out = format!("x{}", wrapper.name);
        for option in self.tables.indices_of(wrapper.options) {
            out.push_str(&format!(" option x{option}"));
        }
        if wrapper.operands.get() > 0 {
            out.push_str(&format!(" operands {}", wrapper.operands));
        }
        format!("{out} ; {}", quoted(self.tables.str(wrapper.name.get())))
    }

    fn program(&self, at: u32) -> String {
        let bytes =
            self.tables.programs.get(at as usize).map_or(&[][..], |range| self.tables.blob_of(*range));
        Described::decode(bytes).map(|program| program.to_string()).unwrap_or_default()
    }

    fn scope(&self, at: u32) -> String {
        let Some(scope) = self.tables.scopes.get(at as usize) else { return String::new() };
        let mut out = format!("g{at} s{}", scope.input);
        let slots = [
            ("tool", scope.tool),
            ("host_tool", scope.host_tool),
            ("cwd", scope.cwd),
            ("project", scope.project),
        ];
        for (name, slot) in slots.into_iter().filter(|(_, slot)| slot.get() != NONE) {
            out.push_str(&format!(" {name} s{slot}"));
        }
        if scope.stated.get() != NONE {
            out.push_str(&format!(" project x{}", scope.stated));
        }
        format!("{out} ; roles of {} bytes", scope.tools.length)
    }

    fn effect(&self, at: u32) -> String {
        let scope = self.tables.effects.get(at as usize).map_or(NONE, |row| row.scope.get());
        format!("e{at} g{scope} ; {}", self.names.effect(at))
    }

    fn view(&self, at: u32) -> String {
        let Some(view) = self.tables.views.get(at as usize) else { return String::new() };
        let kind = view.kind().map_or("?", ViewKind::name);
        let from = if view.text().is_some() { 's' } else { 'g' };
        let mut out = format!("w{at} {kind} {from}{}", view.source);
        let slots = [("cwd", view.cwd), ("tool", view.tool), ("project", view.project)];
        for (name, slot) in slots.into_iter().filter(|(_, slot)| slot.get() != NONE) {
            out.push_str(&format!(" {name} s{slot}"));
        }
        if view.stated.get() != NONE {
            out.push_str(&format!(" project x{}", view.stated));
        }
        format!("{out} ; {}", self.names.path(view.node.get()))
    }

    fn schemas(&self, out: &mut String) -> Done {
        if !self.tables.schemas.is_empty() {
            writeln!(out, "\nschemas")?;
        }
        (0_u32..).zip(self.tables.schemas).try_for_each(|(at, _)| {
            writeln!(out, "  m{at}")?;
            self.tables.keywords_of(at).iter().try_for_each(|row| {
                writeln!(out, "    {}", schema::keyword(&self.names, &self.tables, row, LONGEST))
            })
        })
    }

    fn predicate(&self, at: u32) -> String {
        let row = self.tables.preds.get(at as usize).map_or_else(String::new, instruction);
        format!("p{at} {row} ; {}", self.names.predicate(at))
    }

    fn block(&self, cond: u32, out: &mut String) -> Done {
        writeln!(out, "  c{cond}")?;
        let block = self.tables.block(cond);
        // The two addresses after the rows.
        let verdict = |row: &Row| match (row.b.get() as usize).checked_sub(block.len()) {
            Some(0) => Some("yes"),
            Some(1) => Some("no"),
            _ => None,
        };
        for (at, row) in block.iter().enumerate() {
            let mut code = instruction(row);
            let jumps = Op::from_number(row.op).filter(|op| op.operands().1 == Operand::Addr);
            if let Some(verdict) = jumps.and_then(|_| verdict(row)) {
                code.truncate(code.rfind('@').unwrap_or(code.len()));
                code.push_str(verdict);
            }
            let tested = Op::from_number(row.op).filter(|op| op.operands().0 == Operand::Pred);
            let comment =
                tested.map_or_else(String::new, |_| format!(" ; {}", self.names.predicate(row.a.get())));
            writeln!(out, "    @{at} {code}{comment}")?;
        }
        Ok(())
    }

    /// The reasons of a template: `e0 if c1`.
    fn reasons(&self, template: &Template) -> String {
        let reason = |(test, effect): (HookTest, u32)| match test {
            HookTest::Cond(cond) => format!("e{effect} if c{cond}"),
            HookTest::Pred(pred) => format!("e{effect} if p{pred}"),
        };
        self.tables.reasons_of(template).map(reason).collect::<Vec<_>>().join(", ")
    }

    fn template(&self, at: u32) -> String {
        let Some(row) = self.tables.templates.get(at as usize) else { return String::new() };
        let picked =
            |range: Range| self.tables.indices_of(range).iter().map(|id| id.get()).collect::<Vec<_>>();
        let nodes = |range| picked(range).iter().map(|id| format!("t{id}")).collect::<Vec<_>>().join(", ");
        let or = |default: Option<u32>| default.map_or_else(String::new, |id| format!(" ?? k{id}"));
        let (tag, operands) = match row.form() {
            Some(TemplateForm::Const(id)) => (TemplateTag::Const, format!("k{id}")),
            Some(TemplateForm::Slot { slot, default }) => {
                (TemplateTag::Slot, format!("s{slot}{}", or(default)))
            }
            Some(TemplateForm::Nodes { query, default }) => {
                (TemplateTag::Nodes, format!("q{query}{}", or(default)))
            }
            Some(TemplateForm::Because(_)) => (TemplateTag::Because, self.reasons(row)),
            Some(TemplateForm::Text(range)) => (TemplateTag::Text, nodes(range)),
            Some(TemplateForm::Array(range)) => (TemplateTag::Array, nodes(range)),
            Some(TemplateForm::Object(range)) => (TemplateTag::Object, pairs(&picked(range))),
            None => return format!("t{at} ? {}", row.tag),
        };
        let row = format!("{tag} {operands}");
        format!("t{at} {} ; {}", row.trim_end(), self.names.template(at))
    }

    fn check(&self, at: u32) -> String {
        let Some(row) = self.tables.checks.get(at as usize) else { return String::new() };
        let mut out = format!("h{at} {}", types(row.types.get()));
        if row.allowed.get() != NONE {
            out.push_str(&format!(" in l{}", row.allowed));
        }
        if row.minimum.get() != NONE {
            out.push_str(&format!(" >= k{}", row.minimum));
        }
        out
    }

    fn action(&self, at: usize, out: &mut String) -> Done {
        let Some(action) = self.tables.actions.get(at) else { return Ok(()) };
        writeln!(out, "  a{at} {}", self.tables.kind_of(action))?;
        for (param, argument) in self.tables.params_of(action) {
            let key = self.tables.str(param.key.get());
            let check = if param.check.get() == NONE { String::new() } else { format!(" h{}", param.check) };
            let value = match argument {
                ParamValue::Template(node) => format!("t{node}"),
                ParamValue::Const(constant) => format!("k{constant}"),
            };
            writeln!(out, "    {key} = {value}{check} ; {}", self.names.param(argument))?;
        }
        Ok(())
    }

    fn event(&self, event: &Event, out: &mut String) -> Done {
        let family = Family::from_number(event.family).map_or("?", Family::name);
        let strategy = Strategy::from_number(event.strategy).map_or("?", Strategy::name);
        writeln!(out, "  {family} {} {strategy}", quoted(self.tables.str(event.name.get())))?;
        let reads = self.tables.indices_of(event.reads).iter().map(|node| self.names.path(node.get()));
        writeln!(out, "    reads {}", reads.collect::<Vec<_>>().join(", "))?;
        let whole: Vec<_> =
            self.tables.indices_of(event.whole).iter().map(|slot| format!("s{slot}")).collect();
        if !whole.is_empty() {
            writeln!(out, "    whole {}", whole.join(", "))?;
        }
        let views: Vec<_> =
            self.tables.indices_of(event.views).iter().map(|view| format!("w{view}")).collect();
        if !views.is_empty() {
            writeln!(out, "    views {}", views.join(", "))?;
        }
        if event.index.get() != NONE {
            writeln!(out, "    index i{}", event.index)?;
        }
        let first = event.hooks.start.get() as usize;
        let hooks = self.tables.hooks_of(event).iter().enumerate();
        hooks.into_iter().try_for_each(|(rank, hook)| self.hook(rank, first + rank, hook, out))
    }

    /// A hook by its rank at the event; `row` is that of the whole table.
    fn hook(&self, rank: usize, row: usize, hook: &Hook, out: &mut String) -> Done {
        write!(out, "    {rank}")?;
        if let Some(label) = self.tables.labels.get(row) {
            write!(out, " {}", quoted(self.tables.name(label.name)))?;
        }
        let mode = hook.mode().map_or("?", Mode::name);
        match hook.test() {
            HookTest::Cond(cond) => write!(out, " c{cond}")?,
            HookTest::Pred(pred) => write!(out, " p{pred}")?,
        }
        write!(out, " a{} {mode}", hook.action)?;
        if let Some(on_error) = hook.on_error() {
            write!(out, " on_error={}", on_error.name())?;
        }
        if let Some(on_failure) = hook.on_failure() {
            write!(out, " on_failure={}", on_failure.name())?;
        }
        if let Some(label) = self.tables.labels.get(row) {
            let layer = u8::try_from(label.layer.get()).ok().and_then(Layer::from_number);
            write!(out, " {}", layer.map_or("?", Layer::name))?;
        }
        match self.tables.locations.get(row) {
            Some(place) => {
                let file = self.tables.name(place.file);
                writeln!(out, " ; {file}:{}:{}", place.line, place.column)
            }
            None => writeln!(out),
        }
    }
}

/// A title and one row per line; nothing for an empty table.
fn rows(out: &mut String, title: &str, count: usize, row: impl Fn(u32) -> String) -> Done {
    if count > 0 {
        writeln!(out, "\n{title}")?;
    }
    (0_u32..).take(count).try_for_each(|at| writeln!(out, "  {}", row(at)))
}

/// A row of the predicate table or of code: mnemonic and operands.
fn instruction(row: &Row) -> String {
    let Some(op) = Op::from_number(row.op) else { return format!("? {:#04x}", row.op) };
    let (a, b) = op.operands();
    let mut out = op.mnemonic().to_owned();
    for (kind, number) in [(a, row.a.get()), (b, row.b.get())] {
        if kind == Operand::Slot && number == NODE {
            out.push_str(" @");
        } else if let Some(letter) = letter(kind) {
            out.push_str(&format!(" {letter}{number}"));
        }
    }
    out
}

fn letter(kind: Operand) -> Option<&'static str> {
    match kind {
        Operand::None => None,
        Operand::Slot => Some("s"),
        Operand::Const => Some("k"),
        Operand::List => Some("l"),
        Operand::Pattern => Some("r"),
        Operand::Schema => Some("m"),
        Operand::Query => Some("q"),
        Operand::Filter => Some("f"),
        Operand::Value => Some("v"),
        Operand::Pred => Some("p"),
        Operand::Cond => Some("c"),
        Operand::Addr => Some("@"),
        Operand::Bound => Some("u"),
        Operand::Effect => Some("e"),
        Operand::Recall => Some("h"),
    }
}

fn pairs(picked: &[u32]) -> String {
    let pair = |pair: &[u32]| match pair {
        [key, value] => format!("x{key}: t{value}"),
        _ => String::new(),
    };
    picked.chunks(2).map(pair).collect::<Vec<_>>().join(", ")
}
