/* The head of a benchmark's plot: its subject, the machine, and a legend of the colours. */
#ifndef IMGTOOL_APP_BENCH_PLOT_HEAD_H
#define IMGTOOL_APP_BENCH_PLOT_HEAD_H

#include "app/bench/plot/panel.h"

enum { BENCH_HEAD_HEIGHT = 96 };

typedef struct BenchHead {
    const char *title, *machine, *run;    /* lines; the labels of the panels own the last two */
    bool rates, counts, limits, failures; /* whether any panel shows them */
} BenchHead;

BenchHead bench_head(const BenchReport *report, BenchPanels *panels);

/* Draws with the upper left corner at (x, y). */
void bench_head_draw(cairo_t *cairo, double x, double y, double width, const BenchHead *head);

#endif
