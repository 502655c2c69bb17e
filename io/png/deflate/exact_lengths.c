/* Where the limit applies, codes come from package-merge (Larmore and Hirschberg 1990). */
#include "io/png/deflate/exact_lengths.h"

#include <stdbool.h>
#include <string.h>

#include "io/png/deflate/exact_costs.h"

/* --- Optimal codes of limited length ---------------------------------------------------------- */

enum { SYMBOL_BITS = 9, SYMBOL_MASK = (1 << SYMBOL_BITS) - 1, ITEMS = 2 * IMG_SYMBOLS };

/* The symbols that occur, sorted by count, with the symbol in the low bits. */
typedef struct Leaves {
    uint64_t keys[IMG_SYMBOLS];
    int count;
} Leaves;

static void sort_leaves(const uint32_t *counts, int symbols, Leaves *leaves)
{
    leaves->count = 0;
    for (int i = 0; i < symbols; i++) {
        if (counts[i] == 0)
            continue;
        const uint64_t key = (uint64_t)counts[i] << SYMBOL_BITS | (unsigned)i;
        int at = leaves->count++;
        for (; at > 0 && leaves->keys[at - 1] > key; at--)
            leaves->keys[at] = leaves->keys[at - 1];
        leaves->keys[at] = key;
    }
}

/* One of the lists of package-merge: leaves, and packages of two items of the list before. */
typedef struct List {
    uint64_t weights[ITEMS];
    int count;
} List;

/* Merges the leaves with the pairs of `last` into `list`, and marks which items are leaves. */
static void merge(const Leaves *leaves, const List *last, List *list, bool *is_leaf)
{
    int leaf = 0, pair = 0;
    const int pairs = last->count / 2;
    list->count = leaves->count + pairs;
    for (int i = 0; i < list->count; i++) {
        const uint64_t package =
            pair < pairs ? last->weights[2 * pair] + last->weights[2 * pair + 1] : UINT64_MAX;
        is_leaf[i] = leaf < leaves->count && leaves->keys[leaf] >> SYMBOL_BITS <= package;
        list->weights[i] = is_leaf[i] ? leaves->keys[leaf++] >> SYMBOL_BITS : package;
        pair += !is_leaf[i];
    }
}

/* Sets the lengths of at least two leaves. The last list's first items, two less than twice the
 * leaves, are the solution: each time a leaf is contained in them, its code becomes longer by
 * one. */
static void limited_lengths(const Leaves *leaves, int limit, uint8_t *lengths)
{
    bool is_leaf[IMG_CODE_MOST][ITEMS];
    List lists[2] = {{.count = 0}, {.count = 0}};
    for (int level = 0; level < limit; level++)
        merge(leaves, &lists[level % 2], &lists[(level + 1) % 2], is_leaf[level]);
    int taken = 2 * leaves->count - 2;
    for (int level = limit - 1; level >= 0; level--) {
        int leaf = 0;
        for (int i = 0; i < taken; i++)
            leaf += is_leaf[level][i];
        for (int i = 0; i < leaf; i++)
            lengths[leaves->keys[i] & SYMBOL_MASK]++;
        taken = 2 * (taken - leaf);
    }
}

void img_exact_lengths(const uint32_t *counts, int symbols, int limit, uint8_t *lengths)
{
    img_huffman_lengths(counts, symbols, limit, lengths);
    int longest = 0;
    for (int i = 0; i < symbols; i++)
        longest = lengths[i] > longest ? lengths[i] : longest;
    if (longest < limit)
        return;
    Leaves leaves;
    sort_leaves(counts, symbols, &leaves);
    for (int i = 0; i < leaves.count; i++)
        lengths[leaves.keys[i] & SYMBOL_MASK] = 0;
    limited_lengths(&leaves, limit, lengths);
}

/* --- Counts that give a shorter header -------------------------------------------------------- */

enum { RUN_LEAST = 4 /* shortest run of equal lengths that a repetition makes shorter */ };

static uint64_t information(uint64_t count)
{
    return count == 0 ? 0 : count * img_exact_log2((uint32_t)count);
}

/* Returns the end of the longest run from `start` on whose common mean costs at most `bits` bits
 * per symbol more than the counts themselves. Sets `*sum` to the sum of its counts. */
static int run_end(const uint32_t *counts, int symbols, int start, uint32_t bits, uint64_t *sum)
{
    uint64_t all = 0, apart = 0;
    int end = start;
    *sum = 0;
    for (int i = start; i < symbols; i++) {
        const uint32_t run = (uint32_t)(i + 1 - start);
        all += counts[i];
        apart += information(counts[i]);
        const uint64_t most = (uint64_t)bits * (run - 1) << IMG_EXACT_LOG_BITS;
        if (apart + all * img_exact_log2(run) > information(all) + most)
            break;
        end = i + 1;
        *sum = all;
    }
    return end;
}

void img_exact_level_counts(const uint32_t *counts, int symbols, uint32_t bits, uint32_t *levelled)
{
    memcpy(levelled, counts, (size_t)symbols * sizeof *counts);
    for (int start = 0; start < symbols;) {
        uint64_t sum;
        const int end = run_end(counts, symbols, start, bits, &sum), run = end - start;
        if (run < RUN_LEAST) {
            start++;
            continue;
        }
        const uint64_t mean = (sum + (uint64_t)run / 2) / (uint64_t)run;
        for (; start < end; start++)
            levelled[start] = mean > 0 || sum == 0 ? (uint32_t)mean : 1;
    }
}
