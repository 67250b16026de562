#!/bin/sh
# Starts tracker in a container. As root it becomes the user PUID of the group PGID, and
# gives /config to them; as another user (--user) it stays that one. It asks no list of
# users: the numbers need no names.
set -eu

UMASK=${UMASK:-002}
case $UMASK in
    [0-7][0-7][0-7] | 0[0-7][0-7][0-7]) ;;
    *)
        echo "tracker: UMASK=$UMASK is no umask; write three octal digits, such as 002" >&2
        exit 2
        ;;
esac
umask "$UMASK"
# The daemon sets its own one, so it has to know.
export TRACKER__GENERAL__UMASK="${TRACKER__GENERAL__UMASK:-$UMASK}"

if [ "$(id -u)" -ne 0 ]; then
    exec tracker "$@"
fi

PUID=${PUID:-1000}
PGID=${PGID:-1000}
for number in "PUID=$PUID" "PGID=$PGID"; do
    case ${number#*=} in
        '' | *[!0-9]*)
            echo "tracker: $number is no number; \`id\` on the host shows yours" >&2
            exit 2
            ;;
    esac
done
# Nothing but /config, and there only what is not theirs yet; never into /data. Where a
# file cannot be given away, such as one that is mounted read-only, the rest still is.
find /config -xdev \( ! -uid "$PUID" -o ! -gid "$PGID" \) -exec chown -h "$PUID:$PGID" {} + \
    || echo "tracker: not all of /config could be given to $PUID:$PGID" >&2
exec setpriv --reuid "$PUID" --regid "$PGID" --clear-groups --no-new-privs tracker "$@"
