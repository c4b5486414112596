//! What is compiled: the sources of policies with the options, read and not yet compiled.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use hookc_compiler::{Files, Input, Merge, Options};
use hookc_runtime::policies::{Skipped, Unit};
use hookc_schema::{Diagnostic, SourceId, Sources};

use super::Built;
use crate::args;
use crate::cache::{self, Key, WatchedDisk};
use crate::discover::Found;
use crate::exit::Failure;
use crate::files::Texts;

/// Sources and options.
pub(crate) struct Gathered {
    sources: Sources,
    inputs: Vec<Input>,
    options: Options,
    read: Vec<(SourceId, PathBuf)>,
    /// The files with these sources; the program has the others.
    files: Vec<PathBuf>,
    groups: usize,
    unreadable: Vec<Diagnostic>,
    skipped: Vec<Skipped>,
    disk: Arc<WatchedDisk>,
    dialect_given: bool,
}

impl Gathered {
    pub(crate) fn compile(mut self) -> Built {
        let mut compiled = hookc_compiler::compile(&mut self.sources, &self.inputs, &self.options);
        let read = self.inputs.iter().zip(&compiled.dialects).filter(|_| !self.dialect_given);
        let detected = read.filter_map(|(input, dialect)| Some((input.source, (*dialect)?))).collect();
        super::refuse(&mut compiled, self.unreadable);
        compiled.diagnostics.extend(super::probably_meant(&self.skipped));
        let (sources, paths, groups) = (self.sources, self.read, self.groups);
        Built { sources, compiled, detected, paths, groups, is_pure: !self.disk.was_asked() }
    }

    /// Where the cache has the module of these sources; `None` if it must not have it.
    pub(crate) fn place(&self, args: &args::Sources) -> Option<cache::Place> {
        let is_plain = self.unreadable.is_empty() && self.skipped.is_empty();
        if !is_plain || !self.files.iter().all(|path| cache::is_owned(path)) {
            return None;
        }
        let mut key = Key::new()?;
        key.debug(&(args, self.groups, &self.options.groups));
        for input in &self.inputs {
            key.debug(input);
            key.add(self.sources.name(input.source).as_bytes());
            key.add(self.sources.text(input.source).as_bytes());
        }
        key.place()
    }
}

/// The group of each file: named files belong together, and so do those of each unit of a directory.
fn group_numbers(units: &[Unit]) -> BTreeMap<PathBuf, usize> {
    let mut numbers = BTreeMap::new();
    for (at, unit) in units.iter().enumerate() {
        let group = if unit.dialect.is_some() { at + 1 } else { 0 };
        numbers.extend(unit.paths.iter().map(|path| (path.clone(), group)));
    }
    numbers
}

/// What the arguments say about a compilation.
fn options(args: &args::Sources, disk: &Arc<WatchedDisk>) -> Options {
    let merge = if args.merge == "replace" { Merge::Replace } else { Merge::Append };
    Options::default()
        .builtin(args.linked())
        .strict(args.strict)
        .merge(merge)
        .files((!args.no_fs).then(|| Arc::clone(disk) as Arc<dyn Files>))
        .hosts(super::hosts(args))
}

/// Reads what a search found; the files `pipes` may be pipes.
pub(super) fn read(
    found: Found,
    mut pipes: BTreeSet<PathBuf>,
    texts: &mut Texts,
    args: &args::Sources,
    strip: bool,
) -> Result<Gathered, Failure> {
    if args.verify_key.is_some() {
        return Err(Failure::usage(
            "`--verify-key` accepts a signed module (`hookc compile --sign`), not a policy in source",
        ));
    }
    let dialect = args.dialect.as_deref().map(super::dialect).transpose()?;
    let layers = super::layers::layers(&args.layers, texts)?;
    let named: BTreeSet<&PathBuf> = layers.iter().map(|(path, _)| path).collect();
    pipes.extend(args.layers.iter().filter_map(|text| super::layers::layer_path(text)));
    let groups = found.units.iter().filter(|unit| unit.dialect.is_some()).count();
    let numbers = group_numbers(&found.units);
    let paths: Vec<PathBuf> = found.units.into_iter().flat_map(|unit| unit.paths).collect();
    let bare = paths.iter().filter(|path| !named.contains(path)).map(|path| (path.clone(), None));
    let named_paths: Vec<_> =
        bare.chain(layers.iter().map(|(path, layer)| (path.clone(), Some(*layer)))).collect();
    if named_paths.is_empty() && found.suspects.is_empty() {
        return Err(Failure::usage(
            "no policy was given: name a file, a directory such as `.`, or `-` for standard input",
        ));
    }
    let (mut sources, mut inputs, mut unreadable) = (Sources::new(), Vec::new(), Vec::new());
    let (mut read, mut files) = (Vec::new(), Vec::new());
    let mut apart = BTreeMap::new();
    unreadable.extend(super::suspects(&mut sources, &found.suspects, texts)?);
    texts.expect(named_paths.iter().map(|(path, _)| path));
    for (path, layer) in named_paths {
        texts.reject_elsewhere(&path)?;
        let found = texts.dialect(&path);
        match if pipes.contains(&path) { texts.source(&path) } else { texts.found(&path) }? {
            Ok(text) => {
                let source = texts.named.source(&mut sources, &path, text);
                read.push((source, path.clone()));
                if !texts.is_provided(&path) {
                    files.push(path.clone());
                }
                if layer.is_none() {
                    apart.extend(numbers.get(&path).map(|group| (source, *group)));
                }
                inputs.push(Input::new(source).with_dialect(dialect.or(found)).with_layer(layer));
            }
            Err(diagnostic) => unreadable.push(diagnostic),
        }
    }
    let disk = Arc::new(WatchedDisk::default());
    let options = options(args, &disk).strip(strip).groups(apart);
    let skipped = found.skipped;
    let dialect_given = dialect.is_some();
    Ok(Gathered { sources, inputs, options, read, files, groups, unreadable, skipped, disk, dialect_given })
}
