//! The words of releases: what each one says, and whether a title may hold it.
//!
//! The table is hashed at compile time; a look-up reads the word once.

mod strong;
mod table;
mod weak;

pub use table::look_up;

/// What a word says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// The height of the picture.
    Resolution(&'static str),
    /// Where the picture is from.
    Source(&'static str),
    /// A disc's own streams, and where they are from.
    RemuxOf(&'static str),
    /// The codec of the picture.
    Video(&'static str),
    /// The codec of the sound.
    Audio(&'static str),
    /// The range of the picture.
    Hdr(&'static str),
    /// A language.
    Language(&'static str),
    /// A cut.
    Edition(&'static str),
    /// Not encoded anew.
    Remux,
    /// Corrected by another group.
    Proper,
    /// Corrected by the same group.
    Repack,
    /// A word of releases that fills no field.
    Junk,
    /// `complete`, and words like it.
    Complete,
    /// `season`.
    Season,
    /// `episode`.
    Episode,
    /// `part`, `cd`, `disc`.
    Part,
    /// `of`.
    Of,
    /// The last episode.
    End,
    /// OVA and the like: outside the season.
    Special,
    /// A month.
    Month(u8),
    /// `edition`, `cut`, `version`: makes an edition of the word before it.
    Cut,
    /// A kind of broadcast or list, as Russian trackers write it in a bracket.
    Category,
    /// Music, books, software: nothing for the library.
    Foreign(&'static str),
}

impl Tag {
    /// Says something of picture, sound or source.
    pub const fn is_technical(self) -> bool {
        matches!(
            self,
            Tag::Resolution(_)
                | Tag::Source(_)
                | Tag::RemuxOf(_)
                | Tag::Video(_)
                | Tag::Audio(_)
                | Tag::Hdr(_)
                | Tag::Remux
        )
    }
}

/// A word of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// What it says.
    pub tag: Tag,
    /// Whether it may be a word of a title as well.
    pub weak: bool,
}
