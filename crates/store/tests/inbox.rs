//! Downloads by who must act, page by page.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use proptest::prelude::*;
use support::{Fixture, v1};
use tracker_domain::{Attention, DownloadCause as C, DownloadId};
use tracker_store::{InboxGroup, InboxOrder, InboxQuery, InboxRow, Reason};
use tracker_testkit::spec;

/// Where each that is made is brought to, and the group and the word it is found by then.
const PLACES: [(&[C], Option<Attention>, InboxGroup, &str); 6] = [
    (&[], None, InboxGroup::Active, "queued"),
    (&[C::Shown], None, InboxGroup::Active, "downloading"),
    (&[C::Cancel], None, InboxGroup::Done, "cancelled"),
    (&[C::Missing], None, InboxGroup::Done, "failed"),
    (&[], Some(Attention::Stalled), InboxGroup::NeedsYou, "stalled"),
    (&[C::Shown], Some(Attention::DiskFull), InboxGroup::NeedsYou, "disk-full"),
];

const NAMES: [&str; 6] = ["alpha", "Beta", "beta", "Ёлка", "ёж", "Жук"];

fn made(fixture: &Fixture, number: u8, name: &str, place: usize) -> DownloadId {
    let id = fixture.create_named(&[v1(number)], name);
    let (causes, attention, _, _) = PLACES[place];
    fixture.write(|tx| {
        for cause in causes {
            tx.set_download_state(id, *cause, &Reason::none())?.unwrap();
        }
        if let Some(attention) = attention {
            tx.raise_attention(id, attention, "since noon")?.unwrap();
        }
        Ok(())
    });
    id
}

/// Every row, page by page.
fn paged(fixture: &Fixture, group: InboxGroup, wanted: &InboxQuery, limit: u32) -> Vec<InboxRow> {
    let mut all: Vec<InboxRow> = Vec::new();
    loop {
        let behind = all.last().map(|row| row.download.id);
        let wanted = InboxQuery { behind, ..wanted.clone() };
        let page = fixture.get(|tx| tx.inbox(group, &wanted, limit));
        if page.is_empty() {
            return all;
        }
        all.extend(page);
    }
}

proptest! {
    #[test]
    fn pages_in_any_order_have_each_download_once(
        made_up in prop::collection::vec((0..NAMES.len(), 0..PLACES.len()), 0..10),
        limit in 1u32..4,
    ) {
        spec!("web-ui#the-inbox-is-ordered-by-who-must-act/another-order");
        let fixture = Fixture::new();
        let all: Vec<(DownloadId, &str, usize)> = made_up
            .iter()
            .zip(1..)
            .map(|((name, place), number)| {
                (made(&fixture, number, NAMES[*name], *place), NAMES[*name], *place)
            })
            .collect();
        for group in InboxGroup::ALL {
            let words = group.words().into_iter().map(Some).chain([None]);
            for (only, order) in words.flat_map(|word| InboxOrder::ALL.map(|order| (word, order))) {
                let mut wanted: Vec<_> = all
                    .iter()
                    .filter(|(_, _, place)| {
                        let (_, _, of, word) = PLACES[*place];
                        of == group && only.is_none_or(|only| only == word)
                    })
                    .map(|(id, name, _)| (name.to_lowercase(), *id))
                    .collect();
                match order {
                    InboxOrder::Newest => wanted.sort_by_key(|(_, id)| std::cmp::Reverse(*id)),
                    InboxOrder::Oldest => wanted.sort_by_key(|(_, id)| *id),
                    InboxOrder::Name => wanted.sort(),
                }
                let query = InboxQuery { order, only: only.map(str::to_owned), behind: None };
                let found: Vec<_> = paged(&fixture, group, &query, limit)
                    .into_iter()
                    .map(|row| (row.download.name.to_lowercase(), row.download.id))
                    .collect();
                prop_assert_eq!(found, wanted, "{:?} {:?} {:?}", group, only, order);
            }
        }
    }
}
