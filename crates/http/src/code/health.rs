//! What the codes of health checks mean.

use super::{Text, text};

/// The text of a check, by its code.
pub(super) fn text_of(code: &str) -> Option<Text> {
    client_text(code)
        .or_else(|| links_text(code))
        .or_else(|| folder_text(code))
        .or_else(|| house_text(code))
        .or_else(|| notifier_text(code))
        .or_else(|| telegram_text(code))
        .or_else(|| media_server_text(code))
}

/// What health says of links, of each client with each library.
fn links_text(code: &str) -> Option<Text> {
    Some(match code {
        "links-proven" => text(
            "Links from the client into the library work",
            "A file that the client has written was really linked into the library, and the link was removed at once.",
            "Nothing to do.",
        ),
        "links-not-proven" => text(
            "Links into the library are not proven yet",
            "A file of our own could be linked, or none could be made there, and the client has no complete file yet that could be tried: files of the client may belong to another user.",
            "Nothing to do: the first completed file settles it before it is linked.",
        ),
        "links-impossible" => text(
            "Links into the library do not work",
            "A link was tried and the system refused it. Two bind mounts or container volumes of one disk are two filesystems for links; and with protected hard links a user may only link files that it owns or may write.",
            "Mount one common parent of downloads and library; let client and tracker share a group with umask 002, or run as one user. Nothing is ever copied in the place of a link.",
        ),
        _ => return None,
    })
}

/// What health says of the folders of the configuration.
fn folder_text(code: &str) -> Option<Text> {
    Some(match code {
        "no-library" => text(
            "No library is configured",
            "Downloads are followed until they are complete and rest there, since there is no folder to link them into.",
            "Add a [[library]] to the configuration and restart.",
        ),
        "library-root-missing" => text(
            "The folder of a library is missing",
            "The configured root is not there, or is no folder. It is never made by itself: it may be a disk that is not mounted, and links would land below the mount point.",
            "Mount the disk, or make the folder; what was blocked can be retried then.",
        ),
        "watch-folder" => text(
            "The watch folder does not work as it should",
            "The folder that files are dropped into is missing or cannot be written, or files in it cannot be read or moved. It is never made by itself: it may be a disk that is not mounted.",
            "Mount the disk or make the folder, and let the user that runs tracker read, write and move there. It goes on by itself.",
        ),
        _ => return None,
    })
}

/// What health says of what the program itself stands on.
fn house_text(code: &str) -> Option<Text> {
    Some(match code {
        "database-integrity" => text(
            "The database is whole",
            "The whole file is read at the start and once a day, and nothing was found.",
            "Nothing to do.",
        ),
        "database-damaged" => text(
            "The database is damaged",
            "Reading the whole file found what should not be there. A disk that fails or a file that was copied while it was written leaves that behind.",
            "Stop tracker, keep a copy of the file, run tracker db check, and restore a copy that is whole.",
        ),
        "data-dir-space" => text(
            "Space for the database",
            "How much is free on the disk of the data directory. Without room nothing can be written down, so nothing goes on.",
            "Below 1 GiB make room on that disk.",
        ),
        "data-dir-filesystem" => text(
            "The filesystem of the database",
            "The database is written through memory that all processes share and is guarded by locks. A disk of this machine has both; over a network they do not work, and a program that serves a filesystem may have them or not.",
            "Stop tracker, move the data directory to a disk of this machine, and set general.data_dir to it. Libraries and downloads may stay where they are.",
        ),
        "write-ahead-log" => text(
            "The write-ahead log",
            "What was written last stands in a file of its own, which is written back into the database from time to time. It grows while something reads and does not end.",
            "From 256 MiB on end programs that read tracker.db and do not let go of it, or restart tracker.",
        ),
        "clock" => text(
            "The clock goes on",
            "The clock of this machine shows no time before what was written already.",
            "Nothing to do.",
        ),
        "clock-behind" => text(
            "The clock was set back",
            "The journal has an entry that is later than the clock shows. Ids stay in order, times do not, and what waits for a time waits longer.",
            "Set the clock of this machine, for example by NTP.",
        ),
        "backup-target" => text(
            "The place of the backups",
            "The folder or the object store that backups are put to. It is listed at the start and each hour, and what lies there is compared with the rows.",
            "If it is not green, mount the disk, make room, or correct target and keys of [backup]. Nothing else waits for it.",
        ),
        "backup-overdue" => text(
            "The age of the newest backup",
            "A backup is made as often as [backup] every says. It is a warning when the newest one is older than twice that, or none came about.",
            "Look at the page of jobs, or at tracker jobs and tracker backup list, for the cause, mend it, and make a backup there or with tracker backup.",
        ),
        "backup-damaged" => text(
            "A backup cannot be restored from",
            "A backup was fetched and checked as for a restore, and did not stand it: its hash, its format or the database in it is not as it was put.",
            "Make a new one and verify it, on the page of jobs or with tracker backup and tracker backup verify, and look at the disk of the target.",
        ),
        _ => return None,
    })
}

/// What health says of receivers of messages.
fn notifier_text(code: &str) -> Option<Text> {
    Some(match code {
        "notifier" => text(
            "A receiver of messages",
            "The receiver takes what it is sent; the detail says when the last message was taken.",
            "Nothing to do.",
        ),
        "notifier-failing" => text(
            "A receiver of messages does not take one",
            "The next message was not acknowledged. It is tried again with growing pauses, and no other receiver waits for it.",
            "Start the receiver, and look at url and secret of the [[notify]].",
        ),
        "notifier-dead-letters" => text(
            "Messages were put aside",
            "A receiver would not take them after all attempts. What came behind them went on.",
            "Mend what the detail says, then run tracker notify retry with the name of the receiver: they are sent again. tracker notify dead lists them.",
        ),
        "notifier-setup" => text(
            "A receiver of messages cannot be used",
            "The settings of the receiver cannot be used, so it is not told of anything.",
            "Correct this [[notify]] in the configuration and restart.",
        ),
        _ => return None,
    })
}

/// What health says of the bot.
fn telegram_text(code: &str) -> Option<Text> {
    Some(match code {
        "telegram" => text(
            "The bot of Telegram",
            "The bot asks Telegram for what people write to it, and is answered, or Telegram brings it.",
            "Nothing to do.",
        ),
        "telegram-conflict" => text(
            "Somebody else reads the messages of the bot",
            "Telegram gives what people write to one program alone, and another one asks with the same token, or a webhook is set for it that is not of this configuration. What people write may go there.",
            "End the other program, or give one of the two another token from @BotFather. The bot goes on by itself.",
        ),
        "telegram-denied" => text(
            "Telegram refuses the token of the bot",
            "The token in [telegram] is not, or not any more, that of a bot. Everything else goes on without it.",
            "Ask @BotFather for the token, correct [telegram] token, and restart.",
        ),
        "telegram-unreachable" => text(
            "Telegram does not answer",
            "The last question to the Bot API failed. It is asked again with growing pauses; what people write meanwhile is kept there for a day.",
            "Look at the network of this machine, and at [telegram] api_url where it is set.",
        ),
        "telegram-webhook" => text(
            "Telegram does not reach the webhook",
            "Telegram cannot bring what people write to [telegram] webhook_url, or is refused there. It tries again by itself and keeps everything for a day.",
            "Look at the proxy: it has to lead from webhook_url, with its path and all headers, to webhook_listen, and to have a certificate that is valid.",
        ),
        "telegram-setup" => text(
            "The settings of the bot cannot be used",
            "The section [telegram] has a token or an address that cannot be used, or webhook_listen is taken, so the bot reads nothing.",
            "Correct [telegram] in the configuration and restart. Where the address was only taken, free it: it is tried again.",
        ),
        _ => return None,
    })
}

/// What health says of clients and of sources of metadata.
fn client_text(code: &str) -> Option<Text> {
    Some(match code {
        "database" => text(
            "The database",
            "Whether the database can be read. Without it nothing can be accepted or shown.",
            "Look at the disk and at the rights of the data directory, then run tracker db check. Restore a copy when it reports damage.",
        ),
        "no-daemon" => text(
            "No daemon runs",
            "The command found no daemon on this data directory and made the checks itself. What is accepted meanwhile is kept, and nothing goes on with it.",
            "Start tracker serve. In the long run let the service manager start it.",
        ),
        "no-client" => text(
            "No torrent client is configured",
            "Downloads are accepted and stay queued until there is a client.",
            "Add a [[client]] to the configuration and restart.",
        ),
        "client-reachable" => text(
            "The torrent client answers",
            "The client was asked and answered; the detail says which version it is.",
            "Nothing has to be done.",
        ),
        "client-credentials" => text(
            "The torrent client refuses the password",
            "User, password or key of the [[client]] are wrong. No further login is tried with them, since the client would ban this address.",
            "Correct them in the configuration and restart.",
        ),
        "client-banned" => text(
            "The torrent client has banned this address",
            "After too many failed logins the client answers nobody from here for a while.",
            "Correct the password first, then wait until the ban ends or restart the client.",
        ),
        "client-incident" => text(
            "What the torrent client shows cannot be believed",
            "Its list is empty, or most of it is gone at once. That happens after a restart and while it checks its data, so nothing counts as missing on its word.",
            "Look at the client: whether it is still starting, and whether its data is there. It passes by itself once the list is whole again.",
        ),
        "client-folder-not-visible" => text(
            "The folder of the torrent client is not visible here",
            "The folder that it saves to does not exist on this side. Free space cannot be checked, and nothing can be linked from there.",
            "Mount the folder here too, or add a path_map to the [[client]] that says where it is.",
        ),
        "client-settings" => text(
            "A setting of the torrent client is worth a look",
            "The client works, but one of its settings does not go well with linking. The detail names it.",
            "Change it as the check says, or leave it if it is meant.",
        ),
        "metadata-denied" => text(
            "A metadata source refuses the token",
            "The source of titles does not accept the token of the configuration, so it is not asked. What only it could tell waits.",
            "Correct the token in [metadata] and restart, or take it out to go on without this source.",
        ),
        "metadata-unreachable" => text(
            "A metadata source does not answer",
            "The source of titles cannot be reached, or its answer cannot be read. Downloads go on; what needs its answer waits.",
            "Look at the network and at the address in [metadata]. It goes on by itself once the source answers.",
        ),
        "metadata-setup" => text(
            "A metadata source cannot be used",
            "The settings of a source of titles cannot be used, so it is off. What only it could tell waits or asks.",
            "Correct the address or the token in [metadata] and restart, or turn the source off.",
        ),
        "metadata-limited" => text(
            "A metadata source asks for patience",
            "The source of titles has answered that it is asked too often, and is left alone for as long as it said.",
            "Nothing has to be done; it goes on by itself.",
        ),
        _ => return None,
    })
}

/// What health says of media servers.
fn media_server_text(code: &str) -> Option<Text> {
    Some(match code {
        "media-server-reachable" => text(
            "The media server answers",
            "The media server was asked for its libraries and answered; the detail names them.",
            "Nothing to do.",
        ),
        "media-server-unreachable" => text(
            "The media server does not answer",
            "The media server cannot be reached, or what it answers cannot be read. Links are made all the same, and it is told of them when it is back.",
            "Start the media server, and look at url and kind of the [[media_server]] and at any proxy on the way.",
        ),
        "media-server-denied" => text(
            "The media server refuses the token",
            "The token of the [[media_server]] is wrong, or was taken back there. Links are made all the same.",
            "Set the token anew and restart. For Jellyfin it is an API key of the dashboard, for Plex the token of the owner.",
        ),
        "media-server-limited" => text(
            "The media server asks for patience",
            "It answered that it was asked too often, and is not asked for as long as it says.",
            "Nothing to do: it goes on by itself.",
        ),
        "media-server-outside" => text(
            "A folder lies outside the media server",
            "Links were made in a folder that is in no library of the media server, as far as paths can tell, so it cannot be told to look there.",
            "Add the folder to a library of the media server, or say in path_map of the [[media_server]] where it is for the server, and restart.",
        ),
        "media-server-setup" => text(
            "The media server cannot be used",
            "The settings of the media server cannot be used, so it is not told of anything. Links are made all the same.",
            "Correct this [[media_server]] in the configuration and restart.",
        ),
        "library-in-no-media-server" => text(
            "A library is in no media server",
            "The folder of a library is in no library of any media server that is configured, so what is linked there is shown nowhere.",
            "Where it should be shown, add the folder to a library of a media server, or say in path_map where it is for the server, and restart. Otherwise nothing has to be done.",
        ),
        "seeding-dry-run" => text(
            "The seeding rules are on trial",
            "The rules of [seeding] would end torrents now; since dry_run is on, nothing is done. The detail says how many and names one.",
            "tracker seeding lists them. Set dry_run = false where the rules are right.",
        ),
        _ => return None,
    })
}
