//! Views with some members of their commands.

use hookc_shell::limits;
use hookc_shell::{COMMAND_MEMBERS, MemberBits, Members, view, write_view};
use serde_json::Value;

use super::{SHAPES, corpus};
use hookc_corpus::amount;

fn part(line: &str, members: MemberBits) -> String {
    let mut out = String::new();
    write_view(line, Some("/r"), Default::default(), &Members::from_bits(members), &mut out);
    out
}

/// That part of the whole view.
fn expected(line: &str, names: &[&str]) -> String {
    let mut whole: Value = serde_json::from_str(&view(line, Some("/r"), Default::default())).unwrap();
    for command in whole["commands"].as_array_mut().unwrap() {
        command.as_object_mut().unwrap().retain(|name, _| names.contains(&name.as_str()));
    }
    whole.to_string()
}

fn sorted(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_part_of_the_members_is_that_part_of_the_view() {
    let sets: Vec<Vec<&str>> = COMMAND_MEMBERS
        .iter()
        .map(|name| vec![*name])
        .chain([vec![], vec!["flags", "name", "operands"], COMMAND_MEMBERS.to_vec()])
        .collect();
    for (line, _) in corpus().into_iter().step_by(amount(1, 100)) {
        for names in sets.iter().step_by(amount(1, 6)) {
            let members = names.iter().copied().collect();
            let own = part(&line, members);
            assert_eq!(sorted(&own), sorted(&expected(&line, names)), "{names:?}: {line}");
        }
    }
}

/// Lines whose views are large in one member or another, from small ones to those beyond the limit.
#[test]
fn a_view_is_too_large_whoever_reads_it() {
    let shapes: Vec<String> = SHAPES.iter().map(|shape| (*shape).to_owned()).collect();
    let own = [
        "cd aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; ",
        "a | ",
        "A='\\' b > '\\' ; ",
        "sudo -u '\u{1}' x; ",
        "x > y; ",
    ];
    let sizes: &[usize] =
        if cfg!(miri) { &[1 << 10, 12 << 10] } else { &[1 << 10, 8 << 10, 32 << 10, limits::SHELL_BYTES] };
    let (mut large, mut all) = (0, 0);
    let all_shapes = own.into_iter().chain(shapes.iter().map(String::as_str));
    for shape in all_shapes.step_by(amount(1, 40)) {
        for size in sizes.iter().copied() {
            for tail in ["x", ""].into_iter().step_by(amount(1, 2)) {
                let line = format!("{}{tail}", shape.repeat((size - 1) / shape.len()));
                let whole = sorted(&view(&line, Some("/r"), Default::default()));
                let own = sorted(&part(&line, MemberBits::named("name")));
                assert_eq!(
                    (&own["ok"], own.get("reason")),
                    (&whole["ok"], whole.get("reason")),
                    "{shape} {size}"
                );
                all += 1;
                large += usize::from(whole.get("reason") == Some(&Value::from("too_large")));
            }
        }
    }
    assert!(large > 0 && large < all, "{large} of {all} are too large");
}
