//! The ledger: what each agent has, as a file of lines that are only appended.
//!
//! A debit is on disk before the call that it pays for, so a process that is killed has never called
//! for free. Several processes share a ledger; each operation locks the file.

use std::collections::{BTreeMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use hookc_runtime::log::rfc3339;
use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::amount::Amount;

/// The version of the format.
const VERSION: u64 = 1;

/// The first line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    ledger: u64,
}

/// Any other line.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Line {
    time: String,
    agent: String,
    /// `open` or `debit`.
    kind: String,
    amount: String,
    balance: String,
    /// What a debit pays for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hook: Option<String>,
    /// Which call of which run: it is debited once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<String>,
}

/// An open ledger.
#[derive(Debug)]
pub(crate) struct Ledger {
    file: File,
    path: PathBuf,
    /// How much of the file is in `balances`.
    read: u64,
    lines: usize,
    balances: BTreeMap<String, Amount>,
    ids: HashSet<String>,
}

/// Why a debit was not made.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The balance is lower than the price.
    Empty(Amount),
    /// The ledger cannot be used.
    Broken(String),
}

/// What a debit pays for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Purpose<'p> {
    pub(crate) call: &'p str,
    pub(crate) hook: Option<&'p str>,
    /// A debit with an id that the ledger has is not made again.
    pub(crate) id: &'p str,
}

impl Ledger {
    /// Opens a ledger, and creates it if missing.
    ///
    /// # Errors
    /// It cannot be read, or is something else.
    pub(crate) fn open(path: &Path) -> Result<Self, String> {
        let failed = |error: io::Error| format!("the ledger {}: {error}", path.display());
        let found = std::fs::metadata(path);
        if found.is_ok_and(|found| !found.is_file()) {
            return Err(format!("the ledger {}: it is not a regular file", path.display()));
        }
        let file = OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(path);
        let file = file.map_err(failed)?;
        let balances = BTreeMap::new();
        let mut ledger =
            Self { file, path: path.to_owned(), read: 0, lines: 0, balances, ids: HashSet::new() };
        ledger.locked(|state| Ok(state.balances.len()))?;
        Ok(ledger)
    }

    /// The balance of an agent; an agent that the ledger does not know gets its `opening` balance.
    pub(crate) fn balance(&mut self, agent: &str, opening: Amount) -> Result<Amount, String> {
        self.locked(|ledger| {
            if let Some(balance) = ledger.balances.get(agent) {
                return Ok(*balance);
            }
            ledger.append(agent, "open", opening, opening, None)?;
            Ok(opening)
        })
    }

    /// Takes an amount from the balance of an agent; returns the rest.
    pub(crate) fn debit(
        &mut self,
        agent: &str,
        amount: Amount,
        purpose: Purpose<'_>,
    ) -> Result<Amount, Refusal> {
        let debited = self.locked(|ledger| {
            let balance = ledger.balances.get(agent).copied().unwrap_or_default();
            if ledger.ids.contains(purpose.id) {
                return Ok(Ok(balance));
            }
            let Some(rest) = balance.checked_sub(amount) else { return Ok(Err(balance)) };
            ledger.append(agent, "debit", amount, rest, Some(purpose))?;
            Ok(Ok(rest))
        });
        debited.map_err(Refusal::Broken)?.map_err(Refusal::Empty)
    }

    /// Does something while no other process uses the ledger, with the current balances.
    fn locked<T>(&mut self, work: impl FnOnce(&mut Self) -> io::Result<T>) -> Result<T, String> {
        let done = flock(&self.file, FlockOperation::LockExclusive).map_err(io::Error::from);
        let done = done.and_then(|()| {
            let done = self.catch_up().and_then(|()| work(self));
            let _ = flock(&self.file, FlockOperation::Unlock);
            done
        });
        done.map_err(|error| format!("the ledger {}: {error}", self.path.display()))
    }

    /// Reads what was appended since. An incomplete last line is a debit whose call was never made:
    /// its writer was killed.
    fn catch_up(&mut self) -> io::Result<()> {
        let mut bytes = Vec::new();
        self.file.seek(SeekFrom::Start(self.read))?;
        self.file.read_to_end(&mut bytes)?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        if whole < bytes.len() {
            self.file.set_len(self.read + whole as u64)?;
        }
        let text = std::str::from_utf8(bytes.get(..whole).unwrap_or_default());
        let text = text.map_err(|error| io::Error::other(error.to_string()))?;
        for line in text.lines() {
            let number = self.lines + 1;
            self.line(line).map_err(|why| io::Error::other(format!("line {number}: {why}")))?;
            self.lines = number;
        }
        self.read += whole as u64;
        if self.lines == 0 {
            self.write(&format!("{}\n", json!({"ledger": VERSION})))?;
        }
        Ok(())
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        if !line.starts_with('{') {
            return Err("it is not a ledger".to_owned());
        }
        if self.lines == 0 {
            let head: Head = serde_json::from_str(line).map_err(|_| "it is not a ledger".to_owned())?;
            return match head.ledger {
                VERSION => Ok(()),
                other => Err(format!("it has version {other}, expected {VERSION}")),
            };
        }
        let line: Line = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let amount = |text: &str| Amount::parse(text).ok_or_else(|| format!("`{text}` is not an amount"));
        let (amount, balance) = (amount(&line.amount)?, amount(&line.balance)?);
        let before = self.balances.get(&line.agent).copied();
        let follows = match line.kind.as_str() {
            "open" => before.is_none() && amount == balance,
            "debit" => before.and_then(|before| before.checked_sub(amount)) == Some(balance),
            other => return Err(format!("unknown kind `{other}`")),
        };
        if !follows {
            return Err(format!("the balance of {} does not follow from the lines before", line.agent));
        }
        self.balances.insert(line.agent, balance);
        self.ids.extend(line.id);
        Ok(())
    }

    fn append(
        &mut self,
        agent: &str,
        kind: &str,
        amount: Amount,
        balance: Amount,
        purpose: Option<Purpose<'_>>,
    ) -> io::Result<()> {
        let line = Line {
            time: rfc3339(SystemTime::now()),
            agent: agent.to_owned(),
            kind: kind.to_owned(),
            amount: amount.to_string(),
            balance: balance.to_string(),
            call: purpose.map(|purpose| purpose.call.to_owned()),
            hook: purpose.and_then(|purpose| purpose.hook).map(str::to_owned),
            id: purpose.map(|purpose| purpose.id.to_owned()),
        };
        self.write(&format!("{}\n", serde_json::to_string(&line)?))?;
        self.balances.insert(agent.to_owned(), balance);
        self.ids.extend(line.id);
        Ok(())
    }

    /// Appends a line; it is on disk afterwards.
    fn write(&mut self, line: &str) -> io::Result<()> {
        self.file.write_all(line.as_bytes())?;
        self.file.sync_data()?;
        self.read += line.len() as u64;
        self.lines += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Amount, Ledger, Purpose, Refusal};

    fn amount(text: &str) -> Amount {
        Amount::parse(text).unwrap()
    }

    fn call(id: &str) -> Purpose<'_> {
        Purpose { call: "search.find", hook: Some("h"), id }
    }

    #[test]
    fn debits_until_it_is_empty_also_by_another_process() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger");
        let mut one = Ledger::open(&path).unwrap();
        assert_eq!(one.balance("a", amount("1")), Ok(amount("1")));
        let mut other = Ledger::open(&path).unwrap();
        assert_eq!(other.balance("a", amount("7")), Ok(amount("1")));
        assert_eq!(other.debit("a", amount("0.4"), call("1")), Ok(amount("0.6")));
        assert_eq!(one.debit("a", amount("0.4"), call("2")), Ok(amount("0.2")));
        assert_eq!(one.debit("a", amount("0.4"), call("3")), Err(Refusal::Empty(amount("0.2"))));
        assert_eq!(one.debit("b", amount("0.4"), call("4")), Err(Refusal::Empty(amount("0"))));
        // A debit that was made is not made again.
        assert_eq!(one.debit("a", amount("0.4"), call("1")), Ok(amount("0.2")));
        assert_eq!(Ledger::open(&path).unwrap().debit("a", amount("0.4"), call("2")), Ok(amount("0.2")));
    }

    #[test]
    fn a_torn_line_is_removed_and_a_wrong_one_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger");
        let mut ledger = Ledger::open(&path).unwrap();
        ledger.balance("a", amount("1")).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{text}{{\"time\":\"t\",\"ag")).unwrap();
        assert_eq!(Ledger::open(&path).unwrap().balance("a", amount("5")), Ok(amount("1")));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        let debit = r#"{"time":"t","agent":"a","kind":"debit","amount":"0.5","balance":"0.9"}"#;
        for (wrong, why) in [
            (format!("{text}{debit}\n"), "line 3: the balance of a does not follow"),
            (text.replace(r#"{"ledger":1}"#, r#"{"ledger":2}"#), "line 1: it has version 2"),
            ("hello\n".to_owned(), "it is not a ledger"),
        ] {
            std::fs::write(&path, wrong).unwrap();
            let error = Ledger::open(&path).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }
}
