//! Conditions about earlier events: the identity of monitors, what readers share, and the index of what is recorded.

use hookc_compiler::{Dialect, Input, Options, compile, disasm, plan, testing};
use hookc_schema::diag::render;
use hookc_schema::{Diagnostics, Sources};
use hookc_vm::Module;
use hookc_vm::format::NONE;

use plan::{Cell, Plan};

use crate::built::built;

/// The plan of hooks at `PreToolUse` with these conditions, after some facts.
fn planned(facts: &str, conditions: &[&str]) -> (Plan, Module) {
    let mut text = format!("facts: {{{facts}}}\nhooks:\n");
    for condition in conditions {
        text +=
            &format!("  - {{event: PreToolUse, when: \"{condition}\", action: {{type: deny, reason: r}}}}\n");
    }
    let mut sources = Sources::new();
    let source = sources.add("p.yaml", text);
    let input = Input::new(source).with_dialect(Dialect::HooksYaml);
    let compiled = compile(&mut sources, &[input], &Options::default());
    let shown = || render::text::render(&compiled.diagnostics, &sources);
    let module = Module::load(compiled.module.clone().unwrap_or_else(|| panic!("{}", shown()))).unwrap();
    (compiled.plan.unwrap(), module)
}

fn cells(facts: &str, conditions: &[&str]) -> Vec<Cell> {
    planned(facts, conditions).0.cells
}

const EDITED: &str = "edited: {event: PostToolUse, when: \"tool_name == 'Edit'\"}";

#[test]
fn names_and_windows_do_not_change_the_identity_of_a_monitor() {
    let [first] = &cells(EDITED, &["formerly(edited)"])[..] else { panic!() };
    let renamed = "changed: {event: PostToolUse, when: \"tool_name == 'Edit'\", description: d}";
    let same = [
        cells(renamed, &["formerly(changed within 1h)"]),
        cells("", &["formerly(PostToolUse where tool_name == 'Edit')"]),
        cells("", &["formerly(PostToolUse where tool_name == 'Edit' including now)"]),
    ];
    for other in same {
        assert_eq!(other.len(), 1);
        assert_eq!(other[0].id, first.id);
    }
    let others = [
        "formerly(any PreToolUse where tool_name == 'Edit')",
        "formerly(PreToolUse where tool_name == 'Edit')",
        "formerly(PostToolUse where tool_name == 'Write')",
        "formerly(PostToolUse where tool_name == 'Edit' per agent)",
        "formerly(PostToolUse where tool_name == 'Edit' and cwd == now.cwd)",
        "formerly(PostToolUse where tool_name == 'Edit' and cwd != now.cwd)",
        "formerly(PostToolUse where tool_name == 'Edit' and cwd == now.cwd nocase)",
        "count(PostToolUse where tool_name == 'Edit') >= 2",
        "last(PostToolUse where tool_name == 'Edit').tool_input.file_path == 'a'",
        "last(PostToolUse where tool_name == 'Edit').tool_input.old_string == 'a'",
    ];
    let mut ids: Vec<_> = others.iter().map(|other| cells("", &[other])[0].id).collect();
    ids.push(first.id);
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), others.len() + 1);
}

#[test]
fn readers_of_one_selection_share_a_monitor() {
    let counts = [
        "count(PreToolUse within 1m) >= 3",
        "count(PreToolUse within 1h) == 5",
        "count(PreToolUse within 30m) >= 2",
    ];
    let [cell] = &cells("", &counts)[..] else { panic!() };
    assert_eq!(cell.kind, hookc_vm::format::MonitorKind::Recent { capacity: 6 });
    assert_eq!(cell.retention, Some(3_600_000));
    let endless = cells("", &["formerly(PreToolUse within 1m)", "formerly(PreToolUse)"]);
    assert_eq!((endless.len(), endless[0].retention), (1, None));
}

#[test]
fn a_condition_about_a_past_event_is_of_a_lower_level() {
    let facts = "a: {event: Stop}, b: {event: Stop, when: formerly(a)}, c: {event: Stop, when: formerly(b)}";
    let mut levels: Vec<u8> = cells(facts, &["formerly(c)"]).iter().map(|cell| cell.level).collect();
    levels.sort_unstable();
    assert_eq!(levels, [0, 1, 2]);
}

#[test]
fn what_is_recorded_has_an_index() {
    let conditions: Vec<String> =
        (0..40).map(|n| format!("formerly(PostToolUse where tool_name == 't{n}')")).collect();
    let conditions: Vec<&str> = conditions.iter().map(String::as_str).collect();
    let (_, module) = planned("", &conditions);
    let tables = module.tables().unwrap();
    let [observed] = tables.observed else { panic!() };
    assert_eq!(observed.watches.length.get(), 40);
    assert_ne!(observed.index.get(), NONE);
}

/// Event types that nobody declared share what is compiled for them, but `including now` is about each.
#[test]
fn including_now_is_about_each_event_type() {
    let policy = "hooks:
  - {id: twice, event: [yours, mine], when: count(mine including now) >= 2, action: {type: abort}}
";
    let tests = "policy: p.yaml
tests:
  - steps:
      - {event: {event_type: yours}, expect: none}
      - {event: {event_type: mine}, expect: none}
      - {event: {event_type: yours}, expect: none}
      - {event: {event_type: mine}, expect: twice}
      # The second one was aborted, so it did not happen.
      - {event: {event_type: yours}, expect: none}
";
    let mut sources = Sources::new();
    let source = sources.add("p.yaml", policy);
    let input = Input::new(source).with_dialect(Dialect::HooksYaml);
    let compiled = compile(&mut sources, &[input], &Options::default());
    let source = sources.add("p.test.yaml", tests);
    let suite = testing::read(tests, source, &mut Diagnostics::new()).unwrap();
    let outcome = testing::run(&compiled, &suite.tests, None, &mut testing::Exercised::default()).unwrap();
    let failed: Vec<_> = outcome.cases.iter().filter(|case| !case.passed()).collect();
    assert!(failed.is_empty() && outcome.cases.len() == 5, "{failed:?} {:?}", outcome.diagnostics);
}

/// How often events are recorded.
fn watches(plan: &Plan) -> usize {
    plan.events.iter().map(|event| event.watches.len()).sum()
}

/// Facts that each use the one above, first the given one.
fn chain(first: &str, length: usize, next: impl Fn(usize) -> String) -> String {
    (1..length).fold(format!("f0: {first}"), |facts, n| format!("{facts}, f{n}: {}", next(n)))
}

#[test]
fn facts_that_use_a_fact_twice_mean_its_events_once() {
    let twice = |n: usize| format!("[{{event: f{}}}, {{event: f{}}}]", n - 1, n - 1);
    for first in ["{event: '*'}", EDITED.trim_start_matches("edited: ")] {
        let facts = chain(first, 60, twice);
        let (one, same) =
            (planned(&format!("f0: {first}"), &["formerly(f0)"]).0, planned(&facts, &["formerly(f59)"]).0);
        assert_eq!((same.cells.len(), same.cells[0].id), (1, one.cells[0].id));
        assert_eq!(watches(&same), watches(&one));
        // Facts that no condition uses are checked too.
        assert_eq!(cells(&facts, &["tool_name == 'Bash'"]).len(), 0);
    }
}

#[test]
fn the_events_and_conditions_of_facts_that_use_facts_are_limited() {
    let edited = EDITED.trim_start_matches("edited: ");
    let tested = |n: usize, word: char| {
        format!("{{event: f{}, when: \"tool_input.file_path contains '{word}{n}'\"}}", n - 1)
    };
    let one = |length| chain(edited, length, |n| tested(n, 'a'));
    let either = |length| chain(edited, length, |n| format!("[{}, {}]", tested(n, 'a'), tested(n, 'b')));
    assert_eq!(cells(&one(64), &["formerly(f63)"]).len(), 1);
    assert_eq!(watches(&planned(&either(9), &["formerly(f8)"]).0), 256);
    for (facts, name) in [(one(200), "f64"), (either(200), "f11")] {
        let text = format!(
            "facts: {{{facts}}}\nhooks:\n  - {{event: PreToolUse, when: formerly(f199), action: {{type: ask}}}}\n"
        );
        let (_, reported) = built(&[("p", &text)], Dialect::HooksYaml, None);
        assert!(reported.contains("error[E0461]") && reported.contains(&format!("`{name}`")), "{reported}");
        assert_eq!(reported.matches("error").count(), 1, "{reported}");
    }
}

#[test]
fn a_module_has_the_names_of_facts() {
    let facts = format!("{EDITED}, saved: {{event: edited, when: formerly(edited)}}");
    let conditions =
        ["formerly(saved where cwd == now.cwd)", "formerly(PostToolUse where tool_name == 'Bash')"];
    let (_, module) = planned(&facts, &conditions);
    let tables = module.tables().unwrap();
    let cells = 0..u32::try_from(tables.cells.len()).unwrap();
    let mut names: Vec<Option<&str>> = cells.map(|cell| tables.cell_name(cell)).collect();
    names.sort_unstable();
    assert_eq!(names, [None, Some("edited"), Some("saved where cwd == now.cwd")]);
    let listing = disasm::print(&tables);
    assert!(listing.contains("; formerly(saved where cwd == now.cwd)"), "{listing}");
    assert!(listing.contains(" \"edited\"\n"), "{listing}");
    let unused = planned(EDITED, &["tool_name == 'Bash'"]).1;
    assert!(unused.tables().unwrap().cell_names.is_empty());
}

#[test]
fn a_stripped_module_has_no_names_of_facts() {
    let text = format!(
        "facts: {{{EDITED}}}\nhooks:\n  - {{event: Stop, when: formerly(edited), action: {{type: ask}}}}\n"
    );
    let module = Module::load(crate::built::module("p", &text, Dialect::HooksYaml)).unwrap();
    assert!(module.tables().unwrap().cell_names.is_empty() && module.has_history());
}
