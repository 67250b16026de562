//! Trying out a connection of the configuration, here and now.

use tracker_domain::Actor;

use crate::App;
use crate::error::{AppError, FieldError};
use crate::views::{CheckView, HealthLevel};

/// A kind of connection: a section of the configuration that speaks to something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    /// A torrent client.
    Client,
    /// A library, with the links into it.
    Library,
    /// The sources of metadata.
    Metadata,
    /// A media server.
    MediaServer,
    /// A receiver of messages.
    Receiver,
    /// The place of the backups.
    Backups,
}

impl Connection {
    const ALL: [Connection; 6] = [
        Connection::Client,
        Connection::Library,
        Connection::Metadata,
        Connection::MediaServer,
        Connection::Receiver,
        Connection::Backups,
    ];

    /// The section of the configuration.
    #[must_use]
    pub const fn section(self) -> &'static str {
        match self {
            Connection::Client => "client",
            Connection::Library => "library",
            Connection::Metadata => "metadata",
            Connection::MediaServer => "media_server",
            Connection::Receiver => "notify",
            Connection::Backups => "backup",
        }
    }

    /// The connection that a section is about; none for one that speaks to nothing.
    #[must_use]
    pub fn of_section(section: &str) -> Option<Connection> {
        Connection::ALL.into_iter().find(|known| known.section() == section)
    }

    /// Whether a check of health speaks of it.
    fn is_told_by(self, check: &CheckView, item: &str) -> bool {
        let code = check.code.as_str();
        let begins = |start: &str| code.starts_with(start);
        match self {
            Connection::Client => check.subject == item && begins("client-"),
            // Links are told for a pair of a client and a library.
            Connection::Library => {
                check.subject == item
                    || (begins("links-") && check.subject.ends_with(&format!(" -> {item}")))
            }
            Connection::MediaServer => check.subject == item && begins("media-server-"),
            Connection::Backups => begins("backup-"),
            Connection::Metadata | Connection::Receiver => false,
        }
    }
}

/// What came of a trial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrialView {
    /// What was tried.
    pub connection: Connection,
    /// Which of its kind, by its name; empty where there is one.
    pub item: String,
    /// Whether it does what it is there for.
    pub is_fine: bool,
    /// What was found, with remedies.
    pub findings: Vec<FindingView>,
}

/// One thing that a trial found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingView {
    /// How bad it is.
    pub level: HealthLevel,
    /// The code of its page under `/problems`, where it has one.
    pub code: Option<String>,
    /// What it is about.
    pub subject: String,
    /// What was found.
    pub detail: String,
    /// What to do; empty where nothing has to be done.
    pub remedy: String,
}

impl From<CheckView> for FindingView {
    fn from(check: CheckView) -> Self {
        FindingView {
            level: check.level,
            code: Some(check.code),
            subject: check.subject,
            detail: check.detail,
            remedy: check.remedy,
        }
    }
}

impl App {
    /// Tries a connection: asks the other side, or sends it a test message.
    ///
    /// # Errors
    /// When nothing of that name is configured, or the database has a fault.
    pub async fn try_connection(
        &self,
        connection: Connection,
        item: &str,
        actor: &Actor,
    ) -> Result<TrialView, AppError> {
        let findings = match connection {
            Connection::Receiver => vec![self.try_receiver(item, actor).await?],
            Connection::Metadata => self.try_sources().await?,
            Connection::Client
            | Connection::Library
            | Connection::MediaServer
            | Connection::Backups => {
                let health = self.ops.examine().await;
                let told = health.checks.into_iter();
                let told = told.filter(|check| connection.is_told_by(check, item));
                told.map(FindingView::from).collect()
            }
        };
        if findings.is_empty() {
            let detail =
                format!("nothing named {item:?} can be tried in [{}]", connection.section());
            return Err(AppError::InvalidRequest(vec![FieldError::body("/item", detail)]));
        }
        let is_fine = findings.iter().all(|finding| finding.level <= HealthLevel::Notice);
        Ok(TrialView { connection, item: item.to_owned(), is_fine, findings })
    }

    async fn try_receiver(&self, name: &str, actor: &Actor) -> Result<FindingView, AppError> {
        let tested = self.notify.test(name, actor).await?;
        let (level, code) = match tested.taken {
            true => (HealthLevel::Ok, "notifier"),
            false => (HealthLevel::Error, "notifier-failing"),
        };
        Ok(FindingView {
            level,
            code: Some(code.to_owned()),
            subject: tested.name,
            detail: tested.detail.unwrap_or_default(),
            remedy: String::new(),
        })
    }

    /// Each source is asked one real question.
    async fn try_sources(&self) -> Result<Vec<FindingView>, AppError> {
        let answers = self.search.ask_all().await?;
        let finding = |(source, cause): (String, Option<String>)| FindingView {
            level: if cause.is_some() { HealthLevel::Error } else { HealthLevel::Ok },
            code: cause.as_ref().map(|_| "metadata-unavailable".to_owned()),
            subject: source,
            detail: cause.unwrap_or_default(),
            remedy: String::new(),
        };
        Ok(answers.into_iter().map(finding).collect())
    }
}
