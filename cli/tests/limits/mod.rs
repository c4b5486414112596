//! Every limit of the code: what is just under it is accepted, and what is just over it is not, with a
//! message. A constant of a `limits.rs` that has no row fails the test.

mod elsewhere;
mod events;
mod lines;
mod policies;
mod sources;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::common;

/// The crates with a `limits.rs`.
const PLACES: [&str; 6] = ["shell", "vm", "schema", "syntax", "compiler", "runtime"];

/// What happens at a size: it is accepted, or rejected with a message.
type At = fn(usize) -> Result<(), String>;

/// How a limit is tested.
enum Test {
    /// Accepted at the limit, rejected with this message one above it.
    Edge(At, &'static str),
    /// The size is not that of the input, so the largest accepted one is searched up to the second number:
    /// the next one is rejected with this message.
    Search(At, usize, &'static str),
    /// Only more than the limit is tested: what is just under it takes too much memory.
    Over(At, &'static str),
    /// Another way to the same result, so there is nothing to see at it.
    Same(At),
    /// A test of another file.
    Elsewhere(&'static str, &'static str),
}

/// A limit: the crate, the constant, its value.
struct Row(&'static str, &'static str, usize, Test);

fn rows() -> Vec<Row> {
    [events::rows(), lines::rows(), policies::rows(), sources::rows(), elsewhere::rows()]
        .into_iter()
        .flatten()
        .collect()
}

/// The largest accepted size of 1 to `most`, of which the first is accepted and the last is not.
fn largest(at: At, most: usize) -> usize {
    let (mut low, mut high) = (1, most);
    while high - low > 1 {
        let middle = low.midpoint(high);
        if at(middle).is_ok() { low = middle } else { high = middle }
    }
    low
}

fn wrong(Row(place, name, value, test): &Row) -> Option<String> {
    let over = |at: At, size: usize, message: &str| match at(size) {
        Ok(()) => Some(format!("{size} is accepted")),
        Err(why) => (!why.contains(message)).then(|| format!("{size}: {why}")),
    };
    let under = |at: At, size: usize| at(size).err().map(|why| format!("{size}: {why}"));
    let problem = match test {
        Test::Edge(at, message) => under(*at, *value).or_else(|| over(*at, value + 1, message)),
        Test::Over(at, message) => over(*at, value + 1, message),
        Test::Search(at, most, message) => {
            under(*at, 1).or_else(|| over(*at, *most, message)).or_else(|| {
                let found = largest(*at, *most);
                under(*at, found).or_else(|| over(*at, found + 1, message))
            })
        }
        Test::Same(at) => under(*at, value - 1).or_else(|| under(*at, value + 1)),
        Test::Elsewhere(file, function) => {
            let text = std::fs::read_to_string(common::project().join(file)).unwrap_or_default();
            (!text.contains(&format!("fn {function}("))).then(|| format!("{file} has no `{function}`"))
        }
    };
    problem.map(|problem| format!("{place} {name}: {problem}"))
}

#[test]
fn each_limit_is_where_it_says() {
    if hookc_corpus::left_to_full_run("the largest inputs") {
        return;
    }
    let all: Vec<String> = rows().iter().filter_map(wrong).collect();
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn each_constant_has_a_row() {
    let known: BTreeSet<(String, String)> =
        rows().iter().map(|Row(place, name, ..)| ((*place).to_owned(), (*name).to_owned())).collect();
    let mut wrong = String::new();
    let mut seen = BTreeSet::new();
    for place in PLACES {
        let file = common::project().join(place).join("src/limits.rs");
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let own = line.strip_prefix("pub const ").and_then(|rest| rest.split(':').next());
            let used = line.strip_prefix("pub use ").and_then(|rest| rest.rsplit("::").next());
            let Some(name) = own.or(used.map(|name| name.trim_end_matches(';'))) else { continue };
            let key = (place.to_owned(), name.to_owned());
            if !known.contains(&key) {
                let _ = writeln!(wrong, "{place} {name} has no row");
            }
            seen.insert(key);
        }
    }
    let gone = known.iter().filter(|(place, name)| {
        let is_there = seen.contains(&(place.clone(), name.clone()));
        // Other crates have their limits where they are used.
        !is_there && PLACES.contains(&place.as_str())
    });
    for (place, name) in gone {
        let _ = writeln!(wrong, "{place} {name} is no longer a limit");
    }
    assert!(wrong.is_empty(), "{wrong}");
}
