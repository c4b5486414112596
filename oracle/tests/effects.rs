//! Effects of events and predicates about them, in the oracle: examples, and properties over random lines.
//! `HOOKC_DECISIONS=1000000` makes it a long run.

use hookc_corpus::{effort, number};
use hookc_oracle::effects::{Deeds, Guard, Knowledge, Predicate, Project, Sets, ToolEvent, Verb, gather};
use hookc_oracle::generate::{self, Rng};
use serde_json::json;

use crate::common::effects::{knowledge, line};

fn bash(command: &str) -> ToolEvent {
    ToolEvent {
        tool: "Bash".to_owned(),
        host_tool: None,
        cwd: Some("/p".to_owned()),
        project: Project::Absent,
        input: json!({"command": command}),
    }
}

fn effects(deeds: &Deeds) -> Vec<String> {
    let show = |effect: &hookc_oracle::effects::Effect| format!("{:?} {}", effect.kind, effect.object);
    let mut effects: Vec<String> = deeds.effects.iter().map(show).collect();
    effects.sort();
    effects
}

fn guard(verb: Verb, of: &[&str]) -> Guard {
    let of = of.iter().map(|text| (*text).to_owned()).collect();
    Guard { verb, is_possible: false, of, except: Vec::new(), by: Vec::new(), not_by: Vec::new() }
}

#[test]
fn a_line_has_the_effects_of_its_commands() {
    let knowledge = knowledge();
    let text =
        "cd api && git push -f origin HEAD:main > ../log; cat < /etc/x; echo $TOKEN; curl https://x.example/";
    let deeds = gather(&bash(text), &knowledge, &line);
    let wanted = [
        "Contact @configured",
        "Contact x.example",
        "Push origin:main",
        "Read /etc/x",
        "Read TOKEN",
        "Write /p/log",
    ];
    assert_eq!(effects(&deeds), wanted);
}

#[test]
fn guards_match_effects_and_commands() {
    let knowledge = knowledge();
    let deeds = gather(&bash("cd api && git push -f origin HEAD:main > ../log"), &knowledge, &line);
    let cases = [
        (guard(Verb::Push, &["main"]), true),
        (guard(Verb::Push, &["other:*"]), false),
        (guard(Verb::Write, &["./log"]), true),
        (guard(Verb::Run, &["git push --force"]), true),
        (guard(Verb::Run, &["git push !-f"]), false),
        (guard(Verb::Run, &["git pull"]), false),
        (guard(Verb::Contact, &["@configured"]), true),
    ];
    for (guard, wanted) in cases {
        let holds = Predicate::Guard(guard.clone()).holds(&Sets::new(), &knowledge.rows, &deeds);
        assert_eq!(holds, wanted, "{guard:?}");
    }
}

/// A random event with predicates near its words, so many times.
fn each(salt: u64, mut see: impl FnMut(&mut Rng, &Knowledge, &ToolEvent, &Deeds, &Predicate)) {
    let knowledge = knowledge();
    let count = number("HOOKC_DECISIONS").unwrap_or_else(|| effort(20_000, 400));
    for seed in 0..count as u64 / 4 {
        let mut rng = Rng::new(seed ^ salt);
        let event = generate::effects::event(&mut rng, &knowledge);
        let deeds = gather(&event, &knowledge, &line);
        let text = event.input.to_string();
        for _ in 0..4 {
            let predicate = generate::effects::predicate(&mut rng, &text, &knowledge.rows);
            see(&mut rng, &knowledge, &event, &deeds, &predicate);
        }
    }
}

#[test]
fn what_is_certain_is_possible() {
    let (sets, mut count) = (generate::effects::sets(), 0);
    each(0xef1, |_, knowledge, event, deeds, predicate| {
        let Predicate::Guard(guard) = predicate else { return };
        let holds = |is_possible| {
            Predicate::Guard(Guard { is_possible, ..guard.clone() }).holds(&sets, &knowledge.rows, deeds)
        };
        if holds(false) {
            count += 1;
            assert!(holds(true), "{}\n{guard:?}", event.input);
        }
    });
    assert!(count > 10, "only {count} guards are true");
}

#[test]
fn what_only_covers_is_nothing_else() {
    let sets = generate::effects::sets();
    each(0xef2, |_, knowledge, event, deeds, predicate| {
        let Predicate::Guard(guard) = predicate else { return };
        if !matches!(guard.verb, Verb::Read | Verb::Write | Verb::Delete | Verb::Change) {
            return;
        }
        let listed = Guard { is_possible: false, by: vec![], not_by: vec![], ..guard.clone() };
        let runs = guard_of_everything();
        let only = Predicate::Only(vec![listed.clone(), runs]).holds(&sets, &knowledge.rows, deeds);
        let everything = |of: &Vec<String>| if of.is_empty() { vec!["**".to_owned()] } else { of.clone() };
        // What a pattern of `runs` covers can be read in the project.
        let except = everything(&listed.of).into_iter().chain(["./**".to_owned()]).collect();
        let other = Guard { is_possible: true, of: vec![], except, ..listed };
        if only {
            let may = Predicate::Guard(other).holds(&sets, &knowledge.rows, deeds);
            assert!(!may, "{}\n{guard:?}", event.input);
        }
    });
}

fn guard_of_everything() -> Guard {
    guard(Verb::Run, &["* *"])
}

#[test]
fn a_further_effect_makes_no_guard_false() {
    let sets = generate::effects::sets();
    each(0xef3, |rng, knowledge, event, deeds, predicate| {
        let Predicate::Guard(_) = predicate else { return };
        if !predicate.holds(&sets, &knowledge.rows, deeds) {
            return;
        }
        let other = gather(&generate::effects::event(rng, knowledge), knowledge, &line);
        let mut more = deeds.clone();
        more.effects.extend(other.effects.iter().map(|effect| {
            let command = None;
            hookc_oracle::effects::Effect { command, ..effect.clone() }
        }));
        more.is_unknown |= other.is_unknown;
        assert!(predicate.holds(&sets, &knowledge.rows, &more), "{}\n{predicate:?}", event.input);
    });
}

#[test]
fn a_wrapper_makes_no_guard_false() {
    let (sets, mut count) = (generate::effects::sets(), 0);
    each(0xef4, |rng, knowledge, event, deeds, predicate| {
        let (Predicate::Guard(guard), Some(text)) = (predicate, event.input["command"].as_str()) else {
            return;
        };
        if event.tool != "Bash" || deeds.is_unknown || !predicate.holds(&sets, &knowledge.rows, deeds) {
            return;
        }
        let wrapped = generate::effects::wrapped(rng, text);
        let mut other = event.clone();
        other.input["command"] = json!(wrapped);
        let after = gather(&other, knowledge, &line);
        count += 1;
        let holds = predicate.holds(&sets, &knowledge.rows, &after);
        assert!(holds, "{text}\n{wrapped}\n{guard:?}\n{:#?}\n{:#?}", effects(deeds), effects(&after));
    });
    assert!(count > 5, "only {count} guards are true");
}
