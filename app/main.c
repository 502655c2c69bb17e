/* The program; everything else of app/ is a library, so that tests can link it. */
#include "app/commands/run.h"

int main(int argc, char **argv)
{
    return cli_main(argc, argv, cli_run);
}
