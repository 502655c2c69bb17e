/* Reads the chunks of a PNG: checks their structure, order and CRC, and collects everything except
 * the pixels. Section numbers in this file refer to the PNG specification, third edition. */
#include "io/png/chunks.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "io/bytes.h"
#include "io/size_text.h"

enum { IHDR_BYTES = 13 };

typedef struct Chunk {
    char type[5];
    uint32_t size;
    /* offsets in the file: of the chunk's first byte, and of the first byte after the chunk */
    size_t start, end;
} Chunk;

typedef struct Walk {
    const uint8_t *file; /* unused if budget.pieces is set */
    size_t file_size;
    const ImgPngHeader *header;
    ImgMetadata *metadata;
    ImgPngScan *scan;
    ImgPngBudget budget;
    /* `ancillary`: number of chunks listed in the metadata. `parts`: number of IDAT chunks that a
     * decoder will list. */
    size_t ancillary, parts;
    bool seen_plte, seen_idat, in_idat;
    /* For APNG. `seen_actl`: an acTL was found. `late_actl`: the first acTL follows IDAT.
     * `still_is_frame`: an fcTL precedes IDAT, so the still picture is a frame. `seen_fdat`: an
     * fdAT was found. */
    bool seen_actl, late_actl, still_is_frame, seen_fdat;
    /* For APNG: number of frames that the first acTL states. */
    uint32_t frames;
} Walk;

static const uint8_t SIGNATURE[IMG_PNG_SIGNATURE_BYTES] = {0x89, 'P',  'N',  'G',
                                                           '\r', '\n', 0x1a, '\n'};

bool img_png_is_signed(const uint8_t *data, size_t size)
{
    return size >= IMG_PNG_SIGNATURE_BYTES && memcmp(data, SIGNATURE, IMG_PNG_SIGNATURE_BYTES) == 0;
}

/* Converts bit depth and colour type of IHDR to a format. Returns false if section 11.2.1 does not
 * allow this combination. */
static bool format_from_ihdr(int bits, int color_type, ImgFormat *format)
{
    static const struct {
        int color_type;
        ImgColor color;
        int min_bits, max_bits;
    } allowed[] = {{0, IMG_COLOR_GRAY, 1, 16},
                   {2, IMG_COLOR_RGB, 8, 16},
                   {3, IMG_COLOR_PALETTE, 1, 8},
                   {4, IMG_COLOR_GRAY_ALPHA, 8, 16},
                   {6, IMG_COLOR_RGBA, 8, 16}};
    bool power = bits == 1 || bits == 2 || bits == 4 || bits == 8 || bits == 16;
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; i++) {
        if (allowed[i].color_type != color_type)
            continue;
        *format = (ImgFormat){allowed[i].color, bits};
        return power && bits >= allowed[i].min_bits && bits <= allowed[i].max_bits;
    }
    return false;
}

/* Checks the CRC of a chunk. `chunk` points to its length field; `type` and `size` were read from
 * the chunk by the caller. */
static ImgStatus check_crc(const uint8_t *chunk, const char *type, uint32_t size, ImgError *err)
{
    uint32_t stored = img_get_be32(chunk + 8 + size);
    /* crc32_z takes a size_t. The chunk's size plus the size of its type could exceed the 32-bit
     * length that crc32 takes. */
    uint32_t actual = (uint32_t)crc32_z(0, chunk + 4, (size_t)size + 4);
    if (stored == actual)
        return IMG_OK;
    return img_fail(err, IMG_E_FORMAT, "damaged: wrong CRC in chunk %s", type);
}

ImgStatus img_png_header(const uint8_t *data, ImgPngHeader *header, ImgError *err)
{
    /* The header is copied because another program may change the file's bytes meanwhile. */
    uint8_t chunk[IMG_PNG_FRAME_BYTES + IHDR_BYTES];
    memcpy(chunk, data + IMG_PNG_SIGNATURE_BYTES, sizeof chunk);
    if (memcmp(chunk + 4, "CgBI", 4) == 0)
        return img_fail(
            err, IMG_E_UNSUPPORTED,
            "is Apple's variant of PNG (CgBI) from an iPhone app, which is not PNG; convert it on "
            "a Mac first: xcrun pngcrush -revert-iphone-optimizations IN OUT");
    if (img_get_be32(chunk) != IHDR_BYTES || memcmp(chunk + 4, "IHDR", 4) != 0)
        return img_fail(err, IMG_E_FORMAT,
                        "damaged: the file does not start with a header chunk (IHDR)");
    ImgStatus status = check_crc(chunk, "IHDR", IHDR_BYTES, err);
    if (status != IMG_OK)
        return status;

    const uint8_t *ihdr = chunk + 8;
    uint32_t width = img_get_be32(ihdr), height = img_get_be32(ihdr + 4);
    ImgFormat format;
    if (width < 1 || height < 1 || width > INT32_MAX || height > INT32_MAX)
        return img_fail(err, IMG_E_FORMAT, "impossible size in the header: %u x %u pixels", width,
                        height);
    if (!format_from_ihdr(ihdr[8], ihdr[9], &format))
        return img_fail(err, IMG_E_FORMAT,
                        "impossible format in the header: colour type %d with %d bits", ihdr[9],
                        ihdr[8]);
    if (ihdr[10] != 0 || ihdr[11] != 0 || ihdr[12] > 1)
        return img_fail(err, IMG_E_FORMAT,
                        "unknown method in the header: compression %d, filter %d, interlace %d",
                        ihdr[10], ihdr[11], ihdr[12]);
    header->shape = (ImgShape){(int32_t)width, (int32_t)height, format};
    header->interlaced = ihdr[12] == 1;
    return IMG_OK;
}

static bool is_letter(uint8_t c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* Reads the chunk at `offset`, which must lie within the file. */
static ImgStatus next_chunk(const Walk *walk, size_t offset, Chunk *chunk, ImgError *err)
{
    enum { HEAD = 8 };
    uint8_t head[HEAD];
    const size_t size = walk->file_size;
    if (size - offset < IMG_PNG_FRAME_BYTES)
        return img_fail(
            err, IMG_E_FORMAT,
            "truncated: the file ends before its last chunk (IEND); copy or download it again");
    const uint8_t *p = img_file_bytes(walk->file, walk->budget.pieces, offset, HEAD, head);
    const uint32_t type = img_get_be32_once(p + 4);
    for (int i = 0; i < 4; i++) {
        const uint8_t letter = (uint8_t)(type >> (24 - 8 * i));
        if (!is_letter(letter))
            return img_fail(err, IMG_E_FORMAT, "damaged: no valid chunk at byte %zu", offset);
        chunk->type[i] = (char)letter;
    }
    chunk->type[4] = '\0';
    chunk->size = img_get_be32_once(p);
    if (chunk->size > INT32_MAX)
        return img_fail(err, IMG_E_FORMAT, "damaged: impossible length of chunk %s", chunk->type);
    if (chunk->size > size - offset - IMG_PNG_FRAME_BYTES)
        return img_fail(err, IMG_E_FORMAT,
                        "truncated: the file ends inside chunk %s; copy or download it again",
                        chunk->type);
    chunk->start = offset;
    chunk->end = offset + IMG_PNG_FRAME_BYTES + chunk->size;
    return IMG_OK;
}

bool img_png_idat_is_idle(const uint8_t *chunk)
{
    enum { CRC_OF_NONE = 0x35AF061E }; /* the CRC of the type "IDAT" without data */
    return img_get_be32(chunk) == 0 && img_get_be32(chunk + 8) == CRC_OF_NONE;
}

static bool is_ancillary(const Chunk *chunk)
{
    /* The first letter of an ancillary chunk's type is lower case (section 5.4). */
    return chunk->type[0] >= 'a';
}

static bool is_idat(const Chunk *chunk)
{
    return strcmp(chunk->type, "IDAT") == 0;
}

/* Checks the CRC of a chunk of a file that is read in pieces. */
static bool crc_is_right(const ImgPieces *pieces, const Chunk *chunk)
{
    uint8_t piece[IMG_PIECE_BYTES];
    uint64_t at = chunk->start + 4;
    const uint64_t end = chunk->end - 4;
    uLong crc = 0;
    while (at < end) {
        const size_t size = end - at < sizeof piece ? (size_t)(end - at) : sizeof piece;
        pieces->read(pieces->context, at, size, piece);
        crc = crc32_z(crc, piece, size);
        at += size;
    }
    pieces->read(pieces->context, end, 4, piece);
    return crc == img_get_be32(piece);
}

static ImgStatus check_chunk(const Walk *walk, const Chunk *chunk, ImgError *err)
{
    if (walk->budget.pieces == NULL)
        return check_crc(walk->file + chunk->start, chunk->type, chunk->size, err);
    if (crc_is_right(walk->budget.pieces, chunk))
        return IMG_OK;
    return img_fail(err, IMG_E_FORMAT, "damaged: wrong CRC in chunk %s", chunk->type);
}

/* Returns a pointer to the first `size` bytes of the data of a chunk. If the file is read in
 * pieces, the bytes are copied to `buffer`. */
static const uint8_t *data_of(const Walk *walk, const Chunk *chunk, size_t size, uint8_t *buffer)
{
    enum { HEAD = 8 };
    return img_file_bytes(walk->file, walk->budget.pieces, chunk->start + HEAD, size, buffer);
}

static ImgStatus take_plte(Walk *walk, const Chunk *chunk, ImgError *err)
{
    enum { MOST = 3 * 256 };
    uint8_t palette[MOST];
    if (walk->seen_plte)
        return img_fail(err, IMG_E_FORMAT, "damaged: more than one palette (PLTE)");
    walk->seen_plte = !walk->seen_idat;
    /* More bytes are never needed: img_png_take_palette rejects or drops larger palettes by their
     * size. */
    const uint8_t *data = data_of(walk, chunk, chunk->size < MOST ? chunk->size : MOST, palette);
    return img_png_take_palette(walk->header->shape.format, data, chunk->size, walk->seen_idat,
                                walk->metadata, &walk->scan->palette, err);
}

/* Records whether IDAT chunks were found. IDAT chunks after the first contiguous group are late:
 * they do not belong to the pixels. */
static void note_place(Walk *walk, const Chunk *chunk)
{
    bool idat = is_idat(chunk);
    walk->scan->late_idat |= idat && walk->seen_idat && !walk->in_idat;
    walk->seen_idat |= idat;
    walk->in_idat = idat;
}

/* Returns the memory in bytes that a chunk needs besides the file, including its entry in a list.
 * The first few thousand entries of each list are not counted: they are part of the fixed memory of
 * the program (IMG_PNG_OWN_BYTES in io/png/encode.h). */
static uint64_t bytes_of(Walk *walk, const Chunk *chunk)
{
    enum { OWN_ENTRIES = 1 << 12 };
    if (is_ancillary(chunk))
        return img_metadata_chunk_bytes(++walk->ancillary, chunk->size);
    uint8_t frame[IMG_PNG_FRAME_BYTES];
    if (!is_idat(chunk) || walk->scan->late_idat ||
        (chunk->size == 0 &&
         img_png_idat_is_idle(
             img_file_bytes(walk->file, walk->budget.pieces, chunk->start, sizeof frame, frame))))
        return 0;
    return ++walk->parts > OWN_ENTRIES ? IMG_PNG_PART_BYTES : 0;
}

/* Fails because the memory budget is exceeded. Adds the memory for all remaining chunks, so that
 * the message states the total. */
static ImgStatus fail_budget(Walk *walk, Chunk chunk, uint64_t need, ImgError *err)
{
    ImgStatus status = next_chunk(walk, chunk.end, &chunk, NULL);
    while (status == IMG_OK && strcmp(chunk.type, "IEND") != 0) {
        note_place(walk, &chunk);
        need += bytes_of(walk, &chunk);
        status = next_chunk(walk, chunk.end, &chunk, NULL);
    }
    return img_fail_memory("the file, its pixels and the chunks beside them", need,
                           walk->budget.limit, walk->budget.more, err);
}

static ImgStatus charge(Walk *walk, const Chunk *chunk, ImgError *err)
{
    const uint64_t bytes = bytes_of(walk, chunk);
    if (bytes > walk->budget.limit - walk->budget.used)
        return fail_budget(walk, *chunk, walk->budget.used + bytes, err);
    walk->budget.used += bytes;
    return IMG_OK;
}

static ImgStatus take_idat(Walk *walk, const Chunk *chunk, ImgError *err)
{
    if (walk->header->shape.format.color == IMG_COLOR_PALETTE && !walk->seen_plte)
        return img_fail(err, IMG_E_FORMAT, "damaged: the palette (PLTE) is missing");
    return charge(walk, chunk, err);
}

/* Records the chunks of an animation. According to section 11.3.6, acTL must precede IDAT. IDAT is
 * the first frame if an fcTL precedes it. */
static void note_animation(Walk *walk, const Chunk *chunk)
{
    enum { ACTL_BYTES = 8 };
    uint8_t actl[ACTL_BYTES];
    if (strcmp(chunk->type, "acTL") == 0 && !walk->seen_actl) {
        walk->seen_actl = true;
        walk->late_actl = walk->seen_idat;
        walk->frames =
            chunk->size == ACTL_BYTES ? img_get_be32(data_of(walk, chunk, ACTL_BYTES, actl)) : 0;
    }
    walk->still_is_frame |= strcmp(chunk->type, "fcTL") == 0 && !walk->seen_idat;
    walk->seen_fdat |= strcmp(chunk->type, "fdAT") == 0;
}

static void settle_animation(const Walk *walk)
{
    const bool is_one = walk->frames == 1 && (walk->still_is_frame || !walk->seen_fdat);
    walk->scan->odd_animation = walk->seen_actl && (walk->late_actl || walk->frames == 0);
    walk->scan->frames = walk->late_actl || is_one ? 0 : walk->frames;
}

static ImgStatus take_ancillary(Walk *walk, const Chunk *chunk, ImgError *err)
{
    if (walk->metadata->count >= IMG_METADATA_CHUNKS_MAX)
        return img_fail(err, IMG_E_LIMIT, "more than the limit of %d chunks beside the pixels",
                        IMG_METADATA_CHUNKS_MAX);
    ImgStatus status = charge(walk, chunk, err);
    if (status != IMG_OK)
        return status;
    note_animation(walk, chunk);
    ImgChunkPlace place = walk->seen_idat   ? IMG_AFTER_IDAT
                          : walk->seen_plte ? IMG_BEFORE_IDAT
                                            : IMG_BEFORE_PLTE;
    uint8_t *to = NULL;
    status = img_metadata_add_space(walk->metadata, chunk->type, place, chunk->size, &to, err);
    if (status != IMG_OK)
        return status;
    const uint8_t *data = data_of(walk, chunk, chunk->size, to);
    if (data != to)
        memcpy(to, data, chunk->size);
    return IMG_OK;
}

static ImgStatus take_iend(const Walk *walk, const Chunk *chunk, ImgError *err)
{
    if (!walk->seen_idat)
        return img_fail(err, IMG_E_FORMAT, "damaged: there is no image data (IDAT)");
    walk->scan->full_end = chunk->size != 0;
    walk->scan->size = chunk->end;
    return IMG_OK;
}

static ImgStatus take_chunk(Walk *walk, const Chunk *chunk, ImgError *err)
{
    ImgStatus status;
    if (is_idat(chunk))
        status = take_idat(walk, chunk, err);
    else if (strcmp(chunk->type, "PLTE") == 0)
        status = take_plte(walk, chunk, err);
    else if (strcmp(chunk->type, "IEND") == 0)
        status = take_iend(walk, chunk, err);
    else if (strcmp(chunk->type, "IHDR") == 0)
        status = img_fail(err, IMG_E_FORMAT, "damaged: more than one header (IHDR)");
    else if (is_ancillary(chunk))
        status = take_ancillary(walk, chunk, err);
    else
        status = img_fail(err, IMG_E_FORMAT,
                          "needs chunk %s, which is unknown and marked as critical", chunk->type);
    return status;
}

/* Adds the type of a damaged chunk, which is ignored, to the list scan->wrong_crc. Each entry takes
 * six characters: four letters, a comma and a space. */
static void drop_damaged(ImgPngScan *scan, const char *type)
{
    char *list = scan->wrong_crc;
    size_t used = strlen(list);
    if (strstr(list, type) != NULL || used + sizeof ", abcd" > sizeof scan->wrong_crc)
        return;
    snprintf(list + used, sizeof scan->wrong_crc - used, "%s%s", used > 0 ? ", " : "", type);
}

/* Checks a chunk and adds it to the results. The CRC of IDAT chunks is not checked here, because
 * the decoder checks those that it reads. */
static ImgStatus check_and_take(Walk *walk, const Chunk *chunk, ImgError *err)
{
    ImgStatus status = IMG_OK;
    note_place(walk, chunk);
    if (is_ancillary(chunk) && check_chunk(walk, chunk, NULL) != IMG_OK) {
        drop_damaged(walk->scan, chunk->type);
    } else {
        if (!is_idat(chunk) || walk->scan->late_idat)
            status = check_chunk(walk, chunk, err);
        if (status == IMG_OK)
            status = take_chunk(walk, chunk, err);
    }
    return status;
}

ImgStatus img_png_scan(const uint8_t *data, size_t size, const ImgPngHeader *header,
                       ImgPngBudget budget, ImgMetadata *metadata, ImgPngScan *scan, ImgError *err)
{
    *scan = (ImgPngScan){0};
    metadata->interlaced = header->interlaced;
    Walk walk = {.file = data,
                 .file_size = size,
                 .header = header,
                 .metadata = metadata,
                 .scan = scan,
                 .budget = budget};
    for (size_t offset = IMG_PNG_HEADER_BYTES; scan->size == 0;) {
        Chunk chunk;
        ImgStatus status = next_chunk(&walk, offset, &chunk, err);
        if (status == IMG_OK)
            status = check_and_take(&walk, &chunk, err);
        if (status != IMG_OK)
            return status;
        offset = chunk.end;
    }
    settle_animation(&walk);
    img_png_select_transparency(header->shape.format, metadata, &scan->palette);
    if (header->shape.format.color == IMG_COLOR_PALETTE)
        img_png_fit_to_palette(metadata, &scan->palette);
    return IMG_OK;
}

static const char EXTRA_DATA[] = "image data (IDAT) past the end of the picture is dropped";

static void add_warning(ImgPngWarnings *warnings, bool so, const char *line)
{
    size_t n = 0;
    while (warnings->lines[n] != NULL && warnings->lines[n] != line)
        n++;
    if (so && n < IMG_PNG_WARNINGS_MAX)
        warnings->lines[n] = line;
}

void img_png_warn_of_scan(const ImgPngScan *scan, size_t file_bytes, ImgPngWarnings *warnings)
{
    snprintf(warnings->wrong_crc, sizeof warnings->wrong_crc,
             "damaged chunks are dropped (wrong CRC): %s", scan->wrong_crc);
    add_warning(warnings, scan->odd_animation,
                "animation chunks without an animation (acTL) are dropped: it is a still picture");
    add_warning(warnings, scan->frames > 0, "animated PNG: only the still picture is kept");
    add_warning(warnings, scan->wrong_crc[0] != '\0', warnings->wrong_crc);
    add_warning(warnings, scan->palette.useless,
                "an invalid palette (PLTE), which this picture does not need, is dropped");
    add_warning(warnings, scan->palette.too_long,
                "palette colours that no pixel can use are dropped");
    add_warning(warnings, scan->palette.beyond,
                "hIST or bKGD for colours outside the palette is dropped");
    add_warning(warnings, scan->palette.transparency,
                "transparency (tRNS) of a wrong size or in a wrong place is dropped, as by libpng");
    add_warning(warnings, scan->late_idat, EXTRA_DATA);
    add_warning(warnings, scan->full_end,
                "the last chunk (IEND) is not empty: its content is dropped");
    add_warning(warnings, scan->size < file_bytes, "data after the end of the PNG is dropped");
}

void img_png_warn_of_extra_data(const ImgPngScan *scan, ImgPngWarnings *warnings)
{
    add_warning(warnings, !scan->late_idat, EXTRA_DATA);
}
