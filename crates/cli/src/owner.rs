//! Whose data directory it is.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::failure::ApiFailure;

const PASSWD: &str = "/etc/passwd";

/// Refuses a data directory that belongs to somebody else: what we would write
/// there its owner could not use any more, and root is no exception.
///
/// # Errors
/// The directory has another owner, or may not be looked at.
pub fn check_owner(data_dir: &Path) -> Result<(), ApiFailure> {
    let owner = match data_dir.metadata() {
        Ok(metadata) => metadata.uid(),
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
            return Err(ApiFailure::unauthorised(format!(
                "{} may not be looked at by this user; use --server and a token, or run the command as its owner with sudo -u",
                data_dir.display()
            )));
        }
        // A directory that is not there yet belongs to nobody.
        Err(_) => return Ok(()),
    };
    let us = rustix::process::geteuid().as_raw();
    let passwd = std::fs::read_to_string(PASSWD).unwrap_or_default();
    refusal(data_dir, owner, us, &passwd).map_or(Ok(()), Err)
}

/// The refusal, when there has to be one.
pub(crate) fn refusal(data_dir: &Path, owner: u32, us: u32, passwd: &str) -> Option<ApiFailure> {
    if owner == us {
        return None;
    }
    let name = login_of(passwd, owner).unwrap_or_else(|| format!("'#{owner}'"));
    Some(ApiFailure::unauthorised(format!(
        "{} belongs to another user; run the command as that one, `sudo -u {name} tracker …`, or ask the daemon with --server URL and a token",
        data_dir.display()
    )))
}

/// The login name of a user, from the text of `/etc/passwd`.
#[must_use]
pub fn login_of(passwd: &str, uid: u32) -> Option<String> {
    passwd.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        let found: u32 = fields.nth(1)?.parse().ok()?;
        (found == uid && !name.is_empty()).then(|| name.to_owned())
    })
}
