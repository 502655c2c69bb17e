#include "app/batch/shard/shard.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parses the digits at *text, and moves *text past them. Returns false if there are no digits, or
 * the number is too large. */
static bool take_number(const char **text, uint32_t *number)
{
    const char *start = *text;
    uint64_t value = 0;
    while (**text >= '0' && **text <= '9' && value <= SHARDS_MAX)
        value = 10 * value + (uint64_t)(*(*text)++ - '0');
    *number = (uint32_t)value;
    return *text > start && value <= SHARDS_MAX;
}

static ImgStatus parse(const char *text, Shard *shard, ImgError *err)
{
    uint32_t number, count;
    const char *at = text;
    bool read =
        take_number(&at, &number) && *at++ == '/' && take_number(&at, &count) && *at == '\0';
    if (!read || number < 1 || number > count)
        return img_fail(
            err, IMG_E_USAGE,
            "--shard '%s' is invalid; use I/N, such as 3/8 for the third of eight parts, or auto",
            text);
    *shard = (Shard){number - 1, count};
    return IMG_OK;
}

ImgStatus shard_find(const Settings *settings, Shard *shard, ImgError *err)
{
    *shard = (Shard){0, 0};
    uint32_t shards = (uint32_t)settings->shards;
    if (settings->shard == NULL) {
        if (shards > 0 && settings->dry_run == 0)
            return img_fail(err, IMG_E_USAGE,
                            "--shards %" PRIu32
                            " is the number of parts, not the part to process; add --shard auto or "
                            "--shard I/%" PRIu32 ", or --dry-run to see them all",
                            shards, shards);
        return IMG_OK;
    }
    if (strcmp(settings->shard, "auto") == 0)
        return engine_find(shards, shard, err);
    ImgStatus status = parse(settings->shard, shard, err);
    if (status == IMG_OK && shards > 0 && shards != shard->count)
        status = img_fail(err, IMG_E_USAGE,
                          "--shard %s contradicts --shards %" PRIu32 "; leave out --shards",
                          settings->shard, shards);
    return status;
}

const char *shard_text(const Shard *shard, char text[SHARD_TEXT])
{
    text[0] = '\0';
    if (shard->count > 0)
        snprintf(text, SHARD_TEXT, "%" PRIu32 "-of-%" PRIu32, shard->index + 1, shard->count);
    return text;
}

char *shard_name(const char *pattern, const Shard *shard)
{
    static const char mark[] = "{shard}";
    char part[SHARD_TEXT], *name = NULL;
    size_t size;
    FILE *out = open_memstream(&name, &size);
    if (out == NULL)
        return NULL;
    shard_text(shard->count > 0 ? shard : &(Shard){0, 1}, part);
    for (const char *next; (next = strstr(pattern, mark)) != NULL;) {
        fprintf(out, "%.*s%s", (int)(next - pattern), pattern, part);
        pattern = next + strlen(mark);
    }
    fputs(pattern, out);
    if (fclose(out) == 0)
        return name;
    free(name);
    return NULL;
}
