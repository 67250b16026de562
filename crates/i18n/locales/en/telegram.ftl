## What was handed over
bot-accepted = Accepted.
bot-here = Already here.
bot-here-at = Already here ({ $share } %).
bot-here-ended = Already here: { $state }.
bot-in-library = Already in the library.
bot-hint-taken = Hint: { $text }
bot-not-accepted = Not accepted:
bot-nothing-found = There is no magnet link, no hash and no .torrent file in this message. /help tells what can be sent.
bot-link-none = This is neither a magnet link nor a hash.
bot-link-too-long = The link is too long.
bot-link-broken = There is a line break inside the link. Send one link at a time.
bot-link-without-hash = The link has no infohash of BitTorrent.
bot-link-bad-hash = The infohash in the link is malformed. Copy the link again, whole.
bot-link-of-two = The link has the infohashes of two torrents. Send one torrent a link.
bot-file-page = This is a page of a site, not a .torrent file. Log in there and download the file again.
bot-file-link = This is a text with a link, not a .torrent file. Send the text itself.
bot-file-packed = This is packed, not a .torrent file. Unpack it and send what is in it.
bot-file-other = This is a file of a torrent client or a tracker, not a .torrent file.
bot-file-damaged = This is no usable .torrent file. Download it again.
bot-file-not-fetched = The file cannot be fetched from Telegram. Send it again.
bot-file-too-large = The file is too large for a .torrent file.

## A download
bot-taken-for = Taken for: { $what }
bot-best-guess = Best guess: { $what }
bot-fits = { $what }, { $score } %
bot-season = season { $n }
bot-id = Id:
bot-cause = { $source }: { $cause }

## What can be done about it
bot-do-needs-review = Press Review and say what it is.
bot-do-no-metadata = Wait for a seed, or give it up and send the .torrent file, or a link with more trackers.
bot-do-metadata-unavailable = It goes on by itself when the source answers. Review takes it as the names say meanwhile.
bot-do-stalled = Wait for a seed, or give it up and take another release.
bot-do-client-unknown = Add its client to the configuration again.
bot-do-client-error = Mend the torrent in the client, then press Retry.
bot-do-client-rejected = Send the .torrent file instead of the link, or use another client.
bot-do-client-cannot-v2 = Update the client, or send a link with a v1 infohash.
bot-do-client-missing = Retry adds it again. If it was removed on purpose, leave it as it is.
bot-do-gone-from-client = Nothing, unless it should go on seeding: then send it again.
bot-do-disk-full = Free some space, then press Retry.
bot-do-path-unmapped = Add a path_map to the client in the configuration, then press Retry.
bot-do-source-missing = Look whether the disk is mounted and the file was moved, then press Retry.
bot-do-source-changed = Let the client check the torrent, then link it again.
bot-do-link-failed = Mend what the detail names. It is tried again by itself when the library is well; after another mending press Retry.
bot-do-conflict = Look at the plan. What is in the way is settled on the page, or by another match.
bot-do-archive = Unpack it yourself, or take a release that is not packed.
bot-do-unsafe-content = Do not open it. Give it up and take another release.
bot-do-not-media = Nothing, if that was meant. Else look whether the link is the right one.
bot-do-infohash-owned = Give the other download up or wait until it is done, then press Retry.
bot-do-merge-differs = Look at the detail and correct what should be different.

## Buttons
bot-button-review = Review
bot-button-match = Change match
bot-button-accept = Accept: { $what }
bot-button-this = This is it
bot-button-names = Take it as the names say
bot-button-retry = Retry
bot-button-undo = Undo
bot-button-cancel = Give up
bot-button-cancel-surely = Yes, give it up
bot-button-no = No
bot-button-page = Open page
bot-button-look = Look again
bot-button-back = Back
bot-button-previous = Previous
bot-button-next = Next
bot-button-none = None of these
bot-button-candidates = The candidates
bot-button-plan = What will happen
bot-button-season = S{ $n }
bot-button-specials = Specials
bot-button-apply = { $n ->
        [one] Apply { $n } link
       *[other] Apply { $n } links
    }

## Review
bot-place = { $n } of { $all }
bot-doubts = What is not sure:
bot-say-what = Answer this message with a title and its year, a number such as tmdb:603 or tt0133093, or the address of a page of TMDB, TVmaze or IMDb.
bot-or-narrow = Or say its kind and season below; it is recognised again by itself.
bot-no-change = In this state its match cannot be changed.

## Plan
bot-plan-title = What will happen
bot-plan-empty = Nothing would be linked.
bot-plan-into = Into:
bot-plan-skipped = Left out:
bot-plan-in-the-way = In the way:
bot-plan-later = It is not complete yet. Links follow the accepted match when it is.
bot-plan-settle = Nothing is linked before that is settled: on the page, or by another match.
bot-and-more = { $n ->
        [one] and { $n } more
       *[other] and { $n } more
    }
bot-undone-links = { $n ->
        [one] { $n } link was removed. The download is as it was.
       *[other] { $n } links were removed. The download is as it was.
    }
bot-cancel-sure = Give it up? What it has brought stays where it is, and so does the torrent in the client.

## Notices
bot-notice-done = In the library
bot-notice-needs-you = Needs you
bot-notice-failed = Failed
bot-notice-of = { $n ->
        [one] { $n } event
       *[other] { $n } events
    }

## Answers to commands
bot-list-empty = There are no downloads. Send a magnet link to begin.
bot-active-empty = Nothing is under way.
bot-search-none = Nothing was found for: { $text }
bot-search-ask = Say what to look for: /search and a title, a number such as tmdb:603, or a hash.
bot-show-ask = Say which one: /show and its id. /list shows what there is.
bot-not-found = There is no download with this id.
bot-health-well = Everything is well.
bot-events-title = What happened last
bot-help = Send a magnet link, a hash or a .torrent file, forwarded messages as well. What else the message says is a hint to what it is.
bot-help-viewer = You may look, and change nothing.
bot-command-list = Downloads, by who must act
bot-command-show = One download: /show and its id
bot-command-search = Find a title, a download or an id
bot-command-health = What works and what does not
bot-command-events = What happened last
bot-command-lang = English or Russian: /lang en, /lang ru
bot-command-help = What can be sent
bot-lang-ask = Say which language: /lang en or /lang ru
bot-lang-set = I speak English with you now.

## Answers to presses
bot-changed = This changed meanwhile. Here is how it is now; nothing was done.
bot-gone = It is not there any more.
bot-other-version = This button is of another version. Here is how it is now.
bot-bad-button = This button cannot be read.
bot-viewer-refused = You may look, and change nothing.
bot-stranger = This bot works for its owner only.
bot-did-accept = Accepted.
bot-did-say = Noted. It is recognised again.
bot-did-apply = The links are being made.
bot-did-undo = Undone.
bot-did-retry = It is tried again.
bot-did-cancel = Given up.

## Refusals
bot-refused-request = The request cannot be used.
bot-refused-pin = This names no title. Write tmdb:603, tmdb:tv/1399, tvmaze:82 or tt0133093, or the address of a page.
bot-refused-field = There is no such field.
bot-refused-library = There is no such library.
bot-refused-client = There is no such client.
bot-refused-not-found = There is no such thing.
bot-refused-no-client = No torrent client is configured.
bot-refused-log-in = Logging in did not work.
bot-refused-not-in-client = The client has no such torrent.
bot-refused-owned = Another active download has this torrent.
bot-refused-state = Not possible in this state.
bot-refused-backups = The place of the backups does not do it.
bot-refused-superseded = A newer one took its place. Look at it again.
bot-refused-plan = The plan is another one by now. Look at it again.
bot-refused-conflict = Something is in the way.
bot-refused-client-away = The torrent client does not answer. What was accepted goes on by itself when it is back.
bot-refused-disk-full = The disk of the data directory is full, so nothing was done.
bot-refused-busy = Another program keeps the database, so nothing was done. Try again in a moment.
bot-refused-fault = Something went wrong here. The log says more.
