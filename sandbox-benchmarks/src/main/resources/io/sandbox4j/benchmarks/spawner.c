/* Runs a program as often as each line of standard input says, one after the other, and
 * answers with the nanoseconds that took: from the spawn until both outputs are at their
 * end and the program was waited for.
 *
 * Usage: spawner FILE6 FILE7 PROGRAM [ARGUMENT...]
 * The program gets the two files as its descriptors 6 and 7, unless they are "-". */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what) {
	perror(what);
	exit(1);
}

static void drain(int out, int err) {
	char buffer[65536];
	struct pollfd fds[2] = {{out, POLLIN, 0}, {err, POLLIN, 0}};
	int open = 2;
	while (open > 0) {
		if (poll(fds, 2, -1) < 0) fail("poll");
		for (int i = 0; i < 2; i++) {
			if (fds[i].fd >= 0 && fds[i].revents) {
				if (read(fds[i].fd, buffer, sizeof buffer) <= 0) {
					close(fds[i].fd);
					fds[i].fd = -1;
					open--;
				}
			}
		}
	}
}

static void run(char **argv) {
	int out[2], err[2], status;
	pid_t pid;
	posix_spawn_file_actions_t actions;
	char *environment[] = {"PATH=/usr/bin:/bin", NULL};
	if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC)) fail("pipe2");
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, out[1], 1);
	posix_spawn_file_actions_adddup2(&actions, err[1], 2);
	for (int i = 1; i <= 2; i++)
		if (strcmp(argv[i], "-"))
			posix_spawn_file_actions_addopen(&actions, 5 + i, argv[i], O_RDONLY, 0);
	if (posix_spawnp(&pid, argv[3], &actions, NULL, argv + 3, environment)) fail("posix_spawn");
	posix_spawn_file_actions_destroy(&actions);
	close(out[1]);
	close(err[1]);
	drain(out[0], err[0]);
	if (waitpid(pid, &status, 0) < 0) fail("waitpid");
	if (!WIFEXITED(status) || WEXITSTATUS(status)) {
		fprintf(stderr, "%s ended with %d\n", argv[3], status);
		exit(1);
	}
}

int main(int argc, char **argv) {
	char line[64];
	if (argc < 4) return 64;
	while (fgets(line, sizeof line, stdin)) {
		struct timespec from, to;
		clock_gettime(CLOCK_MONOTONIC, &from);
		for (long i = atol(line); i > 0; i--) run(argv);
		clock_gettime(CLOCK_MONOTONIC, &to);
		printf("%lld\n", (to.tv_sec - from.tv_sec) * 1000000000LL + to.tv_nsec - from.tv_nsec);
		fflush(stdout);
	}
	return 0;
}
