//! How many files this process may have open. The engine keeps each file of a torrent
//! open for as long as it has the torrent, so one of very many files may not fit.

use std::fs::read_dir;

/// What the rest of the process needs: the database, peers, the log.
const OTHERS: u64 = 1024;

/// Raises the limit of open files as far as the system lets this process, and tells it.
/// Where that cannot be told nothing is refused for it.
pub(crate) fn limit() -> u64 {
    librqbit::try_increase_nofile_limit().unwrap_or(u64::MAX)
}

/// Why this process cannot open so many files more.
pub(crate) fn refusal(files: usize, limit: u64) -> Option<String> {
    let open = read_dir("/proc/self/fd").map_or(0, Iterator::count);
    let free = free(limit, open.try_into().unwrap_or(u64::MAX));
    let fits = u64::try_from(files).is_ok_and(|files| files <= free);
    (!fits).then(|| {
        format!(
            "it has {files} files, and the engine keeps each of them open, but of the {limit} \
             that this process may open {free} are free; raise the limit (LimitNOFILE of the \
             service, ulimit -n of a shell) or name a qBittorrent"
        )
    })
}

/// A process that has a low limit keeps a quarter of it.
fn free(limit: u64, open: u64) -> u64 {
    limit.saturating_sub(OTHERS.min(limit / 4)).saturating_sub(open)
}

#[cfg(test)]
mod tests {
    use super::{free, refusal};

    #[test]
    fn the_rest_of_the_process_keeps_room() {
        assert_eq!([free(20_000, 900), free(1000, 50), free(10, 50)], [18_076, 700, 0]);
        assert_eq!(free(u64::MAX, 50), u64::MAX - 1074);
    }

    #[test]
    fn a_refusal_tells_the_limit() {
        assert_eq!(refusal(100_000, u64::MAX), None);
        let told = refusal(100_000, 0).unwrap_or_default();
        assert!(told.contains("100000 files") && told.contains("LimitNOFILE"), "{told}");
    }
}
