#include "driver.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool fail(char reason[REASON_SIZE], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, REASON_SIZE, format, arguments);
    va_end(arguments);
    return false;
}

/* Returns true if the file is the record of a batch or its report. These contain times, so they
 * differ between runs. */
static bool is_loose(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    return strcmp(name, ".imgtool-batch") == 0 || strcmp(name, "report.json") == 0;
}

static bool is_documented(const Case *one, int code)
{
    switch (code) {
    case 0:
    case 3:
    case 4:
        return true;
    case 1:
        return one->is_batch || strstr(one->name, "of two") != NULL;
    case 75:
        return one->is_batch;
    default: /* Other codes are wrong: 2, 5 and 130 stand for reasons other than a failed call. */
        return false;
    }
}

static bool said_the_same(const Case *one, const Result *a, const Result *b)
{
    if (one->is_batch)
        return true;
    return a->out_size == b->out_size && memcmp(a->out, b->out, a->out_size) == 0;
}

bool is_of_sanitizer(const Result *result)
{
    return strstr(result->err, "Sanitizer: CHECK failed: sanitizer_") != NULL;
}

static bool ended_well(const Case *one, const Expected *expected, const Result *result,
                       char reason[REASON_SIZE])
{
    if (result->hangs)
        return fail(reason, "hangs");
    if (result->signal != 0)
        return fail(reason, "ended by signal %d", result->signal);
    if (result->code == 98 || result->code == 99 || strstr(result->err, "Sanitizer") != NULL ||
        strstr(result->err, "runtime error:") != NULL)
        return fail(reason, "an error that a sanitizer found");
    if (result->code == expected->result.code && said_the_same(one, result, &expected->result))
        return true;
    /* A command whose usual exit code is not 0 keeps this code if its result could not be printed
     * completely. The message then reports the failure. */
    if (result->code == expected->result.code && result->code != 0 &&
        strstr(result->err, "imgtool: standard output: cannot be written") != NULL)
        return true;
    if (!is_documented(one, result->code))
        return fail(reason, "exit code %d", result->code);
    /* A message is required, unless standard error itself failed. */
    if (result->code != 0 && strstr(result->err, "imgtool: ") == NULL && result->descriptor != 2)
        return fail(reason, "exit code %d without a message", result->code);
    if (result->code == 0)
        return fail(reason, "exit code 0, and other output");
    return true;
}

/* Returns true if `node` is a complete PNG with the header of `other`, so that both have the same
 * size and format. */
static bool is_alike(const Node *node, const Node *other)
{
    enum { HEAD = 33 }; /* bytes of the signature and the IHDR chunk */
    static const char tail[] = "IEND\xae\x42\x60\x82";
    const size_t tail_size = sizeof tail - 1;
    size_t size = node->bytes != NULL ? (size_t)node->info.st_size : 0;
    return size > HEAD + tail_size && (size_t)other->info.st_size > HEAD &&
           memcmp(node->bytes, other->bytes, HEAD) == 0 &&
           memcmp(node->bytes + size - tail_size, tail, tail_size) == 0;
}

static bool is_done(const Expected *expected, const Node *now, const Node *after)
{
    return is_loose(after->path) || node_equal(now, after) ||
           (expected->may_be_other && after->bytes != NULL && is_alike(now, after));
}

/* Checks that no unexpected file is left, no file is missing, and each file has its old or its
 * expected content. Returns false and the reason otherwise. */
static bool nothing_partial(const Expected *expected, const Tree *left, char reason[REASON_SIZE])
{
    for (size_t i = 0; i < left->count; i++) {
        const Node *now = &left->nodes[i];
        const Node *before = tree_find(&expected->before, now->path);
        const Node *after = tree_find(&expected->after, now->path);
        if (before == NULL && after == NULL)
            return fail(reason, "leaves %s", now->path);
        if (!(after != NULL && is_done(expected, now, after)) && !is_loose(now->path) &&
            !node_equal(now, before))
            return fail(reason, "%s is neither as it was nor as it has to be", now->path);
    }
    for (size_t i = 0; i < expected->before.count; i++)
        if (tree_find(left, expected->before.nodes[i].path) == NULL)
            return fail(reason, "%s is gone", expected->before.nodes[i].path);
    return true;
}

static bool all_done(const Expected *expected, const Tree *left, char reason[REASON_SIZE])
{
    for (size_t i = 0; i < expected->after.count; i++) {
        const Node *after = &expected->after.nodes[i];
        const Node *now = tree_find(left, after->path);
        if (now == NULL || !is_done(expected, now, after))
            return fail(reason, "%s is not done", after->path);
    }
    return true;
}

static void count_done(const Expected *expected, const Tree *left, size_t *all, size_t *done)
{
    *all = *done = 0;
    for (size_t i = 0; i < expected->after.count; i++) {
        const Node *after = &expected->after.nodes[i];
        if (after->bytes == NULL || is_loose(after->path) ||
            node_equal(after, tree_find(&expected->before, after->path)))
            continue;
        ++*all;
        *done += node_equal(after, tree_find(left, after->path));
    }
}

/* Returns true if the failure of one file in a batch did not stop the other files. A batch may also
 * be rejected as a whole before it starts. */
static bool others_done(const Expected *expected, const Result *result, const Tree *left,
                        char reason[REASON_SIZE])
{
    size_t all, done;
    count_done(expected, left, &all, &done);
    /* The line of totals, which ends with " done", shows that the batch began. */
    bool began = strstr(result->err, " done") != NULL;
    /* A batch stops if its report cannot be written, because the report would then lack files. */
    bool report_is_lost = strstr(result->err, "imgtool: report.json: ") != NULL;
    if (done + 1 >= all || (done == 0 && !began) || report_is_lost)
        return true;
    return fail(reason, "exit code %d, and only %zu of %zu files are done", result->code, done,
                all);
}

bool verdict(const Case *one, const Expected *expected, const Fault *fault, const Result *result,
             const Tree *left, char reason[REASON_SIZE])
{
    if (!ended_well(one, expected, result, reason) || !nothing_partial(expected, left, reason))
        return false;
    if (result->lost && result->code == 0)
        return fail(reason, "exit code 0, though bytes may be lost");
    if (result->code == expected->result.code)
        return all_done(expected, left, reason);
    if (one->is_batch && !fault->stays)
        return others_done(expected, result, left, reason);
    return true;
}

bool verdict_of_resume(const Expected *expected, const Result *result, const Tree *left,
                       char reason[REASON_SIZE])
{
    if (result->code != 0 || result->signal != 0)
        return fail(reason, "--resume after it ends with exit code %d", result->code);
    char why[REASON_SIZE];
    if (nothing_partial(expected, left, why) && all_done(expected, left, why))
        return true;
    return fail(reason, "after --resume %.200s", why);
}
