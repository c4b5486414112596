//! From file names to a compiled policy or a loaded module.

mod gathered;
mod layers;

use gathered::Gathered;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hookc_compiler::event_types::EventTypes;
use hookc_compiler::{Compiled, Dialect, Hosts};
use hookc_schema::agents::{self, Agent};
use hookc_schema::tree::{Layer, Policy};
use hookc_schema::{Code, Diagnostic, Severity, SourceId, Sources};
use hookc_syntax::front::detect;
use hookc_vm::format::Tables;
use hookc_vm::{LoadError, Module};

use crate::args::{self, Global};
use crate::cache::{self, Entry};
use crate::discover::{self, Found};
use crate::exit::Failure;
use crate::files::Texts;
use crate::{files, out, signed};
use hookc_runtime::policies::{SkipReason, Skipped, Unit};

/// A compilation and its sources.
pub(crate) struct Built {
    pub(crate) sources: Sources,
    pub(crate) compiled: Compiled,
    /// The detected dialect of each source without an explicit one.
    detected: Vec<(SourceId, Dialect)>,
    /// The files of the sources.
    paths: Vec<(SourceId, PathBuf)>,
    /// The number of independent groups of files that were linked together.
    groups: usize,
    /// Whether nothing but the sources and the options matters.
    is_pure: bool,
}

impl Built {
    /// The policies that somebody wrote, and their layers: without the shipped
    /// one.
    pub(crate) fn written(&self) -> impl Iterator<Item = (&Policy, Layer)> {
        let compiled = &self.compiled;
        let written = compiled.policies.iter().zip(compiled.layers.iter().copied());
        written.filter(|(policy, _)| Some(policy.source.span.source) != compiled.shipped)
    }

    /// The shipped policy, if it is linked.
    pub(crate) fn shipped(&self) -> Option<(&Policy, Layer)> {
        let source = self.compiled.shipped?;
        let policy = self.compiled.policies.iter().find(|policy| policy.source.span.source == source)?;
        Some((policy, Layer::Builtin))
    }

    /// The detected dialect of a source without an explicit one.
    pub(crate) fn dialect(&self, source: SourceId) -> Option<Dialect> {
        self.detected.iter().find(|(file, _)| *file == source).map(|(_, dialect)| *dialect)
    }

    /// What the cache keeps of it: whether another process can leave the compilation out depends on what it reported.
    pub(crate) fn entry(&self) -> Option<Entry> {
        let module = self.compiled.module.clone()?;
        let types = EventTypes::of_policies(&self.compiled.policies);
        let has_all =
            Module::open(module.clone()).is_ok_and(|module| EventTypes::of_module(&module) == types);
        let is_silent = has_all
            && self.groups <= 1
            && self.compiled.diagnostics.iter().all(|one| one.severity < Severity::Warning);
        Some(Entry { is_silent, module })
    }

    /// The file of a source.
    pub(crate) fn path(&self, source: SourceId) -> Option<&Path> {
        self.paths.iter().find(|(known, _)| *known == source).map(|(_, path)| path.as_path())
    }

    pub(crate) fn report(&self, global: &Global) {
        self.say_details(global);
        out::diagnostics(global, &self.compiled.diagnostics, &self.sources);
    }

    pub(crate) fn say_details(&self, global: &Global) {
        for (source, dialect) in self.detected.iter().filter(|_| global.verbose > 0) {
            out::say(global, &format!("{}: read as {}", self.sources.name(*source), dialect.name()));
        }
        if self.groups > 1 {
            out::say(global, &unrelated(self.groups));
        }
    }
}

fn unrelated(groups: usize) -> String {
    format!(
        "{groups} independent policies are linked into one: a hook never replaces a hook of another policy"
    )
}

/// Reads and compiles policies that belong together.
pub(crate) fn unit(unit: &Unit, texts: &mut Texts, args: &args::Sources) -> Result<Built, Failure> {
    let mut args = args.clone();
    if unit.dialect.is_some() {
        let named = args.layers.iter().filter_map(|layer| layer.split_once('='));
        let within_unit = named.flat_map(|(layer, within)| {
            let paths = unit.paths.iter().filter(move |path| path.starts_with(within));
            paths.map(move |path| format!("{layer}={}", path.display()))
        });
        args.layers = within_unit.collect();
    }
    // Only a file that was named, not one of a directory, can be a pipe.
    let named = if unit.dialect.is_none() { unit.paths.iter().cloned().collect() } else { BTreeSet::new() };
    let found = Found { units: vec![Unit::new(unit.paths.clone())], ..Found::default() };
    Ok(gathered::read(found, named, texts, &args, false)?.compile())
}

/// Reads policies, including all policies in directories, and compiles them into one.
pub(crate) fn build(
    paths: &[PathBuf],
    texts: &mut Texts,
    args: &args::Sources,
    strip: bool,
) -> Result<Built, Failure> {
    let found = discover::search(paths, texts)?;
    linked(found, texts, args, strip)
}

/// Compiles what a search found into one policy.
pub(crate) fn linked(
    found: Found,
    texts: &mut Texts,
    args: &args::Sources,
    strip: bool,
) -> Result<Built, Failure> {
    Ok(gathered(found, texts, args, strip)?.compile())
}

fn gathered(found: Found, texts: &mut Texts, args: &args::Sources, strip: bool) -> Result<Gathered, Failure> {
    let named = found.units.iter().filter(|unit| unit.dialect.is_none());
    let named = named.flat_map(|unit| &unit.paths).cloned().collect();
    gathered::read(found, named, texts, args, strip)
}

/// The agents that the policies are for.
fn hosts(args: &args::Sources) -> Hosts {
    let named = |agent: &&Agent| args.hosts.contains(&agent.name);
    let mut hosts = Hosts::from_agents(agents::answered().filter(named));
    hosts.runs_settings = !args.hosts.is_empty() && args.executed;
    (hosts.advisory, hosts.timeout) = (args.executed, args.timeout);
    hosts
}

/// The warnings for skipped files that are probably meant to be used.
pub(crate) fn probably_meant(skipped: &[Skipped]) -> Vec<Diagnostic> {
    let warning = |one: &Skipped| {
        let (name, why) = (files::name(&one.path), one.why.as_str());
        let next_to_policies = || format!("`{name}` is skipped in a directory of policies: {why}");
        let (message, help) = match one.why {
            SkipReason::MisnamedTest => return Some(misnamed_test(&one.path)),
            SkipReason::PolicyByContent => {
                (next_to_policies(), "name it `.yaml` or `.xml`, or move it out of the directory")
            }
            SkipReason::NextToPolicies => {
                (next_to_policies(), "correct it if it should be a policy, or move it out of the directory")
            }
            _ => return None,
        };
        Some(Diagnostic::global(Code::W0008, message).help(help))
    };
    skipped.iter().filter_map(warning).collect()
}

/// The warning for tests that `hookc test DIRECTORY` does not run.
pub(crate) fn misnamed_test(path: &Path) -> Diagnostic {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let message = format!("`{}` has the content of a test file, and its tests do not run", files::name(path));
    let help = format!("name it `{}.test.yaml`", detect::test_stem(path).unwrap_or(&stem));
    Diagnostic::global(Code::W0008, message).help(help)
}

/// The errors of files that look like policies but match no dialect.
pub(crate) fn suspects(
    sources: &mut Sources,
    found: &[(PathBuf, &'static str)],
    texts: &mut Texts,
) -> Result<Vec<Diagnostic>, Failure> {
    let mut diagnostics = Vec::new();
    for (path, looks) in found {
        diagnostics.push(match texts.found(path)? {
            Err(diagnostic) => diagnostic,
            Ok(text) => {
                let source = texts.named.source(sources, path, text);
                detect::suspicious(source, sources.name(source), sources.text(source), looks)
            }
        });
    }
    Ok(diagnostics)
}

fn refuse(compiled: &mut Compiled, unreadable: Vec<Diagnostic>) {
    if !unreadable.is_empty() {
        compiled.module = None;
        compiled.diagnostics.splice(0..0, unreadable);
    }
}

/// The dialect of that name.
pub(crate) fn dialect(name: &str) -> Result<Dialect, Failure> {
    one_of(&Dialect::all().collect::<Vec<_>>(), name)
}

/// The dialect of that name that can be written.
pub(crate) fn target(name: &str) -> Result<Dialect, Failure> {
    match dialect(name) {
        Err(_) => one_of(&Dialect::written().collect::<Vec<_>>(), name),
        known => known,
    }
}

fn one_of(dialects: &[Dialect], name: &str) -> Result<Dialect, Failure> {
    let known = || dialects.iter().map(|dialect| dialect.name());
    // The agent of these settings, in the names of `--host`.
    let name = if name == "claude" { Dialect::Settings.name() } else { name };
    dialects.iter().copied().find(|dialect| dialect.name() == name).ok_or_else(|| {
        // By the format of the file, in the names of `--to json`.
        let format =
            [("yaml", "hooks-yaml"), ("xml", "directive-xml"), ("json", "settings"), ("md", "skill")];
        let format = format.iter().find(|(format_name, _)| *format_name == name).map(|(_, dialect)| *dialect);
        let near = format.or_else(|| hookc_schema::suggest::nearest(name, known()));
        let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        let known: Vec<_> = known().collect();
        Failure::usage(format!("unknown dialect `{name}` (known: {}){near}", known.join(", ")))
    })
}

/// The module of policies in source, from the cache if it is there and `accept` accepts the entry. Otherwise it is
/// compiled, `report` gets the compilation, and the cache gets the module.
pub(crate) fn cached<T>(
    paths: &[PathBuf],
    texts: &mut Texts,
    args: &args::Sources,
    accept: impl FnOnce(Entry) -> Option<T>,
    compiled: impl FnOnce(Built) -> (Option<Entry>, T),
) -> Result<T, Failure> {
    let found = discover::search(paths, texts)?;
    let gathered = gathered(found, texts, args, false)?;
    let place = gathered.place(args);
    if let Some(ready) = place.as_ref().and_then(cache::Place::get).and_then(accept) {
        return Ok(ready);
    }
    let built = gathered.compile();
    let place = place.filter(|_| built.is_pure);
    let (entry, ready) = compiled(built);
    if let (Some(place), Some(entry)) = (place, entry) {
        place.put(&entry);
    }
    Ok(ready)
}

/// How the bytes of a module become a module: [`Module::load`], or [`Module::open`] for a process that decides about a
/// few events.
pub(crate) type Reader = fn(Vec<u8>) -> Result<Module, LoadError>;

/// A module that is ready to decide and the event types that its policy knows, from a module file or from sources;
/// `None` if the sources have errors, which were reported.
pub(crate) fn module(
    reader: Reader,
    paths: &[PathBuf],
    texts: &mut Texts,
    args: &args::Sources,
    global: &Global,
) -> Result<Option<(Module, EventTypes)>, Failure> {
    if let Some(module) = module_file(reader, paths, texts, args)? {
        let types = EventTypes::of_module(&module);
        return Ok(Some((module, types)));
    }
    let accept = |entry: Entry| {
        let module = reader(entry.module).ok().filter(|_| entry.is_silent && global.verbose == 0)?;
        let types = EventTypes::of_module(&module);
        Some(Ok(Some((module, types))))
    };
    let compiled = |built: Built| {
        built.report(global);
        let types = EventTypes::of_policies(&built.compiled.policies);
        let Some(bytes) = &built.compiled.module else { return (None, Ok(None)) };
        let module = open(reader, bytes.clone(), "the compiled policy");
        (built.entry(), module.map(|module| Some((module, types))))
    };
    cached(paths, texts, args, accept, compiled)?
}

/// The module, if that is what the paths name. What was read of other files stays in `texts`.
pub(crate) fn module_file(
    reader: Reader,
    paths: &[PathBuf],
    texts: &mut Texts,
    args: &args::Sources,
) -> Result<Option<Module>, Failure> {
    let mut module = None;
    for path in paths.iter().filter(|path| !files::is_stdin(path) && !path.is_dir()) {
        let bytes = texts.peek(path, hookc_vm::limits::MODULE_BYTES)?;
        if is_module(path, bytes) {
            module = Some(path);
        }
    }
    let Some(path) = module else { return Ok(None) };
    texts.named.add([path]);
    texts.reject_elsewhere(path)?;
    if paths.len() > 1 || !args.layers.is_empty() {
        let name = path.display();
        return Err(Failure::usage(format!(
            "{name} is a module, which cannot be combined with other policies"
        )));
    }
    if args.builtin {
        let name = path.display();
        return Err(Failure::usage(format!(
            "{name} is a module, to which `--builtin` adds nothing; compile its policy with `--builtin`"
        )));
    }
    let bytes = texts.bytes(path, hookc_vm::limits::MODULE_BYTES)?;
    let key = args.verify_key.as_deref();
    let verified = key.map(|key| signed::verify(path, &bytes, key)).transpose()?;
    let module = open(reader, bytes, &files::name(path))?;
    verified.map_or(Ok(()), signed::Verified::remember)?;
    Ok(Some(module))
}

fn is_module(path: &Path, bytes: &[u8]) -> bool {
    files::is_module(bytes) || path.extension().is_some_and(|extension| extension == "hookc")
}

/// The tables of a module, for listings.
pub(crate) fn tables(module: &Module) -> Result<Tables<'_>, Failure> {
    module.tables().map_err(|error| Failure::input(error.to_string()))
}

/// The module of the bytes of `name`.
pub(crate) fn open(reader: Reader, bytes: Vec<u8>, name: &str) -> Result<Module, Failure> {
    let source = !files::is_module(&bytes);
    reader(bytes).map_err(|error| {
        let help =
            if source { "`hookc compile` compiles a policy to a module" } else { "compile the policy again" };
        Failure::input(format!("{name}: {error}; {help}"))
    })
}
