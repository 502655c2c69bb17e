/* checkkernels: compares every implementation of every operation with its reference, and times the
 * implementations.
 * Exit code 0: all are equal. 1: there is a difference. 2: the arguments are invalid. 77: this
 * machine cannot run the requested backend. */
#include <getopt.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/registry.h"
#include "tests/checkkernels/bench.h"
#include "tests/checkkernels/bench_work.h"
#include "tests/checkkernels/check.h"

enum { EXIT_SKIPPED = 77 };

static const char usage[] =
    "usage: checkkernels [--backend cpu|cuda] [--op NAME,...] [--impl NAME] [--seed N] [--threads "
    "N]\n"
    "                    [--small | --largest PIXELS] [--every N | --most N] [--tight]\n"
    "       checkkernels --bench [--once] [--size WxH] [--fill random|photo|constant]\n"
    "                    [--format gray8|gray16|rgb8|rgba8|rgb16|rgba16]\n"
    "                    [--set NAME=VALUE]... [--against IMPL|fastest|none] [and the first "
    "line's]\n"
    "       checkkernels --bench --fail-if-slower [and the lines' above, but --once and --impl]\n"
    "       checkkernels --bench --chain 'OP [NAME=VALUE]... | OP ...' [and the line's above]\n"
    "       checkkernels --list [--backend cpu|cuda] | --list-steps | --self-test\n";

typedef struct Arguments {
    CheckOptions check;
    BenchOptions bench;
    bool benching, self_test, list, list_steps;
} Arguments;

static bool parse_backend(const char *text, ImgBackend *backend)
{
    bool cpu = strcmp(text, "cpu") == 0, cuda = strcmp(text, "cuda") == 0;
    *backend = cpu ? IMG_BACKEND_CPU : IMG_BACKEND_CUDA;
    return cpu || cuda;
}

static bool parse_size(const char *text, BenchOptions *bench)
{
    char *end;
    bench->width = (int32_t)strtol(text, &end, 10);
    if (*end != 'x')
        return false;
    bench->height = (int32_t)strtol(end + 1, &end, 10);
    return *end == '\0' && bench->width > 0 && bench->height > 0;
}

static bool parse_arguments(int argc, char **argv, Arguments *arguments)
{
    static const struct option options[] = {
        {"backend", required_argument, NULL, 'b'},
        {"op", required_argument, NULL, 'o'},
        {"impl", required_argument, NULL, 'i'},
        {"seed", required_argument, NULL, 's'},
        {"threads", required_argument, NULL, 't'},
        {"bench", no_argument, NULL, 'B'},
        {"size", required_argument, NULL, 'z'},
        {"format", required_argument, NULL, 'f'},
        {"fill", required_argument, NULL, 'l'},
        {"small", no_argument, NULL, 'm'},
        {"every", required_argument, NULL, 'e'},
        {"most", required_argument, NULL, 'n'},
        {"list", no_argument, NULL, 'L'},
        {"list-steps", no_argument, NULL, 'P'},
        {"tight", no_argument, NULL, 'g'},
        {"self-test", no_argument, NULL, 'S'},
        {"once", no_argument, NULL, '1'},
        {"fail-if-slower", no_argument, NULL, 'w'},
        {"set", required_argument, NULL, 'v'},
        {"against", required_argument, NULL, 'a'},
        {"chain", required_argument, NULL, 'c'},
        {"largest", required_argument, NULL, 'p'},
        {NULL, 0, NULL, 0},
    };
    int option;
    bool good = true;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (option) {
        case 'b':
            good &= parse_backend(optarg, &arguments->check.backend);
            break;
        case 'o':
            arguments->check.ops = optarg;
            break;
        case 'i':
            arguments->check.impl = optarg;
            break;
        case 's':
            arguments->check.seed = strtoull(optarg, NULL, 0);
            break;
        case 't':
            arguments->check.threads = (int)strtol(optarg, NULL, 10);
            break;
        case 'B':
            arguments->benching = true;
            break;
        case 'z':
            good &= parse_size(optarg, &arguments->bench);
            break;
        case 'f':
            arguments->bench.format = optarg;
            break;
        case 'l':
            arguments->bench.fill = optarg;
            break;
        case 'm':
            arguments->check.choice.largest = CASE_SMALL;
            break;
        case 'p':
            arguments->check.choice.largest = strtoull(optarg, NULL, 10);
            break;
        case 'e':
            arguments->check.choice.every = strtoull(optarg, NULL, 10);
            break;
        case 'n':
            arguments->check.choice.most = strtoull(optarg, NULL, 10);
            break;
        case 'L':
            arguments->list = true;
            break;
        case 'P':
            arguments->list_steps = true;
            break;
        case 'g':
            arguments->check.tight = true;
            break;
        case '1':
            arguments->bench.once = true;
            break;
        case 'w':
            arguments->bench.fail_if_slower = true;
            break;
        case 'v':
            good &= arguments->bench.values_count < BENCH_VALUES_MAX;
            if (good)
                arguments->bench.values[arguments->bench.values_count++] = optarg;
            break;
        case 'a':
            arguments->bench.against = optarg;
            break;
        case 'c':
            arguments->bench.chain = optarg;
            break;
        case 'S':
            arguments->self_test = true;
            break;
        default:
            good = false;
        }
    }
    CaseChoice *choice = &arguments->check.choice;
    choice->seed = arguments->check.seed;
    if (choice->every == 0 && choice->most == 0)
        choice->every = 1;
    BenchOptions *bench = &arguments->bench;
    good &= arguments->benching || (bench->chain == NULL && !bench->fail_if_slower);
    good &= !bench->fail_if_slower || (arguments->check.impl == NULL && !bench->once);
    if (bench->against == NULL)
        bench->against = bench->fail_if_slower ? "none" : "reference";
    if (strcmp(bench->against, "none") == 0)
        bench->against = NULL;
    good &= bench->against != NULL || !bench->once;
    return good && optind == argc && arguments->check.threads > 0 && choice->seed != 0 &&
           (choice->every == 0 || choice->most == 0);
}

/* Prints the names of all operations and measurements that have an implementation for the
 * backend. */
static void list_ops(ImgBackend backend)
{
    const ImgOp *op;
    for (size_t o = 0; (op = img_op_at(o)) != NULL; o++) {
        const ImgImpl *impl = op->impls;
        while (impl->name != NULL && backend != IMG_BACKEND_AUTO && impl->backend != backend)
            impl++;
        if (impl->name != NULL)
            puts(op->name);
    }
}

static int threads_of_process(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

/* Opens a GPU if the backend needs one. Without a GPU, `auto` checks only the CPU, and `cuda`
 * checks nothing. Returns false if there is nothing to check. */
static bool find_device(CheckOptions *check)
{
    ImgError err = {IMG_OK, ""};
    if (check->backend == IMG_BACKEND_CPU)
        return true;
    if (img_device_open(0, &check->device, &err) == IMG_OK) {
        printf("GPU: %s\n", img_device_name(check->device));
        return true;
    }
    printf("skipped: CUDA implementations: %s\n", err.message);
    bool only_cuda = check->backend == IMG_BACKEND_CUDA;
    check->backend = IMG_BACKEND_CPU;
    return !only_cuda;
}

/* Prints the last line: the numbers of passed and failed checks, and how many of all cases were
 * chosen. */
static void print_tally(const CheckTally *tally, const CaseChoice *choice)
{
    printf("%llu passed, %llu failed", (unsigned long long)tally->passed,
           (unsigned long long)tally->failed);
    if (tally->of > 0 && (tally->chosen < tally->of || choice->largest > 0))
        printf("; %llu of %llu cases", (unsigned long long)tally->chosen,
               (unsigned long long)tally->of);
    if (tally->of > 0 && choice->largest > 0)
        printf(" of pictures up to %llu pixels", (unsigned long long)choice->largest);
    putchar('\n');
}

int main(int argc, char **argv)
{
    Arguments arguments = {
        .check = {.seed = (uint64_t)time(NULL), .threads = threads_of_process()},
        .bench = {.width = 4001, .height = 3001, .fill = "random"},
    };
    if (!parse_arguments(argc, argv, &arguments)) {
        fputs(usage, stderr);
        return 2;
    }
    if (!check_knows(&arguments.check)) {
        fprintf(stderr, "checkkernels: --list has not all of %s\n", arguments.check.ops);
        return 2;
    }
    if (arguments.list || arguments.list_steps) {
        arguments.list ? list_ops(arguments.check.backend) : steps_list();
        return 0;
    }
    CheckTally tally = {.passed = 0};
    printf("seed %llu, %d threads\n", (unsigned long long)arguments.check.seed,
           arguments.check.threads);
    if (!arguments.self_test && !find_device(&arguments.check))
        return EXIT_SKIPPED;
    arguments.check.team = img_team_create(&(ImgTeamConfig){.stack_bytes = IMG_TEAM_STACK_BYTES});
    if (arguments.self_test)
        check_self_test(&tally);
    else if (arguments.benching)
        bench_all(&arguments.check, &arguments.bench, &tally);
    else
        check_all(&arguments.check, &tally);
    img_team_free(arguments.check.team);
    img_device_close(arguments.check.device);
    if (arguments.bench.fail_if_slower)
        bench_choice_print_tally(&tally);
    else
        print_tally(&tally, &arguments.check.choice);
    if (tally.passed + tally.failed + tally.alone == 0) {
        fputs("checkkernels: nothing was selected\n", stderr);
        return 2;
    }
    return tally.failed == 0 ? 0 : 1;
}
