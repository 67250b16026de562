//! A body that nobody read is taken and dropped before the answer goes out.
//! Most callers send everything before they read: they would see a broken
//! connection in place of a refusal that was decided without the body.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::header;
use axum::middleware::Next;
use axum::response::Response;
use futures::{Stream, StreamExt};

/// How much is taken, and for how long; whoever sends more or slower is cut off.
const MOST_BYTES: usize = 64 * 1024 * 1024;
const LONGEST: Duration = Duration::from_secs(5);

/// Answers only once the caller has sent what it had.
pub(crate) async fn pour_out(request: Request, next: Next) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    // Such a caller waits for a word before it sends, and a refusal is that word.
    let asked_for = !request.headers().contains_key(header::EXPECT);
    let left = Arc::new(Mutex::new(None));
    let lend = |body: Body| {
        let chunks = Some(body.into_data_stream());
        Body::from_stream(Lent { chunks, asked_for, left: Arc::clone(&left) })
    };
    let response = next.run(request.map(lend)).await;
    let chunks = left.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(chunks) = chunks {
        // In time or not, the answer goes out now.
        let _ = tokio::time::timeout(LONGEST, drop_all(chunks)).await;
    }
    response
}

async fn drop_all(mut chunks: BodyDataStream) {
    let mut taken = 0;
    while let Some(Ok(chunk)) = chunks.next().await {
        taken += chunk.len();
        if taken > MOST_BYTES {
            return;
        }
    }
}

/// A body that goes back to where it came from when its reader lets go of it.
struct Lent {
    chunks: Option<BodyDataStream>,
    /// Whether the caller sends it: at once, or since its reader began.
    asked_for: bool,
    left: Arc<Mutex<Option<BodyDataStream>>>,
}

impl Stream for Lent {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.asked_for = true;
        let Some(chunks) = &mut self.chunks else { return Poll::Ready(None) };
        let polled = chunks.poll_next_unpin(context);
        if matches!(polled, Poll::Ready(None | Some(Err(_)))) {
            // There is nothing left that could be poured out.
            self.chunks = None;
        }
        polled
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let chunks = self.chunks.take().filter(|_| self.asked_for);
        *self.left.lock().unwrap_or_else(PoisonError::into_inner) = chunks;
    }
}
