//! `hookc install`: an agent's own settings call `hookc run` for the events that
//! a policy has hooks for.
//!
//! `settings.rs` determines what to add to a file and to remove, and `crate::edit` does it. `crate::installed` knows what an
//! agent's settings are.

mod report;
pub(crate) mod scripts;
pub(crate) mod settings;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hookc_compiler::check;
use hookc_runtime::adapter;
use hookc_schema::agents;
use hookc_schema::suggest::nearest;
use hookc_vm::{Family, Module};

use crate::args::{self, Global, Install, Questions, Scope};
use crate::edit::save;
use crate::edit::settings::Refused;
use crate::exit::{Exit, Failure, Outcome};
use crate::installed::plugin::PluginPlan;
use crate::installed::target::Target;
use crate::installed::{
    START, WORKTREE, called, check_scope, cloud, command, file, host, location, observed, plugin, program,
    project, records, version,
};
use crate::{files, load, out};
use report::Installed;
use settings::RequiredCall;

pub(crate) fn run(global: &Global, args: &Install) -> Outcome {
    if args.host == "flat" {
        return flat(global, args);
    }
    run_with(global, global, args, &mut files::Texts::default())
}

/// Like `run` for an agent with settings. The diagnostics of the policy are reported as `compiler` says; `texts` may have
/// a policy that is in no file yet.
pub(crate) fn run_with(
    global: &Global,
    compiler: &Global,
    args: &Install,
    texts: &mut files::Texts,
) -> Outcome {
    let agent = host(&args.host)?;
    if args.cloud && agent.settings.cloud.is_none() {
        return Err(Failure::usage(format!("{} has no cloud agent that runs these hooks", agent.label)));
    }
    let path = project_file(agent, args.scope)?;
    let Some(module) = module(compiler, &agent.name, args, texts)? else { return Ok(Exit::Errors) };
    not_itself(&args.files, &path)?;
    if let Some(why) = adapter::by_name(&agent.name).and_then(|agent| adapter::misnamed(&module, agent)) {
        return Err(Failure::input(why.to_string()));
    }
    let events = events(global, args, agent, &module)?;
    let root = root(agent, &path)?;
    let wanted = wanted(global, args, agent, root.as_deref(), &events)?;
    if agent.settings.scripts {
        let root = root.as_deref();
        let report = Installed { agent, args, module: &module, settings: &path, root, calls: &wanted };
        return scripts::install(global, args, &report, &wanted);
    }
    let _turn = if args.dry_run { None } else { Some(save::turn(&path)?) };
    let Ok(old) = save::read(global, &path)? else { return Ok(Exit::Errors) };
    let text = old.as_deref().unwrap_or("");
    let new = match settings::install(&files::name(&path), text, agent, root.as_deref(), &wanted) {
        Ok(new) => new,
        Err(why) => return Ok(refused(global, &why)),
    };
    let what = format!("calls hookc for {}", events.join(", "));
    let root = root.as_deref();
    let report = Installed { agent, args, module: &module, settings: &path, root, calls: &wanted };
    let is_new = old.as_deref() != Some(new.as_str());
    let plugin = plugin::plan(global, agent, &path, args)?;
    if matches!(plugin, PluginPlan::Stop) {
        return Ok(Exit::Errors);
    }
    if is_new && !args.dry_run {
        save::check(&path)?;
    }
    if args.dry_run && is_new {
        save::show(&path, text, &new)?;
    } else if is_new {
        let backup = save::change(&path, old.as_deref(), &new)?;
        save::report_saved(global, &path, backup.as_deref(), &what);
        records::keep(agent, &path, root, text, &new);
        report.events(global)?;
        report.notes(global);
    } else {
        out::say(global, &format!("{} {what} already", path.display()));
        report.events(global)?;
    }
    if let PluginPlan::Write(plugin) = plugin {
        plugin::install(global, &plugin, &path, args)?;
    }
    report.warnings(global, &new);
    if is_new && !args.dry_run {
        report_next_steps(global, args, agent);
    }
    Ok(Exit::Done)
}

/// Reports what a person has to do so that the agent runs new calls.
fn report_next_steps(global: &Global, args: &Install, agent: Target) {
    let trust = &agent.settings.trust;
    let trust = if args.scope == Scope::User { &trust.user } else { &trust.project };
    if let Some(trust) = trust {
        out::say(global, trust);
    }
    if let Some(cloud) = agent.settings.cloud.as_ref().filter(|_| args.scope == Scope::Project) {
        out::say(global, &cloud::note(cloud, args.cloud));
    }
}

/// Rejects settings as their own policy: the call in them would start itself.
fn not_itself(policies: &[PathBuf], settings: &Path) -> Result<(), Failure> {
    match policies.iter().find(|policy| location::contains(policy, settings)) {
        None => Ok(()),
        Some(policy) => Err(Failure::usage(format!(
            "{}: these are the settings themselves: a call in them would start itself forever; keep the \
             policy in a separate file, such as .hooks/policy.yaml",
            policy.display()
        ))),
    }
}

/// The base directory of paths in settings; `None` for settings of all projects, in whatever scope
/// they were found.
fn root(agent: Target, settings: &Path) -> Result<Option<PathBuf>, Failure> {
    let everywhere =
        file(agent, Scope::User).is_ok_and(|user| location::real(&user) == location::real(settings));
    if everywhere { Ok(None) } else { Ok(Some(location::real(&project()))) }
}

/// The agent's settings of that scope, to change them.
///
/// # Errors
/// They are not in the project.
pub(crate) fn project_file(agent: Target, scope: Scope) -> Result<PathBuf, Failure> {
    let path = file(agent, scope)?;
    check_scope(&path, scope)?;
    Ok(path)
}

/// Reports why a file is not changed.
pub(crate) fn refused(global: &Global, why: &Refused) -> Exit {
    out::diagnostics(global, &why.diagnostics, &why.sources);
    Exit::Errors
}

/// The policy; `None` if it does not compile, after reporting it.
fn module(
    global: &Global,
    agent: &str,
    args: &Install,
    texts: &mut files::Texts,
) -> Result<Option<Module>, Failure> {
    let paths = &args.files;
    if paths.iter().any(|path| files::is_stdin(path)) {
        return Err(Failure::usage("cannot install standard input: name a file"));
    }
    let sources = args::Sources {
        hosts: vec![agent.to_owned()],
        verify_key: args.verify_key.clone(),
        timeout: args.timeout,
        ..args::Sources::plain()
    };
    if let Some(module) = load::module_file(Module::load, paths, texts, &sources)? {
        fits(&module, agent)?;
        return Ok(Some(module));
    }
    Ok(load::module(Module::load, paths, texts, &sources, global)?.map(|(module, _)| module))
}

/// Rejects a compiled module for an agent that cannot execute it, as the source of the same
/// policy is rejected.
fn fits(module: &Module, host: &str) -> Result<(), Failure> {
    if let Some(why) = adapter::by_name(host).and_then(|adapter| adapter::misnamed(module, adapter)) {
        return Err(Failure::input(why.to_string()));
    }
    let Some(agent) = agents::answered().find(|agent| agent.name == host) else { return Ok(()) };
    let tables = load::tables(module)?;
    let of_agents =
        module.events().zip(tables.events.iter()).filter(|(event, _)| event.family == Family::Agent);
    for (event, row) in of_agents {
        for hook in tables.hooks_of(row) {
            if !hook.enforces() {
                continue;
            }
            let action = tables.actions.get(hook.action.get() as usize);
            let kind = action.map_or("", |action| tables.kind_of(action));
            if let Some(why) = check::unsupported(agent, event.name, kind) {
                return Err(Failure::input(why));
            }
        }
    }
    Ok(())
}

/// Whether a handler can create a worktree.
fn makes_worktrees(module: &Module) -> Result<bool, Failure> {
    let tables = load::tables(module)?;
    let hooks = tables.events.iter().filter(|event| tables.str(event.name.get()) == WORKTREE);
    let hooks = hooks.flat_map(|event| tables.hooks_of(event));
    let mut actions = hooks.filter_map(|hook| tables.actions.get(hook.action.get() as usize));
    Ok(actions.any(|action| tables.kind_of(action) == "run"))
}

/// The agent's events to call hookc for.
fn events(global: &Global, args: &Install, agent: Target, module: &Module) -> Result<Vec<String>, Failure> {
    let called = called(module);
    if !args.events.is_empty() {
        let named = args.events.iter().map(|name| named(agent, name, &called));
        let mut named = named.collect::<Result<Vec<_>, _>>()?.concat();
        let mut seen = BTreeSet::new();
        named.retain(|name| seen.insert(name.clone()));
        return Ok(named);
    }
    for event in module.events().filter(|event| event.hooks > 0 && event.family == Family::Agent) {
        if agent.native(event.name).is_none() {
            let (label, name) = (&agent.label, event.name);
            out::say(global, &format!("{label} has no event `{name}`: hooks for it never fire there"));
        }
    }
    for name in observed(module).iter().filter(|name| *name != START && agent.native(name).is_none()) {
        let label = &agent.label;
        out::say(
            global,
            &format!("{label} has no event `{name}`: conditions about earlier ones are never true there"),
        );
    }
    let mut events: Vec<String> =
        called.iter().flat_map(|name| agent.native_names(name)).map(str::to_owned).collect();
    if agent.name == "claude" && !makes_worktrees(module)? {
        let before = events.len();
        events.retain(|event| event != WORKTREE);
        if events.len() < before {
            let why = "a hook of this event must create the worktree, and the policy has no handler for it";
            out::say(global, &format!("{WORKTREE} is skipped: {why}"));
        }
    }
    if events.is_empty() {
        return Err(Failure::input(format!("the policy has no hook for an event of {}", agent.label)));
    }
    Ok(events)
}

/// The agent's events that are called so there or in the vocabulary.
fn named(agent: Target, name: &str, called: &BTreeSet<String>) -> Result<Vec<String>, Failure> {
    let mut natives = agent.native_names(name);
    natives.extend(agent.event(name).filter(|_| natives.is_empty()).map(|event| event.name.as_str()));
    let Some(native) = natives.first() else {
        let near = nearest(name, agent.event_names());
        let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        return Err(Failure::usage(format!("{} has no event `{name}`{near}", agent.label)));
    };
    let event = agent.translated(native);
    if !called.contains(event) {
        return Err(Failure::usage(format!("the policy has no hook for `{event}`")));
    }
    Ok(natives.into_iter().map(str::to_owned).collect())
}

fn wanted(
    global: &Global,
    args: &Install,
    agent: Target,
    root: Option<&Path>,
    events: &[String],
) -> Result<Vec<RequiredCall>, Failure> {
    let program = command::quoted(&program::name(global, args)?);
    let files = files_of_call(args, &|path| spelled(agent, root, path))?;
    let files = format!("{}{}{files}", asked(args), project_of_call(agent, root)?);
    let line = |event: &String| {
        let name = if agent.settings.unnamed_events { format!("--event {event} ") } else { String::new() };
        let cloud = agent.settings.cloud.as_ref().filter(|_| args.cloud);
        let call =
            format!("{program} run --host {} {name}{files}{}{}", agent.name, command::SINCE, version::OWN);
        match (cloud, agent.fallback(event)) {
            (Some(cloud), _) => call + &cloud::end(cloud, &program),
            (None, Some(fallback)) => fallback.wrap(&call),
            (None, None) => call,
        }
    };
    let timeout = args.timeout.filter(|_| agent.agent().has_timeouts());
    if args.timeout != timeout {
        let note = format!(
            "note: hooks of {} have no timeout of their own, so `--timeout` changes nothing",
            agent.label
        );
        out::say(global, &note);
    }
    let one = |event: &String| {
        let timeout = timeout.map(|seconds| agent.at_most(event, seconds));
        RequiredCall { event: event.clone(), command: line(event), timeout }
    };
    Ok(events.iter().map(one).collect())
}

/// The option that says whom the calls ask.
fn asked(args: &Install) -> &'static str {
    match args.ask {
        None => "",
        Some(Questions::User) => "--ask user ",
        Some(Questions::Deny) => "--ask deny ",
    }
}

/// The option with the root of the project, if the agent does not give it to its hooks.
fn project_of_call(agent: Target, root: Option<&Path>) -> Result<String, Failure> {
    let is_given = agent.settings.root.is_some() || agent.protocol.project.is_some();
    let Some(root) = root.filter(|_| !is_given) else { return Ok(String::new()) };
    let root = match agent.settings.starts_in_root {
        true => ".".to_owned(),
        false => spelled(agent, None, root)?,
    };
    Ok(format!("--project {root} "))
}

/// The words of a call that name files: the public key, the policies.
fn files_of_call(
    args: &Install,
    spelled: &dyn Fn(&Path) -> Result<String, Failure>,
) -> Result<String, Failure> {
    let key = args.verify_key.iter().map(|key| Ok(format!("--verify-key {}", spelled(key)?)));
    let policies = args.files.iter().map(|path| spelled(path));
    Ok(key.chain(policies).collect::<Result<Vec<_>, _>>()?.join(" "))
}

/// A file's path in the settings: relative to the project if the agent provides the project
/// directory, otherwise absolute.
fn spelled(agent: Target, root: Option<&Path>, path: &Path) -> Result<String, Failure> {
    let whole = location::normalized(path);
    let text = |path: &Path| {
        path.to_str()
            .map(str::to_owned)
            .ok_or_else(|| Failure::usage(format!("{}: not UTF-8", path.display())))
    };
    let inside = root.and_then(|root| whole.strip_prefix(root).ok());
    Ok(match (inside, &agent.settings.root) {
        // The agent may quote the path that it puts in place of the variable: it would be quoted twice.
        (Some(inside), _) if agent.settings.starts_in_root => command::quoted(&text(inside)?),
        (Some(inside), Some(variable)) => command::below(variable, &text(inside)?),
        _ => command::quoted(&text(&whole)?),
    })
}

/// The settings file of the flat runtime is unknown, so the entries are printed.
fn flat(global: &Global, args: &Install) -> Outcome {
    let Some(module) = module(global, "flat", args, &mut files::Texts::default())? else {
        return Ok(Exit::Errors);
    };
    let claude = host("claude")?;
    let events = events(global, args, claude, &module)?;
    let program = command::quoted(&program::name(global, args)?);
    let files = files_of_call(args, &|path| spelled(claude, None, path))?;
    let line = format!("{program} run --host flat {}{files}{}{}", asked(args), command::SINCE, version::OWN);
    let entry = serde_json::json!([{"type": "command", "command": line}]);
    let hooks: serde_json::Map<_, _> = events.into_iter().map(|event| (event, entry.clone())).collect();
    let text = serde_json::to_string_pretty(&serde_json::json!({"hooks": hooks}));
    out::say(global, "`flat` has no known settings file: add this to yours");
    out::json(&format!("{}\n", text.map_err(|error| Failure::input(error.to_string()))?))?;
    Ok(Exit::Done)
}
