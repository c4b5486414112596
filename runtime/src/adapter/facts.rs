//! Facts that no agent sends: the time of the decision, and what the files of the repository say. Each is added only when
//! the policy reads it.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value, json};
use tz::TimeZone;

use super::{Incoming, ProjectContext};
use crate::git::{Facts, Repository, Wanted};

/// The members of the vocabulary.
const TIME: &str = "time";
const GIT: &str = "git";

/// The first day of the clocks of computers was a Thursday.
const WEEKDAYS: [&str; 7] = ["thursday", "friday", "saturday", "sunday", "monday", "tuesday", "wednesday"];

const DAY: i64 = 86_400;

/// Whether a hook of the event's type reads the member at the end of a path.
pub(crate) type Reads<'r> = &'r dyn Fn(&[&str]) -> bool;

impl Incoming {
    /// Adds the facts that the hooks of the event's type read. Members of these names stay.
    pub(crate) fn add_facts(&mut self, reads: Reads<'_>, context: &ProjectContext<'_>) {
        if reads(&[TIME]) {
            let zone = || zone((context.variable)("TZ").as_deref());
            self.add_member(TIME, |_| Some(time(SystemTime::now(), &zone())));
        }
        if reads(&[GIT]) {
            self.add_member(GIT, |incoming| {
                let cwd = incoming.event.text("cwd").map(|cwd| PathBuf::from(cwd.into_owned()));
                let cwd = cwd.filter(|cwd| cwd.is_absolute());
                // Some agents do not send the directory in which they work.
                let directory = cwd.or_else(|| context.root(incoming.agent, &incoming.event));
                Some(git(directory.as_deref(), reads, context))
            });
        }
    }
}

/// The zone that a variable names, else that of the machine, else UTC.
fn zone(name: Option<&str>) -> TimeZone {
    let named = name.and_then(|name| TimeZone::from_posix_tz(name).ok());
    named.or_else(|| TimeZone::local().ok()).unwrap_or_else(TimeZone::utc)
}

/// The hour and the day of the week in a zone.
fn time(now: SystemTime, zone: &TimeZone) -> Value {
    let seconds =
        now.duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(0));
    let offset = zone.find_local_time_type(seconds).map_or(0, |kind| i64::from(kind.ut_offset()));
    let local = seconds.saturating_add(offset);
    let day = usize::try_from(local.div_euclid(DAY).rem_euclid(7)).unwrap_or_default();
    json!({"hour": local.rem_euclid(DAY) / 3600, "weekday": WEEKDAYS.get(day)})
}

/// What the repository of a directory says; `null` where that is unknown.
fn git(directory: Option<&Path>, reads: Reads<'_>, context: &ProjectContext<'_>) -> Value {
    let reads = |name: &str| reads(&[GIT, name]);
    let wanted = Wanted { branch: reads("branch"), dirty: reads("dirty"), staged: reads("staged") };
    let set = |name: &str| (context.variable)(name).filter(|value| !value.is_empty());
    let found = match set("GIT_DIR") {
        Some(git) => directory.and_then(|at| Repository::named(at, &git, set("GIT_WORK_TREE").as_deref())),
        None => directory.and_then(Repository::around),
    };
    let Facts { branch, dirty, staged } = found.map(|found| found.facts(wanted)).unwrap_or_default();
    let members = [
        ("branch", wanted.branch, Value::from(branch)),
        ("dirty", wanted.dirty, Value::from(dirty)),
        ("staged", wanted.staged, Value::from(staged)),
    ];
    let members = members.into_iter().filter(|(_, is_wanted, _)| *is_wanted);
    Value::Object(members.map(|(name, _, value)| (name.to_owned(), value)).collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_time_is_local() {
        // A Sunday, 06:02 in UTC.
        let now = UNIX_EPOCH + Duration::from_secs(1_795_327_322);
        for (name, hour, weekday) in [
            ("UTC0", 6, "sunday"),
            ("<+0530>-5:30", 11, "sunday"),
            ("PST8PDT,M3.2.0,M11.1.0", 22, "saturday"),
            ("<+14>-14", 20, "sunday"),
        ] {
            let zone = TimeZone::from_posix_tz(name).unwrap();
            assert_eq!(time(now, &zone), json!({"hour": hour, "weekday": weekday}), "{name}");
        }
        let start = time(UNIX_EPOCH, &TimeZone::utc());
        assert_eq!(start, json!({"hour": 0, "weekday": "thursday"}));
    }

    #[test]
    fn facts_are_added_only_when_they_are_read() {
        let event = json!({"hook_event_name": "SessionStart", "cwd": "/", "source": "startup"}).to_string();
        let read = |paths: &[&[&str]]| {
            let adapter = crate::adapter::by_name("claude").unwrap();
            let mut incoming = adapter.read(event.clone().into_bytes(), None).unwrap();
            let context = ProjectContext { variable: &|_| None, recorded: None };
            incoming.add_facts(&|path| paths.iter().any(|read| read.starts_with(path)), &context);
            serde_json::from_slice::<Value>(incoming.event.bytes()).unwrap()
        };
        let none = read(&[]);
        assert!(none.get(TIME).is_none() && none.get(GIT).is_none());
        assert!(read(&[&[TIME, "hour"]])[TIME]["hour"].is_u64());
        assert_eq!(read(&[&[GIT, "branch"]])[GIT], json!({"branch": null}));
    }
}
