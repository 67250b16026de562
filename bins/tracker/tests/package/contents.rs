//! The files of the package, their modes, and the configuration that comes
//! with it.

use std::collections::BTreeSet;
use std::process::{Command, Output};

use tracker_testkit::spec;

use crate::deb::{Deb, done};

const CONFIG: &str = "/etc/tracker/tracker.toml";

/// A page's text.
fn page(deb: &Deb, name: &str) -> String {
    let path = deb.path("/usr/share/man/man1").join(format!("{name}.1.gz"));
    done(&Command::new("gzip").args(["--decompress", "--stdout"]).arg(path).output().unwrap())
}

#[test]
fn everything_is_where_a_machine_looks_for_it() {
    spec!("packaging#a-debian-package/what-is-in-it");
    let deb = Deb::unpacked();
    let listed = deb.listed();
    for (path, mode) in [
        ("/usr/bin/tracker", "-rwxr-xr-x"),
        ("/usr/lib/systemd/system/tracker.service", "-rw-r--r--"),
        ("/usr/lib/sysusers.d/tracker.conf", "-rw-r--r--"),
        ("/usr/lib/tmpfiles.d/tracker.conf", "-rw-r--r--"),
        ("/usr/share/bash-completion/completions/tracker", "-rw-r--r--"),
        ("/usr/share/zsh/vendor-completions/_tracker", "-rw-r--r--"),
        ("/usr/share/fish/vendor_completions.d/tracker.fish", "-rw-r--r--"),
        ("/usr/share/man/man1/tracker.1.gz", "-rw-r--r--"),
        ("/usr/share/man/man1/tracker-db-migrate.1.gz", "-rw-r--r--"),
        ("/usr/share/doc/tracker/copyright", "-rw-r--r--"),
        ("/usr/share/doc/tracker/LICENSE-APACHE", "-rw-r--r--"),
        (CONFIG, "-rw-r-----"),
    ] {
        assert_eq!(listed.get(path), Some(&format!("{mode} 0/0")), "{path}");
    }
    for (path, mode) in &listed {
        assert!(mode.ends_with(" 0/0"), "{path} {mode}");
        assert!(!mode.contains('s') && mode.as_bytes()[8] != b'w', "{path} {mode}");
    }
}

#[test]
fn each_command_has_its_page_and_completions() {
    spec!("packaging#a-debian-package/what-is-in-it");
    let deb = Deb::unpacked();
    let help = done(&Command::new(deb.path("/usr/bin/tracker")).arg("--help").output().unwrap());
    let commands = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names: BTreeSet<&str> =
        commands.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.contains("serve") && names.contains("ingest"), "{names:?}");
    let bash = deb.text("/usr/share/bash-completion/completions/tracker");
    for name in names {
        assert!(page(&deb, &format!("tracker-{name}")).contains(".TH"), "{name}");
        assert!(bash.contains(name), "{name}");
    }
    let check = Command::new("bash")
        .arg("-n")
        .arg(deb.path("/usr/share/bash-completion/completions/tracker"))
        .output();
    done(&check.unwrap());
}

#[test]
fn the_program_runs_as_it_is() {
    spec!("packaging#a-debian-package/what-is-in-it");
    let deb = Deb::unpacked();
    let version = Command::new(deb.path("/usr/bin/tracker")).arg("--version").output().unwrap();
    assert_eq!(done(&version), format!("tracker {}\n", env!("CARGO_PKG_VERSION")));
    let control = std::fs::read_to_string(deb.control().join("control")).unwrap();
    assert!(control.contains(&format!("\nVersion: {}-", env!("CARGO_PKG_VERSION"))), "{control}");
    for needed in ["libc6", "ca-certificates", "systemd | systemd-sysusers"] {
        assert!(control.contains(needed), "{control}");
    }
}

/// `config` of the packaged program on a file, with nothing else set.
fn config(deb: &Deb, what: &str, variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(deb.path("/usr/bin/tracker"));
    command.env_clear().envs(variables.iter().copied());
    command.arg("--config").arg(deb.path(CONFIG)).args(["config", what]).output().unwrap()
}

#[test]
fn the_configuration_holds_with_and_without_its_examples() {
    spec!("packaging#a-debian-package/the-configuration");
    let deb = Deb::unpacked();
    done(&config(&deb, "check", &[]));
    let text = deb.text(CONFIG);
    let plain: toml::Table = text.parse().unwrap();
    for examples in ["client", "library"] {
        assert!(!plain.contains_key(examples), "[[{examples}]] is an example only");
    }
    // A setting that is commented out follows its # at once, words after a space.
    let uncommented: Vec<&str> = text
        .lines()
        .map(|line| match line.strip_prefix('#') {
            Some(setting) if !setting.starts_with(' ') => setting,
            _ => line,
        })
        .collect();
    std::fs::write(deb.path(CONFIG), uncommented.join("\n")).unwrap();
    done(&config(&deb, "check", &[]));

    // The credential that the unit shows is one that this client takes.
    let unit = deb.text(crate::unit::UNIT);
    let shown = unit.lines().find_map(|line| line.strip_prefix("#Environment=")).unwrap();
    let (variable, file) = shown.split_once('=').unwrap();
    let credential = file.strip_prefix("%d/").unwrap();
    assert!(unit.contains(&format!("\n#LoadCredential={credential}:")), "{credential}");
    let secret = deb.control().join(credential);
    std::fs::write(&secret, "swordfish\n").unwrap();
    let shown = done(&config(&deb, "show", &[(variable, secret.to_str().unwrap())]));
    assert!(shown.lines().any(|line| line.contains("password") && line.contains(variable)));
    assert!(!shown.contains("swordfish"), "{shown}");
}

#[test]
fn its_scripts_are_sound() {
    spec!("packaging#a-debian-package/its-scripts");
    let deb = Deb::unpacked();
    for name in ["postinst", "prerm", "postrm"] {
        let path = deb.control().join(name);
        done(&Command::new("sh").arg("-n").arg(&path).output().unwrap());
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("#!/bin/sh\nset -e\n"), "{name}");
        assert!(!text.contains("#DEBHELPER#"), "{name}");
    }
}
