//! Monitors of a module as bytes.

use super::bytes::{Reader, Writer};
use super::record::MOST;
use crate::shape::{Kind, Shape};

pub(super) fn write_kind(out: &mut Writer, kind: Kind) {
    let (tag, first, second) = kind.numbers();
    out.byte(tag);
    out.number(u64::from(first));
    out.byte(second);
}

pub(super) fn read_kind(input: &mut Reader<'_>) -> Option<Kind> {
    Kind::from_numbers(input.byte()?, u16::try_from(input.number()?).ok()?, input.byte()?)
}

pub(super) fn write_shape(out: &mut Writer, shape: &Shape) {
    out.id(shape.id);
    write_kind(out, shape.kind);
    out.list(shape.anchors.iter(), |out, id| out.id(*id));
    out.option(shape.retention, Writer::number);
}

pub(super) fn read_shape(input: &mut Reader<'_>) -> Option<Shape> {
    Some(Shape {
        id: input.id()?,
        kind: read_kind(input)?,
        anchors: input.list(MOST, Reader::id)?,
        retention: input.option(Reader::number)?,
    })
}
