//! Each stage alone grows with its input, not with its square: the readers of all notations, the expression
//! languages, formatting, writing, verifying, printing, deciding.

use std::hint::black_box;
use std::time::Duration;

use hookc_compiler::{Dialect, disasm, plan};
use hookc_schema::value::Text;
use hookc_schema::{Diagnostics, SourceId, Span};
use hookc_shell as shell;
use hookc_syntax::front::{json, toml, xml, yaml};
use hookc_syntax::{expr, fmt, write};
use hookc_vm::{DecideOptions, Module, Scratch};

use crate::built::{built, module};
use crate::growth::{self, MEMORY, TIME, TIMES, guard, hooks, join};

const SOURCE: SourceId = SourceId(0);

/// Asserts that a stage grows linearly with what `make` gives for a size.
fn stage<T>(name: &str, size: usize, make: impl Fn(usize) -> T, run: impl Fn(&T)) {
    let measured = |input: &T| {
        let allocated = allocation_counter::measure(|| run(input)).bytes_total;
        (allocated, growth::time(|| run(input)))
    };
    let (small, large) = (measured(&make(size)), measured(&make(size * TIMES as usize)));
    // The first allocations of a stage do not depend on its input.
    let allocated = large.0 as f64 / small.0.max(4_096) as f64;
    let time = large.1.as_nanos() as f64 / small.1.max(Duration::from_nanos(1)).as_nanos() as f64;
    assert!(allocated < MEMORY, "{name} allocates {allocated:.1} times as much");
    assert!(time < TIME, "{name} takes {time:.1} times as long");
}

fn span(text: &str) -> Span {
    Span::new(SOURCE, 0..text.len())
}

#[test]
fn readers_grow_linearly() {
    let in_yaml = |text: &String| assert!(yaml::read(text, SOURCE, &mut Diagnostics::new()).is_some());
    stage(
        "YAML in lines",
        400,
        |n| join(n, "", |at| format!("- k{at}: [1, x, {{a: b}}]\n  t: |\n    text\n    {at}\n")),
        in_yaml,
    );
    stage(
        "YAML in brackets",
        400,
        |n| format!("[{}]", join(n, ", ", |at| format!("{{k: 'v{at}'}}"))),
        in_yaml,
    );
    stage("YAML with many keys", 400, |n| join(n, "", |at| format!("key{at}: \"v\\u00e9\"\n")), in_yaml);
    stage(
        "YAML with aliases",
        400,
        |n| format!("a: &a {{x: 1}}\nb:\n{}", join(n, "", |_| "- *a\n- {<<: *a, y: 2}\n".to_owned())),
        in_yaml,
    );
    stage("a text of YAML", 20_000, |n| format!("'{}'", "a''\n ".repeat(n / 4)), in_yaml);
    let in_json = |text: &String| assert!(json::read(text, SOURCE, &mut Diagnostics::new()).is_some());
    stage(
        "JSON",
        400,
        |n| format!("[{}]", join(n, ",\n", |at| format!("{{\"k{at}\": [1, \"\\u00e9\", null]}}"))),
        in_json,
    );
    stage(
        "members of JSON",
        400,
        |n| format!("{{{}}}", join(n, ",", |at| format!("\"k{at}\":{at}"))),
        in_json,
    );
    stage(
        "repeated members of JSON",
        400,
        |n| format!("{{{}}}", join(n, ",", |at| format!("\"k{}\":1", at % 7))),
        in_json,
    );
    stage(
        "comments of JSON",
        400,
        |n| format!("[{}]", join(n, "", |at| format!("// {at}\n{at},\n"))),
        in_json,
    );
    let in_xml = |text: &String| {
        let text = Text::plain(text.as_str());
        assert!(xml::read(&text, span(&text.value), &mut Diagnostics::new()).is_some());
    };
    stage(
        "elements of XML",
        400,
        |n| format!("<r>{}</r>", join(n, "", |at| format!("<e a='{at}' b='&lt;'>t&#65;<![CDATA[x]]></e>\n"))),
        in_xml,
    );
    stage("a text of XML", 20_000, |n| format!("<r>{}</r>", "a &amp; b ".repeat(n / 10)), in_xml);
    let in_toml = |text: &String| assert!(toml::read(text, SOURCE, &mut Diagnostics::new()).is_some());
    stage(
        "tables of TOML",
        200,
        |n| join(n, "", |at| format!("[[t]]\nk{at} = {{a = [1, 'x'], b.c = \"y\"}}\n")),
        in_toml,
    );
}

#[test]
fn expressions_grow_linearly() {
    let when = |text: &String| {
        assert!(
            expr::when::parse(&Text::plain(text.as_str()), span(text), &mut Diagnostics::new()).is_some()
        );
    };
    stage(
        "conditions",
        100,
        |n| join(n, " and ", |at| format!("(a{at} == 'x' or not b contains \"y\")")),
        when,
    );
    stage(
        "a list of a condition",
        400,
        |n| format!("a in [{}]", join(n, ", ", |at| format!("'x{at}'"))),
        when,
    );
    stage("a string of a condition", 8_000, |n| format!("a == '{}'", "\\u00e9''".repeat(n / 8)), when);
    let path = |text: &String| {
        assert!(
            expr::path::parse(&Text::plain(text.as_str()), span(text), &mut Diagnostics::new()).is_some()
        );
    };
    stage("names of a path", 400, |n| format!("$.{}", join(n, ".", |at| format!("a{at}"))), path);
    stage(
        "selectors of a path",
        400,
        |n| format!("$[{}]", join(n, ", ", |at| format!("'a{at}', {at}, ?@.x == {at}"))),
        path,
    );
    stage(
        "a filter of a path",
        200,
        |n| format!("$[?{}]", join(n, " && ", |at| format!("@.a{at} == $.b"))),
        path,
    );
    let template = |text: &String| {
        assert!(
            expr::template::parse(&Text::plain(text.as_str()), span(text), &mut Diagnostics::new()).is_some()
        );
    };
    stage("a template", 300, |n| join(n, " ", |at| format!("x ${{a{at} ?? 'y'}} $${{")), template);
}

#[test]
fn formatting_and_writing_grow_linearly() {
    let file = |n| {
        hooks(n, |at| guard(at, format_args!("tool_name == 'Bash' and tool_input.command contains 'x{at}'")))
    };
    stage(
        "formatting",
        60,
        |n| format!("# one\n{}", file(n).replace("id: ", "\n    # two\n    id: ")),
        |text: &String| {
            assert!(fmt::canonical(text).is_some());
        },
    );
    stage(
        "comments",
        200,
        |n| join(n, "", |at| format!("# {at}\n- a # b\n")),
        |text: &String| {
            assert!(fmt::comments(text).is_some());
        },
    );
    let tree = |n| built(&[("policy", &file(n))], Dialect::HooksYaml, None).0.policies.remove(0);
    for dialect in [Dialect::HooksYaml, Dialect::DirectiveXml, Dialect::Settings] {
        stage(&format!("writing {}", dialect.name()), 60, tree, |policy| {
            drop(black_box(write::write(policy, dialect)))
        });
    }
}

#[test]
fn modules_grow_linearly() {
    let policy = |n| {
        hooks(n, |at| {
            guard(at, format_args!("tool_name in ['Bash', 'T{at}'] and tool_input.command =~ 'x{at}(a|b)+'"))
        })
    };
    let bytes = |n| module("policy", &policy(n), Dialect::HooksYaml);
    stage("verifying", 60, bytes, |bytes| drop(black_box(Module::load(bytes.clone()).unwrap())));
    stage(
        "printing a module",
        60,
        |n| Module::load(bytes(n)).unwrap(),
        |module| drop(black_box(disasm::print(&module.tables().unwrap()))),
    );
    let linked = |n| built(&[("policy", &policy(n))], Dialect::HooksYaml, None).0.linked;
    stage("planning", 60, linked, |linked| drop(black_box(plan::plan(linked, &mut Diagnostics::new()))));
    stage(
        "printing a plan",
        60,
        |n| plan::plan(&linked(n), &mut Diagnostics::new()),
        |plan| drop(black_box(plan::print(plan))),
    );
}

/// Deciding, by what the event is large in.
#[test]
fn decisions_grow_linearly() {
    let policy = "hooks:\n  - {event: t, when: \"a == 'x' or $..k == 'y' or $.list[?@.n > 3].n == 0\", action: {type: continue}}\n  \
                  - {event: t, condition: {path: list, op: matches, value: {type: array, uniqueItems: true, items: {required: [n]}}}, \
                  action: {type: emit_event, event_type: e, payload: {all: '${list}', some: '${$.list[*].n}'}}}\n  \
                  - {event: t, when: \"some(c in shell(line).commands: c.name == 'rm')\", action: {type: fail, error_message: '${line}'}}\n  \
                  - {event: t, when: \"a contains 'zz' or a =~ '(a|b)+c' or a glob '**/*.x'\", action: {type: continue}}\n";
    let module = Module::load(module("policy", policy, Dialect::HooksYaml)).unwrap();
    let decide = |event: &String| {
        let mut scratch = Scratch::new();
        let options = DecideOptions::default().event("t").strategy(Some(hookc_vm::Strategy::All));
        let decision = module.decide(&mut scratch, event.as_bytes(), &options).unwrap();
        for hook in decision.hooks() {
            let _ = hook.render(&mut String::new());
        }
    };
    stage(
        "many members",
        500,
        |n| format!("{{{}}}", join(n, ",", |at| format!("\"m{at}\":{{\"k\":{at}}}"))),
        decide,
    );
    stage(
        "many elements",
        300,
        |n| format!("{{\"list\":[{}]}}", join(n, ",", |at| format!("{{\"n\":{at}}}"))),
        decide,
    );
    stage("a long text", 20_000, |n| format!("{{\"a\":\"{}\"}}", "ab/".repeat(n / 3)), decide);
    stage("a text of escapes", 20_000, |n| format!("{{\"a\":\"{}\"}}", "\\u0061".repeat(n / 6)), decide);
    stage("deep events", 28, |n| format!("{{\"a\":{}1{}}}", "[".repeat(n), "]".repeat(n)), decide);
    stage(
        "a command line",
        200,
        |n| format!("{{\"line\":\"{}\"}}", join(n, "; ", |at| format!("rm -f 'x{at}' | cat"))),
        decide,
    );
    let view = |line: &String| drop(black_box(shell::view(line, Some("/r"), Default::default())));
    stage("words of a line", 2_000, |n| format!("rm {}", join(n, " ", |at| format!("a{at}$x"))), view);
    stage("a quoted line", 10_000, |n| format!("rm '{}'", "a".repeat(n)), view);
}
