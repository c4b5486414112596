//! Every case of `corpus/eval` through the C library gives the bytes of decisions of the Rust one.

use std::fmt::Write as _;
use std::process::Command;

use facade::{Builtin, DecideOptions, Policy, Scratch, Source};

#[test]
fn decisions_have_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let program = crate::programs::build("tests/c/corpus.c", folder.path(), false);
    let (mut cases, mut lines) = (0, 0);
    for case in hookc_corpus::cases("eval").unwrap() {
        let events = case.path.join("events.ndjson");
        // Others are about sessions.
        if !events.exists() {
            continue;
        }
        let [file] = case.inputs("policy")[..] else { panic!("{}: one policy", case.name) };
        let source = Source::new(file, case.text(file).unwrap());
        let policy = Policy::builder().source(source).shipped_hooks(Builtin::Always).build().unwrap();
        let module = folder.path().join("module.hookc");
        std::fs::write(&module, policy.module().bytes()).unwrap();
        let run =
            Command::new(&program).arg(case.path.join(file)).arg(&module).arg(&events).output().unwrap();
        assert!(run.status.success(), "{}: {}", case.name, String::from_utf8_lossy(&run.stderr));
        let expected = reference(&policy, &case.bytes("events.ndjson").unwrap());
        assert_eq!(String::from_utf8_lossy(&run.stdout), expected, "{}", case.name);
        cases += 1;
        lines += expected.lines().count();
    }
    assert!(cases >= 30 && lines >= 400, "{cases} cases, {lines} decisions");
}

/// The decisions of the virtual machine.
fn reference(policy: &Policy, events: &[u8]) -> String {
    let (mut scratch, mut out) = (Scratch::new(), String::new());
    for event in events.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        match policy.module().decide(&mut scratch, event, &DecideOptions::default()) {
            Ok(decision) => decision.write_json(&mut out),
            Err(error) => drop(write!(out, "! {error}")),
        }
        out.push('\n');
    }
    out
}
