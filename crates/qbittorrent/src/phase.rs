//! The client's state words, reduced to phases.

use tracker_domain::observed::Phase;

/// What the state means. `whole` is the client's own progress of exactly 1.
///
/// Only a settled state above a whole payload is complete: while the client
/// checks or moves, and when it misses files, its numbers do not count.
pub(crate) fn phase_of(state: &str, whole: bool, has_metadata: bool) -> Phase {
    match state {
        "uploading" | "stalledUP" | "queuedUP" | "forcedUP" | "pausedUP" | "stoppedUP" => {
            // A seeding word above missing bytes contradicts itself: the client is
            // between two states, and the next look will tell.
            if whole { Phase::Complete } else { Phase::Unknown }
        }
        "metaDL" | "forcedMetaDL" => Phase::Metadata,
        "queuedDL" if !has_metadata => Phase::Metadata,
        "downloading" | "forcedDL" | "queuedDL" | "allocating" => Phase::Downloading,
        "stalledDL" => Phase::Stalled,
        "pausedDL" | "stoppedDL" => Phase::Stopped,
        "checkingUP" | "checkingDL" => Phase::Checking,
        "checkingResumeData" => Phase::Starting,
        "moving" => Phase::Moving,
        "missingFiles" => Phase::FilesMissing,
        "error" => Phase::Errored,
        _ => Phase::Unknown,
    }
}

/// Whether the client has stopped it, whole or not. 4.x says `paused`.
pub(crate) fn is_stopped(state: &str) -> bool {
    matches!(state, "pausedUP" | "stoppedUP" | "pausedDL" | "stoppedDL")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every state of 4.x and 5.x: with a whole payload, and without.
    const TABLE: [(&str, Phase, Phase); 22] = [
        ("error", Phase::Errored, Phase::Errored),
        ("missingFiles", Phase::FilesMissing, Phase::FilesMissing),
        ("uploading", Phase::Complete, Phase::Unknown),
        ("stoppedUP", Phase::Complete, Phase::Unknown),
        ("pausedUP", Phase::Complete, Phase::Unknown),
        ("queuedUP", Phase::Complete, Phase::Unknown),
        ("stalledUP", Phase::Complete, Phase::Unknown),
        ("forcedUP", Phase::Complete, Phase::Unknown),
        ("checkingUP", Phase::Checking, Phase::Checking),
        ("downloading", Phase::Downloading, Phase::Downloading),
        ("forcedDL", Phase::Downloading, Phase::Downloading),
        ("queuedDL", Phase::Downloading, Phase::Downloading),
        ("allocating", Phase::Downloading, Phase::Downloading),
        ("metaDL", Phase::Metadata, Phase::Metadata),
        ("forcedMetaDL", Phase::Metadata, Phase::Metadata),
        ("stalledDL", Phase::Stalled, Phase::Stalled),
        ("stoppedDL", Phase::Stopped, Phase::Stopped),
        ("pausedDL", Phase::Stopped, Phase::Stopped),
        ("checkingDL", Phase::Checking, Phase::Checking),
        ("checkingResumeData", Phase::Starting, Phase::Starting),
        ("moving", Phase::Moving, Phase::Moving),
        ("unknown", Phase::Unknown, Phase::Unknown),
    ];

    #[test]
    fn all_states_have_a_phase() {
        tracker_testkit::spec!("qbittorrent-client#states-become-phases/each-known-state");
        for (state, whole, partial) in TABLE {
            assert_eq!(phase_of(state, true, true), whole, "{state}, whole");
            assert_eq!(phase_of(state, false, true), partial, "{state}, partial");
            let said = state.starts_with("stopped") || state.starts_with("paused");
            assert_eq!(is_stopped(state), said, "{state}");
        }
    }

    #[test]
    fn nothing_is_complete_without_metadata() {
        tracker_testkit::spec!("qbittorrent-client#states-become-phases/waiting-for-metadata");
        assert_eq!(phase_of("metaDL", false, false), Phase::Metadata);
        assert_eq!(phase_of("queuedDL", false, false), Phase::Metadata);
        assert_eq!(phase_of("stoppedDL", false, false), Phase::Stopped);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn only_settled_seeding_states_are_complete(state in "[a-zA-Z]{0,12}", whole: bool, meta: bool) {
            tracker_testkit::spec!("qbittorrent-client#states-become-phases/an-unknown-state");
            let known = TABLE.iter().any(|(name, ..)| *name == state);
            if !known {
                prop_assert_eq!(phase_of(&state, whole, meta), Phase::Unknown);
            }
        }
    }
}
