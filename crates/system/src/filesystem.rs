//! What kind of filesystem a path is on: on a disk of this machine, served by a
//! program, or on another machine.
//!
//! The kernel says it by a number for each kind. All that a program serves have
//! one number, so there the list of mounts is read too. Nothing is decided here.

use std::path::Path;

use rustix::fs::{StatFs, major, minor};
use tracker_domain::ports::{FilesError, Filesystem, Reach};

use crate::files::fail;

/// Where the kernel lists the mounts that this process sees.
const MOUNTS: &str = "/proc/self/mountinfo";

/// What FUSE answers for everything that is mounted through it.
const FUSE: u32 = 0x6573_5546;

/// On other machines, or on the host of this virtual one: `linux/magic.h` and
/// `man 2 statfs`; the numbers of modules outside of the kernel are those that
/// GNU coreutils knows.
const NETWORK: [(u32, &str); 23] = [
    (0x0000_6969, "NFS"),
    (0x0000_517b, "SMB"),
    (0xff53_4d42, "CIFS"),
    (0xfe53_4d42, "SMB"),
    (0x0102_1997, "9p"),
    (0x00c3_6400, "Ceph"),
    (0x5346_414f, "AFS"),
    (0x6b41_4653, "AFS"),
    (0x7375_7245, "Coda"),
    (0x0000_564c, "NCP"),
    (0x7461_636f, "OCFS2"),
    (0x0116_1970, "GFS2"),
    (0x0bd0_0bd0, "Lustre"),
    (0x4750_4653, "GPFS"),
    (0x1983_0326, "BeeGFS"),
    (0xaad7_aaea, "PanFS"),
    (0xbeef_dead, "StorNext"),
    (0x6163_6673, "ACFS"),
    (0x0131_11a8, "IBRIX"),
    (0x2003_0528, "OrangeFS"),
    (0xbacb_acbc, "VMware shared folders"),
    (0x786f_4256, "VirtualBox shared folders"),
    (0x7c7c_6673, "Parallels shared folders"),
];

/// On disks of this machine or in its memory: only for the name.
const LOCAL: [(u32, &str); 12] = [
    (0x0000_ef53, "ext4"),
    (0x5846_5342, "XFS"),
    (0x9123_683e, "btrfs"),
    (0x2fc1_2fc1, "ZFS"),
    (0xf2f5_2010, "F2FS"),
    (0xca45_1a4e, "bcachefs"),
    (0x3153_464a, "JFS"),
    (0x794c_7630, "overlay"),
    (0x0102_1994, "tmpfs"),
    (0x8584_58f6, "ramfs"),
    (0x2011_bab0, "exFAT"),
    (0x0000_4d44, "FAT"),
];

/// Programs that serve what lies elsewhere, as they name themselves in the list
/// of mounts.
const FUSE_NETWORK: [&str; 26] = [
    "sshfs",
    "rclone",
    "s3fs",
    "s3ql",
    "goofys",
    "geesefs",
    "mount-s3",
    "gcsfuse",
    "blobfuse",
    "blobfuse2",
    "davfs",
    "davfs2",
    "glusterfs",
    "ceph",
    "ceph-fuse",
    "juicefs",
    "seaweedfs",
    "mfs",
    "lizardfs",
    "curlftpfs",
    "smbnetfs",
    "nfs",
    "fuse_dfs",
    "google-drive-ocamlfuse",
    "onedriver",
    "vmhgfs-fuse",
];

/// A line of the list of mounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mount<'a> {
    /// `fuse.sshfs`, `fuseblk`, …
    kind: &'a str,
    /// What is mounted, in the words of who mounted it.
    source: &'a str,
}

/// The filesystem of a path; symbolic links are followed.
pub(crate) fn of(path: &Path) -> Result<Filesystem, FilesError> {
    let found = rustix::fs::statfs(path).map_err(fail("statfs", path))?;
    let magic = magic(&found);
    if magic != FUSE {
        return Ok(by_magic(magic));
    }
    let device = rustix::fs::stat(path).map_err(fail("stat", path))?.st_dev;
    let mounts = std::fs::read_to_string(MOUNTS).unwrap_or_default();
    Ok(by_mount(mount_of(&mounts, major(device), minor(device))))
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the numbers have 32 bits; the type of the field differs between architectures"
)]
fn magic(found: &StatFs) -> u32 {
    found.f_type as u32
}

fn by_magic(magic: u32) -> Filesystem {
    let named = |table: &[(u32, &str)]| {
        table.iter().find(|(known, _)| *known == magic).map(|(_, name)| (*name).to_owned())
    };
    if let Some(name) = named(&NETWORK) {
        return Filesystem { name, reach: Reach::Network };
    }
    // What nobody knows is no network: most filesystems are local.
    let name = named(&LOCAL).unwrap_or_else(|| format!("type {magic:#x}"));
    Filesystem { name, reach: Reach::Local }
}

/// What FUSE has mounted: a block device of this machine, or what a program serves.
fn by_mount(mount: Option<Mount<'_>>) -> Filesystem {
    let Some(Mount { kind, source }) = mount else {
        return Filesystem { name: "FUSE".to_owned(), reach: Reach::Served };
    };
    let program = kind.strip_prefix("fuse.").unwrap_or(kind);
    let reach = if kind.starts_with("fuseblk") {
        Reach::Local
    } else if FUSE_NETWORK.contains(&program) || is_elsewhere(source) {
        Reach::Network
    } else {
        Reach::Served
    };
    Filesystem { name: kind.to_owned(), reach }
}

/// Whether a source is an address or `host:/path`.
fn is_elsewhere(source: &str) -> bool {
    source.contains("://")
        || source.split_once(":/").is_some_and(|(host, _)| !host.is_empty() && !host.contains('/'))
}

/// The mount with this device.
fn mount_of(mounts: &str, major: u32, minor: u32) -> Option<Mount<'_>> {
    let device = format!("{major}:{minor}");
    mounts.lines().find_map(|line| {
        // Optional fields of any number end with a dash of their own.
        let (front, back) = line.split_once(" - ")?;
        if front.split(' ').nth(2)? != device {
            return None;
        }
        let mut words = back.split(' ');
        Some(Mount { kind: words.next()?, source: words.next().unwrap_or_default() })
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;
    use tracker_testkit::spec;

    use super::*;

    /// As a machine with each of them shows it.
    const SEEN: &str = "\
21 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
60 21 0:40 / /mnt/away rw,nosuid shared:7 master:2 - fuse.sshfs ann@nas:/srv rw,user_id=0
61 21 0:41 / /mnt/pool rw,relatime - fuse.mergerfs /disks/a:/disks/b rw,user_id=0
62 21 8:17 / /mnt/usb\\040stick rw - fuseblk /dev/sdb1 rw,user_id=0
63 21 0:43 / /mnt/dav rw - fuse https://example.org/dav/ rw,user_id=0
64 21 0:44 / /mnt/cloud rw - fuse.rclone cloud:films rw,user_id=0
65 21 0:45 / /mnt/shared rw - virtiofs shared rw
66 21 0:46 / /mnt/own rw - fuse.ownfs nas.example.org:/pool rw
";

    fn seen(minor: u32) -> (String, Reach) {
        let found = by_mount(mount_of(SEEN, 0, minor));
        (found.name, found.reach)
    }

    #[test]
    fn numbers_of_the_kernel() {
        spec!("data-protection#a-local-filesystem/known-by-its-number");
        // `linux/magic.h`, by their names there.
        for (magic, name, reach) in [
            (0x6969, "NFS", Reach::Network),
            (0x517B, "SMB", Reach::Network),
            (0xFF53_4D42, "CIFS", Reach::Network),
            (0xFE53_4D42, "SMB", Reach::Network),
            (0x0102_1997, "9p", Reach::Network),
            (0x00c3_6400, "Ceph", Reach::Network),
            (0x5346_414F, "AFS", Reach::Network),
            (0xEF53, "ext4", Reach::Local),
            (0x5846_5342, "XFS", Reach::Local),
            (0x9123_683E, "btrfs", Reach::Local),
            (0x794c_7630, "overlay", Reach::Local),
            (0x0102_1994, "tmpfs", Reach::Local),
            (0x1234, "type 0x1234", Reach::Local),
        ] {
            assert_eq!(by_magic(magic), Filesystem { name: name.to_owned(), reach }, "{magic:#x}");
        }
        let mut numbers: Vec<u32> = NETWORK.iter().chain(&LOCAL).map(|(magic, _)| *magic).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), NETWORK.len() + LOCAL.len(), "a number stands twice");
        assert!(!numbers.contains(&FUSE), "the list of mounts decides there");
    }

    #[test]
    fn programs_that_serve_one() {
        spec!("data-protection#a-local-filesystem/served-by-a-program");
        assert_eq!(seen(40), ("fuse.sshfs".to_owned(), Reach::Network));
        assert_eq!(seen(41), ("fuse.mergerfs".to_owned(), Reach::Served));
        assert_eq!(by_mount(mount_of(SEEN, 8, 17)).reach, Reach::Local);
        assert_eq!(seen(43), ("fuse".to_owned(), Reach::Network));
        assert_eq!(seen(44), ("fuse.rclone".to_owned(), Reach::Network));
        assert_eq!(seen(45), ("virtiofs".to_owned(), Reach::Served));
        assert_eq!(seen(46), ("fuse.ownfs".to_owned(), Reach::Network));
        assert_eq!(seen(99), ("FUSE".to_owned(), Reach::Served), "a mount that is not listed");
    }

    #[test]
    fn the_disk_that_is_built_on_is_no_network() {
        let found = of(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        assert!(!found.name.is_empty());
        assert_eq!(of(Path::new("/proc")).unwrap().reach, Reach::Local);
        of(Path::new("/no/such/folder")).unwrap_err();
    }

    proptest! {
        #[test]
        fn any_list_of_mounts_is_read(text in "([0-9:/ a.-]{0,30}\n){0,6}", major: u32, minor in 0..9u32) {
            if let Some(mount) = mount_of(&text, major % 9, minor) {
                prop_assert!(text.contains(mount.kind) && text.contains(mount.source));
            }
        }
    }
}
