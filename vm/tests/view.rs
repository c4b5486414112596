//! Views of command lines as parts of the event.

use crate::common;

use common::{Asm, T, amount, decide, ranks, selector};
use hookc_shell as shell;
use hookc_shell::limits::SHELL_BYTES;
use hookc_vm::format::op::Op;
use hookc_vm::format::{Range, U32, ViewKind, Wrapper};
use hookc_vm::limits::{EVENT_VIEWS, Limits};
use hookc_vm::{DecideError, DecideOptions, EventError, Module, Scratch};
use hookc_vm::{Family, LoadError, Mode, Strategy};
use serde_json::{Value, json};

/// `tool_input.command` and its view as one merged field, and hooks of the event type `e`.
struct Policy {
    asm: Asm,
    conds: Vec<u32>,
}

impl Policy {
    fn new() -> Self {
        let mut asm = Asm::new();
        (asm.cwd, asm.tool) = (Some(asm.merged("cwd")), Some(asm.merged("tool_name")));
        Self { asm, conds: Vec::new() }
    }

    /// A hook that fires if the predicate is true of the member of the view.
    fn hook(mut self, member: &str, op: Op, constant: &str) -> Self {
        let slot = self.asm.merged(&format!("tool_input.command.shell(){member}"));
        let constant = if op == Op::Exists { 0 } else { self.asm.constant(constant) };
        self.conds.push(self.asm.when(op, slot, constant));
        self
    }

    /// A hook for each member of the view, which fires if it equals the constant.
    fn equal(self, members: &[(&str, &str)]) -> Self {
        members.iter().fold(self, |policy, (member, constant)| policy.hook(member, Op::Eq, constant))
    }

    fn module(mut self) -> Module {
        let action = self.asm.action("x", &[]);
        self.asm.event(Family::Thread, "e", Strategy::All);
        for cond in self.conds {
            self.asm.hook(cond, action, Mode::Enforce);
        }
        self.asm.module()
    }
}

fn hits(module: &Module, event: &Value) -> Vec<u32> {
    decide(module, &event.to_string(), &DecideOptions::default()).unwrap().0
}

fn command(command: Value) -> Value {
    json!({"event_type": "e", "cwd": "/r", "tool_name": "Bash", "tool_input": {"command": command}})
}

#[test]
fn a_member_of_a_view_is_a_member_of_the_event() {
    let members = [
        (".ok", "true"),
        (".commands.0.name", r#""sudo""#),
        (".commands.-1.flags.f", "true"),
        (".commands.0.args.1", r#""a\"b\n""#),
        (".commands.0.cwd", r#""/r""#),
        (".reason", r#""not_text""#),
    ];
    let module = Policy::new().hook("", Op::Exists, "").equal(&members).module();
    let text = command(json!("sudo r\"m\" -rf x"));
    assert_eq!(hits(&module, &text), [0, 1, 2, 3, 5]);
    let nested =
        json!({"hook_event_name": "e", "event": {"cwd": "/r", "tool_input": {"command": "sudo rm -f"}}});
    assert_eq!(hits(&module, &nested), [0, 1, 2, 3, 5], "in `event`");
    let both =
        json!({"event_type": "e", "tool_input": {}, "event": {"tool_input": {"command": "sudo rm -f"}}});
    assert_eq!(hits(&module, &both), [0; 0], "the member at the root wins");
    assert_eq!(hits(&module, &command(json!("x a 'a\"b\n'"))), [0, 1, 4, 5], "escapes");
    assert_eq!(hits(&module, &json!({"event_type": "e"})), [0; 0], "absent");
    assert_eq!(hits(&module, &command(Value::Null)), [0; 0], "null");
    for value in [json!(true), json!(7), json!({"a": 1}), json!(["ls", 7]), json!([["ls"]]), json!([null])] {
        assert_eq!(hits(&module, &command(value.clone())), [0, 6], "{value}");
    }
}

#[test]
fn a_list_of_words_is_a_line_of_quoted_words() {
    let first = [
        (".ok", "true"),
        (".commands.0.name", r#""rm""#),
        (".commands.0.args", r#"["-r","a b","it's","$x;*",""]"#),
    ];
    let second = [(".commands.1.name", r#""rm""#), (".reason", r#""not_text""#)];
    let module = Policy::new().equal(&first).hook(".commands.1", Op::Exists, "").equal(&second).module();
    let words = json!(["rm", "-r", "a b", "it's", "$x;*", ""]);
    assert_eq!(hits(&module, &command(words)), [0, 1, 2]);
    assert_eq!(hits(&module, &command(json!([]))), [0], "no words");
    let shell = json!(["bash", "-lc", "x=rm; $x -r"]);
    assert_eq!(hits(&module, &command(shell)), [0, 3, 4], "the shell's code is followed");
    assert_eq!(hits(&module, &command(json!(["rm", "x", 1]))), [5], "not text");
}

#[test]
#[cfg_attr(miri, ignore = "lines of 64 KB, for which Miri needs hours; shorter lists are above")]
fn a_list_of_words_is_limited_as_a_line() {
    let members = [(".ok", "true"), (".reason", r#""too_long""#), (".reason", r#""not_text""#)];
    let module = Policy::new().equal(&members).module();
    let long = json!(["rm", "x".repeat(SHELL_BYTES), "y"]);
    assert_eq!(hits(&module, &command(long)), [1], "the limit of command lines applies");
    let mixed = json!(["rm", "x".repeat(SHELL_BYTES), 1]);
    assert_eq!(hits(&module, &command(mixed)), [2], "what is no text is seen first");
}

#[test]
fn other_languages_are_not_read() {
    let members = [(".reason", r#""powershell""#), (".reason", r#""cmd""#), (".ok", "true")];
    let module = Policy::new().equal(&members).module();
    for (tool, expected) in [("PowerShell", 0), ("pwsh", 0), ("CMD", 1), ("Bash", 2), ("", 2)] {
        let mut event = command(json!("dir"));
        event["tool_name"] = tool.into();
        assert_eq!(hits(&module, &event), [expected], "{tool}");
    }
    let nested =
        json!({"hook_event_name": "e", "event": {"tool_name": "pwsh", "tool_input": {"command": "ls"}}});
    assert_eq!(hits(&module, &nested), [0]);
    let mut no_text = command(json!("dir"));
    (no_text["tool_name"], no_text["cwd"]) = (json!(["pwsh"]), json!(7));
    assert_eq!(hits(&module, &no_text), [2], "other values than strings count as absent");
}

/// A query and a template read the view; so does a view that no path goes into.
#[test]
fn queries_and_templates_read_views() {
    let mut asm = Asm::new();
    asm.tool = Some(asm.slot("tool_name"));
    let whole = asm.slot("c.shell()");
    let (commands, name) = (asm.name("commands"), asm.name("name"));
    let query = asm.query(whole, &[(false, &[commands]), (false, &[selector(1, 0)]), (false, &[name])]);
    let rm = asm.constant("\"rm\"");
    let pred = asm.any(query, Op::Eq, rm);
    let cond = asm.cond(&[(Op::UnlessPred, pred, 2), (Op::Yes, 0, 0), (Op::No, 0, 0)]);
    let first = asm.slot("c.shell().commands.0.name");
    let action = asm.action("x", &[("all", T::Query(query, None), None), ("first", T::Slot(first), None)]);
    asm.event(Family::Thread, "e", Strategy::First);
    asm.hook(cond, action, Mode::Enforce);
    let module = asm.module();
    let mut scratch = Scratch::new();
    let event = r#"{"event_type":"e","c":"env r\u006d x"}"#;
    let value: Value = serde_json::from_str(event).unwrap();
    for _ in 0..2 {
        let expected = r#"{"type":"x","all":["env","rm"],"first":"env"}"#;
        let mut out = String::new();
        let decision = module.decide(&mut scratch, event.as_bytes(), &DecideOptions::default()).unwrap();
        decision.hooks().next().unwrap().render(&mut out).unwrap();
        assert_eq!(out, expected);
        out.clear();
        let decision = module.decide_value(&mut scratch, &value, &DecideOptions::default()).unwrap();
        decision.hooks().next().unwrap().render(&mut out).unwrap();
        assert_eq!(out, expected, "the value");
    }
}

/// The views of one event type are not those of another, and other events do not see them.
#[test]
fn only_the_views_of_the_event_type_are_read() {
    let mut asm = Asm::new();
    let slots = ["a.shell()", "b.shell()"].map(|path| asm.slot(path));
    let conds = slots.map(|slot| asm.when(Op::Exists, slot, 0));
    let action = asm.action("x", &[]);
    for name in ["e", "f"] {
        asm.event(Family::Thread, name, Strategy::All);
        conds.iter().for_each(|cond| asm.hook(*cond, action, Mode::Enforce));
    }
    let mut image = asm.finish();
    image.events[0].views.length = 1.into();
    image.events[1].views.length = 0.into();
    let module = Module::load(image.encode()).unwrap();
    let mut scratch = Scratch::new();
    for _ in 0..2 {
        for (name, expected) in [("e", &[0][..]), ("f", &[])] {
            let event = format!("{{\"event_type\":\"{name}\",\"a\":\"x\",\"b\":\"y\"}}");
            let decision = module.decide(&mut scratch, event.as_bytes(), &DecideOptions::default()).unwrap();
            assert_eq!(ranks(&decision).0, expected, "{event}");
        }
    }
}

/// The whole view of a field, as JSON: of the command line at the root, or else in `event`.
#[test]
fn a_probe_shows_the_view_of_a_field() {
    let mut policy = Policy::new().hook(".ok", Op::Eq, "true");
    let action = policy.asm.action("x", &[]);
    policy.asm.event(Family::Thread, "e", Strategy::All);
    policy.asm.hook(policy.conds[0], action, Mode::Enforce);
    let image = policy.asm.finish();
    let field = image.slots - 1;
    let module = Module::load(image.encode()).unwrap();
    let view = |event: &Value, slot: u32| {
        let (text, mut scratch) = (event.to_string(), Scratch::new());
        let probe = module.probe(&mut scratch, text.as_bytes(), &DecideOptions::default()).unwrap();
        probe.view(slot)
    };
    let line = "sudo rm -r x > y";
    let inner = json!({"cwd": "/r", "tool_input": {"command": line}});
    let expected = Some((ViewKind::Shell, shell::view(line, Some("/r"), Default::default())));
    assert_eq!(view(&command(json!(line)), field), expected);
    assert_eq!(view(&json!({"hook_event_name": "e", "event": inner}), field), expected, "in `event`");
    let both = json!({"hook_event_name": "e", "tool_input": {}, "event": inner});
    assert_eq!(view(&both, field), None, "the field at the root wins");
    assert_eq!(view(&command(Value::Null), field), None);
    assert_eq!(view(&command(json!(line)), 0), None, "no slot of a view");
}

#[test]
fn duplicates_are_those_of_the_event() {
    let module = Policy::new().hook(".ok", Op::Eq, "true").module();
    let event = r#"{"event_type":"e","tool_input":{"command":"a","command":"b"}}"#;
    let decided = module.decide(&mut Scratch::new(), event.as_bytes(), &DecideOptions::default()).err();
    assert_eq!(decided, Some(DecideError::Event(EventError::Duplicate("tool_input.command".to_owned()))));
    let event = r#"{"event_type":"e","tool_input":{"command":[{"a":1,"a":2}]}}"#;
    let decided = module.decide(&mut Scratch::new(), event.as_bytes(), &DecideOptions::default()).err();
    let path = "tool_input.command[0].a".to_owned();
    assert_eq!(decided, Some(DecideError::Event(EventError::Duplicate(path))), "the whole value is used");
}

/// The limits of events are not those of views.
#[test]
fn an_embedder_may_limit_events() {
    let mut policy = Policy::new().hook(".commands.0.redirects.0.op", Op::Eq, "\">\"");
    let action = policy.asm.action("x", &[]);
    policy.asm.event(Family::Thread, "e", Strategy::All);
    policy.asm.hook(policy.conds[0], action, Mode::Enforce);
    let mut limits = Limits::default();
    (limits.event_depth, limits.event_bytes) = (2, 60);
    let module = Module::load_with(policy.asm.finish().encode(), limits).unwrap();
    let event = r#"{"event_type":"e","tool_input":{"command":"echo>x"}}"#;
    assert_eq!(decide(&module, event, &DecideOptions::default()).unwrap().0, [0]);
}

#[test]
fn the_number_of_views_is_limited() {
    let views = |count: usize| {
        let mut asm = Asm::new();
        let slots: Vec<u32> = (0..count).map(|at| asm.slot(&format!("c{at}.shell().ok"))).collect();
        let action = asm.action("x", &[]);
        let conds: Vec<u32> = slots.into_iter().map(|slot| asm.when(Op::Exists, slot, 0)).collect();
        asm.event(Family::Thread, "e", Strategy::All);
        conds.into_iter().for_each(|cond| asm.hook(cond, action, Mode::Enforce));
        Module::load(asm.finish().encode())
    };
    let module = views(EVENT_VIEWS).unwrap();
    let members: String = (0..EVENT_VIEWS).map(|at| format!(",\"c{at}\":\"x{at}\"")).collect();
    let event = format!("{{\"event_type\":\"e\"{members}}}");
    let all: Vec<u32> = (0..EVENT_VIEWS as u32).collect();
    assert_eq!(decide(&module, &event, &DecideOptions::default()).unwrap().0, all);
    assert!(matches!(views(EVENT_VIEWS + 1), Err(LoadError::Row { what: "too many views", .. })));
}

/// Queries can read every view: one with more values than they can parse is not made.
#[test]
fn queries_read_the_largest_views() {
    let mut asm = Asm::new();
    let whole = asm.slot("c.shell()");
    let query = asm.query(whole, &[(true, &[selector(1, 0)])]);
    let rm = asm.constant("\"rm\"");
    let pred = asm.any(query, Op::Eq, rm);
    let cond = asm.cond(&[(Op::UnlessPred, pred, 2), (Op::Yes, 0, 0), (Op::No, 0, 0)]);
    let read = asm.slot("c.shell().ok");
    let constant = asm.constant("true");
    let is_read = asm.when(Op::Eq, read, constant);
    let action = asm.action("x", &[]);
    asm.event(Family::Thread, "e", Strategy::All);
    asm.hook(cond, action, Mode::Enforce);
    asm.hook(is_read, action, Mode::Enforce);
    let module = asm.module();
    let mut results = std::collections::BTreeSet::new();
    // Fewer and longer words, and the ends alone, under Miri.
    let word = format!(" '{}'", "x".repeat(amount(0, 500)));
    for rounds in (10..=250).step_by(amount(hookc_corpus::effort(10, 60), 240)) {
        let words: String = (0..rounds).map(|_| " x").collect();
        let line = format!("for i in{words}; do y{}; done", word.repeat(amount(1_000, 20)));
        let event = json!({"event_type": "e", "c": line});
        results.insert(hits(&module, &event));
    }
    assert_eq!(results.into_iter().collect::<Vec<_>>(), [vec![], vec![1]]);
}

/// The paths of a view in the order of [`every_member`].
const PATHS: &[&str] = &[
    "",
    ".ok",
    ".opaque.0",
    ".reason",
    ".commands",
    ".commands.0.args",
    ".commands.-1",
    ".commands.0.flags.f",
    ".commands.1.env",
    ".commands.-2.via.-1",
    ".commands.0.redirects.0.path",
    ".commands.0.cwd",
    ".commands.0.name",
    ".other",
    ".commands.0.operands.1",
    ".0",
];

/// A decision over a view equals the decision over an event that has the view's JSON as a member.
#[test]
fn a_view_equals_its_json() {
    let mut asm = Asm::new();
    asm.cwd = Some(asm.slot("cwd"));
    let slots: Vec<[u32; 2]> = PATHS
        .iter()
        .map(|path| ["c.shell()", "view"].map(|root| asm.slot(&format!("{root}{path}"))))
        .collect();
    let mut conds = Vec::new();
    for pair in slots {
        let test = |asm: &mut Asm, slot: u32, op: Op, json: &str| {
            let constant = asm.constant(json);
            asm.when(op, slot, constant)
        };
        conds.extend(pair.map(|slot| asm.when(Op::Exists, slot, 0)));
        conds.extend(pair.map(|slot| test(&mut asm, slot, Op::Eq, "\"rm\"")));
        conds.extend(pair.map(|slot| test(&mut asm, slot, Op::Eq, "true")));
        conds.extend(pair.map(|slot| test(&mut asm, slot, Op::Contains, "\"x\"")));
        conds.extend(pair.map(|slot| {
            let query = asm.query(slot, &[(true, &[selector(1, 0)])]);
            let rm = asm.constant("\"rm\"");
            let pred = asm.any(query, Op::Eq, rm);
            asm.cond(&[(Op::UnlessPred, pred, 2), (Op::Yes, 0, 0), (Op::No, 0, 0)])
        }));
    }
    let same: Vec<u32> = PATHS.iter().map(|path| asm.slot(&format!("c.shell(){path}"))).collect();
    conds.extend(same.iter().zip(PATHS).map(|(slot, path)| {
        let other = asm.slot(&format!("view{path}"));
        asm.when(Op::EqSlot, *slot, other)
    }));
    let action = asm.action("x", &[]);
    asm.event(Family::Thread, "e", Strategy::All);
    conds.iter().for_each(|cond| asm.hook(*cond, action, Mode::Enforce));
    let module = asm.module();
    let pairs = PATHS.len() as u32 * 5;
    let mut fired = 0;
    for line in lines() {
        let view: Value = serde_json::from_str(&shell::view(&line, Some("/r"), Default::default())).unwrap();
        let event = json!({"event_type": "e", "cwd": "/r", "c": line, "view": view});
        let hits = hits(&module, &event);
        fired += hits.len();
        for pair in 0..pairs {
            let [one, other] = [0, 1].map(|at| hits.contains(&(pair * 2 + at)));
            assert_eq!(one, other, "hook {pair}: {line}");
        }
        for (at, path) in (0..).zip(PATHS) {
            let present = hits.contains(&(at * 10)) || view.pointer(&pointer(path)).is_some();
            assert_eq!(hits.contains(&(pairs * 2 + at)), present, "{path}: {line}");
        }
    }
    assert!(fired > amount(3_000, 50), "{fired}");
}

fn pointer(path: &str) -> String {
    path.replace('.', "/")
}

/// Command lines of the corpus, and broken ones.
fn lines() -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus/shell/lines.ndjson");
    let text = std::fs::read_to_string(path).unwrap();
    let line = |json: &str| {
        let value: Value = serde_json::from_str(json).unwrap();
        value["line"].as_str().expect("a line").to_owned()
    };
    let all: Vec<String> = text.lines().step_by(amount(3, 90)).map(line).collect();
    assert!(all.len() > amount(50, 2));
    let cut = |line: &String| line.chars().take(line.chars().count() / 2).collect();
    let broken: Vec<String> = all.iter().map(cut).collect();
    all.into_iter().chain(broken).collect()
}

/// A declared wrapper starts the command in its arguments, and only valid tables of wrappers load.
#[test]
fn declared_wrappers_start_commands() {
    let row = |name: u32, options: (u32, u32), operands: u32| Wrapper {
        name: name.into(),
        options: Range { start: options.0.into(), length: options.1.into() },
        operands: operands.into(),
    };
    // The rows get the strings `-u`, `run-in` and `sudo-too`, and the first of the numbers `-u`, `-u` and one
    // without a string.
    let load = |rows: &dyn Fn([u32; 3], u32) -> Vec<Wrapper>| {
        let mut asm = Asm::new();
        let slot = asm.slot("line.shell().commands.1.name");
        let constant = asm.constant("\"rm\"");
        let cond = asm.when(Op::Eq, slot, constant);
        let action = asm.action("x", &[]);
        asm.event(Family::Thread, "e", Strategy::All);
        asm.hook(cond, action, Mode::Enforce);
        let mut image = asm.finish();
        let names = ["-u", "run-in", "sudo-too"].map(|name| image.add_string(name));
        let at = image.indices.len() as u32;
        image.indices.extend([names[0], names[0], 99_999].map(U32::from));
        image.wrappers = rows(names, at);
        Asm::named(&mut image);
        Module::load(image.encode())
    };
    let module = load(&|[_, run, sudo], at| vec![row(run, (at, 1), 1), row(sudo, (at, 0), 0)]).unwrap();
    for (line, is) in [
        ("run-in -u rm x rm", true),
        ("run-in -v x rm", true),
        ("run-in rm", false),
        ("sudo-too -u rm", true),
        ("sudo-too ls rm", false),
        ("sudo-tree rm", false),
    ] {
        assert_eq!(!hits(&module, &json!({"event_type": "e", "line": line})).is_empty(), is, "{line}");
    }
    let fault = |rows: &dyn Fn([u32; 3], u32) -> Vec<Wrapper>| match load(rows) {
        Err(LoadError::Row { what, .. }) => what,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        fault(&|[_, run, sudo], at| vec![row(sudo, (at, 0), 0), row(run, (at, 0), 0)]),
        "not above the wrapper before it"
    );
    assert_eq!(fault(&|[_, run, _], at| vec![row(run, (at, 2), 0)]), "the options do not ascend");
    assert_eq!(fault(&|[_, run, _], at| vec![row(run, (at + 2, 1), 0)]), "an option is out of range");
    assert_eq!(fault(&|[_, run, _], _| vec![row(run, (77_777, 1), 0)]), "the options are out of range");
    assert_eq!(fault(&|[_, run, _], at| vec![row(run, (at, 0), 9)]), "too many operands");
    assert_eq!(fault(&|_, at| vec![row(77_777, (at, 0), 0)]), "the name is out of range");
}

/// No slot reads beyond its view: each of many views in one buffer is its own.
#[test]
fn views_lie_behind_one_another() {
    let mut asm = Asm::new();
    let names = ["a", "b", "c"];
    let slots = names.map(|name| asm.slot(&format!("{name}.shell().commands.0.name")));
    let params: Vec<(&str, T, Option<u32>)> =
        names.iter().zip(slots).map(|(name, slot)| (*name, T::Slot(slot), None)).collect();
    let action = asm.action("x", &params);
    let always = asm.always();
    asm.event(Family::Thread, "e", Strategy::First);
    asm.hook(always, action, Mode::Enforce);
    let module = asm.module();
    let mut scratch = Scratch::new();
    for (event, expected) in [
        (r#"{"event_type":"e","a":"x","b":"y","c":"z"}"#, r#"{"type":"x","a":"x","b":"y","c":"z"}"#),
        (r#"{"event_type":"e","b":"'q\\ \"'","c":"$x"}"#, r#"{"type":"x","a":null,"b":"q\\ \"","c":null}"#),
        (r#"{"event_type":"e","c":["z"]}"#, r#"{"type":"x","a":null,"b":null,"c":"z"}"#),
    ] {
        let decision = module.decide(&mut scratch, event.as_bytes(), &DecideOptions::default()).unwrap();
        let mut out = String::new();
        decision.hooks().next().unwrap().render(&mut out).unwrap();
        assert_eq!(out, expected);
    }
}
