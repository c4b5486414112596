//! The content of directories: misspelled policies, links, large files, skills of two layers.
#![cfg(unix)]

use crate::common;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use common::put;

/// Exit code, standard output, standard error.
fn hookc(folder: &Path, args: &[&str]) -> (i32, String, String) {
    common::hookc(folder, args, "").parts()
}

const SKILL: &str = "---\nname: g\ndescription: d\nhooks:\n  pre_execute: a.py\n---\n";

#[test]
fn settings_of_misspelt_events_are_read() {
    for (name, text) in [
        (
            ".claude/settings.json",
            "{\"hooks\": {\"PreToolUze\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"x\"}]}]}}",
        ),
        (
            "p/hooks/hooks.json",
            "{\"hooks\": {\"beforeTool\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"x\"}]}]}}",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        put(folder.path(), name, text);
        let (_, table, told) = hookc(folder.path(), &["check", "."]);
        assert!(table.contains("settings") && told.contains("PreToolU"), "{table}{told}");
    }
}

const PUSH: &str = "hooks:\n  - id: no_push\n    event: PreToolUse\n    action: {type: deny}\n";
const RM: &str = "\
id: no_rm
event: PreToolUse
when: \"some(c in shell(tool_input.command).commands: c.name == 'rm')\"
action: {type: deny, reason: \"No rm.\"}
";

/// The lines of a text with an indentation.
fn indented(text: &str, indent: &str) -> String {
    text.lines().map(|line| format!("{indent}{line}\n")).collect()
}

#[test]
fn a_policy_whose_hooks_are_misplaced_is_an_error_in_every_verb() {
    let list = format!("- {}", indented(RM, "  ").trim_start());
    let json =
        "{\"event\": \"PreToolUse\", \"when\": \"tool_name == 'Bash'\", \"action\": {\"type\": \"deny\"}}";
    for (name, text) in [
        ("no-rm.yaml", format!("hooks:\n{}", indented(RM, "  "))),
        ("no-rm.yaml", RM.to_owned()),
        ("no-rm.yml", list.clone()),
        ("no-rm.yaml", format!("rules:\n{}", indented(&list, "  "))),
        ("no-rm.yaml", format!("policy:\n  hooks:\n{}", indented(&list, "    "))),
        ("no-rm.json", format!("[{json}]")),
        ("no-rm.json", format!("{{\"hooks\": {json}}}")),
        ("no-rm.json", format!("{{\"policy\": {{\"hooks\": [{json}]}}}}")),
        ("no-rm.md", format!("---\nname: no-rm\nrules:\n{}---\n", indented(&list, "  "))),
        ("no-rm.xml", "<policy><hooks><hook event='PreToolUse'><deny/></hook></hooks></policy>".to_owned()),
    ] {
        let folder = tempfile::tempdir().unwrap();
        put(folder.path(), "pd/push.yaml", PUSH);
        put(folder.path(), &format!("pd/{name}"), &text);
        for args in [
            &["check", "pd"][..],
            &["list", "pd"],
            &["compile", "pd", "-o", "out.hookc"],
            &["check", "--layer", "managed=pd"],
        ] {
            let (code, _, err) = hookc(folder.path(), args);
            assert!(matches!(code, 1 | 2) && err.contains("no-rm"), "{args:?} {name}: {code}\n{text}\n{err}");
        }
        let event = "{\"hook_event_name\": \"PreToolUse\", \"tool_name\": \"Bash\"}";
        let args = ["run", "--host", "claude", "--no-log", "pd"];
        let (code, _, err) = common::hookc(&folder, &args, event).parts();
        assert!(code == 2 && err.contains("no-rm"), "{name}: {code}\n{text}\n{err}");
    }
}

#[test]
fn files_without_hooks_are_reported_next_to_policies() {
    for (policy, name, text, reported) in [
        ("push.yaml", "no-rm.yaml", "", true),
        ("push.yaml", "no-rm.yaml", "# - id: no_rm\n", true),
        ("push.yaml", "no-rm.xml", "<rules><!-- <hook event='x'/> --></rules>", true),
        ("push.yaml", "no-rm.yaml", "rm: {id: no_rm}\n'event': PreToolUse\n", true),
        ("push.yaml", "rules.xml", "<rules/>", false),
        ("push.yaml", "classes.yaml", "patterns: [{id: http_429}]\n# event: x\n", false),
        ("push.yaml", "no-rm.txt", PUSH, true),
        ("push.yaml", "no-rm", PUSH, true),
        ("push.yaml", "push_test.yaml", "policy: push.yaml\ntests: []\n", true),
        ("push.yaml", "tests.json", "{\"policy\": \"push.yaml\", \"tests\": []}", true),
        ("push.yaml", "notes.txt", "Hooks for pushes.", false),
        ("push.yaml", "event.json", "{\"tool_name\": \"Bash\"}", false),
        ("push.yaml", "push.test.yaml", "", false),
        // Hooks at the root of a project.
        ("hooks.yaml", "mkdocs.yml", "site_name: x\n", false),
        (".hooks/push.yaml", "mkdocs.yml", "site_name: x\n", false),
    ] {
        let folder = tempfile::tempdir().unwrap();
        put(folder.path(), &format!("pd/{policy}"), PUSH);
        put(folder.path(), &format!("pd/{name}"), text);
        let (code, out, err) = hookc(folder.path(), &["check", "--deny", "warnings", "pd"]);
        let warning = err.contains("warning[W0008]") && err.contains(name);
        assert_eq!((code == 1, warning), (reported, reported), "{name} {text:?}\n{out}{err}");
        let (code, _, err) = hookc(folder.path(), &["compile", "pd", "-o", "out.hookc"]);
        assert!(code == 0 && err.contains("W0008") == reported, "{name}: {err}");
    }
}

#[test]
fn a_policy_among_other_files_is_no_directory_of_policies() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "conf/push.yaml", PUSH);
    for name in ["a.yaml", "b.yaml", "c.xml"] {
        put(folder.path(), &format!("conf/{name}"), "<x/>");
    }
    assert_eq!(hookc(folder.path(), &["check", "--deny", "warnings", "conf"]).0, 0);
    put(folder.path(), "conf/d.yaml", "");
    let (code, _, err) = hookc(folder.path(), &["check", "--deny", "warnings", "conf"]);
    assert!(code == 1 && err.contains("d.yaml") && !err.contains("a.yaml"), "{err}");
}

#[test]
fn links_to_folders_are_followed_once() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    put(root, "elsewhere/g/SKILL.md", SKILL);
    put(root, "elsewhere/g/a.py", "def execute(context): pass\n");
    fs::create_dir_all(root.join("repo/.claude/skills")).unwrap();
    for (to, link) in [
        ("elsewhere/g", "repo/.claude/skills/g"),
        ("elsewhere", "repo/again"),
        ("repo", "repo/.claude/itself"),
        ("", "repo/up"),
        ("nowhere", "repo/dangling"),
    ] {
        symlink(root.join(to), root.join(link)).unwrap();
    }
    let (code, listed, told) = hookc(root, &["list", "repo", "--format", "json"]);
    assert_eq!((code, listed.lines().count()), (0, 1), "{listed}{told}");
}

#[test]
fn a_large_file_is_a_policy_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let comment = format!("#{}\n", "-".repeat(1022));
    let large =
        format!("hooks:\n  - {{event: error, action: {{type: abort}}}}\n{}", comment.repeat(18 << 10));
    put(folder.path(), "hooks.yaml", &large);
    put(folder.path(), "data.yaml", &large);
    let (_, table, told) = hookc(folder.path(), &["check", "."]);
    assert!(table.contains("hooks-yaml") || told.contains("hooks.yaml"), "{table}{told}");
    assert!(!told.contains("data.yaml"), "{told}");
}

#[test]
fn a_project_skill_replaces_the_users() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for whose in ["u", "p"] {
        put(root, &format!("{whose}/.claude/skills/g/SKILL.md"), SKILL);
        put(root, &format!("{whose}/.claude/skills/g/a.py"), "def execute(context): pass\n");
    }
    let (u, p) = ("u/.claude/skills", "p/.claude/skills");
    let emit = ["--emit", "asm", "--no-builtin"];
    let (code, both, told) = hookc(root, &[&["compile", u, p][..], &emit].concat());
    assert!(code == 0 && told.contains("W0267") && told.contains("both run"), "{told}");
    assert!(told.contains("2 independent policies"), "{told}");
    assert!(both.contains("u/.claude") && both.contains("p/.claude"), "{both}");
    let layers = ["compile", "--layer", "user=u/.claude/skills", "--layer", "project=p/.claude/skills"];
    let (code, one, told) = hookc(root, &[&layers[..], &emit].concat());
    assert!(code == 0 && told.contains("nearer layer"), "{told}");
    assert!(!one.contains("u/.claude/skills/g/a.py") && one.contains("p/.claude/skills/g/a.py"), "{one}");
}

#[test]
fn what_check_accepts_of_a_folder_run_accepts() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let deny = |reason: &str| {
        format!("hooks:\n  - {{id: a, event: PreToolUse, action: {{type: deny, reason: {reason}}}}}\n")
    };
    put(root, "p/one/hooks.yaml", deny("first"));
    put(root, "p/two/hooks.yaml", deny("second"));
    let (code, _, err) = hookc(root, &["check", "p"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let event = r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}"#;
    let ran = common::hookc(root, &["run", "--host", "claude", "--no-log", "p"], event).parts();
    assert!(ran.0 == 0 && ran.1.contains("first\\nsecond"), "{ran:?}");
    assert_eq!(hookc(root, &["compile", "p", "-o", "p.hookc"]).0, 0);
    // Two strategies of one event: no module can have both.
    let event = |strategy: &str| {
        format!(
            "events: {{ship: {{strategy: {strategy}}}}}\nhooks:\n  - {{event: ship, action: {{type: abort}}}}\n"
        )
    };
    put(root, "p/one/hooks.yaml", event("first"));
    put(root, "p/two/hooks.yaml", event("all"));
    for verb in [&["check", "p"][..], &["compile", "p", "-o", "p.hookc"]] {
        let (code, _, err) = hookc(root, verb);
        assert!(code == 1 && err.contains("E0503"), "{verb:?} {err}");
    }
}

#[test]
fn an_event_that_the_agent_calls_otherwise_is_rejected_by_check_and_run() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let declared = "events: {stop: {}}\nhooks:\n  - {event: stop, action: {type: abort}}\n";
    for policy in [declared, "hooks:\n  - {event: stop, action: {type: abort}}\n"] {
        put(root, "hooks.yaml", policy);
        let (code, _, err) = hookc(root, &["check", "hooks.yaml", "--host", "cursor"]);
        assert!(code == 1 && err.contains("error[E0428]: no event has the name `stop`"), "{err}");
        let event = r#"{"hook_event_name":"stop","conversation_id":"s"}"#;
        let ran = common::hookc(root, &["run", "--host", "cursor", "--no-log", "hooks.yaml"], event).parts();
        assert!(ran.0 == 2 && ran.2.contains("no event has the name `stop`"), "{ran:?}");
        let elsewhere = hookc(root, &["check", "hooks.yaml", "--host", "claude"]).0;
        assert_eq!(elsewhere, i32::from(policy != declared));
    }
    put(root, ".cursor/hooks.json", r#"{"version": 1, "hooks": {"stop": [{"command": "./x"}]}}"#);
    let own = hookc(root, &["check", ".cursor/hooks.json", "--host", "cursor", "--no-fs"]);
    assert_eq!(own.0, 0, "{own:?}");
}

#[test]
fn a_directory_has_the_warnings_of_its_linked_policies() {
    let folder = tempfile::tempdir().unwrap();
    let ls = "hooks:\n  - {id: a, event: PreToolUse, when: \"tool_name == 'Bash' and tool_input.command == 'ls'\", action: {type: allow}}\n";
    let all = "hooks:\n  - {id: b, event: PreToolUse, when: \"tool_name == 'Bash'\", action: {type: deny, reason: x}}\n";
    put(folder.path(), "p/a.yaml", ls);
    put(folder.path(), "p/b.yaml", all);
    // Policies of other directories are other projects.
    put(folder.path(), "q/c.yaml", ls.replace("id: a", "id: c"));
    for args in [&["check", "p"][..], &["check", "."], &["check", "p/a.yaml", "p/b.yaml"]] {
        let (code, out, err) = hookc(folder.path(), args);
        assert!(code == 0 && err.matches("warning[W0602]").count() == 1, "{args:?} {out}{err}");
    }
    let (code, ..) = hookc(folder.path(), &["check", "--deny", "warnings", "p"]);
    assert_eq!(code, 1);
    let (code, out, err) = hookc(folder.path(), &["check", "--format", "json", "p"]);
    assert!(code == 0 && err.is_empty() && out.contains("\"code\":\"W0602\""), "{out}{err}");
}

#[test]
fn the_text_of_a_file_that_nobody_named_is_not_shown() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let token = "https://me:ghp_SECRET@github.com\n";
    put(root, "cred", token);
    put(root, "r/cred", token);
    put(root, "r/a.test.yaml", "policy: ../cred\ntests:\n  - {event: {}, expect: none}\n");
    std::os::unix::fs::symlink("../cred", root.join("r/hooks.yaml")).unwrap();
    std::os::unix::fs::symlink("../../cred", root.join("r/.hooks.yaml")).unwrap();
    let r = root.join("r");
    for args in [
        &["check", "."][..],
        &["check", "hooks.yaml"],
        &["check", "--format", "json", "."],
        &["check", "--format", "short", "hooks.yaml"],
        &["list", "."],
        &["compile", "hooks.yaml", "-o", "x.hookc"],
        &["convert", "hooks.yaml", "--to", "settings"],
        &["fmt", "hooks.yaml"],
        &["test", "."],
        &["test", "a.test.yaml"],
        &["test", "--format", "json", "."],
        &["test", "--format", "junit", "."],
        &["doctor", "."],
        &["doctor", "--format", "json", "hooks.yaml"],
        &["run", "--no-log", "--host", "claude", "hooks.yaml", "--event", "PreToolUse", "--tool", "Bash"],
    ] {
        let (code, out, err) = hookc(&r, args);
        assert!(code != 0 && !format!("{out}{err}").contains("SECRET"), "{args:?} {code} {out}{err}");
    }
    let (_, out, err) = hookc(&r, &["check", "hooks.yaml"]);
    assert!(err.contains("the text of `hooks.yaml` is not shown"), "{out}{err}");
    // Named, or in the directory: its user can see it.
    let (_, out, err) = hookc(&r, &["check", "../cred"]);
    assert!(err.contains("SECRET"), "{out}{err}");
}

#[test]
fn a_link_to_a_policy_or_to_settings_elsewhere_shows_nothing_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let r = root.join("r");
    put(root, "policy", "hooks: [{event: PreToolUse, SECRET: 1, action: {type: SECRET}}]\n");
    let handler = "{\"type\": \"SECRET\", \"command\": \"SECRET\"}";
    put(
        root,
        "settings",
        format!("{{\"hooks\": {{\"PreToolUse\": [{{\"matcher\": \"SECRET\", \"hooks\": [{handler}]}}]}}}}"),
    );
    std::fs::create_dir_all(r.join(".claude")).unwrap();
    std::os::unix::fs::symlink("../policy", r.join("hooks.yaml")).unwrap();
    std::os::unix::fs::symlink("../../settings", r.join(".claude/settings.json")).unwrap();
    for args in [
        &["check", "."][..],
        &["doctor", "."],
        &["doctor", "--format", "json", ".claude/settings.json"],
        &["probe", "claude"],
    ] {
        let (code, out, err) = hookc(&r, args);
        let text = format!("{out}{err}");
        assert!(
            code != 0 && !text.contains("SECRET") && text.contains("is not shown"),
            "{args:?} {code} {text}"
        );
    }
}

/// What prints a policy does not print one that a link of the directory leads to, and no test file makes it.
#[test]
fn a_policy_elsewhere_is_not_shown() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let r = root.join("r");
    let hook = "{id: SECRET, event: PreToolUse, when: \"tool_input.command contains 'SECRET'\", action: {type: deny, reason: SECRET}}";
    put(root, "policy.yaml", format!("hooks: [{hook}]\n"));
    let handler = "{\"type\": \"command\", \"command\": \"x --token SECRET\"}";
    put(root, "settings", format!("{{\"hooks\": {{\"PreToolUse\": [{{\"hooks\": [{handler}]}}]}}}}"));
    std::fs::create_dir_all(r.join(".claude")).unwrap();
    let event = ["--event", "PreToolUse", "--tool", "Bash", "--input", "command=SECRE"];
    let with_event = |args: &[&'static str]| [args, &event].concat();
    put(&r, "log.ndjson", "{\"hook_event_name\": \"PreToolUse\", \"tool_name\": \"Bash\"}\n");
    let (done, out, err) = hookc(root, &["compile", "policy.yaml", "-o", "policy.hookc"]);
    assert_eq!(done, 0, "{out}{err}");
    for (link, target) in [
        ("hooks.yaml", "../policy.yaml"),
        ("hooks.hookc", "../policy.hookc"),
        (".claude/settings.json", "../../settings"),
    ] {
        std::os::unix::fs::symlink(target, r.join(link)).unwrap();
        for args in [
            vec!["list", link],
            vec!["list", "-v", "."],
            vec!["list", "--format", "json", link],
            vec!["compile", link, "-o", "-"],
            vec!["convert", link, "--to", "hooks-yaml"],
            vec!["fmt", "--stdout", link],
            vec!["replay", link, "log.ndjson"],
            with_event(&["explain", link]),
            with_event(&["eval", link]),
            with_event(&["eval", "."]),
        ] {
            let (code, out, err) = hookc(&r, &args);
            let text = format!("{out}{err}");
            assert!(code != 0 && !text.contains("SECRET"), "{args:?} {code} {text}");
        }
        std::fs::remove_file(r.join(link)).unwrap();
    }
    // The file itself can be named, and one of the same repository is no other directory.
    assert!(hookc(&r, &["list", "../policy.yaml"]).1.contains("SECRET"));
    put(
        &r,
        "a.test.yaml",
        "policy: ../policy.yaml\ntests:\n  - {type: PreToolUse, event: {tool_name: Bash, tool_input: {command: x}}, expect: deny}\n",
    );
    let (code, out, err) = hookc(&r, &["test", "."]);
    assert!(code == 3 && out.contains("the text of `../policy.yaml` is not shown"), "{code} {out}{err}");
    assert!(!out.contains("contains \"SECRET\""), "{out}");
    std::fs::create_dir(root.join(".git")).unwrap();
    let (_, out, err) = hookc(&r, &["test", "."]);
    assert!(out.contains("contains \"SECRET\""), "{out}{err}");
}
