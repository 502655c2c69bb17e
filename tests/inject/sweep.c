#include "driver.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* State of a worker process that tries the faults of one command. */
typedef struct Sweep {
    const Options *options;
    const Case *one;
    Stage stage;
    Expected expected;
    unsigned calls[INJECT_CALLS]; /* number of calls of each kind in a run without faults */
    Counts (*tally)[FAULTS_MOST];
    int worker;
    int told;
} Sweep;

/* Copies a sample to the working directory. `input` is "SAMPLE=PATH", or "SAMPLE" if the copy has
 * the same name. */
static void put_input(const Sweep *sweep, const char *input)
{
    char sample[512], bytes[1 << 16];
    const char *equals = strchr(input, '=');
    const char *path = equals != NULL ? equals + 1 : input;
    int length = equals != NULL ? (int)(equals - input) : (int)strlen(input);
    snprintf(sample, sizeof sample, "%s/%.*s", sweep->options->samples, length, input);
    if (strchr(path, '/') != NULL) /* creates the only directory that paths contain, "d" */
        (void)mkdirat(sweep->stage.directory, "d", 0777);
    int from = open(sample, O_RDONLY | O_CLOEXEC);
    int to = openat(sweep->stage.directory, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (from < 0 || to < 0)
        give_up(sample);
    for (ssize_t n; (n = read(from, bytes, sizeof bytes)) != 0;)
        if (n < 0 || write(to, bytes, (size_t)n) != n)
            give_up(sample);
    close(from);
    close(to);
}

static bool run_undisturbed(Sweep *sweep, const char *const *words, int code, Result *result)
{
    run_words(&sweep->stage, sweep->one, words, 0, NULL, 0, result);
    if (result->code == CANNOT_INJECT) {
        stage_close(&sweep->stage);
        _exit(CANNOT_INJECT);
    }
    if (result->code == code && result->signal == 0)
        return true;
    printf("%s: undisturbed it ends with exit code %d: %s\n", sweep->one->name, result->code,
           result->err);
    return false;
}

static bool prepare(Sweep *sweep)
{
    const Case *one = sweep->one;
    Result *result = &sweep->expected.result;
    sweep->expected.may_be_other = one->may_draw_otherwise;
    int directory = sweep->stage.directory;
    tree_clear(directory);
    for (size_t i = 0; i < INPUTS_MOST && one->inputs[i] != NULL; i++)
        put_input(sweep, one->inputs[i]);
    if (one->before[0] != NULL && !run_undisturbed(sweep, one->before, 0, result))
        return false;
    tree_read(directory, &sweep->expected.before);
    if (!run_undisturbed(sweep, one->words, one->code, result))
        return false;
    for (int i = 0; i < INJECT_CALLS; i++)
        sweep->calls[i] = atomic_load(&sweep->stage.shared->calls[i]);
    tree_read(directory, &sweep->expected.after);
    return true;
}

static void tell(Sweep *sweep, int call, const Fault *fault, unsigned number, const Result *result,
                 const char *reason)
{
    enum { TOLD_MOST = 20 };
    if (sweep->told++ >= TOLD_MOST)
        return;
    printf("%s: %s %u: %s: %s\n", sweep->one->name, call_name(call), number, fault->name, reason);
    if (sweep->options->show || sweep->options->sanitizer)
        printf("%s", result->err);
    else if (result->err_size > 0)
        printf("    %.*s\n", (int)strcspn(result->err, "\n"), result->err);
    fflush(stdout);
}

/* Runs the command once with call number `number` failing, and judges the result. Returns false if
 * the run ended before that call. */
static bool try_one(Sweep *sweep, int call, const Fault *fault, unsigned number, Counts *counts)
{
    static Tree left;
    static Result result;
    char reason[REASON_SIZE];
    const Case *one = sweep->one;
    int directory = sweep->stage.directory;
    tree_clear(directory);
    tree_write(directory, &sweep->expected.before);
    run_words(&sweep->stage, one, one->words, call, fault, number, &result);
    if (result.injected == 0)
        return false;
    if (is_of_sanitizer(&result))
        return true;
    int code = result.code;
    tree_read(directory, &left);
    bool right = verdict(one, &sweep->expected, fault, &result, &left, reason);
    tree_free(&left);
    if (sweep->options->show)
        tell(sweep, call, fault, number, &result, right ? "as it may" : "not as it may");
    if (right && one->resume[0] != NULL) {
        run_words(&sweep->stage, one, one->resume, 0, NULL, 0, &result);
        tree_read(directory, &left);
        right = verdict_of_resume(&sweep->expected, &result, &left, reason);
        tree_free(&left);
    }
    atomic_fetch_add(&counts->runs, 1);
    atomic_fetch_add(right ? code == one->code ? &counts->done : &counts->refused : &counts->wrong,
                     1);
    if (!right)
        tell(sweep, call, fault, number, &result, reason);
    return true;
}

static const Fault *faults_for(const Sweep *sweep, int call)
{
    return sweep->options->lies ? faults_that_lie() : faults_of(call);
}

/* Returns true if this call number is among those that are tried. A hash chooses them (splitmix64
 * of Steele, Lea and Flood). */
static bool is_drawn(const Sweep *sweep, int call, size_t fault, unsigned number)
{
    enum { FIRST = 3 };
    const Options *options = sweep->options;
    if (call_is_vital(call) && number <= FIRST && sweep->one->share == 0)
        return true;
    unsigned own =
        faults_for(sweep, call)[fault].stays ? sweep->one->stays_share : sweep->one->share;
    unsigned share = options->share * (own > 0 && !options->every ? own : 1);
    uint64_t x = options->seed * 0x9E3779B97F4A7C15U + ((uint64_t)call << 40) +
                 ((uint64_t)fault << 32) + number;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9U;
    x = (x ^ x >> 27) * 0x94D049BB133111EBU;
    return (x ^ x >> 31) % share == 0;
}

/* Injects fault `which` into the first call of the function `call`, in another run into the second
 * call, and so on. With a fault, a run may make more calls than the run without faults. So this
 * function continues past the number of calls of that run. It ends after MORE further call numbers
 * that no run reached or that were not tried. */
static void try_all(Sweep *sweep, int call, size_t which)
{
    enum { MORE = 3 };
    const Options *options = sweep->options;
    const Fault *fault = &faults_for(sweep, call)[which];
    unsigned beyond = 0;
    for (unsigned number = 1; beyond < MORE; number++) {
        bool expected = number <= sweep->calls[call];
        if (options->number != 0
                ? number != options->number
                : !is_drawn(sweep, call, which, number) ||
                      number % (unsigned)options->workers != (unsigned)sweep->worker) {
            beyond += !expected;
            continue;
        }
        if (!try_one(sweep, call, fault, number, &sweep->tally[call][which]))
            beyond += !expected;
    }
}

static bool is_asked(const char *asked, const char *name)
{
    return asked == NULL || strcmp(asked, name) == 0;
}

/* Reports that functions for memory are left out. A sanitizer that is linked into the program has
 * its own malloc, which cannot be replaced. */
static void note_left_out(const Sweep *sweep)
{
    if (sweep->worker == 0 && sweep->calls[INJECT_MEMORY] == 0)
        printf("%s: allocations do not fail here: they are the program's own\n", sweep->one->name);
}

static bool work(Sweep *sweep)
{
    stage_open(sweep->options, sweep->worker, &sweep->stage);
    bool ready = prepare(sweep);
    if (ready)
        note_left_out(sweep);
    for (int call = 0; ready && call < INJECT_CALLS; call++) {
        if (sweep->calls[call] == 0 || !is_asked(sweep->options->call, call_name(call)))
            continue;
        const Fault *faults = faults_for(sweep, call);
        for (size_t i = 0; faults[i].name != NULL; i++)
            if (is_asked(sweep->options->fault, faults[i].name))
                try_all(sweep, call, i);
    }
    stage_close(&sweep->stage);
    return ready;
}

int sweep_case(const Options *options, const Case *one, Tally tally)
{
    static Sweep sweeping;
    int failed = 0, status;
    fflush(stdout);
    for (int i = 0; i < options->workers; i++) {
        pid_t child = fork();
        if (child < 0)
            give_up("fork");
        if (child > 0)
            continue;
        sweeping = (Sweep){.options = options, .one = one, .tally = tally, .worker = i};
        bool ready = work(&sweeping);
        fflush(stdout);
        _exit(ready ? 0 : 1);
    }
    while (wait(&status) > 0)
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            failed = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    return failed;
}
