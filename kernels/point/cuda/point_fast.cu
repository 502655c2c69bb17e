/* Selects the kernel for a program of point operations. Frequent programs have kernels that are
 * limited only by memory bandwidth. */
#include "kernels/point/cuda/point_fast.h"
#include "kernels/point/point_impls.h"

namespace
{

bool is_bytes(const ImgPointStage *stage)
{
    return stage->from_bits <= 8 && stage->to_bits <= 8;
}

/* Returns true if all channels have the same table. The alpha of 16-bit samples may instead stay
 * unchanged. */
bool shares_table(const ImgPointStage *stage)
{
    bool shares = stage->table[0] >= 0;
    for (int c = 1; c < stage->from; c++) {
        const bool is_alpha = c + 1 == stage->from && stage->from % 2 == 0;
        shares &= stage->table[c] == stage->table[0] ||
                  (is_alpha && stage->table[c] < 0 && stage->from_bits == stage->to_bits);
    }
    return shares;
}

/* Returns true if the program is a matrix for 8-bit samples, possibly with tables before and after
 * it. Sets *between to these stages. */
bool is_between(const ImgPointProgram &program, ImgPointBetween *between)
{
    const ImgPointStage *stage = program.stages, *end = stage + program.count;
    *between = {nullptr, nullptr, nullptr};
    if (stage < end && stage->kind == IMG_POINT_TABLE && is_bytes(stage))
        between->before = stage++;
    if (stage == end || stage->kind != IMG_POINT_MATRIX || stage->is_narrow == 0 ||
        stage->from_bits != 8)
        return false;
    between->matrix = stage++;
    if (stage < end && stage->kind == IMG_POINT_TABLE && is_bytes(stage))
        between->after = stage++;
    return stage == end;
}

/* Returns the function for this kind of matrix, or NULL if only the general kernel supports it. */
ImgPointMatrixFunction *function_of(const ImgPointStage *matrix)
{
    if (matrix->from == 3)
        return matrix->to == 3   ? img_point_cuda_rgb
               : matrix->to == 1 ? img_point_cuda_gray
                                 : nullptr;
    return matrix->from == 4 && matrix->to == 4 ? img_point_cuda_rgba : nullptr;
}

} // namespace

ImgStatus img_point_cuda_fast(const ImgCall *call, ImgError *err)
{
    const ImgPointProgram *program = static_cast<const ImgPointProgram *>(call->constants.bytes);
    const uint8_t *on_device = static_cast<const uint8_t *>(call->device_constants);
    const uint16_t *tables = reinterpret_cast<const uint16_t *>(on_device + program->tables_at);
    const ImgPointStage *first = program->stages;
    const bool is_table = program->count == 1 && first->kind == IMG_POINT_TABLE;
    ImgPointBetween between;
    if (program->count == 0)
        return img_point_cuda_copy(call, err);
    if (is_table && is_bytes(first))
        return img_point_cuda_bytes(call, first, tables, err);
    if (is_table && shares_table(first) && img_point_cuda_words_fits(first))
        return img_point_cuda_words(call, first, tables, err);
    if (is_between(*program, &between) && function_of(between.matrix) != nullptr)
        return function_of(between.matrix)(call, &between, tables, err);
    return img_point_cuda_general(call, err);
}
