//! The OpenAPI document against the daemon: random requests, each answer
//! compared with what the document says.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tracker_testkit::spec;

use crate::daemon::{Daemon, Setup};
use crate::hash;

/// Requests of each operation in the quick run.
const EXAMPLES: u32 = 25;

/// The same in the long one.
const SOAK_EXAMPLES: u32 = 400;

/// What is compared with what. A rule is for all that one of its words fits, so
/// a method is named with its path.
///
/// Of an intake and an adoption the document cannot say which well-formed text is
/// a link, or which torrent is in a client; of an override, which value fits which
/// field; of a token, which name is taken. A backup that was deleted keeps its row.
const RULES: &str = "\
[[operations]]
include-name = [
    \"POST /api/v1/downloads\",
    \"POST /api/v1/discovered/adopt\",
    \"POST /api/v1/discovered/adopt-many\",
    \"POST /api/v1/tokens\",
    \"GET /api/v1/discovered/clients\",
    \"PUT /api/v1/downloads/{id}/overrides/{field}\",
]
checks.positive_data_acceptance.enabled = false

[[operations]]
include-path = [\"/api/v1/backups/{id}\", \"/api/v1/backups/{id}/verify\"]
checks.use_after_free.enabled = false
";

/// Added to [`RULES`]: the stateful phase takes ids from lists, so also that of
/// the token it comes with, and with that revoked all that follows would be a
/// documented 401.
const NEVER_REVOKED: &str = "
[[operations]]
include-path = \"/api/v1/tokens/{name}\"
enabled = false
";

/// The run of its own for what [`NEVER_REVOKED`] leaves out.
const REVOKES: [&str; 2] = ["--include-path", "/api/v1/tokens/{name}"];

fn python() -> PathBuf {
    let set = std::env::var_os("TRACKER_TOOLS_PYTHON").map(PathBuf::from);
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let python = set.unwrap_or_else(|| PathBuf::from(root).join("tests/tools/.venv/bin/python"));
    assert!(python.exists(), "run cargo xtask test --only python-tools");
    python
}

/// Random requests with the token of the daemon's folder; how many operations
/// were tested.
fn requests(here: &Daemon, rules: &Path, more: &[&str]) -> usize {
    let soak = std::env::var_os("TRACKER_SOAK").is_some();
    let examples = if soak { SOAK_EXAMPLES } else { EXAMPLES };
    let seed = std::env::var_os("TRACKER_TEST_SEED").and_then(|text| text.into_string().ok());
    let seed: u64 = seed.map_or(1, |text| text.parse().unwrap());
    let output = Command::new(python())
        .args(["-m", "schemathesis.cli", "--config-file"])
        .arg(rules)
        .args(["run", &format!("{}/api/v1/openapi.json", here.url())])
        .args(["--header", &format!("Authorization: Bearer {}", here.token())])
        .args(["--max-examples", &examples.to_string(), "--seed", &seed.to_string()])
        .args(["--phases", "examples,coverage,fuzzing,stateful"])
        .args(more)
        .env("NO_PROXY", "127.0.0.1")
        .env("NO_COLOR", "1")
        .current_dir(rules.parent().unwrap())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let trouble = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "seed {seed}\n{said}\n{trouble}");
    // A run that tested nothing ends well too.
    let tested = said.lines().find_map(|line| line.trim().strip_prefix("Tested: "));
    tested.unwrap_or_else(|| panic!("{said}")).parse().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn openapi_holds() {
    spec!("http-api#the-openapi-document/it-holds-under-random-requests");
    let folder = tempfile::tempdir().unwrap();
    let here = Daemon::started(Setup::without_client(folder.path())).await;
    // Something to find, to change and to read about.
    let id = here.ingest(&hash('a')).await;
    here.tracker(&["hint", &id, "a film"]).done();
    here.tracker(&["override", &id, "year", "1999"]).done();
    here.tracker(&["cancel", &here.ingest(&hash('b')).await]).done();
    let rules = folder.path().join("schemathesis.toml");

    std::fs::write(&rules, format!("{RULES}{NEVER_REVOKED}")).unwrap();
    let tested = requests(&here, &rules, &["--exclude-path", "/api/v1/events/stream"]);
    assert!(tested > 10, "{tested} operations");
    // The token was good to the end, so what was tested was not only who may ask.
    assert_eq!(here.download(&id).await["id"], id.as_str());

    std::fs::write(&rules, RULES).unwrap();
    assert_eq!(requests(&here, &rules, &REVOKES), 1);
}
