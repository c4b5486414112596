//! The tables of programs: each entry is read as it says.

use hookc_shell::tables::facts::{Fact, Sub};
use hookc_shell::tables::model::{OptionArgument, tokens};
use hookc_shell::tables::{facts, rows};
use hookc_shell::view;
use serde_json::Value;

use hookc_corpus::amount;

fn last(line: &str) -> Value {
    let view: Value = serde_json::from_str(&view(line, Some("/r"), &[])).unwrap();
    assert_eq!(view["ok"], true, "{line}");
    view["commands"][0].clone()
}

thread_local! {
    static WRONG: std::cell::RefCell<Vec<String>> = const { std::cell::RefCell::new(Vec::new()) };
}

fn expect(is: bool, what: impl std::fmt::Display) {
    if !is {
        WRONG.with_borrow_mut(|all| all.push(what.to_string()));
    }
}

/// An option with a value takes the next word, one without does not.
fn option(program: &str, before: &str, (option, takes): (&str, OptionArgument)) {
    let line = format!("{program} {before} {option} v1 v2");
    let command = last(&line);
    let name = option.trim_start_matches('-');
    let value = &command["flags"][name];
    match takes {
        OptionArgument::Data(1) => expect(value == "v1", &line),
        OptionArgument::Nothing | OptionArgument::Joined => expect(value == true, &line),
        _ => {}
    }
}

fn fact(fact: &'static Fact) {
    for program in fact.names.split(' ') {
        tokens(fact.options).for_each(|one| option(program, "", one));
        for pair in fact.same.split_ascii_whitespace() {
            same(program, "", pair);
        }
        for verb in fact.verbs {
            for name in verb.names.split(' ') {
                tokens(verb.options).for_each(|one| option(program, name, one));
                verb.same.split_ascii_whitespace().for_each(|pair| same(program, name, pair));
                // Behind a group, the next word is the subcommand.
                let is_group =
                    matches!(fact.sub, Sub::First(groups) if groups.split(' ').any(|own| own == name));
                let sub = if is_group { "x" } else { name };
                expect(last(&format!("{program} {name} x"))["sub"] == sub, format!("{program} {name}"));
            }
        }
        match fact.sub {
            Sub::None => expect(last(&format!("{program} x"))["sub"].is_null(), program),
            Sub::First(groups) => {
                expect(last(&format!("{program} zz y"))["sub"] == "zz", program);
                expect(last(&format!("{program} zz y"))["operands"][0] == "y", program);
                for group in groups.split_ascii_whitespace() {
                    let line = format!("{program} {group} zz");
                    let view: Value = serde_json::from_str(&view(&line, Some("/r"), &[])).unwrap();
                    // Some groups start a program without a subcommand too.
                    let starts = view["commands"][1]["name"] == "zz";
                    let sub = if starts { group } else { "zz" };
                    expect(view["commands"][0]["sub"] == sub, line);
                }
            }
            Sub::Second => expect(last(&format!("{program} a zz y"))["sub"] == "zz", program),
            Sub::Verb(verbs) => {
                for verb in verbs.split_ascii_whitespace() {
                    expect(
                        last(&format!("{program} zz {verb} y"))["sub"] == verb,
                        format!("{program} {verb}"),
                    );
                }
            }
        }
    }
}

fn same(program: &str, before: &str, pair: &str) {
    let (short, long) = pair.split_once('=').unwrap_or_else(|| panic!("{program}: {pair}"));
    let line = format!("{program} {before} -{short} v");
    let flags = last(&line)["flags"].clone();
    expect(!flags[short].is_null() && flags[short] == flags[long], format!("{line}: {flags}"));
}

pub(super) fn check() {
    facts().skip(amount(0, 3)).step_by(amount(1, 29)).for_each(fact);
    let starting = rows().filter(|row| row.operands.ends_with("command") && row.verbs.is_empty());
    for row in starting.step_by(amount(1, 20)) {
        // The shell itself reads the others.
        for program in row.names.split(' ').filter(|name| !matches!(*name, "time" | "coproc")) {
            let data = row.operands.split(' ').filter(|kind| matches!(*kind, "data" | "script")).count();
            let line = format!("{program} {} rm x", "d ".repeat(data));
            let view: Value = serde_json::from_str(&view(&line, None, &[])).unwrap();
            let inner = &view["commands"][1];
            expect(inner["name"] == "rm", format!("{line}: {view}"));
            expect(inner["via"] == serde_json::json!([program]), &line);
            expect(inner["operands"] == serde_json::json!(["x"]), &line);
        }
    }
    let wrong = WRONG.with_borrow(Vec::clone);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
