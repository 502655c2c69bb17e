/* Private to the fast resize on CUDA: computes, on the host, the parameters of its kernels. */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_PLAN_CUH
#define IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_PLAN_CUH

#include "kernels/core/op.h"
#include "kernels/resize/cuda/resize_rows.cuh"

namespace resize
{

inline Divisor divisor(int32_t by)
{
    return {(uint32_t)by, (1u << DIVISION_PLACES) / (uint32_t)by + 1};
}

/* Returns the largest number of source samples that a group of `width` adjacent new samples needs.
 * Groups begin `lead` samples before multiples of `width`. The first source sample of a group is
 * rounded down to a multiple of `align`. */
inline int64_t window_most(const ImgResize *own, const ImgResizeAxis *axis, int32_t lead,
                           int32_t width, int32_t align)
{
    const int32_t *first = img_resize_first(own, axis);
    int64_t most = 0;
    for (int64_t i = -(int64_t)lead; i < axis->span.count; i += width) {
        const int64_t from = i > 0 ? i : 0, last = i + width - 1;
        const int64_t end = last < axis->span.count ? last : axis->span.count - 1;
        const int64_t window = (int64_t)first[end] + axis->taps - first[from] / align * align;
        most = window > most ? window : most;
    }
    return most;
}

/* Sets initial values and shifts of narrow sums. Vertical sums are 32768 higher here than in
 * resize.h, and so are their weighted sums, because weights sum to one. Without alpha, the initial
 * value of horizontal sums also adds `zero` (resize.h). */
inline void set_narrow(Task *task, const ImgResize *own)
{
    const int32_t down = own->down.places, across = own->across.places;
    /* number of fractional bits that a vertical sum drops: 7 or 8 without alpha, 15 or 16 with
     * alpha */
    const int32_t shift = down - own->fraction;
    task->down_factor = 1u << ((own->has_alpha ? 16 : 8) - shift);
    task->down_start =
        (((uint32_t)32768 << shift) - ((uint32_t)own->zero << down) + (1u << (shift - 1))) *
        task->down_factor;
    task->end_shift = across + own->fraction;
    task->end_start = (1u << (task->end_shift - 1)) - ((uint32_t)32768 << across) +
                      (own->has_alpha ? 0 : (uint32_t)own->zero << task->end_shift);
}

inline Task task_of(const ImgCall *call, const ImgResize *own)
{
    Task task = {};
    task.src = call->src;
    task.dst = call->dst;
    task.own = static_cast<const ImgResize *>(call->device_constants);
    task.across = own->across.span;
    task.down = own->down.span;
    task.across_taps = own->across.taps;
    task.down_taps = own->down.taps;
    task.across_first_at = own->across.first_at;
    task.across_weights_at = own->across.weights_at;
    task.down_first_at = own->down.first_at;
    task.down_weights_at = own->down.weights_at;
    task.lead = own->across.span.at % BAND;
    task.scale = own->scale;
    if (!own->wide)
        set_narrow(&task, own);
    return task;
}

/* Calls `run` with the Kind for the format of the pictures and returns the status of `run`. */
template <typename Run> ImgStatus with_kind(const ImgResize *own, Run run)
{
    if (own->wide)
        return own->channels == 3 ? run(Kind<3, false, true>()) : run(Kind<1, false, true>());
    switch (own->channels) {
    case 1:
        return run(Kind<1, false, false>());
    case 2:
        return run(Kind<2, true, false>());
    case 3:
        return run(Kind<3, false, false>());
    default:
        return run(Kind<4, true, false>());
    }
}

} // namespace resize

#endif
