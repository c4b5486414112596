//! The table of a program as bytes, for modules.

use std::fmt;

use super::draft::{Table, Value};
use super::policy::Described;
use crate::bytes::{Malformed, Reader, put_number, put_text};

const TEXT: u8 = 0;
const FLAG: u8 = 1;
const LIST: u8 = 2;
const TABLE: u8 = 3;
const TABLES: u8 = 4;

/// Tables in one another: a program, its subcommands, those of a group, and an `if`.
const DEPTH: usize = 8;

impl Described {
    /// Its bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_text(&self.name, &mut out);
        put_table(&self.table, &mut out);
        out
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote.
    ///
    /// # Errors
    /// If any other bytes are given.
    pub fn decode(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(bytes);
        let described = Self { name: reader.text()?, table: table(&mut reader, DEPTH)? };
        reader.end(described)
    }
}

impl fmt::Display for Described {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.name)?;
        write_table(&self.table, f)
    }
}

fn write_table(table: &Table, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("{")?;
    for (at, (key, value)) in table.iter().enumerate() {
        if at > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{key}: ")?;
        match value {
            Value::Text(text) => write!(f, "{text:?}")?,
            Value::Flag(flag) => write!(f, "{flag}")?,
            Value::List(texts) => write!(f, "{texts:?}")?,
            Value::Table(inner) => write_table(inner, f)?,
            Value::Tables(tables) => tables.iter().try_for_each(|inner| write_table(inner, f))?,
        }
    }
    f.write_str("}")
}

fn put_table(table: &Table, out: &mut Vec<u8>) {
    put_number(table.len(), out);
    for (key, value) in table {
        put_text(key, out);
        match value {
            Value::Text(text) => {
                out.push(TEXT);
                put_text(text, out);
            }
            Value::Flag(flag) => out.extend([FLAG, u8::from(*flag)]),
            Value::List(texts) => {
                out.push(LIST);
                put_number(texts.len(), out);
                texts.iter().for_each(|text| put_text(text, out));
            }
            Value::Table(inner) => {
                out.push(TABLE);
                put_table(inner, out);
            }
            Value::Tables(tables) => {
                out.push(TABLES);
                put_number(tables.len(), out);
                tables.iter().for_each(|inner| put_table(inner, out));
            }
        }
    }
}

fn table(reader: &mut Reader<'_>, depth: usize) -> Result<Table, Malformed> {
    let depth = depth.checked_sub(1).ok_or(Malformed)?;
    reader.list(|reader| {
        let key = reader.text()?;
        let value = match reader.byte()? {
            TEXT => Value::Text(reader.text()?),
            FLAG => match reader.byte()? {
                0 => Value::Flag(false),
                1 => Value::Flag(true),
                _ => return Err(Malformed),
            },
            LIST => Value::List(reader.list(Reader::text)?),
            TABLE => Value::Table(table(reader, depth)?),
            TABLES => Value::Tables(reader.list(|reader| table(reader, depth))?),
            _ => return Err(Malformed),
        };
        Ok((key, value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tables() -> impl Strategy<Value = Table> {
        let text = "[a-zé ]{0,9}";
        let leaf = prop_oneof![
            text.prop_map(Value::Text),
            any::<bool>().prop_map(Value::Flag),
            prop::collection::vec(text, 0..3).prop_map(Value::List),
        ];
        let value = leaf.prop_recursive(3, 20, 4, move |inner| {
            let table = prop::collection::vec((text, inner), 0..4);
            prop_oneof![
                table.clone().prop_map(Value::Table),
                prop::collection::vec(table, 0..3).prop_map(Value::Tables),
            ]
        });
        prop::collection::vec((text, value), 0..5)
    }

    proptest! {
        #[test]
        fn decoding_gives_what_was_encoded(name in "[a-z]{0,9}", table in tables(), at in any::<prop::sample::Index>()) {
            let described = Described { name, table };
            let bytes = described.to_bytes();
            prop_assert_eq!(Described::decode(&bytes), Ok(described));
            prop_assert!(Described::decode(&bytes[..at.index(bytes.len())]).is_err());
        }

        #[test]
        fn other_bytes_are_rejected_or_are_an_encoding(bytes in prop::collection::vec(0_u8..6, 0..60)) {
            if let Ok(described) = Described::decode(&bytes) {
                prop_assert_eq!(described.to_bytes(), bytes);
            }
        }
    }

    #[test]
    fn tables_are_not_deeper_than_the_limit() {
        let mut table = Table::new();
        for _ in 0..DEPTH {
            table = vec![("a".to_owned(), Value::Table(table))];
        }
        let deep = Described { name: "x".to_owned(), table };
        assert_eq!(Described::decode(&deep.to_bytes()), Err(Malformed));
    }
}
