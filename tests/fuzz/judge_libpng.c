/* Reads files with libpng, and their compressed streams with zlib. */
#include "tests/fuzz/judge.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "tests/fuzz/mutate/png_mutate.h"

enum { ROOM_MOST = 4096 };

typedef struct Reader {
    const uint8_t *data;
    size_t size, at;
} Reader;

static void read_bytes(png_structp png, png_bytep to, size_t size)
{
    Reader *reader = png_get_io_ptr(png);
    if (size > reader->size - reader->at)
        png_error(png, "the file ends");
    memcpy(to, reader->data + reader->at, size);
    reader->at += size;
}

static void ignore(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void end_reading(png_structp png, png_const_charp message)
{
    (void)message;
    png_longjmp(png, 1);
}

bool libpng_reads(const uint8_t *data, size_t size)
{
    Reader reader = {data, size, 0};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, end_reading, ignore);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    if (info == NULL)
        abort();
    volatile bool reads = false;
    if (setjmp(png_jmpbuf(png)) == 0) {
        png_set_read_fn(png, &reader, read_bytes);
        /* allows every width and height that PNG allows */
        png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
        png_set_chunk_malloc_max(png, 0);
        png_read_png(png, info, PNG_TRANSFORM_IDENTITY, NULL);
        reads = true;
    }
    png_destroy_read_struct(&png, &info, NULL);
    return reads;
}

/* Returns true if zlib rejects the stream. As in libpng, the window size is that of the stream's
 * header, and zlib gets `room` bytes of output at a time. */
static bool ends_badly(const FuzzBytes *stream, unsigned room)
{
    uint8_t rows[ROOM_MOST];
    z_stream zlib = {.next_in = stream->data, .avail_in = (uInt)stream->size};
    if (inflateInit2(&zlib, 0) != Z_OK)
        abort();
    int result;
    do {
        zlib.next_out = rows;
        zlib.avail_out = room;
        result = inflate(&zlib, Z_NO_FLUSH);
    } while (result == Z_OK);
    inflateEnd(&zlib);
    return result != Z_STREAM_END;
}

/* Returns true if zlib rejects the stream, either with room for much output or with room for one
 * byte at a time. The verdicts may differ if the stream refers to bytes outside its window: with
 * room for one byte zlib then rejects it. */
static bool may_end_badly(const FuzzBytes *stream)
{
    return ends_badly(stream, ROOM_MOST) || ends_badly(stream, 1);
}

/* Returns the joined data of the first run of IDATs. IDATs after other chunks are not part of the
 * stream. */
static FuzzBytes stream_of(const PngChunks *chunks)
{
    FuzzBytes stream = {0};
    for (size_t i = png_chunks_find(chunks, "IDAT");
         i < chunks->count && png_chunk_is(&chunks->list[i], "IDAT"); i++)
        fuzz_put(&stream, chunks->list[i].data.data, chunks->list[i].data.size);
    return stream;
}

bool may_reject_alone(const uint8_t *data, size_t size)
{
    PngChunks chunks;
    if (!png_chunks_read(data, size, &chunks))
        return false;
    FuzzBytes stream = stream_of(&chunks);
    const bool is = !png_chunk_is(&chunks.list[0], "IHDR") || may_end_badly(&stream);
    free(stream.data);
    png_chunks_free(&chunks);
    return is;
}
