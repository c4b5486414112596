//! Writes the page about agents (`docs/agent-data.md`).

use std::fmt::Write;

use super::{
    Agent, Capability, DenyingExit, Event, EventNames, Given, Matching, Mcp, Method, Reaction, Rpc, Settings,
    ZeroTimeout, all, answered,
};

/// All agents as Markdown.
#[must_use]
pub fn markdown() -> String {
    let mut out = String::from(
        "# What hookc knows of each agent\n\n\
         This page lists what hookc knows of each coding agent: what its events can be answered with, what it calls \
         events and tools, and where its settings are. It is generated from `schema/data/agents/`; \
         `BLESS=1 cargo test -p hookc-schema` refreshes it.\n\n\
         Policies use the names of the [vocabulary](vocabulary.md). `hookc run` translates each agent's own names, so \
         one policy guards all agents. `hookc check --host NAME` reports what an agent cannot do with a policy.\n",
    );
    summary(&mut out);
    matrix(&mut out);
    settings_locations(&mut out);
    all().for_each(|agent| one(agent, &mut out));
    out
}

/// What is known of one agent.
#[must_use]
pub fn section(agent: &Agent) -> String {
    let mut out = String::new();
    one(agent, &mut out);
    out.trim_start().to_owned()
}

/// What hooks can do at each agent, and where its settings are.
#[must_use]
pub fn overview() -> String {
    let mut out = String::new();
    summary(&mut out);
    settings_locations(&mut out);
    out.trim_start().to_owned()
}

/// The abilities of the agents that `hookc run` supports.
fn summary(out: &mut String) {
    out.push_str(
        "\n## What hooks can do\n\n\
         | `--host` | agent | denies | asks | changes the input | adds context | stops the agent |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for agent in answered() {
        let cells =
            [Capability::Deny, Capability::Ask, Capability::Modify, Capability::Inject, Capability::Stop];
        let cells = cells.map(|capability| events(agent, capability));
        let _ = writeln!(out, "| `{}` | {} | {} |", agent.name, agent.label, cells.join(" | "));
    }
}

/// The types of events in the matrix: those that guards are about.
const GUARDED: [&str; 8] = [
    "PreToolUse",
    "PermissionRequest",
    "PostToolUse",
    "UserPromptSubmit",
    "Stop",
    "SubagentStop",
    "PreCompact",
    "SessionStart",
];

/// Event by agent: what each honours, how it fails, and how that is known.
fn matrix(out: &mut String) {
    let _ = write!(
        out,
        "\n## Event by agent\n\nWhat an answer to each event can do (`-`: the agent sends the event and takes no answer; empty: it does \
         not send it), what happens to a tool call if its hook cannot start, and how the facts are known.\n\n\
         | agent | {} | a call whose hook cannot start | known |\n|---|{}---|---|\n",
        GUARDED.map(|name| format!("`{name}`")).join(" | "),
        "---|".repeat(GUARDED.len()),
    );
    for agent in answered() {
        let cells = GUARDED.map(|name| honoured(agent, name));
        let known = match &agent.proved {
            Some(version) => format!("proved with {version}"),
            None => "from its documentation".to_owned(),
        };
        let _ = writeln!(out, "| {} | {} | {} | {known} |", agent.label, cells.join(" | "), unstarted(agent));
    }
}

/// What an answer to the events of a type can do.
fn honoured(agent: &Agent, name: &str) -> String {
    let events: Vec<&Event> = agent.events_of(name).collect();
    let can = Capability::ALL.iter().filter(|capability| events.iter().any(|event| event.can(**capability)));
    let can = can.map(|capability| capability.name()).collect::<Vec<_>>().join(", ");
    match (events.is_empty(), can.is_empty()) {
        (true, _) => String::new(),
        (false, true) => "-".to_owned(),
        (false, false) => can,
    }
}

/// What happens to a tool call if a hook cannot start.
fn unstarted(agent: &Agent) -> String {
    let Some(before) = agent.native("PreToolUse") else { return String::new() };
    let is_shell = agent.settings.as_ref().is_some_and(|settings| settings.shell.is_some());
    let is_neutral = agent.answer.iter().any(|part| part.given == Given::Neutral);
    if agent.protocol.rpc.is_some() {
        return "as the settings of the program say".to_owned();
    }
    if let Some(program) = &agent.ignores_exit {
        return format!("passes in {program}; the call that `install` writes denies");
    }
    match (before.exit(), agent.fail_closed_key()) {
        (DenyingExit::Any, _) => "is denied".to_owned(),
        (_, Some((key, _))) => format!("passes; `{key}`, which `install` writes, denies"),
        (DenyingExit::Two, None) if is_shell => "passes; the call that `install` writes denies".to_owned(),
        (DenyingExit::None, None) if is_neutral => "is denied".to_owned(),
        _ => "passes".to_owned(),
    }
}

/// The maximum number of events in a cell.
const NAMED: usize = 3;

/// The events whose answers can have an effect, without events for some of the cases of a type.
fn events(agent: &Agent, capability: Capability) -> String {
    let mut found: Vec<&Event> = Vec::new();
    for event in agent.events.iter().filter(|event| event.can(capability)) {
        if event.part || !found.iter().any(|known| known.event == event.event) {
            found.push(event);
        }
    }
    match found.len() {
        0 => "no".to_owned(),
        1..=NAMED => found.iter().map(|event| format!("`{}`", event.name)).collect::<Vec<_>>().join(", "),
        many => format!("at {many} events"),
    }
}

/// The locations of the settings.
fn settings_locations(out: &mut String) {
    out.push_str(
        "\n## Where the settings are\n\n\
         | agent | `--scope project` (default) | `local` | `user` | the administrator's |\n\
         |---|---|---|---|---|\n",
    );
    for agent in answered() {
        let row = match &agent.settings {
            Some(settings) => row(settings),
            None => match &agent.installed_as {
                Some(other) => format!("those of `{other}` | | |"),
                None if agent.protocol.rpc.is_some() => "those of the program that calls it | | |".to_owned(),
                None => "none that is known: `install` prints what to write | | |".to_owned(),
            },
        };
        let _ = writeln!(out, "| `{}` | {row} |", agent.name);
    }
    out.push_str("\nA variable moves the first directory of `user`:");
    let moved =
        answered().filter_map(|agent| Some(format!(" `{}`", agent.settings.as_ref()?.home.as_ref()?)));
    let _ = writeln!(out, "{}.", moved.collect::<Vec<_>>().join(","));
}

fn row(settings: &Settings) -> String {
    let code = |text: &str| format!("`{text}`");
    let local = settings.local.as_deref().map(code).unwrap_or_default();
    let managed: Vec<String> =
        settings.managed.iter().flat_map(|one| &one.files).map(|file| code(file)).collect();
    let user = code(&format!("~/{}", settings.user));
    format!("{} | {local} | {user} | {}", code(&settings.project), managed.join(", "))
}

/// One agent.
fn one(agent: &Agent, out: &mut String) {
    let _ = write!(out, "\n## {} (`{}`)\n\n", agent.label, agent.name);
    if !agent.answered {
        out.push_str("`hookc run` does not answer this agent; `hookc` reads its hooks files.\n\n");
    }
    event_table(agent, out);
    tool_names(agent, out);
    kinds(agent, out);
    rpc(agent, out);
    project(agent, out);
    recognized(agent, out);
    let more = agent.undocumented_tools.iter().map(|(listed, name)| format!("`{listed}` is `{name}`"));
    let more: Vec<String> = more.collect();
    if !more.is_empty() {
        let _ = writeln!(out, "\nSeen in public hooks and logs, but not documented: {}.", more.join(", "));
    }
    if let Some(settings) = &agent.settings {
        further(settings, out);
        missing_program(agent, settings, out);
    }
    times(agent, out);
    spellings(agent, out);
    invalid(agent, out);
    live(agent, out);
    limits(agent, out);
    out.push_str("\nSources:\n\n");
    for source in &agent.sources {
        let _ = writeln!(out, "- {source}");
    }
}

/// The events, and what an answer to each can do.
fn event_table(agent: &Agent, out: &mut String) {
    out.push_str("| event | type in the vocabulary | matcher | an answer can |\n|---|---|---|---|\n");
    for event in &agent.events {
        let also = match event.event == event.name {
            true => String::new(),
            false => format!("`{}`", event.event),
        };
        let matcher = match (&event.matches, &event.matcher) {
            (Some(value), _) => format!("always `{value}`"),
            (None, Some(path)) if event.values.is_empty() => format!("`{path}`"),
            (None, Some(path)) => format!("`{path}`: {}", event.values.join(", ")),
            (None, None) => String::new(),
        };
        let _ = writeln!(out, "| `{}` | {also} | {matcher} | {} |", event.name, answers(event));
    }
}

/// Its own names of tools, and tools that become several.
fn tool_names(agent: &Agent, out: &mut String) {
    let tools = agent.tools.iter().filter(|(listed, name)| listed != name);
    let tools: Vec<String> = tools.map(|(listed, name)| format!("`{listed}` is `{name}`")).collect();
    if !tools.is_empty() {
        let _ = writeln!(out, "\nIts tools: {}.", tools.join(", "));
    }
    let lists = agent.lists.iter().flat_map(|(tool, lists)| lists.iter().map(move |list| (tool, list)));
    let lists = lists.map(|(tool, (listed, list))| format!("`{listed}` of `{tool}` is `{}`", list.is));
    let lists: Vec<String> = lists.collect();
    if !lists.is_empty() {
        let _ = writeln!(out, "\nHooks decide about each element of a list: {}.", lists.join(", "));
    }
    if let Some(mcp) = &agent.protocol.mcp {
        let Mcp { member, server, tool, by, input } = mcp;
        let by = by.as_ref().map(|tool| format!(", which `{tool}` calls,")).unwrap_or_default();
        let input = input.as_ref().map(|input| format!("; their input is `{member}.{input}`"));
        let _ = writeln!(
            out,
            "\nTools of MCP servers{by} become `mcp__SERVER__TOOL`, with `{member}.{server}` and \
             `{member}.{tool}`{}.",
            input.unwrap_or_default()
        );
    }
}

/// How long it waits for hooks.
fn times(agent: &Agent, out: &mut String) {
    if agent.timeout_passes {
        let closed = agent.fail_closed_key().map(|(key, _)| key);
        let unless = closed.map(|key| format!(", unless the handler has `{key}`")).unwrap_or_default();
        let denies = agent.events.iter().filter(|event| event.timeout_denies);
        let denies = denies.map(|event| format!("`{}`", event.name)).collect::<Vec<_>>().join(", ");
        let except = if denies.is_empty() { denies } else { format!(", except at {denies}") };
        let _ =
            writeln!(out, "\nIf a hook takes longer than its timeout, the action passes{except}{unless}.");
    }
    let waits = agent.events.iter().filter_map(|event| Some((&event.name, event.wait?)));
    for (name, seconds) in waits {
        let _ = writeln!(
            out,
            "\nAt `{name}` it waits {seconds} seconds for all hooks together, or longer if its settings have a \
             longer `timeout` for one of them."
        );
    }
}

/// Tools that are known by their kind.
fn kinds(agent: &Agent, out: &mut String) {
    let Some(kinds) = &agent.protocol.kinds else { return };
    let tools = kinds.tools.iter().map(|(kind, tool)| format!("`{kind}` is `{tool}`"));
    let tools = tools.collect::<Vec<_>>().join(", ");
    let _ = writeln!(
        out,
        "\nTools with names that the vocabulary does not have are known by `{}`: {tools}.",
        kinds.member
    );
}

/// The messages around its events.
fn rpc(agent: &Agent, out: &mut String) {
    let Some(rpc) = &agent.protocol.rpc else { return };
    let Rpc { version, release, intercept, observe, errors, .. } = rpc;
    let events = |method: &Method| {
        method.events.iter().map(|event| format!("`{event}`")).collect::<Vec<_>>().join(", ")
    };
    let _ = writeln!(
        out,
        "\nEvents are in messages of JSON-RPC, one in each line of standard input: `{}` asks about {}, and `{}` reports {}. \
         The version of messages is `{version}`, of the release {release}; another one is the error {}.",
        intercept.name,
        events(intercept),
        observe.name,
        events(observe),
        errors.version,
    );
}

/// What a call of a program that is gone does.
fn missing_program(agent: &Agent, settings: &Settings, out: &mut String) {
    let Some(shell) = &settings.shell else { return };
    let denied = agent.events.iter().filter(|event| agent.denial_without_program(&event.name).is_some());
    let denied: Vec<String> = denied.map(|event| format!("`{}`", event.name)).collect();
    let how = match &agent.ignores_exit {
        None => "`|| exit 2`".to_owned(),
        Some(program) => format!("with an answer, because {program} ignores exit statuses"),
    };
    let _ = writeln!(
        out,
        "\nCommands run in `{shell}`. The calls that `install` writes deny if `hookc` cannot start ({how}) at {}.",
        denied.join(", ")
    );
}

/// What its hooks files can have in another spelling, and how it reads matchers.
fn spellings(agent: &Agent, out: &mut String) {
    let Some(form) = &agent.form else { return };
    let names = match form.event_names {
        EventNames::Exact => None,
        EventNames::Snake => Some("in lower case with underscores (`pre_tool_use`)"),
        EventNames::Any => Some("in any case, and with underscores"),
    };
    if let Some(names) = names {
        let bare = if form.bare_too { ", and without `hooks` around them" } else { "" };
        let _ = writeln!(out, "\nIts hooks files can also have the names of events {names}{bare}.");
    }
    let matchers = match form.matching {
        Matching::Search => return,
        Matching::Whole => {
            "the name of a tool, or a pattern for a whole name: between slashes, or with a character such as `|` or `.`"
        }
        Matching::Anchored => {
            "a regular expression for the whole name of a tool (so neither `*` nor an empty one matches)"
        }
        Matching::Linear => {
            "a regular expression of Go or Rust (so `*` alone is invalid) that matches anywhere in the name of a tool"
        }
        Matching::Exact => {
            "a list of whole names between `|`, with letters, digits and `_` alone, or else a regular expression of Rust that \
             matches anywhere in the name of a tool"
        }
        Matching::Listed => {
            "a list of names between `|`, or a regular expression that matches anywhere in the name of a tool"
        }
    };
    let _ = writeln!(out, "\nA matcher is {matchers}.");
    if !form.own_names_at.is_empty() {
        let events = form.own_names_at.join("`, `");
        let _ = writeln!(out, "\nAt `{events}`, names of tools of Claude Code do not match.");
    }
    if !form.aliases.is_empty() {
        let aliases = form.aliases.iter().map(|(alias, own)| format!("`{alias}` ({own})"));
        let _ = writeln!(out, "\nA list can also have {}.", aliases.collect::<Vec<_>>().join(", "));
    }
}

/// How `hookc probe --live` starts its own program.
fn live(agent: &Agent, out: &mut String) {
    if let Some(reason) = &agent.no_live {
        let _ = writeln!(out, "\n`hookc probe --live` cannot ask it: {reason}.");
    }
    let Some(live) = &agent.live else { return };
    let variables = live.env.iter().map(|(name, value)| format!("{name}='{value}' "));
    let command = variables.chain([live.command.join(" ")]).collect::<String>();
    let events = live.events.iter().map(|event| format!("`{event}`")).collect::<Vec<_>>().join(", ");
    let _ = writeln!(out, "\n`hookc probe --live` starts `{command}`, a session that has {events}.");
}

/// What it does with an invalid file.
fn invalid(agent: &Agent, out: &mut String) {
    for (reaction, what) in [
        (Reaction::Skip, "skips a whole hooks file"),
        (Reaction::Stop, "does not start"),
        (Reaction::Drop, "ignores only the wrong part"),
    ] {
        let faults = agent.invalid.iter().filter(|(_, listed)| **listed == reaction);
        let faults: Vec<&str> = faults.map(|(fault, _)| fault.about()).collect();
        if !faults.is_empty() {
            let _ = writeln!(out, "\nIt {what} because of: {}.", faults.join(", "));
        }
    }
}

/// Longest timeouts, handlers that do not run everywhere, and effects that include less than their names suggest.
fn limits(agent: &Agent, out: &mut String) {
    if let least @ 1.. = agent.least_timeout() {
        let unit = if least == 1 { "second" } else { "seconds" };
        let _ = writeln!(out, "\nIt raises a shorter timeout to {least} {unit}.");
    }
    if agent.form.as_ref().is_some_and(|form| form.handler.whole) {
        out.push_str("\nA timeout must be a whole number.\n");
    }
    if let Some(zero) = agent.zero_timeout {
        let what = match zero {
            ZeroTimeout::End => "ends a handler at once if its timeout is 0",
            ZeroTimeout::Drop => "ignores a handler with a timeout of 0",
        };
        let _ = writeln!(out, "\nIt {what}.");
    }
    for event in &agent.events {
        if let Some(longest) = event.longest {
            let without = event.timeout.map(|own| format!(" (without one: {own})")).unwrap_or_default();
            let _ = writeln!(out, "\nAt `{}` it cuts a timeout to {longest} seconds{without}.", event.name);
        }
        for capability in Capability::ALL {
            if let Some(caveat) = event.caveat(*capability) {
                let _ = writeln!(out, "\n`{}` at `{}`: {caveat}.", capability.name(), event.name);
            }
        }
    }
    let types = agent.form.iter().flat_map(|form| &form.handler.types);
    for kind in types.filter(|kind| kind.since.is_some() || !kind.except.is_empty()) {
        let since = kind.since.as_ref().map(|since| format!(" from version {since}")).unwrap_or_default();
        let except = match kind.except.is_empty() {
            true => String::new(),
            false => format!(", not at `{}`", kind.except.join("`, `")),
        };
        let _ = writeln!(out, "\nIt runs handlers of type `{}`{since}{except}.", kind.name);
    }
    if let Some(root) = agent.form.as_ref().and_then(|form| form.root.as_ref()) {
        let _ = writeln!(out, "\nNext to `hooks`, its file can only have `{}`.", root.join("`, `"));
    }
}

/// What says where the root of the project is.
fn project(agent: &Agent, out: &mut String) {
    let member = agent.protocol.project.as_ref().map(|member| format!("`{member}` of the event"));
    let variable = agent.settings.as_ref().and_then(|settings| settings.root.as_ref());
    let variable = variable.map(|variable| format!("the variable `{variable}`"));
    let sources: Vec<String> = member.into_iter().chain(variable).collect();
    if !sources.is_empty() {
        let _ =
            writeln!(out, "\nThe root of the project (`project_dir`) is in {}.", sources.join(", or else "));
    }
    if let Some(parent) = &agent.protocol.parent {
        let _ = writeln!(out, "\nA session with `{parent}` continues the history of that session.");
    }
}

/// What shows that an event is from this agent.
fn recognized(agent: &Agent, out: &mut String) {
    let sets = agent.protocol.signatures.iter().map(|set| {
        let member = |name: &String| match (name.strip_prefix('!'), name.strip_prefix('~')) {
            (Some(absent), _) => format!("no `{absent}`"),
            (_, Some(tool)) => format!("a `{tool}` that the agent of the call does not have"),
            (None, None) => format!("`{name}`"),
        };
        set.iter().map(member).collect::<Vec<_>>().join(" with ")
    });
    let sets: Vec<String> = sets.collect();
    if !sets.is_empty() {
        let _ = writeln!(out, "\nAn event is from this agent if it has {}.", sets.join(", or "));
    }
}

/// Locations of hooks that the table does not have.
fn further(settings: &Settings, out: &mut String) {
    let list = |files: &[String], home: &str| {
        files.iter().map(|file| format!("`{home}{file}`")).collect::<Vec<_>>().join(", ")
    };
    if !settings.also.is_empty() || !settings.also_user.is_empty() {
        let lists = [list(&settings.also, ""), list(&settings.also_user, "~/")];
        let text = lists.iter().filter(|list| !list.is_empty()).cloned().collect::<Vec<_>>().join(", ");
        let _ = writeln!(out, "\nIt also reads hooks from {text}.");
    }
    if !settings.foreign.is_empty() {
        let _ = writeln!(
            out,
            "\nIt also runs the hooks of {}, which another agent has.",
            list(&settings.foreign, "")
        );
    }
    let variables =
        settings.managed.iter().filter_map(|one| Some((one.variable.as_ref()?, one.files.first()?)));
    for (variable, file) in variables {
        let _ = writeln!(out, "\n`{variable}` names another file than `{file}`.");
    }
}

fn answers(event: &Event) -> String {
    let names = Capability::ALL
        .iter()
        .filter(|capability| event.can(**capability))
        .map(|capability| capability.name());
    let names = names.collect::<Vec<_>>().join(", ");
    let dropped = Capability::ALL.iter().filter(|capability| event.is_undocumented(**capability));
    let dropped: Vec<&str> = dropped.map(|capability| capability.name()).collect();
    if !dropped.is_empty() {
        return format!(
            "{names}nothing: the answer is dropped, as documented (a version that was tried took {})",
            dropped.join(", ")
        );
    }
    let exit = match event.exit() {
        DenyingExit::Any => Some("any exit status but 0 denies"),
        DenyingExit::None if event.can(Capability::Deny) => Some("no exit status denies"),
        DenyingExit::None | DenyingExit::Two => None,
    };
    let notes: Vec<&str> = exit
        .into_iter()
        .chain(event.discards_messages.then_some("messages for the user are discarded"))
        .chain((!event.prompt.is_empty()).then_some("without a text it continues the turn, and no hook runs"))
        .collect();
    match (names.is_empty(), notes.is_empty()) {
        (_, true) => names,
        (true, false) => format!("({})", notes.join("; ")),
        (false, false) => format!("{names} ({})", notes.join("; ")),
    }
}
