//! What holds among starter policies and recipes, and the recipes as `docs/recipes.md` shows them.
//! `tests/cases` has a trial for each.

use std::fs;
use std::path::{Path, PathBuf};

use hookc_base::Verb;
use hookc_schema::agents;

use crate::common;

const RECIPES: &str = "corpus/recipes";

fn passes(folder: &Path, args: &[&str]) {
    let run = common::hookc(folder, args, "");
    assert_eq!(run.code, 0, "{args:?}:\n{}{}", run.out, run.err);
}

fn recipes() -> Vec<PathBuf> {
    let entries = fs::read_dir(common::project().join(RECIPES)).unwrap();
    let mut found: Vec<PathBuf> =
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    found.sort();
    found
}

/// The page shows every recipe, byte for byte, and names its tests.
#[test]
fn the_page_shows_every_recipe() {
    let page = common::read(common::project(), "docs/recipes.md");
    for recipe in recipes() {
        let name = recipe.file_name().unwrap().to_str().unwrap();
        let policy = fs::read_to_string(recipe.join("hooks.yaml")).unwrap();
        assert!(page.contains(&format!("```yaml\n{policy}```\n")), "docs/recipes.md: {name} differs");
        let tests = format!("../corpus/recipes/{name}/hooks.test.yaml");
        assert!(page.contains(&tests) && recipe.join("hooks.test.yaml").is_file(), "{name}: no tests");
    }
    assert!(recipes().len() >= 11);
}

const SHELL_STARTERS: [&str; 5] =
    ["destructive-commands", "network", "protected-branches", "publish-and-deploy", "secrets"];

fn starter(name: &str) -> PathBuf {
    common::project().join("corpus/starters").join(name).join("hooks.yaml")
}

/// An agent that could change its settings without a question could switch the guard off.
#[test]
fn the_settings_of_each_agent_are_guarded() {
    let mut files = Vec::new();
    for settings in agents::answered().filter_map(|agent| agent.settings.as_ref()) {
        let end = if settings.scripts { "/PreToolUse" } else { "" };
        let in_project = std::iter::once(&settings.project).chain(&settings.local).chain(&settings.also);
        files.extend(in_project.map(|file| format!("/srv/app/{file}{end}")));
        files.extend(
            std::iter::once(&settings.user).chain(&settings.also_user).map(|file| format!("~/{file}{end}")),
        );
    }
    let event = |file: &String| {
        format!(
            "{{\"hook_event_name\":\"PreToolUse\",\"cwd\":\"/srv/app\",\"tool_name\":\"Write\",\"tool_input\":{{\"file_path\":\"{file}\",\"content\":\"\"}}}}\n"
        )
    };
    let events: String = files.iter().map(event).collect();
    let policy = starter("guard-itself").display().to_string();
    let run = common::hookc(common::project(), &["eval", &policy, "-"], &events);
    assert_eq!(run.out.lines().count(), files.len(), "{}", run.err);
    for (file, line) in files.iter().zip(run.out.lines()) {
        assert!(line.contains("guard_changed"), "{file}: {line}");
    }
}

/// `hookc run --ask deny` denies what a starter asks about.
#[test]
fn asking_becomes_denying_where_nobody_can_be_asked() {
    let folder = tempfile::tempdir().unwrap();
    for name in SHELL_STARTERS {
        let starter = starter(name).display().to_string();
        let event = r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"$X '"}}"#;
        for (whom, verdict) in [("user", "ask"), ("deny", "deny")] {
            let args = ["run", "--no-log", "--host", "claude", "--ask", whom, &starter];
            let run = common::hookc(folder.path(), &args, event);
            let expected = format!(r#""permissionDecision":"{verdict}""#);
            assert!(run.out.contains(&expected), "{name}: {}{}", run.out, run.err);
        }
    }
}

#[test]
fn are_used_together() {
    let all: Vec<String> = SHELL_STARTERS.iter().map(|name| starter(name).display().to_string()).collect();
    let args = ["check", "--deny", "warnings"].into_iter().chain(all.iter().map(String::as_str));
    passes(common::project(), &args.collect::<Vec<_>>());
}

/// The patterns of the guards in a printed tree, each with the guard that it is in. Those after `by` are patterns of
/// commands.
fn patterns(tree: &str) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    for line in tree.lines() {
        let Some((name, mut rest)) = line.trim_start().split_once(' ') else { continue };
        let Some(verb) = Verb::ALL.iter().find(|verb| [verb.plural(), verb.possible()].contains(&name))
        else {
            continue;
        };
        let mut guard = if name == verb.plural() { verb.plural() } else { verb.possible() };
        while !rest.is_empty() {
            if rest.starts_with('"') {
                let mut texts = serde_json::Deserializer::from_str(rest).into_iter::<String>();
                found.push((guard, texts.next().unwrap().unwrap()));
                rest = rest[texts.byte_offset()..].trim_start();
            } else {
                let (word, next) = rest.split_once(' ').unwrap_or((rest, ""));
                guard = if word == "by" { Verb::Run.plural() } else { verb.plural() };
                rest = next;
            }
        }
    }
    found
}

/// Each pattern of a starter, also those after `except` and `by`, is true of an event of its tests.
#[test]
fn each_pattern_has_an_event() {
    // The smallest one in a short run.
    let starters = if hookc_corpus::is_full() { &SHELL_STARTERS[..] } else { &["network"] };
    for name in starters {
        let policy = fs::read_to_string(starter(name)).unwrap();
        let tree = common::hookc(
            common::project(),
            &["compile", &starter(name).display().to_string(), "--emit", "tree"],
            "",
        );
        let patterns = patterns(&tree.out);
        assert!(!patterns.is_empty(), "{name}: {}", tree.err);
        let sets =
            policy.split_once("\nsets:\n").map_or("", |(_, rest)| rest.split("\nhooks:\n").next().unwrap());
        let mut hooks = format!("schema_version: \"1.0.0\"\nsets:\n  unused: [x]\n{sets}\nhooks:\n");
        for (number, (guard, pattern)) in patterns.iter().enumerate() {
            let pattern = serde_json::to_string(pattern).unwrap();
            hooks.push_str(&format!(
                "  - {{id: p{number}, event: PreToolUse, condition: {{{guard}: [{pattern}]}}, action: {{type: deny, reason: x}}}}\n"
            ));
        }
        let folder = tempfile::tempdir().unwrap();
        common::put(folder.path(), "hooks.yaml", hooks);
        let tests = fs::read_to_string(starter(name).with_file_name("hooks.test.yaml")).unwrap();
        common::put(folder.path(), "hooks.test.yaml", tests);
        let run = common::hookc(folder.path(), &["test", "--coverage", "--format", "json", "."], "");
        let report: serde_json::Value =
            serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
        let missing = report["exercised"]["missing"].as_array().unwrap();
        let missing: Vec<_> = missing
            .iter()
            .map(|hook| &patterns[hook["hook"].as_str().unwrap()[1..].parse::<usize>().unwrap()])
            .collect();
        assert!(missing.is_empty(), "{name}: no event for {missing:#?}");
    }
}

/// The allow list of `docs/language.md` allows what it says, and denies everything else.
#[test]
fn the_allow_list_of_the_documents() {
    let text = fs::read_to_string(common::project().join("docs/language.md")).unwrap();
    let section = text.split("### Allow lists\n").nth(1).unwrap();
    let policy = section.split("```yaml\n").nth(1).unwrap().split("```").next().unwrap();
    let folder = tempfile::tempdir().unwrap();
    common::put(folder.path(), "hooks.yaml", policy);
    for name in [".git/objects", ".git/refs"] {
        fs::create_dir_all(folder.path().join(name)).unwrap();
    }
    common::put(folder.path(), ".git/HEAD", "ref: refs/heads/main\n");
    passes(folder.path(), &["check", "--deny", "warnings", "--host", "claude", "hooks.yaml"]);
    for (line, allowed) in [
        ("git status", true),
        ("git log --oneline --stat > /dev/null", true),
        ("cat README.md | head", true),
        ("sed -n 1,9p src/main.rs", true),
        ("echo x > src/x.rs", true),
        ("cargo test -q", true),
        ("npm run lint && ./check.sh", true),
        ("git --git-dir=ev --work-tree=. status", false),
        ("HOME=/tmp/evil\ngit log", false),
        ("git status\nHOME=/tmp/evil\ngit log", false),
        ("for HOME in /tmp/evil; do git log; done", false),
        ("git -C /tmp/evil status", false),
        ("git -c core.fsmonitor=x status", false),
        ("git -c core.pager=$X log", false),
        ("git log --output=f", false),
        ("git log --ext-diff", false),
        ("git log > ~/.bashrc", false),
        ("git log | sh", false),
        ("LD_PRELOAD=./x git log", false),
        ("./git log", false),
        ("git () { rm x; }; git log", false),
        ("git push", false),
        ("cat .env", false),
        ("cat ../x", false),
        ("cat $F", false),
        ("rm src/x.rs", false),
        ("cargo test --config x=y", false),
        ("cargo build", false),
        ("sub/check.sh", false),
        ("cd /tmp && ./check.sh", false),
    ] {
        let input = serde_json::json!({
            "hook_event_name": "PreToolUse", "tool_name": "Bash", "cwd": folder.path(),
            "tool_input": {"command": line},
        });
        let run =
            common::hookc(&folder, &["run", "--no-log", "--host", "claude", "hooks.yaml"], input.to_string());
        let word = if allowed { "\"allow\"" } else { "\"deny\"" };
        assert!(run.out.contains(word), "{line}: {}{}", run.out, run.err);
    }
}
