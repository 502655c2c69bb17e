/* Options of measurements and benchmarks, of printed results, and of messages and help. */
#include "app/cli/tables/option_tables.h"
#include "kernels/core/color/luma.h"

static const OptionHelp help_of_luma[] = {
    {FOR_BATCH, "for 'batch stats': weights of luma (brightness), as for stats"}, {0, NULL}};

static const OptionHelp help_of_skip_transparent[] = {
    {FOR_BATCH, "for 'batch stats': ignore fully transparent pixels"}, {0, NULL}};

static const OptionHelp help_of_percentiles[] = {
    {FOR_BATCH, "for 'batch stats': percentiles to print, from 0 to 100, such as 1,5,95"},
    {0, NULL}};

static const ImgChoice help_formats[] = {{"text", HELP_TEXT},
                                         {"markdown", HELP_MARKDOWN},
                                         {"man", HELP_MAN},
                                         {"json-schema", HELP_JSON_SCHEMA},
                                         {NULL, 0}};

static const ImgChoice help_lengths[] = {{"short", HELP_SHORT}, {"all", HELP_ALL}, {NULL, 0}};

static const OptionHelp help_of_verbose[] = {
    {FOR_BATCH, "for each file, print what ran where and why, or why it was skipped"},
    {FOR_STATS, "print all channels of every picture, and what ran where and why"},
    {FOR_OPS, "list the implementations, too"},
    {FOR_BENCH,
     "with 'bench lab': print all counts; with 'bench lab --list': also explain the experiments"},
    {FOR_INFO | FOR_COMPARE | FOR_DEVICES | FOR_HELP | FOR_COMPLETION | FOR_SERVE | FOR_MANY, ""},
    {0, NULL}};

static const OptionHelp help_of_quiet[] = {
    {FOR_BENCH, "print the results, but no progress"},
    {FOR_INFO, "print errors, but no report; --json still prints"},
    {FOR_STATS, "print errors, but no report; --json and --csv still print"},
    {FOR_HISTOGRAM, "print errors, but no report; --json, --csv and --plot still work"},
    {FOR_COMPARE, "print errors, but no report; --json and --diff still work"},
    {FOR_OPS | FOR_DEVICES | FOR_HELP | FOR_COMPLETION, ""},
    {0, NULL}};

static const OptionHelp help_of_json[] = {
    {FOR_BATCH, "for 'batch stats' and 'batch merge-report': print JSON, for programs"}, {0, NULL}};

static const OptionHelp help_of_csv[] = {
    {FOR_BATCH, "for 'batch stats': print CSV, for spreadsheets"}, {0, NULL}};

const Option options_of_result[] = {
    {"luma", OPTION_CHOICE, GROUP_MEASURE, FOR_MEASURE | FOR_BATCH, AT(luma),
     .choices = img_luma_or_none_choices, .number = IMG_LUMA_709, .help_for = help_of_luma,
     .help = "weights of luma (brightness): ITU-R BT.709, or BT.601 as in Pillow and OpenCV; "
             "none: no luma"},
    {"skip-transparent", OPTION_FLAG, GROUP_MEASURE, FOR_MEASURE | FOR_BATCH, AT(skip_transparent),
     .help_for = help_of_skip_transparent, .help = "ignore fully transparent pixels"},
    {"percentiles", OPTION_TEXT, GROUP_MEASURE, FOR_STATS | FOR_BATCH, AT(percentiles),
     .also = "percentile", .argument = "LIST", .help_for = help_of_percentiles,
     .help = "percentiles to print, from 0 to 100, such as 1,5,95"},
    {"bins", OPTION_INT, GROUP_MEASURE, FOR_HISTOGRAM, AT(bins), .min = 2, .max = 65536,
     .default_text = "one per value", .help = "count in N bins of equal width"},

    {"tolerance", OPTION_INT, GROUP_COMPARE, FOR_COMPARE, AT(tolerance), .min = 0, .max = 65535,
     .help = "largest accepted difference of two samples: 0 to 255, or up to 65535 if a picture "
             "has 16 bits"},
    {"diff", OPTION_FILE, GROUP_COMPARE, FOR_COMPARE, AT(diff), .argument = "FILE",
     .help = "write a picture of the absolute differences of each channel; equal pixels are "
             "black"},
    {"amplify", OPTION_INT, GROUP_COMPARE, FOR_COMPARE, AT(amplify), .number = 1, .min = 1,
     .max = 65535, .help = "multiply the differences in the picture of --diff by N"},

    {"size", OPTION_TEXT, GROUP_BENCH, FOR_BENCH, AT(sizes), .argument = "WxH,...",
     .default_text = "4001x3001",
     .help = "sizes of the generated pictures in pixels, such as 640x480,4000x3000"},
    {"format", OPTION_TEXT, GROUP_BENCH, FOR_BENCH, AT(formats), .argument = "FORMAT,...",
     .default_text = "gray8,gray16,rgb8,rgba8,rgb16,rgba16",
     .words = "gray8 gray16 graya8 graya16 rgb8 rgb16 rgba8 rgba16",
     .help = "formats of the generated pictures. With 8 bits per sample: gray8, graya8 (gray and "
             "alpha), rgb8, rgba8; with 16: gray16, graya16, rgb16, rgba16"},
    {"image", OPTION_FILE, GROUP_BENCH, FOR_BENCH, AT(image), .argument = "FILE",
     .help = "measure operations with this picture instead of generated ones"},
    {"pipeline", OPTION_TEXT, GROUP_BENCH, FOR_BENCH, AT(pipeline), .argument = "STEPS",
     .default_text = "rotate angle=90",
     .help = "steps for 'bench files', such as 'resize 50% | sharpen'; @FILE reads them from a "
             "file"},
    {"time", OPTION_INT, GROUP_BENCH, FOR_BENCH, AT(row_time), .number = 60, .min = 1, .max = 60000,
     .help = "approximate time per row of a table, in milliseconds; more time means less noise"},
    {"compare", OPTION_FILE, GROUP_BENCH, FOR_BENCH, AT(old_report), .argument = "OLD.json",
     .help = "compare with OLD.json, the --json output of an earlier run, and mark changes "
             "beyond the noise"},
    {"load", OPTION_FILE, GROUP_BENCH, FOR_BENCH, AT(loaded_report), .argument = "OLD.json",
     .help = "print or plot OLD.json, the --json output of an earlier run, without measuring"},
    {"list", OPTION_FLAG, GROUP_BENCH, FOR_BENCH, AT(list),
     .help = "list operations, functions that return numbers, implementations and formats, and "
             "exit; with 'bench lab', list experiments"},
    {"show", OPTION_FLAG, GROUP_BENCH, FOR_BENCH, AT(show),
     .help = "with 'bench lab NAME': print the source of the experiment's kernels, and exit"},
    {"profile", OPTION_FLAG, GROUP_BENCH, FOR_BENCH, AT(profile),
     .help = "for Nsight Compute and Nsight Systems: run each implementation once, inside an NVTX "
             "range of the same name, so that they show which kernels belong to it"},
    {"small", OPTION_FLAG, GROUP_BENCH, FOR_BENCH, AT(small),
     .help = "with 'bench lab': use only the small data that events are counted with; do not time "
             "large data"},

    {"json", OPTION_FLAG, GROUP_RESULT,
     FOR_INFO | FOR_BATCH | FOR_OPS | FOR_DEVICES | FOR_MEASURE | FOR_COMPARE | FOR_BENCH, AT(json),
     .help = "print JSON, for programs", .help_for = help_of_json},
    {"csv", OPTION_FLAG, GROUP_RESULT, FOR_MEASURE | FOR_BATCH | FOR_BENCH, AT(csv),
     .help = "print CSV, for spreadsheets", .help_for = help_of_csv},
    {"markdown", OPTION_FLAG, GROUP_RESULT, FOR_BENCH, AT(markdown),
     .help = "print Markdown tables, for reports"},
    {"plot", OPTION_FILE, GROUP_RESULT, FOR_HISTOGRAM, AT(plot), .argument = "FILE.png|FILE.svg",
     .help = "plot to a file instead of printing; for several pictures, plot their total. - is "
             "a PNG on standard output"},
    {"plot", OPTION_FILE, GROUP_RESULT, FOR_BENCH, AT(plot), .argument = "FILE.png|FILE.svg",
     .help = "also plot the rates (GB/s) to a file"},
    {"log", OPTION_FLAG, GROUP_RESULT, FOR_HISTOGRAM, AT(log_scale),
     .help = "plot counts on a logarithmic scale"},
    {"format", OPTION_CHOICE, GROUP_RESULT, FOR_HELP, AT(help_format), .choices = help_formats,
     .number = HELP_TEXT,
     .help = "text: this help; markdown: the whole reference; man: the man page; json-schema: "
             "the JSON schema of what --json prints"},

    {"explain", OPTION_FLAG, GROUP_TALK, FOR_IMAGE | FOR_MEASURE | FOR_OPTIMIZE, AT(explain),
     .help = "print a report: what ran where, and the time of each stage"},
    {"verbose", OPTION_FLAG, GROUP_TALK, FOR_ALL, AT(engine.verbosity), .letter = 'v',
     .number = VERBOSITY_MORE, .help = "print what ran where (CPU or GPU), and why",
     .help_for = help_of_verbose},
    {"quiet", OPTION_FLAG, GROUP_TALK, FOR_ALL, AT(engine.verbosity), .letter = 'q',
     .number = VERBOSITY_QUIET, .help = "print only errors", .help_for = help_of_quiet},
    {"quiet-unless-failed", OPTION_FLAG, GROUP_TALK, FOR_BATCH, AT(engine.verbosity),
     .number = VERBOSITY_UNLESS_FAILED,
     .help = "print nothing if all files succeed, else the errors and the summary (for cron)"},
    {"help", OPTION_CHOICE, GROUP_TALK, FOR_ALL, AT(help), .letter = 'h', .choices = help_lengths,
     .bare = "short", .default_text = "",
     .help = "print this help and exit. 'imgtool --help' lists operations and commands; "
             "'imgtool --help=all' adds common options, examples and exit codes"},
    {"version", OPTION_FLAG, GROUP_TALK, FOR_ALL, AT(version), .letter = 'V',
     .help = "print the version and exit"},
    {.name = NULL},
};
