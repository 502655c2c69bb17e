/* The turn family on CUDA, for many small pictures in one launch. */
#include "kernels/turn/turn.h"

/* Returns the move that performs the turn of a call (kernels/core/turn.h). */
static ImgMove move_of(const ImgCall *call)
{
    const ImgTurn turn = img_turn_of_call(call);
    const ImgView *src = &call->src, *dst = &call->dst;
    const int64_t pixel_size = (int64_t)img_format_pixel_size(src->format);
    const int64_t stride = (int64_t)src->stride;
    const bool flips_x = img_turn_flips_x(turn), flips_y = img_turn_flips_y(turn);
    const int64_t right = flips_x ? -pixel_size : pixel_size, down = flips_y ? -stride : stride;
    return (ImgMove){.src = src->data + (flips_x ? (src->width - 1) * pixel_size : 0) +
                            (flips_y ? (src->height - 1) * stride : 0),
                     .src_x = img_turn_swaps(turn) ? down : right,
                     .src_y = img_turn_swaps(turn) ? right : down,
                     .dst = dst->data,
                     .dst_stride = dst->stride,
                     .width = dst->width,
                     .height = dst->height,
                     .pixel_size = (int32_t)pixel_size};
}

ImgStatus img_turn_cuda_run_many(const ImgCall *calls, size_t count, const ImgManyRoom *room,
                                 ImgError *err)
{
    ImgMove *moves = room->host;
    for (size_t i = 0; i < count; i++)
        moves[i] = move_of(&calls[i]);
    return img_move_many(room, count, calls[0].stream, err);
}

/* The description of the call may be on the stack: cudaMemcpyAsync copies unpinned memory before it
 * returns. */
ImgStatus img_turn_cuda_many(const ImgCall *call, ImgError *err)
{
    ImgMove move;
    const ImgManyRoom room = {&move, call->workspace};
    return img_turn_cuda_run_many(call, 1, &room, err);
}
