//! The view of a size, from `docs/language.md` alone.

use crate::decimal::Decimal;
use crate::json::{Json, Number};

/// How long a text, a list or an object is; nothing for other values.
pub(crate) fn view(value: &Json) -> Option<Json> {
    let members = match value {
        Json::Str(text) => {
            let breaks = text.split('\n').count() - 1;
            let rest = usize::from(!text.is_empty() && !text.ends_with('\n'));
            let length = text.char_indices().count();
            vec![("bytes", text.len()), ("length", length), ("lines", breaks + rest)]
        }
        Json::Arr(items) => vec![("length", items.len())],
        Json::Obj(members) => vec![("length", members.len())],
        _ => return None,
    };
    let number = |(name, count): (&str, usize)| {
        Some((name.to_owned(), Json::Num(Number(Decimal::parse(&count.to_string())?))))
    };
    members.into_iter().map(number).collect::<Option<Vec<_>>>().map(Json::Obj)
}
