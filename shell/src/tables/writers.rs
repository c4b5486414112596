//! Programs that write files which their arguments name.

use super::model::words;

/// Which operands a program writes, besides the files of its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Outputs {
    /// None.
    Nothing,
    /// All of them.
    Operands,
    /// All of them, if one of these options is there.
    Edited(&'static str),
    /// The first one.
    First,
    /// The second one.
    Second,
    /// The last one, or a file in it, with the content of the others.
    Copies,
    /// The same, if the subcommand is one of these.
    CopiesOf(&'static str),
    /// Each one without its last ending.
    Unpacked,
    /// A file with the name at the end of an address.
    Download,
    /// Files in the current directory, or in that of an option, whose names are not on the line.
    Folder,
    /// `NAME=VALUE`.
    Dd,
    /// A directory that gets the name of what is copied, unless another one is named.
    Clone,
}

/// A program that writes files.
#[derive(Debug)]
pub(in super::super) struct Writer {
    /// Its names, separated by spaces. A name that has no row of its own has that of the first name of its entry.
    names: &'static str,
    /// The flags whose value is a file that it writes.
    options: &'static str,
    /// The flags whose value is the directory of what it writes.
    folders: &'static str,
    /// The operands that it writes.
    pub(in super::super) outputs: Outputs,
}

const fn writer(
    names: &'static str,
    options: &'static str,
    folders: &'static str,
    outputs: Outputs,
) -> Writer {
    Writer { names, options, folders, outputs }
}

impl Writer {
    /// Whether the value of a flag is a file that it writes.
    pub(in super::super) fn is_output(&self, flag: &str) -> bool {
        words(self.options).any(|own| own == flag)
    }

    /// Whether the value of a flag is the directory of what it writes.
    pub(in super::super) fn is_folder(&self, flag: &str) -> bool {
        words(self.folders).any(|own| own == flag)
    }
}

/// The row of a program.
pub(super) fn find(name: &str) -> Option<&'static Writer> {
    WRITERS.iter().find(|writer| words(writer.names).any(|own| own == name))
}

/// The names of all rows.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    WRITERS.iter().flat_map(|writer| words(writer.names))
}

const WRITERS: &[Writer] = &[
    writer("tee sponge ed vi emacs nano", "", "", Outputs::Operands),
    writer(
        "curl",
        "o output D dump-header c cookie-jar trace trace-ascii stderr libcurl etag-save hsts alt-svc",
        "output-dir",
        Outputs::Download,
    ),
    writer(
        "wget",
        "O output-document o output-file a append-output save-cookies",
        "P directory-prefix",
        Outputs::Download,
    ),
    writer("aria2c", "o out", "d dir", Outputs::Folder),
    writer("axel", "o output", "", Outputs::Folder),
    writer("http https xh xhs", "o output", "", Outputs::Nothing),
    writer("sort shuf iconv age gpg pandoc base64 xmllint psql", "o output", "", Outputs::Nothing),
    writer("mysql", "tee", "", Outputs::Nothing),
    writer("openssl", "out", "", Outputs::Nothing),
    writer("time strace ltrace", "o output", "", Outputs::Nothing),
    writer("find", "fprint fprint0 fprintf fls", "", Outputs::Nothing),
    writer("sed", "", "", Outputs::Edited("i in-place I")),
    writer("perl ruby", "", "", Outputs::Edited("i")),
    writer("jq", "", "", Outputs::Edited("i in-place inplace")),
    writer("awk", "", "", Outputs::Edited("i include")),
    writer("dd", "", "", Outputs::Dd),
    writer("cp mv install ln", "", "t target-directory", Outputs::Copies),
    writer("rsync scp rclone", "", "", Outputs::Copies),
    writer("aws", "", "", Outputs::CopiesOf("cp mv sync get-object")),
    writer("gcloud", "", "", Outputs::CopiesOf("cp mv rsync copy move")),
    writer("docker", "", "", Outputs::CopiesOf("cp")),
    writer("kubectl", "", "", Outputs::CopiesOf("cp")),
    writer("uniq xxd lwp-download", "", "", Outputs::Second),
    writer("script", "O log-out B log-io I log-in", "", Outputs::First),
    writer("gzip unxz lzma unlzma lz4 uncompress brotli", "o output", "", Outputs::Unpacked),
    writer("tar cpio", "", "C directory D", Outputs::Folder),
    writer("unzip", "", "d", Outputs::Folder),
    writer(
        "7z 7za 7zr unrar unar ar jar patch uudecode split csplit rename prename mmv",
        "o output r reject-file",
        "d directory",
        Outputs::Folder,
    ),
    writer("git", "o output", "", Outputs::Clone),
    writer("gh", "O output", "D dir", Outputs::Clone),
    writer("hg svn jj", "o output", "", Outputs::Clone),
];
