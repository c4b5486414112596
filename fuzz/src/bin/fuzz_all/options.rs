//! The command line.

use std::path::PathBuf;
use std::time::Duration;

pub(crate) const HELP: &str = "\
Usage: fuzz_all [OPTIONS]

  --minutes N         how long each target runs in a round (default 1)
  --rounds N          rounds over all targets (default 1)
  --targets A,B       these targets instead of all
  --sanitizer NAME    none (default) or address
  --pause-file FILE   targets wait while this file exists
  --no-build          the targets are built
  --report            prints a table of all runs so far, and runs nothing";

#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) time: Duration,
    pub(crate) rounds: u32,
    pub(crate) sanitizer: String,
    pub(crate) pause_file: Option<PathBuf>,
    pub(crate) no_build: bool,
    pub(crate) report: bool,
    names: Option<Vec<&'static str>>,
}

impl Options {
    pub(crate) fn parse(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            time: Duration::from_secs(60),
            rounds: 1,
            sanitizer: "none".to_owned(),
            pause_file: None,
            no_build: false,
            report: false,
            names: None,
        };
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
            match arg.as_str() {
                "--minutes" => {
                    let minutes: f64 = value()?.parse().map_err(|_| format!("{arg} needs a number"))?;
                    options.time =
                        Duration::try_from_secs_f64(minutes * 60.0).map_err(|error| error.to_string())?;
                }
                "--rounds" => {
                    options.rounds = value()?.parse().map_err(|_| format!("{arg} needs a number"))?
                }
                "--targets" => {
                    options.names = Some(value()?.split(',').map(target).collect::<Result<_, _>>()?)
                }
                "--sanitizer" => {
                    options.sanitizer = Some(value()?)
                        .filter(|name| ["none", "address"].contains(&name.as_str()))
                        .ok_or_else(|| format!("{arg} needs `none` or `address`"))?;
                }
                "--pause-file" => options.pause_file = Some(value()?.into()),
                "--no-build" => options.no_build = true,
                "--report" => options.report = true,
                other => return Err(format!("unknown argument `{other}`")),
            }
        }
        Ok(options)
    }

    /// The targets to run.
    pub(crate) fn targets(&self) -> impl Iterator<Item = &'static str> {
        let selected_names =
            all().filter(|name| self.names.as_ref().is_none_or(|selected| selected.contains(name)));
        selected_names.collect::<Vec<_>>().into_iter()
    }
}

/// All targets, with those of the bindings and of the agent, which `wrappers` has too.
fn all() -> impl Iterator<Item = &'static str> {
    hookc_fuzz::TARGETS.iter().map(|(name, _)| *name).chain(["bindings_c", "bindings_wasm", "agent_wires"])
}

fn target(name: &str) -> Result<&'static str, String> {
    all().find(|listed| *listed == name).ok_or_else(|| format!("unknown target `{name}`"))
}
