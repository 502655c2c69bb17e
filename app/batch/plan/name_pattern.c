/* Checks and expands the patterns of --name. A pattern is short, so it is parsed again for each
 * name instead of being stored in parsed form. */
#include "app/batch/plan/name_pattern.h"

#include <stdio.h>
#include <string.h>

#include "io/encode.h"

const char name_pattern_usual[] = "{stem}.{ext}";

typedef enum PieceKind {
    PIECE_TEXT,
    PIECE_STEM,
    PIECE_EXT,
    PIECE_NAME,
    PIECE_NUMBER,
    PIECE_DIR,
    PIECE_UNKNOWN,  /* field with an unknown name */
    PIECE_UNCLOSED, /* '{' without '}' */
    PIECE_STRAY,    /* '}' without '{' */
} PieceKind;

typedef struct Piece {
    PieceKind kind;
    const char *text; /* text of the piece, `length` bytes; a field includes its braces */
    size_t length;
} Piece;

static PieceKind field_kind(const char *field, size_t length)
{
    static const char *const fields[] = {[PIECE_STEM] = "{stem}",
                                         [PIECE_EXT] = "{ext}",
                                         [PIECE_NAME] = "{name}",
                                         [PIECE_NUMBER] = "{number}",
                                         [PIECE_DIR] = "{dir}"};
    for (int kind = PIECE_STEM; kind <= PIECE_DIR; kind++)
        if (strlen(fields[kind]) == length && memcmp(fields[kind], field, length) == 0)
            return (PieceKind)kind;
    return PIECE_UNKNOWN;
}

static Piece read_field(const char *at)
{
    size_t length = 1 + strcspn(at + 1, "{}");
    if (at[length] != '}')
        return (Piece){PIECE_UNCLOSED, at, length};
    return (Piece){field_kind(at, length + 1), at, length + 1};
}

/* Sets *piece to the next piece of the pattern, which is literal text or one field in braces. Moves
 * *at past it. Returns false at the end of the pattern. */
static bool next_piece(const char **at, Piece *piece)
{
    const char *text = *at;
    if (*text == '\0')
        return false;
    if ((text[0] == '{' || text[0] == '}') && text[1] == text[0]) {
        *piece = (Piece){PIECE_TEXT, text, 1};
        *at = text + 2;
        return true;
    }
    if (*text == '{')
        *piece = read_field(text);
    else if (*text == '}')
        *piece = (Piece){PIECE_STRAY, text, 1};
    else
        *piece = (Piece){PIECE_TEXT, text, strcspn(text, "{}")};
    *at = text + piece->length;
    return true;
}

/* --- Checking --------------------------------------------------------------------------------- */

/* The end of a pattern, from which the extension of the names is found. If the pattern ends with a
 * field, the extension comes from the value of the field. */
typedef struct Ending {
    PieceKind last;
    /* Last byte of the text before the last piece; '\0' if the piece before is a field, or there is
     * none. */
    char before;
    const char *dot; /* last dot of the pattern, if no field follows it; else NULL */
    /* The dot and the text after it, truncated to 7 bytes, which no extension of a format
     * exceeds. */
    char extension[8];
    size_t length;
} Ending;

static void end_with_text(Ending *ending, const Piece *piece)
{
    for (size_t i = 0; i < piece->length; i++) {
        if (piece->text[i] == '.') {
            ending->dot = piece->text + i;
            ending->length = 0;
        }
        if (ending->dot != NULL && ending->length < sizeof ending->extension - 1)
            ending->extension[ending->length++] = piece->text[i];
    }
    ending->extension[ending->length] = '\0';
    ending->last = PIECE_TEXT;
    ending->before = piece->text[piece->length - 1];
}

static void end_with_field(Ending *ending, PieceKind kind)
{
    if (ending->last != PIECE_TEXT)
        ending->before = '\0';
    ending->last = kind;
    ending->dot = NULL;
    ending->length = 0;
}

static ImgStatus fail_at(const char *pattern, const char *at, ImgError *err, const char *message)
{
    return img_fail(err, IMG_E_USAGE, "--name, column %zu: %s", (size_t)(at - pattern) + 1,
                    message);
}

static ImgStatus check_piece(const char *pattern, const Piece *piece, ImgError *err)
{
    const char *slash;
    switch (piece->kind) {
    case PIECE_UNKNOWN:
        return img_fail(
            err, IMG_E_USAGE,
            "--name, column %zu: unknown field '%.*s'; there are {stem}, {ext}, {name}, "
            "{number} and {dir}, and '{{' for a brace",
            (size_t)(piece->text - pattern) + 1, (int)piece->length, piece->text);
    case PIECE_UNCLOSED:
        return fail_at(pattern, piece->text, err,
                       "'{' without '}'; write '{{' for a brace that is part of the name");
    case PIECE_STRAY:
        return fail_at(pattern, piece->text, err,
                       "'}' without '{'; write '}}' for a brace that is part of the name");
    case PIECE_TEXT:
        slash = memchr(piece->text, '/', piece->length);
        if (slash != NULL)
            return fail_at(pattern, slash, err,
                           "'/' cannot be part of a name; --recursive keeps directories");
        return IMG_OK;
    default:
        return IMG_OK;
    }
}

static ImgStatus check_ending(const char *pattern, const Ending *ending, int32_t format,
                              ImgError *err)
{
    if (ending->dot == NULL) {
        bool varies =
            ending->last == PIECE_NAME || (ending->last == PIECE_EXT && ending->before == '.');
        return varies ? IMG_OK
                      : fail_at(pattern, pattern + strlen(pattern), err,
                                "names have no extension to choose the format; end the pattern "
                                "with '.{ext}', or with .png, .jpg, .bmp or .tga");
    }
    int32_t named = name_format(ending->extension, ending->length);
    if (named < 0)
        return fail_at(
            pattern, ending->dot, err,
            "the extension is not that of a format; use '.{ext}', .png, .jpg, .bmp or .tga");
    if (format >= 0 && named != format)
        return fail_at(pattern, ending->dot, err,
                       "the extension contradicts --format; use '.{ext}'");
    return IMG_OK;
}

ImgStatus name_pattern_check(const char *pattern, int32_t format, ImgError *err)
{
    Ending ending = {.last = PIECE_TEXT};
    Piece piece;
    if (*pattern == '\0')
        return fail_at(pattern, pattern, err,
                       "the pattern is empty; use one such as '{stem}.{ext}'");
    for (const char *at = pattern; next_piece(&at, &piece);) {
        ImgStatus status = check_piece(pattern, &piece, err);
        if (status != IMG_OK)
            return status;
        if (piece.kind == PIECE_TEXT)
            end_with_text(&ending, &piece);
        else
            end_with_field(&ending, piece.kind);
    }
    return check_ending(pattern, &ending, format, err);
}

bool name_pattern_counts(const char *pattern)
{
    Piece piece;
    for (const char *at = pattern; next_piece(&at, &piece);)
        if (piece.kind == PIECE_NUMBER)
            return true;
    return false;
}

/* --- Names ------------------------------------------------------------------------------------ */

/* Returns the position of the dot that starts the extension, or `length` if there is no extension.
 * A dot at the start of a name marks a hidden file and starts no extension. */
static size_t find_extension(const char *name, size_t length)
{
    const char *dot = memrchr(name, '.', length);
    return dot == NULL || dot == name ? length : (size_t)(dot - name);
}

int32_t name_format(const char *name, size_t length)
{
    char text[7] = ""; /* long enough for every extension of a format that can be written */
    const char *dot = memrchr(name, '.', length);
    size_t extension = dot != NULL ? length - (size_t)(dot - name) : 0;
    ImgFileFormat format;
    if (extension < 2 || extension > sizeof text - 1)
        return -1;
    memcpy(text, dot, extension);
    return img_file_format_from_extension(text, &format) ? (int32_t)format : -1;
}

void name_values_set(NameValues *values, const char *name, size_t length, int32_t format)
{
    static const char *const usual[] = {[IMG_FILE_PNG] = "png",
                                        [IMG_FILE_JPEG] = "jpg",
                                        [IMG_FILE_BMP] = "bmp",
                                        [IMG_FILE_TGA] = "tga"};
    size_t stem = find_extension(name, length);
    values->name = name;
    values->name_length = length;
    values->stem_length = stem;
    if (format < 0 && stem < length && name_format(name, length) == IMG_FILE_PNG) {
        values->extension = name + stem + 1;
        values->extension_length = length - stem - 1;
        return;
    }
    values->extension = usual[format < 0 ? IMG_FILE_PNG : format];
    values->extension_length = strlen(values->extension);
}

static size_t put(char *out, size_t size, size_t at, const char *text, size_t length)
{
    size_t room = at < size ? size - at : 0;
    if (room > 0 && length > 0)
        memcpy(out + at, text, length < room ? length : room);
    return at + length;
}

size_t name_pattern_expand(const char *pattern, const NameValues *values, char *out, size_t size)
{
    char number[32];
    int digits = snprintf(number, sizeof number, "%0*zu", values->digits, values->number);
    size_t at = 0;
    Piece piece;
    while (next_piece(&pattern, &piece)) {
        if (piece.kind == PIECE_STEM)
            at = put(out, size, at, values->name, values->stem_length);
        else if (piece.kind == PIECE_EXT)
            at = put(out, size, at, values->extension, values->extension_length);
        else if (piece.kind == PIECE_NAME)
            at = put(out, size, at, values->name, values->name_length);
        else if (piece.kind == PIECE_NUMBER)
            at = put(out, size, at, number, (size_t)digits);
        else if (piece.kind == PIECE_DIR)
            at = put(out, size, at, values->directory, values->directory_length);
        else
            at = put(out, size, at, piece.text, piece.length);
    }
    return at;
}
