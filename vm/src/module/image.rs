//! The tables of a module as vectors: what code generation fills.

use zerocopy::little_endian::U32;

use super::format::{
    Action, Check, Const, Derived, Edge, Event, Hook, Label, Node, Param, Pattern, Place, Range, Row, Str,
    Template,
};

macro_rules! image {
    ($($number:literal $name:ident $field:ident: $row:ty, $meaning:literal;)*) => {
        /// A module before it is bytes. Nothing is checked until it is
        /// encoded, decoded and verified.
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct Image {
            /// Slots in all; see the header.
            pub slots: u32,
            $(#[doc = $meaning] pub $field: Vec<$row>,)*
        }
    };
}

crate::for_each_section!(image);
