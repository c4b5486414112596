//! Where `install` writes in a project, what it refuses to follow, and what it says.
#![cfg(unix)]

use crate::common;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use common::{Run, put, read};

const POLICY: &str = "hooks:\n  - {id: a, event: PreToolUse, when: \"tool_name == 'Bash'\", action: {type: deny, reason: not now}}\n";
const CLAUDE: &str = ".claude/settings.json";

/// A repository `r` with a policy, and a home.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(place.at("r/.git")).unwrap();
        fs::create_dir_all(place.at("home")).unwrap();
        put(&place.0, "r/guard.yaml", POLICY);
        place
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(name)
    }

    fn in_folder(&self, folder: &str, args: &[&str], variables: &[(&str, &str)]) -> Run {
        let mut command = common::command(self.at(folder));
        command.args(args).env("HOME", self.at("home")).envs(variables.iter().copied());
        common::run(&mut command, "")
    }

    fn hookc(&self, args: &[&str]) -> Run {
        self.in_folder("r", args, &[])
    }
}

#[test]
fn links_out_of_the_project_are_not_followed() {
    for (link, target, victim) in [
        (".claude/settings.json", "../../home/.claude/settings.json", "home/.claude/settings.json"),
        (".claude", "..", "settings.json"),
        (".claude", "../home/.claude", "home/.claude/settings.json"),
        (".claude/settings.json", "../../home/.claude/new.json", "home/.claude/new.json"),
        (".claude/settings.json", "hop", "home/.claude/settings.json"),
    ] {
        let place = Place::new();
        put(&place.0, "home/.claude/settings.json", "{\"mine\": 1}\n");
        put(&place.0, "settings.json", "{}\n");
        fs::create_dir_all(place.at(&format!("r/{link}")).parent().unwrap()).unwrap();
        symlink(target, place.at(&format!("r/{link}"))).unwrap();
        if target == "hop" {
            symlink("../../home/.claude/settings.json", place.at("r/.claude/hop")).unwrap();
        }
        let before = fs::read_to_string(place.at(victim)).ok();
        for args in [
            &["install", "claude", "guard.yaml"][..],
            &["install", "claude", "guard.yaml", "--dry-run"],
            &["uninstall", "claude"],
        ] {
            let run = place.hookc(args);
            let named =
                format!("{} is a link that leads out of the project", place.at("r").join(link).display());
            assert!(run.code == 2 && run.err.contains(&named), "{link} {args:?}: {run:?}");
            assert_eq!(fs::read_to_string(place.at(victim)).ok(), before, "{link}");
        }
        let backups = |folder: &str| {
            let all = fs::read_dir(place.at(folder)).into_iter().flatten().flatten();
            all.filter(|entry| entry.file_name().to_string_lossy().contains(".bak")).count()
        };
        assert_eq!(["r", "r/.claude", "home/.claude", ""].map(backups), [0; 4], "{link}");
    }
}

#[test]
fn links_inside_the_project_and_of_the_user_stay() {
    let place = Place::new();
    put(&place.0, "r/agents/claude/settings.json", "{}\n");
    symlink("agents/claude", place.at("r/.claude")).unwrap();
    assert_eq!(place.hookc(&["install", "claude", "guard.yaml"]).code, 0);
    assert!(read(place.at("r"), "agents/claude/settings.json").contains("hookc"));
    // Settings of a person are links to anywhere, also into a repository.
    put(&place.0, "dots/claude.json", "{}\n");
    fs::create_dir_all(place.at("home/.claude/.git")).unwrap();
    symlink("../../dots/claude.json", place.at("home/.claude/settings.json")).unwrap();
    for folder in ["r", "home"] {
        let policy = place.at("r/guard.yaml");
        let run =
            place.in_folder(folder, &["install", "claude", policy.to_str().unwrap(), "--scope", "user"], &[]);
        assert_eq!(run.code, 0, "{}", run.err);
    }
    assert!(
        read(&place.0, "dots/claude.json").contains("hookc")
            && place.at("home/.claude/settings.json").is_symlink()
    );
}

#[test]
fn every_writer_stays_in_the_project() {
    let place = Place::new();
    let victims = ["home/a.yaml", "home/b.yaml", "home/x.hookc", "home/c.json"];
    let texts: Vec<String> = victims.iter().map(|name| format!("hooks:   []\n# {name}\n")).collect();
    for (name, text) in victims.iter().zip(&texts) {
        put(&place.0, name, text);
        let link = place.at("r").join(PathBuf::from(name).file_name().unwrap());
        symlink(format!("../{name}"), link).unwrap();
    }
    symlink("../home", place.at("r/.hooks")).unwrap();
    symlink("../home", place.at("r/out")).unwrap();
    let hook =
        ["new", "hook", "--dialect", "hooks-yaml", "--id", "n", "--event", "PreToolUse", "--action", "deny"];
    for args in [
        &["fmt", "a.yaml"][..],
        &["compile", "guard.yaml", "-o", "x.hookc"],
        &["compile", "guard.yaml", "-o", "out/new.hookc"],
        &["convert", "guard.yaml", "--to", "hooks-yaml", "-o", "b.yaml"],
        &["convert", "guard.yaml", "--to", "hooks-yaml", "-o", "out/new.yaml"],
        &hook,
        &[&hook[..], &["--into", "a.yaml"]].concat(),
    ] {
        let run = place.hookc(args);
        assert!(run.code == 2 && run.err.contains(" is a link "), "{args:?}: {run:?}");
    }
    for (name, text) in victims.iter().zip(&texts) {
        assert_eq!(&read(&place.0, name), text);
    }
    assert_eq!(fs::read_dir(place.at("home")).unwrap().count(), victims.len());
    // The file itself can be named.
    assert_eq!(place.hookc(&["fmt", "../home/a.yaml"]).code, 0);
    assert_ne!(read(&place.0, "home/a.yaml"), texts[0]);
}

#[test]
fn a_subdirectory_has_no_settings_of_its_own() {
    for (host, file) in [
        ("claude", CLAUDE),
        ("codex", ".codex/hooks.json"),
        ("gemini", ".gemini/settings.json"),
        ("cursor", ".cursor/hooks.json"),
        ("copilot", ".github/hooks/hookc.json"),
    ] {
        let place = Place::new();
        fs::create_dir_all(place.at("r/src/deep")).unwrap();
        let run = place.in_folder("r/src/deep", &["install", host, "../../guard.yaml"], &[]);
        let whole = place.at("r").join(file);
        assert!(
            run.code == 0 && run.err.contains(&format!("{} calls hookc", whole.display())),
            "{host}: {run:?}"
        );
        assert_eq!(fs::read_dir(place.at("r/src/deep")).unwrap().count(), 0);
        let text = read(place.at("r"), file);
        assert!(text.contains("guard.yaml") && !text.contains(".."), "{text}");
        // One call, wherever it is written from.
        assert!(place.hookc(&["install", host, "guard.yaml"]).err.contains("already"), "{host}");
        let status = place.in_folder("r/src", &["status"], &[]);
        assert!(status.out.contains("guard.yaml"), "{}", status.out);
        // An earlier version wrote below the root.
        put(place.at("r/src"), file, &text);
        let run = place.in_folder("r/src", &["install", host, "../guard.yaml"], &[]);
        assert!(
            run.err.contains("also calls hookc with this policy") || host == "cursor" || host == "gemini",
            "{host}: {}",
            run.err
        );
        assert_eq!(place.in_folder("r/src", &["uninstall", host], &[]).code, 0);
        for root in ["r", "r/src"] {
            assert!(
                !fs::read_to_string(place.at(root).join(file)).unwrap_or_default().contains("hookc run"),
                "{host}"
            );
        }
    }
    // A home that is a repository is not that of the projects in it.
    let place = Place::new();
    fs::create_dir_all(place.at("home/.git")).unwrap();
    fs::create_dir_all(place.at("home/projects/p")).unwrap();
    put(&place.0, "home/projects/p/guard.yaml", POLICY);
    assert_eq!(place.in_folder("home/projects/p", &["install", "claude", "guard.yaml"], &[]).code, 0);
    assert!(place.at("home/projects/p/.claude/settings.json").exists() && !place.at("home/.claude").exists());
}

#[test]
fn hooks_that_are_switched_off_are_reported() {
    for (host, file, text, key) in [
        ("claude", "r/.claude/settings.json", "{\"disableAllHooks\": true}", "`disableAllHooks`"),
        ("claude", "r/.claude/settings.local.json", "{\"disableAllHooks\": true}", "`disableAllHooks`"),
        ("claude", "home/.claude/settings.json", "{\"disableAllHooks\": true}", "`disableAllHooks`"),
        ("claude", "r/.claude/settings.json", "{\"env\": {\"HOOKC_DISABLE\": \"1\"}}", "`HOOKC_DISABLE`"),
        ("codex", "r/.codex/config.toml", "[features]\nhooks = false\n", "`features.hooks`"),
        ("codex", "home/.codex/config.toml", "[features]\nhooks = false\n", "`features.hooks`"),
        (
            "gemini",
            "r/.gemini/settings.json",
            "{\"hooksConfig\": {\"enabled\": false}}",
            "`hooksConfig.enabled`",
        ),
        (
            "gemini",
            "home/.gemini/settings.json",
            "{\"hooksConfig\": {\"disabled\": [\"hookc\"]}}",
            "disables this hook",
        ),
        (
            "cursor",
            "r/.cursor/hooks.json",
            "{\"version\": 1, \"disableAllHooks\": true}",
            "`disableAllHooks`",
        ),
        ("copilot", "r/.github/copilot/settings.json", "{\"disableAllHooks\": true}", "`disableAllHooks`"),
        ("copilot", "home/.copilot/settings.json", "{\"disableAllHooks\": true}", "`disableAllHooks`"),
    ] {
        let place = Place::new();
        put(&place.0, file, text);
        for args in [&["install", host, "guard.yaml"][..], &["install", host, "guard.yaml"]] {
            let run = place.hookc(args);
            let warned = run.err.lines().any(|line| {
                line.starts_with("warning: ") && line.contains(key) && line.ends_with("never run")
            });
            assert!(run.code == 0 && warned, "{host} {file}: {run:?}");
        }
    }
    let place = Place::new();
    let run = place.in_folder("r", &["install", "claude", "guard.yaml"], &[("HOOKC_DISABLE", "1")]);
    assert!(run.err.contains("`HOOKC_DISABLE=1` is set here"), "{}", run.err);
    assert!(!place.hookc(&["install", "claude", "guard.yaml"]).err.contains("warning"));
}

#[test]
fn a_file_that_the_agent_skips_is_reported() {
    for (host, file, text, fault) in [
        ("claude", CLAUDE, "{\n  // mine\n  \"hooks\": {}\n}\n", "a comment"),
        (
            "claude",
            CLAUDE,
            "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"x\"}]},]}}",
            "a trailing comma",
        ),
        (
            "claude",
            CLAUDE,
            "{\"hooks\": {\"Stop\": [{\"type\": \"command\", \"command\": \"x\"}]}}",
            "a handler outside a group",
        ),
        (
            "claude",
            CLAUDE,
            "{\"hooks\": {\"PostToolUse\": [{\"matcher\": {\"tools\": [\"Edit\"]}, \"hooks\": []}]}}",
            "an error: ",
        ),
        (
            "claude",
            CLAUDE,
            "{\"hooks\": {\"PreCommit\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"x\"}]}]}}",
            "an unknown event: `PreCommit`",
        ),
        ("claude", CLAUDE, "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\"}]}]}}", "an error: "),
        ("codex", ".codex/hooks.json", "{\n  // mine\n  \"hooks\": {}\n}\n", "a comment"),
    ] {
        let place = Place::new();
        put(place.at("r"), file, text);
        let run = place.hookc(&["install", host, "guard.yaml"]);
        let warned = run.err.lines().any(|line| {
            line.starts_with(&format!("warning: {file}:"))
                && line.contains(&format!(" skips a whole file with {fault}"))
                && line.ends_with(", so these calls never run")
        });
        assert!(warned, "{host} {text}: {run:?}");
    }
    let place = Place::new();
    put(place.at("r"), ".gemini/settings.json", "{\n  // mine\n  \"hooks\": {}\n}\n");
    let run = place.hookc(&["install", "gemini", "guard.yaml"]);
    assert!(!run.err.contains("warning"), "Gemini CLI reads comments: {run:?}");
    put(
        place.at("r"),
        CLAUDE,
        "{\"permissions\": {}, \"hooks\": {\"Stop\": [{\"matcher\": \"\", \"hooks\": []}]}}",
    );
    assert!(!place.hookc(&["install", "claude", "guard.yaml"]).err.contains("warning"));
}

#[test]
fn a_policy_that_is_decided_twice_is_reported() {
    let place = Place::new();
    assert_eq!(place.hookc(&["install", "claude", "guard.yaml"]).code, 0);
    let run = place.hookc(&["install", "claude", "guard.yaml", "--scope", "user"]);
    let twice = |run: &Run, file: &str| {
        run.err.lines().any(|line| {
            line.starts_with("warning: ") && line.contains(file) && line.ends_with("decided twice")
        })
    };
    assert!(twice(&run, CLAUDE), "{run:?}");
    assert!(twice(&place.hookc(&["install", "claude", "guard.yaml"]), "home/.claude/settings.json"));
    // In one file: another spelling is the same call, and one in a line with more is reported.
    let place = Place::new();
    symlink("guard.yaml", place.at("r/link.yaml")).unwrap();
    for path in ["guard.yaml", "./guard.yaml", "link.yaml", "../r/guard.yaml"] {
        let run = place.hookc(&["install", "claude", path]);
        assert!(run.code == 0 && !run.err.contains("twice"), "{path}: {run:?}");
    }
    assert_eq!(
        read(place.at("r"), CLAUDE).matches("hookc run").count()
            + read(place.at("r"), CLAUDE).matches("/hookc' run").count(),
        1
    );
    let line = format!("cd /tmp && hookc run --host claude {}", place.at("r/link.yaml").display());
    let text = read(place.at("r"), CLAUDE).replace(
        "\"PreToolUse\": [",
        &format!("\"PreToolUse\": [{{\"hooks\": [{{\"type\": \"command\", \"command\": \"{line}\"}}]}},"),
    );
    put(place.at("r"), CLAUDE, text);
    assert!(twice(&place.hookc(&["install", "claude", "guard.yaml"]), CLAUDE));
    // Copilot CLI also runs the hooks of Claude Code.
    let place = Place::new();
    assert_eq!(place.hookc(&["install", "claude", "guard.yaml"]).code, 0);
    assert!(twice(&place.hookc(&["install", "copilot", "guard.yaml"]), CLAUDE));
    // Two policies, or two events, are not one.
    let place = Place::new();
    put(
        place.at("r"),
        "other.yaml",
        POLICY.replace("PreToolUse", "UserPromptSubmit").replace("when: \"tool_name == 'Bash'\", ", ""),
    );
    assert_eq!(place.hookc(&["install", "claude", "other.yaml", "--scope", "user"]).code, 0);
    assert!(!place.hookc(&["install", "claude", "guard.yaml"]).err.contains("twice"));
}

#[test]
fn what_people_must_know_is_said() {
    let place = Place::new();
    let run = place.hookc(&["install", "claude", "guard.yaml"]);
    for line in [
        ".claude/settings.json calls hookc for PreToolUse\n",
        "  PreToolUse: 1 hook (deny 1); denied if hookc cannot start\n",
        "note: everyone who shares these settings needs `hookc`: without it, Claude Code denies them PreToolUse\n",
        "note: the agent can edit guard.yaml and .claude/settings.json: ",
        "run `hookc install claude guard.yaml` again\n",
    ] {
        assert!(run.err.contains(line), "{line}: {}", run.err);
    }
    let run = place.hookc(&["install", "claude", "guard.yaml", "--scope", "user"]);
    assert!(
        !run.err.contains("everyone who shares") && run.err.contains("guard.yaml --scope user` again"),
        "{}",
        run.err
    );
    assert_eq!(place.hookc(&["-q", "install", "gemini", "guard.yaml"]).err, "");
    // The policy gets a hook for another event.
    put(
        place.at("r"),
        "guard.yaml",
        format!("{POLICY}  - {{id: b, event: Stop, action: {{type: allow}}}}\n"),
    );
    let status = place.hookc(&["status", "--host", "claude"]);
    assert!(status.out.contains("guard.yaml has hooks for Stop, and no call is for them"), "{status:?}");
    assert!(!status.out.contains("own.yaml has hooks"), "{status:?}");
    // The settings name a program that is gone.
    let text = read(place.at("r"), CLAUDE);
    let program = text.split("\"command\": \"").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    put(place.at("r"), CLAUDE, text.replace(&program, "/gone/hookc"));
    let status = place.hookc(&["status"]);
    assert!(status.code == 1 && status.out.contains("note: the program `/gone/hookc` is gone"), "{status:?}");
}

#[test]
fn check_reports_events_that_the_settings_do_not_call() {
    let place = Place::new();
    let check = |host: &str| place.hookc(&["check", "guard.yaml", "--host", host]);
    let is_noted = |run: &Run| run.err.contains("note: guard.yaml has hooks for");
    let policy = format!("{POLICY}  - {{id: b, event: Stop, action: {{type: allow}}}}\n");
    put(place.at("r"), "guard.yaml", &policy);
    assert!(!is_noted(&check("claude")), "not installed");
    put(place.at("r"), "guard.yaml", POLICY);
    assert_eq!(place.hookc(&["install", "claude", "guard.yaml"]).code, 0);
    assert!(!is_noted(&check("claude")), "every event is called");
    put(place.at("r"), "guard.yaml", &policy);
    let run = check("claude");
    let note = "note: guard.yaml has hooks for Stop, and the settings of Claude Code in this project have no call \
                for them: run `hookc install claude guard.yaml` again\n";
    assert!(run.code == 0 && run.err.contains(note), "{run:?}");
    assert!(!is_noted(&check("codex")), "the settings of another agent");
    assert!(!is_noted(&place.hookc(&["-q", "check", "guard.yaml", "--host", "claude"])));
    assert!(is_noted(&place.hookc(&["check", "guard.yaml"])), "the agents of the project");
    assert_eq!(place.hookc(&["install", "claude", "guard.yaml"]).code, 0);
    assert!(!is_noted(&check("claude")), "installed again");
}

#[test]
fn install_warns_about_calls_that_somebody_narrowed() {
    let narrowed = [
        (
            "claude",
            CLAUDE,
            "\"PreToolUse\": [",
            "\"matcher\": \"Edit\",",
            "the matcher `Edit` lets no tool through",
        ),
        ("claude", CLAUDE, "\"hooks\": [", "\"async\": true,", "nothing waits for this call"),
        (
            "claude",
            CLAUDE,
            "\"hooks\": [",
            "\"if\": \"Bash(git *)\",",
            "`if` keeps this call from most events",
        ),
        (
            "codex",
            ".codex/hooks.json",
            "\"PreToolUse\": [",
            "\"matcher\": \"Edit\",",
            "the matcher `Edit` lets no tool through",
        ),
        (
            "gemini",
            ".gemini/settings.json",
            "\"BeforeTool\": [",
            "\"matcher\": \"write_file\",",
            "the matcher `write_file` lets no tool through",
        ),
        (
            "qwen",
            ".qwen/settings.json",
            "\"PreToolUse\": [",
            "\"matcher\": \"write_file\",",
            "the matcher `write_file` lets no tool through",
        ),
        (
            "cursor",
            ".cursor/hooks.json",
            "\"preToolUse\": [",
            "\"matcher\": \"Write\",",
            "the matcher `Write` lets no tool through",
        ),
    ];
    for (agent, file, list, member, warning) in narrowed {
        let place = Place::new();
        assert!(!place.hookc(&["install", agent, "guard.yaml"]).err.contains("the matcher"), "{agent}");
        let settings = read(place.at("r"), file);
        let (before, after) = settings.rsplit_once(list).unwrap_or_else(|| panic!("{agent}: {settings}"));
        let settings = format!("{before}{list}{}", after.replacen('{', &format!("{{{member}"), 1));
        put(&place.0, &format!("r/{file}"), &settings);
        let run = place.hookc(&["install", agent, "guard.yaml"]);
        assert!(run.code == 0 && run.err.contains(&format!("warning: {file}:")), "{agent} {member}: {run:?}");
        assert!(run.err.contains(warning) && run.err.contains("(remove "), "{agent} {member}: {run:?}");
    }
}

#[test]
fn a_timeout_is_for_agents_whose_hooks_can_have_one() {
    for (agent, has_timeouts) in [("windsurf", false), ("cline", false), ("claude", true), ("cursor", true)] {
        let run = Place::new().hookc(&["install", agent, "guard.yaml", "--timeout", "20"]);
        assert_eq!(run.code, 0, "{agent}: {}", run.err);
        assert_eq!(run.err.contains("`--timeout` changes nothing"), !has_timeouts, "{agent}: {}", run.err);
    }
}

/// A handler without a timeout ends shortly before the agent stops waiting by default, which it does not wait with a
/// shorter one.
#[test]
fn a_timeout_that_is_shorter_than_the_default_of_the_agent() {
    let action = |more: &str| {
        format!("hooks: [{{id: a, event: PreToolUse, action: {{type: run, command: 'true'{more}}}}}]")
    };
    // At Gemini CLI and OpenCode, a call that is ended does not let the action pass.
    for (agent, timeout, more, warns) in [
        ("claude", "5", "", true),
        ("claude", "595", "", true),
        ("claude", "596", "", false),
        ("claude", "5", ", timeout: 2.5", false),
        ("claude", "5", ", blocking: false", false),
        ("copilot", "5", "", true),
        ("copilot", "30", "", false),
        ("gemini", "5", "", false),
        ("opencode", "5", "", false),
    ] {
        let place = Place::new();
        put(place.at("r"), "guard.yaml", action(more));
        let run = place.hookc(&["install", agent, "guard.yaml", "--timeout", timeout]);
        let name = if agent == "claude" { "Claude Code" } else { "Copilot CLI" };
        let unit = format!("{name} ends the call of hookc after {timeout} seconds");
        assert_eq!(run.err.contains(&unit), warns, "{agent} {timeout} {more}: {}", run.err);
        assert!(!warns || run.err.contains("write `timeout: "), "{}", run.err);
    }
}
