/* The results as JSON, and back: --json writes it, --compare and --load read it. app/text/schema/
 * describes it. Unknown values are null: a row without times has "cold": null. */
#ifndef IMGTOOL_APP_BENCH_EXPORT_JSON_H
#define IMGTOOL_APP_BENCH_EXPORT_JSON_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "app/bench/report.h"

/* Makes the document without "comparison"; add that by bench_add_comparison_json before
 * json_print. */
cJSON *bench_json(const BenchReport *report, bool *failed);

/* Adds the key `name` with the machine. */
void bench_json_machine(cJSON *parent, const char *name, const BenchMachine *machine, bool *failed);

/* Prints the document with "comparison": null. */
ImgStatus bench_print_json(FILE *out, const BenchReport *report, ImgError *err);

/* Reads a document of bench_print_json from an untrusted file. IMG_E_IO if it cannot be read,
 * IMG_E_LIMIT above 64 MB, IMG_E_FORMAT with the versions for another schema, or with the position
 * of an error. Messages name the file. On failure `report` is BENCH_REPORT_NONE; otherwise the
 * caller frees it. */
ImgStatus bench_load(const char *path, BenchReport *report, ImgError *err);

/* The same from a text of `length` bytes, followed by at least 16 zero bytes. Messages name no
 * file. `err` must not be NULL. */
ImgStatus bench_load_text(const char *text, size_t length, BenchReport *report, ImgError *err);

#endif
