//! Records as bytes.

use super::bytes::{Reader, Writer};
use super::shape::{read_shape, write_shape};
use crate::clock::Reading;
use crate::decimal::Decimal;
use crate::key::Keys;
use crate::limits::TEXT;
use crate::record::{Change, Feed, FeedValue, Outcome, Record, Value, Verdict, Verdicts};

/// Things in one list. What is too much for a monitor makes it uncertain when the record is applied.
pub(super) const MOST: usize = 1 << 20;

pub(super) fn write_record(out: &mut Writer, record: &Record) {
    out.number(record.time);
    out.option(record.reading, write_reading);
    out.option(record.tool_use, Writer::key);
    match record.outcome {
        Outcome::Settled(verdict) => write_verdict(out, verdict),
        Outcome::Pending { until } => {
            out.byte(4);
            out.number(until);
        }
    }
    out.option(record.change.as_ref(), |out, change| {
        out.fixed(change.fingerprint);
        out.list(change.kept.iter(), write_shape);
    });
    out.list(record.feeds.iter(), write_feed);
}

pub(super) fn read_record(input: &mut Reader<'_>) -> Option<Record> {
    let (time, reading) = (input.number()?, input.option(read_reading)?);
    let tool_use = input.option(Reader::key)?;
    let outcome = match input.byte()? {
        4 => Outcome::Pending { until: input.number()? },
        tag => Outcome::Settled(verdict(tag)?),
    };
    let change = input
        .option(|input| Some(Change { fingerprint: input.fixed()?, kept: input.list(MOST, read_shape)? }))?;
    Some(Record { time, reading, tool_use, outcome, change, feeds: input.list(MOST, read_feed)? })
}

pub(super) fn write_reading(out: &mut Writer, reading: Reading) {
    out.fixed(reading.boot);
    out.number(reading.since_boot);
    out.number(reading.wall);
}

pub(super) fn read_reading(input: &mut Reader<'_>) -> Option<Reading> {
    Some(Reading { boot: input.fixed()?, since_boot: input.number()?, wall: input.number()? })
}

pub(super) fn write_verdict(out: &mut Writer, verdict: Verdict) {
    out.byte(match verdict {
        Verdict::None => 0,
        Verdict::Allow => 1,
        Verdict::Ask => 2,
        Verdict::Deny => 3,
    });
}

pub(super) fn read_verdict(input: &mut Reader<'_>) -> Option<Verdict> {
    verdict(input.byte()?)
}

fn verdict(tag: u8) -> Option<Verdict> {
    match tag {
        0 => Some(Verdict::None),
        1 => Some(Verdict::Allow),
        2 => Some(Verdict::Ask),
        3 => Some(Verdict::Deny),
        _ => None,
    }
}

fn write_feed(out: &mut Writer, feed: &Feed) {
    out.id(feed.cell);
    out.option(feed.shape.as_ref(), write_shape);
    out.byte(feed.certain.bits() | feed.possible.bits() << 4);
    out.list(feed.keys.iter(), |out, key| out.key(*key));
    match &feed.value {
        FeedValue::Time => out.byte(0),
        FeedValue::Excluded(conjuncts) => {
            out.byte(1);
            out.list(conjuncts.iter(), |out, keys| out.list(keys.iter(), |out, key| out.key(*key)));
        }
        FeedValue::Numbers(numbers) => {
            out.byte(2);
            out.list(numbers.iter(), |out, number| out.option(*number, write_decimal));
        }
        FeedValue::Values(values) => {
            out.byte(3);
            out.list(values.iter(), |out, value| out.key(*value));
        }
        FeedValue::Kept(values) => {
            out.byte(4);
            out.list(values.iter(), |out, value| out.option(value.as_ref(), write_value));
        }
    }
}

fn read_feed(input: &mut Reader<'_>) -> Option<Feed> {
    let (cell, shape) = (input.id()?, input.option(read_shape)?);
    let bits = input.byte()?;
    let (certain, possible) = (Verdicts::from_bits(bits & 0xf)?, Verdicts::from_bits(bits >> 4)?);
    let keys = read_keys(input)?;
    let value = match input.byte()? {
        0 => FeedValue::Time,
        1 => FeedValue::Excluded(input.list(MOST, |input| input.list(MOST, Reader::key))?),
        2 => FeedValue::Numbers(input.list(MOST, |input| input.option(read_decimal))?),
        3 => FeedValue::Values(input.list(MOST, Reader::key)?),
        4 => FeedValue::Kept(input.list(MOST, |input| input.option(read_value))?),
        _ => return None,
    };
    Some(Feed { cell, shape, certain, possible, keys, value })
}

/// Keys in order, each once.
fn read_keys(input: &mut Reader<'_>) -> Option<Keys> {
    let keys = input.list(MOST, Reader::key)?;
    keys.is_sorted_by(|a, b| a < b).then(|| keys.into())
}

pub(super) fn write_decimal(out: &mut Writer, decimal: Decimal) {
    out.signed(decimal.digits);
    out.signed(i128::from(decimal.exponent));
}

pub(super) fn read_decimal(input: &mut Reader<'_>) -> Option<Decimal> {
    let (digits, exponent) = (input.signed()?, i32::try_from(input.signed()?).ok()?);
    // The only form of a number.
    Decimal::new(digits, exponent).filter(|decimal| (decimal.digits, decimal.exponent) == (digits, exponent))
}

pub(super) fn write_value(out: &mut Writer, value: &Value) {
    out.key(value.hash);
    out.option(value.text.as_deref(), Writer::text);
}

pub(super) fn read_value(input: &mut Reader<'_>) -> Option<Value> {
    Some(Value { hash: input.key()?, text: input.option(|input| input.text(TEXT))?.map(Box::from) })
}
