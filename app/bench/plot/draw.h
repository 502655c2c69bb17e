/* The drawing process: takes one request, answers with one picture (app/helper/plot_wire.h). */
#ifndef IMGTOOL_APP_BENCH_PLOT_DRAW_H
#define IMGTOOL_APP_BENCH_PLOT_DRAW_H

/* `what` and `form` are the arguments of imgtool-plot. From standard input to standard
 * output; returns the exit code. */
int bench_draw(const char *what, const char *form);

#endif
