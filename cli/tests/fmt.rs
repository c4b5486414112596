//! `hookc fmt` and `hookc schema`.

use crate::common;

use std::path::{Path, PathBuf};

use serde_json::Value;

const ROUGH: &str = "hooks:\n- event: 'error'\n  id: a # one\n  action: {type: abort}\n";
const NEAT: &str = "hooks:\n  - id: a  # one\n    event: error\n    action: {type: abort}\n";

/// Exit code, standard output, standard error.
fn hookc(args: &[&str], input: &str) -> (i32, String, String) {
    common::hookc(common::project(), args, input).parts()
}

fn file(folder: &tempfile::TempDir, name: &str, text: &str) -> PathBuf {
    common::put(folder, name, text)
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn files_change_in_place_and_nothing_else_does() {
    let folder = tempfile::tempdir().unwrap();
    let rough = file(&folder, "a.yaml", ROUGH);
    let neat = file(&folder, "b.yaml", NEAT);
    let before = std::fs::metadata(&neat).unwrap().modified().unwrap();
    let run = hookc(&["fmt", rough.to_str().unwrap(), neat.to_str().unwrap()], "");
    assert_eq!(run, (0, String::new(), String::new()));
    assert_eq!((read(&rough).as_str(), read(&neat).as_str()), (NEAT, NEAT));
    assert_eq!(std::fs::metadata(&neat).unwrap().modified().unwrap(), before, "not written again");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2, "nothing is left beside them");
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "a.yaml", ROUGH);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    let link = folder.path().join("link.yaml");
    symlink(&path, &link).unwrap();
    assert_eq!(hookc(&["fmt", link.to_str().unwrap()], "").0, 0);
    assert_eq!(read(&path), NEAT);
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn check_changes_nothing_and_shows_the_changes() {
    let folder = tempfile::tempdir().unwrap();
    let rough = file(&folder, "a.yaml", ROUGH);
    let neat = file(&folder, "b.yaml", NEAT);
    let (code, out, err) = hookc(&["fmt", "--check", rough.to_str().unwrap(), neat.to_str().unwrap()], "");
    assert_eq!((code, err.as_str()), (1, ""));
    assert!(out.contains("a.yaml\n@@") && out.contains("\n-- event: 'error'\n"), "{out}");
    assert!(out.contains("\n+  - id: a  # one\n") && !out.contains("b.yaml"), "{out}");
    assert_eq!(read(&rough), ROUGH);
    assert_eq!(hookc(&["fmt", "--check", neat.to_str().unwrap()], ""), (0, String::new(), String::new()));
}

#[test]
fn standard_input_goes_to_standard_output() {
    assert_eq!(hookc(&["fmt", "-"], ROUGH), (0, NEAT.to_owned(), String::new()));
    let folder = tempfile::tempdir().unwrap();
    let rough = file(&folder, "a.yaml", ROUGH);
    assert_eq!(hookc(&["fmt", "--stdout", rough.to_str().unwrap()], "").1, NEAT);
    assert_eq!(read(&rough), ROUGH);
}

#[test]
fn unformattable_files_are_reported_and_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let broken = "hooks:\n- evnt: error\n  action: {type: abort}\n";
    let bad = file(&folder, "a.yaml", broken);
    let rough = file(&folder, "b.yaml", ROUGH);
    let (code, _, err) = hookc(&["fmt", bad.to_str().unwrap(), rough.to_str().unwrap()], "");
    assert_eq!(code, 1);
    assert!(err.contains("E0201"), "{err}");
    assert_eq!((read(&bad).as_str(), read(&rough).as_str()), (broken, NEAT));
    let json = "{\"hooks\": [{\"event\": \"error\", \"action\": {\"type\": \"abort\"}}]}\n";
    let path = file(&folder, "hooks.json", json);
    let (code, _, err) = hookc(&["fmt", path.to_str().unwrap()], "");
    assert!(code == 0 && err.contains("unchanged") && read(&path) == json, "{err}");
    let xml = file(&folder, "d.xml", "<directive name=\"x\"><hooks/></directive>");
    assert_eq!(hookc(&["fmt", xml.to_str().unwrap()], "").0, 2);
    assert_eq!(hookc(&["fmt", "no/such/file.yaml"], "").0, 2);
    assert_eq!(hookc(&["fmt"], "").0, 2);
}

#[test]
fn schemas_are_listed_and_printed() {
    let (code, list, _) = hookc(&["schema"], "");
    assert_eq!(code, 0);
    for name in ["hooks", "event", "decision", "test"] {
        assert!(list.contains(name), "{list}");
        let (code, text, _) = hookc(&["schema", name], "");
        let schema: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert!(code == 0 && schema["$schema"].is_string(), "{name}: {schema}");
    }
    let (code, _, err) = hookc(&["schema", "hook"], "");
    assert!(code == 2 && err.contains("did you mean hooks?"), "{err}");
}

#[test]
fn eval_prints_decisions() {
    let schema: Value = serde_json::from_str(&hookc(&["schema", "decision"], "").1).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let mut lines = 0;
    let mut check = |text: &str| {
        for line in text.lines() {
            lines += 1;
            let value: Value = serde_json::from_str(line).unwrap();
            let problems: Vec<String> = schema.iter_errors(&value).map(|e| e.to_string()).collect();
            assert!(problems.is_empty(), "{}\n{line}", problems.join("\n"));
        }
    };
    for case in hookc_corpus::cases("eval").unwrap() {
        let policies: Vec<String> = case
            .inputs("policy")
            .into_iter()
            .map(|file| case.path.join(file).to_string_lossy().into_owned())
            .collect();
        let events = case.path.join("events.ndjson").to_string_lossy().into_owned();
        let args: Vec<&str> = ["eval"].into_iter().chain(policies.iter().map(String::as_str)).collect();
        check(&hookc(&[&args[..], &[events.as_str()]].concat(), "").1);
    }
    let stripped = tempfile::tempdir().unwrap();
    let module = stripped.path().join("p.hookc").to_string_lossy().into_owned();
    hookc(&["compile", "--strip", "corpus/quickstart/hooks.yaml", "-o", &module], "");
    check(&hookc(&["eval", &module, "corpus/quickstart/events.ndjson"], "").1);
    check(&hookc(&["eval", "corpus/quickstart/hooks.yaml", "-"], "nonsense\n").1);
    assert!(lines > 100, "{lines}");
    for bad in ["{}", r#"{"event": "x"}"#, r#"{"event": "x", "decision": [{}]}"#, r#"{"error": "x"}"#] {
        assert!(!schema.is_valid(&serde_json::from_str(bad).unwrap()), "{bad}");
    }
}
