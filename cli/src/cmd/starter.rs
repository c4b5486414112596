//! `hookc starter` and `hookc new --recipe`: policies that the program contains.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::args::{Format, Global, PolicyFile, StarterVerb};
use crate::edit::save;
use crate::exit::{Exit, Failure, Outcome};
use crate::starters::{self, Starter};
use crate::{files, inside, out, screen};

pub(crate) fn run(global: &Global, verb: &StarterVerb) -> Outcome {
    match verb {
        StarterVerb::List => list(global),
        StarterVerb::Show(args) => {
            let starter = starters::starter(&args.name).map_err(Failure::usage)?;
            out::text(&if args.tests { starter.tests() } else { starter.policy.clone() })?;
            Ok(Exit::Done)
        }
        StarterVerb::Add(args) => {
            add(global, &starters::starter(&args.name).map_err(Failure::usage)?, &args.to)
        }
    }
}

/// `hookc new --recipe NAME`.
pub(crate) fn recipe(global: &Global, name: &str, to: &PolicyFile) -> Outcome {
    add(global, &starters::recipe(name).map_err(Failure::usage)?, to)
}

fn list(global: &Global) -> Outcome {
    let kinds: [(&str, Vec<Starter>); 2] =
        [("starter", starters::starters().collect()), ("recipe", starters::recipes().collect())];
    if global.format == Format::Json {
        let starters = kinds.iter().flat_map(|(kind, starters)| starters.iter().map(move |one| (kind, one)));
        let line = |(kind, one): (&&str, &Starter)| {
            format!("{}\n", json!({"kind": kind, "name": one.name, "about": one.about()}))
        };
        out::json(&starters.map(line).collect::<String>())?;
        return Ok(Exit::Done);
    }
    let (mut text, columns) = (String::new(), screen::width());
    for (kind, starters) in kinds {
        let how = if kind == "starter" { "hookc starter add NAME" } else { "hookc new --recipe NAME" };
        text.push_str(&format!("{kind}s ({how}):\n"));
        for one in starters {
            let start = format!("  {:<20}  ", one.name);
            text.push_str(&screen::hanging(&start, &one.about(), columns));
            text.push('\n');
        }
    }
    out::lines(&text)?;
    Ok(Exit::Done)
}

/// A policy and its tests with the files that they get.
pub(super) struct Written {
    pub(super) policy: (PathBuf, String),
    pub(super) tests: (PathBuf, String),
}

impl Written {
    /// In this file, and one next to it.
    pub(super) fn new(starter: &Starter, policy: PathBuf) -> Result<Self, Failure> {
        let name = policy.file_name().and_then(|name| name.to_str());
        let stem = name.and_then(|name| name.strip_suffix(".yaml").or_else(|| name.strip_suffix(".yml")));
        let Some((name, stem)) =
            name.zip(stem).filter(|(_, stem)| !stem.is_empty() && !stem.ends_with(".test"))
        else {
            let why =
                format!("{}: a policy is written to a file that ends with `.yaml`", files::name(&policy));
            return Err(Failure::usage(why));
        };
        let tests = (policy.with_file_name(format!("{stem}.test.yaml")), starter.tests_for(name));
        Ok(Self { policy: (policy, starter.policy.to_string()), tests })
    }

    fn all(&self) -> [&(PathBuf, String); 2] {
        [&self.policy, &self.tests]
    }

    /// Creates both files, or none of them.
    pub(super) fn create(&self) -> Result<(), Failure> {
        if let Some((path, _)) = self.all().into_iter().find(|(path, _)| path.symlink_metadata().is_ok()) {
            let path = path.display();
            return Err(Failure::usage(format!(
                "{path} already exists: nothing was written; choose another `--into`"
            )));
        }
        for (path, _) in self.all() {
            inside::check(path).map_err(|error| Failure::file(path, &error))?;
        }
        let (policy, text) = &self.policy;
        save::create(policy, text.as_bytes())?;
        let (tests, text) = &self.tests;
        save::create(tests, text.as_bytes()).inspect_err(|_| drop(fs::remove_file(policy)))
    }

    /// Whether both files are there with these texts.
    fn is_there(&self) -> bool {
        let is_there = |path: &Path, text: &str| {
            files::text(path).is_ok_and(|found| found.is_ok_and(|found| found == text))
        };
        self.all().into_iter().all(|(path, text)| is_there(path, text))
    }
}

fn add(global: &Global, starter: &Starter, to: &PolicyFile) -> Outcome {
    let path = to.into.clone().unwrap_or_else(|| PathBuf::from(format!("{}.yaml", starter.name)));
    let written = Written::new(starter, path)?;
    let (policy, tests) = (written.policy.0.display(), written.tests.0.display());
    if to.dry_run {
        for (path, text) in written.all() {
            save::show(path, "", text)?;
        }
        return Ok(Exit::Done);
    }
    if written.is_there() {
        out::say(global, &format!("{policy} and {tests} are there already"));
        return Ok(Exit::Done);
    }
    written.create()?;
    out::say(global, &format!("wrote {policy} and {tests}"));
    out::say(
        global,
        &format!("next: `hookc test {tests}`, change what you like, `hookc install AGENT {policy}`"),
    );
    Ok(Exit::Done)
}
