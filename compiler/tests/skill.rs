//! Skills. What is read of front matter, in both styles, what is reported
//! of it, scripts on disk, discovery, and writing back.

use crate::built;

use std::collections::BTreeMap;
use std::sync::Arc;

use built::built;
use hookc_compiler::{Dialect, Input, Options, compile};
use hookc_schema::tree::{Family, Layer, Policy, print};
use hookc_schema::{Code, Diagnostics, SourceId, Sources};
use hookc_syntax::files::{FileKind, Files};
use hookc_syntax::front::skill::{self, discover};
use hookc_syntax::write;

const NAME: &str = ".claude/skills/deploy/SKILL.md";

fn read(text: &str) -> (Policy, Diagnostics) {
    let mut out = Diagnostics::new();
    let policy = skill::read(NAME, text, SourceId(0), &mut out);
    built::inside(text, &out);
    (policy, out)
}

fn matter(hooks: &str) -> String {
    format!("---\nname: deploy\ndescription: Brings a release out\n{hooks}---\n# Deploy\n")
}

#[test]
fn a_whole_skill() {
    let text = "---\nname: deploy\ndescription: >\n  Brings a release\n  out\ntrigger: /deploy\nlicense: MIT\nallowed-tools: [Read]\n\
                hooks:\n  pre_execute: hooks/pre.py\n  on_error:\n    - hooks/a.py\n    - {script: ./b.py, priority: 5, timeout: 2.5}\n---\n\n# Deploy\n\ntext\n";
    let (policy, out) = read(text);
    assert!(out.is_empty(), "{out:#?}");
    assert_eq!(
        print::policy(&policy),
        "policy\n  skill \"deploy\"\n    description \"Brings a release out\"\n    trigger \"/deploy\"\n  \
         hook\n    event skill \"pre_execute\"\n    action \"script\" literal\n      \
         \"file\" \".claude/skills/deploy/hooks/pre.py\"\n      \"namespace\" \"deploy\"\n  \
         hook\n    event skill \"on_error\"\n    action \"script\" literal\n      \
         \"file\" \".claude/skills/deploy/hooks/a.py\"\n      \"namespace\" \"deploy\"\n  \
         hook\n    event skill \"on_error\"\n    priority 5\n    action \"script\" literal\n      \
         \"file\" \".claude/skills/deploy/b.py\"\n      \"namespace\" \"deploy\"\n      \"timeout\" 2.5\n"
    );
    let skill = policy.skill.unwrap();
    assert_eq!(skill.body.node, "\n# Deploy\n\ntext\n");
    assert_eq!(&text[skill.body.span.range()], skill.body.node);
    assert_eq!(skill.path, NAME);
}

#[test]
fn keys_of_other_programs_are_written_back() {
    let others = "license: MIT\nallowed-tools:\n  - Read\n  - Bash(git *)\nmetadata:\n  level: 1\n";
    let (policy, _) = read(&matter(&format!("{others}hooks: {{pre_execute: a.py}}\n")));
    let (written, losses) = write::write(&policy, Dialect::Skill);
    assert!(losses.is_empty() && written[0].text.contains(others), "{losses:?} {}", written[0].text);
}

#[test]
fn line_ends_marks_and_spaces() {
    let plain = matter("hooks:\n  pre_execute: a.py\n");
    let (expected, _) = read(&plain);
    for text in [
        plain.replace('\n', "\r\n"),
        format!("\u{feff}{plain}"),
        plain.replace("---\n", "---  \n"),
        plain.replacen("---\n# D", "...\n# D", 1),
        plain.replace("---\nname", "---\n\n# a comment\nname"),
    ] {
        let (policy, out) = read(&text);
        assert!(out.is_empty(), "{text:?}: {out:#?}");
        assert_eq!(policy.hooks, expected.hooks, "{text:?}");
        let at = policy.hooks[0].action.kind.span;
        assert_eq!(&text[at.range()], "a.py", "{text:?}");
    }
}

#[test]
fn without_hooks() {
    for (text, codes) in [
        ("# Title\n", vec![Code::W0260]),
        ("", vec![Code::W0260]),
        ("---\nname: a\n", vec![Code::E0261]),
        ("---\n---\n", vec![Code::W0262]),
        ("---\nname: a\ndescription: b\n---\n", vec![]),
        ("---\nname: a\ndescription: b\nhooks:\n---\n", vec![]),
        ("---\nname: a\ndescription: b\nhooks: {}\n---\n", vec![Code::W0612]),
        ("---\nmatch: {keywords: [a]}\n---\n", vec![Code::W0262]),
        ("---\nname: a\ndescription: b\ntriggers: [a]\nhook: a\ntools: {a: b}\n---\n", vec![]),
        ("---\n- a\n---\n", vec![Code::E0203]),
    ] {
        let (policy, out) = read(text);
        assert!(policy.hooks.is_empty());
        assert_eq!(out.iter().map(|new| new.code).collect::<Vec<_>>(), codes, "{text:?}");
    }
    assert_eq!(read("---\n---\n").0.skill.unwrap().name.node, "deploy");
}

#[test]
fn errors_are_reported_at_their_span() {
    let table = [
        ("hooks: [a]\n", Code::E0203, "["),
        ("hooks: a.py\n", Code::E0203, "a.py"),
        ("hooks:\n  pre_exec: a.py\n", Code::E0201, "pre_exec"),
        ("hooks:\n  pre_tool_use: a.py\n", Code::E0201, "pre_tool_use"),
        ("hooks:\n  pre_execute:\n", Code::E0203, ""),
        ("hooks:\n  pre_execute: []\n", Code::E0203, "[]"),
        ("hooks:\n  pre_execute: ''\n", Code::E0203, "''"),
        ("hooks:\n  pre_execute: 5\n", Code::E0203, "5"),
        ("hooks:\n  pre_execute: {priority: 5}\n", Code::E0202, "priority"),
        ("hooks:\n  pre_execute: {script: a.py, order: 5}\n", Code::E0201, "order"),
        ("hooks:\n  pre_execute: {script: a.py, priority: '5'}\n", Code::E0203, "'5'"),
        ("hooks:\n  pre_execute: {script: a.py, timeout: soon}\n", Code::E0203, "soon"),
        ("hooks:\n  pre_execute: ../a.py\n", Code::E0264, "../a.py"),
        ("hooks:\n  pre_execute: /a.py\n", Code::E0264, "/a.py"),
        ("hooks:\n  pre_execute: [b/../../a.py]\n", Code::E0264, "b/../../a.py"),
        ("hooks:\n  pre_execute: a.sh\n", Code::W0265, "a.sh"),
        ("Hooks:\n  pre_execute: a.py\n", Code::W0266, "Hooks"),
        ("hook: {pre_execute: a.py}\n", Code::W0266, "hook"),
        ("Trigger: /deploy\n", Code::W0266, "Trigger"),
        ("trigger: deploy\n", Code::W0263, "deploy"),
        ("trigger: [a]\n", Code::W0263, "["),
        ("trigger: /\n", Code::W0263, "/"),
        ("trigger: /two words\n", Code::W0263, "/two words"),
    ];
    for (hooks, code, at) in table {
        let text = matter(hooks);
        let (_, out) = read(&text);
        let reported: Vec<_> = out.iter().map(|new| (new.code, &text[new.span().unwrap().range()])).collect();
        assert_eq!(reported, [(code, at)], "{text}");
        assert!(out.iter().all(|new| new.help.is_some()), "{out:#?}");
    }
    let near = |hooks: &str| read(&matter(hooks)).1[0].fix.as_ref().unwrap().replacement.clone();
    assert_eq!(near("hooks:\n  pre-execute: a.py\n"), "pre_execute");
    assert_eq!(near("hooks:\n  pre_tool_use: a.py\n"), "PreToolUse");
    assert_eq!(near("trigger: deploy\n"), "/deploy");
}

#[test]
fn values_that_need_quotes_are_named() {
    for (line, at, help) in [
        ("description: Checks: build and test", ":", "description: \"Checks: build and test\""),
        ("argument-hint: [a] [b]", "[", "argument-hint: \"[a] [b]\""),
        ("description: @Observable is used", "@", "description: \"@Observable is used\""),
        ("description: say \"x: y\" twice: now", ":", "description: \"say \\\"x: y\\\" twice: now\""),
        ("  note: a: b", ":", "note: \"a: b\""),
    ] {
        let text = format!(
            "---\nname: a\n{}{line}\n---\n# T\n",
            if line.starts_with(' ') { "metadata:\n" } else { "" }
        );
        let (policy, out) = read(&text);
        assert!(policy.hooks.is_empty());
        assert_eq!(out.len(), 1, "{out:#?}");
        assert_eq!(out[0].code, Code::E0101);
        assert!(out[0].help.as_ref().unwrap().contains(help), "{out:#?}");
        assert_eq!(&text[out[0].span().unwrap().range()], at, "{out:#?}");
        let fix = out[0].fix.as_ref().unwrap();
        let mut fixed = text.clone();
        fixed.replace_range(fix.span.range(), &fix.replacement);
        let (_, out) = read(&fixed);
        assert!(out.iter().all(|new| !new.is_error()), "{fixed}: {out:#?}");
    }
}

#[test]
fn events_of_coding_agents_are_read_as_in_settings() {
    let text = matter(
        "hooks:\n  PreToolUse:\n    - matcher: \"Write|Edit\"\n      hooks:\n        - type: command\n          \
         command: ./a.sh\n        - type: command\n          command: ./b.sh\n  post_execute: c.py\n",
    );
    let (policy, out) = read(&text);
    assert!(out.iter().all(|new| !new.is_error()), "{out:#?}");
    let families: Vec<_> = policy.hooks.iter().map(|hook| hook.family).collect();
    assert_eq!(families, [Family::Skill, Family::Agent, Family::Agent]);
    assert!(policy.hooks[1].condition.is_some());
}

#[test]
fn scripts_run_in_the_order_of_skills() {
    let skill = |name: &str, hooks: &str| format!("---\nname: {name}\ndescription: d\nhooks:\n{hooks}---\n");
    let a = skill("a", "  pre_execute: [one.py, {script: first.py, priority: 1}]\n");
    let b = skill("b", "  pre_execute: two.py\n");
    let (compiled, reported) = built(&[("a/SKILL.md", &a), ("b/SKILL.md", &b)], Dialect::Skill, None);
    assert!(!compiled.failed(), "{reported}");
    let tree = format!(
        "{:?}",
        compiled.linked.events[0].hooks.iter().map(|hook| &hook.action.params[0].1).collect::<Vec<_>>()
    );
    let order: Vec<_> =
        ["a/first.py", "a/one.py", "b/two.py"].iter().map(|file| tree.find(file).unwrap()).collect();
    assert!(order.is_sorted(), "{tree}");
}

/// Files by path; links by where they lead.
#[derive(Debug, Default)]
struct Table {
    kinds: BTreeMap<&'static str, FileKind>,
    links: BTreeMap<&'static str, &'static str>,
}

const FILE: FileKind = FileKind::File { executable: false };

impl Files for Table {
    fn kind(&self, path: &str) -> Option<FileKind> {
        self.kinds.get(path).copied()
    }

    fn canonical(&self, path: &str) -> Option<String> {
        let path = path.trim_end_matches('/');
        Some(self.links.get(path).map_or_else(|| format!("/home/{path}"), |&to| to.to_owned()))
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let inside = self.kinds.keys().filter_map(|path| path.strip_prefix(folder)?.strip_prefix('/'));
        let mut names: Vec<_> = inside.map(|rest| rest.split('/').next().unwrap().to_owned()).collect();
        names.dedup();
        names
    }
}

#[test]
fn scripts_are_searched_in_the_skill() {
    let files: Arc<dyn Files> = Arc::new(Table {
        kinds: BTreeMap::from([
            ("s/a.py", FILE),
            ("s/out.py", FILE),
            ("s/near.py", FILE),
            ("s/dir.py", FileKind::Directory),
        ]),
        links: BTreeMap::from([("s/out.py", "/etc/out.py"), ("s/near.py", "/home/s-other/near.py")]),
    });
    for (file, code) in [
        ("a.py", None),
        ("none.py", Some(Code::E0258)),
        ("dir.py", Some(Code::E0258)),
        ("out.py", Some(Code::E0264)),
        ("near.py", Some(Code::E0264)),
    ] {
        let text = matter(&format!("hooks:\n  pre_execute: {file}\n"));
        let (compiled, _) = built(&[("s/SKILL.md", &text)], Dialect::Skill, Some(Arc::clone(&files)));
        assert_eq!(compiled.diagnostics.first().map(|new| new.code), code, "{file}");
        assert_eq!(compiled.module.is_none(), code.is_some());
    }
}

#[test]
fn skills_are_found_in_both_folders() {
    let paths = [
        "p/skills/both/SKILL.md",
        "p/skills/both.md",
        "p/skills/own.md",
        "p/skills/readme.txt",
        "p/skills/empty/README.md",
        "u/both.md",
        "u/mine/SKILL.md",
    ];
    let files = Table { kinds: paths.into_iter().map(|path| (path, FILE)).collect(), links: BTreeMap::new() };
    let found = discover::discover(&files, Some("u"), Some("p/skills"));
    let reported: Vec<_> =
        found.iter().map(|one| (one.name.as_str(), one.path.as_str(), one.layer)).collect();
    assert_eq!(
        reported,
        [
            ("mine", "u/mine/SKILL.md", Layer::User),
            ("both", "p/skills/both/SKILL.md", Layer::Project),
            ("own", "p/skills/own.md", Layer::Project),
        ]
    );
    assert_eq!(found[1].replaces, ["u/both.md", "p/skills/both.md"]);
    assert_eq!(discover::discover(&files, None, Some("nowhere")), []);
}

#[test]
fn the_nearer_of_two_equal_skills_wins() {
    let skill = matter("hooks:\n  pre_execute: a.py\n");
    let bare = matter("");
    for (first, second, left, reported) in [
        ((&skill, Layer::User), (&skill, Layer::Project), [0, 1], Some("nearer layer")),
        ((&skill, Layer::Project), (&skill, Layer::User), [1, 0], Some("nearer layer")),
        ((&skill, Layer::User), (&bare, Layer::Project), [0, 0], Some("nearer layer")),
        ((&bare, Layer::User), (&skill, Layer::Project), [0, 1], None),
        ((&skill, Layer::Managed), (&skill, Layer::Directive), [1, 0], Some("nearer layer")),
        ((&skill, Layer::User), (&skill, Layer::User), [1, 1], Some("both run")),
        ((&bare, Layer::User), (&bare, Layer::User), [0, 0], None),
    ] {
        let mut sources = Sources::new();
        let mut input = |(text, layer): (&String, Layer), name: &str| {
            let source = sources.add(name, text.as_str());
            Input::new(source).with_dialect(Dialect::Skill).with_layer(layer)
        };
        let inputs = [input(first, "a/deploy/SKILL.md"), input(second, "b/deploy/SKILL.md")];
        let options = Options::default();
        let compiled = compile(&mut sources, &inputs, &options);
        let counts: Vec<_> = compiled.policies.iter().map(|policy| policy.hooks.len()).collect();
        assert_eq!(counts, left);
        let found: Vec<_> = compiled.diagnostics.iter().filter(|new| new.code == Code::W0267).collect();
        assert_eq!(found.len(), usize::from(reported.is_some()));
        assert!(
            found.iter().all(|new| reported.is_some_and(|words| new.message.contains(words))),
            "{found:#?}"
        );
    }
}

#[test]
fn scripts_are_those_of_a_hooks_file() {
    let skill = matter("hooks:\n  pre_context: {script: a.py, timeout: 5}\n");
    let yaml = "hooks:\n  - event: pre_context\n    action: {type: script, file: .claude/skills/deploy/a.py, namespace: deploy, timeout: 5}\n";
    let (skill, _) = built(&[(NAME, &skill)], Dialect::Skill, None);
    let (yaml, _) = built(&[("hooks.yaml", yaml)], Dialect::HooksYaml, None);
    assert!(skill.module.is_some());
    assert_eq!(skill.module, yaml.module);
}

#[test]
fn written_text_reads_back() {
    for hooks in [
        "",
        "trigger: /deploy\n",
        "hooks:\n  pre_execute: hooks/a.py\n  on_error: [a.py, {script: b.py, timeout: 5}, c.py]\n",
        "hooks:\n  post_context: {script: \"a b's.py\", priority: -1}\n",
        "hooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: |\n            a\n              b\n            c\n",
        "hooks:\n  PreToolUse:\n    - matcher: Write|Edit\n      hooks: [{type: command, command: 'x: \"y\"', timeout: 5}]\n",
    ] {
        let text = matter(hooks);
        let (name, new, again) = built::round_trip(&text, Dialect::Skill, read);
        assert_eq!(name.as_deref(), Some("deploy/SKILL.md"));
        assert_eq!(read(&new).1, [], "{new}");
        assert_eq!(again.skill.unwrap().body, read(&text).0.skill.unwrap().body);
    }
}

#[test]
fn losses_are_reported_by_name() {
    let script = "action: {type: script, file: a.py, namespace: s}";
    for (hook, why) in [
        (format!("event: error\n    {script}"), "not an event of a skill"),
        (format!("event: pre_execute\n    when: message == 'x'\n    {script}"), "no condition"),
        (format!("event: pre_execute\n    mode: warn\n    {script}"), "mode"),
        (format!("event: pre_execute\n    enabled: false\n    {script}"), "disabled"),
        (format!("event: pre_execute\n    id: a\n    {script}"), "no id"),
        (format!("event: pre_execute\n    on_failure: closed\n    {script}"), "on_failure"),
        (
            "event: pre_execute\n    action: {type: script, file: ../a.py, namespace: s}".to_owned(),
            "directory",
        ),
        ("event: pre_execute\n    action: {type: script, file: a.py, namespace: t}".to_owned(), "namespace"),
        ("event: pre_execute\n    action: {type: allow}".to_owned(), "`allow`"),
    ] {
        let text = format!("hooks:\n  - event: post_execute\n    {script}\n  - {hook}\n");
        let (compiled, reported) = built(&[("hooks.yaml", &text)], Dialect::HooksYaml, None);
        assert!(!compiled.failed(), "{reported}");
        let (written, losses) = write::write(&compiled.policies[0], Dialect::Skill);
        assert_eq!(losses.len(), 1, "{text}: {losses:#?}");
        assert!(losses[0].what.contains(why), "{losses:#?}");
        assert!(
            written[0].text.starts_with("---\nname: s\nhooks:\n  post_execute: a.py\n"),
            "{}",
            written[0].text
        );
    }
    let nameless = "hooks:\n  - event: pre_execute\n    action: {type: script, file: a.py}\n";
    let (compiled, _) = built(&[("hooks.yaml", nameless)], Dialect::HooksYaml, None);
    let (written, losses) = write::write(&compiled.policies[0], Dialect::Skill);
    assert!(written.is_empty() && losses[0].what.contains("needs a name"));
}

#[test]
fn a_skill_is_more_than_its_hooks() {
    let (policy, _) = read(&matter("hooks: {pre_execute: a.py}\n"));
    let (written, losses) = write::write(&policy, Dialect::HooksYaml);
    assert!(losses.len() == 1 && losses[0].what.contains("skill `deploy`"), "{losses:#?}");
    assert!(written[0].text.contains("pre_execute"));
}

/// Large files are read in linear time, and deep ones without a crash.
#[test]
fn large_and_hostile_files() {
    let scripts: String = (0..100_000).map(|n| format!("    - hooks/{n}.py\n")).collect();
    let (policy, out) = read(&matter(&format!("hooks:\n  pre_execute:\n{scripts}")));
    assert_eq!((policy.hooks.len(), out.len()), (100_000, 0));
    for piece in ["---\n", "- ", "a: ", "[", "a: b: c\n", "\r", "\u{feff}", "x\n"] {
        read(&piece.repeat(20_000));
        read(&format!("---\n{}", piece.repeat(20_000)));
        read(&format!("---\n{}\n---\n", piece.repeat(20_000)));
    }
}
