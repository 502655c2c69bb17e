/* Writes the results of a benchmark as JSON or CSV, and reads JSON back. */
#ifndef IMGTOOL_APP_BENCH_EXPORT_EXPORT_H
#define IMGTOOL_APP_BENCH_EXPORT_EXPORT_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "app/bench/report.h"

/* --- JSON ------------------------------------------------------------------------------------- */
/* Written for --json; read for --compare and --load. app/text/schema/ describes the document.
 * Unknown values are null: a row that was not timed has "cold": null. */

/* Makes the document without the key "comparison". The caller adds that by
 * bench_add_comparison_json before json_print. */
cJSON *bench_json(const BenchReport *report, bool *failed);

/* Adds a description of the machine under the key `name`. */
void bench_json_machine(cJSON *parent, const char *name, const BenchMachine *machine, bool *failed);

/* Prints the document with "comparison": null. */
ImgStatus bench_print_json(FILE *out, const BenchReport *report, ImgError *err);

/* Reads a document of bench_print_json from an untrusted file. Errors: IMG_E_IO if it cannot be
 * read; IMG_E_LIMIT above 64 MB; IMG_E_FORMAT for another schema, with both versions, or for an
 * invalid document, with the position. Messages name the file. On failure *report is
 * BENCH_REPORT_NONE; otherwise the caller frees it. */
ImgStatus bench_load(const char *path, BenchReport *report, ImgError *err);

/* Same as bench_load, but reads a text of `length` bytes, which at least 16 zero bytes must follow.
 * Messages name no file. `err` must not be NULL. */
ImgStatus bench_load_text(const char *text, size_t length, BenchReport *report, ImgError *err);

/* --- CSV -------------------------------------------------------------------------------------- */

/* Prints the results for spreadsheets and data frames: a heading, then one line per row of each
 * group and per stage of each job. Values are in SI units with 15 digits. Each line is complete in
 * itself, with machine and version as columns. Unknown values are empty fields. */
void bench_print_csv(FILE *out, const BenchReport *report);

#endif
