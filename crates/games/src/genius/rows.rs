//! Row-number types for tables.

/// Defines `$id(n)`, the number of row n of the table `ROWS: [$row; _]` in the same module; rows
/// have a `name`.
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

            /// All names.
            pub fn names() -> impl Iterator<Item = &'static str> {
                Self::all().map(Self::name)
            }

            /// All rows, in table order.
            pub(super) fn all() -> impl Iterator<Item = Self> {
                (0..ROWS.len()).map(|n| Self(n as u8))
            }
        }
    };
}

pub(super) use row_by_number;
