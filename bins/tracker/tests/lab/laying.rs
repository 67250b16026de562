//! Plans that are seen, carried out, undone, made anew and looked at again, with
//! the payload of a real client.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;
use tracker_testkit::{eventually, spec};

use crate::bench::Bench;
use crate::in_labs;

/// A film that has arrived, its file in the payload, and its only link.
struct Film {
    bench: Bench,
    id: String,
    payload: PathBuf,
    target: PathBuf,
}

impl Film {
    async fn arrived(bench: Bench) -> Self {
        let id = bench.daemon.ingest(&bench.magnet("movie-v1", "full")).await;
        bench.arrives(&id, "movie-v1").await;
        let said = bench.daemon.tracker(&["plan", &id, "--json"]);
        said.done();
        let plan = said.json();
        let path = |member: &str| PathBuf::from(plan["links"][0][member].as_str().unwrap());
        let (payload, target) = (path("source"), path("target"));
        assert!(same_file(&payload, &target));
        Film { bench, id, payload, target }
    }

    /// The batches of the film, oldest first.
    async fn batches(&self) -> Vec<String> {
        let events = self.bench.daemon.events(&self.id).await;
        let planned = events.iter().filter(|event| event["type"] == "batch.planned");
        planned.map(|event| event["entity_id"].as_str().unwrap().to_owned()).collect()
    }

    async fn batch(&self) -> String {
        self.batches().await.pop().unwrap()
    }
}

fn same_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let inode = |path: &Path| fs::metadata(path).map(|file| (file.dev(), file.ino()));
    matches!((inode(one), inode(other)), (Ok(one), Ok(other)) if one == other)
}

in_labs!(undone_and_applied_again: Backports backports, Trixie trixie);

async fn undone_and_applied_again(bench: Bench) {
    spec!("batches#undo/applied-and-undone");
    spec!("batches#undo/applied-again");
    spec!("http-api#the-library/plan-apply-undo");
    spec!("command-line#the-library/plan-apply-undo");
    let film = Film::arrived(bench).await;
    let Film { bench, id, payload, target } = &film;
    let daemon = &bench.daemon;
    let before = fs::read(payload).unwrap();
    let first = film.batch().await;
    let shown = daemon.get(&format!("/batches/{first}")).await.expect(200);
    assert_eq!((&shown["state"], &shown["download_id"]), (&json!("applied"), &json!(id)));
    let said = daemon.tracker(&["verify", id]);
    assert_eq!((said.code, said.out.as_str()), (0, "1 links, 0 not as they were made\n"));

    let said = daemon.tracker(&["undo", &first]);
    assert_eq!(said.done(), format!("{first}\tundone\n"));
    assert!(bench.library().is_empty(), "{:?}", bench.library());
    assert_eq!(fs::read(payload).unwrap(), before);
    assert_eq!(daemon.download(id).await["state"], "done");
    // Undone again: nothing more.
    let again = daemon.post(&format!("/batches/{first}/undo"), &json!({})).await.expect(200);
    assert_eq!((&again["state"], &again["left"]), (&json!("undone"), &json!([])));

    let plan = daemon.get(&format!("/downloads/{id}/plan")).await.expect(200);
    let other = daemon.post(&format!("/downloads/{id}/apply"), &json!({"plan": "0"})).await;
    assert_eq!((other.status, other.code()), (409, "plan-changed".to_owned()));
    assert_eq!(other.json()["plan"], plan);
    let body = json!({ "plan": plan["id"] });
    let made = daemon.post(&format!("/downloads/{id}/apply"), &body).await.expect(200);
    assert_ne!(made["id"], json!(first));
    assert_eq!((&made["state"], &made["plan"]), (&json!("applied"), &plan["id"]));
    assert!(same_file(payload, target));
    // Nobody's batch, and the id of something else.
    assert_eq!(daemon.tracker(&["undo", "01jzabcdefghjkmnpqrstvwxyz"]).code, 3);
    let wrong = daemon.get(&format!("/batches/{id}")).await;
    assert_eq!((wrong.status, wrong.code()), (404, "wrong-entity-kind".to_owned()));
}

in_labs!(corrected_and_relinked: Backports backports, Bookworm bookworm);

async fn corrected_and_relinked(bench: Bench) {
    spec!("batches#linked-anew-after-a-correction/corrected-title");
    spec!("batches#linked-anew-after-a-correction/the-library-was-wiped");
    spec!("batches#undo/under-a-newer-one");
    spec!("command-line#the-library/relink-and-verify");
    let film = Film::arrived(bench).await;
    let Film { bench, id, payload, target } = &film;
    let daemon = &bench.daemon;
    let old = film.batch().await;
    daemon.tracker(&["override", id, "title", "Ещё один фильм"]).done();
    eventually(Duration::from_secs(30), "the correction to hold", async || {
        let found = daemon.get(&format!("/downloads/{id}/recognition")).await.expect(200);
        let holds = found["fields"]["title"] == "Ещё один фильм" && found["state"] == "accepted";
        holds.then_some(())
    })
    .await;
    let said = daemon.tracker(&["relink", id]);
    assert!(said.done().contains("Ещё один фильм"), "{said:?}");
    assert!(!target.exists() && !target.parent().unwrap().exists());
    let new = film.batch().await;
    let refused = daemon.post(&format!("/batches/{old}/undo"), &json!({})).await;
    assert_eq!((refused.status, refused.code()), (409, "superseded".to_owned()));
    assert_eq!(refused.json()["batch_id"], json!(new));
    assert_eq!(daemon.tracker(&["undo", &old]).code, 5);

    let library = target.ancestors().nth(2).unwrap();
    for entry in fs::read_dir(library).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with(".tracker-trash") {
            fs::remove_dir_all(path).unwrap();
        }
    }
    let said = daemon.tracker(&["verify", id]);
    assert_eq!(said.code, 4, "{said:?}");
    assert!(said.out.contains("missing"), "{said:?}");
    assert_eq!(daemon.download(id).await["attention"], "link-failed");
    daemon.tracker(&["apply", id]).done();
    assert_eq!(daemon.tracker(&["verify"]).code, 0);
    assert_eq!(daemon.download(id).await["attention"], json!(null));
    assert_eq!(bench.library().len(), 1);
    assert!(payload.exists());
}

in_labs!(a_name_that_is_taken: Trixie trixie);

async fn a_name_that_is_taken(bench: Bench) {
    spec!("batches#a-person-carries-a-plan-out/a-name-is-taken");
    spec!("batches#undo/replaced-files-come-back");
    spec!("http-api#the-library/conflicts");
    let mut film = Film::arrived(bench).await;
    let batch = film.batch().await;
    film.bench.daemon.tracker(&["undo", &batch]).done();
    fs::create_dir_all(film.target.parent().unwrap()).unwrap();
    fs::write(&film.target, "somebody's").unwrap();
    let daemon = &film.bench.daemon;
    let path = format!("/downloads/{}/apply", film.id);
    let refused = daemon.post(&path, &json!({})).await;
    assert_eq!((refused.status, refused.code()), (409, "conflict".to_owned()));
    assert_eq!(refused.json()["conflicts"][0]["target"], json!(film.target));
    let said = daemon.tracker(&["plan", &film.id]);
    assert_eq!(said.code, 4, "{said:?}");
    let odd = json!({"resolve": [{"target": film.target, "action": "burn"}]});
    let odd = daemon.post(&path, &odd).await;
    assert_eq!((odd.status, odd.code()), (422, "invalid-request".to_owned()));
    assert_eq!(odd.json()["errors"][0]["pointer"], "/resolve/0/action");

    let said = daemon.tracker(&["apply", &film.id, "--on-conflict", "other-name"]);
    said.done();
    assert_eq!(fs::read(&film.target).unwrap(), b"somebody's");
    daemon.tracker(&["undo", &film.batch().await]).done();

    // Without a daemon the command does it itself, and asks the client itself.
    film.bench.daemon.stop();
    let said = film.bench.daemon.tracker(&["apply", &film.id, "--on-conflict", "replace"]);
    said.done();
    let batch = said.ids().remove(0);
    assert!(same_file(&film.payload, &film.target));
    film.bench.daemon.tracker(&["undo", &batch]).done();
    assert_eq!(fs::read(&film.target).unwrap(), b"somebody's");
    let library = film.target.ancestors().nth(2).unwrap();
    assert!(!library.join(".tracker-trash").exists());
}
