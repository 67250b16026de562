//! A daemon of a few lines: prepared answers, kept requests.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// One answer: status, type and body.
pub(super) type Prepared = (u16, &'static str, String);

#[derive(Clone)]
pub(super) struct Server {
    pub url: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// `/healthz` always answers 200; other calls get the answers in turn.
    pub async fn start(answers: Vec<Prepared>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let requests: Arc<Mutex<Vec<String>>> = Arc::default();
        let kept = requests.clone();
        let mut answers: VecDeque<Prepared> = answers.into();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let request = read(&mut stream).await;
                let probe = request.starts_with("GET /healthz");
                kept.lock().unwrap().push(request);
                let (status, kind, body) = if probe {
                    (200, "text/plain", "ok".to_owned())
                } else {
                    answers.pop_front().unwrap_or((500, "text/plain", String::new()))
                };
                let head = format!(
                    "HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                    body.len()
                );
                let _ = stream.write_all(format!("{head}{body}").as_bytes()).await;
            }
        });
        Server { url, requests }
    }

    /// Every request as text, probes left out.
    pub fn requests(&self) -> Vec<String> {
        let all = self.requests.lock().unwrap();
        all.iter().filter(|request| !request.starts_with("GET /healthz")).cloned().collect()
    }
}

async fn read(stream: &mut tokio::net::TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length: usize = head
                .lines()
                .find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok())
                .unwrap_or(0);
            if body.len() >= length {
                return text;
            }
        }
        match stream.read(&mut buffer).await {
            Ok(count) if count > 0 => bytes.extend_from_slice(&buffer[..count]),
            _ => return text,
        }
    }
}
