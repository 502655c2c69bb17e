/* Tests a program without the kernels that teach (kernels/core/cuda/textbook.h): the automatic
 * choice takes the same CUDA implementation as in a program that has them. Prints the number of
 * cases. */
#include <inttypes.h>
#include <stdio.h>

#include "kernels/core/select.h"
#include "kernels/registry.h"
#include "tests/checkkernels/cases.h"

enum { CASES_MOST = 20000 /* of an operation */ };

/* Returns what the automatic choice takes in a program with all implementations. */
static const ImgImpl *choice_of_all(const Case *one)
{
    const ImgImpl *choice = NULL;
    for (const ImgImpl *impl = one->op->impls; impl->name != NULL; impl++)
        if (impl->backend == IMG_BACKEND_CUDA &&
            img_impl_applies(one->op, impl, one->shape, one->params.bytes))
            choice = impl;
    return choice;
}

typedef struct Counts {
    uint64_t cases, wrong;
} Counts;

static void check_choice(const Case *one, void *context)
{
    Counts *counts = context;
    const ImgImpl *all = choice_of_all(one), *own = NULL;
    counts->cases++;
    (void)img_impl_fastest(one->op, IMG_BACKEND_CUDA, one->shape, one->params.bytes, &own, NULL);
    if (own == all)
        return;
    if (counts->wrong++ == 0)
        printf("%s, %" PRId32 "x%" PRId32 " of %d bits: %s instead of %s\n", one->op->name,
               one->shape.width, one->shape.height, one->shape.format.bits,
               own != NULL ? own->name : "nothing", all->name);
}

/* Returns the number of CUDA implementations that this program does not contain. */
static size_t count_missing(void)
{
    size_t missing = 0;
    const ImgOp *op;
    for (size_t i = 0; (op = img_op_at(i)) != NULL; i++)
        for (const ImgImpl *impl = op->impls; impl->name != NULL; impl++)
            missing += impl->backend == IMG_BACKEND_CUDA && impl->run == NULL;
    return missing;
}

int main(void)
{
    const CaseChoice choice = {.seed = 1, .most = CASES_MOST};
    const size_t missing = count_missing();
    Counts counts = {0, 0};
    const ImgOp *op;
    for (size_t i = 0; (op = img_op_at(i)) != NULL; i++)
        (void)cases_each(op, &choice, check_choice, &counts);
    printf("%" PRIu64 " cases, %" PRIu64 " wrong; %zu implementations teach\n", counts.cases,
           counts.wrong, missing);
    return counts.wrong == 0 && counts.cases > CASES_MOST && missing > 0 ? 0 : 1;
}
