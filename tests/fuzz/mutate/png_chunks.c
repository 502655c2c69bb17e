#include "tests/fuzz/mutate/png_mutate.h"

#include <zlib.h>

const uint8_t png_signature[PNG_SIGNATURE_BYTES] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

bool png_chunks_read(const uint8_t *data, size_t size, PngChunks *chunks)
{
    size_t at = PNG_SIGNATURE_BYTES;
    *chunks = (PngChunks){0};
    while (chunks->count < PNG_CHUNKS_MAX && at <= size && size - at >= PNG_FRAME_BYTES) {
        PngChunk *chunk = &chunks->list[chunks->count++];
        const size_t most = size - at - PNG_FRAME_BYTES, length = fuzz_load32(data + at);
        memcpy(chunk->type, data + at + 4, sizeof chunk->type);
        fuzz_put(&chunk->data, data + at + 8, length < most ? length : most);
        at += PNG_FRAME_BYTES + chunk->data.size;
    }
    return chunks->count > 0;
}

void png_chunks_write(const PngChunks *chunks, FuzzBytes *file)
{
    fuzz_put(file, png_signature, sizeof png_signature);
    for (size_t i = 0; i < chunks->count; i++) {
        const PngChunk *chunk = &chunks->list[i];
        fuzz_put32(file, (uint32_t)chunk->data.size);
        const size_t start = file->size;
        fuzz_put(file, chunk->type, sizeof chunk->type);
        fuzz_put(file, chunk->data.data, chunk->data.size);
        fuzz_put32(file, (uint32_t)crc32_z(0, file->data + start, file->size - start));
    }
}

void png_chunks_free(PngChunks *chunks)
{
    for (size_t i = 0; i < chunks->count; i++)
        free(chunks->list[i].data.data);
    *chunks = (PngChunks){0};
}

bool png_chunk_is(const PngChunk *chunk, const char *type)
{
    return memcmp(chunk->type, type, sizeof chunk->type) == 0;
}

size_t png_chunks_find(const PngChunks *chunks, const char *type)
{
    size_t i = 0;
    while (i < chunks->count && !png_chunk_is(&chunks->list[i], type))
        i++;
    return i;
}

void png_chunks_insert(PngChunks *chunks, size_t at, const char *type, const uint8_t *data,
                       size_t size)
{
    if (chunks->count >= PNG_CHUNKS_MAX || at > chunks->count)
        return;
    PngChunk chunk = {0};
    memcpy(chunk.type, type, sizeof chunk.type);
    fuzz_put(&chunk.data, data, size);
    memmove(chunks->list + at + 1, chunks->list + at, (chunks->count - at) * sizeof chunk);
    chunks->list[at] = chunk;
    chunks->count++;
}

void png_chunks_remove(PngChunks *chunks, size_t at)
{
    free(chunks->list[at].data.data);
    chunks->count--;
    memmove(chunks->list + at, chunks->list + at + 1, (chunks->count - at) * sizeof *chunks->list);
}

void png_chunks_move(PngChunks *chunks, size_t from, size_t to)
{
    const PngChunk chunk = chunks->list[from];
    memmove(chunks->list + from, chunks->list + from + 1,
            (chunks->count - from - 1) * sizeof chunk);
    memmove(chunks->list + to + 1, chunks->list + to, (chunks->count - to - 1) * sizeof chunk);
    chunks->list[to] = chunk;
}

void png_chunks_gather_idat(const PngChunks *chunks, FuzzBytes *stream)
{
    for (size_t i = 0; i < chunks->count; i++)
        if (png_chunk_is(&chunks->list[i], "IDAT"))
            fuzz_put(stream, chunks->list[i].data.data, chunks->list[i].data.size);
}
