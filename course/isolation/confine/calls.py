"""Which system calls untrusted code does not get, and their numbers.

Landlock governs the opening of files. What it leaves open is closed here: sockets but for pairs, new processes, other
processes, metadata of files (``chmod`` works on a file that cannot be opened), objects that outlive the process
(System V memory, queues, keys), the writing back of everybody's files (``sync``), and parts of the kernel that no
student's code needs.
"""

_TABLE = {
    "socket": (41, 198), "fork": (57, 0), "vfork": (58, 0), "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240), "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424), "pidfd_getfd": (438, 438), "ptrace": (101, 117), "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271), "kcmp": (312, 272), "process_madvise": (440, 440),
    "process_mrelease": (448, 448), "sched_setaffinity": (203, 122), "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118), "sched_setattr": (314, 274), "setpriority": (141, 140), "ioprio_set": (251, 30),
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "semget": (64, 190), "semop": (65, 193),
    "semctl": (66, 191), "semtimedop": (220, 192), "msgget": (68, 186), "msgsnd": (69, 189), "msgrcv": (70, 188),
    "msgctl": (71, 187), "mq_open": (240, 180), "mq_unlink": (241, 181), "add_key": (248, 217),
    "request_key": (249, 218), "keyctl": (250, 219), "memfd_create": (319, 279), "memfd_secret": (447, 447),
    "userfaultfd": (323, 282), "bpf": (321, 280), "perf_event_open": (298, 241), "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "unshare": (272, 97), "setns": (308, 268),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "open_tree": (428, 428),
    "move_mount": (429, 429), "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432),
    "fspick": (433, 433), "mount_setattr": (442, 442), "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265), "init_module": (175, 105), "finit_module": (313, 273),
    "delete_module": (176, 106), "kexec_load": (246, 104), "kexec_file_load": (320, 294), "reboot": (169, 142),
    "swapon": (167, 224), "swapoff": (168, 225), "acct": (163, 89), "settimeofday": (164, 170),
    "clock_settime": (227, 112), "adjtimex": (159, 171), "clock_adjtime": (305, 266), "sethostname": (170, 161),
    "setdomainname": (171, 162), "quotactl": (179, 60), "quotactl_fd": (443, 443), "sync": (162, 81),
    "syncfs": (306, 267), "syslog": (103, 116), "iopl": (172, 0), "ioperm": (173, 0), "vhangup": (153, 58),
    "modify_ldt": (154, 0), "chmod": (90, 0), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "chown": (92, 0), "fchown": (93, 55), "lchown": (94, 0), "fchownat": (260, 54), "utime": (132, 0),
    "utimes": (235, 0), "futimesat": (261, 0), "utimensat": (280, 88), "truncate": (76, 45), "setxattr": (188, 5),
    "lsetxattr": (189, 6), "fsetxattr": (190, 7), "removexattr": (197, 14), "lremovexattr": (198, 15),
    "fremovexattr": (199, 16), "inotify_init": (253, 0), "inotify_init1": (294, 26), "fanotify_init": (300, 262),
    "clone": (56, 220), "clone3": (435, 435), "kill": (62, 129), "tgkill": (234, 131), "prlimit64": (302, 261),
    "fcntl": (72, 25), "ioctl": (16, 29), "prctl": (157, 167),
}  # fmt: skip
"""The number of each call on x86-64 and on AArch64, which has no calls that newer ones replace (0). A few of them
depend on their arguments (``seccomp``); the rest is refused whatever they are."""

NUMBERS = {
    machine: {name: numbers[i] for name, numbers in _TABLE.items() if numbers[i]}
    for i, machine in enumerate(("x86_64", "aarch64"))
}

UNKNOWN = 453
"""From here on a call is newer than the table, and may do what the table refuses: ``setxattrat``, 463, is ``setxattr``.
The kernel is taken not to have it, for which every C library is prepared. The numbers are those of all architectures.
"""

AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""What a filter sees as the architecture of a call; a program of another one may have other numbers."""
