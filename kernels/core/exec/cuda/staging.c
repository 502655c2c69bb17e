#include "kernels/core/exec/cuda/device_priv.h"

#include <string.h>

#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/op.h"

enum { PACKING_THREADS = 4 };
static const size_t STAGING_BYTES = (size_t)4 << 20;

static ImgStatus open_once(ImgStaging *staging, ImgError *err)
{
    if (staging->is_open)
        return IMG_OK;
    for (int i = 0; i < IMG_STAGING_BUFFERS; i++) {
        if (staging->buffer[i] == NULL)
            CUDA_TRY(cudaMallocHost((void **)&staging->buffer[i], STAGING_BYTES), err);
        if (staging->done[i] == NULL)
            CUDA_TRY(cudaEventCreateWithFlags(&staging->done[i], cudaEventDisableTiming), err);
    }
    staging->is_open = true;
    return IMG_OK;
}

void img_staging_close(ImgStaging *staging)
{
    for (int i = 0; i < IMG_STAGING_BUFFERS; i++) {
        if (staging->done[i] != NULL)
            (void)cudaEventDestroy(staging->done[i]);
        (void)cudaFreeHost(staging->buffer[i]);
    }
    memset(staging, 0, sizeof *staging);
}

/* The part of an image that one buffer holds: some whole rows, or a part of one row that is longer
 * than a buffer. */
typedef struct Piece {
    int32_t y, rows;
    size_t column, bytes; /* first byte and number of bytes of each row */
} Piece;

typedef struct Pieces {
    size_t row_bytes, pitch;
    /* number of rows in a piece; 0 if rows are longer than a buffer, so that a piece is a part of a
     * row */
    int32_t rows_per_piece;
    int64_t pieces_a_row;
    int64_t count;
} Pieces;

static Pieces pieces_of(const ImgView *host, size_t pitch)
{
    Pieces all = {.row_bytes = (size_t)host->width * img_format_pixel_size(host->format),
                  .pitch = pitch};
    if (pitch <= STAGING_BYTES) {
        all.rows_per_piece = (int32_t)(STAGING_BYTES / pitch);
        all.count = (host->height + (int64_t)all.rows_per_piece - 1) / all.rows_per_piece;
    } else {
        all.pieces_a_row = (int64_t)((all.row_bytes + STAGING_BYTES - 1) / STAGING_BYTES);
        all.count = host->height * all.pieces_a_row;
    }
    return all;
}

static Piece piece_at(const Pieces *all, int64_t index, int32_t height)
{
    if (all->rows_per_piece > 0) {
        int32_t y = (int32_t)(index * all->rows_per_piece);
        int32_t rows = height - y < all->rows_per_piece ? height - y : all->rows_per_piece;
        return (Piece){y, rows, 0, all->row_bytes};
    }
    size_t column = (size_t)(index % all->pieces_a_row) * STAGING_BYTES;
    size_t bytes =
        all->row_bytes - column < STAGING_BYTES ? all->row_bytes - column : STAGING_BYTES;
    return (Piece){(int32_t)(index / all->pieces_a_row), 1, column, bytes};
}

/* Returns the number of bytes from the start of the first row to the end of the last one, with rows
 * at the device's pitch: the bytes that are copied between host and device. */
static size_t piece_span(const Piece *piece, size_t pitch)
{
    return (size_t)(piece->rows - 1) * pitch + piece->bytes;
}

typedef struct Copy {
    uint8_t *dst;
    size_t dst_stride;
    const uint8_t *src;
    size_t src_stride, bytes; /* `bytes` is the number of bytes to copy from each row */
} Copy;

static void copy_rows(void *context, int64_t first, int64_t end)
{
    const Copy *copy = context;
    for (int64_t y = first; y < end; y++)
        memcpy(copy->dst + (size_t)y * copy->dst_stride, copy->src + (size_t)y * copy->src_stride,
               copy->bytes);
}

static void copy_piece(const Copy *copy, int32_t rows, ImgTeam *team, int threads)
{
    Copy own = *copy;
    bool small = 2 * (size_t)rows * own.bytes < IMG_BYTES_WORTH_THREADS;
    int workers = threads < PACKING_THREADS ? threads : (int)PACKING_THREADS;
    img_parallel_for(team, small ? 1 : workers, rows, copy_rows, &own);
}

static ImgStatus wait_for_buffer(ImgStaging *staging, int i, ImgError *err)
{
    if (staging->busy[i])
        CUDA_TRY(cudaEventSynchronize(staging->done[i]), err);
    staging->busy[i] = false;
    return IMG_OK;
}

ImgStatus img_staging_upload(ImgStaging *staging, const ImgView *host, const ImgView *device,
                             ImgTeam *team, int threads, cudaStream_t stream, ImgError *err)
{
    Pieces all = pieces_of(host, device->stride);
    ImgStatus opened = open_once(staging, err);
    if (opened != IMG_OK)
        return opened;
    for (int64_t n = 0; n < all.count; n++) {
        int i = (int)(n % IMG_STAGING_BUFFERS);
        Piece piece = piece_at(&all, n, host->height);
        ImgStatus status = wait_for_buffer(staging, i, err);
        if (status != IMG_OK)
            return status;
        const Copy copy = {staging->buffer[i], all.pitch,
                           host->data + (size_t)piece.y * host->stride + piece.column, host->stride,
                           piece.bytes};
        copy_piece(&copy, piece.rows, team, threads);
        CUDA_TRY(cudaMemcpyAsync(device->data + (size_t)piece.y * all.pitch + piece.column,
                                 staging->buffer[i], piece_span(&piece, all.pitch),
                                 cudaMemcpyHostToDevice, stream),
                 err);
        CUDA_TRY(cudaEventRecord(staging->done[i], stream), err);
        staging->busy[i] = true;
    }
    CUDA_TRY(cudaStreamSynchronize(stream), err);
    return IMG_OK;
}

/* Up to IMG_STAGING_BUFFERS - 1 pieces are copied from the device while threads unpack the piece
 * before them. */
ImgStatus img_staging_download(ImgStaging *staging, const ImgView *device, const ImgView *host,
                               ImgTeam *team, int threads, cudaStream_t stream, ImgError *err)
{
    Pieces all = pieces_of(host, device->stride);
    ImgStatus opened = open_once(staging, err);
    if (opened != IMG_OK)
        return opened;
    for (int64_t n = 0; n < all.count + IMG_STAGING_BUFFERS - 1; n++) {
        if (n < all.count) {
            int i = (int)(n % IMG_STAGING_BUFFERS);
            Piece piece = piece_at(&all, n, host->height);
            CUDA_TRY(cudaMemcpyAsync(staging->buffer[i],
                                     device->data + (size_t)piece.y * all.pitch + piece.column,
                                     piece_span(&piece, all.pitch), cudaMemcpyDeviceToHost, stream),
                     err);
            CUDA_TRY(cudaEventRecord(staging->done[i], stream), err);
            staging->busy[i] = true;
        }
        int64_t ready = n - (IMG_STAGING_BUFFERS - 1);
        if (ready >= 0 && ready < all.count) {
            int i = (int)(ready % IMG_STAGING_BUFFERS);
            Piece piece = piece_at(&all, ready, host->height);
            ImgStatus status = wait_for_buffer(staging, i, err);
            if (status != IMG_OK)
                return status;
            const Copy copy = {host->data + (size_t)piece.y * host->stride + piece.column,
                               host->stride, staging->buffer[i], all.pitch, piece.bytes};
            copy_piece(&copy, piece.rows, team, threads);
        }
    }
    return IMG_OK;
}
