//! Which headers are those of the C library and of the operating system, by their names: other headers that a compiler finds
//! by itself belong to libraries that a project uses (`zlib.h`, `openssl/ssl.h`).

use std::path::Path;

/// Headers of ISO C, of POSIX and of glibc, without `.h`.
const NAMES: &str = "aio aliases alloca ar argp argz assert byteswap complex cpio crypt ctype dirent dlfcn elf endian envz \
    err errno error execinfo fcntl features fenv float fmtmsg fnmatch fpu_control fstab fts ftw gconv getopt glob grp gshadow \
    iconv ieee754 ifaddrs inttypes iso646 langinfo lastlog libgen libintl limits link locale malloc math mcheck memory mntent \
    monetary mqueue netdb nl_types nss obstack paths poll printf proc_service pthread pty pwd re_comp regex regexp resolv sched \
    search semaphore setjmp sgtty shadow signal spawn stab stdalign stdarg stdatomic stdbool stdckdint stdbit stdc-predef stddef \
    stdint stdio stdio_ext stdlib stdnoreturn string strings syscall sysexits syslog tar termio termios tgmath thread_db threads \
    time ttyent uchar ucontext ulimit unistd utime utmp utmpx values wait wchar wctype wordexp";

/// Folders of such headers.
const FOLDERS: &[&str] = &[
    "arpa",
    "asm",
    "asm-generic",
    "bits",
    "finclude",
    "gnu",
    "linux",
    "net",
    "netash",
    "netatalk",
    "netax25",
    "neteconet",
    "netinet",
    "netipx",
    "netiucv",
    "netpacket",
    "netrom",
    "netrose",
    "nfs",
    "protocols",
    "rpc",
    "scsi",
    "sys",
];

/// Whether a header is one of the C library, the operating system or the compiler.
pub(super) fn is_standard(path: &Path) -> bool {
    let is_of_compiler = path.components().any(|part| {
        let part = part.as_os_str();
        part == "gcc" || part == "gcc-cross" || part == "clang"
    });
    let folder = path.parent().and_then(Path::file_name).and_then(|name| name.to_str());
    let is_below = folder.is_some_and(|folder| FOLDERS.contains(&folder));
    let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    // A folder of a library may have a header of the same name.
    let is_at_top = folder.is_some_and(|folder| folder == "include" || folder.contains("-linux-"));
    is_of_compiler || is_below || (is_at_top && NAMES.split_whitespace().any(|known| known == name))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::is_standard;

    #[test]
    fn headers_of_other_libraries_are_told_from_those_of_the_system() {
        let standard = [
            "/usr/include/stdio.h",
            "/usr/include/x86_64-linux-gnu/sys/stat.h",
            "/usr/include/x86_64-linux-gnu/bits/stdio2.h",
            "/usr/lib/gcc/x86_64-linux-gnu/12/include/emmintrin.h",
            "/usr/lib/llvm-14/lib/clang/14.0.6/include/stddef.h",
            "/usr/arm-linux-gnueabihf/include/math.h",
        ];
        assert!(standard.iter().all(|path| is_standard(Path::new(path))));
        let others =
            ["/usr/include/zlib.h", "/usr/include/openssl/err.h", "/usr/local/include/x/time.h"];
        assert!(!others.iter().any(|path| is_standard(Path::new(path))));
    }
}
