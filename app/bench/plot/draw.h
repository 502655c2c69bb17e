/* The process that draws: it reads one request and answers with one picture
 * (app/helper/plot_child.h). */
#ifndef IMGTOOL_APP_BENCH_PLOT_DRAW_H
#define IMGTOOL_APP_BENCH_PLOT_DRAW_H

/* Reads the request from standard input and writes the picture to standard output. `what` and
 * `form` are the arguments of imgtool-plot. Returns the exit code. */
int bench_draw(const char *what, const char *form);

#endif
