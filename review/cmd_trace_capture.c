/* SPDX-License-Identifier: GPL-2.0-only */
/* `ssdreview trace capture`. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/number.h"
#include "review/capture.h"
#include "review/cmd_trace.h"

struct capture_options {
	const char *output, *seconds, *phase, *event, *source, *note;
};

#define AT(member) offsetof(struct capture_options, member)

static const struct option_spec specs[] = {
	{"-o", OPTION_TEXT, AT(output), "FILE", "the trace to write, on another disk"},
	{"--seconds", OPTION_TEXT, AT(seconds), "N", "stop then; else Ctrl-C or the key q does"},
	{"--phase", OPTION_TEXT, AT(phase), "NAME", "the phase it begins with"},
	{"--event", OPTION_TEXT, AT(event), "Q|D",
	 "what was asked of the disk (Q), or issued to it (D, the default)"},
	{"--source", OPTION_TEXT, AT(source), "TEXT",
	 "what the trace is of, in place of the disk's path and this machine's name"},
	{"--note", OPTION_TEXT, AT(note), "TEXT",
	 "how the capture came about, for trace info to show"},
};

static void print_help(void)
{
	printf("Usage: ssdreview trace capture DEV... -o FILE.vdt [OPTION...]\n\n");
	options_print(specs, COUNT(specs), stdout);
	printf("\nDEV is a disk or a partition; it is only read. Tracing needs root.\n"
	       "Keys: p asks for the name of the next phase, which begins with Enter; q stops.\n"
	       "Without a terminal every line on standard input names a phase that begins then,\n"
	       "and SIGUSR1 begins one with a number.\n");
}

/* ---- what is asked for ---------------------------------------------------------------------- */

static int check_phase(const char *name, struct error *err)
{
	if (strlen(name) >= TRACE_PHASE_BYTES)
		return error_set(err, "--phase: a name has at most %d bytes",
				 TRACE_PHASE_BYTES - 1);
	for (; *name; name++)
		if ((unsigned char)*name < ' ' || *name == 0x7f)
			return error_set(err, "--phase: the name holds a control character");
	return 0;
}

static int check_options(const struct capture_options *options, unsigned disks, uint64_t *length_ns,
			 struct error *err)
{
	*length_ns = 0;
	if (!disks)
		return error_set(err, "name the disk to trace, such as /dev/nvme0n1");
	if (disks > CAPTURE_DISKS)
		return error_set(err, "at most %d disks in one capture", CAPTURE_DISKS);
	if (!options->output)
		return error_set(err, "name the trace to write: -o FILE.vdt");
	if (options->event && (!strchr("QD", options->event[0]) || options->event[1]))
		return error_set(err, "--event is Q or D, not \"%s\"", options->event);
	if (text_check(options->source, "--source", PROVENANCE_BYTES(source), err) ||
	    text_check(options->note, "--note", PROVENANCE_BYTES(note), err))
		return -1;
	if (options->phase && check_phase(options->phase, err))
		return -1;
	if (options->seconds && seconds_parse(options->seconds, "--seconds", length_ns, err))
		return -1;
	if (options->seconds && !*length_ns)
		return error_set(err, "--seconds: a capture of no time holds nothing");
	return 0;
}

static int find_disks(struct capture *capture, const char *const *paths, unsigned count,
		      const struct capture_options *options, struct error *err)
{
	unsigned i;

	for (i = 0; i < count; i++)
		if (capture_disk_find(paths[i], &capture->disks[i], err))
			return -1;
	capture->disk_count = count;
	if (capture_disks_check(capture->disks, count, options->output, err))
		return -1;
	return capture_event(capture->disks, count, options->event, &capture->event, err);
}

/* ---- before and after ----------------------------------------------------------------------- */

static void tell_leftovers(const struct capture_journal *journal)
{
	char quoted[SHELL_WORD_ROOM];

	if (!journal->left_in[0])
		return;
	fprintf(stderr, "The kernel was still tracing, left over by a killed capture: ended.\n");
	if (access(journal->left_in, F_OK) == 0)
		fprintf(stderr,
			"What that capture had is in %s: ssdreview trace import %s/* -o FILE.vdt\n",
			journal->left_in, shell_word(journal->left_in, quoted));
}

/* From here on these signals wait to be read, so that everything is set back in one place. */
static int hold_signals(struct capture *capture, sigset_t *before, struct error *err)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1};
	sigset_t held;
	unsigned i;

	sigemptyset(&held);
	for (i = 0; i < COUNT(numbers); i++)
		sigaddset(&held, numbers[i]);
	sigprocmask(SIG_BLOCK, &held, before);
	capture->signals = signalfd(-1, &held, SFD_NONBLOCK | SFD_CLOEXEC);
	return capture->signals >= 0 ? 0 : error_set(err, "no signalfd: %s", strerror(errno));
}

/* Those that came since are done with. */
static void release_signals(struct capture *capture, const sigset_t *before)
{
	struct signalfd_siginfo signal;

	if (capture->signals >= 0) {
		while (read(capture->signals, &signal, sizeof(signal)) > 0)
			;
		close(capture->signals);
	}
	sigprocmask(SIG_SETMASK, before, NULL);
}

static int record(struct capture *capture, const char *output, struct error *err)
{
	sigset_t before;
	int failed;

	if (capture_tracer_open(&capture->tracer, err))
		return -1;
	tell_leftovers(&capture->tracer.journal);
	if (capture_spool_open(&capture->spool, output, capture->event, err)) {
		capture_tracer_close(&capture->tracer);
		return -1;
	}
	failed = hold_signals(capture, &before, err);
	if (!failed)
		failed = capture_run(capture, err);
	release_signals(capture, &before);
	if (failed && !capture->spool.counts.ios)
		capture_spool_remove(&capture->spool);
	else if (failed)
		error_prefix(err, "what was captured is kept in %s, to be imported",
			     capture->spool.folder);
	return failed;
}

static int convert(const struct capture *capture, const char *output, struct error *err)
{
	const struct capture_spool *spool = &capture->spool;
	struct trace_report report;

	if (!spool->counts.ios) {
		capture_spool_remove(spool);
		return error_set(err, "%s did no I/O in this time: there is nothing to write",
				 capture->disks[0].path);
	}
	if (capture_spool_convert(spool, output, &report, err))
		return error_prefix(err, "what was captured is kept in %s, to be imported",
				    spool->folder);
	capture_spool_remove(spool);
	return say_written(output, err);
}

static int say_lost(const struct capture *capture, const char *output, struct error *err)
{
	char lost[NUMBER_ROOM];

	if (!capture->status.lost)
		return 0;
	return error_set(err,
			 "%s is written, but the kernel lost %s events: figures taken from it are "
			 "invalid; capture fewer disks at once, or write to a faster disk",
			 output, number_whole((double)capture->status.lost, lost));
}

static int capture_disks(const char *const *paths, unsigned count,
			 const struct capture_options *options, struct error *err)
{
	struct capture *capture = calloc(1, sizeof(*capture));
	int code = EXIT_FAILED;

	if (!capture) {
		error_set(err, "out of memory");
		return EXIT_FAILED;
	}
	capture->first_phase = options->phase;
	capture->source = options->source;
	capture->note = options->note;
	if (check_options(options, count, &capture->length_ns, err))
		code = EXIT_USAGE;
	else if (!find_disks(capture, paths, count, options, err) &&
		 !record(capture, options->output, err) &&
		 !convert(capture, options->output, err) &&
		 !say_lost(capture, options->output, err))
		code = EXIT_FINE;
	free(capture);
	return code;
}

int trace_capture_command(int argc, char **argv)
{
	struct capture_options options = {0};
	struct error err;
	unsigned count;
	bool help;
	const char **paths =
		options_parse_words(argc, argv, specs, COUNT(specs), &options, &count, &help, &err);
	int code = EXIT_FINE;

	if (!paths)
		return complain(&err, EXIT_USAGE);
	if (help)
		print_help();
	else
		code = capture_disks(paths, count, &options, &err);
	free(paths);
	return code == EXIT_FINE ? code : complain(&err, code);
}
