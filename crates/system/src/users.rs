//! Names of users, from the user database and never from the environment, which
//! anybody can set.

/// Where the users of the machine are listed.
const PASSWD: &str = "/etc/passwd";

/// The name of a user, if the machine knows one.
#[must_use]
pub fn user_name(uid: u32) -> Option<String> {
    name_in(&std::fs::read_to_string(PASSWD).ok()?, uid)
}

/// The name of the user who runs this process; the number where there is no
/// name, as in many containers.
#[must_use]
pub fn login_name() -> String {
    let uid = rustix::process::getuid().as_raw();
    user_name(uid).unwrap_or_else(|| uid.to_string())
}

fn name_in(passwd: &str, uid: u32) -> Option<String> {
    passwd.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next().filter(|name| !name.is_empty())?;
        let found: u32 = fields.nth(1)?.parse().ok()?;
        (found == uid).then(|| name.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::{login_name, name_in};

    #[test]
    fn names_are_found_by_number() {
        let passwd = "# comment\nroot:x:0:0:root:/root:/bin/sh\n:x:5:\nbroken\nqbt:x:1000:1000::/:/bin/false\n";
        assert_eq!(name_in(passwd, 0).as_deref(), Some("root"));
        assert_eq!(name_in(passwd, 1000).as_deref(), Some("qbt"));
        assert_eq!(name_in(passwd, 5), None);
        assert_eq!(name_in("", 0), None);
        assert!(!login_name().is_empty());
    }
}
