//! The history of a session that an installed call keeps, read only.

use std::path::PathBuf;

use hookc_base::PartitionTag;
use hookc_history::{Partition, Secret};
use hookc_runtime::history::{self, Call, Unavailable};
use hookc_vm::Histories;

use crate::cmd::history as verb;
use crate::exit::Failure;
use crate::installed::calls;

/// The histories of a session.
pub(super) struct Live {
    secret: Secret,
    histories: Vec<(PartitionTag, Result<Partition, String>)>,
}

impl Live {
    /// That of a session in the store of the call of these policies.
    pub(super) fn open(policies: &[PathBuf], session: &str) -> Result<Self, Failure> {
        let names: Vec<String> = policies.iter().map(|path| calls::name(path)).collect();
        let calls = verb::calls()?;
        let of_policies = || calls.iter().filter(|call| call.policies == names);
        let failed = |why: Unavailable| Failure::input(why.to_string());
        let mut found = None;
        for call in of_policies() {
            let store = call.store().map_err(failed)?;
            if store.has(store.key(["session", session])) {
                found = Some((call, store));
                break;
            }
        }
        let Some((_, store)) = found else { return Err(missing(of_policies().next(), session)) };
        let names = [
            (PartitionTag::Session, vec!["session", session]),
            (PartitionTag::Agent, vec!["agent", session, ""]),
            (PartitionTag::User, vec!["user"]),
        ];
        let histories = names.into_iter().filter_map(|(key, name)| match store.read(store.key(name)) {
            Ok(partition) => Some((key, Ok(partition?))),
            Err(why) => Some((key, Err(why.to_string()))),
        });
        Ok(Self { secret: store.secret().clone(), histories: histories.collect() })
    }

    /// As an event would see them now.
    pub(super) fn histories(&self) -> Histories<'_> {
        let now = history::reading();
        self.histories.iter().fold(Histories::new(&self.secret), |histories, (key, history)| match history {
            Ok(partition) => histories.with(*key, partition, partition.clock(now)),
            Err(why) => histories.without(*key, why),
        })
    }
}

fn missing(call: Option<&Call>, session: &str) -> Failure {
    Failure::input(match call {
        Some(_) => format!("no history of session `{session}` is kept for these policies"),
        None => "no installed call keeps a history for these policies".to_owned(),
    })
}
