//! The kinds of workloads, a file for each or for a few that are alike.

mod flags;
mod mixed;
mod numbers;
mod satisfy;
mod texts;
mod unique;

use hookc_oracle::generate::Rng;
use serde_json::Value;

use crate::rule::Rule;

macro_rules! shapes {
    ($($variant:ident $name:literal $rule:path, $events:path, $meaning:literal;)*) => {
        /// A kind of workload.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Shape {
            $(#[doc = $meaning] $variant,)*
        }

        impl Shape {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// As on the command line.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// A description.
            #[must_use]
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning,)* }
            }

            pub(crate) fn rule(self, rng: &mut Rng, n: usize, hooks: usize) -> Rule {
                match self { $(Self::$variant => $rule(rng, n, hooks),)* }
            }

            pub(crate) fn events(self, rng: &mut Rng, rules: &[Rule], count: usize) -> Vec<Value> {
                match self { $(Self::$variant => $events(rng, rules, count),)* }
            }
        }
    };
}

shapes! {
    Selective "selective" unique::selective, unique::events,
        "an equality on a path with as many values as hooks, in every hook";
    Shared "shared" unique::shared, unique::events,
        "the first two leaves are the same in every hook and true, the third is an equality of its own";
    InList "in-list" unique::in_list, unique::list_events,
        "an `in` of 10,000 values in every hook; of fewer past 100 hooks, a million values over all";
    NearMiss "near-miss" unique::near_miss, unique::miss_events,
        "ten leaves, of which nine are true and one is not";
    Ranges "ranges" numbers::ranges, numbers::range_events,
        "two bounds on a number, a narrow interval for each hook";
    Dense "dense" numbers::dense, numbers::dense_events,
        "two ranges, each true for half of the hooks, never both";
    Contains "contains" texts::contains, texts::message_events,
        "a piece of a message of its own in every hook";
    Prefix "prefix" texts::prefix, texts::command_events,
        "a beginning of a command of its own in every hook";
    Regex "regex" texts::regex, texts::command_events,
        "a pattern on a command of its own in every hook";
    Negation "negation" flags::negation, flags::flag_events,
        "eight leaves, each negated";
    Absent "absent" flags::absent, flags::absent_events,
        "ten paths that must all be absent";
    Mixed "mixed" mixed::rule, mixed::events,
        "what people write: eight event types, one to six leaves, groups, text, numbers, patterns";
    NoMatch "no-match" mixed::rule, mixed::cold_events,
        "the rules of `mixed`, and events that match none";
}

impl std::str::FromStr for Shape {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = || Self::ALL.iter().map(|shape| shape.name()).collect::<Vec<_>>().join(", ");
        Self::ALL
            .iter()
            .copied()
            .find(|shape| shape.name() == name)
            .ok_or_else(|| format!("one of {}", known()))
    }
}

/// The hook number `n` of the `error` event.
fn hook(n: usize, when: crate::rule::Cond) -> Rule {
    Rule { id: format!("h{n}"), event: "error", priority: 0, when }
}
