#include "app/cli/command.h"

#include <stdio.h>
#include <string.h>

#include "app/cli/options.h"
#include "kernels/core/params.h"
#include "kernels/histogram/histogram.h"
#include "kernels/pipeline/thumbnail.h"

#define IN_AND_OUT                                                                                 \
    {"INPUT", OPERAND_FILE, false, false, NULL},                                                   \
    {                                                                                              \
        "OUTPUT", OPERAND_FILE, false, false, NULL                                                 \
    }

/* `batch` takes them in the place of an operation. */
static const char *const batch_words[] = {"convert", "thumbnail", "stats", "merge-report", NULL};

static const char *const experiments[] = {"first", "all",
#define LAB_EXPERIMENT(name) #name,
#include "app/bench/experiments/lab_list.h"
#undef LAB_EXPERIMENT
                                          NULL};

static const char *const shells[] = {"bash", "zsh", "fish", NULL};

const Command operation_command = {
    .bit = FOR_OPERATION, .operands = {IN_AND_OUT}, .run = cmd_image};

const Command commands[] = {
    {.name = "run",
     .synopsis = "Run a series of operations on one picture",
     .help =
         "Steps are separated by '|'; each is an operation and its options written name=value, "
         "with the same names, ranges and defaults as on the command line. @FILE reads them from "
         "a file, where a new line starts a new step, and '#' at the start of a line or after a "
         "space a comment; with --pipeline FILE, STEPS is left out. All steps are checked before "
         "a picture is opened. The picture is decoded once, encoded once, and stays on the device "
         "between the steps. Without any step, as in '', it is converted.",
     .example = "'rotate angle=90 | flip axis=vertical' in.png out.png",
     .bit = FOR_RUN,
     .operands = {{"STEPS", OPERAND_PIPELINE, false, false, NULL}, IN_AND_OUT},
     .run = cmd_image},
    {.name = "convert",
     .synopsis = "Write a picture in another format, or with other options",
     .help =
         "No pixel is changed where the format can hold it: PNG can be compressed anew, stripped "
         "of metadata, or exported. An operation writes every format as well, so that nothing "
         "has to be converted first.",
     .example = "--quality 85 in.png out.jpg",
     .bit = FOR_OPERATION,
     .operands = {IN_AND_OUT},
     .run = cmd_image},
    {.name = "thumbnail",
     .synopsis = "Make a small picture of a large one, to be shown beside others",
     .help =
         "autorotate, resize, depth: turns the picture upright as its EXIF says, scales it down to "
         "fit into SIZE, and makes samples of 16 bits ones of 8. Smaller pictures keep their size "
         "unless --only any is given, which enlarges them. Metadata is dropped but for what shows "
         "colours right and the resolution, as by --strip=private; --strip=none keeps it. Among "
         "the steps of 'run' and 'batch' it stands as an operation does: 'thumbnail 400x300'.",
     .example = "400x300 in.png out.png",
     .bit = FOR_OPERATION,
     .operands = {IN_AND_OUT},
     .options_note = ", those of resize, but --only shrink is the default here",
     .run = cmd_image},
    {.name = "batch",
     .synopsis = "Run an operation, or a series of them, on many pictures",
     .help =
         "OP is an operation, with its own options, 'thumbnail' or 'convert'; STEPS are a series "
         "of them, as "
         "'imgtool run' takes it: 'rotate angle=90 | flip', or @FILE; with --pipeline FILE, the "
         "inputs come first. An INPUT is a file, a "
         "directory (its *.png files) or a pattern in quotes ('photos/*.png'). Outputs have the "
         "names of their inputs in OUTPUT_DIR, which is created, and are PNG unless --format or "
         "the end of --name says otherwise; with --recursive, subdirectories "
         "are searched and their tree is mirrored. Outputs that clash, or that would replace an "
         "input, are refused before anything is written; other files of these names are replaced, "
         "unless --no-clobber skips them. "
         "The file .imgtool-batch beside the outputs is a record of what was done, for --resume. "
         "Files are worked on side by side, as many as there are CPUs and as --max-memory has room "
         "for; a large picture waits its turn and gets all CPUs. Continues past a file that fails, "
         "and then ends with exit code 1. The first interrupt finishes the files under way, the "
         "second ends at once; --resume continues with the rest. 'batch stats' counts all files, "
         "as the command stats does, and writes nothing. Several processes, on any machines, do "
         "one "
         "batch with --shard, each its part of the same inputs, into one OUTPUT_DIR; --report "
         "takes "
         "{shard} in its name, and 'batch merge-report REPORT...' makes one report of theirs, with "
         "exit code 1 where files failed or a part is missing.",
     .example = "rotate --angle 90 photos/ out/",
     .bit = FOR_BATCH,
     .operands = {{"OP|STEPS|stats", OPERAND_PIPELINE, false, false, batch_words},
                  {"INPUT", OPERAND_FILE, true, true, NULL},
                  {"OUTPUT_DIR", OPERAND_FILE, true, false, NULL}},
     .run = cmd_batch},
    {.name = "montage",
     .synopsis = "Put many pictures on one contact sheet",
     .help =
         "Pictures follow in the order in which they are named, row by row: an INPUT is a file, a "
         "directory (its *.png files) or a pattern in quotes ('photos/*.png'). Each is turned "
         "upright as its file says, --steps are done to it, and it is shrunk to its cell with "
         "resize's lanczos3, never enlarged unless --enlarge is given. Without --columns there are "
         "the fewest with which the sheet is no higher than wide. The sheet is RGB of 8 bits, or "
         "RGBA where --background is not opaque; gray and palettes become colours, 16 bits are "
         "rounded to 8, and what is transparent shows the background, by the arithmetic of "
         "overlay. Samples are taken as they are: no profile is applied, and the sheet has no "
         "metadata. A picture that fails is named, and the sheet is not written; with "
         "--skip-broken its cell stays empty, and the exit code is 1. Pictures are decoded side by "
         "side; in memory there are the sheet and a picture for each thread.",
     .example = "--columns 6 --cell 320x240 photos/ sheet.png",
     .bit = FOR_MONTAGE,
     .operands = {{"INPUT", OPERAND_FILE, false, true, NULL},
                  {"OUTPUT", OPERAND_FILE, false, false, NULL}},
     .run = cmd_montage},
    {.name = "tiles",
     .synopsis = "Cut pictures into many files",
     .help =
         "PATTERN is a path that names every tile, in quotes: {x} and {y} are the pixels of its "
         "left upper corner, {column} and {row} count from 0, {number} counts from 1, row by row. "
         "Zeros in front give the numbers of one picture equal lengths. {name} is the input's "
         "name and {stem} that without its extension; '{{' and '}}' are braces. A directory "
         "stands for '{stem}-{row}-{column}.png' in it. Directories are created. An INPUT is a "
         "file, a directory (its *.png files) or a pattern "
         "in quotes ('scans/*.png'); of several the pattern must have {stem} or {name}. --steps "
         "are done before a picture is cut. Tiles at the right and at the bottom are as small as "
         "what is left, and none is made of what its neighbours overlap alone. Palettes and "
         "metadata are kept as crop keeps them. Two tiles of one name, and a tile of an input's, "
         "are refused before anything of that picture is written; other files of these names are "
         "replaced, unless --no-clobber is given, each whole or not at all. Of a picture that "
         "fails the tiles that were finished "
         "are removed, but for those that replaced a file; the work continues with the next one, "
         "and then ends with exit code 1. After an interrupt the tiles that were finished stay. "
         "With --layout dzi PATTERN is a name, or a directory that gets '{stem}'. A Deep Zoom "
         "pyramid of the picture is made: tiles of each level go to "
         "NAME_files/LEVEL/COLUMN_ROW.png, and last NAME.dzi describes them. Level 0 is one "
         "pixel, and each level is half of the next one, by resize 50% with the box filter; "
         "palettes become colours.",
     .example = "--size 256x256 in.png 'out/{row}-{column}.png'",
     .bit = FOR_TILES,
     .operands = {{"INPUT", OPERAND_FILE, false, true, NULL},
                  {"PATTERN", OPERAND_FILE, false, false, NULL}},
     .run = cmd_tiles},
    {.name = "serve",
     .synopsis = "Stay ready to do commands on single pictures, for --via serve",
     .help =
         "Commands with --via serve are done by a running server, which has its threads and, where "
         "there is one, its GPU ready: 'imgtool --via serve rotate in.png out.png' gives the "
         "files, "
         "messages and exit code of the command itself, for operations, run, convert and "
         "thumbnail. Paths, "
         "umask and limits are those of the command; standard input and output, pipes and devices "
         "are not for a server. Only processes of the same user, group and build are served, over "
         "a "
         "socket in a directory that is closed to others. Jobs side by side share --jobs threads "
         "and --max-memory. A command that is interrupted leaves its "
         "output as it was. The first SIGTERM or Ctrl-C, like --stop, finishes the jobs under way, "
         "the second ends at once. Without a GPU a server gains little.",
     .example = "--detach --idle 1h",
     .bit = FOR_SERVE,
     .run = cmd_serve},
    {.name = "info",
     .synopsis = "Show what PNG files are and hold, without decoding their pixels",
     .help = "A FILE may be a directory, which stands for its *.png files, or a pattern in quotes. "
             "Continues past a file that cannot be read, and then ends with exit code 1.",
     .example = "*.png",
     .bit = FOR_INFO,
     .operands = {{"FILE", OPERAND_FILE, false, true, NULL}},
     .run = cmd_info},
    {.name = "stats",
     .synopsis = "Show minimum, maximum, mean, deviation, median and entropy of pictures",
     .help =
         "One picture is shown by channel: red, green, blue and luma, or gray; then alpha. Of "
         "several there is one line per picture, for luma or gray, and one for all their pixels "
         "together; -v, --csv and --json have all channels of all, and the two latter the files "
         "that failed. A directory stands for its "
         "*.png files in the order of their names, without those that start with a dot; links to "
         "directories are not followed inside it. A pattern may stand in quotes ('photos/*.png'). "
         "Everything is exact (luma by weights of whole 32768ths): sums are whole numbers, the "
         "deviation is that of all pixels "
         "(divided by n), a percentile is the smallest value that so many percent of the pixels do "
         "not exceed, and the median is the one of 50 %. 'at 0' and 'at 255' say how many pixels "
         "are clipped. Of palette pictures the colours count, and their alpha; the one colour that "
         "other files may call transparent is told from others by --skip-transparent alone. "
         "Pictures of different depth are added up at the largest of them; beside coloured ones "
         "gray counts as equal red, green "
         "and blue, and beside ones with alpha no alpha as opaque. Continues past a file that "
         "cannot be read, and then ends with exit code 1. 'stats merge FILE...' takes what 'batch "
         "stats --shard I/N --json' printed for each part of a batch, and gives the figures of "
         "all, exactly as if one machine had counted.",
     .example = "photo.png",
     .bit = FOR_STATS,
     .operands = {{"FILE", OPERAND_FILE, false, true, NULL}},
     .run = cmd_stats,
     .measure = &img_measure_histogram},
    {.name = "histogram",
     .synopsis = "Show how often each sample value occurs, or draw it",
     .help =
         "By channel, as for stats. --bins N makes bins of equal width: of samples of b bits, "
         "value v falls into bin floor(v * N / 2^b). In the text, each column is as high as its "
         "bins are on average, the highest one of a channel fills the chart, and a column "
         "with any pixel is visible. --csv has a row per bin with its first and last value. Of "
         "several pictures each is shown, then their total; --plot draws the total, without alpha.",
     .example = "--plot histogram.svg photo.png",
     .bit = FOR_HISTOGRAM,
     .operands = {{"FILE", OPERAND_FILE, false, true, NULL}},
     .run = cmd_histogram,
     .measure = &img_measure_histogram},
    {.name = "compare",
     .synopsis = "Measure how two pictures differ, and draw the differences",
     .help = "Prints for each channel and for all of them the mean squared error, the peak "
             "signal-to-noise ratio in decibels, the structural similarity (SSIM: Wang, Bovik, "
             "Sheikh, Simoncelli 2004; 1 is equal), the largest difference and how many pixels "
             "differ; luma is that of BT.601, and the SSIM of all is that of luma. Ends with exit "
             "code 5 if the largest difference is over --tolerance. The sizes must be the same. "
             "Different formats are converted exactly first: palettes and transparent colours to "
             "channels, gray to RGB beside colour, 8 to 16 bits beside 16, no alpha to opaque "
             "beside alpha. Pixels that are wholly transparent in both pictures count as equal, "
             "whatever their colour. Only pixels are compared, no metadata: the same samples "
             "under another gamma or colour profile are equal. In the picture of --diff, a "
             "difference of alpha shows where it is larger than that of a colour.",
     .example = "--diff diff.png --amplify 10 first.png second.png",
     .bit = FOR_COMPARE,
     .operands = {{"FIRST", OPERAND_FILE, false, false, NULL},
                  {"SECOND", OPERAND_FILE, false, false, NULL}},
     .run = cmd_compare},
    {.name = "bench",
     .synopsis = "Measure what each implementation costs, and show why",
     .help =
         "Measures operations ('rotate', 'rotate angle=180', 'histogram') in every implementation, "
         "each checked against the reference first: one that differs is a FAIL row, and the exit "
         "code is 5. Rows take turns with a copy of the same bytes (a plain read for "
         "measurements), caches filled with other data before each run; 'warm' is run after run. "
         "Noise estimates how far the medians of other runs may differ. --backend auto measures "
         "the CPU and, if there is one, the GPU. Then whole jobs (of 12 megapixels, where a "
         "picture has over 20): context, decoding, upload, kernel, download, encoding, and the "
         "command as a process. 'bench lab' is a first lesson on tiles and padding. 'bench lab "
         "NAME' runs an experiment of the textbooks on shared memory, divergence or coalescing, "
         "and 'bench lab all' runs all of them. They count wavefronts, sectors and warps that "
         "split: by a GPU's counters where there are a GPU and Nsight Compute (ncu), by a model "
         "of one elsewhere. Tables show what an experiment is about, with -v everything. 'bench "
         "files' takes your own pictures from end to end, and writes nothing "
         "beside them; 'bench codec' decodes and encodes them, or one that it makes, and nothing "
         "else. The first interrupt prints the results so far.",
     .example = "rotate --format rgb8 --plot rotate.svg",
     .bit = FOR_BENCH,
     .operands = {{"OP|lab|files|codec", OPERAND_BENCH, true, true, experiments}},
     .run = cmd_bench},
    {.name = "ops",
     .synopsis = "List the operations; with -v, their implementations by backend",
     .help = "An implementation marked with '*' is the one that its backend runs unless --impl "
             "asks for another.",
     .example = "-v",
     .bit = FOR_OPS,
     .run = cmd_ops},
    {.name = "devices",
     .synopsis = "List what there is to run on: the CPU and CUDA devices",
     .help = "Where there is no CUDA device, it says why; that is not a failure.",
     .example = "",
     .bit = FOR_DEVICES,
     .run = cmd_devices},
    {.name = "help",
     .synopsis = "Explain the program, an operation or a command",
     .help = "The Markdown reference and the man page are made from the same tables.",
     .example = "rotate",
     .bit = FOR_HELP,
     .operands = {{"TOPIC", OPERAND_TOPIC, true, false, NULL}},
     .run = cmd_help},
    {.name = "completion",
     .synopsis = "Print the completion script of a shell",
     .help = "An installed imgtool has them in place already. For one shell session of bash: "
             "source <(imgtool completion bash)",
     .example = "bash",
     .bit = FOR_COMPLETION,
     .operands = {{"SHELL", OPERAND_CHOICE, false, false, shells}},
     .run = cmd_completion},
    {.name = NULL},
};

const Command *command_find(const char *name)
{
    for (const Command *command = commands; command->name != NULL; command++)
        if (strcmp(command->name, name) == 0)
            return command;
    return NULL;
}

const ImgOp *command_options(const Command *command)
{
    return img_thumbnail_is(command->name) ? img_thumbnail_options() : NULL;
}

const char *command_usage(const Command *command, const ImgOp *op, char text[USAGE_SIZE])
{
    size_t used =
        (size_t)snprintf(text, USAGE_SIZE, "imgtool %s [options]",
                         command == &operation_command && op != NULL ? op->name : command->name);
    op = command == &operation_command ? op : command_options(command);
    char word[64] = "";
    if (op != NULL && img_params_operand(op, word, sizeof word)[0] != '\0')
        used += (size_t)snprintf(text + used, USAGE_SIZE - used, " %s", word);
    for (const Operand *operand = command->operands; operand->name != NULL; operand++) {
        if (used >= USAGE_SIZE)
            break;
        used += (size_t)snprintf(text + used, USAGE_SIZE - used, " %s%s%s%s",
                                 operand->optional ? "[" : "", operand->name,
                                 operand->repeated ? "..." : "", operand->optional ? "]" : "");
    }
    return text;
}
