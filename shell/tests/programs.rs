//! The rows of programs: each one is read as it says.

use hookc_shell::programs::{OptionArgument, Row, Sub, program, rows};
use hookc_shell::view;
use serde_json::Value;

use hookc_corpus::{amount, effort};

fn last(line: &str) -> Value {
    let view: Value = serde_json::from_str(&view(line, Some("/r"), Default::default())).unwrap();
    // `[[` and `time` are words of the language, not programs.
    let name = line.split(' ').next().unwrap();
    let listed = view["commands"].as_array().into_iter().flatten();
    listed.clone().find(|command| command["name"] == name).cloned().unwrap_or_default()
}

thread_local! {
    static WRONG: std::cell::RefCell<Vec<String>> = const { std::cell::RefCell::new(Vec::new()) };
}

fn expect(is: bool, what: impl std::fmt::Display) {
    if !is {
        WRONG.with_borrow_mut(|all| all.push(what.to_string()));
    }
}

/// An option with a value takes the next word, one without does not, and has all of its names.
fn options(before: &str, row: &'static Row) {
    for option in row.options() {
        let is_plain = |name: &&str| name.starts_with('-') && !matches!(*name, "-" | "--");
        let Some(first) = option.names().next().filter(is_plain) else {
            continue;
        };
        let line = format!("{before} {first} v1 v2");
        let command = last(&line);
        if command.is_null() {
            continue;
        }
        let flags = command["flags"].clone();
        // The first group with a name says what it takes.
        let value = match row.known().find(|(name, _)| *name == first) {
            Some((_, OptionArgument::Data(1))) => Value::from("v1"),
            Some((_, OptionArgument::Nothing | OptionArgument::Joined)) => Value::from(true),
            _ => continue,
        };
        for name in option.names().filter(|name| name.starts_with('-')) {
            let listed = &flags[name.trim_start_matches('-')];
            expect(*listed == value, format!("{line}: {name} {flags}"));
        }
    }
}

fn row(row: &'static Row) {
    // Options of `echo` are words.
    for name in row.names().filter(|_| row.text("rest") != Some("text")) {
        let program = program(name).unwrap();
        options(name, row);
        for sub in row.subs().iter().filter(|sub| sub.subs().is_empty()) {
            let is_first = |name: &str| matches!(program.sub, Sub::First(groups) if !groups.split(' ').any(|listed| listed == name));
            for verb in sub.names().filter(|name| is_first(name)) {
                options(&format!("{name} {verb}"), sub);
                expect(last(&format!("{name} {verb} x"))["sub"] == verb, format!("{name} {verb}"));
            }
        }
        match program.sub {
            Sub::None => expect(last(&format!("{name} x"))["sub"].is_null(), name),
            Sub::First(_) | Sub::Verb(_) => {}
            Sub::Second => expect(last(&format!("{name} a zz y"))["sub"] == "zz", name),
        }
    }
}

/// A program that starts the one in its arguments.
fn wrapper(row: &'static Row) {
    let Some(places) = row.operands().filter(|_| row.subs().is_empty()) else { return };
    let before = places.iter().filter(|place| !place.repeats).count();
    // The shell itself reads the others.
    for program in row.names().filter(|name| !matches!(*name, "time" | "coproc")) {
        let line = format!("{program} {} rm x", "d ".repeat(before));
        let view: Value = serde_json::from_str(&view(&line, None, Default::default())).unwrap();
        let inner = &view["commands"][1];
        expect(inner["name"] == "rm", format!("{line}: {view}"));
        expect(inner["via"] == serde_json::json!([program]), &line);
        expect(inner["operands"] == serde_json::json!(["x"]), &line);
    }
}

pub(super) fn check() {
    rows().skip(amount(0, 3)).step_by(amount(effort(1, 4), 29)).for_each(row);
    let starting = rows().filter(|row| row.text("operands").is_some_and(|list| list.ends_with("COMMAND...")));
    starting.step_by(amount(1, 20)).for_each(wrapper);
    let wrong = WRONG.with_borrow(Vec::clone);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
