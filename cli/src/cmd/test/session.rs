//! Runs the test files that were found, and collects the results.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use hookc_base::text::with_causes;
use hookc_compiler::testing::{self, CannotRun, Case, CaseKind, Coverage, Exercised, Outcome, Suite};
use hookc_compiler::{Builtin, Compiled, Input, Options, compile};
use hookc_schema::{Code, Diagnostic, Diagnostics, SourceId, Sources, Span, diag};
use hookc_syntax::front::detect::{self, Role};

use super::gather::{Kind, TestFile};
use crate::args;
use crate::exit::{Failure, reason};
use crate::files::NamedDirectories;
use crate::{files, load};

/// A test run.
pub(super) struct Session {
    sources: Sources,
    named: NamedDirectories,
    /// The sources that were read, by their real paths: a policy of several
    /// suites is one source, and its coverage adds up.
    known: HashMap<PathBuf, SourceId>,
    diagnostics: Vec<Diagnostic>,
    cases: Vec<Case>,
    coverage: Option<Coverage>,
    exercised: Exercised,
    filter: Option<String>,
}

/// The result of a run.
pub(super) struct Report {
    pub(super) sources: Sources,
    pub(super) cases: Vec<Case>,
    pub(super) coverage: Option<Coverage>,
    /// Which hooks a case matched; `None` where `--filter` left cases out.
    pub(super) exercised: Option<Exercised>,
    /// The files that were read, by their real paths.
    pub(super) files: Vec<PathBuf>,
    diagnostics: Vec<Diagnostic>,
}

impl Session {
    pub(super) fn new(args: &args::Test) -> Self {
        let covers = args.coverage || args.coverage_fail_under.is_some();
        Self {
            sources: Sources::new(),
            named: NamedDirectories::new(&args.paths),
            known: HashMap::new(),
            diagnostics: Vec::new(),
            cases: Vec::new(),
            coverage: covers.then(Coverage::new),
            exercised: Exercised::default(),
            filter: args.filter.clone(),
        }
    }

    /// Tests a file.
    pub(super) fn file(&mut self, found: &TestFile) -> Result<(), Failure> {
        let path = &found.path;
        let source = self.source(path).map_err(|error| Failure::file(path, &error))?;
        match (source, found.kind) {
            (Ok(source), Kind::Suite) => self.suite(path, source),
            (Ok(source), Kind::MaybePolicy) => self.maybe_policy(path, source),
            // Tests that a person names run under any name.
            (Ok(source), Kind::Policy) if detect::is_test(self.sources.text(source)) => {
                self.suite(path, source)
            }
            (Ok(source), Kind::Policy) => self.examples(Input::new(source)),
            // A file that is not text does not look like a policy either.
            (Err(_), Kind::MaybePolicy) => Ok(()),
            (Err(no_text), _) => {
                self.diagnostics.push(no_text);
                Ok(())
            }
        }
    }

    /// A file of a directory. One that looks like a policy but cannot be read as one is an error.
    fn maybe_policy(&mut self, path: &Path, source: SourceId) -> Result<(), Failure> {
        let (name, text) = (self.sources.name(source), self.sources.text(source));
        match detect::role(name, text) {
            // Hooks of settings have no tests: what they call has.
            Role::Policy(dialect) if dialect.is_of_agent() => {
                self.compile(&[Input::new(source).with_dialect(dialect)], &Options::default());
            }
            Role::Policy(dialect) => return self.examples(Input::new(source).with_dialect(dialect)),
            Role::Suspect(looks) => self.diagnostics.push(detect::suspicious(source, name, text, looks)),
            Role::Other if detect::is_misnamed_test(path, text) => {
                self.diagnostics.push(load::misnamed_test(path))
            }
            Role::Other => {}
        }
        Ok(())
    }

    /// The source of a file, or why it is not text.
    fn source(&mut self, path: &Path) -> io::Result<Result<SourceId, Diagnostic>> {
        let real = fs::canonicalize(path)?;
        if let Some(known) = self.known.get(&real) {
            return Ok(Ok(*known));
        }
        Ok(files::text(path)?.map(|text| {
            let source = self.named.source(&mut self.sources, path, text);
            self.known.insert(real, source);
            source
        }))
    }

    fn suite(&mut self, path: &Path, source: SourceId) -> Result<(), Failure> {
        let text = self.sources.text(source).to_owned();
        let mut reported = Diagnostics::new();
        let suite = testing::read(&text, source, &mut reported);
        self.diagnostics.extend(reported);
        let Some(mut suite) = suite else { return Ok(()) };
        let keep = |name: &str| self.filter.as_deref().is_none_or(|part| name.contains(part));
        suite.tests.retain(|test| keep(&test.name));
        if suite.tests.is_empty() && self.coverage.is_none() {
            return Ok(());
        }
        let Some(inputs) = self.inputs(path, &suite)? else { return Ok(()) };
        let options = Options::default().builtin(suite.builtin);
        if let Some(compiled) = self.compile(&inputs, &options) {
            let mut outcome =
                testing::run(&compiled, &suite.tests, self.coverage.as_mut(), &mut self.exercised);
            let private = inputs.iter().find(|input| self.sources.is_private(input.source));
            if let (Ok(outcome), Some(private)) = (&mut outcome, private) {
                withhold(outcome, self.sources.name(private.source));
            }
            self.add(outcome, source);
        }
        Ok(())
    }

    /// The policies of a suite; `None` if one of them is not text.
    fn inputs(&mut self, path: &Path, suite: &Suite) -> Result<Option<Vec<Input>>, Failure> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut inputs = Some(Vec::new());
        for policy in &suite.policies {
            let file = folder.join(&policy.path.node);
            let source = self.source(&file).map_err(|error| {
                let location = self.sources.location(policy.path.span);
                let why = reason(&file, &error);
                Failure::usage(format!("{location}: the policy {} cannot be read: {why}", file.display()))
            })?;
            match (source, &mut inputs) {
                (Ok(source), Some(list)) => list.push(Input::new(source).with_layer(policy.layer)),
                (Ok(_), None) => {}
                (Err(no_text), _) => {
                    self.diagnostics.push(no_text);
                    inputs = None;
                }
            }
        }
        Ok(inputs)
    }

    fn examples(&mut self, input: Input) -> Result<(), Failure> {
        let source = input.source;
        if let Some(compiled) = self.compile(&[input], &Options::default().builtin(Builtin::Threads)) {
            let filter = self.filter.clone();
            let keep = |name: &str| filter.as_deref().is_none_or(|part| name.contains(part));
            let outcome = testing::examples(&compiled, &keep, self.coverage.as_mut(), &mut self.exercised);
            self.add(outcome, source);
        }
        Ok(())
    }

    /// A compilation without errors.
    fn compile(&mut self, inputs: &[Input], options: &Options) -> Option<Compiled> {
        let mut compiled = compile(&mut self.sources, inputs, options);
        self.diagnostics.append(&mut compiled.diagnostics);
        compiled.module.is_some().then_some(compiled)
    }

    fn add(&mut self, outcome: Result<Outcome, CannotRun>, source: SourceId) {
        match outcome {
            Ok(mut outcome) => {
                self.cases.append(&mut outcome.cases);
                self.diagnostics.extend(outcome.diagnostics);
            }
            Err(error) => {
                let span = Span { source, start: 0, end: 0 };
                self.diagnostics.push(Diagnostic::new(Code::E0703, span, with_causes(&error)));
            }
        }
    }

    pub(super) fn report(mut self) -> Report {
        diag::sort(&mut self.diagnostics);
        let Self { sources, cases, coverage, exercised, filter, diagnostics, known, .. } = self;
        let files = known.into_keys().collect();
        let exercised = filter.is_none().then_some(exercised);
        let diagnostics = diagnostics.iter().map(|one| one.shown(&sources).into_owned()).collect();
        Report { sources, cases, coverage, exercised, files, diagnostics }
    }
}

/// Removes the conditions of a policy in another directory from what explains failures: a test file can name any policy.
fn withhold(outcome: &mut Outcome, name: &str) {
    let why = format!("the text of `{name}` is not shown, because it is in another directory");
    for failure in outcome.cases.iter_mut().flat_map(|case| &mut case.failures) {
        failure.because = vec![why.clone()];
    }
}

/// Whether a diagnostic is about tests, not about the policies that they test.
fn is_about_tests(diagnostic: &Diagnostic) -> bool {
    matches!(diagnostic.code, Code::W0647 | Code::W0008)
}

impl Report {
    /// Why files could not be tested.
    pub(super) fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.is_error())
    }

    /// The diagnostics to report: errors and what is about tests, or all on request (`check` reports
    /// the other warnings).
    pub(super) fn shown_diagnostics(&self, all: bool) -> Vec<Diagnostic> {
        self.diagnostics.iter().filter(|new| all || new.is_error() || is_about_tests(new)).cloned().collect()
    }

    /// The warnings about tests.
    pub(super) fn warnings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|new| !new.is_error() && is_about_tests(new))
    }

    pub(super) fn failed(&self) -> usize {
        self.cases.iter().filter(|case| !case.passed()).count()
    }

    pub(super) fn count(&self, kind: CaseKind) -> usize {
        self.cases.iter().filter(|case| case.kind == kind).count()
    }

    /// The cases by file, in execution order.
    pub(super) fn by_file(&self) -> impl Iterator<Item = (&str, &[Case])> {
        let files = self.cases.chunk_by(|a, b| a.span.source == b.span.source);
        files.filter_map(|cases| Some((self.sources.name(cases.first()?.span.source), cases)))
    }
}
