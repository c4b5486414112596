//! Indexes: what they find is what matches, for every kind and around every threshold; and the
//! loader's errors for broken ones.

use std::fmt::Write;

use hookc_base::{DimTag, ProbeTag};
use hookc_compiler::index::{self, IndexThresholds};
use hookc_compiler::{Compiled, Dialect, Input, Options, compile};
use hookc_schema::Sources;
use hookc_vm::format::Image;
use hookc_vm::format::index::hash;
use hookc_vm::format::tag;
use hookc_vm::format::{INLINE_RANK, Key, NONE, Posting, Probe, Range, U32};
use hookc_vm::limits::INDEX_DEPTH;
use hookc_vm::trace::Verdict;
use hookc_vm::{DecideError, DecideOptions, EventError, Limits, Module, Scratch, Strategy};
use serde_json::Value;

fn compiled(whens: &[String], thresholds: IndexThresholds) -> Compiled {
    compiled_at("e", whens, thresholds)
}

fn compiled_at(event: &str, whens: &[String], thresholds: IndexThresholds) -> Compiled {
    let mut yaml = String::from("schema_version: \"1.0.0\"\nhooks:\n");
    for (n, when) in whens.iter().enumerate() {
        let when = when.replace('\'', "''");
        writeln!(yaml, "  - {{id: h{n}, event: {event}, when: '{when}', action: {{type: abort}}}}").unwrap();
    }
    let mut sources = Sources::new();
    let source = sources.add("hooks.yaml", yaml);
    let input = Input::new(source).with_dialect(Dialect::HooksYaml);
    let mut options = Options::default();
    (options.strip, options.thresholds) = (true, thresholds);
    let compiled = compile(&mut sources, &[input], &options);
    let reported = || hookc_schema::diag::render::short::render(&compiled.diagnostics, &sources);
    assert!(
        !compiled.failed(),
        "{}",
        reported().lines().filter(|line| line.contains("error[")).collect::<Vec<_>>().join("\n")
    );
    compiled
}

fn module(whens: &[String], thresholds: IndexThresholds) -> Module {
    Module::load(compiled(whens, thresholds).module.unwrap()).unwrap()
}

/// Indexes wherever they are possible.
fn eager() -> IndexThresholds {
    let mut all = IndexThresholds::default();
    (all.min_indexed, all.max_posting, all.min_grams, all.least, all.share) = (0, 2, 0, 0, usize::MAX);
    all
}

/// All events, or some twelve of them in a short run.
fn sample(events: &[String]) -> impl Iterator<Item = &String> {
    events.iter().step_by(hookc_corpus::effort(1, 1 + events.len() / 12))
}

/// The index finds the same hooks as evaluating every hook.
fn agree(module: &Module, events: &[String], what: &str) {
    let mut scratch = Scratch::new();
    for event in sample(events) {
        let all = DecideOptions::default().strategy(Strategy::All);
        let trace = module.trace(&mut scratch, event.as_bytes(), &all).unwrap();
        let matching: Vec<u32> = (0..)
            .zip(trace.hooks())
            .filter_map(|(rank, hook)| (hook.verdict != Verdict::NoMatch).then_some(rank))
            .collect();
        let found: Vec<u32> =
            module.decide(&mut scratch, event.as_bytes(), &all).unwrap().hooks().map(|h| h.rank()).collect();
        assert_eq!(found, matching, "{what}: all of {event}");
        let ask = DecideOptions::default().strategy(Strategy::First);
        let first = module.decide(&mut scratch, event.as_bytes(), &ask).unwrap();
        let first: Vec<u32> = first.hooks().map(|hook| hook.rank()).collect();
        assert_eq!(
            first,
            matching.iter().copied().take(1).collect::<Vec<_>>(),
            "{what}: the first of {event}"
        );
        for after in [0, 1, 62, 63, 64] {
            let ask = DecideOptions::default().after(Some(after));
            let next = module.decide(&mut scratch, event.as_bytes(), &ask).unwrap();
            let next = next.hooks().next().map(|hook| hook.rank());
            assert_eq!(
                next,
                matching.iter().copied().find(|rank| *rank > after),
                "{what}: after {after} of {event}"
            );
        }
    }
}

/// Events as parsed values have the decisions of their texts.
fn agree_parsed(module: &Module, events: &[String]) {
    let all = DecideOptions::default().strategy(Strategy::All);
    let mut scratch = Scratch::new();
    for event in sample(events) {
        let value: Value = event.parse().unwrap();
        let text = value.to_string();
        let of_text: Vec<u32> =
            module.decide(&mut scratch, text.as_bytes(), &all).unwrap().hooks().map(|h| h.rank()).collect();
        let decided = module.decide_value(&mut scratch, &value, &all).unwrap();
        assert_eq!(decided.hooks().map(|hook| hook.rank()).collect::<Vec<_>>(), of_text, "{event}");
    }
}

/// The hooks that an index offers for an event with these members, as a text and as a parsed value. Each hook
/// starts with a query of its own list: with a long list, a decision that evaluates the hook needs too many
/// steps.
fn offered(whens: &[String], thresholds: IndexThresholds, members: &str) -> Vec<usize> {
    offered_among(whens, thresholds, members, 1)
}

/// Like the above for every `step`th hook.
fn offered_among(whens: &[String], thresholds: IndexThresholds, members: &str, step: usize) -> Vec<usize> {
    let guarded: Vec<String> =
        (0..).zip(whens).map(|(n, when)| format!("not exists($.l{n}[?@.x]) and ({when})")).collect();
    let mut limits = Limits::default();
    limits.query_steps = 100;
    let module = Module::load_with(compiled(&guarded, thresholds).module.unwrap(), limits).unwrap();
    let all = DecideOptions::default().strategy(Strategy::All);
    let mut scratch = Scratch::new();
    let is_offered = |n: &usize| {
        let event = format!(r#"{{"event_type":"e",{members},"l{n}":[{}]}}"#, ["0"; 300].join(","));
        let text = module.decide(&mut scratch, event.as_bytes(), &all).map(drop);
        let parsed = module.decide_value(&mut scratch, &event.parse::<Value>().unwrap(), &all).map(drop);
        assert_eq!(text, parsed, "{event}");
        assert!(matches!(text, Ok(()) | Err(DecideError::QuerySteps(_))), "{text:?}");
        text.is_err()
    };
    (0..whens.len()).step_by(step).filter(is_offered).collect()
}

/// The condition of a hook by its number.
type When = fn(usize) -> String;

/// Kinds of hooks, each so often, and the structures that are expected.
type Case<'a> = (&'a [(usize, When)], &'a [&'a str]);

/// A condition of each kind that an index separates, by number.
const KINDS: &[(&str, When)] = &[
    ("equal", |n| format!("a == 'v{n}'")),
    ("equal numbers", |n| format!("a == {n}")),
    ("equal folded", |n| format!("a == 'V{n}' nocase")),
    ("in", |n| format!("a in ['v{n}', 'v{}', {n}, null]", n + 1)),
    ("in folded", |n| format!("a in ['V{n}', {n}] nocase")),
    ("shared", |n| format!("a == 'v{}' and b == {n}", n % 2)),
    ("greater", |n| format!("b > {n}")),
    ("between", |n| format!("b >= {n}.5 and b <= {}", n + 3)),
    ("empty range", |n| format!("b > {} and b < {n}", n + 1)),
    ("two ranges", |n| format!("b > {n} and c < {}", n / 2)),
    ("huge", |n| format!("b > 1e{} or b < -1e-{}", 300 + n, 320 + n)),
    ("begins", |n| format!("a starts_with '{}'", "v".repeat(n % 70))),
    ("begins folded", |n| format!("a starts_with 'V{n}' nocase")),
    ("ends", |n| format!("a ends_with '{n}'")),
    ("ends folded", |n| format!("a ends_with 'É{n}' nocase")),
    ("contains", |n| format!("a contains 'needle-{n}'")),
    ("contains short", |n| format!("a contains '{n}'")),
    ("contains folded", |n| format!("a contains 'NEEDLE-{n}' nocase")),
    ("regex", |n| format!("a =~ '^v{n}[0-9]*$'")),
    ("regex inside", |n| format!("a =~ '[a-z]+edle-{n}(x|yy)?'")),
    ("regex folded", |n| format!("a =~ 'NEEDLE-{n}' nocase")),
    ("glob", |n| format!("a glob ['v{n}*', '**/v{n}', '*.v{n}']")),
    ("exists", |n| format!("exists(x{})", n % 5)),
    ("absent", |n| format!("not exists(x{})", n % 5)),
    ("negations", |n| format!("a != 'v{}' and not (b in [{n}, {}])", n % 4, n + 1)),
    ("negated numbers", |n| format!("not (b >= {n} or c < {})", n / 2)),
    ("negated and not", |n| format!("not (b > {n}) and c > {} and not (b < {})", n % 5, n / 3)),
    ("either", |n| format!("a == 'v{n}' or b > {n} or c == {n}")),
    ("nested", |n| format!("(a == 'v{n}' or exists(x1)) and not (b == {n} or c > 5)")),
    ("another path", |n| format!("a == b or c == {n}")),
    ("any node", |n| format!("$.list[*] == {n}")),
    ("always", |n| if n % 3 == 0 { "true".to_owned() } else { format!("b == {n}") }),
];

/// Conditions about the nodes of views, whose JSON has the texts.
const VIEWS: &[(&str, When)] = &[
    ("name in a view", |n| format!("some(c in shell(a).commands: c.name == 'v{n}')")),
    ("names in a view", |n| format!("some(c in shell(a).commands: c.name in ['v{n}', 'w{}'])", n + 1)),
    ("short names", |n| format!("some(c in shell(a).commands: c.name == '{}')", n % 10)),
    ("escaped names", |n| format!(r#"some(c in shell(a).commands: c.name == 'v"{n}' or c.name == 'é{n}')"#)),
    ("parts", |n| {
        format!("some(c in shell(a).commands: c.args contains 'needle-{n}' or c.name starts_with 'v{n}')")
    }),
    ("any name", |n| format!("shell(a).commands[*].name == 'v{n}'")),
    ("of two nodes", |n| {
        format!(
            "some(c in shell(a).commands: c.name == 'v{n}' and some(x in c.args: x == 'x{n}' or x == c.name))"
        )
    }),
    ("of an inner node", |n| {
        format!("some(c in shell(a).commands: some(x in c.args: c.name == 'v{n}' and x == b))")
    }),
    ("of another node", |n| {
        format!("some(x in list: some(c in shell(a).commands: x == 'v' and c.name == 'v{n}'))")
    }),
    ("of a list inside", |n| {
        format!("some(c in shell(a).commands: some(x in list: x == {n} and c.name == 'v{n}'))")
    }),
    ("negated names", |n| {
        format!(
            "some(c in shell(a).commands: not (c.name == 'v{n}')) and \
             every(c in shell(a).commands: c.name == 'v{n}')"
        )
    }),
    ("of any kind", |n| {
        format!("some(c in shell(a).commands: c.name == {n} or c.known == true and c.name == 'v{n}')")
    }),
];

/// Quantifiers, which imply at most that the start of their nodes is present.
const QUANTIFIERS: &[(&str, When)] = &[
    ("some node", |n| format!("some(x in list: x == {n})")),
    ("some and more", |n| format!("some(x in list: x == {n} or x == b) and a == 'v{n}'")),
    ("every node", |n| format!("every(x in list: x == {n} or x == 'v')")),
    ("no node", |n| format!("not some(x in list: x == {n}) and some(x in $.list[*]: x == a or b == {n})")),
];

fn events(n: usize) -> Vec<String> {
    let mut all = Vec::new();
    for at in [0, 1, 2, 3, n / 2, n.saturating_sub(1), n] {
        let texts = [
            format!("v{at}"),
            format!("V{at}"),
            format!("xx needle-{at}yy"),
            "v".repeat(at),
            format!("d/v{at}"),
            format!("é{at}"),
            format!("v{at} needle-{at} x{at} | w{at}; sh -c 'v{}'", at + 1),
            format!("$(v{at}) \\\\v\\\"{at}"),
        ];
        for (shape, text) in texts.iter().enumerate() {
            let b = [
                format!("{at}"),
                format!("{at}.25"),
                format!("{at}.0"),
                format!("-{at}"),
                "1e301".to_owned(),
                "null".to_owned(),
                format!("\"x{at}\""),
                "true".to_owned(),
            ];
            all.push(format!(
                r#"{{"event_type": "e", "a": "{text}", "b": {}, "c": {}, "x{}": {shape}, "list": [{at}, "v"]}}"#,
                b[shape], at / 2, at % 5
            ));
        }
        all.push(format!(r#"{{"event_type": "e", "a": {at}, "b": "{at}"}}"#));
        all.push(format!(
            r#"{{"event_type": "e", "a": ["v{at}", {at}, "needle-{at}"], "x0": null, "x1": 0}}"#
        ));
    }
    all.push(r#"{"event_type": "e"}"#.to_owned());
    all
}

#[test]
fn every_kind_around_every_threshold() {
    let effort = hookc_corpus::effort(1, 7);
    for (name, when) in KINDS.iter().chain(QUANTIFIERS).chain(VIEWS).step_by(effort) {
        let sizes = [1, 2, 3, 8, 9, 47, 48, 49, 63, 64, 65, 129];
        for n in sizes.into_iter().step_by(hookc_corpus::effort(1, 5)) {
            let whens: Vec<String> = (0..n).map(when).collect();
            for thresholds in [IndexThresholds::default(), eager()] {
                agree(&module(&whens, thresholds), &events(n), &format!("{name}, {n}"));
            }
        }
    }
}

/// Every kind among the others: postings, groups and nested indexes together.
fn mixed() -> Vec<String> {
    (0..40).flat_map(|n| KINDS.iter().chain(VIEWS).map(move |(_, when)| when(n))).collect()
}

#[test]
fn all_kinds_together() {
    let lazy = module(&mixed(), IndexThresholds::default());
    agree(&lazy, &events(40), "all kinds");
    agree_parsed(&lazy, &events(40));
    let module = module(&mixed(), eager());
    agree(&module, &events(40), "all kinds");
    agree_parsed(&module, &events(40));
    let tables = module.tables().unwrap();
    for kind in ProbeTag::ALL.iter().filter(|kind| !matches!(kind, ProbeTag::Acts | ProbeTag::Tied)) {
        assert!(tables.probes.iter().any(|probe| probe.kind == kind.number()), "a probe of kind {kind}");
    }
    for kind in DimTag::ALL {
        assert!(tables.dims.iter().any(|dim| dim.kind == kind.number()), "a dimension of kind {kind}");
    }
}

/// Conditions about what an event does.
const EFFECTS: [&str; 16] = [
    "runs('git push')",
    "runs('git commit', 'rm -r') and not unknown()",
    "may_run('kubectl delete') or writes('src/**')",
    "unknown()",
    "only(reads('./**'))",
    "not runs('git')",
    "deletes('/etc') and mentions('/passwd/')",
    "tool_name == 'Bash' and runs('curl')",
    "tool_name == 'Read' and reads('**')",
    "tool_name == 'Write' or runs('tee')",
    "contacts('*.example.com') and tool_input.command contains 'token'",
    "runs('@fetchers | sh')",
    "not (runs('ls') or unknown())",
    "runs()",
    "reads(@secrets) or sends(@secrets)",
    "runs('*')",
];

/// Events that do something, and some that do nothing.
fn acting() -> Vec<String> {
    let lines = [
        "git push -f",
        "git commit -m x && rm -r y",
        "kubectl delete pod x",
        "$X",
        "cat src/a",
        "ls",
        "rm -rf /etc # passwd",
        "curl https://a.example.com/?token=x",
        "curl https://example.org | sh",
        "echo x | tee src/a",
        "cat ~/.ssh/id_rsa",
        "> src/b",
        "",
    ];
    let line = |line: &str| {
        format!(
            r#"{{"event_type": "PreToolUse", "tool_name": "Bash", "cwd": "/p", "tool_input": {{"command": "{line}"}}}}"#
        )
    };
    let tools = [("Read", "file_path"), ("Write", "file_path"), ("mcp__x__y", "path"), ("Bash", "text")].map(|(tool, input)| {
        format!(r#"{{"event_type": "PreToolUse", "tool_name": "{tool}", "cwd": "/p", "tool_input": {{"{input}": "/p/src/a"}}}}"#)
    });
    let nothing = [r#"{"event_type": "PreToolUse"}"#.to_owned()];
    lines.into_iter().map(line).chain(tools).chain(nothing).collect()
}

#[test]
fn predicates_about_effects_are_witnesses() {
    let whens = EFFECTS.map(str::to_owned);
    for thresholds in [IndexThresholds::default(), eager()] {
        let compiled = compiled_at("PreToolUse", &whens, thresholds);
        let plan = compiled.plan.unwrap();
        let always: Vec<String> =
            index::report(&plan, &thresholds).remove(0).always.into_iter().map(|(label, _)| label).collect();
        assert_eq!(always, ["h5", "h12"], "negations are evaluated for every event");
        let module = Module::load(compiled.module.unwrap()).unwrap();
        let is_acts = |probe: &&Probe| probe.kind == ProbeTag::Acts.number();
        assert!(module.tables().unwrap().probes.iter().filter(is_acts).count() > 10);
        agree(&module, &acting(), "effects");
        agree_parsed(&module, &acting());
    }
}

#[test]
fn probes_for_predicates_are_verified() {
    let compiled = compiled_at("PreToolUse", &EFFECTS.map(str::to_owned), IndexThresholds::default());
    let module = Module::load(compiled.module.unwrap()).unwrap();
    let breaks: [(Damage, &str); 3] = [
        (|i| probe(i, ProbeTag::Acts).slot = 1000.into(), "the predicate is out of range"),
        (|i| probe(i, ProbeTag::Acts).rows.start = 100_000.into(), "the posting is out of range"),
        (|i| probe(i, ProbeTag::Acts).rows.length = 1.into(), "a reserved field is not zero"),
    ];
    for (damage, expected) in breaks {
        let mut image = image(&module);
        damage(&mut image);
        let error = Module::load(image.encode()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

/// Conditions about what happened before.
const PAST: [&str; 12] = [
    "formerly(PreToolUse where tool_name == 'a' and tool_input.x == now.tool_input.x)",
    "count(PreToolUse where tool_name == 'b') >= 2",
    "sum(tool_input.n of PreToolUse where tool_name == 'c') > 0",
    "distinct(tool_input.x of PreToolUse where tool_name == 'd' within 1h) >= 2",
    "count(PreToolUse where tool_name == 'e' per agent) > 0 and tool_input.n != 1",
    "formerly(PreToolUse where tool_name == 'f' and tool_input.x != now.tool_input.x)",
    "tool_name == 'z' and formerly(PreToolUse)",
    "not formerly(PreToolUse where tool_name == 'g')",
    "count(PreToolUse where tool_name == 'h') < 3",
    "sum(tool_input.n of PreToolUse where tool_name == 'i') > -1",
    "count(PreToolUse where tool_name == 'j') >= 0",
    "formerly(PreToolUse where tool_name == 'k' including now)",
];

/// The differential test of the oracle compares the answers with those of modules without indexes.
#[test]
fn reads_of_the_history_are_witnesses() {
    for thresholds in [IndexThresholds::default(), eager()] {
        let compiled = compiled_at("PreToolUse", &PAST.map(str::to_owned), thresholds);
        let plan = compiled.plan.unwrap();
        let always: Vec<String> =
            index::report(&plan, &thresholds).remove(0).always.into_iter().map(|(label, _)| label).collect();
        assert_eq!(always, ["h7", "h8", "h9", "h10", "h11"], "true without an event, or of the current one");
        let module = Module::load(compiled.module.unwrap()).unwrap();
        let tables = module.tables().unwrap();
        let probes = tables.probes.iter().filter(|probe| probe.kind == ProbeTag::Tied.number()).count();
        assert_eq!(probes, 3, "one for a tie, one for none, and one for the agent");
    }
}

#[test]
fn probes_for_reads_of_the_history_are_verified() {
    let compiled = compiled_at("PreToolUse", &PAST.map(str::to_owned), IndexThresholds::default());
    let module = Module::load(compiled.module.unwrap()).unwrap();
    let breaks: [(Damage, &str); 5] = [
        (|i| probe(i, ProbeTag::Tied).slot = 1000.into(), "the tie is out of range, or of a bound node"),
        (|i| probe(i, ProbeTag::Tied).step = 9, "an unknown step"),
        (|i| probe(i, ProbeTag::Tied).rows.start = 100_000.into(), "the posting is out of range"),
        (|i| probe(i, ProbeTag::Tied).rows.length = 1.into(), "a reserved field is not zero"),
        (|i| probe(i, ProbeTag::Tied).step = 3, "a monitor of another tie or partition"),
    ];
    for (damage, expected) in breaks {
        let mut image = image(&module);
        damage(&mut image);
        let error = Module::load(image.encode()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

/// Thousands of toggles: recorded sets in the middle.
#[test]
fn a_dense_group() {
    let whens: Vec<String> = (0..3000).map(|n| format!("b > {n} and c < {n}")).collect();
    let module = module(&whens, IndexThresholds::default());
    assert!(
        module.tables().unwrap().words.len() > 3 * 3000_usize.div_ceil(64),
        "sets are recorded on the way"
    );
    assert!(module.tables().unwrap().dims.iter().all(|dim| dim.step.get() == 16), "after 16 changes");
    let of = |b: usize, c: usize| format!(r#"{{"event_type": "e", "b": {b}, "c": {c}}}"#);
    let pairs =
        [(0, 0), (3000, 0), (1500, 1499), (1500, 1500), (1501, 1499), (700, 650), (2999, 2990), (40, 1)];
    agree(&module, &pairs.map(|(b, c)| of(b, c)), "dense");
}

#[test]
fn missing_files_are_reported() {
    let mut whens: Vec<String> = (0..20).map(|n| format!("a == 'v{n}'")).collect();
    whens.push("true".to_owned());
    whens.push("not (a == 'x' and b == 1)".to_owned());
    let plan = compiled(&whens, IndexThresholds::default()).plan.unwrap();
    let report = index::report(&plan, &IndexThresholds::default());
    assert_eq!((report[0].hooks, report[0].indexed), (22, true));
    let always: Vec<&str> = report[0].always.iter().map(|(label, _)| label.as_str()).collect();
    assert_eq!(always, ["h20"], "the other one is told apart by what it excludes");
}

#[test]
fn reasons_for_evaluating_a_hook_always() {
    let mut whens: Vec<String> = (0..20).map(|n| format!("a == 'v{n}'")).collect();
    let always = [
        ("true", "it matches every event"),
        ("a == 'x' or not b =~ 'y'", "one of its alternatives is true for most events"),
        ("not a =~ 'x'", "a negation is true for most events"),
        ("not a =~ 'x' and not b =~ 'y'", "each of its parts is true for most events"),
    ];
    whens.extend(always.map(|(when, _)| when.to_owned()));
    let plan = compiled(&whens, IndexThresholds::default()).plan.unwrap();
    let report = index::report(&plan, &IndexThresholds::default());
    let reasons: Vec<&str> = report[0].always.iter().map(|(_, why)| *why).collect();
    assert_eq!(reasons, always.map(|(_, why)| why));
}

/// The probes and dimensions of a module, each kind once.
fn structures(module: &Module) -> Vec<&'static str> {
    let tables = module.tables().unwrap();
    let probes = ProbeTag::ALL.iter().filter(|tag| tables.probes.iter().any(|row| row.kind == tag.number()));
    let dims = DimTag::ALL.iter().filter(|tag| tables.dims.iter().any(|row| row.kind == tag.number()));
    probes.map(|tag| tag.name()).chain(dims.map(|tag| tag.name())).collect()
}

/// What separates hooks of one kind, so that an event leads to few of them.
#[test]
fn each_kind_has_its_structure() {
    let kinds: &[(When, &[&str])] = &[
        (|n| format!("a == 'v{n}'"), &["equal"]),
        (|n| format!("b > {n}"), &["range"]),
        (|n| format!("b < {n}"), &["range"]),
        (|n| format!("not b > {n}"), &["range"]),
        (|n| format!("not b < {n}"), &["range"]),
        (|n| format!("a != {}", n % 2), &["value"]),
        (|n| format!("a starts_with 'v{n}'"), &["begins"]),
        (|n| format!("a ends_with 'v{n}'"), &["ends"]),
        (|n| format!("a contains 'needle-{n}'"), &["has"]),
        (|n| format!("a =~ '[0-9]+(needle-{n}|other-{n})[0-9]+'"), &["has"]),
        (|n| format!("some(c in shell(a).commands: c.name == 'name-{n}')"), &["within"]),
        (|n| format!("shell(a).commands[*].name == 'name-{n}'"), &["within"]),
        (|n| format!("some(c in shell(a).commands: some(x in c.args: x == 'x-{n}'))"), &["within"]),
        (|n| format!("some(c in shell(a).commands: some(x in c.args: c.name == 'x-{n}'))"), &["within"]),
        (|n| format!("a == 'V{n}' nocase"), &["equal_fold"]),
        (|n| format!("a in ['V{n}', 'W{n}'] nocase"), &["equal_fold"]),
        (|n| format!("not exists(x{n})"), &["equal"]),
        (|n| format!("not (b in ['x', 'y', {}])", n % 2), &["value"]),
        (|n| format!("a glob 'dir-{n}/*'"), &["begins"]),
        (|n| format!("a glob ['*.e{n}', '*/e{n}'] nocase"), &["ends_fold"]),
        (|n| format!("a =~ 'ab-{n}' nocase"), &["has"]),
        // Texts inside the groups, repetitions and alternatives of a pattern.
        (|n| format!("a =~ '[0-9]+([a-z]+needle-{n}[a-z]+)[0-9]+'"), &["has"]),
        (|n| format!("a =~ '[0-9]+(?:[a-z]+needle-{n}[a-z]+){{2,}}[0-9]+'"), &["has"]),
        (|n| format!("a =~ '[0-9]+(?:[a-z]+needle-{n}[a-z]+|[A-Z]+other-{n}[A-Z]+)[0-9]+'"), &["has"]),
        (|n| format!("a =~ '[0-9]+(?:[a-z]+needle-{n}[a-z]+)*[0-9]+'"), &["present"]),
        // The longer one of a start and an end.
        (|n| format!("a =~ '^ab[0-9]+needle-{n}$'"), &["ends"]),
        (|n| format!("a =~ '^needle-{n}[0-9]+ab$'"), &["begins"]),
        (|n| format!("a =~ '^abcd-{n}[0-9]+efgh-{n}$'"), &["begins"]),
        (
            |n| format!("some(c in shell(a).commands: c.name == 'name-{n}' or c.name == 'other-{n}')"),
            &["within"],
        ),
        // The nodes of a list are not in the view.
        (|n| format!("some(c in shell(a).commands: some(x in list: x == 'name-{n}'))"), &["present"]),
        (|n| format!("some(c in shell(a).commands: c.name in ['name-{n}', 'other-{n}'])"), &["within"]),
        (|n| format!("some(c in shell(a).commands: c.name contains 'name-{n}')"), &["within"]),
        (|n| format!("some(c in shell(a).commands: c.name starts_with 'name-{n}')"), &["within"]),
        (|n| format!("some(c in shell(a).commands: c.name ends_with 'name-{n}')"), &["within"]),
        // Texts that JSON has with escapes, or could have.
        (|n| format!(r#"some(c in shell(a).commands: c.name == 'na"me-{n}')"#), &["present"]),
        (|n| format!("some(c in shell(a).commands: c.name == 'née-{n}')"), &["present"]),
        (|n| format!("some(x in list: x == 'name-{n}')"), &["present"]),
        (|_| "true".to_owned(), &[]),
    ];
    for (when, expected) in kinds {
        let whens: Vec<String> = (0..20).map(when).collect();
        assert_eq!(structures(&module(&whens, IndexThresholds::default())), *expected, "{}", whens[0]);
    }
    let none = compiled(&vec!["true".to_owned(); 20], IndexThresholds::default()).plan.unwrap();
    assert!(!index::report(&none, &IndexThresholds::default())[0].indexed, "an index would find nothing");
}

/// So many conditions, and conditions that nothing separates, up to nine.
fn up_to_nine(some: usize, when: When) -> Vec<String> {
    (0..9).map(|n| if n < some { when(n) } else { "true".to_owned() }).collect()
}

/// A text that no other number has, without digits and punctuation.
fn plain(n: usize) -> String {
    let letter = |n: usize| char::from(b'a' + (n % 8) as u8);
    format!("needle {}{}", letter(n / 8), letter(n))
}

/// Texts anywhere are searched for if eight hooks of one slot have them, or four if all of them have a digit or
/// punctuation.
#[test]
fn texts_anywhere_are_indexed_from_eight_hooks_on() {
    let contains: When = |n| format!("a contains '{}'", plain(n));
    let either: When = |n| format!("a contains '{0}' or b contains '{0}'", plain(n));
    let rare: When = |n| format!("a contains 'needle-{n}'");
    let some: When =
        |n| if n == 0 { format!("a contains '{}'", plain(n)) } else { format!("a contains 'needle-{n}'") };
    for (whens, expected) in [
        (up_to_nine(9, contains), &["has"][..]),
        (up_to_nine(8, contains), &["has"]),
        (up_to_nine(7, contains), &[]),
        (up_to_nine(8, either), &["has"]),
        (up_to_nine(5, either), &[]),
        (up_to_nine(4, rare), &["has"]),
        (up_to_nine(3, rare), &[]),
        (up_to_nine(7, some), &[]),
    ] {
        assert_eq!(structures(&module(&whens, IndexThresholds::default())), expected, "{}", whens.concat());
    }
}

/// A posting becomes an index if it has more than four hooks, and if that separates more than half of them.
/// Texts anywhere are searched for in it if 32 hooks have them, or 16 if all of them have a digit or punctuation.
#[test]
fn long_postings_become_indexes() {
    let begins: When = |n| format!("a == 'x' and b starts_with 'name-{n}'");
    let contains: When = |n| format!("a == 'x' and b contains '{}'", plain(n));
    let rare: When = |n| format!("a == 'x' and b contains 'needle-{n}'");
    let alone: When = |_| "a == 'x'".to_owned();
    let cases: [Case<'_>; 8] = [
        (&[(4, begins)], &["equal"]),
        (&[(5, begins)], &["equal", "begins"]),
        (&[(3, begins), (2, alone)], &["equal", "begins"]),
        (&[(2, begins), (3, alone)], &["equal"]),
        (&[(31, contains)], &["equal"]),
        (&[(32, contains)], &["equal", "has"]),
        (&[(15, rare)], &["equal"]),
        (&[(16, rare)], &["equal", "has"]),
    ];
    for (parts, expected) in cases {
        let mut whens: Vec<String> = parts.iter().flat_map(|(count, when)| (0..*count).map(when)).collect();
        whens.extend((0..60).map(|n| format!("a == 'v{n}'")));
        assert_eq!(structures(&module(&whens, IndexThresholds::default())), expected, "{}", whens[0]);
    }
}

/// The values that hooks exclude become a dimension if an event excludes two hooks on average.
#[test]
fn exclusions_of_two_hooks_on_average() {
    let of = |hooks: usize| -> Vec<String> { (0..hooks).map(|n| format!("a != 'v{}'", n % 4)).collect() };
    for (hooks, expected) in [(9, &[][..]), (10, &["value"])] {
        assert_eq!(structures(&module(&of(hooks), IndexThresholds::default())), expected, "{hooks}");
    }
}

/// Hooks that never match are in no index, so none of them is evaluated.
#[test]
fn hooks_that_never_match() {
    for when in ["a in []", "false"] {
        let whens = vec![when.to_owned(); 9];
        let plan = compiled(&whens, IndexThresholds::default()).plan.unwrap();
        assert!(index::report(&plan, &IndexThresholds::default())[0].indexed, "{when}");
        assert!(offered(&whens, IndexThresholds::default(), r#""a":1"#).is_empty(), "{when}");
    }
}

/// Of the operands of a conjunction, the one that the fewest events have is searched for.
#[test]
fn the_rarest_operand_is_searched_for() {
    let letter = |n: usize| char::from(b'a' + n as u8);
    let twenty = |when: When| (0..20).map(when).collect::<Vec<_>>();
    let nine = |when: When| (0..9).map(when).collect::<Vec<_>>();
    let cases: [(Vec<String>, &[&str]); 19] = [
        // Of equally rare ones, the first.
        (nine(|n| format!("a == 'v{n}' and b starts_with 'name-{n}'")), &["equal"]),
        // Few values of a slot are likely, whatever their length.
        (twenty(|n| format!("a == 'long-name-{}' and c starts_with 'long-name-{n}'", n / 10)), &["begins"]),
        (twenty(|n| format!("a starts_with 'long-name-{}' and c == 'v{n}'", n / 10)), &["equal"]),
        (twenty(|n| format!("a starts_with 'long-name-{}' nocase and c == 'v{n}'", n / 10)), &["equal"]),
        (twenty(|n| format!("a ends_with 'long-name-{}' and c == 'v{n}'", n / 10)), &["equal"]),
        (twenty(|n| format!("a ends_with 'long-name-{}' nocase and c == 'v{n}'", n / 10)), &["equal"]),
        (twenty(|n| format!("a contains 'long-name-{}' and c == 'v{n}'", n / 10)), &["equal"]),
        (twenty(|n| format!("a contains 'long-name-{}' nocase and c == 'v{n}'", n / 10)), &["equal"]),
        (twenty(|n| format!("a =~ '[0-9]+long-name-{}[0-9]+' and c == 'v{n}'", n / 10)), &["equal"]),
        // Short texts are likely, even if the policy has many.
        (twenty(|n| format!("a starts_with '{:02}' and c == 'v{}'", n, n / 2)), &["equal"]),
        (twenty(|n| format!("a starts_with '{:03}' and c == 'v{}'", n, n / 2)), &["equal"]),
        (twenty(|n| format!("a starts_with '{:05}' and c == 'v{}'", n, n / 2)), &["begins"]),
        // Each element of a list makes it more likely.
        (
            twenty(|n| {
                let list: Vec<String> = (n..n + 4).map(|n| format!("'v{n}'")).collect();
                format!("a in [{}] and c ends_with 'name-{}'", list.join(", "), n / 2)
            }),
            &["ends"],
        ),
        // The only value of a slot is as likely as one side of a bound, and is searched for first.
        (nine(|n| format!("a == 'x' and b > {n}")), &["equal", "range"]),
        // A slot is more often present than a given value is not in it.
        (nine(|_| "a != 'x' and b != 'y' and exists(c)".to_owned()), &["present", "value"]),
        (nine(|_| "a != null and b != null and exists(c)".to_owned()), &["value"]),
        // Many values start with a letter, even if the policy has them all.
        (
            (0..20)
                .map(|n| format!("a starts_with '{}' and c ends_with 'name-{}'", letter(n), n / 2))
                .collect(),
            &["ends"],
        ),
        // Each of several alternatives makes it more likely.
        (
            (0..20).map(|n| format!("a =~ '^(ab{n:02}|cd{n:02}|ef{n:02})' and c == 'v{n}'")).collect(),
            &["equal"],
        ),
        ((0..20).map(|n| format!("exists(a) and c == 'v{n}'")).collect(), &["equal"]),
    ];
    for (whens, expected) in cases {
        assert_eq!(structures(&module(&whens, IndexThresholds::default())), expected, "{}", whens[0]);
    }
}

/// Of the texts that a pattern requires, the one is searched for that is long and that few patterns share.
#[test]
fn patterns_are_found_by_their_rarest_text() {
    let values = |whens: Vec<String>| {
        let module = module(&whens, IndexThresholds::default());
        let keys: std::collections::BTreeSet<u32> =
            module.tables().unwrap().keys.iter().map(|key| key.value.get()).collect();
        keys.len()
    };
    // All share the longer text.
    assert_eq!(values((0..20).map(|n| format!("a =~ 'everyone[0-9]+own-{n:02}'")).collect()), 20);
    // A text that two share is rarer than one of four bytes.
    assert_eq!(
        values((0..20).map(|n| format!("a =~ 'ab{n:02}[0-9]+shared-text-{:02}'", n / 2)).collect()),
        10
    );
}

/// Of the grams of a text, those are keys that the fewest searched texts have.
#[test]
fn the_rarest_grams_are_keys() {
    let grams = |whens: &[&str]| {
        let whens: Vec<String> = whens.iter().map(|when| (*when).to_owned()).collect();
        let module = module(&whens, eager());
        let tables = module.tables().unwrap();
        let is_of = |key: &&Key| tables.probes[key.owner.get() as usize].step > 0;
        let gram = |key: &Key| String::from_utf8(key.hash.get().to_le_bytes().to_vec()).unwrap();
        tables.keys.iter().filter(is_of).map(gram).collect::<std::collections::BTreeSet<String>>()
    };
    let of = |expected: &[&str]| expected.iter().map(|gram| (*gram).to_owned()).collect();
    // The start is shared, so of the first gram and the fifth, the fifth is the key.
    let alike = of(&["bcde", "cdef", "defg", "efgh", "efgi", "efgj"]);
    let contains = ["m contains 'abcdefgh'", "m contains 'abcdefgi'", "m contains 'abcdefgj'"];
    assert_eq!(grams(&contains), alike);
    assert_eq!(grams(&contains.map(|when| format!("{when} nocase")).each_ref().map(String::as_str)), alike);
    let patterns = ["h", "i", "j"].map(|end| format!("m =~ '[0-9]+abcdefg{end}[0-9]+'"));
    assert_eq!(grams(&patterns.each_ref().map(String::as_str)), alike);
    let quoted = of(&["\"abc", "cdef", "efgh", "efgi", "efgj", "fgh\"", "fgi\"", "fgj\""]);
    let in_view = |test: &str| {
        ["h", "i", "j"].map(|end| {
            format!("some(c in shell(m).commands: c.name {})", test.replace('_', &format!("'abcdefg{end}'")))
        })
    };
    for test in ["== _", "in [_]"] {
        assert_eq!(grams(&in_view(test).each_ref().map(String::as_str)), quoted, "{test}");
    }
    // Texts that are not searched for do not count.
    let mut others = vec!["m contains 'abcdefgh'"; 1];
    others.extend(["z == 'abcd'", "z in ['abcd', 'x']", "z starts_with 'abcd'"]);
    assert_eq!(grams(&others), of(&["abcd", "bcde", "cdef", "defg"]));
}

/// Where a number comes into intervals and goes out of them; an interval without an end has no point there.
#[test]
fn intervals_start_and_end_at_points() {
    let points = |when: When| {
        let whens: Vec<String> = (0..9).map(when).collect();
        let module = module(&whens, IndexThresholds::default());
        let tables = module.tables().unwrap();
        (tables.points.iter().map(|point| point.value.get()).collect::<Vec<f64>>(), tables.toggles.len())
    };
    let up_to = |end: u32| (0..=end).map(f64::from).collect::<Vec<f64>>();
    assert_eq!(points(|n| format!("b > {n}")), (up_to(8), 9));
    assert_eq!(points(|n| format!("b <= {n}")), (up_to(8), 9));
    assert_eq!(points(|n| format!("b > {n} and b < {}", n + 3)), (up_to(11), 18));
}

/// What an index offers, structure by structure: the hooks that have a witness, and no others.
#[test]
fn hooks_without_a_witness_are_not_offered() {
    let default = IndexThresholds::default();
    let nine = |when: When| (0..9).map(when).collect::<Vec<_>>();
    let cases: [(Vec<String>, IndexThresholds, &str, &[usize]); 29] = [
        (nine(|n| format!("a starts_with 'Vv{n}'")), default, r#""a":"Vv3""#, &[3]),
        (nine(|n| format!("a ends_with 'Vv{n}'")), default, r#""a":"xVv3""#, &[3]),
        (nine(|n| format!("a contains 'Needle-{n}'")), default, r#""a":"xNeedle-3""#, &[3]),
        (nine(|n| format!("a == 'v{n}'")), default, r#""a":"v3""#, &[3]),
        (nine(|n| format!("a == {n}")), default, r#""a":3"#, &[3]),
        (nine(|n| format!("a == 'v{n}'")), default, r#""a":["v3"]"#, &[]),
        // Postings follow one another.
        (nine(|n| format!("a == 'v{}'", n / 3)), default, r#""a":"v0""#, &[0, 1, 2]),
        (nine(|n| format!("a == 'v{}'", n / 3)), default, r#""a":"v1""#, &[3, 4, 5]),
        (nine(|n| format!("exists(x{n})")), default, r#""x3":1"#, &[3]),
        (nine(|n| format!("exists(x{n})")), default, r#""x3":{"x4":0},"x5":null"#, &[3, 5]),
        (nine(|n| format!("a contains 'abcd{n}efg'")), default, r#""a":"abcd3efg""#, &[3]),
        (nine(|n| format!("a contains 'abcd{n}efg'")), default, r#""a":"bcd3efg, abcd3ef""#, &[]),
        (nine(|n| format!("a contains 'abcd{n}efg'")), default, r#""a":[1,"abcd3efg","abcd5efg"]"#, &[3, 5]),
        // Bounds are part of their intervals.
        (nine(|n| format!("b < {n}")), default, r#""b":5"#, &[5, 6, 7, 8]),
        (nine(|n| format!("b < {n}")), default, r#""b":100"#, &[]),
        (nine(|n| format!("b > {n}")), default, r#""b":-0.5"#, &[]),
        (nine(|n| format!("b > {n}")), default, r#""b":"5""#, &[]),
        (nine(|n| format!("b > {n} and c < {n}")), default, r#""b":5,"c":2"#, &[2, 3, 4, 5]),
        (nine(|n| format!("b > {n} and c < {n}")), default, r#""b":2,"c":5"#, &[]),
        (nine(|n| format!("a != {n}")), eager(), r#""a":3"#, &[0, 1, 2, 4, 5, 6, 7, 8]),
        (nine(|n| format!("a != 'v{n}'")), eager(), r#""a":"v3""#, &[0, 1, 2, 4, 5, 6, 7, 8]),
        (nine(|n| format!("a != 'v{n}'")), eager(), r#""a":["v3"]"#, &[0, 1, 2, 3, 4, 5, 6, 7, 8]),
        (nine(|n| format!("a contains '0123456789abcdefg{n}'")), default, r#""a":"0123456789abcdefg""#, &[]),
        // All parts of a negated disjunction narrow.
        (nine(|n| format!("not (b >= {n} or c < {n})")), default, r#""b":3,"c":5"#, &[3, 4, 5]),
        (nine(|n| format!("not (b >= {n} or c < {n})")), default, r#""b":5,"c":3"#, &[]),
        // One bound needs a number, the other does not.
        (nine(|n| format!("not (b > {n}) and b > -5")), default, r#""b":"x""#, &[]),
        (group_inside(), eager(), r#""a":"x""#, &[3, 4]),
        // An index inside another one is searched only if its key is found.
        (inside(), eager(), r#""a":"x","b":3"#, &[3]),
        (inside(), eager(), r#""a":"y","b":3"#, &[]),
    ];
    for (whens, thresholds, members, expected) in cases {
        assert_eq!(offered(&whens, thresholds, members), expected, "{} of {members}", whens[0]);
    }
}

/// Hooks under one key that another slot separates, and hooks under other keys.
fn inside() -> Vec<String> {
    let inside = (0..5).map(|n| format!("a == 'x' and b == {n}"));
    inside.chain((0..9).map(|n| format!("a == 'v{n}'"))).collect()
}

/// Hooks under one key, two of which nothing else separates, and hooks under other keys.
fn group_inside() -> Vec<String> {
    let inside = (0..3).map(|n| format!("a == 'x' and b == {n}"));
    let alone = ["x", "x", "v", "v", "v"].map(|value| format!("a == '{value}'"));
    inside.chain(alone).chain((0..9).map(|n| format!("a == 'w{n}'"))).collect()
}

/// A key that leads to a single hook has its rank, and no posting.
#[test]
fn single_ranks_are_in_their_keys() {
    let whens: Vec<String> = (0..9).map(|n| format!("a == 'v{n}'")).collect();
    let module = module(&whens, IndexThresholds::default());
    let tables = module.tables().unwrap();
    assert_eq!(tables.postings.len(), 0);
    let ranks: std::collections::BTreeSet<u32> = tables.keys.iter().map(|key| key.posting.get()).collect();
    assert_eq!(ranks, (0..9).map(|rank| rank | INLINE_RANK).collect());
}

/// A value excludes hooks only if it is the excluded one, not if it only has its hash.
#[test]
fn values_with_the_hash_of_an_excluded_one() {
    let mut known = std::collections::HashMap::new();
    // The only dimension owns the only key, so there is one bucket.
    let hash = |text: &str| hash::low_half(hash::scalar(0, tag::STRING, text.as_bytes()));
    let (excluded, other) = (0_u32..)
        .map(|n| format!("v{n}"))
        .find_map(|text| known.insert(hash(&text), text.clone()).map(|before| (before, text)))
        .unwrap();
    let module = module(&vec![format!("d != '{excluded}'"); 9], eager());
    let tables = module.tables().unwrap();
    assert_eq!((tables.probes.len(), tables.dims.len(), tables.keys.len()), (0, 1, 1));
    assert_eq!(tables.keys[0].hash.get(), hash(&other));
    let events = [&excluded, &other].map(|value| format!(r#"{{"event_type":"e","d":"{value}"}}"#));
    agree(&module, &events, "a value with the same hash");
}

/// A gram that a value has 64 times offers all hooks that are found by it.
#[test]
fn grams_that_a_value_repeats() {
    let whens = ["m contains 'aaaa'", "m contains 'aaaaa'"].map(str::to_owned);
    let members = |times: usize| format!(r#""m":"{}""#, "aaaa ".repeat(times));
    assert_eq!(offered(&whens, eager(), &members(63)), [0]);
    assert_eq!(offered(&whens, eager(), &members(64)), [0, 1]);
}

/// A search reads what it needs for the next candidate: of a parsed event, no more than that has to be within
/// the limits.
#[test]
fn searches_read_no_more_than_they_need() {
    let mut limits = Limits::default();
    limits.event_bytes = 200;
    let long = Value::String("x".repeat(300));
    let list = Value::Array(vec![Value::from(0); 300]);
    let decided = |whens: &[String], members: [(&str, Value); 2]| {
        let module = compiled(whens, IndexThresholds::default()).module.unwrap();
        let module = Module::load_with(module, limits).unwrap();
        let mut event = serde_json::Map::from_iter(members.map(|(name, value)| (name.to_owned(), value)));
        event.insert("event_type".to_owned(), "e".into());
        let (mut scratch, event) = (Scratch::new(), Value::Object(event));
        let decision = module.decide_value(&mut scratch, &event, &DecideOptions::default());
        decision.map(|decision| decision.hooks().map(|hook| hook.rank()).collect::<Vec<_>>())
    };
    let too_large = || Err(DecideError::Event(EventError::TooLarge(200)));
    let whens: Vec<String> = (0..10)
        .map(|n| format!("a == 'v{n}'"))
        .chain((0..10).map(|n| format!("m contains 'needle-{n}'")))
        .collect();
    // The probes of `m` lead to later hooks only.
    for n in [0, 1, 9] {
        assert_eq!(decided(&whens, [("a", format!("v{n}").into()), ("m", long.clone())]), Ok(vec![n]));
    }
    assert_eq!(decided(&whens, [("a", "x".into()), ("m", long.clone())]), too_large());
    let whens: Vec<String> = (0..20).map(|n| format!("b > {n} and d != 'v{}'", n % 4)).collect();
    // Nothing is left that a value of `d` could exclude.
    assert_eq!(decided(&whens, [("b", (-1).into()), ("d", long.clone())]), Ok(vec![]));
    assert_eq!(decided(&whens, [("b", 3.into()), ("d", long)]), too_large());
    // A list equals no excluded value, and is not written to find that out.
    assert_eq!(decided(&whens, [("b", 3.into()), ("d", list)]), Ok(vec![0]));
}

/// Names with characters that JSON escapes are found in views.
#[test]
fn names_with_escapes() {
    let whens: Vec<String> = (0..20)
        .flat_map(|n| ["na\"me", "na\\me", "née"].map(|name| format!("{name}-{n}")))
        .map(|name| format!("some(c in shell(a).commands: c.name == {})", Value::from(name)))
        .collect();
    let events: Vec<String> = ["'na\"me-3'", "'na\\me-4'", "née-5", "name-6"]
        .map(|line| format!(r#"{{"event_type":"e","a":{}}}"#, Value::from(line)))
        .into();
    let module = module(&whens, eager());
    agree(&module, &events, "escapes");
    let mut scratch = Scratch::new();
    let found = events.iter().map(|event| {
        let decision = module.decide(&mut scratch, event.as_bytes(), &DecideOptions::default()).unwrap();
        decision.hooks().map(|hook| hook.rank()).collect::<Vec<_>>()
    });
    assert_eq!(found.collect::<Vec<_>>(), [vec![9], vec![13], vec![17], vec![]]);
}

/// Texts that are longer than a key: a key has the end of them that is compared.
#[test]
fn texts_longer_than_a_key() {
    let long = "0123456789".repeat(9);
    let whens: Vec<String> = (0..20)
        .flat_map(|n| ["starts_with", "ends_with", "contains"].map(|op| format!("a {op} 'b{n}{long}{n}e'")))
        .collect();
    let texts = (0..20).map(|n| format!("b{n}{long}{n}e"));
    let events: Vec<String> = texts
        .flat_map(|text| [format!("{text}x"), format!("x{text}"), text])
        .map(|text| format!(r#"{{"event_type":"e","a":"{text}"}}"#))
        .collect();
    agree(&module(&whens, IndexThresholds::default()), &events, "long texts");
}

/// The JSON text of an event is not searched, because it can have escapes.
#[test]
fn nodes_with_escapes() {
    let whens: Vec<String> = (0..20).map(|n| format!("some(x in list: x == 'needle-{n}')")).collect();
    let event = |n: usize| format!(r#"{{"event_type":"e","list":["n\u0065edle-{n}"]}}"#);
    let module = module(&whens, IndexThresholds::default());
    let (mut scratch, third) = (Scratch::new(), event(3));
    let found = module.decide(&mut scratch, third.as_bytes(), &DecideOptions::default()).unwrap();
    assert_eq!(found.hooks().map(|hook| hook.rank()).collect::<Vec<_>>(), [3]);
    agree(&module, &(0..20).map(event).collect::<Vec<_>>(), "escapes");
}

macro_rules! copied {
    ($($number:literal $name:ident $field:ident: $row:ty, $meaning:literal;)*) => {
        fn image(module: &Module) -> Image {
            let tables = module.tables().unwrap();
            Image { slots: tables.slots, $($field: tables.$field.to_vec(),)* }
        }
    };
}

hookc_vm::for_each_section!(copied);

type Damage = fn(&mut Image);

const BREAKS: &[(Damage, &str)] = &[
    (|i| i.events[0].index = 1000.into(), "the index is out of range"),
    (|i| i.events[0].index = NONE.into(), "the owner has no keys"),
    (|i| i.indexes[0].probes.length = 1000.into(), "probes out of range, or another index's"),
    (|i| i.indexes[1].probes = i.indexes[0].probes, "probes out of range, or another index's"),
    (|i| i.indexes[0].group = 1000.into(), "out of range, or another index's"),
    (|i| i.probes[0].least = 1000.into(), "its least rank is below that of the probe before"),
    (|i| probe(i, ProbeTag::Equal).high = 1, "a reserved field is not zero"),
    (|i| probe(i, ProbeTag::Begins).low = 1, "a reserved field is not zero"),
    (|i| (probe(i, ProbeTag::Has).low, probe(i, ProbeTag::Has).high) = (2, 1), "an empty range of bytes"),
    (
        |i| (probe(i, ProbeTag::Has).low, probe(i, ProbeTag::Has).high) = (1, 2),
        "no byte of its probe's range",
    ),
    (|i| probe(i, ProbeTag::Equal).step = 1, "an unknown step"),
    (|i| probe(i, ProbeTag::Has).step = 3, "an unknown step"),
    (|i| i.probes[0].slot = 1000.into(), "the slot is out of range"),
    (|i| i.probes[0].kind = 12, "an unknown kind"),
    (|i| probe(i, ProbeTag::Equal).rows.start = 1.into(), "a reserved field is not zero"),
    (|i| probe(i, ProbeTag::Present).rows.start = 100_000.into(), "the posting is out of range"),
    (
        |i| probe(i, ProbeTag::Present).rows.start = (INLINE_RANK | 100_000).into(),
        "the only rank is out of range",
    ),
    (|i| probe(i, ProbeTag::Begins).rows.start = 1_000_000.into(), "words out of range, or another row's"),
    (|i| probe(i, ProbeTag::Begins).rows.length = 1.into(), "a filter not of a power of two of words"),
    (|i| words(i, ProbeTag::Begins)[0] = 0.into(), "its length is not in its probe's set"),
    (|i| words(i, ProbeTag::Begins)[1..].fill(0.into()), "not in its probe's filter"),
    (|i| key(i, ProbeTag::Has).hash = u32::MAX.into(), "no gram of its string"),
    (|i| key(i, ProbeTag::Has).value = 1_000_000.into(), "no scalar, or out of range"),
    (swap_keys, "its keys do not ascend"),
    (|i| probe(i, ProbeTag::Has).rows.length = 3.into(), "a filter not of a power of two of words"),
    (|i| probe(i, ProbeTag::Has).rows.start = 1_000_000.into(), "words out of range, or another row's"),
    (|i| words(i, ProbeTag::Has).fill(0.into()), "not in its probe's filter"),
    (|i| i.buckets.truncate(i.buckets.len() - 1), "not one more than a power of two"),
    (|i| i.buckets[0] = 1.into(), "the buckets do not share the keys in order"),
    (|i| i.keys.last_mut().unwrap().owner = 100_000.into(), "the owner has no keys"),
    (|i| key(i, ProbeTag::Equal).hash = u32::MAX.into(), "not its hash, or not in its bucket"),
    (|i| key(i, ProbeTag::Equal).value = 1_000_000.into(), "no scalar, or out of range"),
    (|i| i.keys[0].posting = (INLINE_RANK | 100_000).into(), "the only rank is out of range"),
    (share_an_index, "leads to an index, and is shared"),
    (|i| i.postings[0].ranks.start = 1_000_000.into(), "a range out of range"),
    (|i| many(i)[1] = 0.into(), "ranks out of range, or not ascending"),
    (|i| many(i)[0] = 100_000.into(), "ranks out of range, or not ascending"),
    (|i| i.groups[0].ranks.length = 1_000_000.into(), "a range out of range"),
    (|i| i.groups[0].dims.length = 1000.into(), "dimensions out of range, or another group's"),
    (|i| i.dims[0].kind = 2, "an unknown kind"),
    (|i| i.dims[0].slot = 1000.into(), "the slot is out of range"),
    (|i| i.dims[0].zero = [0, 1, 0], "a reserved field is not zero"),
    (|i| range(i).step = 0.into(), "a step that is not a power of two"),
    (|i| range(i).step = 3.into(), "a step that is not a power of two"),
    (|i| range(i).step = 1.into(), "not a set per step"),
    (|i| range(i).points.length = 10_000.into(), "rows out of range, or another dimension's"),
    (|i| *i.words.last_mut().unwrap() = u64::MAX.into(), "a set has more entries than the group"),
    (|i| i.toggles[0] = 100_000.into(), "a toggle is out of range"),
    (|i| i.points[1].value = f64::NAN.into(), "the points do not ascend"),
    (|i| i.points[1].value = i.points[0].value, "the points do not ascend"),
    (|i| i.points[0].passed = 100_000.into(), "the points do not share the toggles in order"),
    (|i| i.indexes.push(i.indexes[0]), "a row belongs to no index"),
    (|i| i.words.push(0.into()), "a row belongs to no index"),
];

fn probe(image: &mut Image, kind: ProbeTag) -> &mut hookc_vm::format::Probe {
    image.probes.iter_mut().find(|probe| probe.kind == kind.number()).unwrap()
}

/// A key of a probe of this kind that is the last of its bucket.
fn key(image: &mut Image, kind: ProbeTag) -> &mut Key {
    let is_of = |at: &usize| {
        let probe = image.keys.get(*at).and_then(|key| image.probes.get(key.owner.get() as usize));
        probe.is_some_and(|probe| probe.kind == kind.number())
    };
    let used = image.buckets.windows(2).filter(|pair| pair[0] != pair[1]);
    let at = used.map(|pair| pair[1].get() as usize - 1).find(is_of).unwrap();
    &mut image.keys[at]
}

/// Two keys of a bucket in the wrong order.
fn swap_keys(image: &mut Image) {
    let mut buckets = image.buckets.windows(2);
    let start = buckets.find(|pair| pair[1].get() - pair[0].get() > 1).unwrap()[0].get() as usize;
    image.keys.swap(start, start + 1);
}

fn range(image: &mut Image) -> &mut hookc_vm::format::Dim {
    image.dims.iter_mut().find(|dim| dim.kind == DimTag::Range.number()).unwrap()
}

/// The words of a probe of this kind.
fn words(image: &mut Image, kind: ProbeTag) -> &mut [hookc_vm::format::U64] {
    let rows = probe(image, kind).rows;
    let start = rows.start.get() as usize;
    &mut image.words[start..start + rows.length.get() as usize]
}

/// The ranks of a posting with several.
fn many(image: &mut Image) -> &mut [hookc_vm::format::U32] {
    let owned = |number: u32| (number & INLINE_RANK == 0).then_some(number as usize);
    let probes = image.probes.len() as u32;
    let mut keys = image.keys.iter().filter(|key| key.owner.get() < probes);
    let posting = keys.find_map(|key| {
        let posting = image.postings[owned(key.posting.get())?];
        (posting.ranks.length.get() > 1).then_some(posting)
    });
    let start = posting.unwrap().ranks.start.get() as usize;
    &mut image.indices[start..]
}

/// Two keys of a probe that lead to one index.
fn share_an_index(image: &mut Image) {
    let leads = |key: &Key| {
        let number = key.posting.get();
        number & INLINE_RANK == 0 && image.postings[number as usize].index.get() != NONE
    };
    let (owner, posting) =
        image.keys.iter().find(|key| leads(key)).map(|key| (key.owner, key.posting)).unwrap();
    image.keys.iter_mut().filter(|key| key.owner == owner).for_each(|key| key.posting = posting);
}

/// Texts anywhere in a value: at every position, for every step, where texts share grams, where a value
/// repeats a gram, and where a text is longer than a key can be.
#[test]
fn texts_at_every_position() {
    let long = "0123456789abcdefé".repeat(8);
    let steps: [&[&str]; 4] = [
        &["abcd", "bcda", "aaaa", "abcde"],
        &["abcde", "aaaaa", "bcdea", "aaaab", "xabcde"],
        &["abcdefg", "aaaaaaa", "abcdefgh", "baaaaaaa", "ééé1234"],
        &["needle-1", "needle-12", "needle-123", &long, "aaaaaaaaa"],
    ];
    for (texts, step) in steps.into_iter().zip([1, 2, 4, 4]) {
        for mode in ["", " nocase"] {
            let whens: Vec<String> = texts.iter().map(|text| format!("m contains '{text}'{mode}")).collect();
            let module = module(&whens, eager());
            let tables = module.tables().unwrap();
            let steps = tables.probes.iter().map(|probe| probe.step).filter(|step| *step > 0);
            assert!(steps.clone().count() > 0 && steps.clone().all(|own| own == step), "{texts:?}");
            let mut events = Vec::new();
            for text in texts {
                let cut = text.char_indices().next_back().map_or("", |(at, _)| &text[..at]);
                for before in 0..9 {
                    let before = &"xyxyxyxyxy"[..before];
                    events.extend([*text, cut].map(|text| format!("{before}{text}z")));
                }
                events.push(format!("{}{text}", cut.repeat(200)));
                events.push(text.to_uppercase());
            }
            events.push("a".repeat(1000));
            let events: Vec<String> =
                events.iter().map(|m| format!(r#"{{"event_type":"e","m":"{m}"}}"#)).collect();
            agree(&module, &events, "texts");
        }
    }
}

/// Parts of a text that have no byte that all grams have are passed over: texts at every position in and after
/// such parts, for every step.
#[test]
fn texts_with_rare_bytes() {
    let steps: [(&[&str], u8, (u8, u8)); 6] = [
        (&["ab-12cd", "needle-3456", "x1y2z3w4"], 4, (b'0', b'9')),
        (&["a,b;c.d", "needle-3456"], 4, (b'!', b'?')),
        (&["needle-5", "needle-17"], 2, (b'!', b'?')),
        (&["a1b2c", "needle-17"], 2, (b'0', b'9')),
        (&["1abc", "x.yz2"], 1, (b'0', b'9')),
        (&["ab-12cd", "needles"], 4, (0, 255)),
    ];
    for (texts, step, range) in steps {
        for mode in ["", " nocase"] {
            let whens: Vec<String> = texts.iter().map(|text| format!("m contains '{text}'{mode}")).collect();
            let module = module(&whens, eager());
            let tables = module.tables().unwrap();
            let mut probes = tables.probes.iter().filter(|probe| probe.step > 0);
            assert!(probes.clone().count() > 0);
            assert!(probes.all(|probe| (probe.step, (probe.low, probe.high)) == (step, range)), "{texts:?}");
            let filler =
                "the request was not finished in time because upstream closed its connection ".repeat(2);
            let mut events = Vec::new();
            for text in texts {
                for before in 0..filler.len().min(100) {
                    let (before, after) = filler.split_at(before);
                    events.push(format!("{before}{text}{after}"));
                    events.push(format!("{before}{text}"));
                }
                events.push(format!("{filler}{}", text.to_uppercase()));
            }
            let events: Vec<String> =
                events.iter().map(|m| format!(r#"{{"event_type":"e","m":"{m}"}}"#)).collect();
            agree(&module, &events, "texts with rare bytes");
        }
    }
}

/// Groups of every width, with two ranges, one and none: the set of a narrow one is empty, or not, after each
/// of its dimensions.
#[test]
fn groups_of_every_width() {
    let kinds: [(When, &[usize]); 3] = [
        (
            |n| format!("b > {n} and c < {n}.5 and d != 'v{}' and a != {n}", n % 7),
            &[1, 2, 3, 9, 63, 64, 65, 512, 513, 600],
        ),
        (|n| format!("b > {n} and d != 'v{}'", n % 7), &[9, 512, 513]),
        (|n| format!("d != 'v{}'", n % 7), &[9, 512, 513]),
    ];
    for (when, hooks) in kinds.iter().flat_map(|(when, sizes)| sizes.iter().map(move |hooks| (when, *hooks)))
    {
        let mut whens: Vec<String> = (0..hooks).map(when).collect();
        whens.extend((0..20).map(|n| format!("x == {n}")));
        for thresholds in [IndexThresholds::default(), eager()] {
            let module = module(&whens, thresholds);
            let numbers = ["-1", "0", "0.25", "1", "1.50", "2e0", "62.5", "599.75", "1e300", "null", "\"b\""];
            let of = |b: &str, c: &str| {
                format!(r#"{{"event_type": "e", "a": {c}, "b": {b}, "c": {c}, "d": "v{}", "x": 3}}"#, b.len())
            };
            let events: Vec<String> =
                numbers.iter().flat_map(|b| numbers.iter().map(move |c| of(b, c))).collect();
            agree(&module, &events, &whens[0]);
        }
    }
}

/// All ranges of a group narrow it, up to 512 hooks and beyond.
#[test]
fn wide_groups_offer_what_is_in_all_ranges() {
    for hooks in [512, 513] {
        let whens: Vec<String> = (0..hooks).map(|n| format!("b > {n} and c < {n}")).collect();
        let of = |members: &str| offered_among(&whens, IndexThresholds::default(), members, 4);
        assert_eq!(of(r#""b":300,"c":290"#), [292, 296, 300], "{hooks}");
        assert!(of(r#""b":290,"c":300"#).is_empty(), "{hooks}");
    }
}

#[test]
fn every_check_of_indexes() {
    let module = module(&mixed(), eager());
    assert_eq!(Module::load(image(&module).encode()).unwrap().hash(), module.hash());
    let mut wrong = Vec::new();
    for (at, (damage, expected)) in BREAKS.iter().enumerate() {
        let mut image = image(&module);
        damage(&mut image);
        let found = Module::load(image.encode()).map_or_else(|e| e.to_string(), |_| "nothing".to_owned());
        if !found.contains(expected) {
            wrong.push(format!("{at}: expected `{expected}`, found `{found}`"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Each probe alone is valid; together they would make every event walk through all hooks,
/// thousands of times.
#[test]
fn shared_postings_are_charged() {
    let whens: Vec<String> = (0..3000).map(|n| format!("a == 'v{n}'")).collect();
    let module = module(&whens, IndexThresholds::default());
    let with_probes = |probes: usize| {
        let mut image = image(&module);
        let (first, ranks) = (image.indices.len() as u32, 0..3000_u32);
        image.indices.extend(ranks.map(U32::new));
        let ranks = Range { start: first.into(), length: 3000.into() };
        image.postings.push(Posting { ranks, index: NONE.into() });
        let rows = Range { start: (image.postings.len() as u32 - 1).into(), length: 0.into() };
        let probe = Probe { kind: ProbeTag::Present.number(), rows, ..image.probes[0] };
        image.probes.extend(std::iter::repeat_n(probe, probes));
        image.indexes[0].probes.length = (image.probes.len() as u32).into();
        Module::load(image.encode()).map_err(|error| error.to_string())
    };
    assert!(with_probes(10).is_ok());
    assert_eq!(with_probes(10_000).unwrap_err(), "rows share too much of other tables");
}

/// Hooks that differ in so many fields of two values each.
fn in_halves(fields: u32) -> Vec<String> {
    let test = |hook: u32, field: u32| format!("f{field} == 'x{}'", hook >> field & 1);
    let hook = |hook: u32| (0..fields).map(|field| test(hook, field)).collect::<Vec<_>>().join(" and ");
    (0..1 << fields).map(hook).collect()
}

/// The levels of indexes within one another, and a posting of ranks in the deepest one.
fn deepest(image: &Image) -> (usize, usize) {
    let (mut found, mut left) = ((0, 0), vec![(0, 1)]);
    while let Some((index, level)) = left.pop() {
        let probes: std::ops::Range<usize> = {
            let range = image.indexes[index].probes;
            range.start.get() as usize..(range.start.get() + range.length.get()) as usize
        };
        let keys = image.keys.iter().filter(|key| probes.contains(&(key.owner.get() as usize)));
        let postings = keys.map(|key| key.posting.get()).filter(|number| number & INLINE_RANK == 0);
        for posting in postings.map(|number| number as usize) {
            match image.postings[posting].index.get() {
                NONE if level > found.0 => found = (level, posting),
                NONE => {}
                inner => left.push((inner as usize, level + 1)),
            }
        }
    }
    found
}

/// The compiler stops at the limit, and the loader rejects one level more.
#[test]
fn indexes_nest_up_to_the_limit() {
    let one_more = |module: &Module| {
        let mut image = image(module);
        let (levels, posting) = deepest(&image);
        let added = image.indexes.len() as u32;
        let empty = Range { start: (image.probes.len() as u32).into(), length: 0.into() };
        image.indexes.push(hookc_vm::format::Index { probes: empty, group: NONE.into() });
        image.postings[posting] = Posting { ranks: Range { length: 0.into(), ..empty }, index: added.into() };
        (levels, Module::load(image.encode()).map(drop).map_err(|error| error.to_string()))
    };
    let shallow = module(&in_halves(7), eager());
    let (levels, loaded) = one_more(&shallow);
    assert!(levels > 2 && levels < INDEX_DEPTH, "{levels}");
    assert_eq!(loaded, Ok(()), "one more is no fault below the limit");
    for fields in [10, 11] {
        let deep = module(&in_halves(fields), eager());
        let (levels, loaded) = one_more(&deep);
        assert_eq!(levels, INDEX_DEPTH, "{fields}");
        assert!(loaded.unwrap_err().ends_with("out of range, or nested too deep"));
        let event = |hook: u32| {
            let field = |field: u32| format!("\"f{field}\":\"x{}\"", hook >> field & 1);
            let fields: Vec<String> = (0..fields).map(field).collect();
            format!("{{\"event_type\":\"e\",{}}}", fields.join(","))
        };
        agree(&deep, &[event(0), event(0b11_0101_1010), event((1 << fields) - 1)], "deep");
    }
}
