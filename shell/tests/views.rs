//! Lines and their views, one command a line: `views.txt`. `BLESS=1` writes it.

use std::fmt::Write;

use hookc_shell::programs::Programs;
use hookc_shell::{Wrapper, view};
use serde_json::Value;

use hookc_corpus::amount;

const HEAD: &str =
    "# Command lines, and the commands of their views. `⏎` is a line break. After the name and the
# arguments: what is not empty. The event's directory is /r.
";

fn texts(value: &Value) -> String {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match value {
        Value::Array(all) => all.iter().map(text).collect::<Vec<_>>().join(","),
        Value::Object(all) => {
            let pair = |(name, value): (&String, &Value)| match value {
                Value::Bool(true) => name.clone(),
                value => format!("{name}={}", text(value)),
            };
            all.iter().map(pair).collect::<Vec<_>>().join(",")
        }
        other => text(other),
    }
}

fn command(command: &Value) -> String {
    let mut out = format!("  {}", command["name"].as_str().unwrap_or("?"));
    for arg in command["args"].as_array().unwrap() {
        write!(out, " {}", arg.as_str().unwrap()).unwrap();
    }
    for member in ["path", "sub", "flags", "operands", "env", "via", "runs", "pipes_to", "globs"] {
        let value = &command[member];
        let is_same = member == "operands" && command["args"] == *value;
        if !value.is_null() && !texts(value).is_empty() && !is_same {
            write!(out, " · {member} {}", texts(value)).unwrap();
        }
    }
    for redirect in command["redirects"].as_array().unwrap() {
        let (op, target) = (redirect["op"].as_str().unwrap(), redirect["target"].as_str().unwrap());
        write!(out, " · {op} {target}").unwrap();
        if redirect["write"] == true {
            write!(out, " writes {} inside {}", texts(&redirect["path"]), redirect["inside"]).unwrap();
        }
    }
    if command["cwd"] != "/r" {
        write!(out, " · cwd {}", texts(&command["cwd"])).unwrap();
    }
    if command["known"] == false {
        out.push_str(" · unknown");
    }
    out.replace('\n', "⏎").replace('\r', "␍")
}

fn shown(line: &str) -> String {
    let programs = Programs::new(vec![Wrapper::new("sandbox")], Vec::new()).unwrap();
    let view: Value = serde_json::from_str(&view(line, Some("/r"), &programs)).unwrap();
    let mut out = String::new();
    if view["ok"] == false {
        return format!("! {}\n", view["reason"].as_str().unwrap());
    }
    if view["opaque"] != Value::Array(Vec::new()) {
        writeln!(out, "  opaque {}", texts(&view["opaque"])).unwrap();
    }
    view["commands"].as_array().unwrap().iter().for_each(|one| writeln!(out, "{}", command(one)).unwrap());
    out
}

pub(super) fn check() {
    let own = include_str!("views.txt");
    let end = own.match_indices("\n$ ").nth(amount(usize::MAX, 12));
    let own = end.map_or(own, |(at, _)| &own[..=at]);
    let lines: Vec<&str> =
        own.lines().filter(|line| line.starts_with(['$', '#']) && line.len() > 1).collect();
    let mut new = String::from(HEAD);
    for line in lines.iter().filter(|line| !HEAD.contains(**line)) {
        match line.strip_prefix("$ ") {
            Some(text) => {
                writeln!(new, "{line}").unwrap();
                new.push_str(&shown(&text.replace('⏎', "\n")));
            }
            None => writeln!(new, "\n{line}").unwrap(),
        }
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/views.txt"), new).unwrap();
        return;
    }
    for (own, new) in own.lines().zip(new.lines()) {
        assert_eq!(own, new);
    }
    assert_eq!(own.lines().count(), new.lines().count());
}

/// The number of a view, which changes with each of its bytes: FNV-1a.
fn number(view: &str) -> u64 {
    view.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// The view of each line of the corpora is the same in each byte: `corpora.txt` has its number. `BLESS=1` writes it.
pub(super) fn check_corpora() {
    let mut new = String::new();
    for (name, corpus) in [
        ("lines", include_str!("../../corpus/shell/lines.ndjson")),
        ("policies", include_str!("../../corpus/shell/policies.ndjson")),
    ] {
        for (at, json) in corpus.lines().take(amount(usize::MAX, 12)).enumerate() {
            let line: Value = serde_json::from_str(json).unwrap();
            let view = view(line["line"].as_str().unwrap(), Some("/r"), &Programs::SHIPPED);
            writeln!(new, "{name} {} {:016x}", at + 1, number(&view)).unwrap();
        }
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpora.txt"), new).unwrap();
        return;
    }
    let golden: Vec<&str> = include_str!("corpora.txt").lines().collect();
    let changed: Vec<&str> = new.lines().filter(|line| !golden.contains(line)).collect();
    assert_eq!(changed, [""; 0], "the views of these lines have changed");
    assert!(cfg!(miri) || new.lines().count() == golden.len());
}
