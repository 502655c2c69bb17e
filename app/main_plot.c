/* imgtool-plot, which the other programs start to draw a plot. */
#include <stdio.h>

#include "app/bench/plot/plot.h"
#include "app/cli/exit_code.h"

int main(int argc, char **argv)
{
    if (argc == 3)
        return bench_draw(argv[1], argv[2]);
    fputs("imgtool-plot is started by 'imgtool histogram --plot' and 'imgtool bench --plot'\n",
          stderr);
    return CLI_BAD_USAGE;
}
