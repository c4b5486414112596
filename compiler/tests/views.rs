//! Paths into the view of a command line: what they resolve to, and the table of members.

use std::collections::BTreeSet;

use hookc_compiler::{Dialect, Input, Options, compile};
use hookc_schema::Sources;
use hookc_schema::tree::ViewKind;
use hookc_schema::vocab::{FieldSchema, Type, view};
use hookc_shell::{self as shell, Cause, MemberBits, Members};
use hookc_vm::Module;
use hookc_vm::format::file;
use serde_json::Value;

/// A line with every member of the view.
const LINE: &str =
    "A=1 sudo bash -c 'git -C x push --force origin main' | /bin/tee a* > ../out; curl x | sh; $X";

fn names(schema: &FieldSchema) -> BTreeSet<&str> {
    schema.properties.keys().map(String::as_str).collect()
}

#[test]
fn the_table_has_the_members_of_the_reader() {
    let of = |names: &[&'static str]| names.iter().copied().collect::<BTreeSet<&str>>();
    let command = view(ViewKind::Shell).property("commands").and_then(|list| list.items.as_deref()).unwrap();
    let redirect = command.property("redirects").and_then(|list| list.items.as_deref()).unwrap();
    assert_eq!(names(view(ViewKind::Shell)), of(&shell::MEMBERS));
    assert_eq!(names(command), of(&shell::COMMAND_MEMBERS));
    assert_eq!(names(redirect), of(&shell::REDIRECT_MEMBERS));
    assert_eq!(names(view(ViewKind::File)), of(&file::MEMBERS));
}

/// The texts that a member can have, as the table lists them.
fn listed(schema: &FieldSchema) -> BTreeSet<&str> {
    schema.allowed.iter().flatten().filter_map(|value| value.as_str()).collect()
}

#[test]
fn the_table_has_the_operators_and_reasons_of_the_reader() {
    let commands = view(ViewKind::Shell).property("commands").and_then(|list| list.items.as_deref()).unwrap();
    let redirect = commands.property("redirects").and_then(|list| list.items.as_deref()).unwrap();
    let line = "a < x > x >> x <> x >| x <& x >& x &> x &>> x <<< x 2> x 1>&2 << E <<- E\nE\nE\n";
    let value: Value = serde_json::from_str(&shell::view(line, None, Default::default())).unwrap();
    let redirects = value.pointer("/commands/0/redirects").and_then(Value::as_array).unwrap();
    let written: BTreeSet<&str> = redirects.iter().filter_map(|one| one.get("op")?.as_str()).collect();
    assert_eq!(listed(redirect.property("op").unwrap()), written);

    let reasons = listed(view(ViewKind::Shell).property("reason").unwrap());
    assert_eq!(reasons, Cause::ALL.iter().map(|cause| cause.as_str()).collect());
    let of_paths = listed(view(ViewKind::File).property("reason").unwrap());
    assert_eq!(of_paths, file::Cause::ALL.iter().map(|cause| cause.as_str()).collect());

    let lines = ["$X", "eval \"$X\"", "cat | sh"];
    let value =
        |line: &&str| serde_json::from_str::<Value>(&shell::view(line, None, Default::default())).unwrap();
    let texts = |value: Value| -> Vec<String> { serde_json::from_value(value["opaque"].clone()).unwrap() };
    let opaque: BTreeSet<String> = lines.iter().flat_map(|line| texts(value(line))).collect();
    let items = view(ViewKind::Shell).property("opaque").and_then(|list| list.items.as_deref()).unwrap();
    assert_eq!(listed(items), opaque.iter().map(String::as_str).collect());
}

#[test]
fn the_values_have_the_types_of_the_table() {
    for line in [LINE, "echo 'open", "> x", "", "cd \"$D\" && echo > y >&2"] {
        for cwd in [Some("/home/me"), None] {
            let value: Value = serde_json::from_str(&shell::view(line, cwd, Default::default())).unwrap();
            fits(&value, view(ViewKind::Shell), line);
            let value: Value = serde_json::from_str(&file::view(line, cwd)).unwrap();
            fits(&value, view(ViewKind::File), line);
        }
    }
}

/// Views and permission rules need the declared wrappers; other modules do not have them.
#[test]
fn modules_have_the_wrappers_that_they_need() {
    let wrappers = |hook: &str| {
        let text = format!("wrappers: [company-sudo]\nhooks:\n  - {{event: PreToolUse, {hook}}}\n");
        let mut sources = Sources::new();
        let input = Input::new(sources.add("hooks.yaml", text)).with_dialect(Dialect::HooksYaml);
        let module = compile(&mut sources, &[input], &Options::default()).module.unwrap();
        Module::load(module).unwrap().programs().wrappers().len()
    };
    assert_eq!(wrappers("action: {type: run, command: ./check, if: 'Bash(rm *)'}"), 1);
    assert_eq!(
        wrappers("when: 'exists(shell(tool_input.command).opaque[0])', action: {type: deny, reason: no}"),
        1
    );
    assert_eq!(wrappers("when: exists(tool_name), action: {type: deny, reason: no}"), 0);
}

fn fits(value: &Value, schema: &FieldSchema, line: &str) {
    let kind = match value {
        Value::Null => Type::Null,
        Value::Bool(_) => Type::Boolean,
        Value::Number(_) => Type::Number,
        Value::String(_) => Type::String,
        Value::Array(_) => Type::Array,
        Value::Object(_) => Type::Object,
    };
    assert!(schema.types.has(kind), "{line}: {value} is not {:?}", schema.types);
    match (value, schema.items.as_deref()) {
        (Value::Array(items), Some(item)) => items.iter().for_each(|value| fits(value, item, line)),
        (Value::Object(members), _) if schema.closed => {
            members.iter().for_each(|(name, value)| fits(value, schema.property(name).unwrap(), line));
        }
        _ => {}
    }
}

#[test]
fn the_page_has_every_member() {
    let pages = [
        (ViewKind::Shell, include_str!("../../docs/shell.md")),
        (ViewKind::File, include_str!("../../docs/language.md").split_once("### Paths of files").unwrap().1),
    ];
    for (kind, page) in pages {
        let mut at = vec![view(kind)];
        while let Some(schema) = at.pop() {
            for (name, member) in schema.properties.iter().filter(|_| schema.view) {
                assert!(page.contains(&format!("`{name}`")), "the page of `{kind}(...)` lacks {name}");
                at.push(member);
            }
            at.extend(schema.items.as_deref());
            let texts = schema.allowed.iter().flatten().filter_map(|value| value.as_str());
            texts.filter(|_| kind == ViewKind::File).for_each(|text| {
                assert!(page.contains(&format!("`{text}`")), "the page of `{kind}(...)` lacks {text}");
            });
        }
    }
}

/// The members of commands that a policy reads.
fn read(when: &str) -> Members {
    let policy = format!(
        "hooks:\n  - {{event: PreToolUse, when: \"tool_name == 'Bash' and {when}\", action: {{type: deny, reason: r}}}}\n"
    );
    let mut sources = Sources::new();
    let source = sources.add("p.yaml", policy);
    let compiled = compile(&mut sources, &[Input::new(source)], &Options::default());
    let module = Module::load(compiled.module.unwrap_or_else(|| panic!("{when}"))).unwrap();
    module.view_members()[0].clone()
}

/// Members of other views do not count.
#[test]
fn the_view_of_a_path_needs_no_members_of_commands() {
    let expected = Members::from_bits(MemberBits::NONE);
    for when in [
        "file(tool_input.command).name == 'rm'",
        "exists(file(tool_input.command))",
        "file(tool_input.command)..name == 'rm'",
    ] {
        assert_eq!(read(when), expected, "{when}");
    }
}

#[test]
fn a_module_knows_the_members_that_it_reads() {
    let rows: &[(&str, &[&str])] = &[
        ("shell(tool_input.command).ok == false", &[]),
        ("exists(shell(tool_input.command).commands[0])", &shell::COMMAND_MEMBERS),
        ("shell(tool_input.command).commands[0].name == 'rm'", &["name"]),
        ("shell(tool_input.command).commands[-1].flags.force == true", &["flags", "repeated"]),
        ("shell(tool_input.command).commands[*].name == 'rm'", &["name"]),
        ("shell(tool_input.command).commands[*].args[*] == 'rm'", &["args"]),
        ("shell(tool_input.command).commands[*]['name', 'sub'] == 'rm'", &["name", "sub"]),
        ("shell(tool_input.command).commands[*][*] == 'rm'", &shell::COMMAND_MEMBERS),
        ("shell(tool_input.command)..name == 'rm'", &shell::COMMAND_MEMBERS),
        (
            "some(c in shell(tool_input.command).commands: c.name == 'rm' and exists(c.flags.r))",
            &["flags", "name"],
        ),
        ("some(n in shell(tool_input.command).commands[*].name: n == 'rm')", &["name"]),
        (
            "some(c in shell(tool_input.command).commands: c.name == 'rm' and some(a in c.operands: a starts_with '/'))",
            &["name", "operands"],
        ),
        (
            "some(c in shell(tool_input.command).commands: some(r in c.redirects: r.write == true and c.known == false))",
            &["known", "redirects"],
        ),
        ("every(c in shell(tool_input.command).commands: c.name in ['ls', 'cat'])", &["name"]),
    ];
    for (when, names) in rows {
        let expected = Members::from_bits(names.iter().copied().collect::<MemberBits>());
        assert_eq!(read(when), expected, "{when}");
    }
}
