//! `[[notify]]` as a person meets it.

use super::*;

#[test]
fn receivers_are_read_with_their_rules() {
    spec!("notifications#settings-of-a-receiver/rules-in-the-file");
    let home = Home::new(
        "[[notify]]\nname = \"hook\"\nurl = \"https://example.org/p4th?token=qu3ry\"\n\
         events = [\"download.*\", \"batch.applied\"]\nquiet = \"23:00-07:30\"\ngroup = \"2m\"\n\
         [[notify]]\nname = \"phone\"\nkind = \"gotify\"\nurl = \"http://gotify\"\nsecret = \"t\"\n",
    );
    let loaded = home.load().unwrap();
    let [hook, phone] = loaded.config.notify.as_slice() else { panic!("two receivers") };
    let patterns: Vec<&str> = hook.told.events.iter().map(|pattern| pattern.as_str()).collect();
    assert_eq!(patterns, ["download.*", "batch.applied"]);
    assert_eq!(hook.kind, NotifyKind::Webhook);
    assert_eq!(hook.told.quiet.as_ref().unwrap().to_string(), "23:00-07:30");
    assert_eq!(hook.told.group, std::time::Duration::from_secs(120));
    assert_eq!(
        (phone.kind, phone.told.events.len(), &phone.told.quiet),
        (NotifyKind::Gotify, 0, &None)
    );
    // The address of a hook often is its secret.
    let shown = format!("{}{:?}", show::human(&loaded.values), loaded.config.notify);
    assert!(shown.contains("https://example.org/…"), "{shown}");
    assert!(!shown.contains("p4th") && !shown.contains("qu3ry"), "{shown}");

    for (rest, part) in [
        ("events = [\"downloads.*\"]", "no type of event fits \"downloads.*\""),
        ("quiet = \"23-7\"", "is no span of a day"),
        ("group = \"soon\"", "is not a duration"),
        ("kind = \"gotify\"", "write the token of an application"),
    ] {
        let file = format!("[[notify]]\nname = \"n\"\nurl = \"http://n\"\n{rest}\n");
        let told = Home::new(&file).problems();
        assert!(told.len() == 1 && told[0].contains(part), "{rest}: {told:?}");
    }
}
