//! The examples of the code pages (`schema/codes/`) that need the command line:
//! the first one reports the code, in the words of the page, and the second does not.
//! `compiler/tests/code_pages.rs` checks the pages whose first example is a source.

use std::path::Path;

use hookc_schema::Code;

use crate::common::{executable, hookc, put};

/// The codes that this module checks. `E0703` needs a policy of 256 MiB
/// (`compiler/tests/growth.rs`), and no known input reports `E0802` or `E0999`.
const CODES: &[Code] = &[
    Code::E0001,
    Code::E0002,
    Code::E0003,
    Code::E0004,
    Code::E0005,
    Code::E0006,
    Code::E0103,
    Code::E0104,
    Code::E0258,
    Code::E0259,
    Code::E0306,
    Code::E0417,
    Code::E0502,
    Code::E0503,
    Code::E0801,
    Code::E0803,
    Code::W0244,
    Code::W0267,
];

const HOOKS: &str = "hooks:\n  - id: no-push\n    event: PreToolUse\n    action: {type: deny}\n";

#[test]
fn examples_of_code_pages_report_their_code() {
    for &code in CODES {
        let fences = fences(code.page());
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

/// The texts of the fences of a page.
fn fences(page: &str) -> Vec<String> {
    let mut fences = Vec::new();
    let mut open: Option<String> = None;
    for line in page.lines() {
        match &mut open {
            Some(_) if line.starts_with("```") => fences.extend(open.take()),
            Some(text) => *text += &format!("{line}\n"),
            None if line.starts_with("```") => open = Some(String::new()),
            None => {}
        }
    }
    fences
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
        (Code::E0004 | Code::E0417, _) => {
            put(folder, "hooks.yaml", text);
            "check --examples hooks.yaml"
        }
        (Code::E0005, _) => {
            put(folder, "guards/push.yaml", text);
            "check ."
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
        (Code::E0503, _) => {
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
