//! An assembler of modules for tests: constants, lists and paths by value. It can also write
//! modules that a compiler would not.

#![allow(dead_code, unreachable_pub, reason = "each test file uses its part of it")]

use hookc_vm::format::Image;
use hookc_vm::format::event::Item;
use hookc_vm::format::keyword::{Keyword, Shape};
use hookc_vm::format::number;
use hookc_vm::format::op::{Op, Operand};
use hookc_vm::format::{
    Action, Bound, Check, Const, Derived, Edge, Event, Hook, Keyword as KeywordRow, Label, NODE, NONE, Node,
    Param, Pattern, Place, Query, Range, Row, Segment, Selector, Str, Template, View, tag,
};
use hookc_vm::{DecideOptions, Decision, Module, Scratch};
use hookc_vm::{Family, Mode, Strategy};
use serde_json::Value;

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    Name(String),
    Index(i64),
    /// The value here, read as a command line.
    Shell,
}

/// A template, before it is rows.
#[derive(Clone, Debug)]
pub enum T {
    Const(&'static str),
    Slot(u32),
    Or(u32, &'static str),
    Query(u32, Option<&'static str>),
    Text(Vec<T>),
    Array(Vec<T>),
    Object(Vec<(&'static str, T)>),
}

/// Constants are given as canonical JSON. The second slot of a merged field has this base until the
/// number of slots is known.
const DERIVED: u32 = 1 << 20;

#[derive(Default)]
pub struct Asm {
    pub image: Image,
    paths: Vec<Vec<Step>>,
    consts: Vec<String>,
    events: Vec<(Family, Strategy, String, Vec<Hook>)>,
    /// The slots of the working directory and of the tool's name, for views.
    pub cwd: Option<u32>,
    pub tool: Option<u32>,
}

pub fn range(start: usize, length: usize) -> Range {
    Range { start: (start as u32).into(), length: (length as u32).into() }
}

pub fn instr(op: Op, a: u32, b: u32) -> Row {
    Row { op: op as u8, zero: [0; 3], a: a.into(), b: b.into() }
}

/// A selector other than a slice: 0 a name, 1 all, 2 an index, 4 a filter.
pub fn selector(tag: u8, a: i64) -> Selector {
    Selector { tag, has: 0, zero: [0; 2], a: a.into(), b: 0.into(), c: 0.into() }
}

/// A slice with a step, open at absent bounds.
pub fn slice(start: Option<i64>, end: Option<i64>, step: i64) -> Selector {
    let has = u8::from(start.is_some()) | u8::from(end.is_some()) << 1;
    let (a, b) = (start.unwrap_or(0).into(), end.unwrap_or(0).into());
    Selector { tag: 3, has, zero: [0; 2], a, b, c: step.into() }
}

/// The slot of bound row 0 in a predicate before the module is assembled.
pub const BOUND: u32 = 1 << 29;

impl Asm {
    pub fn new() -> Self {
        let mut asm = Self::default();
        for path in ["event.type", "hook_event_name", "event_type"] {
            asm.slot(path);
        }
        asm
    }

    /// The slot of a dotted path; segments of digits are indexes, the segment `shell()` leads to the
    /// view of a command line.
    pub fn slot(&mut self, path: &str) -> u32 {
        if let Some((source, _)) = path.split_once(".shell()") {
            self.slot(source);
        }
        let step = |s: &str| match s.parse() {
            Ok(index) => Step::Index(index),
            Err(_) if s == "shell()" => Step::Shell,
            Err(_) => Step::Name(s.to_owned()),
        };
        let steps: Vec<Step> = path.split('.').filter(|s| !s.is_empty()).map(step).collect();
        let known = self.paths.iter().position(|p| *p == steps);
        known.unwrap_or_else(|| {
            self.paths.push(steps);
            self.paths.len() - 1
        }) as u32
    }

    /// The slot of a merged field.
    pub fn merged(&mut self, path: &str) -> u32 {
        let field = path.split('.').next().unwrap();
        let (guard, root) = (self.slot(field), self.slot(path));
        let nested = self.slot(&format!("event.{path}"));
        self.image.derived.push(Derived { guard: guard.into(), root: root.into(), nested: nested.into() });
        DERIVED + self.image.derived.len() as u32 - 1
    }

    pub fn string(&mut self, text: &str) -> u32 {
        let at = (0..self.image.strings.len() as u32).find(|at| self.text(*at) == text);
        at.unwrap_or_else(|| self.image.add_string(text))
    }

    fn text(&self, at: u32) -> &str {
        let place: Str = self.image.strings[at as usize];
        let start = place.offset.get() as usize;
        std::str::from_utf8(&self.image.text[start..start + place.length.get() as usize]).unwrap()
    }

    /// A constant by its JSON; numbers change when the module is assembled.
    pub fn constant(&mut self, json: &str) -> u32 {
        let mut canonical = String::new();
        let at = if json.starts_with(['[', '{']) { json } else { json.trim() };
        item(at, |item| item.write_canonical(&mut canonical));
        let known = self.consts.iter().position(|c| *c == canonical);
        known.unwrap_or_else(|| {
            self.consts.push(canonical);
            self.consts.len() - 1
        }) as u32
    }

    pub fn list(&mut self, elements: &[&str]) -> u32 {
        let consts: Vec<u32> = elements.iter().map(|e| self.constant(e)).collect();
        self.image.lists.push(range(self.image.indices.len(), consts.len()));
        self.image.indices.extend(consts.iter().map(|c| zerocopy::little_endian::U32::new(*c)));
        self.image.lists.len() as u32 - 1
    }

    pub fn pattern(&mut self, pattern: &str) -> u32 {
        let text = self.string(pattern).into();
        self.image.patterns.push(Pattern { text });
        self.image.patterns.len() as u32 - 1
    }

    /// A schema: keywords with their operands.
    pub fn schema(&mut self, rows: &[(Keyword, u32, u32, u32)]) -> u32 {
        self.image.schemas.push(range(self.image.keywords.len(), rows.len()));
        self.image.keywords.extend(rows.iter().map(|(keyword, a, b, c)| KeywordRow {
            op: *keyword as u8,
            zero: [0; 3],
            a: (*a).into(),
            b: (*b).into(),
            c: (*c).into(),
        }));
        self.image.schemas.len() as u32 - 1
    }

    pub fn pred(&mut self, op: Op, a: u32, b: u32) -> u32 {
        self.image.preds.push(instr(op, a, b));
        self.image.preds.len() as u32 - 1
    }

    /// A query from a slot or from the current node ([`NONE`]): segments, each with a flag for
    /// descendants.
    pub fn query(&mut self, slot: u32, segments: &[(bool, &[Selector])]) -> u32 {
        let start = self.image.segments.len();
        for (descendant, selectors) in segments {
            let selected = range(self.image.selectors.len(), selectors.len());
            self.image.selectors.extend_from_slice(selectors);
            self.image.segments.push(Segment { tag: u32::from(*descendant).into(), selectors: selected });
        }
        self.image.queries.push(Query { slot: slot.into(), segments: range(start, segments.len()) });
        self.image.queries.len() as u32 - 1
    }

    pub fn name(&mut self, name: &str) -> Selector {
        selector(0, self.string(name).into())
    }

    pub fn filter(&mut self, op: Op, a: u32, b: u32) -> u32 {
        self.image.filters.push(instr(op, a, b));
        self.image.filters.len() as u32 - 1
    }

    pub fn value(&mut self, op: Op, a: u32) -> u32 {
        self.image.values.push(instr(op, a, 0));
        self.image.values.len() as u32 - 1
    }

    /// A predicate that is true for a node of a query.
    pub fn any(&mut self, query: u32, op: Op, b: u32) -> u32 {
        let inner = self.pred(op, NODE, b);
        self.pred(Op::Any, query, inner)
    }

    /// Nodes of a quantifier, or a value below a bound node; [`NONE`] for `up` starts at the query's
    /// slot.
    pub fn bound(&mut self, up: u32, query: u32) -> u32 {
        self.image.bounds.push(Bound { up: up.into(), query: query.into() });
        self.image.bounds.len() as u32 - 1
    }

    pub fn cond(&mut self, rows: &[(Op, u32, u32)]) -> u32 {
        self.image.conds.push(range(self.image.code.len(), rows.len()));
        self.image.code.extend(rows.iter().map(|(op, a, b)| instr(*op, *a, *b)));
        self.image.conds.len() as u32 - 1
    }

    /// A condition that is one predicate.
    pub fn when(&mut self, op: Op, a: u32, b: u32) -> u32 {
        let pred = self.pred(op, a, b);
        self.cond(&[(Op::UnlessPred, pred, 2), (Op::Yes, 0, 0), (Op::No, 0, 0)])
    }

    pub fn always(&mut self) -> u32 {
        self.cond(&[(Op::Yes, 0, 0)])
    }

    pub fn template(&mut self, template: &T) -> u32 {
        let (tag, a, b) = match template {
            T::Const(json) => (0, self.constant(json), 0),
            T::Slot(slot) => (1, *slot, NONE),
            T::Or(slot, json) => (1, *slot, self.constant(json)),
            T::Query(query, default) => (5, *query, default.map_or(NONE, |json| self.constant(json))),
            T::Text(parts) | T::Array(parts) => {
                let nodes: Vec<u32> = parts.iter().map(|part| self.template(part)).collect();
                let picked = self.pick(&nodes);
                (if matches!(template, T::Text(_)) { 2 } else { 3 }, picked, nodes.len() as u32)
            }
            T::Object(members) => {
                let pairs: Vec<u32> =
                    members.iter().flat_map(|(key, t)| [self.string(key), self.template(t)]).collect();
                (4, self.pick(&pairs), pairs.len() as u32)
            }
        };
        self.image.templates.push(Template { tag: tag.into(), a: a.into(), b: b.into() });
        self.image.templates.len() as u32 - 1
    }

    pub fn pick(&mut self, numbers: &[u32]) -> u32 {
        let start = self.image.indices.len();
        self.image.indices.extend(numbers.iter().map(|n| zerocopy::little_endian::U32::new(*n)));
        start as u32
    }

    pub fn check(&mut self, types: u32, allowed: Option<&[&str]>, minimum: Option<&str>) -> u32 {
        let allowed = allowed.map_or(NONE, |list| self.list(list)).into();
        let minimum = minimum.map_or(NONE, |json| self.constant(json)).into();
        self.image.checks.push(Check { types: types.into(), allowed, minimum });
        self.image.checks.len() as u32 - 1
    }

    pub fn action(&mut self, kind: &str, params: &[(&str, T, Option<u32>)]) -> u32 {
        let rows: Vec<Param> = params
            .iter()
            .map(|(key, template, check)| Param {
                key: self.string(key).into(),
                node: self.template(template).into(),
                check: check.unwrap_or(NONE).into(),
            })
            .collect();
        let kind = self.string(kind).into();
        self.image.actions.push(Action { kind, params: range(self.image.params.len(), rows.len()) });
        self.image.params.extend(rows);
        self.image.actions.len() as u32 - 1
    }

    pub fn event(&mut self, family: Family, name: &str, strategy: Strategy) -> &mut Self {
        self.events.push((family, strategy, name.to_owned(), Vec::new()));
        self
    }

    /// A hook of the event declared last.
    pub fn hook(&mut self, cond: u32, action: u32, mode: Mode) {
        let hook = Hook {
            cond: cond.into(),
            action: action.into(),
            mode: mode as u8,
            on_error: 0,
            on_failure: 0,
            zero: 0,
        };
        self.events.last_mut().unwrap().3.push(hook);
    }

    /// The tables, with sorted constants and the paths as a trie.
    pub fn finish(mut self) -> Image {
        self.sort_consts();
        let nodes = self.trie();
        self.image.slots = (self.paths.len() + self.image.derived.len()) as u32;
        let slots = self.paths.len() as u32;
        for row in &mut self.image.preds {
            let (a, b) = Op::from_number(row.op).unwrap().operands();
            let all = self.image.slots;
            let place = |slot: u32| match slot.checked_sub(BOUND).filter(|_| slot != NODE) {
                Some(bound) => all + bound,
                None => derived(slot, slots),
            };
            if a == Operand::Slot {
                row.a = place(row.a.get()).into();
            }
            if b == Operand::Slot {
                row.b = place(row.b.get()).into();
            }
        }
        for query in &mut self.image.queries {
            query.slot = derived(query.slot.get(), slots).into();
        }
        for node in self.image.templates.iter_mut().filter(|node| node.tag.get() == 1) {
            node.a = derived(node.a.get(), slots).into();
        }
        self.events.sort_by(|a, b| (a.0, &a.2).cmp(&(b.0, &b.2)));
        let reads = range(self.image.indices.len(), nodes - 1);
        self.image.indices.extend((1..nodes as u32).map(zerocopy::little_endian::U32::new));
        let whole = range(self.image.indices.len(), slots as usize);
        self.image.indices.extend((0..slots).map(zerocopy::little_endian::U32::new));
        for view in &mut self.image.views {
            view.cwd = derived(view.cwd.get(), slots).into();
            view.tool = derived(view.tool.get(), slots).into();
        }
        let views = range(whole.start.get() as usize, self.image.views.len());
        for (family, strategy, name, hooks) in std::mem::take(&mut self.events) {
            let name = self.string(&name).into();
            let start = self.image.hooks.len();
            self.image.events.push(Event {
                family: family as u8,
                strategy: strategy as u8,
                zero: [0; 2],
                name,
                hooks: range(start, hooks.len()),
                reads,
                whole,
                views,
                index: NONE.into(),
            });
            self.image.hooks.extend(hooks);
        }
        self.image
    }

    /// Names the hooks `h0`, `h1`, ... with their location in `f.yaml`.
    pub fn named(image: &mut Image) {
        let file = Str { offset: 0.into(), length: 6.into() };
        image.names.extend_from_slice(b"f.yaml");
        for at in 0..image.hooks.len() as u32 {
            let name = format!("h{at}");
            let offset = (image.names.len() as u32).into();
            image.names.extend_from_slice(name.as_bytes());
            let name = Str { offset, length: (name.len() as u32).into() };
            image.labels.push(Label { name, layer: 2.into() });
            image.places.push(Place { file, line: (at + 1).into(), column: 3.into() });
        }
    }

    pub fn module(self) -> Module {
        let mut image = self.finish();
        Self::named(&mut image);
        Module::load(image.encode()).expect("the module loads")
    }

    fn sort_consts(&mut self) {
        let mut order: Vec<(u32, String, usize)> =
            self.consts.iter().enumerate().map(|(at, json)| (tag_of(json), json.clone(), at)).collect();
        order.sort_by(|a, b| {
            a.0.cmp(&b.0).then_with(|| match a.0 {
                tag::NUMBER => number::compare(&a.1, &b.1),
                tag::STRING => plain(&a.1).cmp(&plain(&b.1)),
                _ => a.1.cmp(&b.1),
            })
        });
        let mut new = vec![0; order.len()];
        for (at, (kind, json, old)) in order.iter().enumerate() {
            new[*old] = at as u32;
            let text = match *kind {
                tag::NULL | tag::FALSE | tag::TRUE => NONE,
                tag::STRING => self.string(&plain(json)),
                _ => self.string(json),
            };
            self.image.consts.push(Const { tag: (*kind).into(), text: text.into() });
        }
        let renamed = |at: u32| new.get(at as usize).copied().unwrap_or(at);
        for list in &self.image.lists {
            let (start, length) = (list.start.get() as usize, list.length.get() as usize);
            let picked = &mut self.image.indices[start..start + length];
            picked.iter_mut().for_each(|index| *index = renamed(index.get()).into());
            picked.sort_by_key(|index| index.get());
        }
        for row in &mut self.image.preds {
            if Op::from_number(row.op).unwrap().operands().1 == Operand::Const {
                row.b = renamed(row.b.get()).into();
            }
        }
        for row in self.image.values.iter_mut().filter(|row| row.op == Op::Literal as u8) {
            row.a = renamed(row.a.get()).into();
        }
        for row in &mut self.image.keywords {
            let shape = Keyword::from_number(row.op).unwrap().shape();
            if matches!(shape, Shape::Number | Shape::Divisor) {
                row.a = renamed(row.a.get()).into();
            }
        }
        for node in &mut self.image.templates {
            match node.tag.get() {
                0 => node.a = renamed(node.a.get()).into(),
                1 | 5 => node.b = renamed(node.b.get()).into(),
                _ => {}
            }
        }
        for check in &mut self.image.checks {
            check.minimum = renamed(check.minimum.get()).into();
        }
    }

    /// Writes the trie level by level and returns the number of nodes.
    fn trie(&mut self) -> usize {
        let mut prefixes: Vec<Vec<Step>> =
            self.paths.iter().flat_map(|p| (0..=p.len()).map(|n| p[..n].to_vec())).collect();
        prefixes.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
        prefixes.dedup();
        for (at, prefix) in prefixes.iter().enumerate() {
            let start = self.image.edges.len();
            for (child, path) in prefixes.iter().enumerate().skip(at + 1) {
                if path.len() == prefix.len() + 1 && path.starts_with(prefix) {
                    let node = (child as u32).into();
                    let (name, index) = match path.last().unwrap() {
                        Step::Name(name) => (self.string(name), 0),
                        Step::Index(index) => (NONE, *index),
                        Step::Shell => {
                            let source = self.paths.iter().position(|path| path == prefix).unwrap() as u32;
                            let [cwd, tool] = [self.cwd, self.tool].map(|slot| slot.unwrap_or(NONE).into());
                            self.image.views.push(View { source: source.into(), cwd, tool, node });
                            continue;
                        }
                    };
                    self.image.edges.push(Edge { name: name.into(), index: index.into(), node });
                }
            }
            let slot = self.paths.iter().position(|p| p == prefix).map_or(NONE, |slot| slot as u32);
            let edges = range(start, self.image.edges.len() - start);
            self.image.nodes.push(Node { edges, slot: slot.into() });
        }
        prefixes.len()
    }
}

fn derived(slot: u32, slots: u32) -> u32 {
    if slot >= DERIVED && slot != NONE && slot != NODE { slot - DERIVED + slots } else { slot }
}

fn tag_of(json: &str) -> u32 {
    match json.as_bytes()[0] {
        b'n' => tag::NULL,
        b'f' => tag::FALSE,
        b't' => tag::TRUE,
        b'"' => tag::STRING,
        b'[' => tag::ARRAY,
        b'{' => tag::OBJECT,
        _ => tag::NUMBER,
    }
}

fn plain(json: &str) -> String {
    serde_json::from_str(json).unwrap()
}

fn item(json: &str, mut with: impl FnMut(Item<'_>)) {
    let holder = format!("[{json}]");
    Item::Array(&holder).elements(&mut |item| {
        with(item);
        false
    });
}

/// The ranks that decide and that are reported.
pub fn ranks(decision: &Decision<'_>) -> (Vec<u32>, Vec<u32>) {
    (decision.hooks().map(|f| f.rank()).collect(), decision.reported().map(|f| f.rank()).collect())
}

/// Whether all numbers are short enough for a `Value` to preserve them.
fn preserved(event: &str) -> bool {
    !event.split(|c: char| !c.is_ascii_digit() && c != '.').any(|number| number.len() > 15)
}

/// Decides with a fresh scratch, and compares the result from bytes with that from a value.
pub fn decide(module: &Module, event: &str, ask: &DecideOptions<'_>) -> Result<(Vec<u32>, Vec<u32>), String> {
    let (mut a, mut b) = (Scratch::new(), Scratch::new());
    let bytes = module.decide(&mut a, event.as_bytes(), ask).map(|d| ranks(&d)).map_err(|e| e.to_string());
    if let Ok(value) = serde_json::from_str::<Value>(event) {
        let value = module.decide_value(&mut b, &value, ask).map(|d| ranks(&d)).map_err(|e| e.to_string());
        if bytes.is_ok() && preserved(event) {
            assert_eq!(bytes, value, "bytes and value: {event}");
        }
    }
    bytes
}

/// An image with every operation, every kind of template, merged fields,
/// several event types, names: something of everything.
pub fn rich() -> Image {
    let mut asm = Asm::new();
    let (a, b) = (asm.slot("a"), asm.slot("b.c.-1"));
    (asm.cwd, asm.tool) = (Some(asm.merged("cwd")), Some(asm.slot("tool_name")));
    let (ok, commands) = (asm.slot("a.shell().ok"), asm.slot("a.shell().commands"));
    let merged = asm.merged("limit.value");
    let (text, number) = (asm.constant("\"ab\""), asm.constant("10"));
    let list = asm.list(&["null", "1", "\"ab\"", "[1,2]", "{\"k\":1}"]);
    let globs = asm.list(&["\"*.rs\"", "\"{a,b}/**\""]);
    let pattern = asm.pattern("^a.*b$");
    let schema = every_keyword(&mut asm, list, pattern);
    let mut preds = Vec::new();
    for op in Op::ALL.iter().copied().filter(|op| op.operands().0 == Operand::Slot) {
        let right = match (op, op.operands().1) {
            (Op::Glob | Op::GlobFold, _) => globs,
            (Op::Gt | Op::Gte | Op::Lt | Op::Lte, _) => number,
            (_, Operand::Const) => text,
            (_, Operand::List) => list,
            (_, Operand::Pattern) => pattern,
            (_, Operand::Slot) => merged,
            (_, Operand::Schema) => schema,
            _ => 0,
        };
        preds.push(asm.pred(op, if preds.len() % 2 == 0 { a } else { b }, right));
    }
    let nodes = every_query(&mut asm, pattern);
    preds.extend([asm.any(nodes, Op::Contains, text), asm.any(nodes, Op::GteSlot, merged)]);
    let names = {
        let (name, whole) = (asm.name("name"), asm.slot("b.c.-1.shell()"));
        let commands_of = asm.name("commands");
        [
            asm.query(commands, &[(false, &[selector(1, 0)]), (false, &[name])]),
            asm.query(whole, &[(false, &[commands_of])]),
        ]
    };
    preds.extend([
        asm.pred(Op::Exists, ok, 0),
        asm.any(names[0], Op::Eq, text),
        asm.any(names[1], Op::Exists, 0),
    ]);
    let always = asm.always();
    let mut conds = vec![always];
    for pair in preds.chunks(2) {
        let before = *conds.last().unwrap();
        let other = pair.last().copied().unwrap();
        conds.push(asm.cond(&[
            (Op::IfPred, pair[0], 4),
            (Op::UnlessCond, before, 5),
            (Op::IfCond, always, 4),
            (Op::Jump, 0, 5),
            (Op::UnlessPred, other, 6),
            (Op::No, 0, 0),
            (Op::Yes, 0, 0),
        ]));
    }
    let some = quantified(&mut asm, a, text);
    conds.push(asm.cond(&[(Op::IfPred, some, 2), (Op::No, 0, 0), (Op::Yes, 0, 0)]));
    let check = asm.check(4 | 16, Some(&["1", "\"ab\""]), Some("0"));
    let typed = asm.check(127, None, None);
    let object =
        T::Object(vec![("x", T::Slot(a)), ("y", T::Array(vec![T::Or(merged, "[1,2]"), T::Const("null")]))]);
    let rich = [
        ("at", T::Text(vec![T::Const("\"at \""), T::Slot(b), T::Or(a, "\"none\"")]), Some(typed)),
        ("nodes", T::Query(nodes, Some("[]")), Some(typed)),
        ("object", object, None),
        ("value", T::Slot(a), Some(check)),
    ];
    let actions = [asm.action("retry", &rich), asm.action("continue", &[])];
    let types = [
        (Family::Thread, "e", Strategy::First),
        (Family::Thread, "f", Strategy::All),
        (Family::Skill, "g", Strategy::All),
    ];
    for (family, name, strategy) in types {
        asm.event(family, name, strategy);
        for (at, cond) in conds.iter().enumerate() {
            let mode = Mode::ALL[at % 3];
            asm.hook(*cond, actions[at % 2], mode);
        }
    }
    let mut image = asm.finish();
    Asm::named(&mut image);
    image
}

/// A query from a slot with every segment, selector, filter and value.
pub fn every_query(asm: &mut Asm, pattern: u32) -> u32 {
    let (b, whole) = (asm.slot("b"), asm.slot(""));
    let k = asm.name("k");
    let at = asm.query(NONE, &[]);
    let all = asm.query(NONE, &[(false, &[selector(1, 0)])]);
    let below = asm.query(whole, &[(true, &[k])]);
    let one = asm.constant("1");
    let (one, text) = (asm.value(Op::Literal, one), asm.value(Op::Only, at));
    let (count, only) = (asm.value(Op::Count, all), asm.value(Op::Only, below));
    let length = asm.value(Op::Length, text);
    let rows = [
        (Op::Has, all, 0),
        (Op::Same, count, one),
        (Op::Less, text, one),
        (Op::AtMost, length, one),
        (Op::Match, text, pattern),
        (Op::MatchValue, text, only),
        (Op::SearchValue, text, only),
    ];
    let rows: Vec<u32> = rows.into_iter().map(|(op, a, b)| asm.filter(op, a, b)).collect();
    let some = asm.filter(Op::OneOf, rows[1], rows[6]);
    let not = asm.filter(Op::Not, rows[0], 0);
    let whole = asm.filter(Op::All, some, not);
    let nested = asm.query(NONE, &[(false, &[selector(4, whole.into())])]);
    let has = asm.filter(Op::Has, nested, 0);
    let either = asm.filter(Op::OneOf, whole, has);
    let selectors = [k, selector(2, -1), slice(Some(-2), None, -1), selector(4, either.into())];
    asm.query(b, &[(true, &selectors), (false, &[slice(None, Some(5), 2), selector(1, 0)])])
}

/// A schema with every keyword, of itself and of others.
pub fn every_keyword(asm: &mut Asm, list: u32, pattern: u32) -> u32 {
    use hookc_vm::format::keyword::Format;
    let never = asm.schema(&[(Keyword::Never, 0, 0, 0)]);
    let format = asm.schema(&[(Keyword::Type, 16, 0, 0), (Keyword::Format, Format::Uuid as u32, 0, 0)]);
    let own = format + 1;
    let (a, k, other) = (asm.string("a"), asm.string("k"), asm.string("other"));
    let number = asm.constant("2.5");
    let rows = Keyword::ALL.iter().filter(|keyword| **keyword != Keyword::Never).map(|keyword| {
        let mut ranged = |numbers: &[u32]| (asm.pick(numbers), numbers.len() as u32, 0);
        let (a, b, c) = match keyword.shape() {
            Shape::None => (0, 0, 0),
            Shape::Types => (127, 0, 0),
            Shape::List => (list, 0, 0),
            Shape::Number | Shape::Divisor => (number, 0, 0),
            Shape::Count => (if keyword.mnemonic().starts_with("min") { 0 } else { 9 }, 0, 0),
            Shape::Pattern => (pattern, 0, 0),
            Shape::Format => (Format::Regex as u32, 0, 0),
            Shape::Names => ranged(&[k]),
            Shape::NamePairs => ranged(&[other, k]),
            Shape::Child => (own, 0, 0),
            Shape::ChildFrom => (own, 1, 0),
            Shape::Children => ranged(&[own, format]),
            Shape::Contains => (own, 0, NONE),
            Shape::NamedChildren => ranged(&[a, own, k, format]),
            Shape::PatternChildren => ranged(&[pattern, own]),
            Shape::Inner => (never, 0, 0),
            Shape::Inners => ranged(&[format, never]),
            Shape::Branch => (format, never, NONE),
            Shape::NamedInners => ranged(&[a, format]),
        };
        (*keyword, a, b, c)
    });
    let rows: Vec<_> = rows.collect();
    asm.schema(&rows)
}

/// Events that reach into all of [`rich`].
pub const EVENTS: &[&str] = &[
    r#"{"event_type":"e"}"#,
    r#"{"event_type":"f","a":"ab","b":{"c":[1,"AB"]},"limit":{"value":"ab"}}"#,
    r#"{"event_type":"f","a":10,"b":{"c":[12]},"event":{"limit":{"value":[10,12]}}}"#,
    r#"{"event_type":"g","a":["ab",[1,2],{"k":1}],"b":{"c":[[1.0,2]]},"limit":{"value":null}}"#,
    r#"{"event":{"type":"e","limit":{"value":1}},"a":1e3,"b":{"c":[true,{"k":1e0}]}}"#,
    r#"{"hook_event_name":"g","a":"src/x.rs","b":{"c":["a/b"]},"limit":{"value":"A"}}"#,
    r#"{"event_type":"nothing of it","a":{}}"#,
    r#"{"event_type":"e","a":"sudo rm -rf \"$x\" | sh","cwd":"/r","b":{"c":["ls","x\\","\u0061 >b"]}}"#,
    r#"{"event_type":"f","a":["echo","it's"],"event":{"cwd":"/r"},"b":{"c":["echo '"]}}"#,
    r#"{"event_type":"g","a":"dir","tool_name":"PowerShell","b":{"c":[7]}}"#,
];

/// Exercises every operation of a module.
pub fn exercise(module: &Module, scratch: &mut Scratch) {
    let _ = (module.hash(), module.is_stripped(), module.events().count(), format!("{module:?}"));
    for event in EVENTS {
        let all = DecideOptions::default().strategy(Strategy::All);
        let step = DecideOptions::default().after(Some(2)).event("f").family(Family::Thread);
        for ask in [DecideOptions::default(), all, step] {
            if let Ok(decision) = module.decide(scratch, event.as_bytes(), &ask) {
                for fired in decision.hooks().chain(decision.reported()) {
                    let mut out = String::new();
                    let rendered = fired.render(&mut out);
                    if rendered.is_ok() {
                        serde_json::from_str::<Value>(&out).expect("an action is JSON");
                    }
                    let _ = format!("{fired:?} {rendered:?}");
                }
            }
        }
        let _ = module
            .trace(scratch, event.as_bytes(), &DecideOptions::default())
            .map(|trace| format!("{trace:?}"));
    }
}

/// States the hash of the bytes in their header.
pub fn rehash(bytes: &mut [u8]) {
    let field = std::mem::offset_of!(hookc_vm::format::Header, hash);
    bytes[field..field + 32].fill(0);
    let hash = blake3::hash(bytes);
    bytes[field..field + 32].copy_from_slice(hash.as_bytes());
}

/// A change to a valid module, and the loader's message.
pub type Break = (fn(&mut Image), &'static str);

/// A quantifier in a quantifier, with every instruction for bound nodes.
///
/// `some(x in slot: not (x.k == text or some(y in x: y == x or y == slot)) or x == slot)`
pub fn quantified(asm: &mut Asm, slot: u32, text: u32) -> u32 {
    let k = asm.name("k");
    let all = selector(1, 0);
    let outer = asm.query(slot, &[(false, &[all])]);
    let (node, member, children) =
        (asm.query(NONE, &[]), asm.query(NONE, &[(false, &[k])]), asm.query(NONE, &[(false, &[all])]));
    let nodes = asm.bound(NONE, outer);
    let (x, x_k, of_x) = (asm.bound(0, node), asm.bound(0, member), asm.bound(0, children));
    let x_out = asm.bound(1, node);
    let (same, is_slot) =
        (asm.pred(Op::EqSlot, BOUND + x, BOUND + x_out), asm.pred(Op::EqSlot, BOUND + x, slot));
    let ends = |asm: &mut Asm, rows: &[(Op, u32, u32)]| {
        let rows: Vec<_> = rows.iter().copied().chain([(Op::Yes, 0, 0), (Op::No, 0, 0)]).collect();
        asm.cond(&rows)
    };
    let inner = ends(asm, &[(Op::IfBound, same, 2), (Op::UnlessBound, is_slot, 3)]);
    let inner = asm.pred(Op::Some, of_x, inner);
    let is_text = asm.pred(Op::Eq, BOUND + x_k, text);
    let group = ends(asm, &[(Op::IfBound, is_text, 2), (Op::UnlessBound, inner, 3)]);
    let body = ends(
        asm,
        &[(Op::UnlessBoundCond, group, 3), (Op::UnlessBound, is_slot, 4), (Op::IfBoundCond, group, 3)],
    );
    asm.pred(Op::Some, nodes, body)
}

/// Every change to a valid module is rejected with its message.
pub fn refused(sound: fn() -> Image, breaks: &[Break]) {
    let mut wrong = Vec::new();
    for (at, (damage, expected)) in breaks.iter().enumerate() {
        let mut image = sound();
        damage(&mut image);
        let found = Module::load(image.encode()).map_or_else(|e| e.to_string(), |_| "nothing".to_owned());
        if !found.contains(expected) {
            wrong.push(format!("{at}: expected `{expected}`, found `{found}`"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
