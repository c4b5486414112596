//! One policy of several starters, and its tests.
//!
//! The starters have a fixed layout: the keys `sets` and `hooks` at the root, and in a test a line for its type, for each
//! event and for what it expects. A test compares the result with the starters.

use std::fmt::Write;

use super::Starter;

/// A policy with the sets and hooks of these starters, at the events that `keep` accepts where a hook has several.
pub(crate) fn combined(parts: &[&Starter], keep: &dyn Fn(&str) -> bool) -> String {
    let names = parts.iter().map(|part| part.name).collect::<Vec<_>>().join(", ");
    let mut text = format!(
        "# A guard in one file, of the starters {names}. Change it as you like, and run its tests:\n\
         # hookc test .\n\
         #\n\
         # A list of what is dangerous never ends. For an unattended agent, list what it may do instead (`only`);\n\
         # `hookc run --ask deny` denies what this policy asks about.\n\
         schema_version: \"1.0.0\"\n"
    );
    let sets = parts.iter().filter_map(|part| section(&part.policy, "sets")).collect::<String>();
    if !sets.is_empty() {
        let _ = write!(text, "\nsets:\n{sets}");
    }
    text.push_str("\nhooks:");
    for part in parts {
        let hooks = section(&part.policy, "hooks").unwrap_or_default();
        let hooks: String = hooks.lines().map(|line| at_events(line, keep) + "\n").collect();
        let _ = write!(text, "\n  # {}: {}.\n{hooks}", part.name, part.about());
    }
    text
}

/// A line of a hook with those of its events.
fn at_events(line: &str, keep: &dyn Fn(&str) -> bool) -> String {
    let list = line.strip_prefix("    event: [").and_then(|rest| rest.strip_suffix(']'));
    let Some(list) = list else { return line.to_owned() };
    let kept: Vec<&str> = list.split(", ").filter(|event| keep(event)).collect();
    match kept[..] {
        [] => line.to_owned(),
        [event] => format!("    event: {event}"),
        _ => format!("    event: [{}]", kept.join(", ")),
    }
}

/// The lines below a key at the root.
fn section(text: &str, key: &str) -> Option<String> {
    let mut lines = text.lines().skip_while(|line| line.strip_suffix(':') != Some(key));
    lines.next()?;
    let lines: Vec<&str> = lines.take_while(|line| line.is_empty() || line.starts_with(' ')).collect();
    Some(format!("{}\n", lines.join("\n").trim_end()))
}

/// What a test of a starter is about, in one line.
struct Example<'t> {
    kind: &'t str,
    verdict: &'static str,
    name: &'t str,
    event: &'t str,
}

/// Tests for the combined policy in `hooks.yaml`: the first event of each test of the starters, by their verdicts. What
/// another starter says about the same event does not change them.
pub(crate) fn tests_of(parts: &[&Starter], keep: &dyn Fn(&str) -> bool) -> String {
    let mut text =
        "# What the guard denies, asks about and leaves alone.\npolicy: hooks.yaml\n\ntests:".to_owned();
    for part in parts {
        let tests = part.tests();
        let examples: Vec<Example<'_>> = tests.split("\n  - name: ").skip(1).filter_map(example).collect();
        let mut groups: Vec<(&str, &str)> = examples.iter().map(|one| (one.kind, one.verdict)).collect();
        groups.sort_unstable();
        groups.dedup();
        for (kind, verdict) in groups.into_iter().filter(|(kind, _)| keep(kind)) {
            let name = format!("{}: {verdict}", part.name);
            let _ = write!(text, "\n  - name: \"{name}\"\n    type: {kind}\n    events:\n");
            for one in examples.iter().filter(|one| (one.kind, one.verdict) == (kind, verdict)) {
                let _ = writeln!(text, "      # {}\n      - {}", one.name, one.event);
            }
            let _ = writeln!(text, "    expect: {verdict}");
        }
    }
    text
}

fn example(test: &str) -> Option<Example<'_>> {
    let name = test.lines().next()?;
    let value = |key: &str| test.lines().find_map(|line| line.strip_prefix(key));
    let expected = value("    expect: ")?;
    let verdict = ["deny", "ask"]
        .into_iter()
        .find(|verdict| expected == *verdict || expected.contains(&format!("action: {verdict}")));
    let event = value("      - ").or_else(|| value("    event: "))?;
    Some(Example { kind: value("    type: ")?, verdict: verdict.unwrap_or("none"), name, event })
}
