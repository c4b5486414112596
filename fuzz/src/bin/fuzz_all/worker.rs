//! One run of one target.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::Places;
use crate::options::Options;
use crate::record::Line;

/// How often a run is looked at.
const STEP: Duration = Duration::from_millis(200);

/// How long one input may take by the clock of the wall: a machine can be busy.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Ticks of the clock of processes in a second (`USER_HZ`).
const TICKS: f64 = 100.0;

pub(crate) fn run(places: &Places, target: &str, options: &Options) -> io::Result<Line> {
    let is_wanted = || options.pause_file.as_ref().is_none_or(|file| !file.exists());
    while !is_wanted() {
        std::thread::sleep(STEP);
    }
    let (corpus, artifacts) = (places.corpus(target), places.artifacts(target));
    let output = places.work.join(format!("{target}.log"));
    let mut command = Command::new(places.program(target, &options.sanitizer));
    command.arg(&corpus).arg(format!("-artifact_prefix={}/", artifacts.display()));
    command.arg(format!("-max_total_time={}", options.time.as_secs().max(1)));
    // An input that is slow only because the machine is busy is no finding.
    for bound in ["timeout", "report_slow_units"] {
        command.arg(format!("-{bound}={}", TIMEOUT.as_secs()));
    }
    command.args(["-print_final_stats=1", "-rss_limit_mb=2048", "-max_len=8192"]);
    let dictionary = places.dictionary(target);
    if fs::metadata(&dictionary).is_ok_and(|file| file.len() > 0) {
        command.arg(format!("-dict={}", dictionary.display()));
    }
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(&output)?);
    let mut child = command.spawn()?;
    let (mut cpu, begin, mut is_ended) = (0.0, Instant::now(), false);
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        // libFuzzer's clock goes on in a process that is stopped, so a run that must wait ends.
        if !is_ended && !is_wanted() {
            is_ended = true;
            signal(&child, Signal::INT)?;
        }
        // A worker can hang in its own report of a timeout.
        if begin.elapsed() > options.time * 2 + 2 * TIMEOUT {
            child.kill()?;
        }
        std::thread::sleep(STEP);
        cpu = cpu_seconds(child.id()).unwrap_or(cpu);
    };
    let text = String::from_utf8_lossy(&fs::read(&output)?).into_owned();
    let line = Line::new(target, &options.sanitizer, begin.elapsed(), cpu, &text);
    if !status.success() && !is_ended && fs::read_dir(&artifacts)?.next().is_none() {
        return Err(io::Error::other(format!("{target}: {status}, see {}", output.display())));
    }
    Ok(line)
}

fn signal(child: &Child, signal: Signal) -> io::Result<()> {
    let id = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    id.map_or(Ok(()), |id| kill_process(id, signal).map_err(io::Error::from))
}

/// The time that a process has run on processors.
fn cpu_seconds(id: u32) -> Option<f64> {
    let text = fs::read_to_string(Path::new("/proc").join(id.to_string()).join("stat")).ok()?;
    // The name of the program, in brackets, can have spaces.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / TICKS)
}
