//! The one shape of every list.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::words;

/// One page of a list, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Page<T> {
    /// The rows.
    pub items: Vec<T>,
    /// What to pass as `before` for the next page; null on the last one.
    #[schema(required, value_type = Option<words::Ulid>)]
    pub next: Option<String>,
}

impl<V, T: From<V>> From<tracker_app::Page<V>> for Page<T> {
    fn from(page: tracker_app::Page<V>) -> Self {
        Page {
            items: page.items.into_iter().map(T::from).collect(),
            next: page.next.map(|id| id.to_string()),
        }
    }
}
