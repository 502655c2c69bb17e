/* Tests of the lab. Its table of experiments must be valid, and its references must give the values
 * worked out by hand. tests/emulator compares the kernels with the references. */
#include <criterion/criterion.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "app/bench/experiments/cuda/variants.h"
#include "app/bench/experiments/experiment.h"
#include "app/bench/report.h"

/* --- The table of experiments ----------------------------------------------------------------- */

Test(lab, experiments_have_command_line_names)
{
    cr_assert(lab_experiments[0] != NULL);
    for (size_t i = 0; lab_experiments[i] != NULL; i++) {
        const char *name = lab_experiments[i]->name;
        for (const char *c = name; *c != '\0'; c++)
            cr_assert(islower((unsigned char)*c) || *c == '-', "%s", name);
        cr_assert_eq(lab_find(name), lab_experiments[i], "%s twice", name);
        cr_assert(strlen(name) > 0 && strlen(name) < BENCH_NAME);
    }
    cr_assert_null(lab_find("no-such"));
    cr_assert_null(lab_find(""));
}

Test(lab, experiments_are_described)
{
    for (size_t i = 0; lab_experiments[i] != NULL; i++) {
        const LabExperiment *e = lab_experiments[i];
        cr_assert(strlen(e->title) > 0 && strlen(e->title) < sizeof((BenchGroup *)0)->heading);
        cr_assert(strlen(e->help) > 100 && e->help[strlen(e->help) - 1] == '.', "%s", e->name);
        cr_assert(strstr(e->help, "Source") != NULL, "%s", e->name);
        cr_assert(e->size != NULL && e->reference != NULL);
#ifdef IMGTOOL_CUDA
        cr_assert_not_null(e->launch);
#else
        cr_assert_null(e->launch);
#endif
    }
}

Test(lab, lessons_name_their_counts)
{
    for (size_t i = 0; lab_experiments[i] != NULL; i++)
        cr_expect_neq(lab_experiments[i]->counters[0], LAB_NO_COUNTER, "%s",
                      lab_experiments[i]->name);
}

Test(lab, variants_have_names)
{
    for (size_t i = 0; lab_experiments[i] != NULL; i++) {
        const LabExperiment *e = lab_experiments[i];
        cr_assert_not_null(e->variants[0].name, "%s has no variant", e->name);
        for (const LabVariant *v = e->variants; v->name != NULL; v++) {
            cr_assert_eq(lab_find_variant(e, v->name), v, "%s: %s twice", e->name, v->name);
            cr_assert(strlen(v->name) > 0 && strlen(v->name) < BENCH_NAME);
            cr_assert(strlen(v->note) > 0 && strchr(v->note, '\n') == NULL);
        }
        cr_assert_null(lab_find_variant(e, "no such"));
    }
}

/* Returns the number of different cases of the experiment with this name. Cases that are only
 * counted, and cases that are subtracted, are included. */
static int cases_named(const LabExperiment *e, const char *name)
{
    const LabCase *seen[64];
    size_t count = 0;
    int named = 0;
    for (const LabCase *c = e->cases; c->name != NULL; c++) {
        const LabCase *all[] = {c, c->counted, c->less};
        for (size_t k = 0; k < 3; k++) {
            bool old = all[k] == NULL;
            for (size_t i = 0; i < count && !old; i++)
                old = seen[i] == all[k];
            if (old)
                continue;
            cr_assert(count < sizeof seen / sizeof seen[0]);
            seen[count++] = all[k];
            named += strcmp(all[k]->name, name) == 0;
        }
    }
    return named;
}

Test(lab, cases_have_names)
{
    for (size_t i = 0; lab_experiments[i] != NULL; i++) {
        const LabExperiment *e = lab_experiments[i];
        cr_assert_not_null(e->cases[0].name, "%s has no case", e->name);
        for (const LabCase *c = e->cases; c->name != NULL; c++) {
            const LabCase *all[] = {c, c->counted, c->less};
            cr_assert_eq(lab_find_case(e, c->name), c);
            for (size_t k = 0; k < 3; k++) {
                if (all[k] == NULL)
                    continue;
                cr_assert_eq(cases_named(e, all[k]->name), 1, "%s: %s", e->name, all[k]->name);
                cr_assert(strlen(all[k]->name) > 0 && strlen(all[k]->name) < BENCH_SUBJECT);
            }
        }
        cr_assert_null(lab_find_case(e, "no such"));
    }
}

static bool same_size(LabSize a, LabSize b)
{
    return a.in == b.in && a.out == b.out;
}

/* A case whose accesses are counted must be small and must not refer to further cases. A case that
 * is subtracted from another must have the same size. */
Test(lab, counted_cases_are_valid)
{
    for (size_t i = 0; lab_experiments[i] != NULL; i++) {
        const LabExperiment *e = lab_experiments[i];
        for (const LabCase *c = e->cases; c->name != NULL; c++) {
            const LabCase *counted = c->counted != NULL ? c->counted : c;
            LabSize size = e->size(counted);
            cr_assert(size.in + size.out <= 2 << 20, "%s: %s takes too long to count", e->name,
                      counted->name);
            if (c->counted != NULL) {
                cr_assert(counted->counted == NULL && counted->less == NULL);
                cr_assert(size.out < e->size(c).out, "%s: %s", e->name, c->name);
            }
            if (c->less != NULL) {
                cr_assert(c->less->counted == NULL && c->less->less == NULL);
                cr_assert(same_size(size, e->size(c->less)));
            }
        }
    }
}

Test(lab, sizes_match_the_traffic)
{
    for (size_t i = 0; lab_experiments[i] != NULL; i++) {
        const LabExperiment *e = lab_experiments[i];
        for (const LabCase *c = e->cases; c->name != NULL; c++) {
            LabSize size = e->size(c);
            cr_assert(size.out > 0);
            cr_assert_eq(size.in > 0, e->fill != NULL);
            /* No byte may be counted twice as traffic. Padding between inputs is not traffic. */
            cr_assert(size.traffic >= size.out && size.traffic <= size.in + size.out);
            cr_assert(size.traffic + 256 > size.in + size.out);
        }
    }
    LabCase which = {.name = "", .a = 3, .b = 5, .c = 7};
    LabSize size = lab_find("matmul")->size(&which);
    cr_assert_eq(size.operations, 210);
    cr_assert_eq(size.traffic, (15 + 35 + 21) * 4);
    cr_assert_eq(size.in, (64 + 35) * 4);
}

/* A reference must write each word of the result. Two runs on memory with different content must
 * therefore give equal results. */
Test(lab, references_write_the_whole_result)
{
    for (size_t i = 0; lab_experiments[i] != NULL; i++) {
        const LabExperiment *e = lab_experiments[i];
        const LabCase *c = e->cases[0].counted != NULL ? e->cases[0].counted : e->cases;
        LabSize size = e->size(c);
        unsigned char *in = malloc(size.in + 1), *a = malloc(size.out), *b = malloc(size.out);
        memset(a, 0xa5, size.out);
        memset(b, 0x5a, size.out);
        if (e->fill != NULL)
            e->fill(c, in);
        for (const LabVariant *v = e->variants; v->name != NULL; v++) {
            e->reference(v, c, in, a);
            e->reference(v, c, in, b);
            cr_assert_arr_eq(a, b, size.out, "%s: %s", e->name, v->name);
        }
        free(in);
        free(a);
        free(b);
    }
}

/* --- References compared with values worked out by hand --------------------------------------- */

static void reference(const char *experiment, const char *variant, LabCase which, const void *in,
                      void *out)
{
    const LabExperiment *e = lab_find(experiment);
    e->reference(lab_find_variant(e, variant), &which, in, out);
}

#define CASE(a_, b_, c_) ((LabCase){.name = "", .a = (a_), .b = (b_), .c = (c_)})

Test(lab, squares_are_transposed)
{
    int32_t out[2 * 1024];
    reference("square", "row/row", CASE(2, 32, 0), NULL, out);
    cr_assert(out[0] == 0 && out[33] == 33 && out[1024 + 1023] == 1023);
    /* Row 1 of the result is column 1 of the source, with the numbers 1, 33, 65 and so on. */
    reference("square", "row/column padded", CASE(2, 32, 0), NULL, out);
    cr_assert(out[1] == 32 && out[32] == 1 && out[33] == 33 && out[1024 + 34] == 65);
}

/* The result has 16 words of column 0 of the source side by side, then 16 words of column 1, and so
 * on. */
Test(lab, rectangles_are_transposed)
{
    int32_t out[512];
    reference("rectangle", "column/column", CASE(1, 16, 0), NULL, out);
    cr_assert(out[1] == 1 && out[511] == 511);
    reference("rectangle", "row/column", CASE(1, 16, 0), NULL, out);
    cr_assert(out[1] == 32 && out[15] == 480 && out[16] == 1 && out[17] == 33 && out[511] == 511);
}

/* Word i of the source holds the number i. Up to 255 its bytes are i, 0, 0, 0; the bytes of 256 are
 * 0, 1, 0, 0. */
Test(lab, strided_words_are_read)
{
    uint32_t out[64];
    reference("stride", "stride 3", CASE(4, 1, 2), NULL, out);
    cr_assert(out[0] == 0 && out[1] == 3 && out[31] == 93 && out[33] == 3);
    reference("stride", "stride 4", CASE(1, 10, 1), NULL, out);
    cr_assert(out[1] == 10 && out[31] == 310);
    reference("stride", "stride 1", CASE(1, 1, 1), NULL, out);
    cr_assert(out[1] == 0 && out[4] == 1 && out[28] == 7);
    reference("stride", "stride 33", CASE(2, 1, 1), NULL, out);
    cr_assert(out[1] == 0 && out[2] == 33 && out[30] == 495);
    reference("stride", "stride 2", CASE(8, 1, 1), NULL, out);
    cr_assert(out[1] == (4 ^ 5) && out[31] == (124 ^ 125));
    reference("stride", "broadcast", CASE(16, 2, 1), NULL, out);
    cr_assert(out[0] == 0 && out[31] == 0);
}

Test(lab, pixels_are_doubled)
{
    const uint8_t in[6] = {0, 1, 100, 127, 128, 255};
    uint8_t out[6];
    reference("guard", "16 x 16 blocks", CASE(3, 2, 0), in, out);
    cr_assert_arr_eq(out, ((uint8_t[]){0, 2, 200, 254, 0, 254}), 6);
}

/* The numbers from 1 to 512 sum to 512 * 513 / 2 = 131,328. The last number, 513, is alone in its
 * block. */
Test(lab, blocks_are_summed)
{
    float in[LAB_SUM_THREADS + 1], out[2];
    for (int i = 0; i <= LAB_SUM_THREADS; i++)
        in[i] = (float)(i + 1);
    LabCase which = CASE(LAB_SUM_THREADS + 1, LAB_SUM_ROUNDS, 0);
    reference("sum", "neighbouring pairs", which, in, out);
    cr_assert(out[0] == 131328 && out[1] == 513);
    reference("sum", "sequential addressing", which, in, out);
    cr_assert(out[0] == 131328 && out[1] == 513);
    reference("sum", "first add on load", which, in, out);
    cr_assert(out[0] == 131841 && out[1] == 0);
    reference("sum", "vectorised", which, in, out);
    cr_assert(out[0] == 131841 && out[1] == 0);
}

/* After two rounds thread 0 holds the sum of four numbers. With neighbouring pairs these are the
 * first four; otherwise they are a quarter of the block apart. */
Test(lab, a_sum_can_stop_after_a_round)
{
    float in[LAB_SUM_THREADS], out[1];
    for (int i = 0; i < LAB_SUM_THREADS; i++)
        in[i] = (float)(i + 1);
    reference("sum-rounds", "neighbouring pairs", CASE(LAB_SUM_THREADS, 2, 0), in, out);
    cr_assert_eq(out[0], 1 + 2 + 3 + 4);
    reference("sum-rounds", "sequential addressing", CASE(LAB_SUM_THREADS, 2, 0), in, out);
    cr_assert_eq(out[0], 1 + 129 + 257 + 385);
    reference("sum-rounds", "sequential addressing", CASE(LAB_SUM_THREADS, 0, 0), in, out);
    cr_assert_eq(out[0], 1);
}

Test(lab, matrices_are_multiplied)
{
    const float a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8}, wide[] = {1, 0, 2, 0, 1, 3};
    float in[128] = {0}, out[6];
    LabCase which = CASE(2, 2, 2);
    cr_assert_eq(lab_matmul_second(&which), 64);
    memcpy(in, a, sizeof a);
    memcpy(in + 64, b, sizeof b);
    reference("matmul", "tiles of 16", which, in, out);
    cr_assert_arr_eq(out, ((float[]){19, 22, 43, 50}), sizeof b);
    memcpy(in + 64, wide, sizeof wide);
    reference("matmul", "register blocking", CASE(2, 2, 3), in, out);
    cr_assert_arr_eq(out, ((float[]){1, 2, 8, 3, 4, 18}), sizeof wide);
}

/* Floats represent integers below 2^24 exactly, so partial sums are exact in any order. */
Test(lab, small_integers_are_multiplied_exactly)
{
    const LabExperiment *e = lab_find("matmul");
    const LabCase *c = &e->cases[1];
    size_t count = e->size(c).in / sizeof(float);
    float *in = malloc(count * sizeof *in), most = 0;
    e->fill(c, in);
    for (size_t i = 0; i < count; i++) {
        float size = in[i] < 0 ? -in[i] : in[i];
        cr_assert_eq(size, (float)(int)size);
        most = size > most ? size : most;
    }
    cr_assert(most > 0 && most * most * (float)c->b < 1 << 24);
    free(in);
}

Test(lab, red_and_blue_are_swapped)
{
    const uint8_t bytes[] = {1, 20, 255, 0, 128, 7};
    uint8_t out[6];
    reference("coalescing", "packed", CASE(1, 2, 0), bytes, out);
    cr_assert_arr_eq(out, ((uint8_t[]){0, 235, 254, 248, 127, 255}), 6);
    /* In planes, the same bytes are red 1 and 20, green 255 and 0, blue 128 and 7. */
    reference("coalescing", "planes", CASE(1, 2, 0), bytes, out);
    cr_assert_arr_eq(out, ((uint8_t[]){127, 248, 0, 255, 254, 235}), 6);
    const float floats[] = {0.25F, 0.5F, 0};
    float three[3];
    reference("coalescing", "staged", CASE(4, 1, 0), floats, three);
    cr_assert(three[0] == 1 && three[1] == 0.5F && three[2] == 0.75F);
}
