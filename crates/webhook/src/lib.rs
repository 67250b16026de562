//! The adapter for receivers of messages: the port `Notifier` over HTTP, as our own
//! signed JSON or in the form that ntfy, Gotify or Apprise take.
//!
//! It decides nothing about what is sent and when, keeps nothing between calls, and
//! never tries again by itself.

mod call;
mod config;
mod form;
mod sign;

pub use call::Webhook;
pub use config::{LONGEST_CALL, WebhookConfig, WebhookConfigError, WebhookKind};

#[cfg(test)]
mod tests;
