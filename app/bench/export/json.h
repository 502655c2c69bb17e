/* A benchmark's results as JSON, and back: what --json writes, --compare and --load read.
 * app/text/schema/ says what is in it. What was not found is null: rows without times have a "cold"
 * that is null. */
#ifndef IMGTOOL_APP_BENCH_EXPORT_JSON_H
#define IMGTOOL_APP_BENCH_EXPORT_JSON_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "app/bench/report.h"

/* The tree without "comparison", which is to be added before json_print: bench_add_comparison_json.
 */
cJSON *bench_json(const BenchReport *report, bool *failed);

/* "machine" */
void bench_json_machine(cJSON *parent, const char *name, const BenchMachine *machine, bool *failed);

/* With nothing to compare: "comparison" is null. */
ImgStatus bench_print_json(FILE *out, const BenchReport *report, ImgError *err);

/* Reads what bench_print_json wrote. The file may be anything: IMG_E_IO where it cannot be read,
 * IMG_E_LIMIT over 64 MB, IMG_E_FORMAT with the versions where another schema was written, or the
 * place of what is wrong. Messages name the file. On failure `report` is BENCH_REPORT_NONE;
 * otherwise the caller frees it. */
ImgStatus bench_load(const char *path, BenchReport *report, ImgError *err);

/* The same of a text of `length` bytes, after which there are zeros. Messages name no file; err is
 * not NULL. */
ImgStatus bench_load_text(const char *text, size_t length, BenchReport *report, ImgError *err);

#endif
