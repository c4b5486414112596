//! `hookc new hook` for every event of every dialect, and for every tool: its output is in
//! canonical format, has no warning under `--strict`, and the hook decides about its sample event.

use std::fmt::Write;
use std::path::Path;

use hookc_schema::tree::Family;
use hookc_schema::vocab::Vocabulary;

use crate::common;

/// Tools, and events that are about one.
const TOOLS: [&str; 11] = [
    "Bash",
    "Write",
    "Edit",
    "Read",
    "Glob",
    "Grep",
    "WebFetch",
    "WebSearch",
    "NotebookEdit",
    "Agent",
    "mcp__github__create_issue",
];
const ABOUT_TOOLS: [&str; 3] = ["PreToolUse", "PostToolUse", "PermissionRequest"];

/// A hook to scaffold: its dialect, event and tool.
type Wanted = (&'static str, Family, String, Option<&'static str>);

fn wanted() -> Vec<Wanted> {
    let vocabulary = Vocabulary::builtin();
    let mut all = Vec::new();
    for (family, name) in vocabulary.events.keys() {
        // A name that several vocabularies have is the first one's in hooks-yaml.
        if vocabulary.event(Family::Thread, name).is_some_and(|event| event.family == *family) {
            all.push(("hooks-yaml", *family, name.clone(), None));
        }
        let own = match family {
            Family::Agent => "settings",
            Family::Repository => "repository",
            Family::Skill => "skill",
            Family::Thread | Family::Workflow => continue,
        };
        all.push((own, *family, name.clone(), None));
    }
    for event in ABOUT_TOOLS {
        for tool in TOOLS {
            all.push(("hooks-yaml", Family::Agent, event.to_owned(), Some(tool)));
            all.push(("settings", Family::Agent, event.to_owned(), Some(tool)));
        }
    }
    all
}

fn scaffold(folder: &Path, (dialect, _, event, tool): &Wanted, id: &str) {
    let mut args = vec!["new", "hook", "--dialect", dialect, "--id", id, "--event", event];
    if *dialect != "skill" {
        args.extend(["--handler", "sh"]);
    }
    if *dialect == "hooks-yaml" {
        args.extend(["--action", "run"]);
    }
    let by_tool = match (*dialect, tool) {
        ("settings", Some(tool)) => format!("matcher={tool}"),
        (_, Some(tool)) => format!("tool_name={tool}"),
        (_, None) => String::new(),
    };
    if tool.is_some() {
        args.extend(["--match", &by_tool]);
    }
    let run = common::hookc(folder, &args, "");
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{args:?}: {}", run.out);
}

#[test]
fn every_event_and_every_tool_is_scaffolded_soundly() {
    let (folder, mut wrong) = (tempfile::tempdir().unwrap(), String::new());
    let folder = folder.path();
    let mut laid_out = vec!["fmt".to_owned(), "--check".to_owned()];
    for (number, wanted) in wanted().iter().enumerate().step_by(hookc_corpus::effort(1, 7)) {
        let (dialect, _, event, tool) = wanted;
        let id = format!("h{number}");
        scaffold(folder, wanted, &id);
        let (policy, base) = match *dialect {
            "hooks-yaml" => (format!(".hooks/{id}.yaml"), format!(".hooks/{id}")),
            "settings" => (".claude/settings.json".to_owned(), format!("scripts/hooks/{id}")),
            "repository" => (format!(".system/hooks/{id}.yaml"), format!("scripts/hooks/{id}")),
            _ => (format!(".claude/skills/{id}/SKILL.md"), format!(".claude/skills/{id}/tests/{event}")),
        };
        if *dialect == "hooks-yaml" {
            laid_out.push(policy.clone());
        }
        let events = format!("{base}.events.ndjson");
        let sample = common::read(folder, &events);
        if let Some(tool) = tool {
            let says = format!("\"tool_name\":\"{tool}\"");
            let command = sample.contains("\"command\":");
            if !sample.contains(&says) || command != (*tool == "Bash") {
                let _ = writeln!(wrong, "{dialect} {event} {tool}: {sample}");
            }
        }
        let run =
            common::hookc(folder, &["eval", "--no-builtin", "--all", "--event", event, &policy, &events], "");
        if run.code != 0 || !run.err.is_empty() || run.out.contains("\"decision\":[]") {
            let _ = writeln!(wrong, "{dialect} {event} {tool:?}: {}{}", run.out, run.err);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    let laid_out: Vec<&str> = laid_out.iter().map(String::as_str).collect();
    let run = common::hookc(folder, &laid_out, "");
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "", ""));
    let run = common::hookc(folder, &["check", "--strict", "--deny", "warnings", "."], "");
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
}
