//! A module by hand, table by table, and decisions about events.
//!
//! A compiler fills these tables. The hook here: on `limit.reached`, if `cost` is greater than 10,
//! abort and state the cost.
//!
//! `cargo run -p hookc-vm --example decide`

#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

use std::error::Error;

use hookc_vm::format::Image;
use hookc_vm::format::op::Op;
use hookc_vm::format::{
    Action, Argument, Const, ConstTag, Edge, Event, Hook, Kind, NONE, Node, Param, Range, Row, Template,
    TemplateForm,
};
use hookc_vm::{DecideOptions, Module, Scratch};
use hookc_vm::{Family, Mode, Strategy};

fn main() -> Result<(), Box<dyn Error>> {
    let module = Module::load(image().encode())?;
    let mut scratch = Scratch::new();
    for event in [
        r#"{"event_type": "limit.reached", "cost": 12.50}"#,
        r#"{"event_type": "limit.reached", "cost": 7}"#,
        r#"{"event_type": "turn.started"}"#,
        r#"{"event_type": "limit.reached", "cost": 1, "cost": 99}"#,
        r#"{"cost": 12"#,
    ] {
        println!("{event}");
        match module.decide(&mut scratch, event.as_bytes(), &DecideOptions::default()) {
            Ok(decision) if decision.is_empty() => println!("  no opinion"),
            Ok(decision) => {
                for hook in decision.hooks() {
                    let mut action = String::new();
                    hook.render(&mut action)?;
                    println!("  rank {}: {action}", hook.rank());
                }
            }
            Err(error) => println!("  nothing decided: {error}"),
        }
    }
    Ok(())
}

/// The tables of the module.
fn image() -> Image {
    // The minimal module: three type paths with the slots 0, 1 and 2.
    let mut image = Image::minimal();

    // One more path: a child of the root, a leaf, with its value in slot 3. Edges are sorted by
    // name: `cost`, `event`, `event_type`, `hook_event_name`; `type`.
    let cost = image.add_string("cost");
    image.nodes.push(Node { edges: range(5, 0), slot: 3.into() });
    image.edges.insert(0, Edge { name: cost.into(), index: 0.into(), node: 5.into() });
    for (node, edges) in image.nodes.iter_mut().zip([range(0, 4), range(4, 1)]) {
        node.edges = edges;
    }
    image.slots = 4;

    // The predicate `gt s3 k0`, and the condition that consists of it.
    let ten = image.add_string("10");
    image.consts.push(Const::new(ConstTag::Number, Some(ten)));
    image.preds.push(row(Op::Gt, 3, 0));
    image.conds.push(range(0, 3));
    image.code = vec![row(Op::UnlessPred, 0, 2), row(Op::Yes, 0, 0), row(Op::No, 0, 0)];

    // The action `abort` with the value of slot 3 as its parameter `cost`.
    let abort = image.add_string("abort");
    image.templates.push(Template::new(TemplateForm::Slot { slot: 3, default: None }));
    image.params.push(Param { key: cost.into(), check: NONE.into() });
    image.kinds.push(Kind { name: abort.into(), params: range(0, 1) });
    image.arguments.push(Argument { node: 0.into() });
    image.actions.push(Action { kind: 0.into(), arguments: 0.into() });

    // The hook, the only one of its event type, which reads the new node.
    let modes = Hook::modes(Mode::Enforce, None, None);
    image.hooks.push(Hook { cond: 0.into(), action: 0.into(), modes });
    image.indices.push(5.into());
    let name = image.add_string("limit.reached").into();
    image.events.push(Event {
        family: Family::Thread as u8,
        strategy: Strategy::First as u8,
        zero: [0; 2],
        name,
        hooks: range(0, 1),
        reads: range(0, 1),
        whole: range(0, 0),
        views: range(0, 0),
        index: NONE.into(),
    });
    image
}

fn range(start: u32, length: u32) -> Range {
    Range { start: start.into(), length: length.into() }
}

fn row(op: Op, a: u32, b: u32) -> Row {
    Row { op: op as u8, a: a.into(), b: b.into() }
}
