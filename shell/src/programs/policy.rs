//! Programs that a policy describes, in the notation of the shipped ones and with the same checks.

use std::borrow::Cow;

use super::draft::{Table, Wrong, read};
use super::model::{If, Row, Values};
use super::shape::{Shaped, shape};

impl Row {
    /// The row of a program that a policy describes.
    ///
    /// # Errors
    ///
    /// Reports all that is wrong with the table, and a program that has a row already: policies add programs, and change none.
    pub fn from_policy(name: &str, table: &Table) -> Result<Self, Vec<Wrong>> {
        let mut wrong = Vec::new();
        let draft = read(name, name, table, &mut wrong);
        let row = Self::from(shape(&draft, &mut wrong));
        for name in row.names().filter(|name| super::has_program(name)) {
            let what = format!("`{name}` has a row already; a policy adds programs, and changes none");
            wrong.push(Wrong { path: draft.key.clone(), key: String::new(), what });
        }
        if wrong.is_empty() { Ok(row) } else { Err(wrong) }
    }
}

impl From<Shaped> for Row {
    fn from(shaped: Shaped) -> Self {
        let Shaped { names, also, group, same_as, values: texts, ifs, subs } = shaped;
        let ifs = ifs.into_iter().map(|one| If::new(values(one))).collect();
        let subs = subs.into_iter().map(Self::from).collect();
        let [names, also, group, same_as] = [names, also, group, same_as].map(Cow::Owned);
        Self::new(names, also, group, same_as, values(texts), Cow::Owned(ifs), Cow::Owned(subs))
    }
}

fn values(texts: Vec<(&'static str, String)>) -> Values {
    texts.into_iter().map(|(key, value)| (key, Cow::Owned(value))).collect()
}
