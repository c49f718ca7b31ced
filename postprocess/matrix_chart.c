/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The matrix of block sizes by shares of reads as a map: a cell for each load with its figure in
 * it, the darker the higher. What does not count is grey, and its figure stands in brackets.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "postprocess/chart_internal.h"
#include "postprocess/enterprise_internal.h"
#include "postprocess/loads.h"
#include "postprocess/paper.h"

/* Red, green, blue; cells go from light to dark, so that they read without colours too. */
struct colour {
	int parts[3];
};
static const struct colour light = {{0xde, 0xeb, 0xf7}}, dark = {{0x08, 0x45, 0x94}};
static const struct colour grey = {{0xc8, 0xcc, 0xd2}};
#define DARK_TEXT  0x10151c /* on any paper: cells keep their colours */
#define LIGHT_TEXT 0xfdfdfd
#define DARK_FROM  0.55 /* of the way to the darkest cell; beyond, text is light */

#define LEGEND_WORDS 2	/* it has none: room for the labels */
#define LARGEST_FONT 12 /* in which a row of cells takes so many characters */
#define ROW_LETTERS  63

struct map {
	const struct load_list *list;
	const struct terminals *terminals;
	const char *name;
	struct load_matrix matrix;
	enum load_value value;
	double lowest, highest; /* of what counts */
};

static double figure(const struct map *map, size_t block, size_t share)
{
	const struct load_sum *load = map->matrix.cells[block][share];

	return load ? load->over_window.values[map->value] : NAN;
}

static void find_range(struct map *map)
{
	size_t i, j;

	map->lowest = map->highest = NAN;
	for (i = 0; i < map->matrix.block_count; i++)
		for (j = 0; j < map->matrix.percent_count; j++) {
			double own = figure(map, i, j);

			map->lowest = fmin(map->lowest, own > 0 ? own : NAN);
			map->highest = fmax(map->highest, own > 0 ? own : NAN);
		}
}

/* 0 for the lowest figure, 1 for the highest: by their ratio, for they span decades. */
static double share_of(const struct map *map, double value)
{
	double all = log(map->highest / map->lowest), share = log(value / map->lowest) / all;

	return all > 0 && share > 0 ? fmin(share, 1) : 0;
}

static int colour_at(double share)
{
	int colour = 0, i;

	for (i = 0; i < 3; i++)
		colour = colour << 8 |
			 (int)lround(light.parts[i] + share * (dark.parts[i] - light.parts[i]));
	return colour;
}

static void put_cell(const struct map *map, size_t block, size_t share, FILE *out)
{
	const struct load_sum *load = map->matrix.cells[block][share];
	double own = figure(map, block, share), at = share_of(map, own);
	int cell = grey.parts[0] << 16 | grey.parts[1] << 8 | grey.parts[2];
	char text[64];

	if (!load)
		return;
	load_text(load, map->value, text, sizeof(text));
	fprintf(out, "%zu %zu \"%s\" %d %d\n", share + 1, block + 1, text,
		isnan(own) ? cell : colour_at(at),
		!isnan(own) && at > DARK_FROM ? LIGHT_TEXT : DARK_TEXT);
}

static void put_data(const void *chart, FILE *out)
{
	const struct map *map = chart;
	size_t i, j;

	fprintf(out, "# read/write share, block size, %s, colours of cell and text\n",
		load_value_title(map->value));
	for (i = 0; i < map->matrix.block_count; i++)
		for (j = 0; j < map->matrix.percent_count; j++)
			put_cell(map, i, j, out);
}

/* So that the longest figure fits its cell. */
static unsigned font_size(const struct map *map)
{
	size_t i, j, longest = 1;
	double size;

	for (i = 0; i < map->matrix.block_count; i++)
		for (j = 0; j < map->matrix.percent_count; j++) {
			const struct load_sum *load = map->matrix.cells[i][j];
			char text[64] = "";

			if (load)
				load_text(load, map->value, text, sizeof(text));
			longest = strlen(text) > longest ? strlen(text) : longest;
		}
	size = LARGEST_FONT * ROW_LETTERS / (double)(longest * map->matrix.percent_count);
	return (unsigned)fmax(fmin(size, LARGEST_FONT), 6);
}

static void put_tics(const struct map *map, FILE *out)
{
	const struct load_matrix *matrix = &map->matrix;
	char text[32];
	size_t i;

	fputs("set xtics (", out);
	for (i = 0; i < matrix->percent_count; i++)
		fprintf(out, "%s'%.0f/%.0f' %zu", i ? ", " : "", matrix->percents[i],
			100 - matrix->percents[i], i + 1);
	fputs(")\nset ytics (", out);
	for (i = 0; i < matrix->block_count; i++) {
		block_label(matrix->blocks[i], text, sizeof(text));
		fprintf(out, "%s'%s' %zu", i ? ", " : "", text, i + 1);
	}
	fprintf(out, ")\nset xrange [0.5:%zu.5]\nset yrange [0.5:%zu.5]\n", matrix->percent_count,
		matrix->block_count);
}

static void put_labels(const struct map *map, FILE *out)
{
	const struct load_list *list = map->list;
	char text[384], threads[32];

	threads_label(list, threads, sizeof(threads));
	snprintf(text, sizeof(text), "%.120s: %.60s%s, %s", list->title, list->result->drive,
		 list->result->simulated ? " (simulated)" : "", load_value_title(map->value));
	paper_label("title", text, out);
	snprintf(text, sizeof(text), "Read/write share (%%)%s, %.60s; the darker, the higher",
		 threads, list->result->protocol);
	paper_label("xlabel", text, out);
	paper_label("ylabel", "Block size", out);
}

static void put_script(const void *chart, FILE *out)
{
	const struct map *map = chart;
	struct paper paper = {map->terminals, map->name, paper_height(LEGEND_WORDS)};

	paper_begin(&paper, out);
	put_labels(map, out);
	put_tics(map, out);
	fputs("unset grid\nunset key\nunset border\nset tics scale 0\n", out);
	paper_first(&paper, out);
	fputs("plot ", out);
	paper_quoted(map->name, out);
	fprintf(out,
		".'.dat' using 1:2:($1-0.48):($1+0.48):($2-0.46):($2+0.46):4 with boxxyerror "
		"lc rgb variable fs solid noborder, \\\n     '' using 1:2:3:5 with labels "
		"tc rgb variable font ',%u' noenhanced\n",
		font_size(map));
	paper_end(&paper, out);
}

int matrix_chart_draw(const struct load_list *list, const char *name,
		      const struct terminals *terminals, const char *folder, struct error *err)
{
	struct map map = {.list = list,
			  .terminals = terminals,
			  .name = name,
			  .value = loads_main_value(list)};

	loads_matrix(list, &map.matrix);
	find_range(&map);
	if (chart_write_part(&map, put_data, folder, name, ".dat", err) ||
	    chart_write_part(&map, put_script, folder, name, ".gp", err))
		return -1;
	return chart_draw(folder, name, err);
}
