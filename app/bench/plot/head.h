/* The head of a benchmark's plot: title, machine, command, and a legend of the colours. */
#ifndef IMGTOOL_APP_BENCH_PLOT_HEAD_H
#define IMGTOOL_APP_BENCH_PLOT_HEAD_H

#include "app/bench/plot/panel.h"

enum { BENCH_HEAD_HEIGHT = 96 };

typedef struct BenchHead {
    /* three lines of text. The labels of the panels own `machine` and `run`. `title` belongs to the
     * labels or is a constant */
    const char *title, *machine, *run;
    /* each is true if at least one panel shows rates, counts, limits or failures */
    bool rates, counts, limits, failures;
} BenchHead;

BenchHead bench_head(const BenchReport *report, BenchPanels *panels);

/* Draws the head with its upper left corner at (x, y). */
void bench_head_draw(cairo_t *cairo, double x, double y, double width, const BenchHead *head);

#endif
