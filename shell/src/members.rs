//! The members of a command in the view.

use std::sync::LazyLock;

macro_rules! members {
    ($($name:ident $text:literal $usual:literal,)*) => {
        /// The members of a command.
        pub const COMMAND_MEMBERS: [&str; [$($text),*].len()] = [$($text),*];

        /// A member of a command.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Member { $($name,)* }

        impl Member {
            #[cfg(test)]
            const ALL: [Self; COMMAND_MEMBERS.len()] = [$(Self::$name),*];

            /// Its name as a key of JSON.
            pub(super) const fn key(self) -> &'static str {
                match self { $(Self::$name => concat!("\"", $text, "\":"),)* }
            }

            /// The key, the value that most commands have, and a comma.
            pub(super) const fn usual(self) -> &'static str {
                match self { $(Self::$name => concat!("\"", $text, "\":", $usual, ","),)* }
            }
        }
    };
}

members! {
    Args "args" "[]",
    Cwd "cwd" "null",
    Env "env" "{}",
    Flags "flags" "{}",
    Globs "globs" "[]",
    Known "known" "true",
    Name "name" "null",
    Operands "operands" "[]",
    Path "path" "null",
    PipesTo "pipes_to" "[]",
    Redirects "redirects" "[]",
    Repeated "repeated" "{}",
    Rest "rest" "[]",
    Runs "runs" "[]",
    Sub "sub" "null",
    Via "via" "[]",
}

/// The members that most commands have a value of their own for, and those between them.
static GROUPS: [&[Member]; 8] = {
    use Member::{
        Args, Cwd, Env, Flags, Globs, Known, Name, Operands, Path, PipesTo, Redirects, Repeated, Rest, Runs,
        Sub, Via,
    };
    [
        &[Args],
        &[Cwd],
        &[Env, Flags, Globs, Known],
        &[Name],
        &[Operands],
        &[Path, PipesTo, Redirects, Repeated],
        &[Rest],
        &[Runs, Sub, Via],
    ]
};

/// A set of members of a command: a view without those that nobody reads costs less.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Members {
    bits: u32,
    /// By group, its members with their usual values.
    usual: [String; GROUPS.len()],
}

impl Members {
    /// Every member.
    #[must_use]
    pub fn all() -> &'static Self {
        static ALL: LazyLock<Members> = LazyLock::new(|| Members::from_bits(MemberBits::ALL));
        &ALL
    }

    /// These members.
    #[must_use]
    pub fn from_bits(members: MemberBits) -> Self {
        let bits = members.0;
        let usual = GROUPS.map(|group| {
            let of_group = group.iter().filter(|member| bits >> **member as u32 & 1 == 1);
            of_group.map(|member| member.usual()).collect()
        });
        Self { bits, usual }
    }

    /// Whether no member is missing.
    pub(super) const fn is_all(&self) -> bool {
        self.bits == MemberBits::ALL.0
    }

    pub(super) const fn has(&self, member: Member) -> bool {
        self.bits >> member as u32 & 1 == 1
    }

    /// By group, its members with their usual values and commas; empty for a group without members.
    pub(super) fn groups(&self) -> impl Iterator<Item = (&'static [Member], &str)> {
        GROUPS.iter().copied().zip(self.usual.iter().map(String::as_str))
    }
}

/// Members of a command, by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemberBits(u32);

impl MemberBits {
    /// Every member.
    pub const ALL: Self = Self((1 << COMMAND_MEMBERS.len()) - 1);
    /// No member.
    pub const NONE: Self = Self(0);

    /// The member with a name; none if no member has it.
    #[must_use]
    pub fn named(name: &str) -> Self {
        COMMAND_MEMBERS.binary_search(&name).map_or(Self::NONE, |at| Self(1 << at))
    }

    /// The members of either set.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl<'n> FromIterator<&'n str> for MemberBits {
    fn from_iter<T: IntoIterator<Item = &'n str>>(names: T) -> Self {
        names.into_iter().fold(Self::NONE, |masks, name| masks.and(Self::named(name)))
    }
}

#[cfg(test)]
mod tests {
    use super::{COMMAND_MEMBERS, GROUPS, Member, MemberBits};

    #[test]
    fn every_member_is_in_one_group() {
        assert!(COMMAND_MEMBERS.is_sorted());
        assert_eq!(GROUPS.concat(), Member::ALL);
        assert_eq!(COMMAND_MEMBERS.into_iter().collect::<MemberBits>(), MemberBits::ALL);
        assert_eq!(MemberBits::named("nam"), MemberBits::NONE);
    }
}
