/* Tests of files in memory that change while they are read. The reader must report an error or give
 * a mixture of both contents, without an access out of bounds. AddressSanitizer shows most such
 * accesses. */
#include <signal.h>
#include <sys/wait.h>

#include "test_library.h"

static const imgtool_format AS_IT_IS = {IMGTOOL_AS_IT_IS, 0};

/* A file in memory and its reader. A test loads the file, changes it, and then decodes it. */
typedef struct Changing {
    imgtool_context *context;
    imgtool_reader *reader;
    /* an allocation of exactly the size of the file, so that sanitizers report a read past it */
    Bytes file;
} Changing;

static Changing load(const Bytes *png, int32_t threads)
{
    Changing changing = {.context = test_context(threads)};
    imgtool_error error = IMGTOOL_ERROR_INIT;
    changing.file = (Bytes){malloc(png->size), png->size, png->size};
    memcpy(changing.file.data, png->data, png->size);
    EXPECT_OK(imgtool_open_memory(changing.context, changing.file.data, changing.file.size,
                                  &changing.reader, &error),
              error);
    EXPECT_OK(imgtool_reader_load(changing.reader, &error), error);
    return changing;
}

static void done(Changing *changing)
{
    imgtool_reader_destroy(changing->reader);
    imgtool_context_destroy(changing->context);
    free(changing->file.data);
}

/* Decodes the whole picture, or its rows if `by_rows`. The result must have the size that the
 * picture had when it was opened. */
static imgtool_status decode(const Changing *changing, bool by_rows)
{
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    TestRows rows = {.context = changing->context, .all = IMGTOOL_PICTURE_INIT};
    imgtool_info info = IMGTOOL_INFO_INIT;
    imgtool_status status;
    if (by_rows)
        status = imgtool_reader_rows(changing->reader, AS_IT_IS, test_take_rows, &rows, NULL);
    else
        status = imgtool_reader_decode(changing->reader, &picture, NULL);
    cr_expect(status == IMGTOOL_OK || status == IMGTOOL_E_FORMAT, "status %d", (int)status);
    cr_assert_eq(imgtool_reader_info(changing->reader, &info, NULL), IMGTOOL_OK);
    cr_expect_leq(rows.next, info.height);
    imgtool_picture_free(changing->context, &picture);
    imgtool_picture_free(changing->context, &rows.all);
    return status;
}

Test(library_changing, any_byte_may_change)
{
    for (int i = 0; i < FORMAT_COUNT; i++)
        for (int interlaced = 0; interlaced < 2; interlaced++) {
            Bytes png = test_png((ImgShape){5, 3, ALL_FORMATS[i]}, interlaced != 0);
            for (size_t at = 0; at < png.size; at++) {
                Changing changing = load(&png, 1);
                changing.file.data[at] ^= 0xFF;
                (void)decode(&changing, at % 2 == 0);
                done(&changing);
            }
            free(png.data);
        }
}

/* Between two reads, the length of a chunk changes to a value that leads past the end of the file.
 * */
Test(library_changing, a_length_past_the_end_is_safe)
{
    for (int bits = 1; bits <= 8; bits *= 8) {
        Bytes png = test_png((ImgShape){50, 30, {IMG_COLOR_GRAY, bits}}, false);
        for (int high = 0; high < 256; high += 15) {
            Changing changing = load(&png, 1);
            changing.file.data[33] = (uint8_t)high;
            changing.file.data[34] = 1;
            cr_expect_eq(decode(&changing, high % 2 == 0), IMGTOOL_E_FORMAT);
            done(&changing);
        }
        free(png.data);
    }
}

/* Between two reads, the memory changes to a valid file of a picture with another size. libpng
 * reads the header a second time and finds the new size. */
Test(library_changing, another_header_is_safe)
{
    const ImgShape shape = {16, 4, {IMG_COLOR_GRAY, 1}};
    for (int interlaced = 0; interlaced < 2; interlaced++) {
        Bytes png = test_png(shape, interlaced != 0), other = {0};
        put_header(&other, 16, 4000, 1, 0, interlaced);
        Bytes rows = test_rows((ImgShape){16, 4000, shape.format}, interlaced != 0);
        put_idat(&other, rows.data, rows.size);
        put_end(&other);
        put(&png, other.data, other.size); /* Bytes after IEND are allowed. */
        Changing changing = load(&png, 1);
        memcpy(changing.file.data, other.data, other.size);
        cr_expect_eq(decode(&changing, interlaced == 0), IMGTOOL_E_FORMAT);
        done(&changing);
        free(rows.data);
        free(other.data);
        free(png.data);
    }
}

/* --- Changes during the read ------------------------------------------------------------------ */

/* Returns a PNG whose pixel rows are stored uncompressed and look like IDAT chunks. *length is the
 * length of its first IDAT chunk. With *other as its length, that chunk would end where the first
 * of these rows begins. */
static Bytes chain_of_chunks(ImgShape shape, uint32_t *length, uint32_t *other)
{
    Bytes link = {0}, raw = {0}, png = {0};
    put_chunk(&link, "IDAT", "x", 1);
    const size_t row = 1 + (size_t)shape.width * 3;
    for (int32_t y = 0; y < shape.height; y++) {
        put(&raw, "\0", 1);
        while (raw.size % row != 0) {
            const size_t left = row - raw.size % row;
            put(&raw, link.data, left < link.size ? left : link.size);
        }
    }
    uLongf size = compressBound(raw.size);
    Bytes stream = {malloc(size), 0, size};
    cr_assert_eq(compress2(stream.data, &size, raw.data, raw.size, 0), Z_OK);
    stream.size = size;
    put_test_header(&png, shape, false);
    put_chunk(&png, "IDAT", stream.data, stream.size);
    put_end(&png);
    *length = (uint32_t)stream.size;
    for (*other = 0; memcmp(stream.data + *other, link.data, link.size) != 0;)
        ++*other;
    *other -= 4; /* less the 4 bytes of the CRC */
    free(stream.data);
    free(raw.data);
    free(link.data);
    return png;
}

/* Writes `other` and `length` in turn as the length of a chunk, until the process is killed. The
 * alarm ends it if the test has crashed. */
static void flip(volatile uint8_t *at, uint32_t length, uint32_t other)
{
    alarm(10);
    for (;;) {
        for (int i = 0; i < 4; i++)
            at[i] = (uint8_t)(other >> (24 - 8 * i));
        for (int i = 0; i < 4; i++)
            at[i] = (uint8_t)(length >> (24 - 8 * i));
    }
}

/* Another process changes the file while this process reads it, as can happen with a mapped file.
 * The picture is small, so that most of the time is spent on the chunks, where the file changes. */
Test(library_changing, a_file_may_change_while_it_is_read)
{
    enum { ROUNDS = 20000 };
    uint32_t length, other;
    Bytes png = chain_of_chunks((ImgShape){100, 10, {IMG_COLOR_RGB, 8}}, &length, &other);
    uint8_t *shared =
        mmap(NULL, png.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(shared, MAP_FAILED);
    memcpy(shared, png.data, png.size);
    imgtool_context *context = test_context(1);
    const pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0)
        flip(shared + 33, length, other);
    for (int i = 0; i < ROUNDS; i++) {
        imgtool_picture picture = IMGTOOL_PICTURE_INIT;
        (void)imgtool_read_memory(context, shared, png.size, &picture, NULL, NULL);
        imgtool_picture_free(context, &picture);
    }
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    imgtool_context_destroy(context);
    munmap(shared, png.size);
    free(png.data);
}
