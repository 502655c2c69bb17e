#include "table.h"

#include <stdio.h>

/* Totals for one row. */
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

bool table_print(Tally *tallies)
{
    print_calls(tallies);
    Sum all = print_commands(tallies);
    printf("\n%u injected failures, %u exceptions\n", all.runs, all.wrong);
    return all.runs > 0 && all.wrong == 0;
}
