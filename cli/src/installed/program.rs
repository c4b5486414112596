//! The program that a call in settings starts: whether it stays where it is, and whether an agent finds it by name.

use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{OnceLock, mpsc};
use std::time::Duration;

use hookc_runtime::open;

use super::on_path;
use super::place::{self, Temporary};
use crate::args::{Global, Install};
use crate::exit::Failure;
use crate::{files, out};

/// The name of the program.
pub(crate) const NAME: &str = "hookc";
/// How long the start-up files of a login shell may take.
const LOGIN: Duration = Duration::from_secs(5);
/// The most bytes that are read of what they print.
const PRINTED: u64 = 1 << 20;

/// This program as the settings name it: by its bare name if a login shell finds it, otherwise by its absolute path.
///
/// # Errors
/// It is in a place that is emptied, or cannot be copied.
pub(crate) fn name(global: &Global, args: &Install) -> Result<String, Failure> {
    let running = std::env::current_exe()?;
    let accept = args.allow_temporary || place::are_accepted();
    let program = if args.copy { copy(global, &running, accept, args.dry_run)? } else { running };
    if let Some(found) = place::temporary(&program).filter(|_| !accept) {
        return Err(refused(&program, &found));
    }
    // A copy that is not written yet is found after it is.
    let is_program = |found: &Path| match (found.canonicalize(), program.canonicalize()) {
        (Ok(found), Ok(program)) => found == program,
        _ => false,
    };
    if in_login_shell().is_some_and(is_program) {
        return Ok(NAME.to_owned());
    }
    // A link survives an update of what it leads to.
    let link = on_path(NAME).filter(|found| found.is_absolute() && is_program(found));
    let path = link.filter(|link| place::temporary(link).is_none()).unwrap_or(program);
    let text = path.to_str().map(str::to_owned);
    text.ok_or_else(|| Failure::usage(format!("{}: not UTF-8", path.display())))
}

fn refused(program: &Path, found: &Temporary) -> Failure {
    Failure::input(format!(
        "{} is in {}: when it is gone, the calls in the settings fail; nothing was written. Install `hookc` for good \
         ({}) and run `hookc install` again, or copy this program with `--copy`",
        program.display(),
        found.what,
        found.install
    ))
}

/// Whether the bare name leads to a program, here or in a login shell.
pub(crate) fn is_found() -> bool {
    on_path(NAME).is_some() || in_login_shell().is_some()
}

/// The file that a login shell finds under the program's name, as an agent without this terminal does.
fn in_login_shell() -> Option<&'static Path> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    FOUND.get_or_init(ask_login_shell).as_deref()
}

fn ask_login_shell() -> Option<PathBuf> {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-lc", &format!("command -v {NAME}")]).env_clear();
    shell.envs(std::env::var_os("HOME").map(|home| ("HOME", home)));
    shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0);
    let mut child = shell.spawn().ok()?;
    let mut output = child.stdout.take()?;
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || {
        let mut text = Vec::new();
        let read = output.by_ref().take(PRINTED).read_to_end(&mut text);
        let _ = send.send(read.map(|_| text));
    });
    let text = receive.recv_timeout(LOGIN);
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        // What start-up files left running holds the output.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.wait();
    let text = String::from_utf8(text.ok()?.ok()?).ok()?;
    let path = PathBuf::from(text.lines().last()?.trim());
    (path.is_absolute() && files::runs(&path)).then_some(path)
}

/// Copies this program to a place of its own, unless it is there.
fn copy(global: &Global, program: &Path, accept: bool, dry_run: bool) -> Result<PathBuf, Failure> {
    let target = target()?;
    if let Some(found) = place::temporary(&target).filter(|_| !accept) {
        return Err(refused(&target, &found));
    }
    let failed = |error: &dyn std::fmt::Display| Failure::file(&target, error);
    match target.symlink_metadata() {
        Ok(there) if !there.is_file() => {
            return Err(failed(&"it is not a regular file: name another path in HOOKC_BIN"));
        }
        Ok(_) if same(program, &target) => return Ok(target),
        _ if dry_run => return Ok(target),
        _ => {}
    }
    let folder = target.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(folder).map_err(|error| failed(&error))?;
    let temporary = folder.join(format!(".hookc-{}", std::process::id()));
    let put = || -> std::io::Result<()> {
        fs::copy(program, &temporary)?;
        fs::set_permissions(&temporary, fs::Permissions::from_mode(0o755))?;
        fs::File::open(&temporary)?.sync_all()?;
        fs::rename(&temporary, &target)
    };
    put().map_err(|error| {
        let _ = fs::remove_file(&temporary);
        failed(&error)
    })?;
    out::say(global, &format!("copied this program to {}", target.display()));
    Ok(target)
}

/// The path of a copy.
fn target() -> Result<PathBuf, Failure> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let path = match (set("HOOKC_BIN"), set("HOME")) {
        (Some(path), _) if path.is_dir() => path.join(NAME),
        (Some(path), _) => path,
        (None, Some(home)) => home.join(".local/bin").join(NAME),
        (None, None) => return Err(Failure::usage("no home directory: HOME is not set")),
    };
    if !path.is_absolute() {
        return Err(Failure::usage(format!("HOOKC_BIN is {}: write an absolute path", path.display())));
    }
    Ok(path)
}

fn same(one: &Path, other: &Path) -> bool {
    fs::read(one).is_ok_and(|bytes| open::read(other, bytes.len()).is_ok_and(|found| found == bytes))
}

/// What is wrong with the program of a call.
#[derive(Debug)]
pub(crate) struct Trouble {
    pub(crate) message: String,
    pub(crate) help: String,
    /// Whether the call fails now.
    pub(crate) is_gone: bool,
}

/// What is wrong with the program of a call that runs on this machine.
pub(crate) fn trouble(program: &str) -> Option<Trouble> {
    let path = Path::new(program);
    if program == NAME && in_login_shell().is_none() {
        let is_gone = on_path(NAME).is_none();
        if !is_gone && place::are_accepted() {
            return None;
        }
        let message = match is_gone {
            true => format!("`{NAME}` is not on PATH"),
            false => format!("a login shell does not find `{NAME}`, so an agent may not find it"),
        };
        return Some(Trouble { message, help: "run `hookc install` again".to_owned(), is_gone });
    }
    if !path.is_absolute() {
        return None;
    }
    if !files::runs(path) {
        let message = format!("the program `{program}` is gone, or cannot be started");
        return Some(Trouble { message, help: "run `hookc install` again".to_owned(), is_gone: true });
    }
    let found = place::temporary(path).filter(|_| !place::are_accepted())?;
    let message = format!("the program `{program}` is in {}", found.what);
    let help = format!("install it for good ({}), and run `hookc install` again", found.install);
    Some(Trouble { message, help, is_gone: false })
}
