//! A program of the root: it records how it was called, and does nothing else. A shell or a
//! wrapper then starts what the real one would start.

use std::io::Read;
use std::os::unix::net::UnixDatagram;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};

use rustix::fs::FileType;
use serde_json::{Map, Value, json};

use crate::base::{REAL, SHELLS};
use crate::inside::LOG;
use crate::wrapper;

/// The name of the stub that checks its own privileges.
pub(crate) const PROBE: &str = "shellroot-probe";

/// Bytes of an argument or a variable that are recorded.
const MOST: usize = 4 << 10;
/// Arguments that are recorded.
const ARGS: usize = 200;

/// Programs whose input is recorded.
const CLIENTS: [&str; 4] = ["psql", "mysql", "mariadb", "sqlite3"];
/// Programs that print [`FETCHED`], if the question has such a text.
const FETCHERS: [&str; 2] = ["curl", "wget"];
/// Programs that then copy their input.
const FILTERS: [&str; 2] = ["cat", "tee"];
/// What a program of [`FETCHERS`] gets from the network.
pub(crate) const FETCHED: &str = "/run/fetched";

/// Variables that every program of the root has.
pub(crate) const OWN: [&str; 8] =
    ["PATH", "HOME", "PWD", "OLDPWD", "SHLVL", "_", "LC_ALL", "BASH_FUNC_command_not_found_handle%%"];

pub(crate) fn run(called: &str) -> ExitCode {
    let mut args: Vec<String> =
        std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    let mut name = called.to_owned();
    // A program that is not in the root: bash's handler calls this with its name.
    if called == UNKNOWN && !args.is_empty() {
        name = args.remove(0);
    }
    if let Err(error) = record(&name, &args) {
        eprintln!("hookc-shellroot: {called} is not in a root: {error}");
        return ExitCode::from(125);
    }
    let name = name.rsplit('/').next().unwrap_or_default();
    if let Ok(text) = std::fs::read_to_string(FETCHED) {
        if FETCHERS.contains(&name) {
            print!("{text}");
        } else if FILTERS.contains(&name) && input() == "pipe" {
            // A pipe that nobody reads any more is no failure.
            let _ = std::io::copy(&mut std::io::stdin().take(MOST as u64), &mut std::io::stdout());
        }
    }
    if name == "which" {
        found(&args).iter().for_each(|path| println!("{path}"));
    }
    let real = |name: &str| Path::new("/.hookc/real").join(name);
    let mut next = if SHELLS.contains(&name) {
        let mut shell = Command::new(real("bash"));
        shell.arg0(if name == "sh" || name == "dash" { "sh" } else { "bash" }).args(&args);
        shell
    } else if REAL.contains(&name) && real(name).exists() {
        let mut wrapper = Command::new(real(name));
        wrapper.args(&args);
        wrapper
    } else if let Some(rest) = wrapper::rest(name, &args) {
        let Some((program, rest)) = rest.split_first() else { return ExitCode::SUCCESS };
        let mut wrapped = Command::new(program);
        wrapped.args(rest);
        wrapped
    } else {
        return ExitCode::SUCCESS;
    };
    let _not_found = next.exec();
    ExitCode::from(127)
}

/// The paths of programs, as `which` prints them.
fn found(names: &[String]) -> Vec<String> {
    let path = std::env::var("PATH").unwrap_or_default();
    let first = |name: &String| {
        let mut files = path.split(':').map(|folder| format!("{folder}/{name}"));
        files.find(|file| Path::new(file).is_file())
    };
    names.iter().filter(|name| !name.starts_with('-')).filter_map(first).collect()
}

/// The name by which bash calls a stub for a program that the root does not have.
pub(crate) const UNKNOWN: &str = "shellroot-unknown";

fn record(name: &str, args: &[String]) -> std::io::Result<()> {
    let short = |text: &str| text.chars().take(MOST).collect::<String>();
    let variables = std::env::vars_os().map(|(name, value)| (name.to_string_lossy().into_owned(), value));
    let variables = variables.filter(|(name, _)| !OWN.contains(&name.as_str()));
    let env: Map<String, Value> = variables
        .map(|(name, value)| (short(&name), short(&value.to_string_lossy()).into()))
        .take(ARGS)
        .collect();
    let cwd = std::env::current_dir().map(|cwd| cwd.display().to_string()).unwrap_or_default();
    let args: Vec<String> = args.iter().take(ARGS).map(|arg| short(arg)).collect();
    let mut said = json!({"name": name, "args": args, "cwd": cwd, "env": env, "stdin": input()});
    if let (Ok(file), "file") = (std::fs::read_link("/proc/self/fd/0"), input()) {
        said["file"] = file.to_string_lossy().into();
    }
    if CLIENTS.contains(&name) && ["file", "pipe"].contains(&input()) {
        let mut text = Vec::new();
        std::io::stdin().take(MOST as u64).read_to_end(&mut text)?;
        said["text"] = String::from_utf8_lossy(&text).into();
    }
    UnixDatagram::unbound()?.send_to(said.to_string().as_bytes(), LOG).map(drop)
}

/// Where standard input comes from.
fn input() -> &'static str {
    let Ok(found) = rustix::fs::fstat(rustix::stdio::stdin()) else { return "closed" };
    match FileType::from_raw_mode(found.st_mode) {
        FileType::Fifo => "pipe",
        FileType::RegularFile => "file",
        FileType::CharacterDevice => "null",
        _ => "other",
    }
}

/// Checks what a program in the root could do.
///
/// # Errors
/// It has a privilege, or reaches something of the machine.
pub(crate) fn probe() -> Result<(), String> {
    let sets = rustix::thread::capabilities(None).map_err(|error| error.to_string())?;
    if !(sets.effective.is_empty() && sets.permitted.is_empty() && sets.inheritable.is_empty()) {
        return Err("a program has capabilities".to_owned());
    }
    crate::inside::check()
}
