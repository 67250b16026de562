//! Other processes of this machine.

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

/// Whether a process of this number is there. It may be another one than the
/// number was written down for, so this is a hint, not a proof.
#[must_use]
pub fn process_is_alive(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    pid.is_some_and(|pid| match test_kill_process(pid) {
        Ok(()) => true,
        // It is there and belongs to somebody else.
        Err(errno) => errno == Errno::PERM,
    })
}

#[cfg(test)]
mod tests {
    use super::process_is_alive;

    #[test]
    fn this_process_is_alive() {
        assert!(process_is_alive(std::process::id()));
        assert!(!process_is_alive(0));
        assert!(!process_is_alive(u32::MAX));
    }
}
