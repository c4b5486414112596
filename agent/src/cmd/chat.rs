//! A conversation: one prompt, or prompts from the terminal.

use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::sync::Arc;

use super::{Outcome, wait};
use crate::args::Chat;
use crate::failure::Failure;
use crate::options;
use crate::output::{Event, Format, Origin, Output, Summary};
use crate::session::{Changes, Conversation, End, Session, Start};
use crate::store::Kind;

/// Bytes of a prompt from standard input.
const PROMPT_BYTES: u64 = 4 << 20;

/// In the formats for programs, a failure is an object too.
pub(crate) fn run(args: &Chat) -> Outcome {
    chat(args).or_else(|failure| {
        let (format, claude) = (args.common.output_format, args.common.compat.is_some());
        if format == Format::Text {
            return Err(failure);
        }
        let summary = Summary::failed(&failure.message);
        let output = Output::new(format, claude, false);
        output.event(&Origin::default(), &Event::Result(Box::new(summary)));
        Ok(failure.code)
    })
}

fn chat(args: &Chat) -> Outcome {
    let prompt = prompt(args)?;
    let interactive = prompt.is_none() && io::stdin().is_terminal();
    if prompt.is_none() && !interactive && args.resume.is_none() {
        return Err(Failure::usage("no prompt: give one with `-p`, or on standard input"));
    }
    let mut ran = once(args, args.resume.as_deref(), prompt.as_deref(), interactive)?;
    while let (End::Waiting(_), true) = (&ran.1, args.common.wait) {
        if !wait::answered(args.common.state.as_deref(), &ran.0)? {
            break;
        }
        ran = once(args, Some(&ran.0), None, interactive)?;
    }
    Ok(ran.1.exit_code())
}

/// Opens the session, and runs it until it ends or waits. Returns its id.
fn once(
    args: &Chat,
    resume: Option<&str>,
    prompt: Option<&str>,
    interactive: bool,
) -> Result<(String, End), Failure> {
    let start = match resume {
        Some(id) => Start::Resume(id),
        None => Start::New(args.session_id.as_deref()),
    };
    let common = options::restored(args.common.clone(), resume, Kind::Session)?;
    let (session, mut agent) = Session::open(&common, start, Changes::default())?;
    let end = converse(&session, &mut agent, prompt, resume.is_some(), interactive)?;
    session.close(&agent, if interactive { "prompt_input_exit" } else { "other" });
    if let Some(error) = session.output.broken() {
        return Err(Failure::failed(format!("the output cannot be written: {error}")));
    }
    Ok((session.id.clone(), end))
}

fn converse(
    session: &Arc<Session>,
    agent: &mut Conversation,
    prompt: Option<&str>,
    resumed: bool,
    interactive: bool,
) -> Result<End, Failure> {
    if let Some(end) = session.start(agent)? {
        return Ok(session.finish(agent, end));
    }
    let mut last = End::Done(String::new());
    if resumed {
        if session.has_work(agent) {
            last = session.proceed(agent)?;
            if !matches!(last, End::Done(_) | End::Stopped(_)) {
                return Ok(last);
            }
        } else if prompt.is_none() && !interactive {
            return Err(Failure::usage("the session has nothing to continue: give a prompt with `-p`"));
        }
    }
    if let Some(prompt) = prompt {
        last = session.submit(agent, prompt)?;
    }
    if interactive { prompts(session, agent, last) } else { Ok(last) }
}

/// Prompts from the terminal, until its end.
fn prompts(session: &Arc<Session>, agent: &mut Conversation, mut last: End) -> Result<End, Failure> {
    while let Some(line) = line() {
        match line.trim() {
            "" => {}
            "/exit" | "/quit" => break,
            prompt => last = session.submit(agent, prompt)?,
        }
        if matches!(last, End::Interrupted(_)) {
            break;
        }
    }
    Ok(last)
}

/// The prompt of the command line, followed by standard input if that is not a terminal.
fn prompt(args: &Chat) -> Result<Option<String>, Failure> {
    let given = args.print.iter().chain(&args.prompt).filter(|text| !text.trim().is_empty());
    let given: Vec<&str> = given.map(String::as_str).collect();
    if given.len() > 1 {
        return Err(Failure::usage("two prompts: one after `-p`, one without"));
    }
    let piped = if io::stdin().is_terminal() { String::new() } else { input()? };
    let parts: Vec<&str> =
        given.into_iter().chain(Some(piped.trim_end())).filter(|part| !part.trim().is_empty()).collect();
    Ok((!parts.is_empty()).then(|| parts.join("\n\n")))
}

fn input() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let failed = |why: String| Failure::usage(format!("standard input: {why}"));
    io::stdin()
        .lock()
        .take(PROMPT_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| failed(error.to_string()))?;
    if bytes.len() as u64 > PROMPT_BYTES {
        return Err(failed(format!("a prompt has at most {PROMPT_BYTES} bytes")));
    }
    String::from_utf8(bytes).map_err(|_| failed("it is not UTF-8 text".to_owned()))
}

/// A line of the terminal; `None` at its end.
fn line() -> Option<String> {
    let mut out = io::stderr().lock();
    let _ = write!(out, "> ");
    let _ = out.flush();
    drop(out);
    let mut line = String::new();
    match io::stdin().lock().read_line(&mut line) {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(line),
    }
}
