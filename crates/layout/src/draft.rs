//! How a plan comes about: files are sorted, sidecars find their videos, videos
//! get names that leave room for them, the rest follows.

use std::collections::HashMap;

use tracker_domain::library::LibraryKind;
use tracker_domain::observed::RemoteFile;
use tracker_domain::recognised::{Fields, FileRole, Role, TitleKind};

use crate::disc::{self, Discs};
use crate::extra::{self, Extra, Places};
use crate::name::path_key;
use crate::naming::{Extras, FileValues, Numbering, Template, values_of};
use crate::plan::{Plan, PlanInput, SkipReason, Style};
use crate::sidecar::{Found, Tails, Videos, beside};
use crate::target::{Fit, Target, extension, folder_and_name, folders, lay_out, safe_source};

/// Plans the links of one torrent.
#[must_use]
pub fn plan_as(input: &PlanInput<'_>, style: &Style<'_>) -> Plan {
    let draft = Draft::new(input, style);
    let mut plan = Plan::default();
    let mut sorted = Vec::with_capacity(input.files.len());
    let mut files: Vec<&RemoteFile> = input.files.iter().collect();
    files.sort_by_key(|file| file.index);
    for file in files {
        match draft.sort(file) {
            Ok(what) => sorted.push((file, what)),
            Err(reason) => plan.add(input, file, (Role::Unknown, None), Err(reason)),
        }
    }
    draft.place(sorted, &mut plan);
    plan.finish()
}

/// What a file is to be, before it has a name.
enum What<'a> {
    Video {
        values: Box<FileValues>,
        template: &'a Template,
        extension: String,
    },
    Sidecar {
        role: Role,
        orphan: SkipReason,
    },
    /// A text that is chapters when a video has its name.
    Text,
    Extra(Extra<'a>),
    Picture {
        name: &'static str,
        extension: String,
    },
    Disc {
        rest: String,
    },
}

/// A video and what goes with it.
struct Video<'a> {
    file: &'a RemoteFile,
    values: Box<FileValues>,
    template: &'a Template,
    extension: String,
    room: usize,
    target: Result<Target, SkipReason>,
}

struct Sidecar<'a> {
    file: &'a RemoteFile,
    role: Role,
    video: usize,
    tail: String,
    extension: String,
}

struct Draft<'a> {
    input: &'a PlanInput<'a>,
    style: &'a Style<'a>,
    roles: HashMap<u32, &'a FileRole>,
    discs: Discs<'a>,
    /// Numbers without a season count through all of them.
    through: bool,
}

impl<'a> Draft<'a> {
    fn new(input: &'a PlanInput<'a>, style: &'a Style<'a>) -> Self {
        let recognised = input.recognised;
        let roles: HashMap<u32, &FileRole> =
            recognised.files.iter().map(|role| (role.index, role)).collect();
        let mut discs = Discs::default();
        for file in input.files {
            discs.add(file, roles.get(&file.index).map(|role| role.role), input.name_limit);
        }
        let said = |entry: &tracker_domain::recognised::Evidence| {
            entry.field == "numbering" && entry.value == "absolute"
        };
        let through =
            input.library.kind == LibraryKind::Anime || recognised.evidence.iter().any(said);
        Draft { input, style, roles, discs, through }
    }

    /// Whether a file may be linked at all, and as what.
    fn sort(&self, file: &'a RemoteFile) -> Result<What<'a>, SkipReason> {
        let safe = safe_source(&file.path);
        if let Some(disc) = self.discs.of(&file.path).filter(|_| safe) {
            return disc.map(|rest| What::Disc { rest });
        }
        if !file.selected {
            return Err(SkipReason::NotSelected);
        }
        if !safe {
            return Err(SkipReason::UnsafePath);
        }
        let role = self.roles.get(&file.index).copied().ok_or(SkipReason::UnknownKind)?;
        let what = match role.role {
            Role::Main => self.video(file, &role.fields)?,
            Role::Subtitle => {
                What::Sidecar { role: Role::Subtitle, orphan: SkipReason::OrphanSubtitle }
            }
            Role::Audio => What::Sidecar { role: Role::Audio, orphan: SkipReason::OrphanAudio },
            Role::Chapters => What::Sidecar { role: Role::Chapters, orphan: SkipReason::Info },
            Role::Artwork => {
                let (name, extension) = extra::picture(&file.path).ok_or(SkipReason::Extra)?;
                What::Picture { name, extension }
            }
            Role::Info if extension_of(file).as_deref() == Some("xml") => What::Text,
            Role::Extra => self.extra(file)?,
            Role::LeftOut => return Err(SkipReason::LeftOut),
            Role::Unknown if extension_of(file).as_deref().is_some_and(disc::is_image) => {
                self.image(file, &role.fields)?
            }
            Role::Sample => return Err(SkipReason::Sample),
            Role::Info => return Err(SkipReason::Info),
            Role::Archive => return Err(SkipReason::Archive),
            Role::Executable => return Err(SkipReason::Executable),
            Role::Unknown => return Err(SkipReason::UnknownKind),
        };
        if file.complete { Ok(what) } else { Err(SkipReason::Incomplete) }
    }

    fn extra(&self, file: &'a RemoteFile) -> Result<What<'a>, SkipReason> {
        if self.style.naming.extras == Extras::Skip || file.size_bytes == 0 {
            return Err(SkipReason::Extra);
        }
        extra::extra(&file.path).map(What::Extra).ok_or(SkipReason::Extra)
    }

    /// An image of a disc is a film of one file, where it is a film.
    fn image(&self, file: &'a RemoteFile, own: &Fields) -> Result<What<'a>, SkipReason> {
        match own.kind.or(self.input.recognised.fields.kind) {
            Some(TitleKind::Movie) => self.video(file, own),
            _ => Err(SkipReason::UnknownKind),
        }
    }

    fn video(&self, file: &'a RemoteFile, own: &Fields) -> Result<What<'a>, SkipReason> {
        let (template, values) = self.named(own)?;
        let extension = extension_of(file).ok_or(SkipReason::UnknownKind)?;
        Ok(What::Video { values: Box::new(values), template, extension })
    }

    /// The pattern for a file and its values.
    fn named(&self, own: &Fields) -> Result<(&'a Template, FileValues), SkipReason> {
        let whole = &self.input.recognised.fields;
        let naming = self.style.naming;
        let kind = own.kind.or(whole.kind).ok_or(SkipReason::UnknownKind)?;
        let numbering = match kind {
            TitleKind::Movie | TitleKind::Other => Ok(None),
            TitleKind::Series | TitleKind::Anime => Numbering::of(own, self.through).map(Some),
        };
        let known = numbering.clone().ok().flatten();
        let values = values_of(own, whole, known, naming.id, self.style.tmdb);
        let values = values.ok_or(SkipReason::NoTitle)?;
        let absolute = numbering?.is_some_and(|numbering| numbering.is_absolute());
        match kind {
            TitleKind::Other => Err(SkipReason::UnknownKind),
            _ => Ok((naming.template(kind, absolute), values)),
        }
    }

    /// Names everything that was sorted.
    fn place(&self, sorted: Vec<(&'a RemoteFile, What<'a>)>, plan: &mut Plan) {
        let mut known = Videos::default();
        let mut videos: Vec<Video<'a>> = Vec::new();
        let mut rest = Vec::new();
        for (file, what) in sorted {
            match what {
                What::Video { values, template, extension } => {
                    known.add(&file.path, videos.len());
                    let target = Err(SkipReason::NoTitle);
                    videos.push(Video { file, values, template, extension, room: 0, target });
                }
                other => rest.push((file, other)),
            }
        }
        let (sidecars, rest) = self.sidecars(rest, &known, &mut videos, plan);
        self.name(&mut videos);
        self.tell_versions_apart(&mut videos);
        let places = self.add_videos(&videos, sidecars, plan);
        self.add_rest(rest, &places, plan);
    }

    /// Finds the videos of sidecars, which tells how much room those have to leave.
    fn sidecars(
        &self,
        rest: Vec<(&'a RemoteFile, What<'a>)>,
        known: &Videos<'a>,
        videos: &mut [Video<'a>],
        plan: &mut Plan,
    ) -> (Vec<Sidecar<'a>>, Vec<(&'a RemoteFile, What<'a>)>) {
        let mut tails = Tails::default();
        let (mut sidecars, mut others) = (Vec::new(), Vec::new());
        for (file, what) in rest {
            let (role, orphan, found) = match what {
                What::Sidecar { role, orphan } => (role, orphan, known.find(&file.path)),
                What::Text => {
                    let found = known.named(&file.path);
                    let found = found.map(|video| Found { video, tail: String::new() });
                    (Role::Chapters, SkipReason::Info, found)
                }
                other => {
                    others.push((file, other));
                    continue;
                }
            };
            let extension = extension_of(file);
            let (Some(mut found), Some(extension)) = (found, extension) else {
                plan.add(self.input, file, (role, None), Err(orphan));
                continue;
            };
            if role == Role::Chapters {
                ".chapters".clone_into(&mut found.tail);
            }
            let tail = tails.give(&file.path, &found, &extension);
            if let Some(video) = videos.get_mut(found.video) {
                video.room = video.room.max(tail.len() + 1 + extension.len());
            }
            sidecars.push(Sidecar { file, role, video: found.video, tail, extension });
        }
        (sidecars, others)
    }

    fn name(&self, videos: &mut [Video<'a>]) {
        for video in videos {
            video.target = video.lay_out(self.input.name_limit, None);
        }
    }

    /// Files of one name that differ in what a release says of itself get it into
    /// their names. What differs in nothing stays, for a person.
    fn tell_versions_apart(&self, videos: &mut [Video<'a>]) {
        let mut same: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, video) in videos.iter().enumerate() {
            if let Ok(target) = &video.target {
                let key = path_key(&target.path());
                same.entry(key).or_default().push(at);
            }
        }
        for group in same.into_values().filter(|group| group.len() > 1) {
            let said = |at: &usize| videos.get(*at).map(|video| video.values.versions());
            let all: Vec<[Option<&str>; 3]> = group.iter().filter_map(said).collect();
            let differs: Vec<usize> = (0..3)
                .filter(|field| {
                    let mut values = all.iter().map(|version| version.get(*field));
                    let first = values.next();
                    values.any(|value| Some(value) != first)
                })
                .collect();
            let labels: Vec<String> = all
                .iter()
                .map(|version| {
                    let told = |field: &usize| version.get(*field).copied().flatten();
                    differs.iter().filter_map(told).collect::<Vec<_>>().join(" ")
                })
                .collect();
            for (at, label) in group.into_iter().zip(labels) {
                if let Some(video) = videos.get_mut(at).filter(|_| !label.is_empty()) {
                    video.target = video.lay_out(self.input.name_limit, Some(&label));
                }
            }
        }
    }

    fn add_videos(
        &self,
        videos: &[Video<'a>],
        sidecars: Vec<Sidecar<'a>>,
        plan: &mut Plan,
    ) -> Places<'a> {
        let mut places = Places::default();
        for video in videos {
            if let Ok(target) = &video.target {
                places.add(&video.file.path, &target.folders);
            }
            plan.add(self.input, video.file, (Role::Main, None), video.target.clone());
        }
        for sidecar in sidecars {
            let video = videos.get(sidecar.video);
            let target = video.and_then(|video| video.target.as_ref().ok());
            let target = target.map(|video| beside(video, &sidecar.tail, sidecar.extension)).ok_or(
                match sidecar.role {
                    Role::Audio => SkipReason::OrphanAudio,
                    Role::Chapters => SkipReason::Info,
                    _ => SkipReason::OrphanSubtitle,
                },
            );
            let with = video.map(|video| video.file.index);
            plan.add(self.input, sidecar.file, (sidecar.role, with), target);
        }
        places
    }

    /// Discs, extras and pictures.
    fn add_rest(
        &self,
        rest: Vec<(&'a RemoteFile, What<'a>)>,
        places: &Places<'a>,
        plan: &mut Plan,
    ) {
        let disc_folders = self.disc_folders();
        let mut names: Names = HashMap::new();
        let mut pictures: HashMap<&'static str, ()> = HashMap::new();
        for (file, what) in rest {
            let (role, target) = match what {
                What::Disc { rest } => {
                    let folders = disc_folders.as_ref().map_err(|reason| *reason);
                    (Role::Main, folders.map(|folders| disc::target(&rest, folders)))
                }
                What::Extra(found) => {
                    let target = places.of(found.of).and_then(|folders| {
                        extra::target(&file.path, found.kind, folders, self.input.name_limit)
                    });
                    let target = target.map(|target| numbered(target, &mut names));
                    (Role::Extra, target.ok_or(SkipReason::Extra))
                }
                What::Picture { name, extension } => {
                    let target = self.picture(file, name, extension, places);
                    // Of two posters the first is the one.
                    let first = target.is_some() && pictures.insert(name, ()).is_none();
                    (Role::Artwork, target.filter(|_| first).ok_or(SkipReason::Extra))
                }
                What::Video { .. } | What::Sidecar { .. } | What::Text => continue,
            };
            plan.add(self.input, file, (role, None), target);
        }
    }

    /// A picture of the title: only from the folder of the torrent, and only where
    /// the torrent is one title. Deeper ones are of a season or of something else.
    fn picture(
        &self,
        file: &RemoteFile,
        name: &str,
        extension: String,
        places: &Places<'_>,
    ) -> Option<Target> {
        let kind = self.input.recognised.fields.kind?;
        let (folder, _) = folder_and_name(&file.path);
        if folder.contains('/') {
            return None;
        }
        places.of(folder)?;
        let depth = self.style.naming.template(kind, false).title_depth();
        let title: Vec<String> = places.of("")?.iter().take(depth).cloned().collect();
        let target = Target { folders: title, stem: name.to_owned(), extension };
        (!target.folders.is_empty()).then_some(target)
    }

    /// The folders of the title that a disc goes below.
    fn disc_folders(&self) -> Result<Vec<String>, SkipReason> {
        let whole = &self.input.recognised.fields;
        match whole.kind {
            Some(TitleKind::Movie) => {}
            Some(TitleKind::Series | TitleKind::Anime) => return Err(SkipReason::NoEpisode),
            Some(TitleKind::Other) | None => return Err(SkipReason::UnknownKind),
        }
        let (template, values) = self.named(&Fields::default())?;
        let named = folders(template, &values, self.input.name_limit);
        if !named.is_empty() {
            return Ok(named);
        }
        let fit = Fit { limit: self.input.name_limit, room: 0, label: None };
        lay_out(template, &values, "", &fit).map(|target| vec![target.stem])
    }
}

impl Video<'_> {
    fn lay_out(&self, limit: usize, label: Option<&str>) -> Result<Target, SkipReason> {
        let fit = Fit { limit, room: self.room, label };
        lay_out(self.template, &self.values, &self.extension, &fit)
    }
}

fn extension_of(file: &RemoteFile) -> Option<String> {
    extension(folder_and_name(&file.path).1).map(|(_, extension)| extension)
}

/// The names that extras have, and the number that comes next.
type Names = HashMap<String, u32>;

/// `Interview.mkv`, `Interview (2).mkv`.
fn numbered(mut target: Target, names: &mut Names) -> Target {
    let key = |target: &Target| path_key(&target.path());
    let first = key(&target);
    let stem = target.stem.clone();
    loop {
        if names.insert(key(&target), 2).is_none() {
            return target;
        }
        let next = names.entry(format!("{first}/next")).or_insert(2);
        target.stem = format!("{stem} ({next})");
        *next += 1;
    }
}
