//! An assembler of modules: constants, lists and paths by value. It can also write modules that a
//! compiler would not.

use hookc_vm::format::Keyword as KeywordRow;
use hookc_vm::format::event::Item;
use hookc_vm::format::keyword::Keyword;
use hookc_vm::format::op::Op;
use hookc_vm::format::{
    Action, Argument, Bound, Check, Const, Derived, Hook, Image, Kind, NODE, NONE, Param, Pattern, Query,
    Range, Row, Segment, Selector, Template, ViewKind, tag,
};
use hookc_vm::{Family, Mode, Module, Strategy};

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    Name(String),
    Index(i64),
    /// The view of the text here.
    View(ViewKind),
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
pub(super) const DERIVED: u32 = 1 << 20;

#[derive(Default)]
pub struct Asm {
    pub image: Image,
    pub(super) paths: Vec<Vec<Step>>,
    pub(super) consts: Vec<String>,
    pub(super) events: Vec<(Family, Strategy, String, Vec<Hook>)>,
    /// The slots of the working directory and of the tool's name, for views.
    pub cwd: Option<u32>,
    pub tool: Option<u32>,
}

pub fn range(start: usize, length: usize) -> Range {
    Range { start: (start as u32).into(), length: (length as u32).into() }
}

pub fn instr(op: Op, a: u32, b: u32) -> Row {
    Row { op: op as u8, a: a.into(), b: b.into() }
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
pub const BOUND: u32 = 1 << 22;

impl Asm {
    pub fn new() -> Self {
        let mut asm = Self::default();
        for path in ["event.type", "hook_event_name", "event_type"] {
            asm.slot(path);
        }
        asm
    }

    /// The slot of a dotted path; segments of digits are indexes, the segments `shell()` and
    /// `file()` lead to the views of a text.
    pub fn slot(&mut self, path: &str) -> u32 {
        for view in [".shell()", ".file()"] {
            if let Some((source, _)) = path.split_once(view) {
                self.slot(source);
            }
        }
        let step = |s: &str| match s.parse() {
            Ok(index) => Step::Index(index),
            Err(_) if s == "shell()" => Step::View(ViewKind::Shell),
            Err(_) if s == "file()" => Step::View(ViewKind::File),
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
        std::str::from_utf8(self.image.string(at).unwrap()).unwrap()
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
        let arguments = (self.image.arguments.len() as u32).into();
        let rows: Vec<Param> = params
            .iter()
            .map(|(key, template, check)| {
                let node = self.template(template).into();
                self.image.arguments.push(Argument { node });
                Param { key: self.string(key).into(), check: check.unwrap_or(NONE).into() }
            })
            .collect();
        let name = self.string(kind).into();
        let kind = (self.image.kinds.len() as u32).into();
        self.image.kinds.push(Kind { name, params: range(self.image.params.len(), rows.len()) });
        self.image.params.extend(rows);
        self.image.actions.push(Action { kind, arguments });
        self.image.actions.len() as u32 - 1
    }

    pub fn event(&mut self, family: Family, name: &str, strategy: Strategy) -> &mut Self {
        self.events.push((family, strategy, name.to_owned(), Vec::new()));
        self
    }

    /// A hook of the event declared last.
    pub fn hook(&mut self, cond: u32, action: u32, mode: Mode) {
        let hook = Hook { cond: cond.into(), action: action.into(), modes: Hook::modes(mode, None, None) };
        self.events.last_mut().unwrap().3.push(hook);
    }

    pub fn module(self) -> Module {
        let mut image = self.finish();
        Self::named(&mut image);
        Module::load(image.encode()).expect("the module loads")
    }
}

fn item(json: &str, mut with: impl FnMut(Item<'_>)) {
    let holder = format!("[{json}]");
    Item::Array(&holder).elements(&mut |item| {
        with(item);
        false
    });
}
