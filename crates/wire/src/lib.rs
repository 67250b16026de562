//! The shapes of REST: what `http` sends and what the remote half of the CLI reads.
//!
//! Member names, nulls and the spelling of every word are fixed by the contract
//! with other programs. A shape is converted by hand from a view of `app`, so
//! that renaming a field inside cannot change the outside. Reading is tolerant:
//! unknown members are ignored, so that a client may be older than its daemon.

mod access;
mod bodies;
mod download;
mod fields;
mod health;
mod jobs;
mod journal;
mod library;
mod notify;
mod page;
mod problem;
mod recognition;
mod search;
mod seeding;
pub mod words;

pub use access::{LoginLinkDto, SessionDto, TokenBody, TokenMadeDto, UserDto};
pub use bodies::{
    AdoptBody, AdoptManyBody, AskBody, AskScopeDto, CancelBody, ChooseBody, HintBody, IngestBody,
    MoveBody, OverrideBody, PriorityBody, QueueEndDto, RemoveBody, RetryBody,
};
pub use download::{
    AdoptedDto, AdoptionDto, ChosenFileDto, DiscoveredDto, DownloadDto, ErrorDto, IngestDto,
    ProgressDto, RemovedDto, TickDto, TwinDto,
};
pub use fields::FieldsDto;
pub use health::{CheckDto, HealthDto, TokenDto};
pub use jobs::{BackupDto, JobDto, ReconciledDto};
pub use journal::{EntityDto, EntityRefDto, EventDto, LogDto};
pub use library::{
    ApplyBody, BatchDto, BatchLinkDto, ConflictDto, LeftDto, LinkLookDto, PlanDto, PlannedLinkDto,
    ResolveBody, SkippedDto,
};
pub use notify::{DeadLetterDto, NotifyTestDto, ReceiverDto};
pub use page::Page;
pub use problem::{FieldErrorDto, Problem, ProblemPageDto};
pub use recognition::{
    CandidateDto, CauseDto, EvidenceDto, FileDto, HintDto, OverrideDto, ParseDto, RecognitionDto,
    RememberedDto, ScorePartDto,
};
pub use search::{FoundWorkDto, SearchDto};
pub use seeding::{SeedingDto, SeedingPolicyDto};

/// The media type of an error.
pub const PROBLEM_JSON: &str = "application/problem+json";

#[cfg(test)]
mod tests;
