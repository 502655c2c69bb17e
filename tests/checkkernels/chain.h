/* A chain: several point operations that the executor runs in one pass. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_CHAIN_H
#define IMGTOOL_TESTS_CHECKKERNELS_CHAIN_H

#include "kernels/core/exec/exec_priv.h"

typedef struct Chain {
    ImgStep steps[IMG_STEPS_MAX];
    size_t count;
} Chain;

/* Parses a chain such as "brightness value=10 | gamma value=1.4". Parameters that are files are not
 * allowed. Returns IMG_E_USAGE and the reason if the chain is invalid. */
ImgStatus chain_parse(const char *text, Chain *chain, ImgError *err);

/* Makes the executor's plan for a backend. Returns IMG_E_USAGE if the plan has more than one pass.
 * After IMG_OK the caller frees the plan with img_plan_free. */
ImgStatus chain_plan(Chain *chain, ImgShape src, ImgBackend backend, ImgPlan *plan, ImgError *err);

/* Finds the CPU implementation named `against`; "fastest" means the automatic choice on the CPU.
 * Returns IMG_E_USAGE if the name does not exist. Returns IMG_E_UNAVAILABLE for a CUDA
 * implementation, because its pictures would have to be on a device. */
ImgStatus chain_find(const ImgOp *op, const char *against, ImgShape src, const void *params,
                     const ImgImpl **impl, ImgError *err);

/* Runs the chain step by step on the CPU, from the source of `call` to its result, with the threads
 * of `call`. `against` names the implementation, as in chain_find. */
ImgStatus chain_run_steps(const Chain *chain, const char *against, const ImgCall *call,
                          ImgError *err);

#endif
