//! Compiling grows with the policy, not with its square: each shape at a size and at four times the
//! size. A square takes sixteen times as much.

use std::fmt::Display;
use std::fs;
use std::time::{Duration, Instant};

use hookc_compiler::testing::{self, Exercised};
use hookc_compiler::{Builtin, Compiled, Dialect, Input, Options, compile};
use hookc_schema::agents::Id;
use hookc_schema::{Code, Diagnostics, Sources};

use crate::built::built;

/// The size of the larger text in units of the smaller.
pub(crate) const TIMES: u32 = 4;

/// What the larger one may take of memory and of bytes of a module: logarithms and the growth of tables
/// stay below it.
pub(crate) const MEMORY: f64 = 5.4;

/// What it may take of time, which is less exact.
pub(crate) const TIME: f64 = 8.5;

/// The least time to measure: the clock of a thread has ticks.
const MEASURED: Duration = Duration::from_millis(120);

/// The time that this thread has run, whatever else the machine does.
fn ran() -> Duration {
    static BEGIN: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    let on_cpu = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = on_cpu.and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanos.map_or_else(|| BEGIN.elapsed(), Duration::from_nanos)
}

/// The processor time of a call. A short run measures memory alone, for which one call is enough.
pub(crate) fn time(call: impl Fn()) -> Duration {
    if !hookc_corpus::is_full() {
        return Duration::ZERO;
    }
    let (begin, mut rounds) = (ran(), 0);
    while ran().saturating_sub(begin) < MEASURED {
        call();
        rounds += 1;
    }
    ran().saturating_sub(begin) / rounds
}

/// What a compilation takes.
struct Cost {
    time: Duration,
    allocated: u64,
    module: usize,
}

fn cost(text: &str, dialect: Dialect) -> (Cost, Compiled) {
    let mut all = None;
    let info = allocation_counter::measure(|| all = Some(built(&[("policy", text)], dialect, None).0));
    let compiled = all.unwrap();
    let module = compiled.module.as_ref().map_or(0, Vec::len);
    (Cost { time: Duration::ZERO, allocated: info.bytes_total, module }, compiled)
}

/// Asserts that a shape grows linearly from `size` on.
fn linear(name: &str, dialect: Dialect, size: usize, sound: bool, shape: impl Fn(usize) -> String) {
    let (small, large) = (shape(size), shape(size * TIMES as usize));
    let measured = |text: &str| {
        let (mut own, compiled) = cost(text, dialect);
        assert_eq!(compiled.module.is_some(), sound, "{name}: {:?}", compiled.diagnostics.first());
        own.time = time(|| drop(cost(text, dialect)));
        own
    };
    let (small, large) = (measured(&small), measured(&large));
    let ratio = |small: f64, large: f64| large / small.max(1.0);
    let allocated = ratio(small.allocated as f64, large.allocated as f64);
    let module = ratio(small.module as f64, large.module as f64);
    let time = ratio(small.time.as_nanos() as f64, large.time.as_nanos() as f64);
    assert!(allocated < MEMORY, "{name} allocates {allocated:.1} times as much");
    assert!(module < MEMORY, "the module of {name} is {module:.1} times as long");
    assert!(time < TIME, "{name} takes {time:.1} times as long");
}

pub(crate) fn join(count: usize, between: &str, each: impl Fn(usize) -> String) -> String {
    (0..count).map(each).collect::<Vec<_>>().join(between)
}

/// Hooks of `hooks.yaml`, each a flow mapping.
pub(crate) fn hooks(count: usize, each: impl Fn(usize) -> String) -> String {
    format!("hooks:\n{}\n", join(count, "\n", |at| format!("  - {{{}}}", each(at))))
}

/// A hook with a condition.
pub(crate) fn guard(at: usize, when: impl Display) -> String {
    format!("id: h{at}, event: PreToolUse, when: \"{when}\", action: {{type: deny, reason: r{at}}}")
}

/// A group of settings: a matcher, further keys, and handlers with further keys.
fn group(event: &str, matcher: &str, keys: &str, count: usize, each: impl Fn(usize) -> String) -> String {
    let handlers =
        join(count, ", ", |at| format!(r#"{{"type": "command", "command": "c{at}"{}}}"#, each(at)));
    format!(r#"{{"hooks": {{"{event}": [{{"matcher": "{matcher}"{keys}, "hooks": [{handlers}]}}]}}}}"#)
}

#[test]
fn hooks_grow_linearly() {
    let yaml = |name: &str, size, shape: &dyn Fn(usize) -> String| {
        linear(name, Dialect::HooksYaml, size / hookc_corpus::effort(1, 2), true, shape);
    };
    yaml("hooks", 200, &|n| {
        hooks(n, |at| guard(at, format_args!("tool_name == 'Bash' and tool_input.command contains 'x{at}'")))
    });
    yaml("hooks without a condition", 200, &|n| {
        hooks(n, |at| format!("id: h{at}, event: PreToolUse, action: {{type: deny, reason: r{at}}}"))
    });
    yaml("unknown fields", 100, &|n| hooks(n, |at| guard(at, format_args!("field{at} == 'x'"))));
    yaml("unknown inputs", 50, &|n| hooks(n, |at| guard(at, format_args!("tool_input.comand{at} == 'x'"))));
    yaml("patterns", 50, &|n| hooks(n, |at| guard(at, format_args!("tool_input.command =~ 'x{at}(a|b)+'"))));
    yaml("quantifiers", 50, &|n| {
        hooks(n, |at| {
            let inner = format!("some(b in a.operands: b == 'x{at}')");
            guard(at, format_args!("some(a in shell(tool_input.command).commands: {inner})"))
        })
    });
    yaml("names of servers", 400, &|n| {
        let tests = join(n, " or ", |at| format!("tool_name == 'mcp_a_t{at}'"));
        hooks(1, |at| guard(at, format_args!("{tests} or tool_name == 'mcp__a__t'")))
    });
    yaml("declared events", 50, &|n| {
        let events = join(n, "\n", |at| format!("  e{at}: {{schema: {{properties: {{a{at}: {{}}}}}}}}"));
        let hooks = hooks(n, |at| format!("event: e{at}, when: \"a{at} == 1\", action: {{type: continue}}"));
        format!("events:\n{events}\n{hooks}")
    });
    // More than a policy may have.
    linear("wrappers", Dialect::HooksYaml, 2_000, false, |n| {
        format!("wrappers: [{}]\nhooks: []\n", join(n, ", ", |at| format!("w{at}")))
    });
}

#[test]
fn one_hook_grows_linearly() {
    let yaml = |name: &str, size, shape: &dyn Fn(usize) -> String| {
        linear(name, Dialect::HooksYaml, size / hookc_corpus::effort(1, 4), true, shape);
    };
    let one = |when: String| hooks(1, |at| guard(at, &when));
    yaml("or", 300, &|n| one(join(n, " or ", |at| format!("tool_input.command contains 'x{at}'"))));
    yaml("and", 300, &|n| one(join(n, " and ", |at| format!("tool_input.command contains 'x{at}'"))));
    yaml("numbers", 400, &|n| one(join(n, " and ", |at| format!("tool_input.timeout > {at}"))));
    yaml("a list", 1500, &|n| one(format!("tool_name in [{}]", join(n, ", ", |at| format!("'T{at}'")))));
    yaml("alternatives", 100, &|n| {
        one(format!("tool_input.command =~ '^({})$'", join(n, "|", |at| format!("aa{at}b"))))
    });
    yaml("alternatives of names", 100, &|n| {
        one(format!("tool_name =~ '^({})$'", join(n, "|", |at| format!("aa{at}b"))))
    });
    yaml("a long text", 15_000, &|n| one(format!("tool_name == '{}'", "a".repeat(n))));
    yaml("events of one condition", 200, &|n| {
        let (events, parts) =
            (join(n, ", ", |at| format!("e{at}")), join(20, " or ", |at| format!("f{at} == 1")));
        format!("hooks: [{{event: [{events}], when: \"{parts}\", action: {{type: continue}}}}]\n")
    });
    yaml("events and parts of a condition", 60, &|n| listed(n, n));
    yaml("nested `not`", 15, &|n| one(format!("{}tool_name == 'Bash'{}", "not (".repeat(n), ")".repeat(n))));
    yaml("names of tools and inputs", 100, &|n| {
        one(join(n, " or ", |at| {
            format!("(tool_name in ['Edit', 'T{at}'] and tool_input.content == 'x{at}')")
        }))
    });
    yaml("tests of one text", 100, &|n| {
        one(format!(
            "tool_name == 'Bash' and {}",
            join(n, " and ", |at| format!("not tool_name contains 'x{at}'"))
        ))
    });
    let schema = |schema: String| {
        hooks(1, |_| {
            let leaf = format!("{{path: tool_input, op: matches, value: {schema}}}");
            format!("event: PreToolUse, condition: {leaf}, action: {{type: deny, reason: r}}")
        })
    };
    yaml("values of an enum", 1000, &|n| {
        schema(format!("{{properties: {{a: {{enum: [{}]}}}}}}", join(n, ", ", |at| format!("v{at}"))))
    });
    yaml("properties", 300, &|n| {
        schema(format!("{{properties: {{{}}}}}", join(n, ", ", |at| format!("p{at}: {{maxLength: {at}}}"))))
    });
}

/// The handlers of a group share its condition, with and without conditions of their own.
#[test]
fn groups_grow_linearly() {
    let settings = |name: &str, size, shape: &dyn Fn(usize) -> String| {
        linear(name, Dialect::Settings, size, true, shape);
    };
    let names = |n| join(n, "|", |at| format!("T{at}"));
    let files = |n| join(n, "|", |at| format!("f{at}.txt"));
    let rule = |at| format!(r#", "if": "T{at}(x *)""#);
    let none = |_| String::new();
    settings("a group of names", 100, &|n| group("PreToolUse", &names(n), "", n, none));
    settings("a group of files", 100, &|n| group("FileChanged", &files(n), "", n, none));
    settings("names and rules", 100, &|n| group("PreToolUse", &names(n), "", n, rule));
    settings("patterns and rules", 50, &|n| {
        group("PreToolUse", &join(n, "|", |at| format!("T{at}.*x")), "", n, rule)
    });
    settings("rules", 200, &|n| {
        group("PreToolUse", "*", "", n, |at| format!(r#", "if": "Bash(git x{at} *)""#))
    });
    for word in ["and", "or"] {
        settings(&format!("conditions with `{word}`"), 50, &|n| {
            let parts = join(n, &format!(" {word} "), |at| format!("tool_input.command contains 'x{at}'"));
            group("PreToolUse", "Bash", &format!(r#", "when": "{parts}""#), n, |at| {
                format!(r#", "when": "tool_input.command starts_with 'y{at}'""#)
            })
        });
    }
    settings("groups", 100, &|n| {
        let groups = join(n, ", ", |at| {
            format!(r#"{{"matcher": "T{at}|Bash", "hooks": [{{"type": "command", "command": "c{at}"}}]}}"#)
        });
        format!(r#"{{"hooks": {{"PreToolUse": [{groups}]}}}}"#)
    });
    linear("a group of another agent", Dialect::Agent(Id::Gemini), 100, true, |n| {
        group("BeforeTool", &names(n), "", n, none)
    });
}

#[test]
fn other_notations_grow_linearly() {
    let directive = |hooks: String| {
        format!("<directive name=\"d\" version=\"1.0.0\">\n<hooks>\n{hooks}\n</hooks>\n</directive>\n")
    };
    let hook = |id: usize, when: String| {
        let action = "<action type=\"fail\"><param name=\"error_message\">m</param></action>";
        format!("<hook event=\"error\" id=\"h{id}\" when=\"{when}\">{action}</hook>")
    };
    linear("XML", Dialect::DirectiveXml, 100, true, |n| {
        directive(join(n, "\n", |at| {
            hook(at, format!("error.code == 'x{at}' and error.message contains 'y'"))
        }))
    });
    linear("XML with a long condition", Dialect::DirectiveXml, 300, true, |n| {
        directive(hook(0, join(n, " or ", |at| format!("error.message contains 'x{at}'"))))
    });
    linear("steps of a workflow", Dialect::Workflow, 50, true, |n| {
        let step = |at| {
            format!(
                "    - name: s{at}\n      hooks:\n        post_decision:\n          - artifact_id: a{at}\n            \
                 args: {{x: \"{{proposed_action}} {at}\"}}\n"
            )
        };
        format!("id: w\nworkflow:\n  steps:\n{}", join(n, "", step))
    });
    linear("hooks of a workflow", Dialect::Workflow, 50, true, |n| {
        let hook =
            |at| format!("    - artifact_id: a{at}\n      when: balance > {at}\n      inject_as: i{at}\n");
        format!("id: w\nhooks:\n  pre_decision:\n{}", join(n, "", hook))
    });
    linear("handlers of a skill", Dialect::Skill, 100, true, |n| {
        let handler = |at| format!("        - {{type: command, command: ./c{at}.sh}}\n");
        let matcher = join(n, "|", |at| format!("T{at}"));
        format!(
            "---\nname: s\ndescription: d\nhooks:\n  PreToolUse:\n    - matcher: {matcher}\n      hooks:\n{}---\n\n# S\n",
            join(n, "", handler)
        )
    });
    linear("groups of a skill", Dialect::Skill, 100, true, |n| {
        let group = |at| {
            format!("    - matcher: T{at}\n      hooks:\n        - {{type: command, command: ./c{at}.sh}}\n")
        };
        format!("---\nname: s\ndescription: d\nhooks:\n  PreToolUse:\n{}---\n\n# S\n", join(n, "", group))
    });
}

/// What reading and running a test file takes, with the policy of its size.
fn test_file(policy: &str, tests: &str) -> Cost {
    let mut sources = Sources::new();
    let input = Input::new(sources.add("hooks.yaml", policy)).with_dialect(Dialect::HooksYaml);
    let compiled = compile(&mut sources, &[input], &Options::default().builtin(Builtin::Never));
    let run = || {
        let (mut sources, mut reported) = (Sources::new(), Diagnostics::new());
        let source = sources.add("x.test.yaml", tests);
        let suite = testing::read(sources.text(source), source, &mut reported).unwrap();
        let outcome = testing::run(&compiled, &suite.tests, None, &mut Exercised::default()).unwrap();
        assert!(outcome.cases.iter().all(testing::Case::passed));
    };
    let allocated = allocation_counter::measure(run).bytes_total;
    Cost { time: time(run), allocated, module: 0 }
}

#[test]
fn test_files_grow_linearly() {
    let policy =
        |n| hooks(n, |at| guard(at, format_args!("tool_name == 'Bash' and tool_input.command == 'x{at}'")));
    let event =
        |at| format!("{{hook_event_name: PreToolUse, tool_name: Bash, tool_input: {{command: x{at}}}}}");
    let many =
        |n| join(n, "", |at| format!("  - {{name: t{at}, event: {}, expect: {{hooks: [h0]}}}}\n", event(0)));
    let one = |n| {
        let events = join(n, ", ", |_| event(0));
        format!("  - {{name: t, events: [{events}], expect: {{hooks: [h0]}}}}\n")
    };
    let file = |tests: String| format!("policy: hooks.yaml\ntests:\n{tests}");
    type Shape<'s> = (&'s str, &'s dyn Fn(usize) -> (String, String));
    let shapes: [Shape<'_>; 3] = [
        ("tests", &|n| (policy(1), file(many(n)))),
        ("events of a test", &|n| (policy(1), file(one(n)))),
        ("hooks of a test", &|n| (policy(n), file(many(1)))),
    ];
    for (name, shape) in shapes {
        let measured = |size| {
            let (policy, tests) = shape(size);
            test_file(&policy, &tests)
        };
        let (small, large) = (measured(100), measured(100 * TIMES as usize));
        let times = large.time.as_nanos() as f64 / small.time.as_nanos().max(1) as f64;
        let allocated = large.allocated as f64 / small.allocated.max(1) as f64;
        assert!(allocated < MEMORY, "{name} allocate {allocated:.1} times as much");
        assert!(times < TIME, "{name} take {times:.1} times as long");
    }
}

#[test]
fn diagnostics_grow_linearly() {
    let errors = |name: &str, size, shape: &dyn Fn(usize) -> String| {
        linear(name, Dialect::HooksYaml, size, false, shape);
    };
    errors("errors", 100, &|n| {
        hooks(n, |at| {
            format!("id: h{at}, event: PreToolUse, when: \"tool_name = 'x'\", action: {{type: denny{at}}}")
        })
    });
    errors("repeated keys", 200, &|n| {
        let keys = join(n, ", ", |at| format!("k{at}: 1, k{at}: 2"));
        hooks(1, |_| format!("event: PreToolUse, action: {{type: deny, reason: r}}, {keys}"))
    });
    errors("repeated ids", 100, &|n| hooks(n, |at| guard(0, format_args!("tool_input.command == 'x{at}'"))));
}

/// One hook at so many events, under a condition of so many parts.
fn listed(events: usize, parts: usize) -> String {
    let (events, parts) =
        (join(events, ", ", |at| format!("e{at}")), join(parts, " or ", |at| format!("f{at} == 1")));
    let hook = format!("{{event: [{events}], when: \"{parts}\", action: {{type: continue}}}}");
    format!("hooks: [{hook}]\n")
}

#[test]
fn a_hook_is_not_repeated_at_its_events_without_end() {
    let compiled = |events, parts| built(&[("policy", &listed(events, parts))], Dialect::HooksYaml, None).0;
    assert!(compiled(30, 200).module.is_some());
    let begin = Instant::now();
    let too_many = compiled(5000, 1000);
    assert_eq!(too_many.diagnostics.iter().filter(|reported| reported.code == Code::E0703).count(), 1);
    assert!(too_many.module.is_none() && begin.elapsed() < Duration::from_secs(5));
}

/// What a command line nests, as its start and end.
const NESTED: [(&str, &str); 17] = [
    ("$(", ")"),
    ("\"$(", ")\""),
    ("`", ""),
    ("${x:-", "}"),
    ("${x", ""),
    ("$((", "))"),
    ("(", ")"),
    ("((", "))"),
    ("{ ", "; }"),
    ("cat <(", ")"),
    ("[[ $(", ") ]]"),
    ("if ", "; then a; fi; "),
    ("while ", "; do a; done; "),
    ("case x in x) ", ";; esac; "),
    ("f() { ", "; }; "),
    ("cat <<E$(", ")\n"),
    ("$NAME ", "=NAME "),
];

#[test]
fn command_lines_of_handlers_grow_linearly() {
    for (open, close) in NESTED {
        linear(&format!("nested `{open}`"), Dialect::Settings, 1_000, true, |n| {
            let line = format!("x {}a{}", open.repeat(n), close.repeat(n));
            let line = line.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
            let handler = format!(r#"{{"type": "command", "command": "{line}"}}"#);
            format!(r#"{{"hooks": {{"PreToolUse": [{{"hooks": [{handler}]}}]}}}}"#)
        });
    }
}
