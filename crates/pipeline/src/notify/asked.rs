//! What a person may ask of the receivers besides their messages.

use async_trait::async_trait;
use tracker_domain::Timestamp;
use tracker_domain::ports::{Notice, NotifyError, Receiver, Receivers};

use super::Reader;
use crate::Pipeline;

#[async_trait]
impl Receivers for Pipeline {
    fn all(&self) -> Vec<Receiver> {
        self.policy.notifiers.receivers()
    }

    async fn send_now(
        &self,
        name: &str,
        notice: &Notice,
        now: Timestamp,
    ) -> Result<(), NotifyError> {
        match reader(self, name) {
            Some(reader) => reader.subscriber.notifier.send(notice, now).await,
            None => Err(NotifyError::Refused("it cannot be told of anything".to_owned())),
        }
    }

    fn look_again(&self, name: &str) {
        if let Some(reader) = reader(self, name) {
            reader.memory().again = None;
        }
    }
}

fn reader<'a>(pipeline: &'a Pipeline, name: &str) -> Option<&'a Reader> {
    pipeline.readers.iter().map(AsRef::as_ref).find(|reader: &&Reader| reader.name() == name)
}
