//! Predicates as bytes, with the sets that they use.
//!
//! Each value has one encoding: numbers have seven bits a byte, the lowest first and without zero bytes at the end; texts
//! and lists have their length in front.

use super::predicate::{Guard, List, Predicate, Set, Verb};
use crate::bytes::{Malformed, Reader, put_number, put_text};

const GUARD: u8 = 0;
const ONLY: u8 = 1;
const UNKNOWN: u8 = 2;
const MENTIONS: u8 = 3;
const PASSED: u8 = 4;

/// The bit of a guard's first byte that says whether it is about what is possible.
const POSSIBLE: u8 = 0x80;

impl Predicate {
    /// Appends its bytes, with those of the sets of the policy that it uses.
    pub fn encode(&self, sets: &[Set], out: &mut Vec<u8>) {
        match self {
            Self::Guard(guard) => {
                out.push(GUARD);
                put_guard(guard, out);
            }
            Self::Only(guards) => {
                out.push(ONLY);
                put_number(guards.len(), out);
                guards.iter().for_each(|guard| put_guard(guard, out));
            }
            Self::Unknown => out.push(UNKNOWN),
            Self::Mentions(texts) => {
                out.push(MENTIONS);
                put_texts(texts, out);
            }
            Self::Passed(commands) => {
                out.push(PASSED);
                put_texts(commands, out);
            }
        }
        let used = self.used_sets(sets);
        put_number(used.len(), out);
        for set in used {
            put_text(&set.name, out);
            put_texts(&set.of, out);
            put_texts(&set.except, out);
        }
    }

    /// Reads what [`encode`](Self::encode) wrote.
    ///
    /// # Errors
    /// If any other bytes are given.
    pub fn decode(bytes: &[u8]) -> Result<(Self, Vec<Set>), Malformed> {
        let mut reader = Reader::new(bytes);
        let predicate = reader.predicate()?;
        let sets = reader.list(|reader| {
            Ok(Set {
                name: reader.text()?,
                of: reader.list(Reader::text)?,
                except: reader.list(Reader::text)?,
            })
        })?;
        reader.end((predicate, sets))
    }

    /// The sets of a policy that its patterns name, also in other sets, each once and in the order of their names.
    #[must_use]
    pub(crate) fn used_sets<'s>(&self, sets: &'s [Set]) -> Vec<&'s Set> {
        let mut is_used = vec![false; sets.len()];
        let mut pending: Vec<&str> = self.lists().flat_map(|(_, _, list)| list).map(String::as_str).collect();
        while let Some(pattern) = pending.pop() {
            for (set, is_used) in sets.iter().zip(&mut is_used) {
                let is_named = || super::sets::names(pattern).any(|(_, name)| name == set.name);
                if !*is_used && is_named() {
                    *is_used = true;
                    pending.extend(set.of.iter().chain(&set.except).map(String::as_str));
                }
            }
        }
        let used = sets.iter().zip(is_used).filter(|(_, is_used)| *is_used);
        let mut used: Vec<_> = used.map(|(set, _)| set).collect();
        used.sort_by(|one, other| one.name.cmp(&other.name));
        used
    }
}

fn put_texts(texts: &[String], out: &mut Vec<u8>) {
    put_number(texts.len(), out);
    texts.iter().for_each(|text| put_text(text, out));
}

fn put_guard(guard: &Guard, out: &mut Vec<u8>) {
    out.push(guard.verb.number() | if guard.is_possible { POSSIBLE } else { 0 });
    List::ALL.iter().for_each(|list| put_texts(guard.list(*list), out));
}

impl Reader<'_> {
    fn guard(&mut self) -> Result<Guard, Malformed> {
        let byte = self.byte()?;
        let verb = Verb::from_number(byte & !POSSIBLE).ok_or(Malformed)?;
        let mut texts = || self.list(Self::text);
        Ok(Guard {
            verb,
            is_possible: byte & POSSIBLE != 0,
            of: texts()?,
            except: texts()?,
            by: texts()?,
            not_by: texts()?,
        })
    }

    fn predicate(&mut self) -> Result<Predicate, Malformed> {
        Ok(match self.byte()? {
            GUARD => Predicate::Guard(self.guard()?),
            ONLY => Predicate::Only(self.list(Self::guard)?),
            UNKNOWN => Predicate::Unknown,
            MENTIONS => Predicate::Mentions(self.list(Self::text)?),
            PASSED => Predicate::Passed(self.list(Self::text)?),
            _ => return Err(Malformed),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts() -> impl Strategy<Value = Vec<String>> {
        prop::collection::vec("[@a-z*/{},.éx ]{0,200}", 0..4)
    }

    fn guard() -> impl Strategy<Value = Guard> {
        let lists = (texts(), texts(), texts(), texts());
        (prop::sample::select(Verb::ALL), any::<bool>(), lists).prop_map(
            |(verb, is_possible, (of, except, by, not_by))| Guard {
                verb,
                is_possible,
                of,
                except,
                by,
                not_by,
            },
        )
    }

    fn predicate() -> impl Strategy<Value = Predicate> {
        prop_oneof![
            guard().prop_map(Predicate::Guard),
            prop::collection::vec(guard(), 0..4).prop_map(Predicate::Only),
            Just(Predicate::Unknown),
            texts().prop_map(Predicate::Mentions),
            texts().prop_map(Predicate::Passed),
        ]
    }

    fn set(name: &str, of: &[&str], except: &[&str]) -> Set {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        Set { name: name.to_owned(), of: texts(of), except: texts(except) }
    }

    #[test]
    fn a_predicate_has_the_sets_that_it_uses() {
        let mut guard = Guard::new(Verb::Change);
        guard.of = vec!["ref:@b".to_owned(), "x@d".to_owned()];
        let sets = [
            set("a", &["x"], &[]),
            set("b", &["y"], &["@c"]),
            set("c", &["@b", "z"], &[]),
            set("dd", &["z"], &[]),
        ];
        let mut bytes = Vec::new();
        Predicate::Guard(guard.clone()).encode(&sets, &mut bytes);
        let used = vec![sets[1].clone(), sets[2].clone()];
        assert_eq!(Predicate::decode(&bytes), Ok((Predicate::Guard(guard), used)));
    }

    proptest! {
        #[test]
        fn decoding_gives_what_was_encoded(predicate in predicate(), of in texts(), except in texts()) {
            let sets = [Set { name: "a".to_owned(), of, except }];
            let mut bytes = Vec::new();
            predicate.encode(&sets, &mut bytes);
            let used = predicate.used_sets(&sets).into_iter().cloned().collect();
            prop_assert_eq!(Predicate::decode(&bytes), Ok((predicate, used)));
        }

        #[test]
        fn any_bytes_are_rejected_or_are_the_encoding(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            if let Ok((predicate, sets)) = Predicate::decode(&bytes) {
                let mut again = Vec::new();
                predicate.encode(&sets, &mut again);
                prop_assert!(again.len() <= bytes.len());
                prop_assert!(!sets.is_empty() || again == bytes);
            }
        }

        #[test]
        fn a_changed_encoding_never_panics(predicate in predicate(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
            let mut bytes = Vec::new();
            predicate.encode(&[], &mut bytes);
            let at = at.index(bytes.len());
            bytes[at] = byte;
            let _ = Predicate::decode(&bytes);
            let _ = Predicate::decode(&bytes[..at]);
        }
    }
}
