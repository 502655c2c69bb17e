/* inject: injects faults into the calls of a program (README.md). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "driver.h"

static const char usage[] =
    "usage: inject [options] IMGTOOL SHIM SAMPLES\n"
    "  --case NAME    only this command; --list names them\n"
    "  --group NAME   only these commands: turn,store,measure,plot,draw,batch,in_place, one or "
    "more\n"
    "  --call NAME    only this call, such as write or allocation\n"
    "  --fault NAME   only this way of failing, such as EIO\n"
    "  --number N     only the Nth call\n"
    "  --share N      one run of N, drawn by --seed N; --full: all\n"
    "  --every        also all allocations of the drawing process, not only some of them\n"
    "  --jobs N       N runs at a time\n"
    "  --extra WORD   an additional argument for each command\n"
    "  --sanitizer    the program is built with AddressSanitizer\n"
    "  --self-test    checks that the driver notices failures that the program overlooks\n"
    "  --show         print the program's messages, and the origin of the call\n";

/* --- Tables ----------------------------------------------------------------------------------- */

/* The sums in one row of the printed table. */
typedef struct Sum {
    unsigned runs, done, refused, wrong;
} Sum;

static void add(Sum *sum, const Counts *counts)
{
    sum->runs += atomic_load(&counts->runs);
    sum->done += atomic_load(&counts->done);
    sum->refused += atomic_load(&counts->refused);
    sum->wrong += atomic_load(&counts->wrong);
}

static void print_row(const char *name, const char *fault, const Sum *sum)
{
    if (sum->runs > 0)
        printf("| %s%s | %u | %u | %u | %u |\n", name, fault, sum->runs, sum->done, sum->refused,
               sum->wrong);
}

static void print_head(const char *what)
{
    printf("\n| %s | runs | went on to the right result | refused, with message and code | "
           "exceptions |\n| --- | ---: | ---: | ---: | ---: |\n",
           what);
}

static Sum print_commands(Tally *tallies)
{
    Sum all = {0, 0, 0, 0};
    print_head("command");
    for (size_t i = 0; i < case_count; i++) {
        Sum sum = {0, 0, 0, 0};
        for (int call = 0; call < INJECT_CALLS; call++)
            for (size_t fault = 0; fault < FAULTS_MOST; fault++) {
                add(&sum, &tallies[i][call][fault]);
                add(&all, &tallies[i][call][fault]);
            }
        print_row(cases[i].name, "", &sum);
    }
    print_row("**all**", "", &all);
    return all;
}

static void print_calls(Tally *tallies)
{
    print_head("call, and how it fails");
    for (int call = INJECT_CALLS - 1; call >= 0; call--) {
        char how[128] = "";
        size_t size = 0;
        Sum sum = {0, 0, 0, 0};
        for (size_t fault = 0; faults_of(call)[fault].name != NULL; fault++) {
            size += (size_t)snprintf(how + size, sizeof how - size, "%s%s", fault > 0 ? ", " : ": ",
                                     faults_of(call)[fault].name);
            for (size_t i = 0; i < case_count; i++)
                add(&sum, &tallies[i][call][fault]);
        }
        print_row(call_name(call), how, &sum);
    }
}

/* Prints the results as Markdown tables. Returns false if nothing was tried or if a run was
 * wrong. */
static bool print_tables(Tally *tallies)
{
    print_calls(tallies);
    Sum all = print_commands(tallies);
    printf("\n%u injected failures, %u exceptions\n", all.runs, all.wrong);
    return all.runs > 0 && all.wrong == 0;
}

/* --- Command line ----------------------------------------------------------------------------- */

static void list(void)
{
    for (size_t i = 0; i < case_count; i++)
        puts(cases[i].name);
    exit(0);
}

/* Returns the value of the option at *at, and advances *at to it. Ends the program if there is no
 * value. */
static const char *value_of(int argc, char **argv, int *at)
{
    if (++*at < argc)
        return argv[*at];
    fputs(usage, stderr);
    exit(2);
}

static void read_option(int argc, char **argv, int *at, Options *options)
{
    const char *name = argv[*at];
    if (strcmp(name, "--list") == 0)
        list();
    else if (strcmp(name, "--sanitizer") == 0)
        options->sanitizer = true;
    else if (strcmp(name, "--self-test") == 0)
        options->lies = true;
    else if (strcmp(name, "--show") == 0)
        options->show = true;
    else if (strcmp(name, "--case") == 0)
        options->one = value_of(argc, argv, at);
    else if (strcmp(name, "--group") == 0)
        options->group = value_of(argc, argv, at);
    else if (strcmp(name, "--full") == 0)
        options->share = 1;
    else if (strcmp(name, "--every") == 0)
        options->every = true;
    else if (strcmp(name, "--call") == 0)
        options->call = value_of(argc, argv, at);
    else if (strcmp(name, "--fault") == 0)
        options->fault = value_of(argc, argv, at);
    else if (strcmp(name, "--extra") == 0)
        options->extra = value_of(argc, argv, at);
    else if (strcmp(name, "--number") == 0)
        options->number = (unsigned)strtoul(value_of(argc, argv, at), NULL, 10);
    else if (strcmp(name, "--share") == 0)
        options->share = (unsigned)strtoul(value_of(argc, argv, at), NULL, 10);
    else if (strcmp(name, "--seed") == 0)
        options->seed = strtoul(value_of(argc, argv, at), NULL, 10);
    else if (strcmp(name, "--jobs") == 0)
        options->workers = (int)strtol(value_of(argc, argv, at), NULL, 10);
    else
        *at = argc;
}

static bool read_options(int argc, char **argv, Options *options)
{
    const char **operands[] = {&options->program, &options->shim, &options->samples};
    size_t count = 0;
    for (int at = 1; at < argc; at++) {
        if (argv[at][0] == '-')
            read_option(argc, argv, &at, options);
        else if (count < sizeof operands / sizeof *operands)
            *operands[count++] = realpath(argv[at], NULL);
    }
    return options->samples != NULL && options->program != NULL && options->shim != NULL &&
           options->share > 0 && options->workers > 0;
}

static int run_cases(const Options *options, Tally *tallies)
{
    int code = 0;
    for (size_t i = 0; i < case_count; i++) {
        if ((options->one != NULL && strcmp(options->one, cases[i].name) != 0) ||
            (options->group != NULL && strstr(options->group, cases[i].group) == NULL))
            continue;
        int ended = sweep_case(options, &cases[i], tallies[i]);
        if (ended == CANNOT_INJECT) {
            puts("skipped: system calls cannot be caught here (seccomp)");
            return CANNOT_INJECT;
        }
        code = ended != 0 ? 1 : code;
    }
    return code;
}

/* Checks that the driver notices overlooked failures. A write and a rename do nothing and report
 * success, and the driver must judge each of these runs wrong. */
static int self_test(Options *options, Tally *tallies)
{
    static const char *const calls[] = {"write", "rename"};
    unsigned runs = 0, wrong = 0;
    options->one = "rotate over a file";
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        options->call = calls[i];
        int ended = run_cases(options, tallies);
        if (ended != 0)
            return ended;
    }
    for (size_t i = 0; i < case_count; i++)
        for (int call = 0; call < INJECT_CALLS; call++) {
            runs += atomic_load(&tallies[i][call][0].runs);
            wrong += atomic_load(&tallies[i][call][0].wrong);
        }
    printf("%u overlooked failures, %u seen\n", runs, wrong);
    return runs >= sizeof calls / sizeof *calls && wrong == runs ? 0 : 1;
}

int main(int argc, char **argv)
{
    Options options = {.share = 1, .seed = 1, .workers = 1};
    if (!read_options(argc, argv, &options)) {
        fputs(usage, stderr);
        return 2;
    }
    if (options.seed == 0) {
        options.seed = (unsigned long)time(NULL);
        printf("seed %lu\n", options.seed);
    }
    Tally *tallies = mmap(NULL, case_count * sizeof *tallies, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (tallies == MAP_FAILED)
        give_up("mmap");
    if (options.lies)
        return self_test(&options, tallies);
    int code = run_cases(&options, tallies);
    if (code == CANNOT_INJECT)
        return code;
    return print_tables(tallies) ? code : 1;
}
