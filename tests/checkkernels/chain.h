/* Several point operations as the executor runs them: in one pass. */
#ifndef IMGTOOL_TESTS_CHECKKERNELS_CHAIN_H
#define IMGTOOL_TESTS_CHECKKERNELS_CHAIN_H

#include "kernels/core/exec/exec_priv.h"

typedef struct Chain {
    ImgStep steps[IMG_STEPS_MAX];
    size_t count;
} Chain;

/* "brightness value=10 | gamma value=1.4", without files. IMG_E_USAGE says what is wrong. */
ImgStatus chain_parse(const char *text, Chain *chain, ImgError *err);

/* The executor's plan for a backend, which is one pass, else IMG_E_USAGE. Ends with img_plan_free,
 * if it is IMG_OK. */
ImgStatus chain_plan(Chain *chain, ImgShape src, ImgBackend backend, ImgPlan *plan, ImgError *err);

/* The CPU's implementation of that name, or "fastest": what the automatic choice takes there. Else
 * IMG_E_USAGE or IMG_E_UNAVAILABLE: pictures for it would be on a device. */
ImgStatus chain_find(const ImgOp *op, const char *against, ImgShape src, const void *params,
                     const ImgImpl **impl, ImgError *err);

/* From the call's source into its result, step by step by the implementation of that name (see
 * chain_find) on the CPU, with the call's threads. */
ImgStatus chain_run_steps(const Chain *chain, const char *against, const ImgCall *call,
                          ImgError *err);

#endif
