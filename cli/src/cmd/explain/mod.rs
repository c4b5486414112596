//! `hookc explain`: of every hook of an event's type, why it did or did not match.

mod live;
mod verdict;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use hookc_compiler::disasm::PatternTexts;
use hookc_compiler::event_types::EventTypes;
use hookc_compiler::explain::{Report, Spelling};
use hookc_schema::Code;
use hookc_schema::terminal::escape;
use hookc_vm::{DecideError, DecideOptions, Module, Scratch};

use crate::args::{Explain, Format, Global};
use crate::cmd::replay::past::{self, Moment, Past};
use crate::events::{self, Event};
use crate::exit::{Exit, Failure, Outcome};
use crate::files::Texts;
use crate::installed::command::quoted;
use crate::unknown_events::{self, UnknownEvents};
use crate::{load, out};
use live::Live;

/// Whether somebody wrote a command line in the place of a file.
fn is_command_line(path: &Path) -> bool {
    path.to_string_lossy().contains(' ') && !path.exists()
}

pub(crate) fn run(global: &Global, args: &Explain) -> Outcome {
    reject_mistakes(args)?;
    let mut texts = Texts::shown();
    let (policies, events) = events::from_args(&args.files, &args.given, &mut texts)?;
    let Some(subject) = Subject::load(global, args, &policies, &mut texts)? else { return Ok(Exit::Errors) };
    let Subject { module, types, spelling, patterns } = &subject;
    unknown_events::check(types, args.given.event.as_deref())?;
    events.report_names(global, &args.given);
    let mut all_events: Vec<Event> = events.read(&mut texts)?.into_iter().collect();
    let Some(event) = all_events.pop() else {
        return Err(events.none(
            "no event to explain: name a file, or describe the event with `--event`, `--tool`, `--input` \
             and `--set`",
        ));
    };
    if !all_events.is_empty() && !module.has_history() {
        return Err(Failure::usage("`explain` takes one event; use `eval` for several"));
    }
    let ask = DecideOptions::default().event(args.given.event.as_deref());
    let explained = Explained { global, module, types, spelling, patterns, event: &event };
    if let Some(session) = &args.session {
        let live = Live::open(&policies, session)?;
        return explained.print(&ask.history(&live.histories()));
    }
    let mut past = Past::default();
    if let Some(log) = &args.history {
        past::read(&mut past, module, log, &mut texts)?;
    }
    let mut scratch = Scratch::new();
    for earlier in all_events {
        past.decide(module, &mut scratch, &earlier.bytes, &ask, Moment::default(), |_| {});
    }
    past.before(&event.bytes, |histories| explained.print(&ask.history(histories)))
}

/// Rejects what cannot be explained: the code of a diagnostic, and a command line in place of a file.
fn reject_mistakes(args: &Explain) -> Result<(), Failure> {
    if let [only] = &args.files[..]
        && let Some(code) = only.to_str().and_then(Code::from_name).filter(|_| !only.exists())
    {
        return Err(Failure::usage(format!(
            "`explain` is about an event: `hookc explain-code {code}` shows the page of a diagnostic"
        )));
    }
    if let Some(line) = args.files.iter().find(|path| is_command_line(path)) {
        let line = quoted(&line.to_string_lossy());
        return Err(Failure::usage(format!(
            "no such file; to describe a command line, write `--event PreToolUse --tool Bash --input command={line}`"
        )));
    }
    Ok(())
}

/// The policy that decides, and how its source writes it.
struct Subject {
    module: Module,
    types: EventTypes,
    spelling: Spelling,
    patterns: PatternTexts,
}

impl Subject {
    /// A module, or a policy in source; `None` if that has errors, which are reported.
    fn load(
        global: &Global,
        args: &Explain,
        policies: &[PathBuf],
        texts: &mut Texts,
    ) -> Result<Option<Self>, Failure> {
        if let Some(module) = load::module_file(Module::load, policies, texts, &args.sources)? {
            let types = EventTypes::of_module(&module);
            let (spelling, patterns) = (Spelling::default(), PatternTexts::default());
            return Ok(Some(Self { module, types, spelling, patterns }));
        }
        let built = load::build(policies, texts, &args.sources, false)?;
        built.report(global);
        let compiled = &built.compiled;
        let Some(bytes) = compiled.module.clone() else { return Ok(None) };
        Ok(Some(Self {
            module: load::open(Module::load, bytes, "the compiled policy")?,
            types: EventTypes::of_policies(&compiled.policies),
            spelling: Spelling::of_policies(&compiled.policies),
            patterns: compiled.pattern_texts(),
        }))
    }
}

/// An event that is explained.
struct Explained<'e> {
    global: &'e Global,
    module: &'e Module,
    types: &'e EventTypes,
    spelling: &'e Spelling,
    patterns: &'e PatternTexts,
    event: &'e Event,
}

impl Explained<'_> {
    fn print(&self, ask: &DecideOptions<'_>) -> Outcome {
        let Self { global, module, types, event, .. } = self;
        let (mut scratch, mut probed) = (Scratch::new(), Scratch::new());
        let fail = |error: DecideError| Failure::input(error.to_string());
        let traced = module.trace(&mut scratch, &event.bytes, ask).map_err(fail)?;
        let probe = module.probe(&mut probed, &event.bytes, ask).map_err(fail)?;
        let styled = out::styled_stdout(global.color);
        let report = Report::new(module, probe).map_err(|error| Failure::input(error.to_string()))?;
        let report = report.styled(styled).with_patterns(self.patterns.clone());
        let mut report = report.spelled(self.spelling.clone());
        if traced.hooks().is_empty() {
            let mut unknown = UnknownEvents::new(types);
            unknown.note(traced.event(), event.line);
            unknown.report(global);
        }
        let mut text = String::new();
        if traced.hooks().is_empty() && global.format != Format::Json {
            let _ = writeln!(text, "no hook handles the event `{}`", escape(traced.event()));
        }
        if global.format == Format::Json {
            for hook in traced.hooks() {
                text.push_str(&report.json(hook).map_err(fail)?);
                text.push('\n');
            }
            out::json(&text)?;
            return Ok(Exit::Done);
        }
        for hook in traced.hooks() {
            text.push_str(&report.text(hook).map_err(fail)?);
            text.push_str("\n\n");
        }
        let decision = module.decide(&mut scratch, &event.bytes, ask).map_err(fail)?;
        text.push_str(&verdict::line(&decision, styled));
        out::styled_lines(&text)?;
        Ok(Exit::Done)
    }
}
