//! The wires of models: any stream is an answer or an error, however it is cut into reads; the parts that
//! arrive are about blocks that have begun.

use std::collections::BTreeSet;
use std::io::{self, Read};

use crate::model::{Delta, ModelError, Reply, anthropic, openai};

/// A stream that gives a byte at a time.
struct Slow<'a>(&'a [u8]);

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(1);
        self.0.read(buffer.get_mut(..length).unwrap_or_default())
    }
}

type Sink<'s> = &'s mut dyn FnMut(Delta);
type Wire = fn(Box<dyn Read + '_>, Sink<'_>) -> Result<Reply, ModelError>;

const WIRES: [Wire; 2] =
    [|stream, sink| anthropic::read(stream, sink), |stream, sink| openai::read(stream, sink)];

/// The stream of an answer.
pub fn wires(bytes: &[u8]) {
    for wire in WIRES {
        let (mut parts, mut slow) = (Vec::new(), Vec::new());
        let whole = wire(Box::new(bytes), &mut |part| parts.push(part));
        let cut = wire(Box::new(Slow(bytes)), &mut |part| slow.push(part));
        assert!(whole == cut && parts == slow, "cut into bytes it is another answer");
        let mut begun = BTreeSet::new();
        for part in &parts {
            match part {
                Delta::BlockStart { index, .. } => drop(begun.insert(*index)),
                Delta::Text { index, .. } | Delta::Input { index, .. } | Delta::BlockStop { index } => {
                    assert!(begun.contains(index), "a part of a block that has not begun: {part:?}");
                }
                Delta::MessageStart { .. } | Delta::MessageEnd { .. } => {}
            }
        }
        let ends = parts.iter().filter(|part| matches!(part, Delta::MessageEnd { .. })).count();
        assert!(ends == usize::from(whole.is_ok()), "{ends} ends of {whole:?}");
    }
}
