//! Numbers that stand for the rows of a table.

/// Lets a number, `$id(n)`, stand for row n of the table `ROWS: [$row; _]` beside it, whose rows have a `name`.
macro_rules! row_by_number {
    ($id:ident, $row:ident, $what:literal) => {
        impl $id {
            #[inline]
            pub(super) fn row(self) -> &'static $row {
                &ROWS[usize::from(self.0)]
            }

            #[doc = concat!("The ", $what, " with this name.")]
            pub fn named(name: &str) -> Option<Self> {
                Self::all().find(|one| one.name() == name)
            }

            /// The name.
            pub fn name(self) -> &'static str {
                self.row().name
            }

            /// The names of all.
            pub fn names() -> impl Iterator<Item = &'static str> {
                Self::all().map(Self::name)
            }

            /// All, in the order of the table.
            pub(super) fn all() -> impl Iterator<Item = Self> {
                (0..ROWS.len()).map(|n| Self(n as u8))
            }
        }
    };
}

pub(super) use row_by_number;
