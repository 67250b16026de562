//! The system's error numbers: their names for people, their kinds for the core.

use rustix::io::Errno;
use tracker_domain::ports::FilesErrorKind;

/// Names that stand in `errno.h`.
macro_rules! names {
    ($errno:expr, { $($constant:ident = $name:literal,)+ }) => {
        match $errno {
            $(Errno::$constant => $name.to_owned(),)+
            other => format!("errno {}", other.raw_os_error()),
        }
    };
}

/// The name of an error number, such as `EXDEV`.
pub fn errno_name(errno: Errno) -> String {
    names!(errno, {
        ACCESS = "EACCES", AGAIN = "EAGAIN", BADF = "EBADF", BUSY = "EBUSY", DQUOT = "EDQUOT",
        EXIST = "EEXIST", FBIG = "EFBIG", INTR = "EINTR", INVAL = "EINVAL", IO = "EIO",
        ISDIR = "EISDIR", LOOP = "ELOOP", MFILE = "EMFILE", MLINK = "EMLINK",
        NAMETOOLONG = "ENAMETOOLONG", NFILE = "ENFILE", NOENT = "ENOENT", NOMEM = "ENOMEM",
        NOSPC = "ENOSPC", NOSYS = "ENOSYS", NOTDIR = "ENOTDIR", NOTEMPTY = "ENOTEMPTY",
        OPNOTSUPP = "EOPNOTSUPP", PERM = "EPERM", ROFS = "EROFS", STALE = "ESTALE",
        TIMEDOUT = "ETIMEDOUT", XDEV = "EXDEV", HOSTDOWN = "EHOSTDOWN", NOTCONN = "ENOTCONN",
        CANCELED = "ECANCELED", NOTTY = "ENOTTY", NODEV = "ENODEV", NXIO = "ENXIO", TXTBSY = "ETXTBSY", OVERFLOW = "EOVERFLOW",
    })
}

/// What the core does about an error number.
pub fn errno_kind(errno: Errno) -> FilesErrorKind {
    match errno {
        Errno::NOENT => FilesErrorKind::NotFound,
        Errno::EXIST => FilesErrorKind::Exists,
        Errno::XDEV => FilesErrorKind::CrossDevice,
        Errno::PERM => FilesErrorKind::NotPermitted,
        Errno::ACCESS => FilesErrorKind::Denied,
        Errno::MLINK => FilesErrorKind::TooManyLinks,
        Errno::NOSPC => FilesErrorKind::NoSpace,
        Errno::DQUOT => FilesErrorKind::Quota,
        Errno::ROFS => FilesErrorKind::ReadOnly,
        Errno::NAMETOOLONG => FilesErrorKind::NameTooLong,
        // An ioctl that a filesystem does not know is `ENOTTY`.
        Errno::OPNOTSUPP | Errno::NOSYS | Errno::NOTTY => FilesErrorKind::Unsupported,
        Errno::IO => FilesErrorKind::Io,
        _ => FilesErrorKind::Other,
    }
}

/// The error number of a failed standard library call.
pub fn errno_of(error: &std::io::Error) -> Errno {
    Errno::from_io_error(error).unwrap_or(Errno::IO)
}

#[cfg(test)]
mod tests {
    use super::{Errno, FilesErrorKind, errno_kind, errno_name};

    #[test]
    fn names_and_kinds() {
        assert_eq!(errno_name(Errno::XDEV), "EXDEV");
        assert_eq!(errno_kind(Errno::XDEV), FilesErrorKind::CrossDevice);
        assert_eq!(errno_name(Errno::from_raw_os_error(4000)), "errno 4000");
        assert_eq!(errno_kind(Errno::DQUOT), FilesErrorKind::Quota);
    }
}
