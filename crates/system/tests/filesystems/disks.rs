//! Filesystems in files, in memory and on top of each other.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Where a payload lies and where links go, on something that was mounted.
pub struct Disk {
    pub downloads: PathBuf,
    pub library: PathBuf,
}

impl Disk {
    /// Both in one mount.
    pub fn below(mount: &Path) -> Self {
        let disk = Disk { downloads: mount.join("downloads"), library: mount.join("library") };
        std::fs::create_dir_all(&disk.downloads).unwrap();
        std::fs::create_dir_all(&disk.library).unwrap();
        disk
    }
}

/// A disk, or why the machine cannot have it.
pub type Prepared = Result<Disk, String>;

/// Runs a tool that a package has.
///
/// # Panics
/// When it is missing or fails.
pub fn tool(package: &str, name: &str, arguments: &[&str]) {
    if let Err(said) = try_tool(package, name, arguments) {
        panic!("{name} {arguments:?} failed: {said}");
    }
}

fn try_tool(package: &str, name: &str, arguments: &[&str]) -> Result<(), String> {
    let output = Command::new(name)
        .args(arguments)
        .output()
        .unwrap_or_else(|error| panic!("{name}: {error}; install it: apt-get install {package}"));
    if output.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
}

pub fn mount(arguments: &[&str]) {
    tool("mount", "mount", arguments);
}

pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Whether the kernel knows a filesystem; a module would be loaded by a mount,
/// so a kernel with modules is asked by mounting.
fn kernel_has(name: &str) -> Result<(), String> {
    let known = std::fs::read_to_string("/proc/filesystems").unwrap();
    let built_in = known.lines().any(|line| line.split_whitespace().last() == Some(name));
    if built_in || Path::new("/proc/modules").exists() {
        return Ok(());
    }
    Err(format!("the kernel of this machine has no {name} and loads no modules"))
}

/// An image of so many MiB, empty.
fn image(place: &Path, name: &str, mebibytes: u64) -> PathBuf {
    let path = place.join(format!("{name}.img"));
    std::fs::File::create(&path).unwrap().set_len(mebibytes << 20).unwrap();
    path
}

fn folder(place: &Path, name: &str) -> PathBuf {
    let path = place.join(name);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// A filesystem in an image, mounted through a loop device.
fn looped(
    place: &Path,
    (name, package): (&str, &str),
    mebibytes: u64,
    options: &[&str],
) -> Result<PathBuf, String> {
    kernel_has(name)?;
    let image = image(place, name, mebibytes);
    let mkfs = format!("mkfs.{name}");
    let arguments: Vec<&str> = options.iter().copied().chain([text(&image)]).collect();
    tool(package, &mkfs, &arguments);
    let at = folder(place, name);
    let mounting = ["-t", name, "-o", "loop", text(&image), text(&at)];
    match try_tool("mount", "mount", &mounting) {
        Ok(()) => Ok(at),
        Err(said) if said.contains("unknown filesystem type") => {
            Err(format!("the kernel of this machine has no {name}: {said}"))
        }
        Err(said) => panic!("{name} could not be mounted: {said}"),
    }
}

pub fn ext4(place: &Path) -> Prepared {
    Ok(Disk::below(&looped(place, ("ext4", "e2fsprogs"), 64, &["-q", "-F"])?))
}

pub fn xfs(place: &Path) -> Prepared {
    Ok(Disk::below(&looped(place, ("xfs", "xfsprogs"), 320, &["-q", "-f", "-m", "reflink=1"])?))
}

pub fn btrfs(place: &Path) -> Prepared {
    Ok(Disk::below(&looped(place, ("btrfs", "btrfs-progs"), 160, &["-q", "-f"])?))
}

/// Two subvolumes of one btrfs, mounted once.
pub fn btrfs_subvolumes(place: &Path) -> Prepared {
    let mounted = looped(place, ("btrfs", "btrfs-progs"), 160, &["-q", "-f"])?;
    for name in ["downloads", "library"] {
        let path = mounted.join(name);
        tool("btrfs-progs", "btrfs", &["subvolume", "create", text(&path)]);
    }
    Ok(Disk { downloads: mounted.join("downloads"), library: mounted.join("library") })
}

pub fn vfat(place: &Path) -> Prepared {
    Ok(Disk::below(&looped(place, ("vfat", "dosfstools"), 64, &[])?))
}

pub fn exfat(place: &Path) -> Prepared {
    Ok(Disk::below(&looped(place, ("exfat", "exfatprogs"), 64, &[])?))
}

fn tmpfs_at(place: &Path, options: &str) -> PathBuf {
    let at = folder(place, "tmpfs");
    mount(&["-t", "tmpfs", "-o", options, "tmpfs", text(&at)]);
    at
}

pub fn tmpfs(place: &Path) -> Prepared {
    Ok(Disk::below(&tmpfs_at(place, "size=16m")))
}

/// The payload is written before the disk is full.
pub fn without_space(place: &Path, payload: &dyn Fn(&Disk)) -> Prepared {
    let at = tmpfs_at(place, "size=256k");
    let disk = Disk::below(&at);
    payload(&disk);
    let chunk = vec![1_u8; 4096];
    let mut filler = std::fs::File::create(at.join("filler")).unwrap();
    while std::io::Write::write_all(&mut filler, &chunk).is_ok() {}
    Ok(disk)
}

pub fn without_inodes(place: &Path, payload: &dyn Fn(&Disk)) -> Prepared {
    let at = tmpfs_at(place, "size=16m,nr_inodes=64");
    let disk = Disk::below(&at);
    payload(&disk);
    for number in 0.. {
        if std::fs::File::create(at.join(format!("filler-{number}"))).is_err() {
            break;
        }
    }
    Ok(disk)
}

pub fn read_only(place: &Path, payload: &dyn Fn(&Disk)) -> Prepared {
    let at = tmpfs_at(place, "size=16m");
    let disk = Disk::below(&at);
    payload(&disk);
    mount(&["-o", "remount,ro", text(&at)]);
    Ok(disk)
}

/// Two bind mounts of one disk, as two volumes of a container.
pub fn two_binds(place: &Path) -> Prepared {
    let at = tmpfs_at(place, "size=16m");
    let disk = Disk { downloads: folder(place, "books"), library: folder(place, "media") };
    for (from, to) in [("downloads", &disk.downloads), ("library", &disk.library)] {
        mount(&["--bind", text(&folder(&at, from)), text(to)]);
    }
    Ok(disk)
}

pub fn two_disks(place: &Path) -> Prepared {
    let disk = Disk { downloads: folder(place, "one"), library: folder(place, "two") };
    for at in [&disk.downloads, &disk.library] {
        mount(&["-t", "tmpfs", "-o", "size=16m", "tmpfs", text(at)]);
    }
    Ok(disk)
}

/// The payload lies in the lower layer, which cannot be written.
pub fn overlay(place: &Path, payload: &dyn Fn(&Disk)) -> Prepared {
    kernel_has("overlay")?;
    let at = tmpfs_at(place, "size=16m");
    let (lower, upper, work) = (folder(&at, "lower"), folder(&at, "upper"), folder(&at, "work"));
    payload(&Disk::below(&lower));
    let merged = folder(place, "merged");
    let layers =
        format!("lowerdir={},upperdir={},workdir={}", text(&lower), text(&upper), text(&work));
    mount(&["-t", "overlay", "-o", &layers, "overlay", text(&merged)]);
    Ok(Disk { downloads: merged.join("downloads"), library: merged.join("library") })
}

/// NTFS over FUSE: no `RENAME_NOREPLACE` there.
pub fn ntfs(place: &Path) -> Prepared {
    kernel_has("fuseblk")?;
    let image = image(place, "ntfs", 64);
    tool("ntfs-3g", "mkntfs", &["-q", "-F", "-Q", text(&image)]);
    let at = folder(place, "ntfs");
    tool("ntfs-3g", "ntfs-3g", &[text(&image), text(&at)]);
    Ok(Disk::below(&at))
}

/// exFAT over FUSE: no hard links there.
pub fn exfat_over_fuse(place: &Path) -> Prepared {
    kernel_has("fuseblk")?;
    let image = image(place, "exfat-fuse", 64);
    tool("exfatprogs", "mkfs.exfat", &[text(&image)]);
    let at = folder(place, "exfat-fuse");
    // It wants a block device, unlike NTFS.
    let device = Command::new("losetup").args(["--find", "--show"]).arg(&image).output().unwrap();
    assert!(device.status.success(), "{}", String::from_utf8_lossy(&device.stderr));
    let device = String::from_utf8_lossy(&device.stdout).trim().to_owned();
    tool("exfat-fuse", "mount.exfat-fuse", &[&device, text(&at)]);
    // It goes as soon as it is not used any more.
    tool("mount", "losetup", &["--detach", &device]);
    Ok(Disk::below(&at))
}

/// Downloads on the first branch of a union, the library on the second one alone.
pub fn union(place: &Path, payload: &dyn Fn(&Disk)) -> Prepared {
    merged(place, payload, Union { apart: true, inodes_last: true })
}

/// Both on the first branch.
pub fn one_branch(place: &Path, payload: &dyn Fn(&Disk)) -> Prepared {
    merged(place, payload, Union { apart: false, inodes_last: true })
}

/// Every name has an inode number of its own.
pub fn unstable(place: &Path, payload: &dyn Fn(&Disk)) -> Prepared {
    merged(place, payload, Union { apart: false, inodes_last: false })
}

/// How a union is mounted.
struct Union {
    /// The library lies on another branch than the downloads.
    apart: bool,
    inodes_last: bool,
}

/// Path-preserving: what is not on one branch with its folder is refused.
fn merged(place: &Path, payload: &dyn Fn(&Disk), union: Union) -> Prepared {
    kernel_has("fuse")?;
    let (one, two) = (folder(place, "branch-1"), folder(place, "branch-2"));
    for at in [&one, &two] {
        mount(&["-t", "tmpfs", "-o", "size=16m", "tmpfs", text(at)]);
    }
    let library = if union.apart { &two } else { &one };
    let disk = Disk { downloads: folder(&one, "downloads"), library: folder(library, "library") };
    payload(&disk);
    let merged = folder(place, "union");
    let branches = format!("{}:{}", text(&one), text(&two));
    let mut options = "category.create=epff,ignorepponrename=false,link-exdev=passthrough,\
        minfreespace=0"
        .to_owned();
    if union.inodes_last {
        options.push_str(",use_ino");
    }
    tool("mergerfs", "mergerfs", &["-o", &options, &branches, text(&merged)]);
    Ok(Disk { downloads: merged.join("downloads"), library: merged.join("library") })
}
