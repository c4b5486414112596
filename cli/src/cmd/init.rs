//! `hookc init`: from nothing to a tested guard. It finds the agents of a repository, writes a policy with tests from the
//! starters, checks and tests it, and installs it, after a person has seen and agreed to all of it.

mod found;

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use hookc_schema::agents::Capability;

use super::starter::Written;
use super::{check, install, test};
use crate::args::{self, Check, Global, Init, Install, Questions, Scope};
use crate::ask::{Asker, Question};
use crate::exit::{Exit, Failure, Outcome};
use crate::files::Texts;
use crate::installed;
use crate::installed::target::Target;
use crate::starters::{self, Starter, Tests};
use crate::{files, out, signals};

pub(crate) fn run(global: &Global, args: &Init) -> Outcome {
    let mut asker = Asker::new();
    if !asker.asks() && !args.yes && !args.dry_run {
        return Err(Failure::usage(
            "`init` asks what to write, and there is no terminal to answer on: `hookc init --yes` takes the defaults, \
             `hookc init --dry-run` shows them; nothing was written",
        ));
    }
    if args.yes || args.dry_run {
        asker = Asker::silent();
    }
    let file = policy_file(global, args)?;
    let agents = agents(global, args, &mut asker)?;
    let guard = Guard::new(global, args, file, &agents, &mut asker)?;
    let ask = questions(args, &mut asker)?;
    let calls: Vec<Install> = agents.iter().map(|agent| call(args, *agent, &guard.file, ask)).collect();
    let quiet = quiet(global);
    for call in &calls {
        let preview = Install { dry_run: true, ..call.clone() };
        if install::run_with(&quiet, &quiet, &preview, &mut guard.texts())? != Exit::Done {
            out::say(global, "hookc: nothing was written");
            return Ok(Exit::Errors);
        }
    }
    if args.dry_run {
        return Ok(Exit::Done);
    }
    if !agrees(&mut asker)? {
        out::say(global, "nothing was written");
        return Ok(Exit::Done);
    }
    // A key ends the questions, and no longer what is being written.
    signals::watched(signals::ASKED, |_, _: &_| {}, || write(global, &guard, &agents, &calls))
}

/// The file of the policy, in the root of the project.
fn policy_file(global: &Global, args: &Init) -> Result<PathBuf, Failure> {
    let root = installed::project();
    let real = installed::location::real(&root);
    let home = std::env::var_os("HOME").map(PathBuf::from);
    if real == Path::new("/") || home.is_some_and(|home| installed::location::real(&home) == real) {
        return Err(Failure::usage(format!(
            "{} is not a project: go to the directory of one; `hookc install AGENT POLICY --scope user` guards all of \
             your projects; nothing was written",
            real.display()
        )));
    }
    if !real.join(".git").exists() {
        out::say(global, &format!("no repository contains {0}: the guard is for {0}", real.display()));
    }
    Ok(if root == Path::new(".") { args.into.clone() } else { root.join(&args.into) })
}

/// The agents to guard.
fn agents(global: &Global, args: &Init, asker: &mut Asker) -> Result<Vec<Target>, Failure> {
    let found = found::agents();
    for one in &found.agents {
        out::say(global, &format!("found {} ({})", one.agent.label, one.why));
    }
    let names = found.default_names();
    let given = (!args.hosts.is_empty()).then(|| args.hosts.join(","));
    let question = Question {
        flag: "host",
        text: "Which agents (names with commas)",
        takes: format!("an agent, because none was found here: {}", found::known()),
        default: (!names.is_empty()).then_some(names),
    };
    asker.value(&question, given.as_deref(), |text| {
        let mut agents: Vec<Target> = Vec::new();
        for name in words(text) {
            let agent = installed::host(name).map_err(|failure| failure.to_string())?;
            if !agents.iter().any(|known| known.name == agent.name) {
                agents.push(agent);
            }
        }
        if agents.is_empty() { Err("name an agent".to_owned()) } else { Ok(agents) }
    })
}

/// The policy: an existing one, or a new one.
struct Guard {
    file: PathBuf,
    new: Option<Written>,
}

impl Guard {
    fn new(
        global: &Global,
        args: &Init,
        file: PathBuf,
        agents: &[Target],
        asker: &mut Asker,
    ) -> Result<Self, Failure> {
        if file.symlink_metadata().is_ok() {
            if !args.starters.is_empty() {
                return Err(Failure::usage(format!(
                    "{} already exists: `hookc starter add NAME` writes a starter to another file; nothing was written",
                    file.display()
                )));
            }
            out::say(global, &format!("{} already exists and stays as it is", file.display()));
            return Ok(Self { file, new: None });
        }
        let given = (!args.starters.is_empty()).then(|| args.starters.join(","));
        let question = Question {
            flag: "starter",
            text: "What to guard (starters with commas; also network, publish-and-deploy)",
            takes: format!("starters: {}", starters::PARTS.join(", ")),
            default: Some(starters::GUARD_PARTS.join(",")),
        };
        let parts = asker.value(&question, given.as_deref(), |text| {
            let parts = starters::parts(words(text))?;
            if parts.is_empty() { Err("name a starter".to_owned()) } else { Ok(parts) }
        })?;
        let keep = |event: &str| agents.iter().all(|agent| denies(*agent, event));
        let starter = Starter {
            name: starters::GUARD,
            policy: Cow::Owned(starters::combined(&parts, &keep)),
            tests: Tests::Text(starters::tests_of(&parts, &keep)),
        };
        let new = Written::new(&starter, file.clone())?;
        if new.tests.0.symlink_metadata().is_ok() {
            let tests = new.tests.0.display();
            return Err(Failure::usage(format!(
                "{tests} already exists, without {}: choose another name with `--into`; nothing was written",
                file.display()
            )));
        }
        Ok(Self { file, new: Some(new) })
    }

    /// What a policy that is not written yet contains.
    fn texts(&self) -> Texts {
        let mut texts = Texts::default();
        if let Some(new) = &self.new {
            texts.provide(&self.file, new.policy.1.as_bytes());
        }
        texts
    }

    /// The tests next to the policy, if there are some.
    fn tests(&self) -> Option<PathBuf> {
        let stem = self.file.file_stem()?.to_str()?;
        let path = self.file.with_file_name(format!("{stem}.test.yaml"));
        path.is_file().then_some(path)
    }

    fn remove(&self) {
        for (path, _) in self.new.iter().flat_map(|new| [&new.policy, &new.tests]) {
            let _ = fs::remove_file(path);
        }
    }
}

/// Whether an agent does not ignore a denial of an event.
fn denies(agent: Target, event: &str) -> bool {
    agent.native(event).is_none_or(|event| event.can(Capability::Deny))
}

fn can_ask(agent: Target, event: &str) -> bool {
    agent.event(event).is_some_and(|event| event.can(Capability::Ask))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ' ']).filter(|word| !word.is_empty())
}

/// Whether the agents ask a person.
fn questions(args: &Init, asker: &mut Asker) -> Result<Option<Questions>, Failure> {
    if args.ask.is_some() {
        return Ok(args.ask);
    }
    let text =
        "Does a person watch the agent and answer its questions (no: what a hook asks about is denied)";
    Ok(if yes(asker, "ask", text)? { None } else { Some(Questions::Deny) })
}

fn agrees(asker: &mut Asker) -> Result<bool, Failure> {
    yes(asker, "yes", "Write the policy and these settings")
}

fn yes(asker: &mut Asker, flag: &str, text: &str) -> Result<bool, Failure> {
    let question = Question { flag, text, takes: "yes or no".to_owned(), default: Some("yes".to_owned()) };
    asker.value(&question, None, |text| match text.to_ascii_lowercase().as_str() {
        "y" | "yes" => Ok(true),
        "n" | "no" => Ok(false),
        _ => Err("answer yes or no".to_owned()),
    })
}

fn call(args: &Init, agent: Target, file: &Path, ask: Option<Questions>) -> Install {
    Install {
        host: agent.name.clone(),
        files: vec![file.to_path_buf()],
        scope: Scope::Project,
        events: Vec::new(),
        timeout: None,
        copy: args.copy,
        allow_temporary: args.allow_temporary,
        ask,
        verify_key: None,
        cloud: false,
        dry_run: false,
    }
}

/// Writes the policy and its tests, runs them, and installs the calls. Until a call is installed, a failure takes the
/// new files away again.
fn write(global: &Global, guard: &Guard, agents: &[Target], calls: &[Install]) -> Outcome {
    if let Some(new) = &guard.new {
        new.create()?;
        out::say(global, &format!("wrote {} and {}", new.policy.0.display(), new.tests.0.display()));
    }
    let mut installed = 0;
    let mut steps = || -> Outcome {
        let tried = tried(global, guard, agents)?;
        if tried != Exit::Done {
            return Ok(tried);
        }
        for call in calls {
            let done = install::run_with(global, &quiet(global), call, &mut Texts::default())?;
            if done != Exit::Done {
                return Ok(done);
            }
            installed += 1;
        }
        Ok(Exit::Done)
    };
    let done = steps();
    if !matches!(done, Ok(Exit::Done)) {
        if installed == 0 {
            guard.remove();
            out::say(global, "hookc: nothing was installed, and no new file is left");
        }
        return done;
    }
    let name = installed::command::quoted(&files::name(&guard.file));
    out::say(
        global,
        &format!(
            "try it: hookc eval --pretty {name} --event PreToolUse --tool Bash --input command='git push origin main'"
        ),
    );
    Ok(Exit::Done)
}

/// Without messages: errors alone.
fn quiet(global: &Global) -> Global {
    Global { quiet: true, ..*global }
}

/// Checks the policy and runs its tests.
fn tried(global: &Global, guard: &Guard, agents: &[Target]) -> Outcome {
    let quiet = quiet(global);
    let check = Check {
        files: vec![guard.file.clone()],
        sources: args::Sources::plain(),
        hosts: agents.iter().map(|agent| agent.name.clone()).collect(),
        timeout: None,
        deny: None,
        fix: false,
        unsafe_fixes: false,
        diff: false,
        examples: true,
    };
    let checked = check::run(&quiet, &check)?;
    for agent in agents.iter().filter(|agent| agent.event_names().all(|event| !can_ask(**agent, event))) {
        out::say(global, &format!("note: {} cannot ask: it denies what the policy asks about", agent.label));
    }
    let Some(tests) = guard.tests().filter(|_| checked == Exit::Done) else { return Ok(checked) };
    let name = tests.display().to_string();
    let test = args::Test {
        paths: vec![tests],
        filter: None,
        watch: false,
        coverage: false,
        coverage_fail_under: None,
    };
    let tested = test::run(&quiet, &test)?;
    if tested == Exit::Done {
        out::say(global, &format!("{name}: all tests pass"));
    }
    Ok(tested)
}
