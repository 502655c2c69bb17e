/* The program. Everything else in app/ is a library, so that tests can link it. */
#include "app/commands/shared.h"

int main(int argc, char **argv)
{
    return cli_main(argc, argv, cli_run);
}
