//! What a server is told, to the letter.

use serde_json::{Value, json};

use super::*;

#[tokio::test]
async fn jellyfin_gets_all_folders_in_one_call() {
    spec!("media-servers#one-scan-a-folder-and-batch/jellyfin");
    let (stub, server) = play(Kind::Jellyfin).await;
    let folders = [films("Film: A+B & C% (2020)"), "/srv/media/series/Шоу/Season 01".into()];
    assert_eq!(server.refresh(&folders).await, Ok(()));
    let requests = stub.requests();
    let [sections, updated] = requests.as_slice() else { panic!("{requests:#?}") };
    assert_eq!(
        (sections.method.as_str(), sections.path.as_str()),
        ("GET", "/Library/VirtualFolders")
    );
    assert_eq!(
        (updated.method.as_str(), updated.path.as_str()),
        ("POST", "/Library/Media/Updated")
    );
    assert_eq!(updated.header("content-type"), Some("application/json"));
    let body: Value = serde_json::from_slice(&updated.body).unwrap();
    let update = |path: &str| json!({"Path": path, "UpdateType": "Modified"});
    let paths = ["/mnt/library/films/Film: A+B & C% (2020)", "/mnt/library/series/Шоу/Season 01"];
    assert_eq!(body, json!({"Updates": paths.map(update)}));
    for request in &requests {
        let wanted = format!("MediaBrowser Token=\"{}\"", MediaServerStub::TOKEN);
        assert_eq!(request.header("authorization"), Some(wanted.as_str()));
        assert_eq!(request.query, []);
    }
}

#[tokio::test]
async fn plex_gets_each_folder_in_its_library() {
    spec!("media-servers#one-scan-a-folder-and-batch/plex");
    let (stub, server) = play(Kind::Plex).await;
    let folders = [films("Film: A+B & C% (2020)"), "/srv/media/series/Шоу/Season 01".into()];
    assert_eq!(server.refresh(&folders).await, Ok(()));
    assert_eq!(
        stub.scanned(),
        ["1:/mnt/library/films/Film: A+B & C% (2020)", "2:/mnt/library/series/Шоу/Season 01",]
    );
    let requests = stub.requests();
    let paths: Vec<_> = requests.iter().map(|request| request.path.as_str()).collect();
    assert_eq!(
        paths,
        ["/library/sections", "/library/sections/1/refresh", "/library/sections/2/refresh",]
    );
    for request in &requests {
        assert_eq!(request.method, "GET");
        assert_eq!(request.header("x-plex-token"), Some(MediaServerStub::TOKEN));
        assert_eq!(request.query("X-Plex-Token"), None);
    }
}

#[tokio::test]
async fn a_folder_of_two_libraries_is_scanned_in_both() {
    spec!("media-servers#one-scan-a-folder-and-batch/libraries-that-overlap");
    let overlapping = vec![
        StubLibrary::new(7, "Everything", "/mnt/library"),
        StubLibrary::new(9, "Films", "/mnt/library/films"),
    ];
    let stub = stub(Kind::Plex, overlapping).await;
    let server = adapter(Kind::Plex, &config(&stub.url(), MediaServerStub::TOKEN)).unwrap();
    assert_eq!(server.refresh(&[films("A"), "/srv/media/other/B".into()]).await, Ok(()));
    assert_eq!(
        stub.scanned(),
        ["7:/mnt/library/films/A", "9:/mnt/library/films/A", "7:/mnt/library/other/B"]
    );
}

#[tokio::test]
async fn what_no_library_has_is_told_and_not_sent() {
    spec!("media-servers#only-what-lies-in-a-library/a-folder-outside");
    for kind in KINDS {
        let (stub, server) = play(kind).await;
        // Ours, as if the server saw it like that.
        let unmapped = MediaServerConfig {
            path_map: Vec::new(),
            ..config(&stub.url(), MediaServerStub::TOKEN)
        };
        let strayed = adapter(kind, &unmapped).unwrap();
        let error = refused(&*strayed).await;
        assert_eq!(
            error.to_string(),
            "/srv/media/films/Film (2020), for the media server /srv/media/films/Film (2020), \
             lies in none of its libraries; they are at /mnt/library/films, /mnt/library/series/"
        );
        assert_eq!(stub.scanned(), [""; 0], "{kind:?}");
        assert_eq!(stub.requests().len(), 1, "nothing but the libraries was asked for");
        // With the map it is found, and libraries may come and go.
        assert_eq!(server.refresh(&[films("Film (2020)")]).await, Ok(()));
        stub.set_libraries(Vec::new());
        let error = refused(&*server).await;
        assert!(error.to_string().ends_with("lies in none of its libraries; it has none"));
    }
}

#[tokio::test]
async fn a_path_below_the_address_is_kept() {
    spec!("media-servers#settings-of-a-media-server/an-address-with-a-path");
    for kind in KINDS {
        let (stub, _) = play(kind).await;
        for url in [format!("{}base", stub.url()), format!("{}base/?a=b#c", stub.url())] {
            let server = adapter(kind, &config(&url, MediaServerStub::TOKEN)).unwrap();
            // The played server has nothing there.
            assert!(matches!(server.sections().await, Err(MediaServerError::Unreadable(_))));
            assert!(stub.requests().last().unwrap().path.starts_with("/base/"));
        }
    }
}
