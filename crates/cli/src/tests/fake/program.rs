//! The program around the services.

use std::path::PathBuf;

use async_trait::async_trait;
use serde_json::json;
use tracker_domain::Secret;
use tracker_wire::{CheckDto, HealthDto};

use super::{Fake, HASH};
use crate::{
    Access, Api, ApiFailure, Backends, CheckReport, ConfigChecked, ConfigText, Demo,
    MigrateRequest, MigratedTable, MigrationNote, MigrationReport, MigrationStep, People,
    PreparedRestore, RestoreFrom, RestoreReport, Tokens,
};

struct FakeRestore {
    report: RestoreReport,
    fake: Fake,
}

#[async_trait]
impl PreparedRestore for FakeRestore {
    fn report(&self) -> &RestoreReport {
        &self.report
    }

    async fn carry_out(self: Box<Self>) -> Result<RestoreReport, ApiFailure> {
        self.fake.called("restored".to_owned())?;
        let former_database = Some(PathBuf::from("/data/tracker.db.replaced-20261201T093000Z"));
        Ok(RestoreReport { former_database, ..self.report })
    }
}

#[async_trait]
impl Backends for Fake {
    fn data_dir(&self) -> Result<PathBuf, ApiFailure> {
        Ok(self.dir.path().to_owned())
    }

    async fn local(&self, access: Access) -> Result<Box<dyn Api>, ApiFailure> {
        let _ = access;
        Ok(Box::new(self.clone()))
    }

    async fn tokens(&self, access: Access) -> Result<Box<dyn Tokens>, ApiFailure> {
        let _ = access;
        Ok(Box::new(self.clone()))
    }

    async fn people(&self, access: Access) -> Result<Box<dyn People>, ApiFailure> {
        let _ = access;
        Ok(Box::new(self.clone()))
    }

    fn address(&self) -> Result<String, ApiFailure> {
        Ok("http://127.0.0.1:8466/base".to_owned())
    }

    fn ask_secret(&self, _: &str) -> Result<Option<Secret>, ApiFailure> {
        Ok(self.state.lock().unwrap().typed.pop_front().map(Secret::new))
    }

    async fn serve(&self) -> Result<(), ApiFailure> {
        self.called("serve".to_owned())
    }

    async fn begin_work(&self) -> Result<Option<Box<dyn Api>>, ApiFailure> {
        self.called("begin work".to_owned())?;
        let mut state = self.state.lock().unwrap();
        let taken = state.others_looks > 0;
        state.others_looks = state.others_looks.saturating_sub(1);
        Ok((!taken).then(|| Box::new(self.clone()) as Box<dyn Api>))
    }

    async fn end_work(&self) {
        self.state.lock().unwrap().calls.push("end work".to_owned());
    }

    async fn demo(&self, keep: bool) -> Result<Demo, ApiFailure> {
        self.called(format!("demo {keep}"))?;
        Ok(Demo {
            program: Box::new(self.clone()),
            folder: self.dir.path().to_owned(),
            config: self.dir.path().join("tracker.toml"),
            library: self.dir.path().join("library"),
            links: vec![HASH.to_owned()],
            size_bytes: 3 << 20,
            kept: Box::new(()),
        })
    }

    async fn doctor(&self) -> Result<HealthDto, ApiFailure> {
        let status = self.state.lock().unwrap().health.to_owned();
        let check = CheckDto {
            code: "client-unreachable".to_owned(),
            subject: "home".to_owned(),
            level: status.clone(),
            detail: "no connection".to_owned(),
            remedy: "Start it.".to_owned(),
            checked_at: "2026-01-02T03:04:05Z".to_owned(),
        };
        Ok(HealthDto { status, checks: vec![check] })
    }

    async fn db_migrate(&self, request: MigrateRequest) -> Result<MigrationReport, ApiFailure> {
        self.called(format!("migrate {:?} {}", request.to, request.dry_run))?;
        let steps = vec![MigrationStep { version: 6, name: "tokens".to_owned() }];
        let copy = (!request.dry_run).then(|| PathBuf::from("/copy.db"));
        let mut report = MigrationReport {
            from: 5,
            to: 6,
            dry_run: request.dry_run,
            steps,
            copy,
            ..MigrationReport::default()
        };
        if request.dry_run {
            let table = "download".to_owned();
            report.tables = vec![MigratedTable { table, before: 4, after: 4 }];
            report.notes = vec![MigrationNote { what: "unknown_state".to_owned(), count: 1 }];
            report.problems.clone_from(&self.state.lock().unwrap().findings);
        }
        Ok(report)
    }

    async fn prepare_restore(
        &self,
        from: RestoreFrom,
    ) -> Result<Box<dyn PreparedRestore>, ApiFailure> {
        self.called(format!("prepare_restore {from:?}"))?;
        let report = self.state.lock().unwrap().restore.clone();
        Ok(Box::new(FakeRestore { report, fake: self.clone() }))
    }

    async fn db_check(&self) -> Result<CheckReport, ApiFailure> {
        Ok(CheckReport { version: 6, findings: self.state.lock().unwrap().findings.clone() })
    }

    fn config_show(&self) -> Result<ConfigText, ApiFailure> {
        self.called("config show".to_owned())?;
        Ok(ConfigText { human: "[http]\n".to_owned(), json: json!({"items": [], "next": null}) })
    }

    fn config_check(&self) -> Result<ConfigChecked, ApiFailure> {
        self.called("config check".to_owned())?;
        let file = Some(PathBuf::from("/the/tracker.toml"));
        Ok(ConfigChecked { file, names: vec![("film", "Film/Film.mkv".to_owned())] })
    }

    fn config_template(&self) -> String {
        "# template\n".to_owned()
    }

    fn config_init(&self) -> Result<PathBuf, ApiFailure> {
        self.called("config init".to_owned())?;
        Ok(PathBuf::from("/new/tracker.toml"))
    }
}
