//! What a person can ask for, as small services that every transport shares.
//!
//! A service parses nothing and shows nothing: it takes domain types, makes one
//! decision, and answers with a view. No service calls another one.

mod access;
mod access_views;
mod adoption;
mod backups;
mod chats;
mod choice;
mod connections;
mod convert;
mod download_rules;
mod error;
mod holding;
mod inbox;
mod intake;
mod jobs;
mod journal;
mod library;
mod library_views;
mod match_words;
mod metrics;
mod notify;
mod ops;
mod posters;
mod recognition;
mod removal;
mod requests;
mod review;
mod review_ask;
mod review_remember;
mod review_rules;
mod review_say;
mod review_shift;
mod review_views;
mod search;
mod seeding;
mod settings;
mod views;

use std::sync::Arc;

use tracker_domain::ports::{
    Examiner, Images, Live, MetadataSource, NoImages, NoReceivers, Receivers,
};
use tracker_domain::seeding::SeedingRules;
use tracker_ingest::Clients;
use tracker_layout::Laying;
use tracker_store::Db;

pub use access::{Access, Admission, Caller, Lasts};
pub use access_views::{LoggedIn, LoginLinkView, SessionView, UserView, VisitorView};
pub use adoption::MAX_ADOPTED;
pub use backups::{BackupView, Backups};
pub use chats::Chats;
pub use connections::{Connection, FindingView, TrialView};
pub use download_rules::UnlinkedView;
pub use error::{AppError, FieldError};
pub use inbox::{GroupView, Inbox, InboxView, RowView};
pub use intake::{Intake, MAX_HINT};
pub use jobs::{JobView, Jobs};
pub use journal::Journal;
pub use library::Library;
pub use library_views::{
    BatchLinkView, BatchView, ConflictView, LeftView, LinkLookView, PlanView, PlannedLinkView,
    SkippedView, TitleView,
};
pub use match_words::NoWorks;
pub use metrics::Metric;
pub use notify::{DeadLetterView, Notify, NotifyTestView, ReceiverView};
pub use ops::Ops;
pub use posters::{Poster, PosterView, Posters};
pub use removal::Removal;
pub use requests::{
    ApplyRequest, AttentionFilter, CancelRequest, DownloadQuery, EventQuery, Expected,
    IngestOptions, IngestRequest, PageQuery, RemoveRequest, Source,
};
pub use review::{Review, parse};
pub use review_say::Said;
pub use review_views::{
    CandidateView, CauseView, FileView, HintView, OverrideView, ParseView, RecognitionView,
    ReleaseView, RememberedView,
};
pub use search::{FoundWorkView, Search, SearchView};
pub use seeding::{Seeding, SeedingView};
pub use settings::{NameExampleView, OriginView, SettingView, SettingsSection, SettingsView};
pub use tracker_backup::Reconciled;
pub use tracker_layout::{
    Action, ConflictKind, OtherNames, ParseActionError, Resolution, SkipReason,
};
pub use tracker_recognize::NoRelease;
pub use tracker_store::{
    InboxGroup, InboxOrder, InboxQuery, TelegramChat, TelegramMessage, TelegramRole,
};
pub use views::{
    AdoptedView, AdoptionView, CheckView, ChosenFileView, DiscoveredView, DownloadView, EntityView,
    EventView, FailureView, HealthLevel, HealthView, Ingested, Page, RemovedView, StoryView,
    TokenView, TwinView,
};

/// All services of one process.
#[derive(Clone)]
pub struct App {
    /// Downloads.
    pub intake: Intake,
    /// Downloads by who must act.
    pub inbox: Inbox,
    /// The journal.
    pub journal: Journal,
    /// What downloads are taken for, and what people say about it.
    pub review: Review,
    /// Pictures of candidates.
    pub posters: Posters,
    /// Finding things.
    pub search: Search,
    /// What is linked.
    pub library: Library,
    /// Taking downloads out of the lists.
    pub removal: Removal,
    /// What seeds.
    pub seeding: Seeding,
    /// Long work.
    pub jobs: Jobs,
    /// Copies of the database.
    pub backups: Backups,
    /// Who is told of events.
    pub notify: Notify,
    /// What a bot has to know after any end of the process.
    pub chats: Chats,
    /// Who may come in.
    pub access: Access,
    /// The settings that hold.
    pub settings: Arc<SettingsView>,
    /// The program itself.
    pub ops: Ops,
}

impl App {
    /// The services over one database. `libraries` are the names of the
    /// configured ones; `live` is what running workers know, or
    /// `ports::NobodyWatches`; `laying` carries plans out, whether workers run or
    /// not.
    #[must_use]
    pub fn new(
        db: Db,
        clients: Clients,
        libraries: Vec<String>,
        live: Arc<dyn Live>,
        laying: Arc<dyn Laying>,
    ) -> Self {
        let library = Library::new(db.clone(), clients.clone(), Arc::clone(&live), laying);
        let review = Review::new(db.clone(), clients.clone(), libraries.clone(), Arc::clone(&live));
        let intake = Intake::new(db.clone(), clients.clone(), libraries, Arc::clone(&live));
        let reported = chats::Reported::default();
        App {
            removal: Removal::new(intake.clone(), library.clone()),
            search: Search::new(db.clone(), clients.clone(), Arc::clone(&live)),
            seeding: Seeding::new(db.clone(), clients.clone(), SeedingRules::default()),
            inbox: Inbox::new(db.clone(), clients, Arc::clone(&live)),
            library,
            review,
            intake,
            journal: Journal::new(db.clone()),
            posters: Posters::new(db.clone(), Arc::new(NoImages)),
            jobs: Jobs::new(db.clone()),
            backups: Backups::new(db.clone(), None),
            notify: Notify::new(db.clone(), Arc::new(NoReceivers)),
            chats: Chats::new(db.clone(), Arc::clone(&reported)),
            access: Access::new(db.clone()),
            settings: Arc::default(),
            ops: Ops::new(db, live, reported),
        }
    }

    /// The same with a place for copies of the database. Without one none are made.
    #[must_use]
    pub fn with_backups(mut self, backups: tracker_backup::Backups) -> Self {
        self.backups = Backups::new(self.ops.db.clone(), Some(backups));
        self
    }

    /// The same with rules for the end of seeding. Without them nothing ends.
    #[must_use]
    pub fn with_seeding(mut self, rules: SeedingRules) -> Self {
        self.seeding = self.seeding.with_rules(rules);
        self
    }

    /// The same with somebody who runs the health checks on demand.
    #[must_use]
    pub fn with_examiner(mut self, examiner: Arc<dyn Examiner>) -> Self {
        self.ops = self.ops.with_examiner(examiner);
        self
    }

    /// The same with the receivers of messages. Without it there are none.
    #[must_use]
    pub fn with_receivers(mut self, receivers: Arc<dyn Receivers>) -> Self {
        self.notify = self.notify.with(receivers);
        self
    }

    /// The same with somebody who has pictures. Without it there are none.
    #[must_use]
    pub fn with_posters(mut self, images: Arc<dyn Images>) -> Self {
        self.posters = Posters::new(self.ops.db.clone(), images);
        self
    }

    /// The same with the settings that hold, for showing them. Without it there are
    /// none to show.
    #[must_use]
    pub fn with_settings(mut self, settings: SettingsView) -> Self {
        self.settings = Arc::new(settings);
        self
    }

    /// The same with the sources that a search asks. Without it there are none.
    #[must_use]
    pub fn with_sources(mut self, sources: Vec<Arc<dyn MetadataSource>>) -> Self {
        self.search = self.search.with_sources(sources);
        self
    }

    /// The same with the languages of titles, the preferred one first, as
    /// ISO 639-1 codes. Without it they are English, then Russian.
    #[must_use]
    pub fn with_languages(mut self, languages: Vec<String>) -> Self {
        let first = languages.first().map_or("en", String::as_str);
        self.search = self.search.with_language(first);
        self.library = self.library.with_languages(languages.clone());
        self.inbox = self.inbox.with_languages(languages.clone());
        self.review = self.review.with_languages(languages);
        self
    }
}
