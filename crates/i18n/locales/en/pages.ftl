## Frame
skip-to-content = Skip to content
nav-main = Main
nav-inbox = Inbox
nav-library = Library
nav-search = Search
nav-events = Journal
nav-jobs = Jobs
nav-health = Health
nav-settings = Settings
nav-why = How a name is read
switch-language = Переключить на русский
other-language = Русский
switch-theme = Theme: { $theme }. Change
theme-auto = Auto
theme-light = Light
theme-dark = Dark
log-out = Log out
live-paused = Live updates are paused; the page looks again every 10 seconds.
copied = Copied
copy = Copy
copy-path = Copy the path
close = Close
cancel = Cancel
show = Show
all = All
none = None
older = Older
details = Details
id = Id
paused = paused
transfer = Progress
by-itself = By itself
what-to-do = What to do
remedy = What to do:
go-back = Back
back-to-inbox = To the inbox
back-to-owner = To the other download
downloads-of-mark = Downloads with this mark
to-health = To the health checks
undecided = Not decided

## Keys
keys-title = Keys
keys-search = Search
keys-add = Add
keys-go = Go to inbox, library, health
keys-rows = Next and previous row
keys-review = Review
keys-choose = Choose the row
keys-undo = To the button that undoes
keys-close = Close

## Time and figures
just-now = just now
ago = { $span } ago
time-left = { $span } left
moment = { $day } { $month } { $year }, { $time }
day-of-year = { $day } { $month }
day-and-year = { $day } { $month } { $year }
month-1 = Jan
month-2 = Feb
month-3 = Mar
month-4 = Apr
month-5 = May
month-6 = Jun
month-7 = Jul
month-8 = Aug
month-9 = Sep
month-10 = Oct
month-11 = Nov
month-12 = Dec
unit-b = { $n } B
unit-kib = { $n } KiB
unit-mib = { $n } MiB
unit-gib = { $n } GiB
unit-tib = { $n } TiB
unit-per-second = { $size }/s
span-seconds = { $n } s
span-minutes = { $n } min
span-hours = { $n } h
span-days = { $n ->
        [one] { $n } day
       *[other] { $n } days
    }

## Columns
column-about = About
column-action = Action
column-became = What it became
column-check = Check
column-event = Event
column-field = Field
column-file = File
column-found = What was found
column-job = Job
column-match = Taken for
column-name = Name
column-place = Place
column-read-from = Read from
column-role = Kind
column-rule = Rule
column-size = Size
column-state = State
column-target = In the library
column-time = Time
column-transfer = Progress
column-value = Value
column-verified = Verified
column-what = What
column-who = Who

## Inbox
inbox-title = Inbox
inbox-whole = The whole inbox
more = More
none-of-these = None of these.
sift = Filter and order
sift-only = Show
sift-all = all
sift-order = Order
sift-show = Show these
needs-you-title = Needs you
needs-you-empty = Nothing needs you.
active-title = Active
active-empty = Nothing is under way. Paste a magnet link above to begin.
done-title = Done
done-empty = Nothing has ended yet.
choose = Choose
choose-one = Choose { $name }
bulk-chosen = With the chosen:
retry = Retry
rerun = Recognise again
give-up = Give up
review = Review
undo = Undo
links-made = { $n ->
        [one] { $n } link in the library
       *[other] { $n } links in the library
    }

## Add
add-title = Add
add-links = Magnet links or hashes, one a line
add-links-help = A hash has 40 or 64 hexadecimal digits, or 32 letters of base32.
add-placeholder = Magnet or hash
add-button = Add
add-file = File…
add-nothing = Nothing was given. Paste a link or a hash, or choose a file.
add-files = Torrent files
add-options = Options
add-pin = Title
add-pin-help = tmdb:603, tmdb:tv/1399, tvmaze:82, tt0133093, or the address of a page there
add-hint = Hint
add-handler = Open magnet links here
add-result = What became of it
add-rest-lines = { $n ->
        [one] One line was not looked at yet: there were too many at once. It is in the field below.
       *[other] { $n } lines were not looked at yet: there were too many at once. They are in the field below.
    }
add-rest-files = { $n ->
        [one] One file was not looked at: there were too many at once. Choose it anew.
       *[other] { $n } files were not looked at: there were too many at once. Choose them anew.
    }
add-new = New:
add-known = Already here:
add-refused = Not accepted:

## Download
summary = Where it stands
it-is-paused = It is paused.
merged-into = The download it was merged into
change-match = Change match
action-retry = Retry
action-pause = Pause
action-resume = Resume
action-rerun = Recognise again
action-ask-title = Always ask for this title
action-ask-download = Always ask for this download
action-ask-title-off = Do not ask for this title any more
action-ask-download-off = Do not ask any more
action-relink = Link again
action-verify = Check the links
match-title = Match
match-none = Not recognised yet
source-denied = { $source } refuses the token.
source-limited = { $source } has been asked often enough for now.
source-unreachable = { $source } does not answer.
source-unreadable = The answer of { $source } cannot be read.
source-not-found = { $source } has no such work.
source-off = { $source } is not in use.
asked-again = It is asked again at { $time }.
score-parts = Parts of the score
evidence = What was read from the names
files-title = Files
files-unknown = The list of files is not known yet.
story-title = Story
all-events = All entries of the journal
technical-title = Technical details
infohashes = Infohashes
client = Client
accepted-at = Accepted
changed-at = Last change
batch = Batch
plan-id = plan
give-up-title = Give it up
remove-torrent = Remove the torrent from the client
delete-data = Delete the downloaded data
type-name = Name of the download
remove-title = Remove…
remove = Remove
remove-help = Takes the download out of the lists and forgets its torrent. Its page and its story stay. Nothing else goes but what is ticked here.
remove-links = Remove the library links that were made for it
names-ours-none = No link in a library is a name of its files.
names-ours = { $n ->
        [one] { $n } library link that was made for it is another name of its files.
       *[other] { $n } library links that were made for it are other names of its files.
    }
names-others-none = Nothing else links to its files.
names-others = { $n ->
        [one] Besides, { $n } other link to its files remains, and keeps the data of that file.
       *[other] Besides, { $n } other links to its files remain, and keep the data of those files.
    }
names-unseen = { $n ->
        [one] { $n } file was not found.
       *[other] { $n } files were not found.
    }
names-unknown = How many other links to its files remain is not known: they cannot be looked at now.
it-is-removed = It was removed from the lists.
links-stay = Links of it still stand in a library.
links-taken-back = { $n ->
        [one] { $n } link was taken back.
       *[other] { $n } links were taken back.
    }
links-never = No link of it was made.
link-again-brings = The downloaded files stay as they are; “Link again” puts it into the library.
link-again-may-bring = “Link again” puts it into the library where its downloaded files are still there.
type-name-help = Only to delete data. Type:

## Review
review-of = Review: { $name }
back-to-download = To the download
stale-form = This changed while you were looking. Here is how it is now; nothing was done.
stale-events = What happened meanwhile
stale-gone = No longer to be linked
stale-fresh = Now to be linked
stale-unsaved = What you set, which is not saved
review-what = 1. What is it?
review-adjust = 2. Adjust
review-plan = 3. What will happen
review-stands = 3. What was done
plan-stands = These links stand in the library. There is nothing to do.
plan-nothing = There is nothing to link; each file says why.
plan-needs-match = Take a work or the names first; then this can be carried out.
plan-later = This is shown as soon as it is known what it is.
overview = What it is about
take-this = Take this one
take-this-one = Take this one: { $title }
is-taken = taken
no-works-files = Its files are not known yet. The sources are asked once they are.
no-works-looking = It is being looked at.
comes-by-itself = What is found comes onto this page by itself; without scripts, load it again.
no-works-never = It ended before it was looked at.
no-works-silent = A source has not answered, so whether it knows a work that fits is not known yet.
no-works-no-source = No source of titles is set up, so none was asked. Set tmdb_token or tvmaze in [metadata], or take it as the names say.
no-works-unknown = The sources have answered, and none of them knows a work that fits.
no-works-as-named = It is taken as the names say; no work of a source goes with it.
no-works-no-title = The names tell no title, so no source was asked. Say what it is.
no-works-not-asked = No source was asked: none that is set up knows works of this kind.
review-other = None of these: id or address of the title
take-names = Take it as the names say
reject = This is wrong
set-by-person = set by hand
set-remembered = remembered
remembered-from = remembered from { $who }
remember = remember for this release group
remember-help = What is set by hand here then holds for every other release of { $release }: title, year, kind, numbering, edition, library and the chosen work. A word of a person on a download always wins.
remember-no-group = Its names tell no release group, so nothing can be remembered for one.
remember-no-title = Its names tell no title, so nothing can be remembered for it.
files-of = { $n ->
        [one] { $n } file
       *[other] { $n } files
    }
include-file = Include
include-one = Include {$file}
skip-file = Leave out
season-of = Season of { $file }
episodes-of = Episodes of { $file }
skip-of = Leave out { $file }
save-and-look = Save and look again
shift-by = Shift all episodes by
shift-help = Adds to the shift that is set, and to episodes that were set by hand. Specials beside other episodes stay. All of them move, or none.
shift-all = Shift all
overrides-title = Set by hand
take-back = Take back
take-back-one = Take back { $field }
numbering-aired = As aired
numbering-absolute = Absolute
plan-links = { $n ->
        [one] { $n } link
       *[other] { $n } links
    }
plan-skipped = { $n ->
        [one] { $n } skipped
       *[other] { $n } skipped
    }
plan-conflicts = { $n ->
        [one] { $n } conflict
       *[other] { $n } conflicts
    }
resolve-of = What to do about { $target }
apply-links = { $n ->
        [one] Apply { $n } link
       *[other] Apply { $n } links
    }
apply-choice = Apply the choice
take-and-link = { $n ->
        [one] Take this match and make { $n } link
       *[other] Take this match and make { $n } links
    }
take-and-choose = Take this match and apply the choice
save-match = Save the match, link when complete
undone-title = Undone
undone-left = These names were left, since they are not what was linked:

## Other pages
events-title = Journal
events-none = No entries.
jobs-title = Jobs and backups
jobs-list = Jobs
jobs-none = No jobs yet.
backups-title = Backups
backups-none = No backups yet.
backup-now = Back up now
verify = Verify
health-title = Health
look-again = Run all checks again
why-title = How a name is read
why-help = Shows what is read from the name of a release or a file, and by which rule. Nothing is changed by it.
why-name = Name of a release or a file
why-button = Read
search-title = Search
search-what = Title, number, id or hash
search-help = A title with or without its year, tmdb:603, tt0133093, tvmaze:82, the address of a page there, a bare number, a part of the name of a download, the id of anything or its last 8 letters, or an infohash or its first 8 digits.
search-found = { $n ->
        [one] { $n } download
       *[other] { $n } downloads
    }

search-removed = { $n ->
        [one] { $n } removed download
       *[other] { $n } removed downloads
    }
is-removed = removed
search-no-source = No source of titles is set up, so titles were not looked for.
search-no-works = No source knows a title like this.
search-no-answer = No title was found, and not every source has answered.
search-no-downloads = No download here has this name, id or hash.
search-nothing = Nothing was found for “{ $text }”. What may help:
search-try-title = fewer words, or the original title, without the year;
search-try-number = the number of the work or the address of its page at TMDB, TVmaze or IMDb, such as tmdb:603;
search-try-download = another part of the name of the download as its torrent has it, the last 8 letters of an id, or the first 8 digits of a hash.
search-try-add = Add a download

## Log-in
log-in = Log in
login-name = Name
login-password = Password
login-lost = The password is lost? On the machine of tracker this command makes a link that logs you in:
login-by-link = This link logs you in once.
login-wrong = The name or the password is wrong.
login-wrong-link = This link was used, or is older than 15 minutes. Make another with `tracker user login-link`.
login-too-often = Too many attempts. Try again in { $span }.

## Library and settings
library-title = Library
library-empty = Nothing is linked yet.
settings-title = Settings
account-of = Account { $name }
password-former = Present password
password-new = New password
password-help = 10 to 256 characters. All other browsers are logged out.
password-set = Set the password
sessions-title = Logged-in browsers
this-browser = this one
session-end = Log it out
column-browser = Browser
column-seen = Last seen
column-until = Until
remembered-title = Remembered for release groups
remembered-help = What was set by hand for one release holds for every other one of the same group and title. What is forgotten is not taken over any more; a download that took it over keeps it until it is recognised again.
remembered-none = Nothing is remembered. Tick the box when you adjust a download on its review.
column-group = Release group
column-said = Said by
forget = Forget
forget-one = Forget: { $what }
tokens-title = API tokens
column-scope = May
column-used = Last used
scope-read = look
scope-write = look and change
scope-admin = everything
never = never
token-name = Name of a new token
token-new = Make a token
token-revoke = Revoke
token-revoke-one = Revoke { $name }
token-shown-once = This is the only time the token is shown:

## Search, trials and values
review-search = Search for another title
search-for = A title for { $name }
back-to-review = Back to its review
in-library = in the library
search-downloads-of = Downloads:
search-add = Add a download of it
undo-newest = Undo the newest links
undo-newest-of = Undo the newest links of { $title }
trial-fine = It works:
trial-bad = It does not work:
time-zone = Time zone
time-zone-help = Such as Europe/Berlin. Empty: that of the browser.
time-zone-set = Set the time zone
values-title = Settings that hold
values-file = Read at the start from { $file }. To change one, change that file and restart; what comes from the environment or a flag is changed there.
values-no-file = No file was read. tracker config init writes one.
column-setting = Key
column-origin = From
not-set = not set
try = Test
try-one = Test { $name }
names-title = Names in the library
column-pattern = Pattern
column-example = Example
search-works = { $n ->
        [one] { $n } title
       *[other] { $n } titles
    }

## What was done
told-undone = { $n ->
        [one] Undone: { $n } link was taken out of the library.
       *[other] Undone: { $n } links were taken out of the library.
    }
told-removed = It was removed from the lists. Its page and its story stay.
told-given-up = { $n ->
        [one] { $n } download was given up. Retry takes it up again.
       *[other] { $n } downloads were given up. Retry takes them up again.
    }
told-retried = { $n ->
        [one] { $n } download is tried again.
       *[other] { $n } downloads are tried again.
    }
told-asked-again = { $n ->
        [one] { $n } download is recognised again.
       *[other] { $n } downloads are recognised again.
    }
told-paused = It is paused now.
told-resumed = It goes on.
told-linked = { $n ->
        [one] Linked again: { $n } link.
       *[other] Linked again: { $n } links.
    }
told-links-fine = { $n ->
        [one] { $n } link was checked and is as it was made.
       *[other] { $n } links were checked and are as they were made.
    }
told-links-amiss = { $n ->
        [one] { $n } link is not as it was made; the list of files says which.
       *[other] { $n } links are not as they were made; the list of files says which.
    }
told-asks = You will be asked from now on.
told-asks-no-more = You will not be asked any more.
told-nothing-chosen = Nothing was chosen.
told-password = The new password is set. All other browsers are logged out.
told-no-password = Your account has no password, so each login needs a new link. Set one here:
told-zone = The time zone is set.
told-browser-out = That browser is logged out.
told-token-revoked = The token is revoked.
told-forgotten = It is forgotten.
told-job-ends = The job was told to end.
told-backup-begun = The backup has begun.
told-verify-begun = The backup is being verified.
told-looked = All checks were run again.
