//! Views as the services give them, with any names in them.

use std::path::PathBuf;

use tracker_app::{
    BatchLinkView, BatchView, CandidateView, CauseView, CheckView, ConflictView, DownloadView,
    EntityView, EventView, FailureView, FileView, FoundWorkView, GroupView, HealthLevel,
    HealthView, InboxView, LeftView, PlanView, PlannedLinkView, RecognitionView, RowView,
    SearchView, SkippedView,
};
use tracker_domain::event::EventType;
use tracker_domain::library::LinkMode;
use tracker_domain::metadata::{Provider, WorkKind};
use tracker_domain::observed::Progress;
use tracker_domain::ports::Notice;
use tracker_domain::recognised::{Fields, RecognitionState, Role, ScorePart, TitleKind, Verdict};
use tracker_domain::{Attention, DownloadState, EntityKind, Remark, Timestamp};
use tracker_ident::{Id, derived};

use crate::screens::{
    Phrase, Screen, Subject, Voice, cancelling, candidate, events, health, help, list, none_fits,
    notice, plan, search, status, taken, undone,
};

pub(super) fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

pub(super) fn id<E>(number: u64) -> Id<E> {
    derived(1_767_323_045_000, number, "sample").typed()
}

/// Everything that one download may show, with one name everywhere.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) download: DownloadView,
    pub(super) recognition: RecognitionView,
    pub(super) candidates: Vec<CandidateView>,
    pub(super) batches: Vec<BatchView>,
    pub(super) plan: PlanView,
}

impl Sample {
    pub(super) fn new(name: &str) -> Self {
        Sample {
            download: download(name),
            recognition: recognition(name),
            candidates: vec![work(1, name, 2018, 0.71), work(2, name, 2006, 0.44)],
            batches: Vec::new(),
            plan: plan_of(name, 2),
        }
    }

    /// Half downloaded, and nobody is sure what it is.
    pub(super) fn in_doubt(name: &str) -> Self {
        let mut sample = Sample::new(name);
        sample.download.attention = Some(Attention::NeedsReview);
        sample.download.attention_detail = Some(Remark::NoYear.to_string());
        sample.recognition.state = RecognitionState::Proposed;
        sample.recognition.doubts = vec![Remark::NoYear, Remark::SeveralNames];
        sample
    }

    pub(super) fn done(name: &str) -> Self {
        let mut sample = Sample::new(name);
        sample.download.state = DownloadState::Done;
        sample.download.has_links = true;
        sample.batches = vec![batch(name, "applied", 3)];
        sample
    }

    pub(super) fn subject(&self) -> Subject<'_> {
        Subject {
            download: &self.download,
            recognition: &self.recognition,
            candidates: &self.candidates,
            batches: &self.batches,
            has_sources: true,
        }
    }

    /// Each screen there is.
    pub(super) fn screens(&self, voice: &Voice<'_>, name: &str) -> Vec<Screen> {
        let (subject, download) = (self.subject(), &self.download);
        let mut screens = vec![
            status(voice, &subject),
            taken(voice, &subject, true, Some(name)),
            taken(voice, &subject, false, None),
            candidate(voice, &subject, 0),
            candidate(voice, &subject, u16::MAX),
            candidate(voice, &Subject { candidates: &[], ..subject }, 0),
            none_fits(voice, &subject),
            plan(voice, download, &self.plan),
            undone(voice, download, &batch(name, "undone", 3)),
            cancelling(voice, download),
            list(voice, &inbox(name)),
            search(voice, name, &found(name)),
            search(voice, name, &SearchView::default()),
            health(voice, &checks(name)),
            events(voice, &[entry(name, 1), entry(name, 2)]),
            help(voice),
        ];
        let kinds = [
            EventType::BatchApplied,
            EventType::DownloadAttention,
            EventType::DownloadStateChanged,
            EventType::ClientOffline,
        ];
        for kind in kinds {
            screens.push(notice(voice, &told(kind, name), Some(download)));
        }
        screens.push(notice(voice, &told(EventType::DownloadAttention, name), None));
        screens.extend(Phrase::ALL.iter().map(|phrase| phrase.screen(voice)));
        screens
    }
}

pub(super) fn download(name: &str) -> DownloadView {
    DownloadView {
        id: id(1),
        state: DownloadState::Downloading,
        attention: None,
        attention_detail: None,
        name: name.to_owned(),
        infohashes: Vec::new(),
        client: None,
        progress: Some(Progress {
            bytes_done: Some(430),
            bytes_total: Some(1000),
            download_bps: Some(4_299_161),
            eta_seconds: Some(720),
            ..Progress::default()
        }),
        paused: false,
        error: None,
        merged_into: None,
        hidden_at: None,
        has_links: false,
        revision: 7,
        created_at: at("2026-03-04T10:00:00Z"),
        updated_at: at("2026-03-04T11:00:00Z"),
    }
}

pub(super) fn failed(name: &str) -> DownloadView {
    DownloadView {
        state: DownloadState::Failed,
        attention: Some(Attention::ClientRejected),
        error: Some(FailureView { code: "client-rejected".to_owned(), detail: name.to_owned() }),
        ..download(name)
    }
}

fn recognition(name: &str) -> RecognitionView {
    let fields = Fields {
        title: Some(name.to_owned()),
        year: Some(2018),
        kind: Some(TitleKind::Series),
        seasons: vec![2],
        ..Fields::default()
    };
    let file = FileView {
        index: 0,
        path: Some(name.to_owned()),
        size_bytes: Some(1000),
        role: Role::Main,
        fields: Fields::default(),
        can_be_included: false,
    };
    RecognitionView {
        id: Some(id(3)),
        state: RecognitionState::Accepted,
        verdict: Verdict::Doubt,
        ..RecognitionView::nothing_yet(id(1), fields, vec![file])
    }
}

pub(super) fn cause(source: &str, cause: &str) -> CauseView {
    CauseView { source: source.to_owned(), cause: cause.to_owned(), detail: String::new() }
}

pub(super) fn work(number: u64, title: &str, year: i32, score: f64) -> CandidateView {
    let part = |name: &str, points, detail| ScorePart { name: name.to_owned(), points, detail };
    CandidateView {
        id: id(100 + number),
        work: Some(format!("tmdb:tv/{number}")),
        provider: "tmdb".to_owned(),
        kind: Some(WorkKind::Series),
        title: title.to_owned(),
        original_title: Some(format!("{title} (original)")),
        year: Some(year),
        overview: Some(format!("What {title} is about. ").repeat(60)),
        imdb: None,
        score,
        parts: vec![
            part("title", 0.5, Remark::read("the title is the same")),
            part("year", -0.2, Remark::read(title)),
            part("episodes", 0.0, Remark::read("the names tell no episodes")),
        ],
        excluded: None,
    }
}

pub(super) fn batch(name: &str, state: &str, links: usize) -> BatchView {
    let link = |number: usize| BatchLinkView {
        id: id(200 + number as u64),
        source: PathBuf::from("/srv/downloads").join(name),
        target: PathBuf::from("/srv/media").join(name),
        mode: LinkMode::Hardlink,
        // The last of an undone batch is another file by now.
        state: if state == "undone" && number + 1 == links { "linked" } else { state }.to_owned(),
        health: None,
    };
    BatchView {
        id: id(300),
        download_id: Some(id(1)),
        state: state.to_owned(),
        plan: None,
        library: None,
        detail: None,
        superseded_by: None,
        created_at: at("2026-03-04T11:00:00Z"),
        links: (0..links).map(link).collect(),
        left: vec![LeftView {
            target: PathBuf::from("/srv/media").join(name),
            reason: "not-our-link",
        }],
    }
}

pub(super) fn plan_of(name: &str, links: u32) -> PlanView {
    let file = PathBuf::from("/srv/downloads").join(name);
    let link = |number: u32| PlannedLinkView {
        file: number,
        source: file.clone(),
        target: PathBuf::from(format!("/srv/media/Show/Season 0{}/E{number}.mkv", number % 2)),
    };
    PlanView {
        id: "ab".repeat(32),
        links: (0..links).map(link).collect(),
        skipped: vec![SkippedView { file: 90, source: file, reason: "sample" }],
        conflicts: Vec::new(),
    }
}

pub(super) fn in_the_way(name: &str) -> ConflictView {
    let target = PathBuf::from("/srv/media").join(name);
    ConflictView { file: 91, source: target.clone(), target, kind: "target-exists" }
}

pub(super) fn row(download: DownloadView, title: Option<&str>) -> RowView {
    RowView {
        download,
        recognition: None,
        score: Some(0.71),
        title: title.map(str::to_owned),
        year: title.map(|_| 2018),
        work: None,
        links: 0,
        batch: None,
    }
}

pub(super) fn group(rows: Vec<RowView>, total: Option<u64>) -> GroupView {
    GroupView { rows, total, next: None }
}

pub(super) fn inbox(name: &str) -> InboxView {
    let asks = DownloadView { attention: Some(Attention::NeedsReview), ..download(name) };
    let done = DownloadView { state: DownloadState::Done, has_links: true, ..download(name) };
    InboxView {
        needs_you: group(vec![row(asks, Some(name)); 7], Some(12)),
        active: group(vec![row(download(name), None)], Some(1)),
        done: group(vec![row(done, Some(name))], None),
    }
}

pub(super) fn found(name: &str) -> SearchView {
    let work = FoundWorkView {
        work: "tmdb:movie/603".to_owned(),
        provider: Provider::Tmdb,
        kind: WorkKind::Movie,
        title: name.to_owned(),
        original_title: None,
        year: Some(1999),
        overview: None,
        in_library: true,
        downloads: Vec::new(),
    };
    let entity = EntityView {
        kind: EntityKind::Download,
        id: id::<()>(1).any(),
        download_id: None,
        url: "/api/v1/downloads/x".to_owned(),
    };
    SearchView {
        entity: Some(entity),
        downloads: vec![download(name); 9],
        removed: Vec::new(),
        works: vec![work],
        causes: vec![cause("tvmaze", "unreachable")],
        asked: Some(2),
    }
}

pub(super) fn check(code: &str, level: HealthLevel, detail: &str) -> CheckView {
    CheckView {
        code: code.to_owned(),
        subject: "qbt".to_owned(),
        level,
        detail: detail.to_owned(),
        remedy: "Start it.".to_owned(),
        checked_at: at("2026-03-04T11:00:00Z"),
    }
}

pub(super) fn checks(detail: &str) -> HealthView {
    HealthView {
        status: HealthLevel::Error,
        checks: vec![
            check("database", HealthLevel::Ok, detail),
            check("metadata-limited", HealthLevel::Notice, detail),
            check("client-unreachable", HealthLevel::Error, detail),
        ],
    }
}

pub(super) fn entry(name: &str, number: u64) -> EventView {
    EventView {
        id: id(400 + number),
        created_at: at("2026-03-04T11:00:00Z"),
        event_type: EventType::BatchApplied,
        entity_kind: None,
        entity_id: None,
        entity_name: Some(name.to_owned()),
        download_id: Some(id(1)),
        job_id: None,
        actor: "worker".to_owned(),
        message: "3 links were made".to_owned(),
        data: serde_json::Value::Null,
    }
}

pub(super) fn told(kind: EventType, name: &str) -> Notice {
    Notice {
        first: id(500),
        rest: vec![id(501)],
        kind,
        at: at("2026-03-04T11:00:00Z"),
        entity: None,
        download_id: Some(id(1)),
        name: Some(name.to_owned()),
        message: format!("something happened to {name}"),
    }
}
