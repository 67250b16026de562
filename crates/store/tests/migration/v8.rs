//! A database of the version before gets the columns of batches.

use tracker_domain::DownloadId;
use tracker_store::migrate::LATEST;
use tracker_testkit::spec;

use super::fixture::Fixture;
use super::v7::{open, values};

const ID: &str = "01hx0000000000000000000001";

/// A linked download, a batch of an older program without identities, and one that
/// was undone.
const ROWS: &str = "
    INSERT INTO download(id, magnet, name, state, origin, metadata_at, attempts, revision, created_at, updated_at) VALUES
        ('01hx0000000000000000000001', '', 'a', 'done', 'magnet', '2024-01-01T00:00:00Z', 0, 4, '2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z');
    INSERT INTO download_infohash VALUES
        ('c12fe1c06bba254a9dc9f519b335aa7c1367a88a', '01hx0000000000000000000001', 'v1');
    INSERT INTO apply_batch VALUES
        ('01hx0000000000000000000002', '01hx0000000000000000000001', NULL, 'undone', NULL, 'films', 'by hand', '2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z'),
        ('01hx0000000000000000000003', '01hx0000000000000000000001', NULL, 'applied', 'plan', 'films', NULL, '2024-01-02T00:00:00Z', '2024-01-02T00:00:00Z');
    INSERT INTO file_link VALUES
        ('01hx0000000000000000000004', '01hx0000000000000000000001', NULL, '01hx0000000000000000000002', '/down/a.mkv', '/films/A.mkv', 'hardlink', 'undone', 0, 7, 8, 9, '2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z'),
        ('01hx0000000000000000000005', '01hx0000000000000000000001', NULL, '01hx0000000000000000000003', '/down/a.mkv', '/films/B.mkv', 'hardlink', 'linked', 0, 7, 8, 9, '2024-01-02T00:00:00Z', '2024-01-02T00:00:00Z'),
        ('01hx0000000000000000000006', '01hx0000000000000000000001', NULL, '01hx0000000000000000000003', '/down/b.srt', '/films/B.srt', 'copy', 'linked', NULL, NULL, NULL, NULL, '2024-01-02T00:00:00Z', '2024-01-02T00:00:00Z');
    INSERT INTO id_floor VALUES ('global', '01hx0000000000000000000006');";

#[test]
fn batches_stay_and_are_read() {
    spec!("batches#batches-of-before/they-stay");
    let fixture = Fixture::at(7);
    fixture.sql(ROWS);
    let rehearsal = fixture.rehearse().unwrap();
    assert_eq!((rehearsal.from, rehearsal.to, rehearsal.problems), (7, LATEST, vec![]));
    let before = ["download", "apply_batch", "file_link"].map(|table| {
        let names = format!("SELECT name FROM pragma_table_info('{table}')");
        let columns = fixture.column::<String>(&names).join(", ");
        let rows = values(&fixture.conn(), table, &columns);
        (table, columns, rows)
    });
    assert_eq!(fixture.to(8).unwrap().applied, [8]);
    for (table, columns, rows) in before {
        assert_eq!(values(&fixture.conn(), table, &columns), rows, "{table}");
    }
    let empty = "SELECT (SELECT count(*) FROM apply_batch
            WHERE root IS NULL AND superseded_by IS NULL)
        + (SELECT count(*) FROM file_link WHERE there_already IS NULL AND replaced_device IS NULL
            AND replaced_inode IS NULL AND health IS NULL AND verified_at IS NULL)";
    assert_eq!(fixture.one::<i64>(empty), 5);
    assert_eq!(fixture.problems(), Vec::<String>::new());

    fixture.migrate().unwrap();
    let id: DownloadId = ID.parse().unwrap();
    let (batches, links) = open(&fixture)
        .read_blocking(|tx| {
            let batches = tx.batches_of(id)?;
            let stands = batches.iter().find(|batch| batch.state == "applied").unwrap();
            let links = tx.links_of(stands.id)?;
            Ok::<_, tracker_store::StoreError>((batches, links))
        })
        .unwrap();
    assert!(batches.iter().all(|batch| batch.root.is_none() && batch.superseded_by.is_none()));
    assert_eq!(batches.len(), 2);
    let identities: Vec<bool> = links.iter().map(|link| link.identity.is_some()).collect();
    assert_eq!(identities, [true, false]);
}
