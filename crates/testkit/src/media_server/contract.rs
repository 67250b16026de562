//! What every media server has to do, adapter or fake: one test for all.

use std::path::{Path, PathBuf};

use tracker_domain::ports::{MediaServer, MediaServerError};

/// Our folders that the server has to have libraries of, one each.
pub const CONTRACT_ROOTS: [&str; 2] = ["/srv/media/films", "/srv/media/series"];

/// Runs the contract. `scanned` gives how many folders the server has been told
/// to scan so far.
///
/// # Panics
/// When the server breaks it.
pub async fn media_server_contract(server: &dyn MediaServer, scanned: impl Fn() -> usize) {
    let name = server.name().to_owned();
    let sections = server.sections().await.expect("a server that is up answers");
    assert_eq!(sections.len(), CONTRACT_ROOTS.len());
    assert!(sections.iter().all(|section| !section.name.is_empty() && section.roots.len() == 1));
    for root in CONTRACT_ROOTS {
        let covers = |folder: String| server.covers(&sections, Path::new(&folder));
        assert!(covers(root.to_owned()), "its own folder");
        assert!(covers(format!("{root}/Title (2020)/Season 01")), "what is below it");
        assert!(!covers(format!("{root}-old/Title (2020)")), "a name that begins alike");
    }
    assert!(!server.covers(&sections, Path::new("/srv/media")), "what is above");
    assert!(!server.covers(&[], Path::new(CONTRACT_ROOTS[0])), "no section, nothing covered");
    assert_eq!(scanned(), 0, "looking scans nothing");

    assert_eq!(server.refresh(&[]).await, Ok(()));
    assert_eq!(scanned(), 0, "nothing is to be scanned");
    let inside: Vec<PathBuf> =
        CONTRACT_ROOTS.iter().map(|root| Path::new(root).join("Title (2020)")).collect();
    assert_eq!(server.refresh(&inside).await, Ok(()));
    assert_eq!(scanned(), 2, "each folder once");
    assert_eq!(server.refresh(&inside[..1]).await, Ok(()), "telling it again does no harm");

    let outside = PathBuf::from("/srv/elsewhere/Title (2020)");
    let both = [outside.clone(), inside[1].clone()];
    let Err(MediaServerError::OutsideSections { folders, roots }) = server.refresh(&both).await
    else {
        panic!("what lies outside is told");
    };
    assert_eq!(folders.len(), 1);
    assert_eq!(folders[0].folder, outside);
    assert_eq!(roots.len(), CONTRACT_ROOTS.len(), "with the folders of its libraries");
    assert_eq!(scanned(), 4, "what lies inside is scanned all the same, the other is not");
    assert_eq!(server.name(), name, "it keeps its name");
}
