//! Tokens from before there were scopes keep the rights they had.

use tracker_domain::access::Scope;
use tracker_store::StoreError;
use tracker_testkit::spec;

use super::fixture::Fixture;
use super::v7::open;

const ROWS: &str = "
    INSERT INTO token (id, name, hash, created_at, last_used_at, revoked_at) VALUES
        ('01hx0000000000000000000001', 'local', 'aa', '2024-01-01T00:00:00Z', '2024-01-02T00:00:00Z', NULL),
        ('01hx0000000000000000000002', 'phone', 'bb', '2024-01-01T00:00:00Z', NULL, '2024-01-03T00:00:00Z');
    INSERT INTO id_floor VALUES ('global', '01hx0000000000000000000002');";

#[test]
fn tokens_of_before_are_admin() {
    spec!("access#token-scopes/of-a-former-version");
    let fixture = Fixture::at(12);
    fixture.sql(ROWS);
    let before = fixture.column::<String>("SELECT id || name || hash || created_at FROM token");
    assert_eq!(fixture.to(13).unwrap().applied, [13]);
    let after = fixture.column::<String>("SELECT id || name || hash || created_at FROM token");
    assert_eq!(after, before);
    assert_eq!(fixture.problems(), Vec::<String>::new());
    fixture.migrate().unwrap();
    let (tokens, local, phone) = open(&fixture)
        .read_blocking(|tx| {
            Ok::<_, StoreError>((
                tx.tokens()?,
                tx.token_by_digest("aa")?,
                tx.token_by_digest("bb")?,
            ))
        })
        .unwrap();
    assert!(tokens.iter().all(|token| token.scope == Scope::Admin));
    assert!(tokens[0].last_used_at.is_some() && tokens[1].revoked_at.is_some());
    assert_eq!(local.map(|token| token.name).as_deref(), Some("local"));
    assert_eq!(phone, None);
}
