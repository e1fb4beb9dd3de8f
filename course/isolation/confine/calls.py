"""Which system calls untrusted code does not get, and their numbers.

Landlock governs the opening of files. What it leaves open is closed here: sockets of all kinds, new processes, other
processes, metadata of files (``chmod`` works on a file that cannot be opened), objects that outlive the process
(System V memory, queues, keys), the writing back of everybody's files (``sync``), and parts of the kernel that no
student's code needs.
"""

NUMBERS: dict[str, dict[str, int]] = {
    "x86_64": {
        "socket": 41, "socketpair": 53, "fork": 57, "vfork": 58,
        "tkill": 200, "rt_sigqueueinfo": 129, "rt_tgsigqueueinfo": 297, "pidfd_open": 434, "pidfd_send_signal": 424,
        "pidfd_getfd": 438, "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312,
        "process_madvise": 440, "process_mrelease": 448,
        "sched_setaffinity": 203, "sched_setscheduler": 144, "sched_setparam": 142, "sched_setattr": 314,
        "setpriority": 141, "ioprio_set": 251,
        "shmget": 29, "shmat": 30, "shmctl": 31, "semget": 64, "semop": 65, "semctl": 66, "semtimedop": 220,
        "msgget": 68, "msgsnd": 69, "msgrcv": 70, "msgctl": 71, "mq_open": 240, "mq_unlink": 241,
        "add_key": 248, "request_key": 249, "keyctl": 250,
        "memfd_create": 319, "memfd_secret": 447, "userfaultfd": 323, "bpf": 321, "perf_event_open": 298,
        "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427,
        "unshare": 272, "setns": 308, "mount": 165, "umount2": 166, "pivot_root": 155, "chroot": 161,
        "open_tree": 428, "move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433,
        "mount_setattr": 442, "name_to_handle_at": 303, "open_by_handle_at": 304,
        "init_module": 175, "finit_module": 313, "delete_module": 176, "kexec_load": 246, "kexec_file_load": 320,
        "reboot": 169, "swapon": 167, "swapoff": 168, "acct": 163, "settimeofday": 164, "clock_settime": 227,
        "adjtimex": 159, "clock_adjtime": 305, "sethostname": 170, "setdomainname": 171, "quotactl": 179,
        "quotactl_fd": 443, "sync": 162, "syncfs": 306,
        "syslog": 103, "iopl": 172, "ioperm": 173, "vhangup": 153, "modify_ldt": 154,
        "chmod": 90, "fchmod": 91, "fchmodat": 268, "fchmodat2": 452, "chown": 92, "fchown": 93, "lchown": 94,
        "fchownat": 260, "utime": 132, "utimes": 235, "futimesat": 261, "utimensat": 280, "truncate": 76,
        "setxattr": 188, "lsetxattr": 189, "fsetxattr": 190, "removexattr": 197, "lremovexattr": 198,
        "fremovexattr": 199, "inotify_init": 253, "inotify_init1": 294, "fanotify_init": 300,
        "clone": 56, "clone3": 435, "kill": 62, "tgkill": 234, "prlimit64": 302, "fcntl": 72, "ioctl": 16,
        "prctl": 157,
    },
    "aarch64": {
        "socket": 198, "socketpair": 199,
        "tkill": 130, "rt_sigqueueinfo": 138, "rt_tgsigqueueinfo": 240, "pidfd_open": 434, "pidfd_send_signal": 424,
        "pidfd_getfd": 438, "ptrace": 117, "process_vm_readv": 270, "process_vm_writev": 271, "kcmp": 272,
        "process_madvise": 440, "process_mrelease": 448,
        "sched_setaffinity": 122, "sched_setscheduler": 119, "sched_setparam": 118, "sched_setattr": 274,
        "setpriority": 140, "ioprio_set": 30,
        "shmget": 194, "shmat": 196, "shmctl": 195, "semget": 190, "semop": 193, "semctl": 191, "semtimedop": 192,
        "msgget": 186, "msgsnd": 189, "msgrcv": 188, "msgctl": 187, "mq_open": 180, "mq_unlink": 181,
        "add_key": 217, "request_key": 218, "keyctl": 219,
        "memfd_create": 279, "memfd_secret": 447, "userfaultfd": 282, "bpf": 280, "perf_event_open": 241,
        "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427,
        "unshare": 97, "setns": 268, "mount": 40, "umount2": 39, "pivot_root": 41, "chroot": 51,
        "open_tree": 428, "move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433,
        "mount_setattr": 442, "name_to_handle_at": 264, "open_by_handle_at": 265,
        "init_module": 105, "finit_module": 273, "delete_module": 106, "kexec_load": 104, "kexec_file_load": 294,
        "reboot": 142, "swapon": 224, "swapoff": 225, "acct": 89, "settimeofday": 170, "clock_settime": 112,
        "adjtimex": 171, "clock_adjtime": 266, "sethostname": 161, "setdomainname": 162, "quotactl": 60,
        "quotactl_fd": 443, "sync": 81, "syncfs": 267,
        "syslog": 116, "vhangup": 58,
        "fchmod": 52, "fchmodat": 53, "fchmodat2": 452, "fchown": 55, "fchownat": 54, "utimensat": 88, "truncate": 45,
        "setxattr": 5, "lsetxattr": 6, "fsetxattr": 7, "removexattr": 14, "lremovexattr": 15, "fremovexattr": 16,
        "inotify_init1": 26, "fanotify_init": 262,
        "clone": 220, "clone3": 435, "kill": 129, "tgkill": 131, "prlimit64": 261, "fcntl": 25, "ioctl": 29,
        "prctl": 167,
    },
}  # fmt: skip
"""By architecture; the second has no calls that newer ones replace. A few of these depend on their arguments
(``seccomp``); the rest is refused whatever they are."""

UNKNOWN = 453
"""From here on a call is newer than the table, and may do what the table refuses: ``setxattrat``, 463, is ``setxattr``.
The kernel is taken not to have it, for which every C library is prepared. The numbers are those of all architectures.
"""

AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""What a filter sees as the architecture of a call; a program of another one may have other numbers."""
