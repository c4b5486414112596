//! What the loader rejects, and its messages.

use crate::common;

use hookc_shell::effects::{Predicate, Tools};
use hookc_shell::programs::Described;
use hookc_shell::programs::draft;

use common::{Asm, T, amount, end, exercise, instr, opened, range, rehash, rich};
use common::{equal_keys, index_within_index, nested_indexes, two_buckets};
use hookc_vm::format::keyword::Keyword;
use hookc_vm::format::op::Op;
use hookc_vm::format::{
    Const, Edge, Effect, INLINE, INLINE_RANK, Image, Key, NODE, NONE, Row, Scope, Segment, Selector,
    Template, View, Wrapper, tag,
};
use hookc_vm::limits::{EFFECT_BYTES, INDEX_DEPTH};
use hookc_vm::{DecideOptions, Family, LoadError, Mode, Module, Scratch, Strategy};

fn refusal(bytes: Vec<u8>) -> String {
    Module::load(bytes).expect_err("it is refused").to_string()
}

/// The error for [`rich`] after a change to its bytes, with a corrected hash.
fn of_bytes(change: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut bytes = rich().encode();
    change(&mut bytes);
    rehash(&mut bytes);
    refusal(bytes)
}

fn put(bytes: &mut [u8], at: usize, number: u32) {
    bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
}

/// The position of entry `n` of the directory.
fn entry(n: usize) -> usize {
    64 + 12 * n
}

#[test]
fn good_modules_load() {
    let module = Module::load(rich().encode()).unwrap();
    exercise(&module, &mut Scratch::new());
    assert_eq!(module.bytes(), rich().encode(), "equal tables, equal bytes");
    let least = Module::load(Image::minimal().encode()).unwrap();
    exercise(&least, &mut Scratch::new());
    assert!(!least.is_stripped() && least.events().len() == 0);
    assert_ne!(least.hash(), module.hash());
}

#[test]
fn headers() {
    for (at, number, expected) in [
        (0, 0, "not a hookc module: the magic number is wrong"),
        (8, 1, "format version 1, but this program reads version 5: compile the module again"),
        (12, 8, "the module needs features that this program does not support (bits 0x8)"),
        (28, 1, "the header's reserved field is not zero"),
    ] {
        assert_eq!(of_bytes(|bytes| put(bytes, at, number)), expected);
    }
    assert!(of_bytes(|bytes| bytes.push(0)).contains("but the module has"));
    let mut bytes = rich().encode();
    *bytes.last_mut().unwrap() ^= 1;
    assert_eq!(refusal(bytes), "the hash of the bytes differs from the header");
    assert_eq!(refusal(b"hookc\0".to_vec()), "6 bytes are too few for a module");
    assert_eq!(refusal(b"#!/bin/sh".to_vec()), "not a hookc module: the magic number is wrong");
}

#[test]
fn sections() {
    for (field, number, expected) in [
        (entry(1), 1, "section 1 (kind 1, text): duplicate section"),
        (entry(1), 0, "section 1 (kind 0, unknown): unknown section"),
        (entry(2), 63, "section 2 (kind 63, unknown): unknown section"),
        (entry(2), 200, "section 2 (kind 200, unknown): unknown section"),
        (entry(3), 1, "section 3 (kind 1, text): sections are not ascending"),
        (entry(1) + 4, 12, "section 1 (kind 2, strings): the offset is not a multiple of 8"),
        (entry(1) + 4, 64, "section 1 (kind 2, strings): it overlaps the previous section"),
        (entry(1) + 8, 1 << 30, "section 1 (kind 2, strings): it ends after the end of the module"),
        (entry(1) + 8, 0, "section 1 (kind 2, strings): it is empty and must be absent"),
        (entry(1) + 8, 9, "section 1 (kind 2, strings): its length is not a whole number of rows"),
        (20, 1 << 28, "section 268435456 (kind 0, unknown): the directory is longer than the module"),
    ] {
        assert_eq!(of_bytes(|bytes| put(bytes, field, number)), expected);
    }
    let stray = "bytes outside all sections at offset";
    let last = |bytes: &mut Vec<u8>| {
        let sections = u32::from_le_bytes(bytes[20..24].try_into().unwrap());
        put(bytes, 20, sections - 1);
    };
    assert!(of_bytes(last).starts_with(stray), "the last section is not listed");
    let longer = |bytes: &mut Vec<u8>| {
        bytes.extend([0; 8]);
        let length = bytes.len() as u32;
        put(bytes, 16, length);
    };
    assert!(of_bytes(longer).starts_with(stray), "zeros behind the end");
    let padding = |bytes: &mut Vec<u8>| {
        let text = |at| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let end = text(entry(0) + 4) + text(entry(0) + 8);
        assert!(!end.is_multiple_of(8), "the text is padded");
        bytes[end] = 1;
    };
    assert!(of_bytes(padding).starts_with(stray), "padding that is not zero");
}

/// Each check of the verifier: the change that violates it, and the message.
const BREAKS: &[common::Break] = &[
    (|i| i.text[0] = 0xff, "text row 0: not UTF-8"),
    (|i| i.strings[0] = 1_000_000.into(), "strings row 0: not a range of whole characters"),
    (|i| i.strings[1] = 0.into(), "strings row 1: not a range of whole characters"),
    (|i| i.strings.truncate(1), "a byte belongs to no string"),
    (|i| i.consts[0].tag = 7.into(), "consts row 0: an unknown tag"),
    (|i| i.consts[0].text = 0.into(), "consts row 0: a string for a constant without one"),
    (|i| i.consts[1].text = end(&i.strings).into(), "consts row 1: the string is out of range"),
    (|i| i.consts.swap(1, 2), "consts row 2: not above the constant before it"),
    (|i| i.consts[1].text = i.add_string("01").into(), "consts row 1: not canonical"),
    (|i| i.consts[1].text = i.add_string("1.0").into(), "consts row 1: not canonical"),
    (|i| last(&mut i.consts).tag = 5.into(), "not canonical"),
    (|i| last(&mut i.consts).text = i.add_string("{\"k\": 1}").into(), "not canonical"),
    (|i| array(i).tag = 6.into(), "not canonical"),
    (|i| i.consts.push(i.consts[0]), "not above the constant before it"),
    (|i| i.lists[0].length = 1000.into(), "lists row 0: a range out of range"),
    (|i| i.indices.swap(0, 1), "lists row 0: not ascending"),
    (|i| i.indices[4] = end(&i.consts).into(), "lists row 0: a constant is out of range"),
    (|i| i.patterns[0].text = end(&i.strings).into(), "patterns row 0: the string is out of range"),
    (|i| i.slots = 0, "derived row 2: more derived slots than slots"),
    (|i| i.slots += 1000, "fewer nodes than slots"),
    (|i| i.slots += 1, "nodes row 20: a slot is at no node"),
    (|i| (i.nodes.clear(), i.views.clear()).0, "nodes row 0: no root"),
    (|i| i.nodes[2].edges = i.nodes[0].edges, "nodes row 2: edges out of range, or another node's"),
    (|i| i.nodes[5].slot = i.slots.into(), "nodes row 5: a slot out of range, or another node's"),
    (|i| i.nodes[5].slot = i.nodes[1].slot, "a slot"),
    (|i| i.nodes.push(*i.nodes.last().unwrap()), "no edge leads here"),
    (|i| i.edges[0].name = end(&i.strings).into(), "edges row 0: the name is out of range"),
    (|i| i.edges[0].index = 1.into(), "edges row 0: an index next to a name"),
    (|i| i.edges[0].node = 0.into(), "edges row 0: the child is not above its parent"),
    (|i| i.edges[0].node = end(&i.nodes).into(), "edges row 0: the child is out of range, or another's"),
    (|i| i.edges[1].node = i.edges[0].node, "edges row 1: the child is out of range, or another's"),
    (|i| i.edges.push(i.edges[0]), "an edge belongs to no node"),
    (|i| i.edges.swap(0, 1), "edges row 1: not above the edge before it"),
    (|i| i.edges[1].name = i.edges[0].name, "edges row 1: not above the edge before it"),
    (|i| swap_slots(i, 0, 3), "not the slot of its type path"),
    (|i| i.derived[0].guard = i.slots.into(), "derived row 0: an operand is not a slot of the trie"),
    (|i| i.derived[0].nested = (i.slots - 1).into(), "derived row 0: an operand is not a slot of the trie"),
    (
        |i| i.derived[0].nested = (i.slots - end(&i.derived)).into(),
        "derived row 0: an operand is not a slot of the trie",
    ),
    (|i| i.derived[0].guard = in_view(i).into(), "derived row 0: the guard lies in a view"),
    (|i| i.views[0].node = end(&i.nodes).into(), "views row 0: the node is out of range"),
    (|i| i.views[0].node = 0.into(), "views row 0: not above the view before it"),
    (|i| i.views.swap(0, 1), "views row 1: not above the view before it"),
    (|i| i.views[1].node = i.views[0].node, "views row 1: not above the view before it"),
    (|i| i.views[0].node = i.edges[0].node, "edges row 0: the child is out of range, or another's"),
    (|i| i.edges[0].node = i.views[0].node, "edges row 0: the child is out of range, or another's"),
    (|i| i.views[0].kind = 4.into(), "views row 0: an unknown kind"),
    (|i| i.views[0].kind = 3.into(), "views row 0: a tool, which only a command line has"),
    (|i| i.views[0].kind = 2.into(), "views row 0: a tool, which only a command line has"),
    (|i| effects(i), "views row 0: effects without a row of scopes"),
    (|i| i.views[0].project = 0.into(), "views row 0: a project without a file"),
    (|i| i.views[0].stated = 0.into(), "views row 0: a project without a file"),
    (|i| i.views[0].kind = 256.into(), "views row 0: an unknown kind"),
    (|i| i.views[0].kind = 1.into(), "views row 0: a tool, which only a command line has"),
    (|i| i.views.truncate(1), "no edge leads here, and no view"),
    (|i| i.views[0].source = 1000.into(), "views row 0: the source is not a slot of the trie"),
    (|i| i.views[0].source = (i.slots - 1).into(), "views row 0: the source is not a slot of the trie"),
    (|i| i.views[0].source = i.views[1].source, "views row 0: the source is not below the view's node"),
    (|i| source_itself(i), "the source is not below the view's node"),
    (|i| i.views[1].source = in_view(i).into(), "views row 1: the source lies in a view"),
    (|i| i.views[0].cwd = i.slots.into(), "views row 0: the directory is out of range"),
    (|i| i.views[0].cwd = in_view(i).into(), "views row 0: the directory lies in a view"),
    (|i| i.derived[0].root = in_view(i).into(), "views row 0: the directory lies in a view"),
    (|i| i.derived[0].nested = in_view(i).into(), "views row 0: the directory lies in a view"),
    (|i| i.views[1].tool = i.slots.into(), "views row 1: the tool is out of range"),
    (|i| i.views[1].tool = in_view(i).into(), "views row 1: the tool lies in a view"),
    (|i| i.preds[0].op = 0, "preds row 0: not a predicate"),
    (|i| i.preds[0].op = Op::Yes as u8, "preds row 0: not a predicate"),
    (|i| i.preds[0].a = i.slots.into(), "preds row 0: operand a is out of range"),
    (|i| i.preds[0].b = 1.into(), "preds row 0: operand b is out of range"),
    (|i| pred(i, Op::Eq).b = end(&i.consts).into(), "operand b is out of range"),
    (|i| pred(i, Op::In).b = end(&i.lists).into(), "operand b is out of range"),
    (|i| pred(i, Op::Regex).b = end(&i.patterns).into(), "operand b is out of range"),
    (|i| pred(i, Op::EqSlot).b = i.slots.into(), "operand b is out of range"),
    (|i| pred(i, Op::Gt).b = 0.into(), "a constant that the operation does not take"),
    (|i| pred(i, Op::StartsWith).b = 0.into(), "a constant that the operation does not take"),
    (|i| pred(i, Op::EndsWithFold).b = 1.into(), "a constant that the operation does not take"),
    (
        |i| pred(i, Op::Contains).b = (i.consts.len() as u32 - 1).into(),
        "a constant that the operation does not take",
    ),
    (|i| pred(i, Op::Glob).b = 0.into(), "the list is not of globs"),
    // A predicate about the nodes of a query, compared with the slot after the last one, and with a bound node.
    (|i| of_node(i, Op::GteSlot).b = i.slots.into(), "operand b is out of range"),
    (|i| of_node(i, Op::GteSlot).b = (i.slots + 1).into(), "operand b is out of range"),
    (|i| of_node(i, Op::Contains).b = end(&i.consts).into(), "operand b is out of range"),
    (|i| tests_later(i), "a quantifier's condition tests it before it"),
    (|i| i.keywords[2] = i.keywords[1], "keywords row 2: not after the previous keyword"),
    (|i| filtered_value(i), "filters row 2: it refers to itself or to a later one"),
    (|i| i.conds[0].length = 0.into(), "a row belongs to no condition"),
    (|i| i.conds[0].start = 1000.into(), "conds row 0: a block out of range, or another condition's"),
    (|i| i.conds[2] = i.conds[1], "conds row 2: a block out of range, or another condition's"),
    (|i| i.code.push(i.code[0]), "a row belongs to no condition"),
    (|i| i.code[0].op = Op::Eq as u8, "code row 0: not an instruction"),
    (|i| i.code[0].b = 1.into(), "code row 0: operand b is not a later row of the block"),
    (|i| i.code[1].a = end(&i.preds).into(), "code row 1: operand a is out of range"),
    (|i| i.code[1].b = 0.into(), "code row 1: operand b is not a later row of the block"),
    (|i| i.code[1].b = 9.into(), "code row 1: operand b is not a later row of the block"),
    (|i| i.code[2].a = 1.into(), "code row 2: operand a is out of range"),
    (|i| i.code[7] = instr(Op::IfPred, 0, 9), "code row 7: operand b is not a later row of the block"),
    (|i| i.checks[0].types = 128.into(), "checks row 0: an unknown type"),
    (|i| i.checks[0].allowed = end(&i.lists).into(), "checks row 0: the list is out of range"),
    (|i| i.checks[0].minimum = 0.into(), "checks row 0: the minimum is not a number constant"),
    (|i| template(i, 0).a = end(&i.consts).into(), "the constant is out of range"),
    (|i| template(i, 0).b = 1.into(), "a second operand next to a constant"),
    (|i| template(i, 1).a = i_slots(i).into(), "the slot is out of range"),
    (|i| template(i, 1).b = end(&i.consts).into(), "the default is out of range"),
    (|i| template(i, 2).a = 1000.into(), "a range out of range"),
    (|i| template(i, 3).tag = 7.into(), "an unknown tag"),
    (|i| template(i, 3).tag = 6.into(), "a reason that is not a test with a predicate about effects"),
    (|i| template(i, 4).b = 3.into(), "keys are not pairs, strings, and ascending"),
    (|i| same_keys(i), "keys are not pairs, strings, and ascending"),
    (|i| own_child(i), "a child is not below its parent"),
    (|i| template(i, 3).tag = 2.into(), "text of an operand that is neither a string, a slot nor a reason"),
    (|i| i.params[0].key = end(&i.strings).into(), "params row 0: the name is out of range"),
    (|i| i.arguments[0].node = end(&i.templates).into(), "arguments row 0: the value is out of range"),
    (|i| i.params[0].check = end(&i.checks).into(), "params row 0: the check is out of range"),
    (|i| i.params.swap(0, 1), "kinds row 0: parameters are not ascending"),
    (|i| i.params[2].key = i.add_string("type").into(), "kinds row 0: a parameter has the name `type`"),
    (|i| i.actions[0].kind = end(&i.kinds).into(), "actions row 0: the kind is out of range"),
    (|i| i.actions[0].arguments = 1000.into(), "actions row 0: arguments out of range"),
    (|i| i.kinds[0].name = end(&i.strings).into(), "kinds row 0: the name is out of range"),
    (|i| i.kinds[0].params = range(3, 2), "kinds row 0: parameters out of range"),
    (|i| i.events[0].family = 5, "events row 0: an unknown family"),
    (|i| i.events[0].strategy = 2, "events row 0: an unknown strategy"),
    (|i| i.events[0].zero = [0, 1], "events row 0: a reserved field is not zero"),
    (|i| i.events[0].name = end(&i.strings).into(), "events row 0: the name is out of range"),
    (|i| i.events.swap(0, 1), "events row 1: not above the event type before it"),
    (|i| i.events[1].name = i.events[0].name, "events row 1: not above the event type before it"),
    (|i| i.events[1].hooks = i.events[0].hooks, "events row 1: hooks out of range, or another event type's"),
    (|i| i.events[0].hooks.start = 1000.into(), "events row 0: hooks out of range, or another event type's"),
    (|i| i.events[0].hooks.length = 1.into(), "a hook belongs to no event type"),
    (|i| i.events[0].reads.start = 1000.into(), "events row 0: a range out of range"),
    (
        |i| i.events[0].reads = range(0, i.indices.len()),
        "events row 0: read nodes out of range, or not ascending",
    ),
    (
        |i| i.events[1].reads = range(0, i.indices.len()),
        "events row 1: read nodes out of range, or not ascending",
    ),
    (
        |i| i.events[0].whole = range(0, i.indices.len()),
        "events row 0: whole slots out of range, or not ascending",
    ),
    (|i| i.events[0].views.start = 100_000.into(), "events row 0: a range out of range"),
    (|i| i.events[0].views.length = 3.into(), "events row 0: views out of range, or not ascending"),
    (|i| i.events[0].views = range(0, 17), "events row 0: too many views"),
    (|i| i.hooks[0].cond = end(&i.conds).into(), "hooks row 0: the condition is out of range"),
    (
        |i| i.hooks[0].cond = (INLINE | end(&i.preds)).into(),
        "hooks row 0: the predicate is out of range, or tests a node",
    ),
    (
        |i| i.arguments[0].node = (INLINE | end(&i.consts)).into(),
        "arguments row 0: the value is out of range",
    ),
    (|i| i.hooks[0].action = end(&i.actions).into(), "hooks row 0: the action is out of range"),
    (|i| i.hooks[0].modes = 3, "hooks row 0: an unknown mode, `on_error` or `on_failure`"),
    (|i| i.hooks[0].modes = 3 << 4, "hooks row 0: an unknown mode, `on_error` or `on_failure`"),
    (|i| i.hooks[0].modes = 1 << 6, "hooks row 0: an unknown mode, `on_error` or `on_failure`"),
    (|i| i.labels.truncate(3), "labels row 3: not a label per hook"),
    (|i| i.locations.truncate(3), "locations row 3: not a location per hook"),
    (|i| (i.labels.clear(), i.locations.clear()).0, "names row 0: unused names"),
    (|i| i.names[2] = 0xff, "names row 2: not UTF-8"),
    (|i| i.labels[1].layer = 5.into(), "labels row 1: an unknown layer"),
    (|i| i.labels[1].name.length = 10_000.into(), "labels row 1: not a range of whole characters"),
    (|i| i.locations[1].file.length = 10_000.into(), "locations row 1: not a range of whole characters"),
    (|i| i.locations[1].line = 0.into(), "locations row 1: lines and columns count from 1"),
    (|i| i.locations[1].column = 0.into(), "locations row 1: lines and columns count from 1"),
];

fn last<T>(rows: &mut [T]) -> &mut T {
    rows.last_mut().unwrap()
}

/// The last constant that is an array.
fn array(image: &mut Image) -> &mut Const {
    image.consts.iter_mut().rfind(|constant| constant.tag.get() == tag::ARRAY).unwrap()
}

fn of_node(image: &mut Image, op: Op) -> &mut Row {
    image.preds.iter_mut().find(|row| row.op == op as u8 && row.a.get() == NODE).unwrap()
}

/// The condition of a quantifier tests a predicate after the quantifier, which does not lead back to it.
fn tests_later(image: &mut Image) {
    let later = end(&image.preds);
    image.preds.push(instr(Op::Exists, 0, 0));
    let quantifier = image.preds.iter().find(|row| row.op == Op::Some as u8).unwrap();
    let block = image.conds[quantifier.b.get() as usize];
    image.code[block.start.get() as usize] = instr(Op::IfPred, later, 2);
}

/// The query of a value has a filter that comes after those which compare the value.
fn filtered_value(image: &mut Image) {
    let query = image.values.iter().find(|row| row.op == Op::Only as u8).unwrap().a.get();
    let last =
        |selector: &Selector| selector.tag == 4 && selector.a.get() + 1 == i64::from(end(&image.filters));
    let selector = image.selectors.iter().position(last).unwrap();
    let selectors = range(selector, 1);
    image.queries[query as usize].segments = range(image.segments.len(), 1);
    image.segments.push(Segment { tag: 0.into(), selectors });
}

fn i_slots(image: &Image) -> u32 {
    image.slots
}

/// A slot in the first view.
fn in_view(image: &Image) -> u32 {
    let root = image.nodes[image.views[0].node.get() as usize];
    let edge = image.edges[root.edges.start.get() as usize];
    image.nodes[edge.node.get() as usize].slot.get()
}

/// A view of a value whose own node has a slot reads that slot.
fn source_itself(image: &mut Image) {
    let slot_of = |view: &View| image.nodes[view.node.get() as usize].slot;
    let at = image.views.iter().position(|view| slot_of(view).get() != NONE).unwrap();
    image.views[at].source = slot_of(&image.views[at]);
}

fn pred(image: &mut Image, op: Op) -> &mut Row {
    image.preds.iter_mut().find(|row| row.op == op as u8).unwrap()
}

fn template(image: &mut Image, tag: u32) -> &mut Template {
    image.templates.iter_mut().find(|node| node.tag.get() == tag).unwrap()
}

fn swap_slots(image: &mut Image, a: u32, b: u32) {
    for node in &mut image.nodes {
        let slot = node.slot.get();
        node.slot = if slot == a {
            b
        } else if slot == b {
            a
        } else {
            slot
        }
        .into();
    }
}

fn same_keys(image: &mut Image) {
    let start = template(image, 4).a.get() as usize;
    image.indices[start + 2] = image.indices[start];
}

fn own_child(image: &mut Image) {
    let at = image.templates.iter().position(|node| node.tag.get() == 3).unwrap();
    let start = image.templates[at].a.get() as usize;
    image.indices[start] = (at as u32).into();
}

/// A view of effects in place of that of a text.
fn effects(image: &mut Image) {
    (image.views[0].kind, image.views[0].tool) = (2.into(), NONE.into());
}

#[test]
fn every_check_of_the_verifier() {
    common::refused(rich, BREAKS);
}

/// A child that is not below its parent is found as such where an event type is verified, too.
#[test]
fn a_template_that_is_its_own_child() {
    let mut image = rich();
    own_child(&mut image);
    let error = opened(&image.encode()).unwrap_err();
    assert_eq!(error, Module::load(image.encode()).unwrap_err());
    assert!(error.to_string().ends_with("a child is not below its parent"), "{error}");
}

/// A list that a single predicate refers to.
#[test]
fn lists_of_one_predicate() {
    let listing = || {
        let mut asm = Asm::new();
        let (slot, list) = (asm.slot("v"), asm.list(&["1", "\"ab\""]));
        let cond = asm.when(Op::In, slot, list);
        asm.one_hook(cond)
    };
    common::refused(
        listing,
        &[
            (|i| i.lists[0].length = 1000.into(), "lists row 0: a range out of range"),
            (|i| i.indices.swap(0, 1), "lists row 0: not ascending"),
            (|i| i.indices[1] = i.indices[0], "lists row 0: not ascending"),
            (|i| i.indices[1] = end(&i.consts).into(), "lists row 0: a constant is out of range"),
            (|i| i.consts[0].text = i.add_string("1.0").into(), "consts row 0: not canonical"),
        ],
    );
}

/// A module whose only constant is the number 12, at one place.
type Place = fn(&mut Asm) -> u32;

/// The places of constants. What is at a place that is no predicate is in the table of its kind.
const PLACES: &[(&str, Place)] = &[
    ("an operand", |asm| {
        let constant = asm.constant("12");
        asm.when(Op::Lt, 0, constant)
    }),
    ("a list", |asm| {
        let list = asm.list(&["12"]);
        asm.when(Op::InFold, 0, list)
    }),
    ("`enum`", |asm| {
        let list = asm.list(&["12"]);
        matching(asm, Keyword::Enum, list)
    }),
    ("`minimum`", |asm| {
        let constant = asm.constant("12");
        matching(asm, Keyword::Minimum, constant)
    }),
    ("`multipleOf`", |asm| {
        let constant = asm.constant("12");
        matching(asm, Keyword::MultipleOf, constant)
    }),
    ("a value in a filter", |asm| {
        let constant = asm.constant("12");
        let value = asm.value(Op::Literal, constant);
        asm.filter(Op::Same, value, value);
        asm.always()
    }),
    ("the minimum of a check", |asm| {
        let check = asm.check(0, None, Some("12"));
        rendering(asm, T::Slot(0), Some(check))
    }),
    ("the values of a check", |asm| {
        let check = asm.check(0, Some(&["12"]), None);
        rendering(asm, T::Slot(0), Some(check))
    }),
    ("a template", |asm| rendering(asm, T::Array(vec![T::Const("12")]), None)),
    ("the default of a slot", |asm| rendering(asm, T::Or(0, "12"), None)),
    ("the default of a query", |asm| {
        let query = asm.query(0, &[]);
        rendering(asm, T::Query(query, Some("12")), None)
    }),
];

fn matching(asm: &mut Asm, keyword: Keyword, operand: u32) -> u32 {
    let schema = asm.schema(&[(keyword, operand, 0, 0)]);
    asm.when(Op::Matches, 0, schema)
}

fn rendering(asm: &mut Asm, template: T, check: Option<u32>) -> u32 {
    let (always, action) = (asm.always(), asm.action("y", &[("p", template, check)]));
    asm.event(Family::Thread, "f", Strategy::First);
    asm.hook(always, action, Mode::Enforce);
    always
}

#[test]
fn constants_are_verified_at_every_place() {
    let inline: Place = |asm| rendering(asm, T::Slot(0), None);
    for (place, build) in PLACES.iter().chain(&[("an argument", inline)]).step_by(amount(1, 4)) {
        let mut asm = Asm::new();
        let cond = build(&mut asm);
        if *place == "an argument" {
            let constant = asm.constant("12");
            asm.image.arguments[0].node = (INLINE | constant).into();
        }
        let mut image = asm.one_hook(cond);
        assert_eq!(Module::load(image.encode()).map(drop), Ok(()), "{place}");
        assert_eq!(opened(&image.encode()), Ok(()), "{place}");
        assert_eq!(image.consts.len(), 1, "{place}");
        image.consts[0].text = image.add_string("12.0").into();
        let error = opened(&image.encode()).map_err(|error| error.to_string());
        assert_eq!(error, Err("consts row 0: not canonical".to_owned()), "{place}");
        assert_eq!(refusal(image.encode()), "consts row 0: not canonical", "{place}");
    }
}

#[test]
fn wrappers_ascend() {
    let wrapping = || {
        let mut image = rich();
        let names = ["run-in", "sudo-too"].map(|name| image.add_string(name));
        let wrapper = |name: u32| Wrapper { name: name.into(), options: range(0, 0), operands: 0.into() };
        image.wrappers = names.map(wrapper).to_vec();
        image
    };
    assert!(Module::load(wrapping().encode()).is_ok());
    common::refused(
        wrapping,
        &[
            (|i| i.wrappers.swap(0, 1), "wrappers row 1: not above the wrapper before it"),
            (|i| i.wrappers[1] = i.wrappers[0], "wrappers row 1: not above the wrapper before it"),
            (
                |i| i.wrappers[0].name = i.add_string("").into(),
                "wrappers row 0: not above the wrapper before it",
            ),
        ],
    );
}

#[test]
fn programs_of_policies() {
    fn describing(key: &str, value: &str) -> Image {
        let table = vec![(key.to_owned(), draft::Value::Text(value.to_owned()))];
        let mut image = rich();
        image.blob = Described { name: "frobnicate".to_owned(), table }.to_bytes();
        image.programs = vec![range(0, image.blob.len())];
        image
    }
    let valid = || describing("operands", "WRITE...");
    let module = Module::load(valid().encode()).unwrap();
    assert!(module.programs().find("frobnicate").is_some());
    assert!(opened(&valid().encode()).is_ok());
    let error = "programs row 0: the bytes are not the table of a program";
    for (key, value) in [("operands", "WRIT"), ("operand", "WRITE")] {
        assert_eq!(refusal(describing(key, value).encode()), error);
    }
    common::refused(
        valid,
        &[
            (|i| i.programs[0].length = 1_000_000.into(), "programs row 0: the bytes are out of range"),
            (|i| i.programs[0].length = 3.into(), error),
        ],
    );
}

#[test]
fn predicates_about_effects() {
    let acting = || {
        let mut image = rich();
        Tools::default().encode(&mut image.blob);
        let length = image.blob.len();
        let tools = range(0, length);
        Predicate::Unknown.encode(&[], &mut image.blob);
        let predicate = range(length, image.blob.len() - length);
        let [none, input] = [NONE.into(), 0.into()];
        let slots =
            Scope { input, tool: none, host_tool: none, cwd: none, project: none, stated: none, tools };
        image.scopes = vec![slots];
        image.effects = vec![Effect { predicate, scope: 0.into() }];
        image.preds.push(Row { op: Op::Acts as u8, a: 0.into(), b: 0.into() });
        image
    };
    let module = Module::load(acting().encode()).unwrap();
    exercise(&module, &mut Scratch::new());
    assert_eq!(opened(&acting().encode()), Ok(()));
    common::refused(
        acting,
        &[
            (|i| i.scopes[0].input = NONE.into(), "scopes row 0: the input is out of range"),
            (|i| i.scopes[0].cwd = (NONE - 1).into(), "scopes row 0: a slot is out of range"),
            (|i| i.scopes[0].stated = (NONE - 1).into(), "scopes row 0: the project is out of range"),
            (|i| i.scopes[0].tools.length = 99.into(), "scopes row 0: the roles are out of range"),
            (|i| i.effects[0].predicate.start = 99.into(), "effects row 0: the bytes are out of range"),
            (|i| i.effects[0].scope = 1.into(), "effects row 0: the scope is out of range"),
            (|i| i.blob.resize(EFFECT_BYTES + 1, 0), "blob row 0: more bytes than the limit"),
        ],
    );
    // A module that is opened reports these when an event needs them.
    let broken = |damage: fn(&mut Image)| {
        let mut image = acting();
        damage(&mut image);
        refusal(image.encode())
    };
    let roles = broken(|image| image.scopes[0].tools.length = 1.into());
    assert_eq!(roles, "scopes row 0: the bytes are not roles of inputs");
    let predicate = broken(|image| {
        let start = image.effects[0].predicate.start.get() as usize;
        image.blob[start] = 0xff;
    });
    assert_eq!(predicate, "effects row 0: the bytes are not a predicate");
    assert!(
        broken(|image| image.preds.last_mut().unwrap().a = 1.into()).contains("operand a is out of range")
    );
}

#[test]
fn indexes_of_two_event_types() {
    let image = nested_indexes();
    assert_eq!(opened(&image.encode()), Ok(()));
    let module = Module::load(image.encode()).unwrap();
    for name in ["e", "f"] {
        for (value, hooks) in [("\"a\"", vec![1]), ("\"b\"", vec![0]), ("\"c\"", vec![]), ("null", vec![])] {
            let event = format!("{{\"event_type\":\"{name}\",\"v\":{value}}}");
            let found = common::decide(&module, &event, &DecideOptions::default()).unwrap().0;
            assert_eq!(found, hooks, "{event}");
        }
    }
    common::refused(
        nested_indexes,
        &[
            (|i| inline(i, 2), "the only rank is out of range"),
            (|i| i.probes[1].rows.start = (INLINE_RANK | 2).into(), "the only rank is out of range"),
            (|i| i.postings[1] = i.postings[0], "the index is out of range, or another posting's"),
            (|i| i.events[1].index = 0.into(), "the index is out of range, or another event type's"),
        ],
    );
}

/// The key whose posting is one rank leads to another one.
fn inline(image: &mut Image, rank: u32) {
    let inline = |key: &&mut Key| key.posting.get() & INLINE_RANK != 0;
    image.keys.iter_mut().find(inline).unwrap().posting = (INLINE_RANK | rank).into();
}

#[test]
fn the_nesting_of_indexes_is_bounded() {
    let depth = INDEX_DEPTH as u32;
    let deepest = index_within_index(depth).encode();
    assert_eq!(opened(&deepest), Ok(()));
    let module = Module::load(deepest).unwrap();
    let event = r#"{"event_type":"e","v":1}"#;
    assert_eq!(common::decide(&module, event, &DecideOptions::default()).unwrap().0, [0]);
    let deeper = index_within_index(depth + 1).encode();
    let error = opened(&deeper).unwrap_err();
    assert_eq!(error.to_string(), "indexes row 8: out of range, or nested too deep");
    assert_eq!(Module::load(deeper).unwrap_err(), error);
}

#[test]
fn each_key_is_in_its_bucket() {
    const SHARED: &str = "buckets row 0: the buckets do not share the keys in order";
    const OUT: &str = "not its hash, or not in its bucket";
    assert!(Module::load(two_buckets().encode()).is_ok() && opened(&two_buckets().encode()).is_ok());
    common::refused(
        two_buckets,
        &[
            (|i| i.buckets[1] = 0.into(), OUT),
            (|i| i.buckets[1] = 2.into(), OUT),
            (|i| i.buckets[1] = 3.into(), SHARED),
            (|i| i.buckets[2] = 1.into(), SHARED),
            (|i| i.buckets[0] = 1.into(), SHARED),
            (|i| i.keys.swap(0, 1), OUT),
        ],
    );
}

/// Keys of equal strings are found together, so they would make an event walk through the ranks of all.
#[test]
fn keys_of_equal_strings_are_charged() {
    let [few, many] = [10, amount(10_000, 400)].map(|count| equal_keys(count).encode());
    assert!(Module::load(few.clone()).is_ok() && opened(&few).is_ok());
    assert_eq!(opened(&many).unwrap_err(), LoadError::Sharing);
    assert_eq!(Module::load(many).unwrap_err(), LoadError::Sharing);
}

/// Labels and locations can each be left out.
#[test]
fn names_of_one_kind() {
    let removals: [fn(&mut Image); 2] = [|i| i.labels.clear(), |i| i.locations.clear()];
    for remove in removals {
        let mut image = rich();
        remove(&mut image);
        assert!(Module::load(image.encode()).is_ok());
    }
}

/// A container is canonical with the short escape of each character that has one.
#[test]
fn escapes_in_constants() {
    let mut asm = Asm::new();
    let (slot, constant) = (asm.slot("v"), asm.constant(r#"["\r\n\t\b\f\"\\\u0001"]"#));
    let cond = asm.when(Op::Eq, slot, constant);
    assert!(Module::load(asm.one_hook(cond).encode()).is_ok());
}

/// Without quantifiers, no instruction tests a bound node.
#[test]
fn marks_without_bound_nodes() {
    let load = |op: Op| {
        let mut asm = Asm::new();
        let slot = asm.slot("v");
        let pred = asm.pred(Op::Exists, slot, 0);
        let cond = asm.cond(&[(op, pred, 2), (Op::Yes, 0, 0), (Op::No, 0, 0)]);
        Module::load(asm.one_hook(cond).encode()).map_err(|error| error.to_string())
    };
    assert!(load(Op::UnlessPred).is_ok());
    for op in [Op::IfBound, Op::UnlessBound] {
        assert!(load(op).unwrap_err().contains("a test of a bound node is not marked, or another is"));
    }
}

#[test]
fn depth_is_bounded() {
    let nested = |depth: u32| {
        let mut asm = Asm::new();
        let mut cond = asm.always();
        for _ in 1..depth {
            cond = asm.cond(&[(Op::UnlessCond, cond, 2), (Op::Yes, 0, 0), (Op::No, 0, 0)]);
        }
        Module::load(asm.one_hook(cond).encode())
    };
    let module = nested(256).unwrap();
    assert_eq!(common::decide(&module, r#"{"event_type":"e"}"#, &DecideOptions::default()).unwrap().0, [0]);
    assert!(nested(257).unwrap_err().to_string().ends_with("nested too deep"));
    let mut asm = Asm::new();
    let slot = asm.slot(&vec!["a"; amount(300, 130)].join("."));
    let cond = asm.when(Op::Exists, slot, 0);
    let module =
        Module::load(asm.one_hook(cond).encode()).expect("a path may be longer than events are deep");
    let event = format!("{{\"event_type\":\"e\",\"a\":{}1{}}}", "{\"a\":".repeat(127), "}".repeat(127));
    assert!(common::decide(&module, &event, &DecideOptions::default()).unwrap().0.is_empty());
}

/// Rows that refer repeatedly to the same long strings would make verification quadratic; the
/// verifier stops instead.
#[test]
fn sharing_is_bounded() {
    let mut image = Image::minimal();
    let keys = [
        image.add_string(&"k".repeat(amount(100_000, 2_000))),
        image.add_string(&"l".repeat(amount(100_000, 2_000))),
    ];
    image.consts.push(Const { tag: 0.into(), text: NONE.into() });
    image.templates.push(Template { tag: 0.into(), a: 0.into(), b: 0.into() });
    image.params.extend(keys.map(|key| hookc_vm::format::Param { key: key.into(), check: NONE.into() }));
    let name = image.add_string("x").into();
    let kind = hookc_vm::format::Kind { name, params: range(0, 2) };
    image.kinds = vec![kind; 30];
    assert!(Module::load(image.encode()).is_ok());
    image.kinds = vec![kind; amount(10_000, 500)];
    assert_eq!(Module::load(image.encode()).unwrap_err(), LoadError::Sharing);
}

#[test]
fn type_paths_must_be_there() {
    let mut image = Image::minimal();
    let other = image.add_string("zvent_type");
    image.edges[1].name = other.into();
    image.edges.swap(1, 2);
    assert!(refusal(image.encode()).contains("type path"));
    let mut indexed = Image::minimal();
    indexed.edges[3] = Edge { name: NONE.into(), index: 0.into(), node: 4.into() };
    assert!(refusal(indexed.encode()).contains("a type path is missing"));
    assert!(refusal(Image::default().encode()).contains("no root"));
}
