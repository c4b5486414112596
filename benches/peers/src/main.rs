//! hookc compared with the engines that a user might choose instead: the same rules, the same
//! events from bytes, equal answers before timing.
//!
//! Every engine is used as a careful user would: rules compiled once, grouped
//! by event type (but for the straight tree walk), patterns prepared, the
//! event parsed as the engine likes it best. Engines that take parsed events are measured with those too. The answer is the first rule that
//! matches, in the order of priorities.

mod child;
mod engine;
mod plot;
mod record;
mod work;

use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Parser;

use engine::{Engine, PEERS, Peer};
use record::{Record, Row};
use work::Work;

/// Decide the same workload with many engines
#[derive(Parser)]
struct Args {
    /// Sizes of the policy
    #[arg(long, value_delimiter = ',', default_value = "10,100,1000,10000,100000")]
    hooks: Vec<usize>,
    /// Only engines with this in their name
    #[arg(long, default_value = "")]
    only: String,
    /// Events
    #[arg(long, default_value_t = 256)]
    events: usize,
    /// Milliseconds for each engine and size
    #[arg(long, default_value_t = 1000)]
    budget: u64,
    /// Where the record goes: `peers.json`, `peers.md`, `peers.svg`
    #[arg(long)]
    record: Option<PathBuf>,
}

fn main() -> std::io::Result<()> {
    let args = Args::parse();
    let budget = Duration::from_millis(args.budget);
    let mut record = Record::default();
    for reduced in [false, true] {
        for &hooks in &args.hooks {
            let work = Work::new(hooks, args.events, reduced);
            eprintln!("== {} rules, {}", hooks, work.name());
            let mut read = |at: usize| drop(engine::floor::Floor.decide(work.events[at].as_bytes()));
            let floor = measure(&mut read, work.events.len(), budget);
            record.add(&work, "floor: UTF-8 check and IgnoredAny", Row { us: Some(floor), ..Row::default() });
            for peer in PEERS.iter().filter(|peer| peer.wants(&work) && peer.name.contains(&args.only)) {
                let row = run(peer, &work, budget);
                eprintln!("{:>28}: {row}", peer.name);
                record.add(&work, peer.name, row);
            }
            for (name, row) in child::run(&work, &args.only, budget)? {
                eprintln!("{name:>28}: {row}");
                record.add(&work, &name, row);
            }
        }
    }
    print!("{}", record.markdown());
    match args.record {
        Some(folder) => record.write(&folder),
        None => Ok(()),
    }
}

/// Loads, checks every answer, then measures. A panic is reported as such.
fn run(peer: &Peer, work: &Work, budget: Duration) -> Row {
    let whole = || -> Result<Row, String> {
        let start = Instant::now();
        let mut engine = (peer.load)(work)?;
        let load_ms = Some(start.elapsed().as_secs_f64() * 1e3);
        let wrong = wrong(work, &mut |at| engine.decide(work.events[at].as_bytes()))?;
        let mut decide = |at: usize| drop(black_box(engine.decide(black_box(work.events[at].as_bytes()))));
        let us = Some(measure(&mut decide, work.events.len(), budget));
        let mut row = Row { us, load_ms, wrong, ..Row::default() };
        if engine.keep(&work.events)? {
            row.wrong = row.wrong.max(self::wrong(work, &mut |at| engine.decide_kept(at))?);
            let mut decide = |at: usize| drop(black_box(engine.decide_kept(black_box(at))));
            row.parsed_us = Some(measure(&mut decide, work.events.len(), budget));
        }
        Ok(row)
    };
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(whole))
        .unwrap_or_else(|_| Err("panics".to_owned()))
        .unwrap_or_else(|refused| Row { refused: Some(refused), ..Row::default() })
}

/// The number of wrong answers; reports the first one.
fn wrong(work: &Work, decide: &mut dyn FnMut(usize) -> Result<Option<u32>, String>) -> Result<usize, String> {
    let mut wrong = 0;
    for (at, (event, expected)) in work.events.iter().zip(&work.expected).enumerate() {
        let given = decide(at)?;
        if given != *expected && wrong == 0 {
            let rule = |rank: Option<u32>| rank.map(|rank| work.rule(rank));
            eprintln!("expected {:?}\ngiven {:?}\nfor {event}", rule(*expected), rule(given));
        }
        wrong += usize::from(given != *expected);
    }
    Ok(wrong)
}

/// Microseconds per decision, a figure per pass over the events; three at
/// least. Slow engines get fewer events.
fn measure(decide: &mut dyn FnMut(usize), events: usize, budget: Duration) -> [f64; 3] {
    let start = Instant::now();
    let mut few = 0;
    for event in 0..events {
        decide(event);
        few += 1;
        if start.elapsed() > budget {
            break;
        }
    }
    let (mut passes, start) = (Vec::new(), Instant::now());
    while passes.len() < 3 || start.elapsed() < budget {
        let pass = Instant::now();
        (0..few).for_each(&mut *decide);
        passes.push(pass.elapsed().as_secs_f64() * 1e6 / few as f64);
    }
    record::figure(passes)
}
