#include "app/cli/command.h"

#include <stdio.h>
#include <string.h>

#include "app/cli/options.h"
#include "app/text/text.h"
#include "kernels/core/params.h"
#include "kernels/histogram/histogram.h"
#include "kernels/pipeline/thumbnail.h"

#define IN_AND_OUT                                                                                 \
    {"INPUT", OPERAND_FILE, false, false, NULL},                                                   \
    {                                                                                              \
        "OUTPUT", OPERAND_FILE, false, false, NULL                                                 \
    }

/* Words that `batch` accepts instead of an operation. */
static const char *const batch_words[] = {"convert", "thumbnail",    "optimize",
                                          "stats",   "merge-report", NULL};

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
     .synopsis = "Run several operations on one picture",
     .help =
         "Steps are separated by '|'. Each is an operation with its options, written "
         "without dashes: name=value, a switch alone (only-shrink), or an operand alone (resize "
         "50%). Names, ranges and defaults are those of the command line. All steps are "
         "checked before a picture is opened. The picture is decoded once and encoded once. "
         "Between the steps it stays in memory; on a GPU, in the memory of the GPU.\n\n"
         "@FILE, such as @steps.txt, reads the steps from a file, one per line. '#' at the "
         "start of a line or after a space starts a comment. With --pipeline FILE, leave "
         "out STEPS. With empty STEPS ('') the picture is only converted.",
     .example = "'rotate angle=90 | flip axis=vertical' in.png out.png",
     .bit = FOR_RUN,
     .operands = {{"STEPS", OPERAND_PIPELINE, false, false, NULL}, IN_AND_OUT},
     .run = cmd_image},
    {.name = "convert",
     .synopsis = "Convert to another format or compression",
     .help = "Writes a PNG in another format, with another compression (--level) or without "
             "metadata (--strip). The extension of OUTPUT chooses PNG, JPEG, BMP or TGA. Pixels do "
             "not change if the format can hold them. Without --level, pixels that are compressed "
             "better than by imgtool stay as they are in the file. Every operation can write every "
             "format, too: "
             "'imgtool rotate in.png out.jpg' needs no conversion. To change the bit depth, use "
             "the operation depth.",
     .example = "--quality 85 in.png out.jpg",
     .bit = FOR_OPERATION,
     .operands = {IN_AND_OUT},
     .run = cmd_image},
    {.name = "thumbnail",
     .synopsis = "Make a thumbnail: upright, small, 8 bits",
     .help = "Equals the steps autorotate, resize and depth. Rotates the picture upright by its "
             "EXIF orientation, scales it down to fit SIZE, and reduces 16 bits per sample to "
             "8. SIZE is a width and a height in pixels (400x300), one of them (400 or x300), "
             "or a percentage (10%). Smaller pictures keep their size; --only any enlarges "
             "them.\n\n"
             "Metadata is dropped as with --strip=private: resolution and colour profile are "
             "kept. --strip=none keeps all of it. 'thumbnail 400x300' is also a step of 'run' "
             "and 'batch'.",
     .example = "400x300 in.png out.png",
     .bit = FOR_OPERATION,
     .operands = {IN_AND_OUT},
     .options_note = ": those of resize, but --only shrink is the default",
     .run = cmd_image},
    {.name = "optimize",
     .synopsis = "Make a PNG smaller without changing a pixel",
     .help = "Removes what the pixels do not need: 16 bits per sample, an opaque alpha channel, "
             "colours in a gray picture, unused palette entries, interlacing. Then tries filters "
             "and orders of the palette, and compresses the best ones thoroughly. Colours of "
             "transparent pixels stay, unless --alpha is given.\n\n"
             "Metadata stays, except indexes and signatures of the old file (iDOT, caBX); --strip "
             "drops more. The result is decoded and compared with INPUT before OUTPUT is written. "
             "It is never larger: a file that cannot become smaller is copied. The picture must "
             "fit into memory. Animated PNGs are copied.\n\n"
             "For many files use 'imgtool batch optimize --in-place photos/'.",
     .example = "in.png out.png",
     .bit = FOR_OPTIMIZE,
     .operands = {IN_AND_OUT},
     .run = cmd_image},
    {.name = "batch",
     .synopsis = "Run operations on many pictures",
     .help = "OP is an operation with its options, 'thumbnail', 'convert' or 'optimize'. STEPS are "
             "several of "
             "them, as for 'imgtool run': 'rotate angle=90 | flip', or @FILE. With --pipeline "
             "FILE, leave out STEPS. 'batch stats' prints figures of all files, as the command "
             "stats does, and writes no files.\n\n"
             "Inputs: an INPUT is a file, a directory (its *.png files) or a quoted pattern "
             "('photos/*.png'). --recursive searches subdirectories and mirrors them in "
             "OUTPUT_DIR. Files are processed in parallel, one per CPU thread (--jobs), as far as "
             "--max-memory allows. If there is memory for fewer files than threads, these files "
             "share the threads.\n\n"
             "Outputs: OUTPUT_DIR is created. Outputs have the names of their inputs, and are PNG "
             "unless --format or the extension in --name says otherwise. Before anything is "
             "written, batch rejects outputs that clash or that would replace an input. Other "
             "existing files are replaced, or skipped with --no-clobber. --in-place replaces the "
             "inputs; there is no OUTPUT_DIR then.\n\n"
             "Errors and resume: if a file fails, the others continue, and the exit code is 1. The "
             "first Ctrl-C finishes the files in progress; the second stops at once. The file "
             ".imgtool-batch beside the outputs records finished files; --resume continues with "
             "the rest.\n\n"
             "Several machines: with --shard, several processes on one or more machines share "
             "the inputs. Each handles one part, and all write to one OUTPUT_DIR. If the name of "
             "--report contains {shard}, as in 'report-{shard}.json', each process writes its own "
             "report. 'batch merge-report REPORT...' merges the reports; its exit code is 1 if "
             "files failed or a part is missing.",
     .example = "rotate --angle 90 photos/ out/",
     .bit = FOR_BATCH,
     .operands = {{"OP|STEPS", OPERAND_PIPELINE, false, false, batch_words},
                  {"INPUT", OPERAND_FILE, true, true, NULL},
                  {"OUTPUT_DIR", OPERAND_FILE, true, false, NULL}},
     .more_usage = {"batch [options] stats INPUT...", "batch merge-report REPORT..."},
     .run = cmd_batch},
    {.name = "montage",
     .synopsis = "Arrange pictures on a contact sheet",
     .help = "Pictures are placed row by row, in the order of the command line; those of "
             "a directory or pattern in order of their names. An INPUT is a file, a directory (its "
             "*.png files) or a quoted pattern ('photos/*.png').\n\n"
             "Each picture is rotated upright by its EXIF orientation, --steps are applied, and "
             "it is reduced to fit its cell (lanczos3). --enlarge also enlarges small pictures. "
             "Transparent pixels show the background.\n\n"
             "The sheet is RGB of 8 bits, or RGBA if --background is not opaque. Gray pictures "
             "and palettes become RGB, and 16 bits are rounded to 8. Samples are used as they "
             "are stored: colour profiles are ignored. The sheet has no metadata, except the "
             "resolution of --dpi.\n\n"
             "If a picture fails, an error names it and no sheet is written. With --skip-broken "
             "its cell stays empty, and the exit code is 1. Pictures are decoded in parallel; "
             "memory holds the sheet and one picture per thread.",
     .example = "--columns 6 --cell 320x240 photos/ sheet.png",
     .bit = FOR_MONTAGE,
     .operands = {{"INPUT", OPERAND_FILE, false, true, NULL},
                  {"OUTPUT", OPERAND_FILE, false, false, NULL}},
     .run = cmd_montage},
    {.name = "tiles",
     .synopsis = "Cut pictures into tiles, or a Deep Zoom pyramid",
     .help = "PATTERN is a quoted path that names the tiles, and its extension chooses the format. "
             "{x} and {y} are the position of the tile's top left pixel. {column} and {row} count "
             "from 0; {number} counts from 1, row by row. Numbers get leading zeros, so that all "
             "names of a picture sort in order. {name} is the input's name, and {stem} is the name "
             "without its extension. Write '{{' for '{' and '}}' for '}'. If PATTERN is a "
             "directory, tiles are named '{stem}-{row}-{column}.png' in it. With several inputs, "
             "PATTERN must have {stem} or {name}. Directories are created.\n\n"
             "Tiles: an INPUT is a file, a directory (its *.png files) or a quoted pattern "
             "('scans/*.png'). --steps are applied before a picture is cut. Tiles at the right and "
             "bottom edges may be smaller; a tile that would contain only overlap is not written. "
             "Tiles keep the palette and the metadata of the picture, except what a crop makes "
             "wrong, such as the offset in oFFs, the palette histogram and the EXIF thumbnail.\n\n"
             "Existing files and errors: before tiles of a picture are written, names that clash "
             "with each other or with an input are rejected. Other existing files are replaced "
             "atomically, unless --no-clobber is given. If a picture fails, its new tiles are "
             "removed; tiles that replaced a file stay. The other pictures continue, and the exit "
             "code is then 1. After Ctrl-C the finished tiles are kept.\n\n"
             "Deep Zoom: with --layout dzi, PATTERN is the NAME of the pyramid, such as 'out/map'; "
             "it may contain {stem} or {name}. If it is a directory, NAME is '{stem}' in it. Tiles "
             "are squares. NAME.dzi describes the tiles NAME_files/LEVEL/COLUMN_ROW.png. Level 0 "
             "is one pixel, and each level has half the width and height of the next (resize 50% "
             "with the box filter). Palettes become RGB or RGBA.",
     .example = "--size 256x256 in.png 'out/{row}-{column}.png'",
     .bit = FOR_TILES,
     .operands = {{"INPUT", OPERAND_FILE, false, true, NULL},
                  {"PATTERN", OPERAND_FILE, false, false, NULL}},
     .run = cmd_tiles},
    {.name = "serve",
     .synopsis = "Run a server that runs commands given with --via serve",
     .help = "Runs commands such as 'imgtool --via serve rotate in.png out.png' in a process that "
             "has its threads and its GPU ready. Operations, run, convert and thumbnail can use "
             "it. Without a GPU, a server saves little time.\n\n"
             "The command behaves as without the server: same paths, messages, exit code and "
             "umask. If the command and the server have different --max-memory or --max-pixels, "
             "the smaller limit applies. Resource limits (ulimit) are those of the server. "
             "Standard input and output, pipes and devices are not supported. An interrupted "
             "command leaves its output as it was.\n\n"
             "The server accepts only commands of the same user and group, from the same build of "
             "imgtool, over a socket in a private directory. Jobs run in parallel. Together "
             "they use at most --jobs threads and --max-memory of memory. The first SIGTERM or "
             "Ctrl-C finishes the jobs in progress, "
             "as --stop does; the second stops at once.",
     .example = "--detach --idle 1h",
     .bit = FOR_SERVE,
     .run = cmd_serve},
    {.name = "info",
     .synopsis = "Show format, size and metadata of PNG files, without decoding pixels",
     .help = "Prints size, colour type, bits per sample, transparency, resolution, orientation, "
             "colour profile, text and other chunks. A FILE is a file, a directory (its *.png "
             "files) or a quoted pattern ('photos/*.png'). A file that cannot be read does not "
             "stop the others, and the exit code is then 1.",
     .example = "*.png",
     .bit = FOR_INFO,
     .operands = {{"FILE", OPERAND_FILE, false, true, NULL}},
     .run = cmd_info},
    {.name = "stats",
     .synopsis = "Show minimum, maximum, mean, standard deviation, median and entropy",
     .help = "For one picture, shows each channel: red, green, blue and luma, or gray; and alpha. "
             "For several, shows luma or gray: a line for each picture, and a line for all their "
             "pixels together. -v, --csv and --json show all channels of all pictures; --csv and "
             "--json also list files that failed.\n\n"
             "Files: a directory means its *.png files, sorted by name. Hidden files are skipped, "
             "and links to directories are not followed. Patterns may be quoted ('photos/*.png'). "
             "If a file cannot be read, the others continue, and the exit code is 1.\n\n"
             "Figures are exact, except that luma weights are rounded to 1/32768. The standard "
             "deviation is that of all pixels (divided by n, not n - 1), and entropy is in bits "
             "per sample. Percentile p is the smallest value with at least p % of the pixels at or "
             "below it; the median is percentile 50. 'at 0' and 'at 255' are the shares of clipped "
             "pixels. For palette pictures, the colours and alpha are counted, not the indices. In "
             "gray and RGB files, the transparent colour (tRNS) only affects "
             "--skip-transparent.\n\n"
             "The total: all pictures are converted to the largest depth. In a total with colour "
             "pictures, gray counts as equal red, green and blue. In a total with alpha, pictures "
             "without alpha count as opaque. 'stats merge FILE...' merges the output of 'batch "
             "stats --shard I/N --json' of all parts. The result is the same as from one process.",
     .example = "photo.png",
     .bit = FOR_STATS,
     .operands = {{"FILE", OPERAND_FILE, false, true, NULL}},
     .more_usage = {"stats merge FILE..."},
     .run = cmd_stats,
     .measure = &img_measure_histogram},
    {.name = "histogram",
     .synopsis = "Print or plot the histogram of sample values",
     .help = "Counts the values of red, green, blue and luma, or of gray, and those of alpha. "
             "Prints one histogram per picture and, for several pictures, their total. --plot "
             "draws only the total, without alpha.\n\n"
             "--bins N makes bins of equal width: with samples of b bits, value v falls into bin "
             "floor(v * N / 2^b). In the text chart, a column shows the mean of its bins. The "
             "highest column of a channel has full height, and columns that are not empty are "
             "always visible. --csv prints one row per bin with its first and last value.",
     .example = "--plot histogram.svg photo.png",
     .bit = FOR_HISTOGRAM,
     .operands = {{"FILE", OPERAND_FILE, false, true, NULL}},
     .run = cmd_histogram,
     .measure = &img_measure_histogram},
    {.name = "compare",
     .synopsis = "Compare two pictures: MSE, PSNR, SSIM and differences",
     .help =
         "Prints the mean squared error, PSNR in decibels, SSIM, the largest difference and "
         "the share of differing pixels, per channel and for all. SSIM is the structural "
         "similarity (Wang, Bovik, Sheikh, Simoncelli 2004), where 1 means equal. The SSIM "
         "shown for all channels is that of luma (BT.601). The exit code is 5 if the largest "
         "difference exceeds --tolerance.\n\n"
         "The sizes must be equal. Different formats are first converted to a common one, "
         "without loss. Palettes become RGB or RGBA, a transparent colour (tRNS) becomes an "
         "alpha channel, and gray of fewer than 8 bits becomes 8-bit gray. If only one picture "
         "is gray, it becomes RGB; if only one has 8 bits, it becomes 16. A missing alpha "
         "counts as opaque. Pixels that are fully transparent in both pictures count as equal. "
         "Gamma, colour profiles and other metadata are ignored: only sample values count.\n\n"
         "--diff writes the absolute differences as a picture, in gray or RGB: each channel shows "
         "its own difference or that of alpha, whichever is larger.",
     .example = "--diff diff.png --amplify 10 first.png second.png",
     .bit = FOR_COMPARE,
     .operands = {{"FIRST", OPERAND_FILE, false, false, NULL},
                  {"SECOND", OPERAND_FILE, false, false, NULL}},
     .run = cmd_compare},
    {.name = "bench",
     .synopsis = "Benchmark operations, files and CUDA experiments",
     .help = "Operations: 'bench rotate' measures every implementation of rotate; 'bench' alone "
             "measures all operations. Quote an operation that has options: bench 'rotate "
             "angle=180'. OP may also be histogram, sum (the sum of the samples) or bounds (the "
             "rectangle that trim keeps). These return numbers, not a picture. Before an "
             "implementation is measured, its result is compared with that of the plain C "
             "reference. If they differ, the row says FAIL, and the exit code is 5. --backend auto "
             "measures the CPU and, if there is one, the GPU.\n\n"
             "Tables: each row is one implementation. The median is the time of a run with cold "
             "caches: before each run, other data is loaded into them. 'Warm' is the time of runs "
             "directly after each other, whose data may still be in the caches. 'Noise' is the "
             "likely difference between this median and that of another run. The row whose result "
             "is 'limit' is a plain copy of as many bytes, or a plain read if OP returns numbers. "
             "'Of limit' compares GB/s: 50 % means half as fast as the copy or the read.\n\n"
             "Whole jobs: after these tables, a picture is processed from file to file. The times "
             "of the stages are printed: context (start of CUDA), read, decode, upload (to the "
             "GPU), kernel (the operation), download, encode and write. The row 'whole command' "
             "also includes the start of an imgtool process. If --size is above 20 megapixels, "
             "whole jobs use a picture of 12 megapixels.\n\n"
             "Experiments: 'bench lab' is a first lesson on tiles and padding in CUDA kernels. "
             "'bench lab NAME' runs a textbook experiment on shared memory, divergence or "
             "coalescing, and 'bench lab all' runs all of them. Experiments count memory "
             "transactions and branches. A sector is a block of 32 bytes of global memory that is "
             "read or written. A wavefront is a pass over shared memory; bank conflicts cause more "
             "of them. A split branch is one at which the threads of a warp take both ways. With a "
             "GPU and Nsight Compute (ncu), the GPU counts; otherwise a model of a GPU does. "
             "Tables show the counts that matter in the experiment; -v shows all.\n\n"
             "Your pictures: 'bench files FILE...' measures whole jobs with your own pictures, and "
             "leaves the files unchanged. 'bench codec FILE...' measures only decoding and "
             "encoding; without FILE, it uses a generated picture.\n\n"
             "The first Ctrl-C stops measuring and prints the results so far.",
     .example = "rotate --format rgb8 --plot rotate.svg",
     .bit = FOR_BENCH,
     .operands = {{"OP", OPERAND_BENCH, true, true, experiments}},
     .more_usage = {"bench [options] lab [NAME|all]", "bench [options] files FILE...",
                    "bench [options] codec [FILE...]"},
     .run = cmd_bench},
    {.name = "ops",
     .synopsis = "List the operations, and their implementations with -v",
     .help = "'*' marks the implementation that each backend uses on this machine unless --impl "
             "names another.",
     .example = "-v",
     .bit = FOR_OPS,
     .run = cmd_ops},
    {.name = "devices",
     .synopsis = "List the CPU and the CUDA devices",
     .help = "Shows threads and vector instructions of the CPU, and for each GPU its number for "
             "--device, memory and compute capability. Without a CUDA device it prints the "
             "reason, and the exit code is 0.",
     .example = "",
     .bit = FOR_DEVICES,
     .run = cmd_devices},
    {.name = "help",
     .synopsis = "Show help for the program, an operation or a command",
     .help = "TOPIC is an operation or a command. Without TOPIC, prints all operations, commands, "
             "common options, examples and exit codes. --format markdown and --format man print "
             "the whole reference; --format json-schema prints the schema of what --json prints.",
     .example = "rotate",
     .bit = FOR_HELP,
     .operands = {{"TOPIC", OPERAND_TOPIC, true, false, NULL}},
     .run = cmd_help},
    {.name = "completion",
     .synopsis = "Print a completion script for bash, zsh or fish",
     .help = "If you installed a package, the scripts are already there. Otherwise:\n\n"
             "bash, for this session: source <(imgtool completion bash)\n\n"
             "fish, for this session: imgtool completion fish | source\n\n"
             "zsh: save the script as _imgtool in a directory of $fpath",
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
    snprintf(text, USAGE_SIZE, "imgtool %s [options]",
             command == &operation_command && op != NULL ? op->name : command->name);
    op = command == &operation_command ? op : command_options(command);
    char word[64] = "";
    if (op != NULL && img_params_operand(op, word, sizeof word)[0] != '\0')
        text_append(text, USAGE_SIZE, " %s", word);
    for (const Operand *operand = command->operands; operand->name != NULL; operand++)
        text_append(text, USAGE_SIZE, " %s%s%s%s", operand->optional ? "[" : "", operand->name,
                    operand->repeated ? "..." : "", operand->optional ? "]" : "");
    return text;
}
