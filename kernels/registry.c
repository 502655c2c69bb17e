#include "kernels/registry.h"

#include <string.h>

#include "kernels/core/params.h"
#include "kernels/core/suggest.h"

#define IMG_OP(name)      extern const ImgOp img_op_##name;
#define IMG_MEASURE(name) extern const ImgOp img_measure_##name;
#include "kernels/op_list.h"
#undef IMG_OP
#undef IMG_MEASURE

const ImgOp *const img_ops[] = {
#define IMG_OP(name) &img_op_##name,
#define IMG_MEASURE(name)
#include "kernels/op_list.h"
#undef IMG_OP
#undef IMG_MEASURE
    NULL,
};

const ImgOp *const img_measures[] = {
#define IMG_OP(name)
#define IMG_MEASURE(name) &img_measure_##name,
#include "kernels/op_list.h"
#undef IMG_OP
#undef IMG_MEASURE
    NULL,
};

enum {
    OPS = sizeof img_ops / sizeof img_ops[0] - 1,
    MEASURES = sizeof img_measures / sizeof img_measures[0] - 1,
};

const ImgOp *img_op_at(size_t index)
{
    if (index < OPS)
        return img_ops[index];
    return index - OPS < MEASURES ? img_measures[index - OPS] : NULL;
}

static ImgStatus find(const char *name, size_t count, const ImgOp **op, ImgError *err)
{
    ImgSuggestion nearest = img_suggest_start(name);
    for (size_t i = 0; i < count; i++) {
        *op = img_op_at(i);
        if (strcmp((*op)->name, name) == 0)
            return img_params_check_defaults(*op, err);
        img_suggest_offer(&nearest, (*op)->name);
    }
    *op = NULL;
    if (nearest.best != NULL)
        return img_fail(err, IMG_E_USAGE, "there is no operation '%s'; did you mean '%s'?", name,
                        nearest.best);
    return img_fail(err, IMG_E_USAGE, "there is no operation '%s'", name);
}

ImgStatus img_op_find(const char *name, const ImgOp **op, ImgError *err)
{
    return find(name, OPS, op, err);
}

ImgStatus img_op_or_measure_find(const char *name, const ImgOp **op, ImgError *err)
{
    return find(name, OPS + MEASURES, op, err);
}
