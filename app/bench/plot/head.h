/* The head of a benchmark's plot: what it shows, on which machine it was found, what the colours
 * mean. */
#ifndef IMGTOOL_APP_BENCH_PLOT_HEAD_H
#define IMGTOOL_APP_BENCH_PLOT_HEAD_H

#include "app/bench/plot/panel.h"

enum { BENCH_HEAD_HEIGHT = 96 };

typedef struct BenchHead {
    const char *title, *machine, *run;    /* lines; the last two are kept by the panels' labels */
    bool rates, counts, limits, failures; /* are there any in the panels? */
} BenchHead;

BenchHead bench_head(const BenchReport *report, BenchPanels *panels);

/* (x, y) is the upper left corner. */
void bench_head_draw(cairo_t *cairo, double x, double y, double width, const BenchHead *head);

#endif
