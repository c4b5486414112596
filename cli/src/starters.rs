//! The starters and recipes that the program contains: policies to start from, each with its tests.
//!
//! Their directories are links to those of the corpus, so that the package of this crate contains them.

mod combined;

use std::borrow::Cow;

use hookc_schema::suggest::nearest;
use miniz_oxide::inflate::decompress_to_vec_zlib;

pub(crate) use combined::{combined, tests_of};

/// A policy and its tests.
#[derive(Clone, Debug)]
pub(crate) struct Starter {
    pub(crate) name: &'static str,
    /// The text of the policy.
    pub(crate) policy: Cow<'static, str>,
    pub(crate) tests: Tests,
}

/// The tests of a starter, which few commands read.
#[derive(Clone, Debug)]
pub(crate) enum Tests {
    /// As `build.rs` has compressed them.
    Packed(&'static [u8]),
    /// Those of the parts of the guard.
    OfGuard,
    Text(String),
}

macro_rules! embedded {
    ($folder:literal: $($name:literal),* $(,)?) => {
        &[$(Starter {
            name: $name,
            policy: Cow::Borrowed(include_str!(concat!("../", $folder, "/", $name, "/hooks.yaml"))),
            tests: Tests::Packed(include_bytes!(concat!(env!("OUT_DIR"), "/", $folder, "/", $name, ".zlib"))),
        }),*]
    };
}

const STARTERS: &[Starter] = embedded!(
    "starters":
    "secrets", "destructive-commands", "protected-branches", "guard-itself", "network", "publish-and-deploy",
    "verification", "loops-and-budgets", "information-flow", "budgets", "compaction", "rate-limits",
);

const RECIPES: &[Starter] = embedded!(
    "recipes":
    "another-package-manager", "budgets", "deployments-a-day", "dry-run-first", "format-after-edit",
    "generated-files",
    "inside-the-project", "many-failures", "mcp-allowlist", "new-dependencies",
    "no-network-after-a-secret", "notifications", "one-customer", "plan-before-apply",
    "protected-branch", "read-before-edit", "read-only-commands", "repeated-calls",
    "review-before-commit", "secrets", "session-note", "tests-before-push", "tests-before-stop",
    "web-limit",
);

/// The starter that consists of others.
pub(crate) const GUARD: &str = "guard";
/// Its parts, which are also what `init` proposes.
pub(crate) const GUARD_PARTS: [&str; 4] =
    ["secrets", "destructive-commands", "protected-branches", "guard-itself"];

/// The starters about what a coding agent does: each of them can be part of a guard.
pub(crate) const PARTS: [&str; 6] = [
    "secrets",
    "destructive-commands",
    "protected-branches",
    "guard-itself",
    "network",
    "publish-and-deploy",
];

/// All starters: the combined one first.
pub(crate) fn starters() -> impl Iterator<Item = Starter> {
    std::iter::once_with(guard).chain(STARTERS.iter().cloned())
}

/// All recipes.
pub(crate) fn recipes() -> impl Iterator<Item = Starter> {
    RECIPES.iter().cloned()
}

fn guard() -> Starter {
    Starter { name: GUARD, policy: Cow::Owned(combined(&guard_parts(), &|_| true)), tests: Tests::OfGuard }
}

fn guard_parts() -> Vec<&'static Starter> {
    STARTERS.iter().filter(|one| GUARD_PARTS.contains(&one.name)).collect()
}

/// The starter of a name; the error says what there is.
pub(crate) fn starter(name: &str) -> Result<Starter, String> {
    find(starters(), "starter", name).map_err(|why| match RECIPES.iter().any(|recipe| recipe.name == name) {
        true => format!("`{name}` is a recipe: `hookc new --recipe {name}` writes it"),
        false => why,
    })
}

/// The recipe of a name; the error says what there is.
pub(crate) fn recipe(name: &str) -> Result<Starter, String> {
    find(recipes(), "recipe", name).map_err(|why| match starters().any(|starter| starter.name == name) {
        true => format!("`{name}` is a starter: `hookc starter add {name}` writes it"),
        false => why,
    })
}

/// The starters of these names, for a guard.
pub(crate) fn parts<'n>(names: impl IntoIterator<Item = &'n str>) -> Result<Vec<&'static Starter>, String> {
    let mut found: Vec<&Starter> = Vec::new();
    for name in names {
        let names: &[&str] = if name == GUARD { &GUARD_PARTS } else { &[name] };
        for name in names {
            let Some(part) = STARTERS.iter().find(|one| one.name == *name && PARTS.contains(name)) else {
                return Err(unknown(PARTS.into_iter().chain([GUARD]), "starter for coding agents", name));
            };
            if !found.iter().any(|known| known.name == part.name) {
                found.push(part);
            }
        }
    }
    Ok(found)
}

fn find(starters: impl Iterator<Item = Starter>, what: &str, name: &str) -> Result<Starter, String> {
    let starters: Vec<Starter> = starters.collect();
    let names = || starters.iter().map(|one| one.name);
    starters.iter().find(|one| one.name == name).cloned().ok_or_else(|| unknown(names(), what, name))
}

fn unknown(names: impl Iterator<Item = &'static str>, what: &str, name: &str) -> String {
    let names: Vec<&str> = names.collect();
    let near = nearest(name, names.iter().copied());
    let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    format!("unknown {what} `{name}` (known: {}){near}", names.join(", "))
}

impl Starter {
    /// What it is for: the first sentence of its text.
    pub(crate) fn about(&self) -> String {
        let lines = self.policy.lines().map_while(|line| line.strip_prefix("# "));
        let text = lines.collect::<Vec<_>>().join(" ");
        text.split_once(". ").map_or(text.as_str(), |(first, _)| first).trim_end_matches('.').to_owned()
    }

    /// The text of its tests.
    pub(crate) fn tests(&self) -> Cow<'_, str> {
        match &self.tests {
            Tests::Packed(packed) => {
                let unpacked = decompress_to_vec_zlib(packed).unwrap_or_default();
                Cow::Owned(String::from_utf8(unpacked).unwrap_or_default())
            }
            Tests::OfGuard => Cow::Owned(tests_of(&guard_parts(), &|_| true)),
            Tests::Text(text) => Cow::Borrowed(text),
        }
    }

    /// The text of its tests for a policy in another file.
    pub(crate) fn tests_for(&self, file: &str) -> String {
        let line = format!("policy: {}\n", crate::edit::scalar(file));
        self.tests().replacen("policy: hooks.yaml\n", &line, 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn directories(name: &str) -> BTreeSet<String> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/").to_owned() + name;
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
        let folders = entries.filter(|entry| entry.path().is_dir());
        folders.map(|entry| entry.file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn each_directory_is_in_the_program() {
        let names = |all: &[Starter]| all.iter().map(|one| one.name.to_owned()).collect::<BTreeSet<_>>();
        assert_eq!(names(STARTERS), directories("starters"));
        assert_eq!(names(RECIPES), directories("recipes"));
    }

    #[test]
    fn tests_are_those_of_the_files() {
        for (folder, all) in [("starters", STARTERS), ("recipes", RECIPES)] {
            for one in all {
                let path = format!("{}/{folder}/{}/hooks.test.yaml", env!("CARGO_MANIFEST_DIR"), one.name);
                assert_eq!(one.tests(), std::fs::read_to_string(path).unwrap(), "{}", one.name);
            }
        }
    }

    #[test]
    fn each_says_what_it_is_for_and_names_its_policy() {
        for one in starters().chain(recipes()) {
            let about = one.about();
            assert!(about.len() > 20 && about.len() < 120 && !about.contains('\n'), "{}: {about}", one.name);
            assert!(one.tests_for("a b.yaml").lines().any(|line| line == "policy: a b.yaml"), "{}", one.name);
        }
    }

    #[test]
    fn names_that_are_wrong() {
        assert_eq!(starter("gaurd").unwrap_err().split_once("; ").unwrap().1, "did you mean `guard`?");
        assert!(starter("protected-branch").unwrap_err().contains("hookc new --recipe protected-branch"));
        assert!(recipe("network").unwrap_err().contains("hookc starter add network"));
        assert!(parts(["budgets"]).is_err());
        let names = |all: Vec<&Starter>| all.iter().map(|one| one.name).collect::<Vec<_>>();
        assert_eq!(
            names(parts(["network", "guard"]).unwrap()),
            ["network"].into_iter().chain(GUARD_PARTS).collect::<Vec<_>>()
        );
    }
}
