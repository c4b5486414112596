//! One record of several decisions: those about the files of a patch, which is one call of a tool.

use std::collections::BTreeMap;

use hookc_history::{CellId, Feed, FeedValue, Key, Record};

/// Adds the feeds of another decision about the same call.
pub(super) fn merge(record: &mut Record, other: Record) {
    let positions: BTreeMap<CellId, usize> =
        record.feeds.iter().enumerate().map(|(index, feed)| (feed.cell, index)).collect();
    for feed in other.feeds {
        match positions.get(&feed.cell).and_then(|index| record.feeds.get_mut(*index)) {
            Some(known) => merge_feed(known, feed),
            None => record.feeds.push(feed),
        }
    }
    record.change = record.change.take().or(other.change);
}

fn merge_feed(feed: &mut Feed, other: Feed) {
    feed.certain = feed.certain.union(other.certain);
    feed.possible = feed.possible.union(other.possible);
    feed.shape = feed.shape.take().or(other.shape);
    add_keys(&mut feed.keys, other.keys);
    match (&mut feed.value, other.value) {
        (FeedValue::Excluded(conjuncts), FeedValue::Excluded(others)) => {
            conjuncts.iter_mut().zip(others).for_each(|(keys, other)| add_keys(keys, other));
        }
        (FeedValue::Numbers(numbers), FeedValue::Numbers(others)) => numbers.extend(others),
        (FeedValue::Values(values), FeedValue::Values(others)) => add_keys(values, others),
        // The values of the first file.
        _ => {}
    }
}

fn add_keys(keys: &mut Vec<Key>, others: Vec<Key>) {
    keys.extend(others);
    keys.sort_unstable();
    keys.dedup();
}

#[cfg(test)]
mod tests {
    use hookc_history::{Secret, Verdicts};

    use super::*;

    #[test]
    fn a_call_is_one_record_with_the_keys_of_all_files() {
        let secret = Secret::new([1; 32]);
        let (a, b) = (CellId([1; 8]), CellId([2; 8]));
        let record = |cell: CellId, keys: &[&str]| {
            let keys = keys.iter().map(|key| secret.key([key])).collect();
            Record { feeds: vec![Feed::untied(cell, Verdicts::HAPPENED).with_keys(keys)], ..Record::new(5) }
        };
        let mut merged = record(a, &["x"]);
        merge(&mut merged, record(a, &["y", "x"]));
        merge(&mut merged, record(b, &["z"]));
        let keys: Vec<usize> = merged.feeds.iter().map(|feed| feed.keys.len()).collect();
        assert_eq!((keys, merged.time), (vec![2, 1], 5));
    }
}
