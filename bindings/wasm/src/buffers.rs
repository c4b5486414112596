//! Memory that the host fills.

use std::collections::BTreeMap;

use hookc_bindings::Failure;

/// The largest buffer: more than an event may have, a quarter of the memory of an instance.
const BUFFER_BYTES: usize = 256 << 20;

/// The buffers that the host has, by address.
#[derive(Default)]
pub(crate) struct Buffers {
    all: BTreeMap<usize, Vec<u8>>,
}

impl Buffers {
    /// The address of a new buffer of zeros; `None` if there is no memory for it.
    pub(crate) fn alloc(&mut self, length: usize) -> Option<usize> {
        // An empty buffer has an address of its own too.
        let length = length.max(1);
        let mut buffer = Vec::new();
        if length > BUFFER_BYTES || buffer.try_reserve_exact(length).is_err() {
            return None;
        }
        buffer.resize(length, 0);
        // The host writes to this address.
        let address = buffer.as_mut_ptr().expose_provenance();
        self.all.insert(address, buffer);
        Some(address)
    }

    /// Frees a buffer.
    pub(crate) fn free(&mut self, address: usize) -> Result<(), Failure> {
        let unknown = || Failure::argument(format!("no buffer starts at address {address}"));
        self.all.remove(&address).map(drop).ok_or_else(unknown)
    }

    /// Bytes within one buffer; no bytes are at any address.
    pub(crate) fn read(&self, address: usize, length: usize) -> Result<&[u8], Failure> {
        if length == 0 {
            return Ok(&[]);
        }
        let within = self.all.range(..=address).next_back().and_then(|(start, buffer)| {
            let from = address.checked_sub(*start)?;
            buffer.get(from..from.checked_add(length)?)
        });
        within.ok_or_else(|| {
            Failure::argument(format!(
                "{length} bytes at address {address} are not within one buffer of `alloc`"
            ))
        })
    }
}
