/* SPDX-License-Identifier: GPL-2.0-only */
/* The load of a trace over its time as a picture: data, gnuplot's script and the SVG side by side.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/chart.h"
#include "review/cmd_trace.h"

#define BINS	    240
#define MOST_PHASES 12 /* that a chart names */

struct load_bin {
	uint64_t records[2], bytes[2]; /* reads, writes */
};

/* A name for files, from the trace's: its last part without ".vdt", other letters become "_". */
static void name_of(const char *path, char *name, size_t room)
{
	const char *slash = strrchr(path, '/');
	char *suffix;

	snprintf(name, room, "%.200s", slash ? slash + 1 : path);
	suffix = strstr(name, ".vdt");
	if (suffix)
		*suffix = '\0';
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && !strchr("._-", *name))
			*name = '_';
}

static int count_load(struct trace *trace, uint64_t bin_ns, struct load_bin *bins,
		      struct error *err)
{
	struct trace_cursor cursor;
	struct trace_record record;
	int got;

	trace_cursor_open(trace, &cursor);
	while ((got = trace_next(&cursor, &record)) > 0) {
		struct load_bin *bin = &bins[record.time_ns / bin_ns];

		if (record.op > TRACE_WRITE)
			continue;
		bin->records[record.op]++;
		bin->bytes[record.op] += record.length;
	}
	if (got < 0)
		*err = cursor.error;
	trace_cursor_close(&cursor);
	return got;
}

static void put_data(const struct load_bin *bins, double bin_s, FILE *out)
{
	unsigned i;

	fprintf(out, "# time in s, reads/s, writes/s, MB/s read, MB/s written\n");
	for (i = 0; i < BINS; i++)
		fprintf(out, "%.9g %.6g %.6g %.6g %.6g\n", (i + 0.5) * bin_s,
			(double)bins[i].records[0] / bin_s, (double)bins[i].records[1] / bin_s,
			(double)bins[i].bytes[0] / bin_s / 1e6,
			(double)bins[i].bytes[1] / bin_s / 1e6);
}

/* A line where a phase begins, with its name in the upper panel. */
static void put_phases(const struct trace *trace, FILE *out)
{
	unsigned i, count = trace_header(trace)->phases;

	for (i = 0; i < count && i < MOST_PHASES; i++) {
		const struct trace_phase *phase = trace_phase(trace, i);
		double start_s = (double)phase->start_ns / 1e9;
		const char *at;

		fprintf(out,
			"set arrow from first %.9g,graph 0 to first %.9g,graph 1 nohead lc rgb "
			"'%s'\n",
			start_s, start_s, CHART_LINE);
		fprintf(out, "set label %u '", i + 1);
		for (at = phase->name; *at; at++)
			fputs(*at == '\'' ? "''" : (char[2]){*at, '\0'}, out);
		fprintf(out, "' at first %.9g,graph %.2f offset 0.5,0 tc rgb '%s' noenhanced\n",
			start_s, 0.93 - 0.12 * (i % 3), CHART_LINE);
	}
}

static void put_panel(const char *name, const char *label, unsigned column, FILE *out)
{
	fprintf(out,
		"set ylabel '%s'\n"
		"plot '%s.dat' using 1:%u with steps lw 1.5 lc rgb '%s' title 'reads', "
		"'' using 1:%u with steps lw 1.5 lc rgb '%s' title 'writes'\n",
		label, name, column, palette_colours[0], column + 1, palette_colours[1]);
}

static void put_script(const struct trace *trace, const char *name, FILE *out)
{
	fprintf(out,
		"set terminal svg size 900,560 font 'DejaVu Sans,12'\n"
		"set output '%s.svg'\n"
		"set multiplot layout 2,1 title '%s%s' noenhanced\n"
		"set lmargin 9\n" /* both time axes begin at one place */
		"set grid ytics lc rgb '%s'\n"
		"set yrange [0:*]\n"
		"set key above right\n"
		"set xlabel 'time in s'\n",
		name, name, trace_header(trace)->synthetic ? " (synthetic)" : "", CHART_GRID);
	put_phases(trace, out);
	put_panel(name, "IOPS", 2, out);
	fprintf(out, "unset label\n");
	put_panel(name, "MB/s", 4, out);
	fprintf(out, "unset multiplot\n");
}

static FILE *open_beside(const char *folder, const char *name, const char *ending,
			 struct error *err)
{
	char path[PATH_MAX];
	FILE *out;

	path_format(path, "%.3000s/%s%s", folder, name, ending);
	out = fopen(path, "we");
	if (!out)
		error_set(err, "%s cannot be written: %s", path, strerror(errno));
	return out;
}

static int close_written(FILE *out, const char *folder, struct error *err)
{
	return fclose(out) ? error_set(err, "a file in %s cannot be written: %s", folder,
				       strerror(errno))
			   : 0;
}

static int write_files(struct trace *trace, const char *folder, const char *name,
		       const struct load_bin *bins, double bin_s, struct error *err)
{
	FILE *out = open_beside(folder, name, ".dat", err);

	if (!out)
		return -1;
	put_data(bins, bin_s, out);
	if (close_written(out, folder, err))
		return -1;
	out = open_beside(folder, name, ".gp", err);
	if (!out)
		return -1;
	put_script(trace, name, out);
	return close_written(out, folder, err);
}

int trace_chart(struct trace *trace, const char *path, const char *folder, struct error *err)
{
	uint64_t bin_ns = trace_header(trace)->duration_ns / BINS + 1;
	struct load_bin *bins = calloc(BINS, sizeof(*bins));
	char name[256];
	int failed;

	if (!bins)
		return error_set(err, "out of memory");
	name_of(path, name, sizeof(name));
	failed = folder_make(folder, err) || count_load(trace, bin_ns, bins, err) ||
		 write_files(trace, folder, name, bins, (double)bin_ns / 1e9, err) ||
		 chart_draw(folder, name, err);
	free(bins);
	if (!failed)
		printf("%-14s %s/%s.svg\n", "Chart", folder, name);
	return failed ? -1 : 0;
}
