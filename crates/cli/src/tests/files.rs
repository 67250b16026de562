//! `files`: listed and chosen.

use tracker_testkit::spec;
use tracker_wire::ChosenFileDto;

use super::fake::{Fake, ID};
use super::{ALONE, json, ran};

fn with_files() -> Fake {
    let fake = Fake::new();
    let file = |index: u32, wanted| ChosenFileDto {
        index,
        path: format!("Some Series/E{index:02}.mkv"),
        size: 1_572_864,
        wanted,
    };
    fake.state.lock().unwrap().files =
        vec![file(0, true), file(1, true), file(2, false), file(3, true)];
    fake
}

#[tokio::test]
async fn files_are_listed() {
    spec!("command-line#files-are-listed-and-chosen/listed");
    let fake = with_files();
    let listed = ran(&fake, &["files", ID]).await;
    insta::assert_snapshot!(listed.out, @r"
    INDEX  WANTED  SIZE     PATH
    0      yes     1.5 MiB  Some Series/E00.mkv
    1      yes     1.5 MiB  Some Series/E01.mkv
    2      no      1.5 MiB  Some Series/E02.mkv
    3      yes     1.5 MiB  Some Series/E03.mkv
    ");
    assert_eq!((listed.code, listed.err.as_str()), (0, ""));
    assert_eq!(json(&ran(&fake, &["files", ID, "--json"]).await.out)["items"][2]["wanted"], false);
    let none = ran(&Fake::new(), &["files", ID]).await;
    assert_eq!(
        (none.code, none.out.as_str(), none.err.as_str()),
        (0, "", "its files are not known yet\n")
    );
}

#[tokio::test]
async fn files_are_chosen() {
    spec!("command-line#files-are-listed-and-chosen/chosen");
    for (line, skipped) in
        [(["--skip", "1,3"], "[1, 3]"), (["--only", "1-2"], "[0, 3]"), (["--only", "0-3"], "[]")]
    {
        let fake = with_files();
        let chosen = ran(&fake, &[&["files", ID], &line[..]].concat()).await;
        assert_eq!((chosen.code, chosen.err.as_str()), (0, ALONE));
        assert_eq!(fake.calls().last().unwrap(), &format!("choose {ID} {skipped}"));
    }
    let fake = with_files();
    assert!(!ran(&fake, &["files", ID, "--all"]).await.out.contains("no "));
    assert_eq!(fake.calls(), [format!("choose {ID} []")]);
    let fake = with_files();
    let wrong: [&[&str]; 5] = [
        &["--only", "1,9"],
        &["--only", "x"],
        &["--skip", ""],
        &["--only", "1", "--skip", "2"],
        &["--all", "--skip", "2"],
    ];
    for wrong in wrong {
        assert_eq!(ran(&fake, &[&["files", ID], wrong].concat()).await.code, 2, "{wrong:?}");
    }
    assert!(!fake.calls().iter().any(|call| call.starts_with("choose")));
}
