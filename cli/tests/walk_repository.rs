//! A repository's hooks from the command line: the guard of the document, the telemetry after a
//! call, the log, and the scaffold on a terminal.

use crate::common;

use serde_json::{Value, json};
use tempfile::TempDir;

fn hook(folder: &TempDir, id: &str, event: &str, rest: &str, handler: &str) {
    let text = format!(
        "id: {id}\nevent_type: {event}\nenabled: true\n{rest}\nhandler: {{kind: script, command: ./scripts/{id}.sh}}\n"
    );
    common::put(folder, &format!(".system/hooks/{id}.yaml"), text);
    common::executable(folder, &format!("scripts/{id}.sh"), handler);
}

/// Runs `echo` with these words as an ability.
fn ability(folder: &TempDir, source: &str, words: &str) -> (i32, String, String) {
    let mut call = common::command(folder);
    call.args(["ability", "run", "--ability", "edit_file", "--source", source, "--log", "log"]);
    call.args(["--stdout-log", "out.log", "--", "echo", words]);
    common::run(&mut call, "").parts()
}

fn log(folder: &TempDir) -> Vec<Value> {
    common::read(folder, "log").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Recipe 3: a guard that checks the caller: a session of the model must not change production, a
/// person and a job may.
#[test]
fn a_guard_looks_at_who_calls() {
    let folder = tempfile::tempdir().unwrap();
    let says = |code: &str| {
        let payload =
            json!({"ability_id": "edit_file", "reason": "not from a session", "require_human": true});
        json!({"hook_signals": [{"source_event": "PreAbilityCall", "hook_id": "guard",
            "kind": "ability_guard", "code": code, "severity": "error", "payload": payload}]})
    };
    let handler = format!(
        "cat > seen\nif grep -q '\"source\":\"ai_session\"' seen && grep -q config/prod seen\nthen echo '{}'\nelse echo '{}'\nfi",
        says("ABILITY_DENIED"),
        says("ABILITY_ALLOWED")
    );
    hook(&folder, "guard", "PreAbilityCall", "blocking: true\nmatch: {ability_scope: edit_file}", &handler);
    let prod = "config/prod.yaml";
    let human = "hookc: denied until a human decides: not from a session\n".to_owned();
    assert_eq!(ability(&folder, "ai_session", prod), (121, String::new(), human));
    for (source, words) in
        [("ai_session", "src/a.rs"), ("manual_cli", prod), ("background_job", prod), ("ci_pipeline", prod)]
    {
        assert_eq!(ability(&folder, source, words), (0, format!("{words}\n"), String::new()), "{source}");
    }
    // The log distinguishes the denial from the allowed calls.
    let before = log(&folder).into_iter().filter(|line| line["event"] == "PreAbilityCall");
    let told: Vec<Value> = before.map(|line| line["hooks"][0].clone()).collect();
    let words: Vec<&str> = told.iter().map(|hook| hook["outcome"].as_str().unwrap()).collect();
    assert_eq!(words, ["ask", "done", "done", "done", "done"]);
    assert!(told.iter().all(|hook| hook["hook"] == "guard" && hook["duration_ms"].is_number()), "{told:?}");
}

/// Telemetry: a background handler reads the whole output of the command from the path in the
/// event, and changes nothing.
#[test]
fn telemetry_reads_the_output_where_it_lies() {
    let folder = tempfile::tempdir().unwrap();
    let handler = r#"path=$(sed -n 's/.*"stdout_log_path":"\([^"]*\)".*/\1/p')
printf '%s' "$(wc -c < "$path") $(grep -c error "$path")" > quality.part
mv quality.part quality
exit 3"#;
    hook(&folder, "quality", "PostAbilityCall", "blocking: false\nmatch: {ability_scope: '*'}", handler);
    assert_eq!(ability(&folder, "manual_cli", "an error"), (0, "an error\n".to_owned(), String::new()));
    let until = std::time::Instant::now() + std::time::Duration::from_secs(10);
    while !folder.path().join("quality").exists() {
        assert!(std::time::Instant::now() < until, "the handler did not run");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let told = common::read(&folder, "quality");
    assert_eq!(told.split_whitespace().collect::<Vec<_>>(), ["9", "1"]);
    let started = log(&folder).into_iter().find(|line| line["event"] == "PostAbilityCall").unwrap();
    assert_eq!((&started["outcome"], &started["hooks"][0]["hook"]), (&json!("started"), &json!("quality")));
    // Its end is a line of its own.
    while !log(&folder).last().unwrap()["background"].is_boolean() {
        assert!(std::time::Instant::now() < until, "its end is not in the log");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let ended = log(&folder).pop().unwrap();
    assert_eq!(
        (&ended["outcome"], &ended["hooks"][0]["status"]),
        (&json!("failed"), &json!("exit status 3"))
    );
    assert_eq!((&ended["hooks"][0]["hook"], &ended["module"]), (&json!("quality"), &started["module"]));
}

/// The scaffold: it asks for missing values, again after an invalid answer, and its output is
/// valid, is listed, and guards.
#[test]
fn the_scaffold_asks_on_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let answers = [
        ("[claude]: ", "none\n"),
        ("[hooks-yaml]: ", "repository\n"),
        ("id: ", "guard paths\n"),
        ("id: ", "guard-paths\n"),
        ("event [", "PreAbilityCal\n"),
        ("did you mean `PreAbilityCall`", ""),
        ("event [", "PreAbilityCall\n"),
        ("handler: ", "sh\n"),
        ("may be empty): ", "Keeps sessions out\n"),
    ];
    let Some((out, err)) = common::terminal(&folder, &answers, &["new", "hook"]) else { return };
    assert!(out.starts_with("0\n") && err.is_empty(), "{out}{err}");
    let hook = common::read(&folder, ".system/hooks/guard-paths.yaml");
    assert!(hook.contains("event_type: PreAbilityCall") && hook.contains("Keeps sessions out"), "{hook}");
    let run = |args: &[&str]| common::hookc(&folder, args, "");
    let check = run(&["check", "--deny", "warnings", "."]);
    assert_eq!((check.code, check.err.as_str()), (0, ""), "{}", check.out);
    assert_eq!(run(&["test", "."]).code, 0);
    assert!(run(&["list", ".system/hooks"]).out.contains("guard-paths"));
    assert_eq!(ability(&folder, "ai_session", "x").0, 0);
    assert_eq!(log(&folder)[0]["hooks"][0]["hook"], "guard-paths");
}
