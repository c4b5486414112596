//! Limits of a whole plan.

use hookc_schema::Sources;
use hookc_vm::format::U24;

use crate::plan::Plan;
use crate::plan::size::{bound, more_than};
use crate::{Dialect, IndexThresholds, Input, Options, compile};

fn plan(conditions: &[String]) -> Plan {
    let hooks =
        conditions.iter().map(|when| format!("- {{event: e, when: \"{when}\", action: {{type: abort}}}}\n"));
    let mut sources = Sources::new();
    let source = sources.add("hooks.yaml", format!("hooks:\n{}", hooks.collect::<String>()));
    let input = Input::new(source).with_dialect(Dialect::HooksYaml);
    compile(&mut sources, &[input], &Options::default()).plan.unwrap()
}

/// The rows of each kind are counted: a limit of as many is kept, one less is exceeded. A policy of 2^24
/// rows takes gigabytes to compile, so the limit is another one here.
#[test]
fn rows_of_each_kind_are_limited() {
    let conditions = |count: usize, when: &dyn Fn(usize) -> String| (0..count).map(when).collect::<Vec<_>>();
    let pairs = |at: usize| (at / 8, at % 8 + 8);
    for (what, least, plan) in [
        ("predicates", 80, plan(&conditions(40, &|at| format!("$.a[*] == {at}")))),
        (
            "conditions",
            40,
            plan(&conditions(60, &|at| {
                let (one, other) = pairs(at);
                format!("a{one} == 1 and b{other} == 1")
            })),
        ),
        (
            "paths",
            40,
            plan(&conditions(40, &|at| {
                let (one, other) = pairs(at);
                format!("exists(p{one}.q{other})")
            })),
        ),
        (
            "constants",
            40,
            plan(&[format!(
                "exists($.a[?@.b == 1]) and c in [{}]",
                (0..20).map(|at| format!("{at}, '{at}'")).collect::<Vec<_>>().join(", ")
            )]),
        ),
        ("queries and filters", 40, plan(&[format!("exists($.a[?{}])", vec!["@.b == 1"; 40].join(" && "))])),
    ] {
        let message = |most| more_than(most, &plan).map(|new| new.message);
        let count = (0..1_000).find(|most| message(*most).is_none()).unwrap();
        let exceeded = message(count - 1).unwrap();
        assert_eq!(
            exceeded,
            format!("the module may need {count} {what}, more than the limit of {}", count - 1)
        );
        assert!(count >= least, "{what}: {count}");
    }
    assert_eq!(U24::END - 1, 0xff_fffe, "the last number means that there is no row");
}

/// Texts that several hooks search for lead to an index of what else these hooks test. With a step between
/// the grams of an event, a text has several grams, and an index may have one key only.
#[test]
fn texts_that_lead_to_an_index_have_one_gram() {
    let thresholds = IndexThresholds {
        min_indexed: 0,
        max_posting: 1,
        min_grams: 0,
        least: 0,
        share: usize::MAX,
        ..IndexThresholds::default()
    };
    let options = Options::default().thresholds(thresholds);
    for (first, second) in [(2, 3), (3, 2), (1, 4), (4, 4)] {
        let hooks = (0..24).map(|at| {
            let (a, b) = (at % first, at / first % second);
            let when = format!("a contains 'a common text {a}' and b contains 'other words {b}'");
            format!("- {{event: e, when: \"{when}\", action: {{type: abort}}}}\n")
        });
        let mut sources = Sources::new();
        let source = sources.add("hooks.yaml", format!("hooks:\n{}", hooks.collect::<String>()));
        let input = Input::new(source).with_dialect(Dialect::HooksYaml);
        let module = compile(&mut sources, &[input], &options).module.unwrap();
        let module = hookc_vm::Module::load(module).unwrap();
        let event = br#"{"event": {"type": "e"}, "a": "this is a common text 0", "b": "and other words 0"}"#;
        let mut scratch = hookc_vm::Scratch::new();
        let decision = module.decide(&mut scratch, event, &hookc_vm::DecideOptions::default()).unwrap();
        assert!(decision.hooks().next().is_some());
    }
}

/// Policies that consist almost only of one table, which repeats its row so often.
fn one_table_each(count: usize) -> Vec<(&'static str, String)> {
    let each = |text: &dyn Fn(usize) -> String, between: &str| {
        (0..count).map(text).collect::<Vec<_>>().join(between)
    };
    let when = |text: String| format!("  - {{event: e, when: '{text}', action: {{type: abort}}}}");
    let schema = |text: String| {
        format!(
            "  - {{event: e, condition: {{path: v, op: matches, value: {text}}}, action: {{type: abort}}}}"
        )
    };
    let note = |text: String| {
        format!("  - {{event: e, action: {{type: emit_event, event_type: n, payload: {text}}}}}")
    };
    let long = "long".repeat(20);
    vec![
        ("fields", when(each(&|n| format!("exists(f{n}.x)"), " or "))),
        ("conjunctions", when(each(&|n| format!("(a == {n} and b == {n})"), " or "))),
        ("one conjunction", when(each(&|n| format!("a != {n}"), " and "))),
        ("lists", when(each(&|n| format!("a in [{n}, {}]", n + 1), " or "))),
        ("patterns", when(each(&|n| format!("a =~ \"x{n}+\""), " or "))),
        ("filters", when(each(&|n| format!("exists($.l[?@.x == {n} && @.y < {n}])"), " or "))),
        ("lengths", when(each(&|n| format!("exists($.l[?length(@.x) == {n}])"), " or "))),
        ("quantifiers", when(each(&|n| format!("some(x in l: x == {n} or x.y == b)"), " or "))),
        ("required", schema(format!("{{required: [{}]}}", each(&|n| format!("n{n}"), ", ")))),
        ("pairs", schema(format!("{{dependentRequired: {{{}}}}}", each(&|n| format!("a{n}: [b]"), ", ")))),
        (
            "members",
            schema(format!("{{properties: {{{}}}}}", each(&|n| format!("a{n}: {{minLength: {n}}}"), ", "))),
        ),
        ("parts", schema(format!("{{allOf: [{}]}}", each(&|n| format!("{{minLength: {n}}}"), ", ")))),
        ("array", note(format!("{{l: [{}]}}", each(&|n| format!("\"${{f{n}}}\""), ", ")))),
        ("object", note(format!("{{{}}}", each(&|n| format!("k{n}: \"${{f}}\""), ", ")))),
        ("text", note(format!("{{t: \"{}\"}}", each(&|n| format!("x ${{f{n}}}"), " ")))),
        ("strings", note(format!("{{l: [{}]}}", each(&|n| format!("{long}{n}"), ", ")))),
        ("hooks", each(&|n| format!("  - {{id: hook{n}, event: e, action: {{type: abort}}}}"), "\n")),
        (
            "actions",
            each(&|n| format!("  - {{event: e, action: {{type: emit_event, event_type: n{n}}}}}"), "\n"),
        ),
        ("events", each(&|n| format!("  - {{event: e{n}, when: a == 1, action: {{type: abort}}}}"), "\n")),
        (
            "reads",
            each(&|n| format!("  - {{event: e{n}, when: exists(f{n}), action: {{type: abort}}}}"), "\n"),
        ),
        (
            "views",
            each(
                &|n| format!("  - {{event: e{n}, when: shell(c{n}).ok == true, action: {{type: abort}}}}"),
                "\n",
            ),
        ),
        (
            "wrappers",
            format!(
                "{}\nwrappers: [{}]",
                when("shell(c).ok == true".to_owned()),
                each(&|n| format!("{{name: w{n}, options_with_values: [-a{n}, -b{n}]}}"), ", ")
            ),
        ),
        ("counts", when(each(&|n| format!("exists($.l[?count(@.x[*]) == {n}])"), " or "))),
        ("selectors", when(each(&|n| format!("exists($.l[{n},0])"), " or "))),
        ("nots", when(each(&|n| format!("exists($.l[?!(@.x == {n} || @.y == {n})])"), " or "))),
        ("matches", when(each(&|n| format!("exists($.l[?match(@.x, \"a{n}\")])"), " or "))),
        ("bound paths", when(each(&|n| format!("some(x in l: x.f{n} == 1)"), " or "))),
        ("bare quantifiers", when(each(&|n| format!("some(x in l: x == {n})"), " or "))),
    ]
}

/// The size of a module without indexes, and the bound of its plan.
fn size_and_bound(what: &str, hooks: &str) -> (usize, usize) {
    let no_index = IndexThresholds { min_indexed: usize::MAX, ..IndexThresholds::default() };
    let options = Options::default().thresholds(no_index);
    let mut sources = Sources::new();
    let source = sources.add("hooks.yaml", format!("hooks:\n{hooks}\n"));
    let input = Input::new(source).with_dialect(Dialect::HooksYaml);
    let compiled = compile(&mut sources, &[input], &options);
    assert!(!compiled.failed(), "{what}: {:?}", compiled.diagnostics);
    (compiled.module.unwrap().len(), bound(&compiled.plan.unwrap()))
}

/// Declared wrappers are limited to 256.
const ROWS: usize = 120;

/// What a row adds to the bound beyond what it adds to the module: rows that it shares with others, and the
/// block of a condition that has none. Zero for all others.
const UNUSED: [(&str, usize); 9] = [
    ("conjunctions", 32),
    ("quantifiers", 40),
    ("hooks", 32),
    ("actions", 72),
    ("events", 32),
    ("reads", 32),
    ("views", 48),
    ("bound paths", 8),
    ("bare quantifiers", 8),
];

/// The bound by which a policy is rejected before its module is written: never too low, of the same order,
/// and raised by each row by what the row needs.
#[test]
fn no_module_is_larger_than_its_bound() {
    let mut wrong = Vec::new();
    for ((what, less), (_, more)) in one_table_each(ROWS).into_iter().zip(one_table_each(2 * ROWS)) {
        let ((size, bound), (larger, higher)) = (size_and_bound(what, &less), size_and_bound(what, &more));
        let unused = UNUSED.iter().find(|(of, _)| *of == what).map_or(0, |(_, bytes)| *bytes);
        if larger > higher || higher > 4096 + 3 * larger || higher - bound != larger - size + ROWS * unused {
            wrong.push(format!("{what}: {size} to {larger} bytes, and the bound is {bound} to {higher}"));
        }
    }
    assert_eq!(wrong, [""; 0]);
}
