//! `hookc check`

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use comfy_table::{ContentArrangement, Table, presets};
use hookc_base::action::Kind;
use hookc_compiler::Dialect;
use hookc_compiler::testing::{self, Exercised};
use hookc_runtime::policies::{SkipReason, Unit};
use hookc_schema::tree::{Hook, Mode};
use hookc_schema::{Code, Diagnostic, Severity, diag};
use hookc_vm::Module;
use serde::Serialize;
use serde_json::json;

use crate::args::{Check, Format, Global, Sources};
use crate::cmd::findings::Findings;
use crate::cmd::fix;
use crate::cmd::status::{uncalled, workspace};
use crate::discover::Found;
use crate::exit::{Exit, Failure, Outcome};
use crate::files::Texts;
use crate::installed::calls::Call;
use crate::installed::target::{self, Target};
use crate::load::Built;
use crate::{discover, files, load, out};

/// The name of the count of files that were named.
const NAMED: &str = "named on the command line";

pub(crate) fn run(global: &Global, args: &Check) -> Outcome {
    let hosts = if args.hosts.is_empty() { workspace::agents(&args.files) } else { args.hosts.clone() };
    let sources = Sources { hosts, timeout: args.timeout, ..args.sources.clone() };
    let (mut texts, mut lines) = (Texts::kept(), Vec::new());
    let fixed = if args.fix { fixed(global, args, &sources, &mut texts, &mut lines)? } else { Exit::Done };
    let exit = report(global, args, &sources, &mut texts);
    // Files are changed, also if the report fails.
    lines.iter().for_each(|line| out::say(global, line));
    Ok(match exit? {
        Exit::Done => fixed,
        exit => exit,
    })
}

/// Applies the fixes of the named policies.
fn fixed(
    global: &Global,
    args: &Check,
    sources: &Sources,
    texts: &mut Texts,
    lines: &mut Vec<String>,
) -> Outcome {
    let is_for_programs = matches!(global.format, Format::Json | Format::Sarif | Format::Github);
    if is_for_programs && !args.diff && args.files.iter().any(|path| files::is_stdin(path)) {
        return Err(Failure::usage(
            "the fixed text of standard input is written to standard output: omit `--format`",
        ));
    }
    let found = discover::search(&args.files, texts)?;
    fix::run(global, args, sources, &found.units, texts, lines)
}

fn report(global: &Global, args: &Check, sources: &Sources, texts: &mut Texts) -> Outcome {
    let root = args.files.first().map_or_else(|| ".".to_owned(), |path| files::name(path));
    let mut findings = Findings::new(global, root);
    let exit = report_all(global, args, sources, texts, &mut findings)?;
    findings.finish()?;
    Ok(exit)
}

fn report_all(
    global: &Global,
    args: &Check,
    sources: &Sources,
    texts: &mut Texts,
    findings: &mut Findings<'_>,
) -> Outcome {
    if !args.files.iter().any(|path| path.is_dir()) {
        return report_files(global, args, sources, texts, findings);
    }
    let found = discover::search(&args.files, texts)?;
    let mut ends = Vec::new();
    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    let mut reported = Vec::new();
    let uncalled = Uncalled::read(args, sources);
    for found in &found.units {
        let mut built = load::unit(found, texts, sources)?;
        ends.push(unit(global, args, &mut built, findings)?);
        uncalled.report(global, &found.paths, &built);
        reported.extend(located(&built));
        let dialect = found.dialect.map_or(NAMED, |dialect| dialect.name());
        counts.entry(dialect).or_default().add(&built, found.paths.len());
    }
    let linked = if found.suspects.is_empty() && !ends.contains(&Exit::Errors) {
        together(findings, sources, &found, texts, &reported)?
    } else {
        Count::default()
    };
    texts.last_use();
    if linked.errors + linked.warnings > 0 {
        ends.push(Exit::errors_if(linked.errors > 0 || args.deny.is_some()));
        counts.insert("linked into one", linked);
    }
    if let Some(unread) = report_suspects(&found, texts, findings)? {
        ends.push(Exit::Errors);
        counts.insert("cannot be read", unread);
    }
    let skipped_files = load::probably_meant(&found.skipped);
    if !skipped_files.is_empty() {
        findings.add(&skipped_files, &hookc_schema::Sources::new())?;
        ends.push(Exit::errors_if(args.deny.is_some()));
        counts.insert("skipped", Count { warnings: skipped_files.len(), ..Count::default() });
    }
    if global.format == Format::Json {
        out::json(&(json(&counts) + &searched(global, &found)))?;
    } else if !matches!(global.format, Format::Sarif | Format::Github) {
        skipped(global, &found);
        let total = counts.values().fold(Count::default(), Count::plus);
        let summary = summary(&found, &total);
        out::lines(&(table(&counts) + &summary))?;
    }
    let worst = [Exit::Errors, Exit::Failed].into_iter().find(|worst| ends.contains(worst));
    let exit = worst.unwrap_or(Exit::Done);
    if global.format == Format::Text {
        success(global, exit, &counts.values().fold(Count::default(), Count::plus))?;
    }
    Ok(exit)
}

/// Reports named files, which are compiled together.
fn report_files(
    global: &Global,
    args: &Check,
    sources: &Sources,
    texts: &mut Texts,
    findings: &mut Findings<'_>,
) -> Outcome {
    let mut built = load::build(&args.files, texts, sources, false)?;
    let exit = unit(global, args, &mut built, findings)?;
    Uncalled::read(args, sources).report(global, &args.files, &built);
    let mut count = Count::default();
    count.add(&built, built.written().count());
    match global.format {
        // Standard output has the fixed text.
        Format::Text if args.fix && args.files.iter().any(|path| files::is_stdin(path)) => {}
        Format::Text => success(global, exit, &count)?,
        Format::Json => out::json(&json(&BTreeMap::from([(NAMED, count)])))?,
        Format::Short | Format::Junit | Format::Sarif | Format::Github => {}
    }
    Ok(exit)
}

/// Reports the files of a directory that are probably policies and cannot be read; how many, if there are any.
fn report_suspects(
    found: &Found,
    texts: &mut Texts,
    findings: &mut Findings<'_>,
) -> Result<Option<Count>, Failure> {
    if found.suspects.is_empty() {
        return Ok(None);
    }
    let mut unread = hookc_schema::Sources::new();
    let suspects = load::suspects(&mut unread, &found.suspects, texts)?;
    findings.add(&suspects, &unread)?;
    Ok(Some(Count { files: suspects.len(), errors: suspects.len(), ..Count::default() }))
}

/// Events that the policies got hooks for after they were installed for one of the agents.
struct Uncalled {
    /// The calls in the settings of each agent.
    calls: Vec<(Target, Vec<Call>)>,
}

impl Uncalled {
    fn read(args: &Check, sources: &Sources) -> Self {
        let is_installed_as_is = args.sources.layers.is_empty() && args.sources.dialect.is_none();
        if args.files.is_empty() || !is_installed_as_is || args.files.iter().any(|path| files::is_stdin(path))
        {
            return Self { calls: Vec::new() };
        }
        let agents = sources.hosts.iter().filter_map(|host| target::by_name(host));
        Self { calls: agents.map(|agent| (agent, uncalled::in_project(agent))).collect() }
    }

    fn report(&self, global: &Global, files: &[PathBuf], built: &Built) {
        let module = || Module::load(built.compiled.module.clone()?).ok();
        for (agent, calls) in &self.calls {
            if let Some(line) = uncalled::report(*agent, calls, files, &module) {
                out::say(global, &format!("note: {line}"));
            }
        }
    }
}

/// Where a problem was reported: a file may be linked several times.
type Located = (Code, String, String);

fn located(built: &Built) -> Vec<Located> {
    let at = |one: &Diagnostic| one.span().map(|span| built.sources.location(span)).unwrap_or_default();
    built.compiled.diagnostics.iter().map(|one| (one.code, at(one), one.message.clone())).collect()
}

/// Reports what only policies together have, since `run`, `eval` and `compile` link them into one: errors of all of
/// them (two strategies of one event, more hooks than a module can have), and what the policies of one directory do to
/// each other, such as a hook that another one hides.
fn together(
    findings: &mut Findings<'_>,
    sources: &Sources,
    found: &Found,
    texts: &mut Texts,
    reported: &[Located],
) -> Result<Count, Failure> {
    let mut count = Count::default();
    if found.units.len() < 2 {
        return Ok(count);
    }
    let mut built = load::linked(found.clone(), texts, sources, false)?;
    built.compiled.diagnostics.retain(Diagnostic::is_error);
    report_new(findings, built, reported, &mut count)?;
    let policies = found
        .units
        .iter()
        .filter(|unit| matches!(unit.dialect, Some(Dialect::HooksYaml | Dialect::DirectiveXml)));
    let mut directories: BTreeMap<Option<&Path>, Vec<Unit>> = BTreeMap::new();
    for unit in policies {
        let directory = unit.paths.first().and_then(|path| path.parent());
        directories.entry(directory).or_default().push(unit.clone());
    }
    if count.errors > 0 {
        return Ok(count);
    }
    for units in directories.into_values().filter(|units| units.len() > 1) {
        let mut linked = load::linked(Found { units, ..Found::default() }, texts, sources, false)?;
        linked.compiled.diagnostics.retain(|one| one.code.severity() == Severity::Warning);
        report_new(findings, linked, reported, &mut count)?;
    }
    Ok(count)
}

/// Reports what was not reported before.
fn report_new(
    findings: &mut Findings<'_>,
    mut built: Built,
    reported: &[Located],
    count: &mut Count,
) -> Result<(), Failure> {
    let mut is_new = located(&built).into_iter().map(|one| !reported.contains(&one));
    built.compiled.diagnostics.retain(|_| is_new.next().unwrap_or(true));
    if built.compiled.diagnostics.is_empty() {
        return Ok(());
    }
    findings.add_built(&built)?;
    let number_of =
        |severity| built.compiled.diagnostics.iter().filter(|one| one.severity == severity).count();
    count.errors += number_of(Severity::Error);
    count.warnings += number_of(Severity::Warning);
    Ok(())
}

/// The line for policies without a problem. It also says that no hook decides, and which texts the policies keep. `-q` hides it.
fn success(global: &Global, exit: Exit, total: &Count) -> Result<(), Failure> {
    if global.quiet || exit != Exit::Done {
        return Ok(());
    }
    let (hooks, files) = (out::plural(total.hooks, "hook"), out::plural(total.files, "file"));
    let clean = (total.errors + total.warnings == 0).then(|| format!("{hooks} in {files}, no problems"));
    let is_hidden = global.verbose == 0 && total.notes > 0;
    let notes = is_hidden.then(|| format!("{} (`-v` shows what)", out::plural(total.notes, "note")));
    let paths: Vec<_> = total.keeps.iter().map(|path| format!("`{path}`")).collect();
    let keeps = (!paths.is_empty()).then(|| format!("the history keeps the text of {}", paths.join(", ")));
    let lines: Vec<String> =
        clean.into_iter().chain(notes).chain(total.idle.text(total.hooks)).chain(keeps).collect();
    if lines.is_empty() { Ok(()) } else { out::lines(&(lines.join("; ") + "\n")) }
}

/// The number of checked files of the directories, and of skipped ones.
fn summary(found: &Found, total: &Count) -> String {
    let (files, skipped) = (out::plural(found.files, "file"), skipped_files(found));
    let why = if skipped > 0 { " (`-v` shows the reasons)" } else { "" };
    format!("checked {files}: {} with policies, {skipped} skipped{why}\n", total.files)
}

fn skipped_files(found: &Found) -> usize {
    found.skipped.iter().filter(|one| one.why != SkipReason::Folder).count()
}

/// With `-v`, why each file was skipped; files skipped by name are only counted.
fn skipped(global: &Global, found: &Found) {
    if global.verbose == 0 {
        return;
    }
    for one in found.skipped.iter().filter(|one| one.why != SkipReason::Extension) {
        out::say(global, &format!("{}: skipped: {}", files::name(&one.path), one.why.as_str()));
    }
    let others: Vec<_> = found.skipped.iter().filter(|one| one.why == SkipReason::Extension).collect();
    if let Some(first) = others.first() {
        let mut line = files::name(&first.path);
        if others.len() > 1 {
            let _ = write!(line, " and {}", out::plural(others.len() - 1, "other file"));
        }
        out::say(global, &format!("{line}: skipped: {}", SkipReason::Extension.as_str()));
    }
}

/// What was searched, for programs.
fn searched(global: &Global, found: &Found) -> String {
    let one = |one: &hookc_runtime::policies::Skipped| json!({"path": files::name(&one.path), "why": one.why.as_str()});
    let mut report = json!({"looked_at": found.files, "skipped": skipped_files(found)});
    if let (Some(report), true) = (report.as_object_mut(), global.verbose > 0) {
        report.insert("files_skipped".to_owned(), found.skipped.iter().map(one).collect());
    }
    report.to_string() + "\n"
}

/// Reports the diagnostics of linked policies and of their examples.
fn unit(global: &Global, args: &Check, built: &mut Built, findings: &mut Findings<'_>) -> Outcome {
    let least = if args.deny.is_some() { Severity::Warning } else { Severity::Error };
    let mut bad = built.compiled.diagnostics.iter().any(|d| d.severity >= least);
    let mut failed = false;
    if args.examples && !built.compiled.failed() {
        let examples = testing::examples(&built.compiled, &|_| true, None, &mut Exercised::default());
        let examples = examples.map_err(|error| Failure::input(error.to_string()))?;
        let diagnostics = testing::diagnostics(&examples.cases);
        failed = !diagnostics.is_empty();
        bad |= examples.diagnostics.iter().any(|d| d.severity >= least);
        built.compiled.diagnostics.extend(examples.diagnostics);
        built.compiled.diagnostics.extend(diagnostics);
        diag::sort(&mut built.compiled.diagnostics);
    }
    built.say_details(global);
    findings.add_built(built)?;
    Ok(if failed && !bad { Exit::Failed } else { Exit::errors_if(bad) })
}

/// The statistics of a dialect.
#[derive(Clone, Debug, Default, Serialize)]
struct Count {
    files: usize,
    hooks: usize,
    errors: usize,
    warnings: usize,
    /// Notes, which only `-v` shows.
    #[serde(skip)]
    notes: usize,
    /// The paths of events whose texts the history keeps.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    keeps: BTreeSet<String>,
    #[serde(skip)]
    idle: Idle,
}

/// The numbers of hooks that decide nothing.
#[derive(Clone, Copy, Debug, Default)]
struct Idle {
    warn: usize,
    shadow: usize,
    disabled: usize,
    /// The hooks that only write to the log, or do nothing.
    silent: usize,
    /// Of these, and of the others, the hooks whose action can decide.
    idle_guards: usize,
    guards: usize,
}

/// Actions that never decide.
const NOTES: [Kind; 2] = [Kind::Log, Kind::Inject];

/// Actions that change nothing, whatever the agent.
const SILENT: [Kind; 2] = [Kind::Log, Kind::Continue];

impl Idle {
    fn add(&mut self, hook: &Hook) {
        let can_decide = hook.action.known().is_none_or(|kind| !NOTES.contains(&kind));
        let counted = if hook.decides() { &mut self.guards } else { &mut self.idle_guards };
        *counted += usize::from(can_decide);
        let is_silent = hook.decides() && hook.action.known().is_some_and(|kind| SILENT.contains(&kind));
        self.silent += usize::from(is_silent);
        match hook.mode.map(|mode| mode.node) {
            _ if !hook.is_enabled() => self.disabled += 1,
            Some(Mode::Warn) => self.warn += 1,
            Some(Mode::Shadow) => self.shadow += 1,
            Some(Mode::Enforce) | None => {}
        }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            warn: self.warn + other.warn,
            shadow: self.shadow + other.shadow,
            disabled: self.disabled + other.disabled,
            silent: self.silent + other.silent,
            idle_guards: self.idle_guards + other.idle_guards,
            guards: self.guards + other.guards,
        }
    }

    /// What is said of so many hooks if none of them decides.
    fn text(self, hooks: usize) -> Option<String> {
        let counts = [(self.warn, "warn"), (self.shadow, "shadow"), (self.disabled, "disabled")];
        let found: usize = counts.iter().map(|(count, _)| count).sum();
        let named =
            counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}"));
        let what = match found == hooks {
            true if hooks > 0 => "no hook is enforced",
            false if found == 0 && self.silent == hooks => {
                return Some("no hook decides: each only logs or does nothing".to_owned());
            }
            false if self.guards == 0 && self.idle_guards > 0 => "no hook that decides is enforced",
            _ => return None,
        };
        Some(format!("{what}: {}", named.collect::<Vec<_>>().join(", ")))
    }
}

impl Count {
    fn add(&mut self, built: &Built, files: usize) {
        let reported =
            |severity| built.compiled.diagnostics.iter().filter(|d| d.severity == severity).count();
        self.files += files;
        self.hooks += built.written().map(|(policy, _)| policy.hooks.len()).sum::<usize>();
        built.written().flat_map(|(policy, _)| &policy.hooks).for_each(|hook| self.idle.add(hook));
        self.errors += reported(Severity::Error);
        self.warnings += reported(Severity::Warning);
        self.notes += reported(Severity::Note);
        let patterns = built.written().flat_map(|(policy, _)| &policy.facts).flat_map(|fact| &fact.patterns);
        self.keeps.extend(patterns.flat_map(|pattern| &pattern.keep).map(|path| path.text.to_string()));
    }

    fn plus(self, other: &Self) -> Self {
        Self {
            files: self.files + other.files,
            hooks: self.hooks + other.hooks,
            errors: self.errors + other.errors,
            warnings: self.warnings + other.warnings,
            notes: self.notes + other.notes,
            keeps: self.keeps.union(&other.keeps).cloned().collect(),
            idle: self.idle.plus(other.idle),
        }
    }
}

fn json(counts: &BTreeMap<&str, Count>) -> String {
    counts.iter().map(|count| json!({"dialect": count.0, "found": count.1}).to_string() + "\n").collect()
}

fn table(counts: &BTreeMap<&str, Count>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(["dialect", "files", "hooks", "errors", "warnings"]);
    for (dialect, count) in counts {
        let numbers = [count.files, count.hooks, count.errors, count.warnings].map(|n| n.to_string());
        table.add_row(std::iter::once((*dialect).to_owned()).chain(numbers));
    }
    format!("{table}\n")
}
