//! The systemd unit: whether systemd understands it, and whether it agrees with
//! the rest of the package.

use std::process::Command;

use tracker_testkit::spec;

use crate::deb::Deb;

pub const UNIT: &str = "/usr/lib/systemd/system/tracker.service";

/// The directives that are used, by section. A new one is looked up in
/// systemd.directives(7) before it is written here.
const KNOWN: [(&str, &[&str]); 3] = [
    ("Unit", &["Description", "Documentation", "Wants", "After"]),
    (
        "Service",
        &[
            "Type",
            "ExecStart",
            "User",
            "Group",
            "UMask",
            "StateDirectory",
            "StateDirectoryMode",
            "ConfigurationDirectory",
            "ConfigurationDirectoryMode",
            "CacheDirectory",
            "CacheDirectoryMode",
            "TimeoutStartSec",
            "TimeoutStopSec",
            "WatchdogSec",
            "Restart",
            "RestartSec",
            "RestartPreventExitStatus",
            "LimitNOFILE",
            "CapabilityBoundingSet",
            "AmbientCapabilities",
            "NoNewPrivileges",
            "ProtectSystem",
            "ProtectHome",
            "ProtectClock",
            "ProtectControlGroups",
            "ProtectHostname",
            "ProtectKernelLogs",
            "ProtectKernelModules",
            "ProtectKernelTunables",
            "ProtectProc",
            "PrivateDevices",
            "PrivateTmp",
            "RemoveIPC",
            "KeyringMode",
            "LockPersonality",
            "MemoryDenyWriteExecute",
            "RestrictNamespaces",
            "RestrictRealtime",
            "RestrictSUIDSGID",
            "RestrictAddressFamilies",
            "SystemCallArchitectures",
            "SystemCallFilter",
            "SystemCallErrorNumber",
        ],
    ),
    ("Install", &["WantedBy"]),
];

/// The unit of a package, directive by directive.
pub struct Unit(Vec<(String, String, String)>);

impl Unit {
    pub fn of(deb: &Deb) -> Self {
        let mut section = String::new();
        let mut found = Vec::new();
        for line in deb.text(UNIT).lines() {
            if line.is_empty() || line.starts_with('#') {
            } else if let Some(name) = line.strip_prefix('[') {
                section = name.trim_end_matches(']').to_owned();
            } else {
                let (key, value) = line.split_once('=').unwrap_or_else(|| panic!("{line:?}"));
                found.push((section.clone(), key.to_owned(), value.to_owned()));
            }
        }
        Unit(found)
    }

    /// The value of a directive that is there once.
    #[track_caller]
    pub fn only(&self, key: &str) -> &str {
        let mut values = self.0.iter().filter(|(_, found, _)| found == key);
        let value = values.next().unwrap_or_else(|| panic!("no {key}="));
        assert!(values.next().is_none(), "{key}= twice");
        &value.2
    }

    /// The words of `ExecStart=`, which has no quotes and no specifiers.
    pub fn exec_start(&self) -> Vec<String> {
        let line = self.only("ExecStart");
        assert!(!line.contains(['"', '\'', '%', '$', '\\']), "{line}");
        line.split_whitespace().map(ToOwned::to_owned).collect()
    }
}

/// The directives that are not known here.
fn unknown(unit: &Unit) -> Vec<&str> {
    let known = |section: &str, key: &str| {
        KNOWN.iter().any(|(name, keys)| *name == section && keys.contains(&key))
    };
    let unknown = unit.0.iter().filter(|(section, key, _)| !known(section, key));
    unknown.map(|(_, key, _)| key.as_str()).collect()
}

/// What systemd says against the unit; nothing where it cannot be asked.
#[expect(clippy::print_stderr, reason = "it is said where systemd could not be asked")]
fn complaints(deb: &Deb) -> Option<Vec<String>> {
    let mut verify = Command::new("systemd-analyze");
    // The targets that it is tied to are systemd's own.
    verify.args(["verify", "--man=no", "--recursive-errors=no"]).arg(deb.path(UNIT));
    let said = match verify.env("SYSTEMD_LOG_LEVEL", "warning").output() {
        Ok(said) => said,
        Err(error) => {
            eprintln!("systemd-analyze ({error}): the unit was checked by this test alone");
            return None;
        }
    };
    // The program is in the package, not on this machine.
    let absent = "Command /usr/bin/tracker is not executable";
    let text = String::from_utf8(said.stderr).unwrap();
    let against = text.lines().filter(|line| line.contains("tracker") && !line.contains(absent));
    Some(against.map(ToOwned::to_owned).collect())
}

#[test]
fn every_directive_is_known() {
    spec!("packaging#a-debian-package/the-unit");
    let deb = Deb::unpacked();
    let unit = Unit::of(&deb);
    assert_eq!(unknown(&unit), Vec::<&str>::new());
    assert_eq!(unit.only("Type"), "notify");
    assert_eq!(complaints(&deb).unwrap_or_default(), Vec::<String>::new());
}

#[test]
fn a_directive_that_does_not_exist_is_noticed() {
    spec!("packaging#a-debian-package/the-unit");
    let deb = Deb::unpacked();
    let wrong = deb.text(UNIT).replace("ProtectClock=", "ProtectWatch=");
    std::fs::write(deb.path(UNIT), wrong).unwrap();
    assert_eq!(unknown(&Unit::of(&deb)), ["ProtectWatch"]);
    if let Some(found) = complaints(&deb) {
        assert!(found.iter().any(|line| line.contains("ProtectWatch")), "{found:?}");
    }
}

#[test]
fn it_agrees_with_the_package() {
    spec!("packaging#a-debian-package/the-unit");
    let deb = Deb::unpacked();
    let unit = Unit::of(&deb);
    let exec = unit.exec_start();
    let (program, config) = (exec[0].as_str(), exec[2].as_str());
    assert!(deb.path(program).is_file(), "{program}");
    assert_eq!((exec[1].as_str(), exec[3].as_str()), ("--config", "serve"));
    let conffiles = std::fs::read_to_string(deb.control().join("conffiles")).unwrap();
    assert_eq!(conffiles.trim(), config);

    let settings: toml::Table = deb.text(config).parse().unwrap();
    let general = |key: &str| settings["general"][key].as_str().unwrap().to_owned();
    for (key, directory, base) in [
        ("data_dir", unit.only("StateDirectory"), "/var/lib"),
        ("cache_dir", unit.only("CacheDirectory"), "/var/cache"),
    ] {
        assert_eq!(general(key), format!("{base}/{directory}"));
    }
    let configuration = format!("/etc/{}/", unit.only("ConfigurationDirectory"));
    assert!(config.starts_with(&configuration), "{config}");
    assert_eq!(general("token_mode"), "0640");
    for key in ["StateDirectoryMode", "ConfigurationDirectoryMode"] {
        assert_eq!(unit.only(key), "0750");
    }

    let users = deb.text("/usr/lib/sysusers.d/tracker.conf");
    let user = users.lines().find(|line| line.starts_with('u')).unwrap();
    let name = user.split_whitespace().nth(1).unwrap();
    assert_eq!((unit.only("User"), unit.only("Group")), (name, name));
    assert!(user.contains(&general("data_dir")), "its home is where its data is: {user}");
    let page = unit.only("Documentation").strip_prefix("man:").unwrap().replace("(1)", ".1.gz");
    assert!(deb.path("/usr/share/man/man1").join(page).is_file());
}
