//! Where the name of a program is in the packed table.

/// The hash of a name.
pub const fn hash(name: &str) -> usize {
    let (mut hash, mut bytes) = (0x811c_9dc5_u32, name.as_bytes());
    while let [byte, rest @ ..] = bytes {
        hash = (hash ^ *byte as u32).wrapping_mul(0x0100_0193);
        bytes = rest;
    }
    (hash ^ hash >> 15) as usize
}
