//! The target over streams of both wires, over each prefix of one, and with each byte changed, missing or repeated.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::disallowed_methods, reason = "tests")]

use hookc_agent_fuzz::wires;

#[test]
fn streams_and_what_is_near_them() {
    let seeds = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds");
    let mut count = 0;
    for entry in std::fs::read_dir(seeds).unwrap() {
        let seed = std::fs::read(entry.unwrap().path()).unwrap();
        count += 1;
        wires(&seed);
        for at in 0..seed.len() {
            wires(&seed[..at]);
            for replacement in
                [vec![], vec![seed[at]; 2], vec![seed[at] ^ 1], vec![seed[at] ^ 0x80], vec![b'\n']]
            {
                wires(&[&seed[..at], &replacement, &seed[at + 1..]].concat());
            }
        }
    }
    assert_eq!(count, 3);
}
