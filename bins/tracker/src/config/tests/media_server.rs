//! `[[media_server]]` as a person meets it.

use super::*;

#[test]
fn each_kind_is_read_with_its_folders() {
    spec!("media-servers#settings-of-a-media-server/both-kinds");
    let home = Home::new(
        "[[media_server]]\nname = \"living-room\"\nurl = \"http://jelly:8096/base\"\n\
         path_map = [{ local = \"/srv/media\", server = 'D:\\Media' }]\n\
         [[media_server]]\nname = \"attic\"\nkind = \"plex\"\nurl = \"https://plex:32400\"\n",
    )
    .var("TRACKER__MEDIA_SERVER__LIVING_ROOM__TOKEN", "key");
    let servers = home.config().media_servers;
    assert_eq!(servers.len(), 2);
    assert_eq!(
        (servers[0].name.as_str(), servers[0].kind),
        ("living-room", MediaServerKind::Jellyfin)
    );
    assert_eq!(servers[0].token.as_ref().unwrap().expose(), "key");
    let pair = PathPair { theirs: "D:\\Media".to_owned(), local: "/srv/media".into() };
    assert_eq!(servers[0].path_map, [pair]);
    assert_eq!((servers[1].kind, &servers[1].token), (MediaServerKind::Plex, &None));
    assert_eq!(servers[1].path_map, []);
}

#[test]
fn a_token_may_be_in_a_file() {
    spec!("media-servers#settings-of-a-media-server/a-token-in-a-file");
    let home = Home::new("[[media_server]]\nname = \"m\"\nurl = \"http://m\"\n");
    let secret = home.write("token", "from-the-file\n");
    let home = home.var("TRACKER__MEDIA_SERVER__M__TOKEN_FILE", secret.to_str().unwrap());
    assert_eq!(home.config().media_servers[0].token.as_ref().unwrap().expose(), "from-the-file");
}

#[test]
fn what_cannot_be_used_is_told() {
    spec!("media-servers#settings-of-a-media-server/settings-that-cannot-be-used");
    let server = "[[media_server]]\nname = \"m\"\n";
    for (rest, parts) in [
        ("url = \"http://m\"", &["write an API key"][..]),
        ("kind = \"plex\"", &["write its address"]),
        ("token = \"t\"\nurl = \"ftp://m\"", &["cannot be used here"]),
        ("token = \"t\"\nurl = \"http://m\"\npathmap = []", &["did you mean path_map?"]),
        (
            "token = \"t\"\nurl = \"http://m\"\npath_map = [{ client = \"/a\", local = \"/b\" }]",
            &["no key \"client\"; write { server = "],
        ),
        (
            "token = \"t\"\nurl = \"http://m\"\npath_map = [{ server = \"a\", local = \"/b\" }]",
            &["server is \"a\", which is not a whole path"],
        ),
        ("url = \"nowhere\"", &["is not an address", "write an API key"]),
    ] {
        let told = Home::new(&format!("{server}{rest}\n")).problems();
        assert_eq!(told.len(), parts.len(), "{rest}: {told:?}");
        for part in parts {
            assert!(told.iter().any(|line| line.contains(part)), "{part}: {told:?}");
        }
    }
    let twins = "token = \"t\"\nurl = \"http://m\"\n[[media_server]]\nname = \"M\"\n\
                 token = \"t\"\nurl = \"http://m\"\n";
    let told = Home::new(&format!("{server}{twins}")).problems();
    assert!(told.len() == 1 && told[0].contains("\"M\" is taken by \"m\""), "{told:?}");
}
