//! Accepting, handing over, retrying, giving up and adopting downloads.
//!
//! It knows clients through their ports only, and which one it talks to it is
//! told. Everything that must not be half done is one write transaction; a
//! refusal comes before any side effect outside the database.

mod accept;
mod adopt;
mod again;
mod choose;
mod choose_files;
mod clients;
mod give_up;
mod hand_over;
mod mark;
mod move_to;
mod pause;
mod prioritise;
mod remove;
mod retry;
mod seeding;
mod space;

pub use accept::{Acceptance, NewIntake, accept};
pub use adopt::{
    Adoption, AskError, Foreign, Survey, Twin, adopt, adopt_each, foreign_torrents, survey,
};
pub use again::recognise_again;
pub use choose::{Candidate, Choose, ClientRule, Wanted, Why, choose};
pub use choose_files::{ChooseFilesError, choose_files};
pub use clients::{ClientEntry, ClientPolicy, Clients};
pub use give_up::{Wish, cancel};
pub use hand_over::{HandOver, hand_over, pause_after, wait_for_client};
pub use mark::{MARK, is_marked, is_own_folder, mark_of, tags_of};
pub use move_to::{move_to, settle_choice};
pub use pause::{pause, resume};
pub use prioritise::prioritise;
pub use remove::{may_remove, remove};
pub use retry::{ChangeError, retry};
pub use seeding::{SeedingLook, SeedingVerdict, look_at_seeding};
pub use space::{Room, free_bytes, room_for, still_needed};
