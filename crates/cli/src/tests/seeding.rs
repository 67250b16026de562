//! `seeding`.

use tracker_testkit::spec;
use tracker_wire::{SeedingDto, SeedingPolicyDto};

use super::fake::{Fake, ID};
use super::{json, ran};

fn item(verdict: &str, change: impl FnOnce(&mut SeedingDto)) -> SeedingDto {
    let mut item = SeedingDto {
        download_id: ID.to_owned(),
        name: "A".to_owned(),
        client: "home".to_owned(),
        library: Some("films".to_owned()),
        ratio: Some(1.5),
        seeding_seconds: Some(90_000),
        policy: SeedingPolicyDto {
            ratio: Some(2.0),
            seconds: Some(172_800),
            min_seconds: 0,
            keep_while_linked: false,
            action: "stop".to_owned(),
            dry_run: false,
        },
        verdict: verdict.to_owned(),
        reached: None,
        seconds_left: None,
        ended_at: None,
    };
    change(&mut item);
    item
}

#[tokio::test]
async fn what_seeds_is_listed_with_what_follows() {
    spec!("seeding#what-seeds-is-listed/command-line");
    let fake = Fake::new();
    fake.state.lock().unwrap().seeding = vec![
        item("underway", |item| item.seconds_left = Some(82_800)),
        item("end", |item| {
            item.reached = Some("ratio".to_owned());
            item.policy.action = "remove-data".to_owned();
            item.policy.dry_run = true;
        }),
        item("no-limit", |item| (item.policy.ratio, item.policy.seconds) = (None, None)),
        item("not-shown", |item| (item.ratio, item.seeding_seconds) = (None, None)),
    ];
    insta::assert_snapshot!(ran(&fake, &["seeding"]).await.out, @r"
    ID                          CLIENT  RATIO  SEEDED   POLICY                        NOW                                   NAME
    01jzabcdefghjkmnpqrstvwxyz  home    1.50   1 d 1 h  ratio 2 or 2 d → stop         goes on, 23 h left                    A
    01jzabcdefghjkmnpqrstvwxyz  home    1.50   1 d 1 h  ratio 2 or 2 d → remove-data  ratio reached: remove-data (dry run)  A
    01jzabcdefghjkmnpqrstvwxyz  home    1.50   1 d 1 h  none                          goes on                               A
    01jzabcdefghjkmnpqrstvwxyz  home                    ratio 2 or 2 d → stop         not in its client                     A
    ");
    let found = json(&ran(&fake, &["seeding", "--json"]).await.out);
    assert_eq!(found["items"][1]["policy"]["action"], "remove-data");
    assert_eq!(found["items"][3]["ratio"], serde_json::Value::Null);
}
