//! Standard input, and waiting for descriptors that do not block.

use std::io::{self, Read};
use std::os::fd::AsFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

/// Standard input, at most so many bytes. A descriptor that does not block (another
/// program shares it) is waited for.
pub(crate) fn input(most: u64) -> io::Result<Vec<u8>> {
    let (mut bytes, mut stdin) = (Vec::new(), io::stdin().lock().take(most));
    loop {
        match stdin.read_to_end(&mut bytes) {
            Ok(_) => return Ok(bytes),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                ready(&io::stdin(), PollFlags::IN, None)?;
            }
            Err(error) => return Err(error),
        }
    }
}

/// Waits until a descriptor can be read or written, without a limit or until a timeout.
pub(crate) fn ready(file: &impl AsFd, what: PollFlags, most: Option<Duration>) -> io::Result<()> {
    // A wait beyond 2^63 seconds is as good as for ever.
    let most = most.map(|most| Timespec {
        tv_sec: i64::try_from(most.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: most.subsec_nanos().into(),
    });
    match poll(&mut [PollFd::new(file, what)], most.as_ref()) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
