//! Stand-ins for exact numbers: a distinct number for each, in the same order, that `f64` can
//! represent and that is not close to any other.
//!
//! Whole numbers up to 2^30 represent themselves, so that they compare with the counts of a query's
//! functions; others are spread evenly between their whole neighbours, and beyond 2^30 every number
//! is one more than the previous one.

use std::collections::BTreeSet;

use hookc_schema::tree::{Part, Query};
use serde_json::Value;

use crate::decimal::Decimal;
use crate::json::{Json, Number};

/// Up to here, whole numbers represent themselves.
const PLAIN: i64 = 1 << 30;

/// The numbers that need a stand-in, with their stand-ins.
pub(crate) struct Scale(Vec<(Decimal, f64)>);

impl Scale {
    /// For the numbers of a query and of an event.
    pub(crate) fn new(query: &Query, event: &Json) -> Self {
        let mut inexact = BTreeSet::new();
        gather(event, &mut inexact);
        query.parts(&mut |part| {
            if let Part::Number(number) = part {
                inexact.extend(Decimal::parse(&number.0).filter(|number| plain(number).is_none()));
            }
        });
        let (mut pairs, mut run): (Vec<(Decimal, f64)>, Vec<Decimal>) = (Vec::new(), Vec::new());
        for number in inexact {
            if run.last().is_some_and(|last| floor(last) != floor(&number)) {
                spread(std::mem::take(&mut run), &mut pairs);
            }
            run.push(number);
        }
        spread(run, &mut pairs);
        Self(pairs)
    }

    /// The value of a stand-in, as JSON.
    pub(crate) fn stand_in(&self, number: &Decimal) -> Value {
        match plain(number) {
            Some(whole) => whole.into(),
            None => {
                let found = self.0.iter().find(|(inexact, _)| inexact == number);
                found.map_or(0.0, |(_, value)| *value).into()
            }
        }
    }

    /// A value with stand-ins for numbers, members in RFC 8785 order.
    pub(crate) fn image(&self, json: &Json) -> Value {
        match json {
            Json::Null => Value::Null,
            Json::Bool(truth) => (*truth).into(),
            Json::Num(number) => self.stand_in(&number.0),
            Json::Str(text) => text.as_str().into(),
            Json::Arr(items) => Value::Array(items.iter().map(|item| self.image(item)).collect()),
            Json::Obj(members) => {
                let mut members: Vec<_> = members.iter().collect();
                members.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
                Value::Object(members.iter().map(|(key, value)| (key.clone(), self.image(value))).collect())
            }
        }
    }

    /// The value of an image.
    pub(crate) fn original(&self, image: &Value) -> Json {
        match image {
            Value::Null => Json::Null,
            Value::Bool(truth) => Json::Bool(*truth),
            Value::Number(number) => {
                let inexact = self
                    .0
                    .iter()
                    .find(|(_, value)| number.as_i64().is_none() && number.as_f64() == Some(*value));
                let exact =
                    inexact.map(|(exact, _)| exact.clone()).or_else(|| Decimal::parse(&number.to_string()));
                exact.map_or(Json::Null, |exact| Json::Num(Number(exact)))
            }
            Value::String(text) => Json::Str(text.clone()),
            Value::Array(items) => Json::Arr(items.iter().map(|item| self.original(item)).collect()),
            Value::Object(members) => {
                Json::Obj(members.iter().map(|(key, value)| (key.clone(), self.original(value))).collect())
            }
        }
    }
}

fn gather(json: &Json, inexact: &mut BTreeSet<Decimal>) {
    match json {
        Json::Num(number) if plain(&number.0).is_none() => {
            inexact.insert(number.0.clone());
        }
        Json::Arr(items) => items.iter().for_each(|item| gather(item, inexact)),
        Json::Obj(members) => members.iter().for_each(|(_, value)| gather(value, inexact)),
        _ => {}
    }
}

fn plain(number: &Decimal) -> Option<i64> {
    number.text().parse().ok().filter(|whole: &i64| whole.abs() <= PLAIN)
}

/// The nearest lower whole number, if that represents itself; otherwise the next one beyond.
#[allow(clippy::cast_possible_truncation, reason = "it is clamped")]
fn floor(number: &Decimal) -> i64 {
    let near: f64 = number.text().parse().unwrap_or(0.0);
    let near = near.floor().clamp(-(PLAIN as f64) - 1.0, PLAIN as f64) as i64;
    let below = Decimal::parse(&near.to_string()).is_some_and(|whole| whole < *number);
    if below || near < -PLAIN { near } else { near - 1 }
}

/// Assigns stand-ins to ascending numbers with one floor.
#[allow(clippy::cast_precision_loss, reason = "as far as it goes, whole numbers are exact")]
fn spread(run: Vec<Decimal>, pairs: &mut Vec<(Decimal, f64)>) {
    let Some(floor) = run.first().map(floor) else { return };
    let count = run.len() as f64;
    for (at, number) in (1_u32..).zip(run) {
        let at = f64::from(at);
        let value = match floor {
            floor if floor < -PLAIN => -(PLAIN as f64) - 0.5 - count + at,
            PLAIN => PLAIN as f64 + 0.5 + at,
            floor => floor as f64 + at / (count + 1.0),
        };
        pairs.push((number, value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stand_ins_keep_the_order() {
        let text = "[-1e400,-1e300,-2000000000.5,-1.5,-0.000001,-0,1e-10000,5e-324,0.5,0.50000000000000000001,1,1.5,1e3,2e9,9007199254740992,9007199254740993,1e400]";
        let json = Json::parse(text.as_bytes()).unwrap();
        let scale = Scale::new(&Query::default(), &json);
        let image = scale.image(&json);
        let values: Vec<f64> =
            image.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect();
        assert!(values.windows(2).all(|pair| pair[1] - pair[0] > 1e-9), "{values:?}");
        assert_eq!(scale.original(&image).canonical(), json.canonical());
        assert_eq!((&values[5], &values[10], &values[12]), (&0.0, &1.0, &1000.0));
    }
}
