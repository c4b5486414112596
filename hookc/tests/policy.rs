//! Policies from text, files and modules, and what is wrong with them.

use std::error::Error;
use std::fs;

use hookc::{Builtin, Layer, LoadError, Policy, PolicyError, Source};

const DENY: &str = "hooks: [{id: one, event: Stop, action: {type: deny}}]\n";

fn events(policy: &Policy) -> Vec<&str> {
    policy.module().events().map(|event| event.name).collect()
}

#[test]
fn errors_look_as_on_the_command_line() {
    let text = "hooks:\n  - event: PreToolUse\n    action: {type: dney}\n";
    let error = Policy::from_source(Source::new("guard.yaml", text)).unwrap_err();
    let shown = error.to_string();
    assert!(shown.starts_with("error[E") && shown.contains("\n1 error"), "{shown}");
    assert!(shown.contains("--> guard.yaml:3:20") && shown.contains("deny"), "{shown}");
    assert_eq!(format!("{error:?}"), format!("\n{shown}"));
    assert!(error.has_errors());
    let first = error.iter().next().unwrap();
    assert_eq!(error.location(first), Some(("guard.yaml", 3, 20)));
    assert_eq!(error.to_json_lines().lines().count(), error.len());
}

#[test]
fn warnings_stay_with_the_policy() {
    let text = "hooks: [{event: PreToolUse, when: \"tool_nmae == 'Bash'\", action: {type: deny}}]";
    let policy = Policy::from_yaml(text).unwrap();
    assert!(!policy.diagnostics().is_empty() && !policy.diagnostics().has_errors());
    let source = Source::new("policy.yaml", text);
    let strict = Policy::builder().source(source).strict(true).build().unwrap_err();
    assert!(strict.has_errors(), "{strict}");
}

#[test]
fn ships_no_hooks_unless_asked() {
    let text = "hooks: [{event: error, action: {type: fail}}]";
    let from_text = Policy::from_yaml(text).unwrap();
    assert_eq!(events(&from_text), ["error"]);
    for none in [Policy::from_sources([]), Policy::builder().shipped_hooks(Builtin::Threads).build()] {
        let error = none.unwrap_err();
        assert!(error.code() == "E0007" && error.to_string().contains("the policy has no source"), "{error}");
    }
    assert!(Policy::builder().shipped_hooks(Builtin::Always).build().is_ok());
    let source = Source::new("policy.yaml", text).with_layer(Layer::Project);
    let both = Policy::builder().source(source).shipped_hooks(Builtin::Threads).build().unwrap();
    assert!(events(&both).contains(&"limit"), "{:?}", events(&both));
}

#[test]
fn files_are_read_by_name_and_shape() {
    let folder = tempfile::tempdir().unwrap();
    let (yaml, settings) = (folder.path().join("hooks.yaml"), folder.path().join("settings.json"));
    fs::write(&yaml, DENY).unwrap();
    let group =
        r#"{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "x"}]}]}}"#;
    fs::write(&settings, group).unwrap();
    assert_eq!(events(&Policy::from_files([&yaml, &settings]).unwrap()), ["PreToolUse", "Stop"]);

    fs::write(&yaml, "hooks: [").unwrap();
    assert!(matches!(Policy::from_file(&yaml), Err(PolicyError::Policy(_))));
    assert!(
        matches!(Policy::from_files([""; 0]), Err(error @ PolicyError::NoFiles) if error.code() == "file")
    );
    for missing in [folder.path().to_owned(), folder.path().join("none.yaml")] {
        let error = Policy::from_file(&missing).unwrap_err();
        assert!(
            error.to_string().contains(&missing.display().to_string()) && error.source().is_some(),
            "{error}"
        );
    }
}

#[test]
fn modules_load_without_their_source() {
    let policy = Policy::from_yaml(DENY).unwrap();
    let bytes = policy.module().bytes().to_vec();
    assert_eq!(Policy::from_module(bytes.as_slice()).unwrap().module().hash(), policy.module().hash());
    assert!(Policy::from_module(bytes.clone()).unwrap().diagnostics().is_empty());
    assert!(matches!(Policy::from_module(&bytes[1..]), Err(LoadError::NotAModule)));
}
