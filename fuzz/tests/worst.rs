//! Peak memory of hostile files and events, by a counting allocator: a bound for each, and a table of the
//! worst (`HOOKC_TABLE=1`). `HOOKC_HOSTILE=1000000` sets the bytes of each input.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "tests"
)]

use std::time::{Duration, Instant};

use hookc_compiler::{Dialect, Input, Options, compile};
use hookc_corpus::{effort, number};
use hookc_schema::Sources;
use hookc_schema::agents::Id;
use hookc_schema::diag::render;
use hookc_vm::{DecideOptions, Module, Scratch, Strategy};

/// What a file may take: so many times its size, and so much for the tables of the compiler.
const OF_FILE: (u64, u64) = (400, 24 << 20);
/// What an event may take: its tokens and texts, and the values of one query and of one schema, whose number
/// is limited.
const OF_EVENT: (u64, u64) = (12, 2 * 80 * hookc_vm::limits::EVENT_VALUES as u64);
/// What aliases may expand to, in addition: for each byte, and at least. A value takes up to 300 bytes.
const OF_ALIASES: (u64, u64) = (
    300 * hookc_syntax::limits::ALIAS_NODES_PER_BYTE as u64,
    300 * hookc_syntax::limits::ALIAS_NODES_AT_LEAST as u64,
);

fn size() -> usize {
    number("HOOKC_HOSTILE").unwrap_or_else(|| effort(24_000, 6_000))
}

/// A unit, repeated until the text has the size.
fn filled(head: &str, unit: &str, tail: &str) -> String {
    let count = size().saturating_sub(head.len() + tail.len()) / unit.len();
    format!("{head}{}{tail}", unit.repeat(count.max(1)))
}

/// Numbered units.
fn numbered(head: &str, unit: impl Fn(usize) -> String, tail: &str) -> String {
    let mut out = head.to_owned();
    for at in 0.. {
        let next = unit(at);
        if out.len() + next.len() + tail.len() > size() {
            break;
        }
        out.push_str(&next);
    }
    out + tail
}

fn nested(open: &str, inner: &str, close: &str, depth: usize) -> String {
    format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
}

/// One input: its name, what reads it, and its text.
type Case = (String, Dialect, String);

fn files() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut add = |name: &str, dialect, text: String| cases.push((name.to_owned(), dialect, text));
    let hook = |when: &str| {
        format!("hooks: [{{event: PreToolUse, when: \"{when}\", action: {{type: deny, reason: r}}}}]\n")
    };
    let yaml = Dialect::HooksYaml;
    // Notations.
    add("open brackets", yaml, filled("", "[", ""));
    add("open braces", yaml, filled("", "{a: ", ""));
    add("dashes", yaml, filled("", "- ", "x"));
    add(
        "deep lists again and again",
        yaml,
        numbered("", |at| format!("k{at}: {}\n", nested("[", "1", "]", 120)), ""),
    );
    add("anchors", yaml, numbered("", |at| format!("- &a{at} x\n"), ""));
    add("aliases of one list", yaml, filled("a: &a [1,2,3,4,5,6,7,8]\nb: [", "*a,", "]\n"));
    let doubled = |at: usize| format!("- &a{at} {{all: [*a{0}, *a{0}]}}\n", at.saturating_sub(1));
    let first = "conditions:\n- &a0 {path: tool_name, op: eq, value: x}\n".to_owned();
    let doubled: String = (1..60).map(doubled).collect();
    add("aliases of conditions", yaml, first + &doubled + "hooks: []\n");
    add(
        "aliases of aliases",
        yaml,
        numbered(
            "a0: &a0 [x,x,x,x,x,x,x,x,x]\n",
            |at| {
                format!(
                    "a{}: &a{} [*a{at},*a{at},*a{at},*a{at},*a{at},*a{at},*a{at},*a{at}]\n",
                    at + 1,
                    at + 1
                )
            },
            "",
        ),
    );
    add("merge keys", yaml, numbered("a: &a {x: 1, y: 2, z: 3}\n", |at| format!("k{at}: {{<<: *a}}\n"), ""));
    add("comments", yaml, filled("", "# x\n", ""));
    add("empty lines", yaml, filled("hooks:\n", "\n", "  []\n"));
    add("documents", yaml, filled("", "---\n", ""));
    add("one long word", yaml, filled("", "a", ": 1\n"));
    add("quotes", yaml, filled("'", "''", "'"));
    add("escapes", yaml, filled("\"", "\\u00e9", "\""));
    add("a block text", yaml, filled("a: |\n", "  x\n", ""));
    add("repeated keys", yaml, filled("", "a: 1\n", ""));
    add("unknown keys", yaml, numbered("", |at| format!("k{at}: 1\n"), ""));
    add("tabs", yaml, filled("", "\t", ""));
    add("tags", yaml, filled("", "- !!x y\n", ""));
    // Hooks.
    add("empty hooks", yaml, filled("hooks:\n", "  - {}\n", ""));
    add("hooks of one event", yaml, filled("hooks:\n", "  - {event: Stop, action: {type: continue}}\n", ""));
    add(
        "hooks of unknown events",
        yaml,
        numbered("hooks:\n", |at| format!("  - {{event: e{at}, action: {{type: continue}}}}\n"), ""),
    );
    add(
        "events of one hook",
        yaml,
        numbered("hooks: [{event: [", |at| format!("e{at},"), "], when: a == 1, action: {type: continue}}]"),
    );
    add(
        "hooks with one id",
        yaml,
        filled("hooks:\n", "  - {id: x, event: Stop, action: {type: continue}}\n", ""),
    );
    add(
        "declared events",
        yaml,
        numbered(
            "events:\n",
            |at| format!("  e{at}: {{schema: {{properties: {{a{at}: {{}}}}}}}}\n"),
            "hooks: []\n",
        ),
    );
    add("wrappers", yaml, numbered("wrappers: [", |at| format!("w{at},"), "]\nhooks: []\n"));
    add(
        "examples",
        yaml,
        filled(
            "hooks: [{event: Stop, when: why == 'x', action: {type: continue}, examples: [",
            "{event: {why: x}, matches: true},",
            "]}]",
        ),
    );
    // Conditions.
    add("or", yaml, hook(&filled("a == 1", " or a == 1", "")));
    add("different or", yaml, hook(&numbered("a == 1", |at| format!(" or b{at} == 'c{at}'"), "")));
    add(
        "alternating",
        yaml,
        hook(&numbered(
            "a == 1",
            |at| format!(" {} b{at} > {at}", if at % 2 == 0 { "and" } else { "or" }),
            "",
        )),
    );
    add("not", yaml, hook(&filled("", "not ", "a == 1")));
    add("brackets of a condition", yaml, hook(&filled("", "(", "")));
    add("a list", yaml, hook(&numbered("tool_name in [", |at| format!("'T{at}',"), "'x']")));
    add("names of tools", yaml, hook(&numbered("tool_name =~ '^(", |at| format!("T{at}|"), "x)$'")));
    add("misspelt tools", yaml, hook(&numbered("tool_name in [", |at| format!("'Bahs{at}',"), "'x']")));
    add("a large pattern", yaml, hook(&format!("a =~ '{}'", nested("(", "a{1,9}", "){1,9}", 6))));
    add(
        "patterns",
        yaml,
        numbered(
            "hooks:\n",
            |at| {
                format!(
                    "  - {{event: Stop, when: \"a =~ 'x{at}[a-z]+(b|c)*'\", action: {{type: continue}}}}\n"
                )
            },
            "",
        ),
    );
    add(
        "classes of a pattern",
        yaml,
        numbered(
            "hooks:\n",
            |at| {
                format!("  - {{event: Stop, when: 'a =~ /\\w+\\p{{L}}{at}/', action: {{type: continue}}}}\n")
            },
            "",
        ),
    );
    add("globs", yaml, hook(&numbered("a glob '{", |at| format!("x{at},"), "y}'")));
    add("stars of a glob", yaml, hook(&filled("a glob '", "*a", "'")));
    add("a long path", yaml, hook(&filled("a", ".b", " == 1")));
    add("selectors", yaml, hook(&numbered("$[", |at| format!("{at},"), "0] == 1")));
    add("filters", yaml, hook(&filled("$[?", "@.a == 1 && ", "@.b] == 1")));
    add("filters within filters", yaml, hook(&format!("$.a{} == 1", nested("[?@.b", "", "]", 60))));
    add(
        "quantifiers",
        yaml,
        numbered(
            "hooks:\n",
            |at| {
                format!(
                    "  - {{event: PreToolUse, when: \"some(c in shell(tool_input.command).commands: c.name == 'x{at}')\", action: {{type: deny, reason: r}}}}\n"
                )
            },
            "",
        ),
    );
    // Actions and schemas.
    let deny = |text: &str| format!("hooks: [{{event: Stop, action: {{type: deny, reason: \"{text}\"}}}}]\n");
    add("templates", yaml, deny(&numbered("", |at| format!("${{a{at}}}"), "")));
    add("one template", yaml, deny(&filled("", "${a}", "")));
    add("dollars", yaml, deny(&filled("", "$", "")));
    let schema = |text: &str| {
        format!(
            "hooks: [{{event: Stop, condition: {{path: a, op: matches, value: {text}}}, action: {{type: continue}}}}]\n"
        )
    };
    add("an enum", yaml, schema(&numbered("{enum: [", |at| format!("v{at},"), "]}")));
    add(
        "properties",
        yaml,
        schema(&numbered("{properties: {", |at| format!("p{at}: {{type: string}},"), "}}")),
    );
    add(
        "alternatives of a schema",
        yaml,
        schema(&numbered("{anyOf: [", |at| format!("{{const: {at}}},"), "]}")),
    );
    add(
        "references",
        yaml,
        schema(&numbered(
            "{$defs: {",
            |at| format!("d{}: {{allOf: [{{$ref: '#/$defs/d{at}'}}, {{$ref: '#/$defs/d{at}'}}]}},", at + 1),
            "d0: {}}, $ref: '#/$defs/d1'}",
        )),
    );
    // Other dialects.
    let settings = |groups: &str| format!("{{\"hooks\": {{\"PreToolUse\": [{groups}]}}}}");
    let handler = r#"{"type":"command","command":"x"}"#;
    add(
        "groups",
        Dialect::Settings,
        settings(
            &(filled("", &format!("{{\"matcher\":\"Bash\",\"hooks\":[{handler}]}},"), "")
                + &format!("{{\"hooks\":[{handler}]}}")),
        ),
    );
    add(
        "handlers",
        Dialect::Settings,
        settings(&format!(
            "{{\"matcher\":\"A|B|C\",\"hooks\":[{}{handler}]}}",
            filled("", &format!("{handler},"), "")
        )),
    );
    add(
        "a long matcher",
        Dialect::Settings,
        settings(&format!(
            "{{\"matcher\":\"{}\",\"hooks\":[{handler},{handler}]}}",
            numbered("a", |at| format!("|T{at}"), "")
        )),
    );
    add(
        "a description of a group",
        Dialect::Settings,
        settings(&format!(
            "{{\"description\":\"{}\",\"hooks\":[{}]}}",
            "a".repeat(size() / 2),
            vec![handler; 40].join(",")
        )),
    );
    add("brackets of JSON", Dialect::Settings, filled("", "[", ""));
    add("members of JSON", Dialect::Settings, numbered("{", |at| format!("\"k{at}\":1,"), "\"x\":1}"));
    add(
        "Gemini",
        Dialect::Agent(Id::Gemini),
        format!(
            "{{\"hooks\":{{\"BeforeTool\":[{}{{}}]}}}}",
            filled("", &format!("{{\"hooks\":[{handler}]}},"), "")
        ),
    );
    let xml = Dialect::DirectiveXml;
    add("open elements", xml, filled("", "<a>", ""));
    add(
        "elements",
        xml,
        filled("<directive name=\"d\" version=\"1.0.0\"><hooks>", "<hook/>", "</hooks></directive>"),
    );
    add("attributes", xml, numbered("<directive ", |at| format!("a{at}='x' "), "/>"));
    add("references of XML", xml, filled("<directive>", "&lt;", "</directive>"));
    add("wrong references", xml, filled("<directive>", "&x;", "</directive>"));
    add("namespaces", xml, numbered("<directive>", |at| format!("<a xmlns:n{at}='x'/>"), "</directive>"));
    add(
        "hooks of XML",
        xml,
        filled(
            "<directive name=\"d\" version=\"1.0.0\"><hooks>",
            "<hook event=\"error\"><action type=\"abort\"/></hook>",
            "</hooks></directive>",
        ),
    );
    add(
        "steps",
        Dialect::Workflow,
        numbered(
            "id: w\nworkflow:\n  steps:\n",
            |at| format!("    - name: s{at}\n      hooks: {{pre_decision: [{{artifact_id: a{at}}}]}}\n"),
            "",
        ),
    );
    add(
        "a skill",
        Dialect::Skill,
        numbered(
            "---\nname: s\ndescription: d\nhooks:\n  PreToolUse:\n",
            |at| format!("    - {{matcher: T{at}, hooks: [{{type: command, command: ./c}}]}}\n"),
            "---\n\n# S\n",
        ),
    );
    add(
        "a repository hook",
        Dialect::Repository,
        numbered("id: x\nevent_type: a\nhandlers:\n", |at| format!("  - {{name: n{at}, command: x}}\n"), ""),
    );
    cases
}

/// A policy that reads much of an event.
const POLICY: &str = "hooks:
  - {event: t, when: \"a == 'x' or $..k == 'y' or $.list[?@.n > 3].n == 0\", action: {type: continue}}
  - {event: t, condition: {path: list, op: matches, value: {uniqueItems: true, items: {required: [n]}}}, action: {type: emit_event, event_type: e, payload: {all: '${list}', some: '${$.list[*].n}'}}}
  - {event: t, when: \"some(c in shell(line).commands: c.name == 'rm')\", action: {type: fail, error_message: '${shell(line)}'}}
  - {event: t, when: \"a contains 'zz' or a =~ '(a|b)+c' or a glob '**/*.x' or list contains a\", action: {type: continue}}
  - {event: t, when: \"$.list[?search(@.s, $.pattern)] == 1\", action: {type: continue}}
";

fn events() -> Vec<(String, String)> {
    let mut cases: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, text: String| cases.push((format!("event: {name}"), text));
    add("spaces", filled("{", " ", "}"));
    add("members", numbered("{", |at| format!("\"m{at}\":1,"), "\"x\":1}"));
    add("one member again", filled("{", "\"m\":1,", "\"x\":1}"));
    add("a member that is read, again", filled("{", "\"a\":1,", "\"x\":1}"));
    add("numbers", filled("{\"list\":[", "1,", "1]}"));
    add("different numbers", numbered("{\"list\":[", |at| format!("{at},"), "1]}"));
    add("long numbers", format!("{{\"list\":[{}]}}", filled("", "1234567890", "")));
    add("exponents", filled("{\"list\":[", "1e9999,", "1]}"));
    add("empty lists", filled("{\"list\":[", "[],", "[]]}"));
    add("empty objects", filled("{\"list\":[", "{},", "{}]}"));
    add("objects", numbered("{\"list\":[", |at| format!("{{\"n\":{at}}},"), "{}]}"));
    add("objects with a key", filled("{\"list\":[", "{\"k\":\"y\",\"n\":5},", "{}]}"));
    add("short strings", filled("{\"list\":[", "\"\",", "1]}"));
    add("a string", format!("{{\"a\":\"{}\"}}", filled("", "a", "")));
    add("a string of b", format!("{{\"a\":\"{}\"}}", filled("", "ab", "")));
    add("escapes", format!("{{\"a\":\"{}\"}}", filled("", "\\u0061", "")));
    add("line ends", format!("{{\"a\":\"{}\"}}", filled("", "\\n", "")));
    add("letters of four bytes", format!("{{\"a\":\"{}\"}}", filled("", "\u{1f600}", "")));
    add("slashes", format!("{{\"a\":\"{}\"}}", filled("", "a/", "")));
    add("keys with escapes", numbered("{", |at| format!("\"\\u006d{at}\":1,"), "\"x\":1}"));
    add("depth", format!("{{\"a\":{}}}", nested("[", "1", "]", 126)));
    add(
        "depth again and again",
        numbered("{", |at| format!("\"m{at}\":{},", nested("[", "1", "]", 120)), "\"x\":1}"),
    );
    add(
        "depth of objects",
        numbered("{", |at| format!("\"m{at}\":{},", nested("{\"k\":", "1", "}", 120)), "\"x\":1}"),
    );
    add("too deep", filled("{\"a\":", "[", ""));
    add(
        "a pattern",
        format!("{{\"list\":[{{\"s\":\"aaa\"}}],\"pattern\":\"{}\"}}", filled("", "(a|b)*", "")),
    );
    add(
        "a pattern that counts",
        "{\"list\":[{\"s\":\"a\"}],\"pattern\":\"((a{1,90}){1,90}){1,90}\"}".to_owned(),
    );
    add("not UTF-8 to the end", filled("{\"a\":\"", "a", "\u{fffd}"));
    for (name, unit) in [
        ("commands", "a;"),
        ("pipes", "a|"),
        ("substitutions", "$(a)"),
        ("open substitutions", "$("),
        ("braces", "{a,b}"),
        ("braces within braces", "{a,{b,c}}"),
        ("variables", "x=$x$x;"),
        ("quotes", "''"),
        ("loops", "for i in 1 2 3; do a $i; done;"),
        ("functions", "f() { a; }; f;"),
        ("here-documents", "cat <<E\\nx\\nE\\n"),
        ("redirections", "a > b;"),
        ("evaluations", "eval a;"),
        ("shells", "sh -c 'a b';"),
    ] {
        let most = 60_000.min(size());
        let line = unit.repeat(most / unit.len());
        add(&format!("a line of {name}"), format!("{{\"line\":\"{line}\"}}"));
    }
    cases
}

/// A row: the peak, the size, the time.
struct Row {
    name: String,
    bytes: usize,
    peak: u64,
    took: Duration,
}

fn measure(name: String, bytes: usize, run: impl FnOnce()) -> Row {
    let begin = Instant::now();
    let info = allocation_counter::measure(run);
    Row { name, bytes, peak: info.bytes_max, took: begin.elapsed() }
}

#[test]
fn hostile_input_takes_memory_by_its_size() {
    let mut rows = Vec::new();
    let mut wrong = String::new();
    let module = {
        let mut sources = Sources::new();
        let input = Input::new(sources.add("policy", POLICY)).with_dialect(Dialect::HooksYaml);
        let compiled = compile(&mut sources, &[input], &Options::default());
        let why = render::short::render(&compiled.diagnostics, &sources);
        Module::load(compiled.module.expect(&why)).unwrap()
    };
    // What is made once: the vocabulary, the tables of programs.
    let once = || {
        let mut sources = Sources::new();
        let input = Input::new(sources.add("policy", POLICY)).with_dialect(Dialect::HooksYaml);
        compile(&mut sources, &[input], &Options::default())
    };
    drop(once());
    for (name, dialect, text) in files() {
        let row = measure(format!("{}: {name}", dialect.name()), text.len(), || {
            let mut sources = Sources::new();
            let input = Input::new(sources.add("policy", text.as_str())).with_dialect(dialect);
            let compiled = compile(&mut sources, &[input], &Options::default());
            let _ = render::text::render(&compiled.diagnostics, &sources);
            if let Some(bytes) = compiled.module {
                drop(Module::load(bytes).expect("it loads"));
            }
        });
        rows.push((row, OF_FILE));
    }
    for (name, event) in events() {
        let row = measure(name, event.len(), || {
            let mut scratch = Scratch::new();
            let options = DecideOptions::default().event("t").strategy(Some(Strategy::All));
            if let Ok(decision) = module.decide(&mut scratch, event.as_bytes(), &options) {
                for hook in decision.hooks() {
                    let _ = hook.render(&mut String::new());
                }
            }
        });
        rows.push((row, OF_EVENT));
    }
    for (row, (times, fixed)) in &rows {
        let of_aliases = OF_ALIASES.0 * row.bytes as u64 + OF_ALIASES.1;
        let more = if row.name.contains("aliases") { of_aliases } else { 0 };
        if row.peak > row.bytes as u64 * times + fixed + more {
            wrong += &format!("{}: {} bytes for {}\n", row.name, row.peak, row.bytes);
        }
    }
    assert!(rows.len() >= 100, "{} inputs", rows.len());
    if std::env::var_os("HOOKC_TABLE").is_some() {
        rows.sort_by_key(|(row, _)| std::cmp::Reverse(row.peak));
        eprintln!("| input | bytes | peak (KiB) | peak / bytes | ms |\n|---|---:|---:|---:|---:|");
        for (row, _) in rows.iter().take(100) {
            let times = row.peak as f64 / row.bytes as f64;
            eprintln!(
                "| {} | {} | {} | {times:.1} | {} |",
                row.name,
                row.bytes,
                row.peak >> 10,
                row.took.as_millis()
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
