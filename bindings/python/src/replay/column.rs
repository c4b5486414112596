//! Columns of the input and of the output.

use std::sync::Arc;

use arrow_array::types::{ByteArrayType, GenericBinaryType, GenericStringType};
use arrow_array::{Array, ArrayRef, BinaryViewArray, GenericByteArray, OffsetSizeTrait, StringViewArray};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

/// Which columns are read, and which are written.
pub(super) struct Columns {
    /// The column of events.
    pub(super) event: usize,
    /// The columns that are passed through.
    pub(super) keep: Vec<usize>,
    /// The output.
    pub(super) schema: SchemaRef,
}

/// The code and the message of an error.
type Problem = (&'static str, String);

impl Columns {
    /// The columns of these names.
    pub(super) fn new(input: &Schema, event: &str, keep: &[String], two: bool) -> Result<Self, Problem> {
        let index = |name: &str| {
            let known: Vec<&str> = input.fields().iter().map(|field| field.name().as_str()).collect();
            let missing =
                || ("column", format!("there is no column {name:?}: the stream has {}", known.join(", ")));
            known.iter().position(|known| *known == name).ok_or_else(missing)
        };
        let at = index(event)?;
        let kind = input.field(at).data_type();
        if !is_text(kind) {
            let message =
                format!("column {event:?} has the type {kind}: expected text or binary, with JSON in it");
            return Err(("type", message));
        }
        let keep = keep.iter().map(|name| index(name)).collect::<Result<Vec<_>, _>>()?;
        let mut fields: Vec<Arc<Field>> =
            keep.iter().filter_map(|at| input.fields().get(*at).cloned()).collect();
        fields.extend(output(two).into_iter().map(Arc::new));
        for (position, field) in fields.iter().enumerate() {
            if fields.iter().take(position).any(|other| other.name() == field.name()) {
                return Err(("column", format!("the output would have two columns {:?}", field.name())));
            }
        }
        Ok(Self { event: at, keep, schema: Arc::new(Schema::new(fields)) })
    }
}

/// The columns that replay adds.
fn output(two: bool) -> Vec<Field> {
    let list = |name| Field::new_list(name, Field::new("item", DataType::Utf8, true), true);
    let mut fields = vec![list("hook"), list("action"), Field::new("error", DataType::Utf8, true)];
    if two {
        fields.extend([Field::new("changed", DataType::Boolean, false), list("before")]);
    }
    fields
}

fn is_text(kind: &DataType) -> bool {
    use DataType as T;
    matches!(kind, T::Utf8 | T::LargeUtf8 | T::Utf8View | T::Binary | T::LargeBinary | T::BinaryView)
}

/// The bytes of a column's values. Texts are read as bytes: nothing guarantees that a foreign
/// column is UTF-8, and the decision validates it.
pub(super) enum Texts<'a> {
    Small(&'a [i32], &'a [u8]),
    Large(&'a [i64], &'a [u8]),
    Views(BinaryViewArray),
}

impl<'a> Texts<'a> {
    pub(super) fn from_array(array: &'a ArrayRef) -> Result<Self, ArrowError> {
        let any = array.as_any();
        let wrong = || ArrowError::SchemaError(format!("a batch has events of type {}", array.data_type()));
        match array.data_type() {
            DataType::Utf8 => parts::<GenericStringType<i32>>(array).map(|(at, data)| Self::Small(at, data)),
            DataType::Binary => {
                parts::<GenericBinaryType<i32>>(array).map(|(at, data)| Self::Small(at, data))
            }
            DataType::LargeUtf8 => {
                parts::<GenericStringType<i64>>(array).map(|(at, data)| Self::Large(at, data))
            }
            DataType::LargeBinary => {
                parts::<GenericBinaryType<i64>>(array).map(|(at, data)| Self::Large(at, data))
            }
            DataType::Utf8View => {
                any.downcast_ref::<StringViewArray>().map(|own| Self::Views(own.clone().to_binary_view()))
            }
            DataType::BinaryView => any.downcast_ref::<BinaryViewArray>().map(|own| Self::Views(own.clone())),
            _ => None,
        }
        .ok_or_else(wrong)
    }

    /// The bytes of a row; `None` where the offsets are not sound.
    pub(super) fn get(&self, row: usize) -> Option<&[u8]> {
        match self {
            Self::Small(offsets, data) => slice(offsets, data, row),
            Self::Large(offsets, data) => slice(offsets, data, row),
            Self::Views(array) => (row < array.len()).then(|| array.value(row)),
        }
    }
}

/// The offsets and the data of an array.
fn parts<T: ByteArrayType>(array: &ArrayRef) -> Option<(&[T::Offset], &[u8])> {
    let own = array.as_any().downcast_ref::<GenericByteArray<T>>()?;
    Some((own.value_offsets(), own.value_data()))
}

fn slice<'a, O: OffsetSizeTrait>(offsets: &[O], data: &'a [u8], row: usize) -> Option<&'a [u8]> {
    data.get(offsets.get(row)?.to_usize()?..offsets.get(row.checked_add(1)?)?.to_usize()?)
}
