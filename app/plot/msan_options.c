/* Of builds with MemorySanitizer only: what Cairo and its fonts write is, to that, never written,
 * so that imgtool-plot would fail at once. It draws, and says nothing. */
const char *__msan_default_options(void); /* NOLINT(bugprone-reserved-identifier): its name */

const char *__msan_default_options(void) /* NOLINT(bugprone-reserved-identifier) */
{
    return "report_umrs=0";
}
