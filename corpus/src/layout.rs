//! Which files a directory of each kind has. A file that no test reads would prove nothing, and a case without its
//! policy would pass without a comparison.

use std::env;

use crate::Case;

/// The files of the directories of one kind.
struct Layout {
    kind: &'static str,
    /// The stem of the policies: `policy` is `policy.yaml`, `policy2.workflow.yaml`, ...
    policies: Stem,
    /// The files that each directory has.
    given: &'static [&'static str],
    /// Files of which a directory has exactly one.
    one_of: &'static [&'static str],
    /// The files that `BLESS=1` writes.
    golden: &'static [&'static str],
}

enum Stem {
    /// At least one file with this stem.
    Named(&'static str),
    /// At least two files, of any stem.
    AnyTwo,
    /// The policy is one of the `given` files.
    Given,
}

const LAYOUTS: &[Layout] = &[
    Layout {
        kind: "eval",
        policies: Stem::Named("policy"),
        given: &[],
        one_of: &["events.ndjson", "steps.ndjson"],
        golden: &["expected.txt"],
    },
    Layout {
        kind: "reject",
        policies: Stem::Named("input"),
        given: &[],
        one_of: &[],
        golden: &["expected.txt"],
    },
    Layout { kind: "accept", policies: Stem::Named("policy"), given: &[], one_of: &[], golden: &[] },
    Layout { kind: "parity", policies: Stem::AnyTwo, given: &[], one_of: &[], golden: &[] },
    Layout {
        kind: "stages",
        policies: Stem::Named("policy"),
        given: &[],
        one_of: &[],
        golden: &["tree.txt", "plan.txt", "asm.txt"],
    },
    Layout {
        kind: "fmt",
        policies: Stem::Given,
        given: &["input.yaml"],
        one_of: &[],
        golden: &["expected.yaml"],
    },
    Layout {
        kind: "recipes",
        policies: Stem::Given,
        given: &["hooks.yaml", "hooks.test.yaml"],
        one_of: &[],
        golden: &[],
    },
    Layout {
        kind: "starters",
        policies: Stem::Given,
        given: &["README.md", "hooks.yaml", "hooks.test.yaml"],
        one_of: &[],
        golden: &[],
    },
];

/// Checks that a case has the files of its kind, and no other ones.
pub(crate) fn check(kind: &str, case: &Case) -> Result<(), String> {
    let layout =
        LAYOUTS.iter().find(|layout| layout.kind == kind).ok_or(format!("corpus/{kind} is no kind"))?;
    let wrong = |why: String| Err(format!("corpus/{kind}/{}: {why}", case.name));
    let has = |file: &&&str| case.files.iter().any(|present| present == **file);
    if let Some(file) = layout.given.iter().find(|file| !has(file)) {
        return wrong(format!("`{file}` is missing"));
    }
    if !layout.one_of.is_empty() && layout.one_of.iter().filter(has).count() != 1 {
        return wrong(format!("needs exactly one of {:?}", layout.one_of));
    }
    if let Some(file) = layout.golden.iter().find(|file| !has(file) && !is_blessed()) {
        return wrong(format!("`{file}` is missing; BLESS=1 writes it"));
    }
    let policies = match layout.policies {
        Stem::Named(stem) if case.inputs(stem).is_empty() => return wrong(format!("no file `{stem}.*`")),
        Stem::AnyTwo if case.files.len() < 2 => return wrong("needs at least two notations".to_owned()),
        Stem::Named(stem) => case.inputs(stem),
        Stem::AnyTwo => case.files.iter().map(String::as_str).collect(),
        Stem::Given => Vec::new(),
    };
    let read: Vec<&str> =
        [layout.given, layout.one_of, layout.golden].concat().into_iter().chain(policies).collect();
    match case.files.iter().find(|file| !read.contains(&file.as_str())) {
        Some(file) => wrong(format!("no test reads `{file}`")),
        None => Ok(()),
    }
}

fn is_blessed() -> bool {
    env::var("BLESS").is_ok_and(|bless| bless == "1")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn checked(kind: &str, files: &[&str]) -> Result<(), String> {
        let files = files.iter().map(|&file| file.to_owned()).collect();
        check(kind, &Case { name: "x".to_owned(), path: "x".into(), files })
    }

    #[test]
    fn a_case_without_a_policy_is_an_error() {
        assert_eq!(checked("accept", &["policy.yaml", "policy2.workflow.yaml"]), Ok(()));
        assert_eq!(checked("accept", &["input.yaml"]), Err("corpus/accept/x: no file `policy.*`".to_owned()));
        assert_eq!(
            checked("parity", &["a.yaml"]),
            Err("corpus/parity/x: needs at least two notations".to_owned())
        );
        assert_eq!(
            checked("fmt", &["expected.yaml"]),
            Err("corpus/fmt/x: `input.yaml` is missing".to_owned())
        );
        assert_eq!(
            checked("recipes", &["hooks.yaml"]),
            Err("corpus/recipes/x: `hooks.test.yaml` is missing".to_owned())
        );
        assert_eq!(
            checked("eval", &["policy.yaml", "expected.txt"]),
            Err(r#"corpus/eval/x: needs exactly one of ["events.ndjson", "steps.ndjson"]"#.to_owned())
        );
        assert_eq!(checked("acept", &["policy.yaml"]), Err("corpus/acept is no kind".to_owned()));
    }

    /// Directories without cases. A test reads their files by name, and those of `agents` by the names of agents.
    const WITHOUT_CASES: [&str; 8] =
        ["agents", "history", "quickstart", "shell", "src", "tests", "threads", "workspace"];

    #[test]
    fn every_directory_has_a_reader() {
        let is_known =
            |name: &str| WITHOUT_CASES.contains(&name) || LAYOUTS.iter().any(|layout| layout.kind == name);
        for entry in std::fs::read_dir(crate::root()).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            assert!(!path.is_dir() || is_known(name), "no test reads corpus/{name}");
        }
        for path in crate::files(&crate::root().join("agents")) {
            let name = path.file_name().unwrap();
            let is_sample = path.extension().is_some_and(|extension| extension == "json");
            let is_agent = crate::root().join("../schema/data/agents").join(name).is_file();
            assert!(!is_sample || is_agent, "no agent has the samples {}", path.display());
        }
    }

    #[test]
    fn a_file_that_no_test_reads_is_an_error() {
        assert_eq!(
            checked("accept", &["input.yaml", "policy.yaml"]),
            Err("corpus/accept/x: no test reads `input.yaml`".to_owned())
        );
        assert_eq!(
            checked("starters", &["README.md", "hooks.test.yaml", "hooks.yaml", "hooks.yml"]),
            Err("corpus/starters/x: no test reads `hooks.yml`".to_owned())
        );
    }
}
