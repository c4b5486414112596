//! From what was added to an [`Asm`] to the tables of a module.

use hookc_vm::format::keyword::{Keyword, Shape};
use hookc_vm::format::number;
use hookc_vm::format::op::{Op, Operand};
use hookc_vm::format::{
    Const, Edge, Event, Image, Label, Location, NODE, NONE, Node, Str, View, ViewKind, tag,
};
use hookc_vm::{Family, Mode, Strategy};

use super::asm::{Asm, BOUND, DERIVED, Step, range};

impl Asm {
    /// The module of one hook with this condition, for the event `e`.
    pub fn one_hook(mut self, cond: u32) -> Image {
        let action = self.action("x", &[]);
        self.event(Family::Thread, "e", Strategy::First);
        self.hook(cond, action, Mode::Enforce);
        self.finish()
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
            image.locations.push(Location { file, line: (at + 1).into(), column: 3.into() });
        }
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
                        Step::View(kind) => {
                            let source = self.paths.iter().position(|path| path == prefix).unwrap() as u32;
                            let tool = self.tool.filter(|_| *kind == ViewKind::Shell);
                            let [cwd, tool] = [self.cwd, tool].map(|slot| slot.unwrap_or(NONE).into());
                            let kind = u32::from(kind.number()).into();
                            let [source, project, stated] = [source, NONE, NONE].map(Into::into);
                            self.image.views.push(View { source, cwd, tool, project, stated, node, kind });
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
