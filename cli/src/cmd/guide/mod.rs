//! `hookc guide`: what a writer of policies needs, for this version, as Markdown.
//!
//! A page is a text in `pages/` with `{{NAME}}` where a table of the data belongs: `names.rs` has the tables of the
//! vocabulary, `keys.rs` those of the dialects.

mod keys;
mod names;

use hookc_base::RecallTag;
use hookc_schema::agents::{self, Agent};
use hookc_schema::diag::ALL_CODES;
use hookc_schema::suggest;

use crate::args::Guide;
use crate::exit::{Exit, Failure, Outcome};
use crate::{out, starters};

/// Recipes that the guide does not show: one is mostly about threads, and one changes commands as another one does.
const NOT_SHOWN: [&str; 2] = ["budgets", "another-package-manager"];

macro_rules! topics {
    ($($(#[$about:meta])* $topic:ident $name:literal $purpose:literal;)*) => {
        /// A page of the guide.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Topic {
            $($(#[$about])* $topic,)*
        }

        impl Topic {
            /// All of them.
            pub(crate) const ALL: &'static [Self] = &[$(Self::$topic,)*];

            /// Its name on the command line.
            pub(crate) const fn name(self) -> &'static str {
                match self { $(Self::$topic => $name,)* }
            }

            /// What it is about.
            const fn purpose(self) -> &'static str {
                match self { $(Self::$topic => $purpose,)* }
            }

            /// Its text, with the names of tables.
            const fn text(self) -> &'static str {
                match self { $(Self::$topic => include_str!(concat!("pages/", $name, ".md")),)* }
            }
        }
    };
}

topics! {
    /// How to write a policy.
    Language "language" "how to write a policy";
    /// How command lines are read.
    Shell "shell" "how command lines are read";
    /// What agents honour.
    Agents "agents" "what each agent honours (`agents NAME`: one agent)";
    /// How to test a policy.
    Tests "tests" "how to test and explain a policy";
    /// Conditions about earlier events.
    History "history" "the past";
    /// The diagnostics.
    Codes "codes" "every diagnostic, a line each";
}

pub(crate) fn run(args: &Guide) -> Outcome {
    let topic = match args.topic.as_deref() {
        None => Topic::Language,
        Some(name) => find(name)?,
    };
    let page = match (topic, args.name.as_deref()) {
        (_, None) => page(topic),
        (Topic::Agents, Some(name)) => agents::section(agent(name)?),
        (_, Some(_)) => {
            return Err(Failure::usage(format!(
                "`{}` takes no name: `hookc guide {}`",
                topic.name(),
                topic.name()
            )));
        }
    };
    out::verbatim(page.as_bytes())?;
    Ok(Exit::Done)
}

fn find(name: &str) -> Result<Topic, Failure> {
    let names = || Topic::ALL.iter().map(|topic| topic.name());
    let found = Topic::ALL.iter().find(|topic| topic.name() == name);
    found.copied().ok_or_else(|| unknown("topic", name, names().collect()))
}

fn agent(name: &str) -> Result<&'static Agent, Failure> {
    let names = || agents::all().map(|agent| agent.name.as_str());
    agents::by_name(name).ok_or_else(|| unknown("agent", name, names().collect()))
}

/// What exists instead of an unknown name, and the nearest one.
fn unknown(what: &str, name: &str, known: Vec<&str>) -> Failure {
    let start = known.iter().copied().find(|known| !name.is_empty() && known.starts_with(name));
    let near = start.or_else(|| suggest::nearest(name, known.iter().copied()));
    let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    Failure::usage(format!("unknown {what} `{name}` (known: {}){near}", known.join(", ")))
}

/// A page with its tables.
pub(crate) fn page(topic: Topic) -> String {
    let mut parts = topic.text().split("{{");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |page, part| {
        let (name, rest) = part.split_once("}}").unwrap_or((part, ""));
        page + table(name).trim_end() + rest
    })
}

/// What replaces a name in a page.
fn table(name: &str) -> String {
    match name {
        "version" => env!("CARGO_PKG_VERSION").to_owned(),
        "topics" => {
            let topics = Topic::ALL.iter().filter(|topic| **topic != Topic::Language);
            topics
                .map(|topic| format!("`{}` ({})", topic.name(), topic.purpose()))
                .collect::<Vec<_>>()
                .join(", ")
        }
        "examples" => examples(false),
        "history_examples" => examples(true),
        "codes" => ALL_CODES.iter().map(|code| format!("- {code} {}\n", code.title())).collect(),
        "agents_summary" => agents::overview(),
        _ => keys::table(name).or_else(|| names::table(name)).unwrap_or_default(),
    }
}

/// The recipes that are about the past, or the others.
fn examples(about_past: bool) -> String {
    let reads = |policy: &str, operator: &RecallTag| policy.contains(&format!("{operator}("));
    let is_about_past = |policy: &str| RecallTag::ALL.iter().any(|operator| reads(policy, operator));
    let shown = starters::recipes().filter(|recipe| !NOT_SHOWN.contains(&recipe.name));
    let shown = shown.filter(|recipe| is_about_past(&recipe.policy) == about_past);
    shown.map(|recipe| format!("```yaml\n{}```\n", recipe.policy)).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_that_a_page_names_exists() {
        for topic in Topic::ALL {
            for part in topic.text().split("{{").skip(1) {
                let name = part.split_once("}}").unwrap().0;
                assert!(!table(name).is_empty(), "{}: {name}", topic.name());
            }
        }
    }
}
