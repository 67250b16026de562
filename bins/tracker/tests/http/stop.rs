//! The stop, over a real connection.

use std::time::Duration;

use axum::Router;
use axum::routing::get;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tracker_testkit::spec;

use crate::fixture::Daemon;

#[tokio::test]
async fn the_stop_does_not_wait_for_readers_of_the_stream() {
    spec!("http-api#the-stream-of-events/at-the-stop");
    let daemon = Daemon::start().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let stop = daemon.stop.clone();
    let server = tokio::spawn(tracker_http::serve(listener, daemon.router.clone(), stop));

    let mut reader = TcpStream::connect(address).await.unwrap();
    let token = &daemon.token;
    let request = format!(
        "GET /api/v1/events/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n"
    );
    reader.write_all(request.as_bytes()).await.unwrap();
    let mut text = Vec::new();
    while !String::from_utf8_lossy(&text).contains(": open") {
        let mut chunk = [0; 1024];
        let count = reader.read(&mut chunk).await.unwrap();
        assert!(count > 0, "the connection was closed early");
        text.extend_from_slice(&chunk[..count]);
    }
    // A connection that never asks for anything must not hold it up either.
    let _idle = TcpStream::connect(address).await.unwrap();

    daemon.stop.cancel();
    let ended = tokio::time::timeout(Duration::from_secs(10), server).await;
    ended.expect("the stop took more than 10 s").unwrap().unwrap();
    let mut rest = Vec::new();
    reader.read_to_end(&mut rest).await.unwrap();
    assert!(String::from_utf8_lossy(&rest).ends_with("0\r\n\r\n"), "the stream was cut off");
}

#[tokio::test(start_paused = true)]
async fn the_stop_does_not_wait_for_a_body_that_never_comes() {
    spec!("http-api#the-stream-of-events/a-request-that-hangs");
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let stop = CancellationToken::new();
    let (begun, mut begins) = tokio::sync::mpsc::channel::<()>(1);
    let hangs = Router::new().route(
        "/",
        get(async move || {
            begun.send(()).await.unwrap();
            std::future::pending::<()>().await;
        }),
    );
    let server = tokio::spawn(tracker_http::serve(listener, hangs, stop.clone()));
    let mut asking = TcpStream::connect(address).await.unwrap();
    asking.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
    begins.recv().await.unwrap();
    stop.cancel();
    let ended = tokio::time::timeout(Duration::from_secs(10), server).await;
    ended.expect("the stop took more than 10 s").unwrap().unwrap();
}
