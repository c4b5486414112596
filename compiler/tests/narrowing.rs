//! Narrowing is sound: where the checker reports that a field is never present, no event about a
//! declared tool with its declared inputs depends on it. Random conditions over `tool_name` and
//! `tool_input`, each evaluated for every declared tool, with the reported leaves unchanged and
//! with false instead.

use std::collections::{BTreeMap, BTreeSet};

use hookc_compiler::{Builtin, Dialect, Input, Options, compile};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Sources};
use proptest::prelude::*;

/// A condition: its text and its meaning. Each leaf of an input has a number in its literal, which
/// identifies its span.
#[derive(Clone, Debug)]
enum Tree {
    Tool(&'static str, &'static str),
    Input(&'static str),
    Group(bool, Vec<Tree>),
    Not(Box<Tree>),
}

const TESTS: &[(&str, &str)] = &[
    ("==", "Bash"),
    ("!=", "Bash"),
    ("==", "Read"),
    ("==", "NotebookEdit"),
    ("!=", "WebFetch"),
    ("in", "Edit Write"),
    ("in", "Bash Read MultiEdit"),
    ("in", "Bash nobodys"),
    ("==", "mcp__a__b"),
    ("starts_with", "Notebook"),
    ("starts_with", "mcp__"),
    ("ends_with", "Edit"),
    ("contains", "Web"),
    ("=~", "^(Edit|Write)$"),
    ("=~", "Edit|Read"),
    ("=~", "^Bash$|_file$"),
    ("=~", "^(Glob|mcp__.*)$"),
];

const INPUTS: &[&str] = &["command", "file_path", "url", "notebook_path", "pattern", "edits", "banana"];

impl Tree {
    /// The text; the leaves whose numbers are in `gone` are false.
    fn text(&self, next: &mut usize) -> String {
        match self {
            Self::Tool("in", names) => {
                let names: Vec<String> = names.split(' ').map(|name| format!("'{name}'")).collect();
                format!("tool_name in [{}]", names.join(", "))
            }
            Self::Tool(op, name) => format!("tool_name {op} '{name}'"),
            Self::Input(name) => {
                *next += 1;
                format!("tool_input.{name} == '{next}'")
            }
            Self::Not(part) => format!("not ({})", part.text(next)),
            Self::Group(all, parts) => {
                let parts: Vec<String> = parts.iter().map(|part| part.text(next)).collect();
                format!("{}({})", if *all { "all" } else { "any" }, parts.join(", "))
            }
        }
    }

    /// Its result for a tool whose declared inputs are all present; `present` contains which leaves
    /// of inputs are true, by number.
    fn holds(&self, tool: &str, next: &mut usize, present: &dyn Fn(usize, &str) -> bool) -> bool {
        match self {
            Self::Tool(op, name) => matches(op, name, tool),
            Self::Input(name) => {
                *next += 1;
                present(*next, name)
            }
            Self::Not(part) => !part.holds(tool, next, present),
            Self::Group(all, parts) => {
                // Every part is walked, so that the numbers stay right.
                let parts: Vec<bool> = parts.iter().map(|part| part.holds(tool, next, present)).collect();
                if *all { parts.iter().all(|part| *part) } else { parts.iter().any(|part| *part) }
            }
        }
    }
}

fn matches(op: &str, name: &str, tool: &str) -> bool {
    match op {
        "==" => tool == name,
        "!=" => tool != name,
        "in" => name.split(' ').any(|name| name == tool),
        "starts_with" => tool.starts_with(name),
        "ends_with" => tool.ends_with(name),
        "contains" => tool.contains(name),
        "=~" => match name {
            "^(Edit|Write)$" => matches!(tool, "Edit" | "Write"),
            "Edit|Read" => tool.contains("Edit") || tool.contains("Read"),
            "^Bash$|_file$" => tool == "Bash" || tool.ends_with("_file"),
            "^(Glob|mcp__.*)$" => tool == "Glob" || tool.starts_with("mcp__"),
            other => panic!("{other}"),
        },
        other => panic!("{other}"),
    }
}

fn trees() -> impl Strategy<Value = Tree> {
    let tool = prop::sample::select(TESTS).prop_map(|(op, name)| Tree::Tool(op, name));
    let input = prop::sample::select(INPUTS).prop_map(Tree::Input);
    prop_oneof![tool, input].prop_recursive(4, 16, 4, |inner| {
        prop_oneof![
            3 => (any::<bool>(), prop::collection::vec(inner.clone(), 1..4)).prop_map(|(all, parts)| Tree::Group(all, parts)),
            1 => inner.prop_map(|part| Tree::Not(Box::new(part))),
        ]
    })
}

/// The tools that are reported as listed in vain.
fn in_vain(text: &str) -> BTreeSet<String> {
    let (_, diagnostics) = diagnostics(text);
    let reported = diagnostics.into_iter().filter(|d| d.code == Code::W0646);
    let names = |text: &str| text.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    reported.flat_map(|d| names(d.message.split(", which").next().unwrap())).collect()
}

/// The numbers of the leaves that are reported as never there.
fn reported(text: &str) -> BTreeSet<usize> {
    let (policy, diagnostics) = diagnostics(text);
    let never = diagnostics.iter().filter(|d| matches!(d.code, Code::W0416 | Code::W0424));
    let number = |at: usize| {
        let rest = &policy[at..];
        let literal = &rest[rest.find('\'').unwrap() + 1..];
        literal[..literal.find('\'').unwrap()].parse().unwrap()
    };
    never.map(|d| number(d.span().unwrap().range().start)).collect()
}

fn diagnostics(text: &str) -> (String, Vec<Diagnostic>) {
    let policy = format!(
        "hooks:\n  - event: PreToolUse\n    when: >-\n      {text}\n    action: {{type: deny, reason: x}}\n"
    );
    let mut sources = Sources::new();
    let source = sources.add("policy.yaml", policy.clone());
    let input = Input::new(source).with_dialect(Dialect::HooksYaml);
    let compiled = compile(&mut sources, &[input], &Options::default().builtin(Builtin::Never));
    (policy, compiled.diagnostics)
}

fn inputs() -> BTreeMap<String, BTreeSet<String>> {
    let all = Vocabulary::builtin();
    let tools = all.tools.by_name.iter().filter_map(|(name, tool)| Some((name, tool.input.as_ref()?)));
    tools.map(|(name, input)| (name.clone(), input.properties.keys().cloned().collect())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: hookc_corpus::effort(1500, 400) as u32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn absent_fields_make_no_difference(tree in trees(), mask in any::<u64>()) {
        let text = tree.text(&mut 0);
        let never = reported(&text);
        for (tool, fields) in inputs() {
            // A leaf over a declared input can be true or false, one over another input is false.
            let may = |number: usize, name: &str| fields.contains(name) && mask >> (number % 64) & 1 == 1;
            let full = tree.holds(&tool, &mut 0, &may);
            let without = tree.holds(&tool, &mut 0, &|number, name| !never.contains(&number) && may(number, name));
            prop_assert_eq!(full, without, "{} at {}: {:?}", text, tool, never);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: hookc_corpus::effort(1500, 400) as u32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_condition_is_never_true_for_a_tool_that_is_listed_in_vain(tree in trees(), masks in any::<[u64; 4]>()) {
        let text = tree.text(&mut 0);
        for tool in in_vain(&text) {
            let fields = &inputs()[&tool];
            for mask in masks {
                let may = |number: usize, name: &str| fields.contains(name) && mask >> (number % 64) & 1 == 1;
                prop_assert!(!tree.holds(&tool, &mut 0, &may), "{} at {}", text, tool);
            }
        }
    }
}

/// These tools are reported.
#[test]
fn some_are_listed_in_vain() {
    let cases = [
        ("tool_name in ['Edit', 'Bash'] and tool_input.command == '1'", &[][..]),
        ("tool_name in ['Read', 'Bash'] and tool_input.command == '1'", &["Read"]),
        ("tool_name =~ '^(Read|Bash|Grep)$' and tool_input.command == '1'", &["Grep", "Read"]),
        ("tool_name in ['Read', 'Bash'] and (tool_input.command == '1' or tool_input.file_path == '2')", &[]),
        (
            "tool_name in ['Read', 'Bash'] and (tool_input.command == '1' or tool_input.pattern == '2')",
            &["Read"],
        ),
        ("tool_name in ['Read', 'Bash'] and not tool_input.command == '1'", &[]),
        ("not (tool_name in ['Read', 'Bash'] and tool_input.command == '1')", &[]),
        ("not (tool_name != 'Read' and tool_name != 'Bash' or not tool_input.command == '1')", &[]),
        ("tool_name in ['Read', 'nobodys'] and tool_input.command == '1'", &[]),
        ("tool_name in ['Read', 'Bash'] and tool_input.banana == '1'", &[]),
        ("(tool_name in ['Read', 'Bash'] and tool_input.command == '1') or tool_name == 'Read'", &[]),
        ("tool_name in ['Read', 'Read', 'Bash'] and tool_input.command == '1'", &["Read"]),
        (
            "tool_name in ['Read', 'Bash'] and tool_name in ['Read', 'Bash', 'Grep'] and tool_input.command == '1'",
            &["Read"],
        ),
        // No other tool is named: a prefix and a negation name none.
        (
            "(tool_name == 'Read' or tool_name starts_with 'Writ') and tool_input.content == '1' \
             and not (tool_name == 'Write' and cwd == '/')",
            &[],
        ),
    ];
    for (text, expected) in cases {
        let expected: Vec<&str> = expected.to_vec();
        assert_eq!(in_vain(text).iter().map(String::as_str).collect::<Vec<_>>(), expected, "{text}");
    }
}

/// The property is not empty: these are reported.
#[test]
fn some_are_reported() {
    let cases = [
        ("tool_name == 'Bash' and tool_input.file_path == '1'", &[1][..]),
        ("tool_name != 'Bash' or tool_input.file_path == '1'", &[1]),
        ("not (tool_name == 'Bash' and tool_input.file_path == '1')", &[1]),
        ("(tool_name == 'Bash' or tool_name == 'Read') and tool_input.url == '1'", &[1]),
        ("tool_name in ['Bash'] and (tool_input.command == '1' or tool_input.url == '2')", &[2]),
        ("tool_input.banana == '1' and tool_input.command == '2'", &[1]),
        ("tool_name == 'nobodys' and tool_input.banana == '1'", &[]),
        ("tool_name == 'Bash' or tool_input.file_path == '1'", &[]),
        ("true or tool_input.banana == '1'", &[1]),
    ];
    for (text, expected) in cases {
        assert_eq!(reported(text), expected.iter().copied().collect(), "{text}");
    }
}

/// Up to 64 alternatives are looked at one by one, so that one of them can name a tool that nobody
/// declares; more count as one pattern, which declared tools match.
#[test]
fn alternatives_of_a_pattern_are_told_apart_up_to_a_limit() {
    let tools: Vec<String> = inputs().into_keys().collect();
    let letters = |part: &&[u8]| part.iter().all(u8::is_ascii_alphabetic);
    let parts: BTreeSet<&[u8]> =
        tools.iter().flat_map(|tool| tool.as_bytes().windows(3)).filter(letters).collect();
    let declared = |count: usize| {
        assert!(parts.len() >= count);
        parts.iter().take(count).map(|part| str::from_utf8(part).unwrap()).collect::<Vec<_>>().join("|")
    };
    for (pattern, expected) in [
        (declared(64), &[1][..]),
        (format!("{}|nobodys", declared(63)), &[]),
        (format!("{}|nobodys", declared(64)), &[1]),
        (format!("{}|({}|nobodys)", declared(20), declared(20)), &[]),
        (format!("{}|({}|nobodys)", declared(40), declared(40)), &[1]),
        ("(Edit|Write)|Bash".to_owned(), &[1]),
        ("(Edit|nobodys)|Bash".to_owned(), &[]),
    ] {
        let text = format!("tool_name =~ '{pattern}' and tool_input.banana == '1'");
        assert_eq!(reported(&text), expected.iter().copied().collect(), "{text}");
    }
}
