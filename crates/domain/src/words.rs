//! Closed lists of words, as the database has them in columns of text.

/// Declares such a list: an enum whose variants have their words, and are read back from
/// them. The first line names the error of a text that is none of them; it is made from
/// the text and from the words that there are.
macro_rules! words {
    (
        $error:ident;
        $(#[$doc:meta])* $name:ident { $($(#[$each:meta])* $variant:ident = $word:literal;)+ }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$each])* $variant,)+
        }

        impl $name {
            /// Each of them.
            pub const ALL: &'static [$name] = &[$($name::$variant,)+];

            /// The word of the column.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)+
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $error;

            fn from_str(text: &str) -> Result<Self, $error> {
                let known = Self::ALL.iter().copied().find(|word| word.as_str() == text);
                known.ok_or_else(|| $error::new(text, &[$($word,)+]))
            }
        }
    };
}
pub(crate) use words;
