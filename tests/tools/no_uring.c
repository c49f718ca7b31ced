/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * no_uring ERRNO COMMAND...: runs the command where io_uring_setup() fails with ENOSYS, as under a
 * container's seccomp filter, or with EPERM, as where the sysctl switched io_uring off. Exit code
 * 77: the kernel takes no filters here.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXIT_SKIPPED 77

int main(int argc, char **argv)
{
	unsigned fails_with = argc > 1 && !strcmp(argv[1], "EPERM") ? EPERM : ENOSYS;
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_io_uring_setup, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | fails_with),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {.len = sizeof(filter) / sizeof(filter[0]),
					   .filter = filter};

	if (argc < 3)
		return 2;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return EXIT_SKIPPED;
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 1;
}
