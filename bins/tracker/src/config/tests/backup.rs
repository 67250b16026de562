//! `[backup]` as a person meets it.

use super::*;

fn place(text: &str) -> BackupPlace {
    Home::new(&format!("[backup]\n{text}\n")).config().backup.place
}

#[test]
fn a_folder_or_the_data_directory() {
    spec!("backup#the-target-is-configured/a-folder");
    assert_eq!(place(""), BackupPlace::DataDir);
    assert_eq!(place("target = \"\""), BackupPlace::DataDir);
    let folder = place("target = \"file:///srv/b%20c/backups\"");
    assert_eq!(folder, BackupPlace::Folder("/srv/b c/backups".into()));
}

#[test]
fn an_object_store_with_its_keys() {
    spec!("backup#the-target-is-configured/an-object-store");
    let home = Home::new(
        "[backup]\ntarget = \"s3://bucket/a/b\"\nendpoint = \"http://192.168.1.5:9000\"\n\
         region = \"garage\"\naccess_key = \"AKID\"\n",
    );
    let secret = home.write("secret", "from-the-file\n");
    let home = home.var("TRACKER__BACKUP__SECRET_KEY_FILE", secret.to_str().unwrap());
    let BackupPlace::Bucket(store) = home.config().backup.place else { panic!() };
    assert_eq!(store.place.to_string(), "s3://bucket/a/b");
    assert_eq!(store.endpoint.unwrap().as_str(), "http://192.168.1.5:9000/");
    assert_eq!(store.region.as_deref(), Some("garage"));
    assert_eq!((store.access_key.expose(), store.secret_key.expose()), ("AKID", "from-the-file"));
    // Amazon's own needs no address.
    let amazon = place("target = \"s3://bucket\"\naccess_key = \"a\"\nsecret_key = \"b\"");
    assert!(matches!(amazon, BackupPlace::Bucket(store) if store.endpoint.is_none()));
}

#[test]
fn what_cannot_be_used_is_told_with_its_key() {
    spec!("backup#the-target-is-configured/what-cannot-be-used");
    let keys = "access_key = \"a\"\nsecret_key = \"hunter2\"\n";
    let bucket = format!("target = \"s3://bucket\"\n{keys}");
    for (text, wanted) in [
        (
            "target = \"s3://bucket\"\n".to_owned(),
            vec!["access_key: the value is missing", "secret_key: the value is missing"],
        ),
        (
            "target = \"s3://bucket\"\naccess_key = \"a\"".to_owned(),
            vec!["secret_key: the value is missing"],
        ),
        (
            format!("target = \"s3://bucket:9000/x\"\n{keys}"),
            vec!["target: \"s3://bucket/x\" is no place"],
        ),
        (format!("target = \"s3://bucket/a//b\"\n{keys}"), vec!["target: \"a//b\" is no prefix"]),
        (format!("target = \"s3://b\"\n{keys}"), vec!["target: \"b\" is no name of a bucket"]),
        (
            "target = \"s3://me:hunter2@bucket\"".to_owned(),
            vec!["target: the address holds a user"],
        ),
        (
            "target = \"file://backups\"".to_owned(),
            vec!["target: \"file://backups\" is no whole path"],
        ),
        ("target = \"file:backups\"".to_owned(), vec!["target: \"file:backups\" is no whole path"]),
        ("target = \"backups\"".to_owned(), vec!["target: \"backups\" is not an address"]),
        (
            "endpoint = \"http://nas:9000\"".to_owned(),
            vec!["endpoint: this is for an object store"],
        ),
        (
            format!("target = \"file:///srv/backups\"\n{keys}"),
            vec![
                "access_key: this is for an object store",
                "secret_key: this is for an object store",
            ],
        ),
        (
            format!("{bucket}endpoint = \"http://nas:9000/bucket\""),
            vec!["endpoint: \"http://nas:9000/bucket\" has more than a server"],
        ),
        (format!("{bucket}endpoint = \"nas:9000\""), vec!["endpoint: the scheme \"nas\""]),
    ] {
        let told = Home::new(&format!("[backup]\n{text}\n")).problems();
        assert_eq!(told.len(), wanted.len(), "{text}: {told:#?}");
        for (told, wanted) in told.iter().zip(wanted) {
            assert!(told.contains(&format!("[backup] {wanted}")), "{told}");
            assert!(!told.contains("hunter2"), "{told}");
        }
    }
}
