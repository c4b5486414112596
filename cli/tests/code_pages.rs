//! The examples of the code pages (`schema/codes/`): the first example of a page reports the code,
//! and the others do not. Most examples are sources, which are compiled. The pages of
//! [`COMMAND_LINE`] need the command line, and their messages must be those of the page.

use std::path::Path;

use hookc_compiler::{Dialect, Hosts, Input, Options, compile};
use hookc_schema::agents::{self, Id};
use hookc_schema::diag::{ALL_CODES, render};
use hookc_schema::{Code, Diagnostic, Sources};
use hookc_syntax::front::detect;

use crate::common::{executable, hookc, put};

/// Codes without a checked example: `E0703` needs a policy of 256 MiB (`compiler/tests/growth.rs`),
/// and no known input reports `E0802` or `E0999`; `E0007` is of programs that embed hookc (`hookc/tests/policy.rs`).
const UNCHECKED: &[Code] = &[Code::E0007, Code::E0703, Code::E0802, Code::E0999];

/// Codes whose first example does not report them when one source is compiled.
const COMMAND_LINE: &[Code] = &[
    Code::E0001,
    Code::E0002,
    Code::E0003,
    Code::E0004,
    Code::E0005,
    Code::E0006,
    Code::W0008,
    Code::E0103,
    Code::E0104,
    Code::E0258,
    Code::E0259,
    Code::E0306,
    Code::E0417,
    Code::E0436,
    Code::E0437,
    Code::W0647,
    Code::W0648,
    Code::E0502,
    Code::E0503,
    Code::E0504,
    Code::E0801,
    Code::E0803,
    Code::W0244,
    Code::W0267,
];

const HOOKS: &str = "hooks:\n  - id: no-push\n    event: PreToolUse\n    action: {type: deny}\n";

#[test]
fn examples_that_are_sources_report_their_code() {
    let mut wrong = Vec::new();
    for &code in ALL_CODES {
        let compiled = !COMMAND_LINE.contains(&code) && !UNCHECKED.contains(&code);
        for (at, (language, text)) in fences(code.page()).into_iter().enumerate() {
            let Some((sources, found)) = diagnostics(language, &text) else {
                assert!(at > 0 || !compiled, "{code}: the first example is not checked");
                continue;
            };
            let reported = found.iter().any(|d| d.code == code);
            let others = found.iter().any(|d| d.code != code && d.is_error());
            if reported != (at == 0 && compiled) || (others && at > 0) {
                let shown = render::text::render(&found, &sources);
                wrong.push(format!("{code}, example {}:\n{text}\n{shown}", at + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn examples_for_the_command_line_report_their_code() {
    for &code in COMMAND_LINE {
        let fences: Vec<String> = fences(code.page()).into_iter().map(|(_, text)| text).collect();
        for at in 0..2 {
            let folder = tempfile::tempdir().unwrap();
            let command = prepare(folder.path(), code, at, &fences);
            let args: Vec<&str> = command.split_whitespace().collect();
            let run = hookc(&folder, &args, "");
            // `--lossy` reduces E0801 and E0803 to warnings.
            let reported = run.err.contains(&format!("{}[{code}]", code.severity().name()));
            assert_eq!(reported, at == 0, "{code}, example {}: hookc {command}\n{}", at + 1, run.err);
            for line in fences[at].lines().filter(|line| line.contains(&format!("[{code}]: "))) {
                assert!(run.err.lines().any(|one| one == line), "{code}: {line}\n{}", run.err);
            }
        }
    }
}

/// Writes the files of an example and returns the arguments of `hookc`: those that
/// the page shows, if it shows a command.
fn prepare(folder: &Path, code: Code, at: usize, fences: &[String]) -> String {
    let text = &fences[at];
    let shown = text.lines().find_map(|line| {
        let line = line.strip_prefix("$ ").unwrap_or(line);
        line.strip_prefix("hookc ").map(str::to_owned)
    });
    around(folder, code, at);
    shown.unwrap_or_else(|| put_example(folder, code, at, text).to_owned())
}

/// Writes an example that shows no command, and returns the arguments that read it.
fn put_example(folder: &Path, code: Code, at: usize, text: &str) -> &'static str {
    match (code, at) {
        (Code::E0002, 0) => {
            put(folder, "hooks.yaml", b"hooks: []\ndescription: Pr\xfcfung\n");
            "check hooks.yaml"
        }
        (Code::E0002, _) => {
            put(folder, "hooks.yaml", "# Pr\u{fc}fung\nhooks:\n  - {event: error, action: {type: retry}}\n");
            "check hooks.yaml"
        }
        (Code::E0003, 0) => {
            put(folder, "rules.yaml", text);
            "check rules.yaml"
        }
        (Code::E0004 | Code::E0417 | Code::E0436 | Code::W0647, _) => {
            put(folder, "hooks.yaml", text);
            "check --examples hooks.yaml"
        }
        (Code::E0437, _) => {
            put(folder, "hooks.yaml", HOOKS);
            put(folder, "hooks.test.yaml", text);
            "test hooks.test.yaml"
        }
        (Code::E0005, _) => {
            put(folder, "guards/push.yaml", text);
            "check ."
        }
        (Code::W0008, _) => {
            put(folder, "guards/push.yaml", HOOKS);
            put(folder, "guards/rm.yaml", text);
            "check guards"
        }
        (Code::E0103, 0) => {
            let deep = format!("{}{{path: a, op: exists}}{}", "{not: ".repeat(129), "}".repeat(129));
            put(
                folder,
                "hooks.yaml",
                format!("hooks:\n  - event: error\n    condition: {deep}\n    action: {{type: retry}}\n"),
            );
            "check hooks.yaml"
        }
        (Code::E0104, 0) => {
            let mut text = text.replace("# ... and so on\n", "");
            for pair in "abcdefgh".as_bytes().windows(2).skip(2) {
                let (from, to) = (char::from(pair[0]), char::from(pair[1]));
                text += &format!("{to}: &{to} [{}]\n", vec![format!("*{from}"); 10].join(", "));
            }
            put(folder, "hooks.yaml", format!("{text}hooks: []\n"));
            "check hooks.yaml"
        }
        (Code::E0259, _) => "check .system/hooks/tests.yaml",
        (Code::E0306, 0) => {
            let long = vec!["tool_name == 'a'"; 5_000].join(" or ");
            put(
                folder,
                "hooks.yaml",
                format!("hooks:\n  - event: PreToolUse\n    when: \"{long}\"\n    action: {{type: deny}}\n"),
            );
            "check hooks.yaml"
        }
        (Code::E0502, _) => {
            put(folder, "hooks.yaml", text);
            "check --layer managed=managed.yaml hooks.yaml"
        }
        (Code::E0503 | Code::E0504, _) => {
            let (first, second) = text.split_once("# b.yaml").unwrap();
            put(folder, "a.yaml", first);
            put(folder, "b.yaml", second);
            "check --dialect hooks-yaml a.yaml b.yaml"
        }
        (Code::W0244, _) => {
            put(folder, "a/settings.json", text);
            put(folder, "b/settings.json", text);
            if at == 0 {
                "check --merge replace a/settings.json b/settings.json"
            } else {
                "check --merge append a/settings.json b/settings.json"
            }
        }
        (Code::W0267, _) => {
            put(folder, "user/SKILL.md", text);
            put(folder, "project/SKILL.md", text.replace("deploy-by-hand", "deploy"));
            "check --no-fs --layer user=user/SKILL.md --layer project=project/SKILL.md"
        }
        _ => {
            put(folder, "hooks.yaml", text);
            "check hooks.yaml"
        }
    }
}

/// Writes the files that the commands of a page need.
fn around(folder: &Path, code: Code, at: usize) {
    match code {
        Code::E0001 => {
            // A sparse file: it takes no space.
            let large = std::fs::File::create(folder.join("generated-hooks.yaml")).unwrap();
            large.set_len(310_000_000).unwrap();
            put(folder, "hooks-1.yaml", HOOKS);
            put(folder, "hooks-2.yaml", HOOKS.replace("no-push", "no-pull"));
        }
        Code::E0006 => {
            put(folder, "policy.yaml", HOOKS);
            let done = hookc(folder, &["compile", "policy.yaml", "-o", "policy.hookc"], "");
            assert_eq!(done.code, 0, "{}", done.err);
        }
        Code::E0258 | Code::E0259 => {
            let hook = "id: tests\nevent_type: SessionStop\nenabled: true\nblocking: false\n\
                        handler: {kind: script, command: ./scripts/hooks/tests.sh}\n";
            put(folder, ".system/hooks/tests.yaml", hook);
            if code == Code::E0259 && at == 0 {
                put(folder, "scripts/hooks/tests.sh", "#!/bin/sh\n");
            } else if code == Code::E0259 {
                executable(folder, "scripts/hooks/tests.sh", "true");
            }
        }
        Code::W0648 => {
            let hook = "  - {event: Stop, action: {type: continue}}\n";
            put(folder, "hooks.yaml", format!("hooks:\n{}", hook.repeat(1_201)));
        }
        Code::E0502 => {
            put(folder, "managed.yaml", HOOKS);
        }
        Code::E0801 => {
            put(folder, "hooks.yaml", "builtin_hooks:\n  - {event: error, action: {type: retry}}\n");
        }
        Code::E0803 => {
            put(folder, "hooks.yaml", HOOKS);
        }
        _ => {}
    }
}

/// The diagnostics of a fence; `None` if its language is not that of a source.
fn diagnostics(language: &str, text: &str) -> Option<(Sources, Vec<Diagnostic>)> {
    if detect::is_test(text) {
        return None;
    }
    let (name, dialect) = match language {
        "yaml" => ("hooks.yaml", Dialect::HooksYaml),
        "yaml repository" => ("hook.yaml", Dialect::Repository),
        "markdown skill" => ("SKILL.md", Dialect::Skill),
        "json hooks" => ("hooks.json", Dialect::Settings),
        "json" => ("settings.json", Dialect::Settings),
        "yaml workflow" => ("workflow.yaml", Dialect::Workflow),
        "xml" => ("directive.xml", Dialect::DirectiveXml),
        "markdown" => ("directive.md", Dialect::DirectiveXml),
        // `json gemini`: the hooks file of an agent; `yaml for codex`: a policy for it.
        _ => match language.split_once(' ')? {
            ("toml", "codex") => ("config.toml", Dialect::Agent(Id::Codex)),
            ("json", name) => ("hooks.json", Dialect::all().find(|one| one.name() == name)?),
            ("yaml", host) if host.starts_with("for ") => ("hooks.yaml", Dialect::HooksYaml),
            _ => return None,
        },
    };
    let host = language.strip_prefix("yaml for ").and_then(agents::by_name);
    let hosts = Hosts::from_agents(host);
    let mut sources = Sources::new();
    let source = sources.add(name, text);
    let inputs = [Input::new(source).with_dialect(dialect)];
    let compiled = compile(&mut sources, &inputs, &Options::default().hosts(hosts));
    Some((sources, compiled.diagnostics))
}

/// Languages and texts of the fences of a page.
fn fences(page: &str) -> Vec<(&str, String)> {
    let mut fences = Vec::new();
    let mut open: Option<(&str, &str, String)> = None;
    for line in page.lines() {
        match &mut open {
            Some((mark, _, _)) if line == *mark => {
                fences.extend(open.take().map(|(_, language, text)| (language, text)));
            }
            Some((_, _, text)) => *text += &format!("{line}\n"),
            None if line.starts_with("```") => {
                let language = line.trim_start_matches('`');
                open = Some((&line[..line.len() - language.len()], language, String::new()));
            }
            None => {}
        }
    }
    fences
}
