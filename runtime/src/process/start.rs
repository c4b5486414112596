//! Starts a handler: invalid parameters are rejected with a reason.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{self, Child, Stdio};

use super::{Command, Live, Program, StartError, live};
use crate::limits::ARGUMENT_BYTES;

/// Starts it in its own process group, with all three streams piped.
pub(super) fn start(command: &Command) -> Result<(Child, Live), StartError> {
    let (program, args) = words(&command.program);
    check(program, &args, command)?;
    let mut child = process::Command::new(program);
    child.args(&args).process_group(0);
    child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for (name, value) in &command.env {
        match value {
            Some(value) => child.env(name, value),
            None => child.env_remove(name),
        };
    }
    if let Some(cwd) = &command.cwd {
        child.current_dir(cwd);
    }
    let started = live::start(&mut child).ok_or(StartError::Ending)?;
    started.map_err(|error| start_error(program, command.cwd.as_deref(), error))
}

fn words(program: &Program) -> (&str, Vec<&str>) {
    match program {
        Program::Shell { shell, line } => (shell, vec!["-c", line]),
        Program::Argv { program, args } => (program, args.iter().map(String::as_str).collect()),
    }
}

fn check(program: &str, args: &[&str], command: &Command) -> Result<(), StartError> {
    fits("the program's name", program.len(), program)?;
    for (n, arg) in args.iter().enumerate() {
        fits(&format!("argument {}", n + 1), arg.len(), arg)?;
    }
    for (name, value) in &command.env {
        if name.is_empty() || name.contains(['=', '\0']) {
            return Err(StartError::Name(name.clone()));
        }
        if let Some(value) = value {
            fits(&format!("the variable {name}"), name.len() + 1 + value.len(), value)?;
        }
    }
    Ok(())
}

fn fits(what: &str, bytes: usize, text: &str) -> Result<(), StartError> {
    if text.contains('\0') {
        return Err(StartError::Nul(what.to_owned()));
    }
    if bytes >= ARGUMENT_BYTES {
        return Err(StartError::TooLarge { what: what.to_owned(), bytes });
    }
    Ok(())
}

fn start_error(program: &str, cwd: Option<&Path>, error: io::Error) -> StartError {
    if let Some(cwd) = cwd.filter(|cwd| !cwd.is_dir()) {
        return StartError::Folder(cwd.display().to_string());
    }
    match error.kind() {
        io::ErrorKind::NotFound => StartError::Missing(program.to_owned()),
        io::ErrorKind::PermissionDenied => StartError::NotExecutable(program.to_owned()),
        _ => StartError::System { program: program.to_owned(), error },
    }
}
