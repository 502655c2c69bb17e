#!/usr/bin/env python3
"""text_seeds.py CORPORA: writes the first inputs of targets that read text, each to the directory of its target in
CORPORA. Replaces old inputs, except found-* and kept-*. make_corpus.sh runs it."""

import json
import pathlib
import struct
import sys

corpus = pathlib.Path(sys.argv[1])


for directory in ("command", "json", "lists", "metadata", "pipeline", "record", "stepfile"):
    (corpus / directory).mkdir(parents=True, exist_ok=True)
    for old in (corpus / directory).iterdir():
        if not old.name.startswith(("found-", "kept-")):
            old.unlink()


def put(directory, name, content):
    (corpus / directory / name).write_bytes(content if isinstance(content, bytes) else content.encode())


# --- Commands: an argument per line; after a form feed, the content of the file s ------------------

COMMANDS = {
    "rotate": (["rotate", "--angle", "90", "a.png", "o.png"], ""),
    "rotate-any": (["rotate", "--angle=7.5", "--expand", "--background", "#ff000080", "a.png", "o.png"], ""),
    "flip-quiet": (["-q", "flip", "--axis=vertical", "b.png", "o.png"], ""),
    "flip-in-place": (["flip", "--axis", "horizontal", "a.png", "a.png", "--backup"], ""),
    "resize": (["resize", "50%", "a.png", "o.png", "--filter", "lanczos3"], ""),
    "resize-flag": (["resize", "4x2", "--only-shrink", "a.png", "o.png"], ""),
    "crop": (["crop", "--x=1", "--y=1", "--width=2", "--height=2", "p.png", "o.png"], ""),
    "autorotate": (["autorotate", "a.png", "o.png", "--strip=private", "--level", "9"], ""),
    "thumbnail": (["thumbnail", "4x4", "a.png", "o.png"], ""),
    "convert-jpeg": (["convert", "--quality", "80", "--format=jpeg", "a.png", "o.jpg"], ""),
    "convert-stdout": (["convert", "a.png", "-"], ""),
    "run": (["run", "rotate angle=90 | flip axis=vertical | invert", "a.png", "o.png", "-v"], ""),
    "run-file": (["run", "@s", "b.png", "o.png"], "# two steps\nblur sigma=1.5\nlevels black=10 # and a comment\n"),
    "run-pipeline": (["run", "--pipeline", "s", "a.png", "o.png"], "crop x=1 y=1 |\nresize 200%\n"),
    "run-empty": (["run", "", "a.png", "o.bmp", "--explain"], ""),
    "lut": (["lut", "--file=s", "a.png", "o.png"], "LUT_1D_SIZE 2\n1 0.5 0\n0 0.5 1\n"),
    "convolve": (["convolve", "--file", "s", "a.png", "o.png"], "0 1 0\n1 -4 1\n0 1 0\n"),
    "overlay": (["overlay", "--image=p.png", "--opacity=0.5", "a.png", "o.png"], ""),
    "batch": (["batch", "rotate", "--angle", "90", "a.png", "b.png", "out"], ""),
    "batch-steps": (["batch", "flip axis=vertical | invert", "-r", ".", "out", "--name", "{stem}-x.{ext}"], ""),
    "batch-in-place": (["batch", "--in-place", "invert", "d", "--resume"], ""),
    "batch-list": (["batch", "--from-file=s", "invert", "out", "--dry-run"], "a.png\nb.png\n"),
    "batch-null": (["batch", "--from-file=s", "--null", "invert", "out", "--report=r"], "a.png\0b.png\0"),
    "batch-shard": (["batch", "--shard=2/3", "invert", "a.png", "b.png", "p.png", "out", "--balance=size"], ""),
    "batch-shares": (["batch", "--shards=2", "--dry-run", "invert", "a.png", "b.png", "out"], ""),
    "batch-stats-shard": (["batch", "stats", "--json", "--shard=1/2", "a.png", "b.png"], ""),
    "batch-stats": (["batch", "stats", "--json", "a.png", "b.png"], ""),
    "merge-report": (["batch", "merge-report", "s"], '{"schema":1,"command":"batch","type":"summary"}\n'),
    "montage": (["montage", "--columns", "2", "--cell=8x8", "a.png", "b.png", "p.png", "o.png"], ""),
    "tiles": (["tiles", "--size", "2x2", "--overlap=1", "a.png", "t{row}-{column}.png"], ""),
    "info": (["info", "a.png", "b.png", "p.png", "--json"], ""),
    "stats": (["stats", "a.png", "--percentiles", "1,50,99.9", "--luma=601"], ""),
    "stats-csv": (["stats", "a.png", "b.png", "--csv"], ""),
    "stats-merge": (["stats", "merge", "s", "--json"], '{"schema":1,"command":"batch stats","type":"counts"}\n'),
    "histogram": (["histogram", "--bins=4", "a.png"], ""),
    "compare": (["compare", "a.png", "p.png", "--diff", "o.png"], ""),
    "compare-json": (["compare", "--json", "--tolerance=3", "a.png", "a.png"], ""),
    "help": (["help", "rotate"], ""),
    "help-markdown": (["help", "--format=markdown"], ""),
    "help-man": (["help", "--format=man"], ""),
    "completion-bash": (["completion", "bash"], ""),
    "completion-fish": (["completion", "fish"], ""),
    "histogram-json": (["histogram", "--json", "a.png", "--skip-transparent"], ""),
    "histogram-csv": (["histogram", "--csv", "--bins=2", "b.png", "p.png"], ""),
    "stats-verbose": (["stats", "-v", "a.png", "b.png", "d"], ""),
    "batch-report": (["batch", "--report=r{shard}", "-j", "1", "invert", "d", "gone.png", "out"], ""),
    "batch-verbose": (["batch", "-v", "--fail-fast", "autorotate", "a.png", "s", "out"], ""),
    "batch-twice": (["batch", "--newer", "--no-record", "invert", "a.png", "d", "d"], ""),
    "compare-text": (["compare", "-v", "a.png", "p.png"], ""),
    "compare-alike": (["compare", "-v", "a.png", "a.png"], ""),
    "compare-different": (["compare", "e.png", "f.png", "--diff", "o.png"], ""),
    "compare-different-json": (["compare", "--json", "--tolerance=300", "f.png", "e.png"], ""),
    "preserve": (["invert", "--preserve", "--force", "a.png", "a.png", "--backup=.old"], ""),
    "montage-all": (["montage", "--steps", "rotate angle=90", "--spacing=3", "--margin=1", "--background=#ff000000",
                     "--fit=cover", "--gravity=west", "--enlarge", "--skip-broken", "a.png", "gone.png", "o.png"], ""),
    "help-option": (["resize", "--help"], ""),
    "version": (["--version"], ""),
    "ops": (["ops", "-v"], ""),
    "ops-json": (["ops", "--json"], ""),
    "devices": (["devices"], ""),
    "completion": (["completion", "zsh"], ""),
    "bench": (["bench", "rotate", "--size", "64x64", "--format=rgb8", "--time=10"], ""),
    "serve": (["serve", "--socket=x", "--idle", "1m", "--detach"], ""),
    "via-serve": (["--via", "serve", "rotate", "a.png", "o.png"], ""),
    "letters": (["-qj2", "batch", "invert", "a.png", "out"], ""),
    "only-operands": (["convert", "--", "-q", "--x.png"], ""),
    "misspelt": (["rotat", "a.png", "o.png"], ""),
    "limits": (["convert", "--max-pixels=2k", "--max-memory", "1.5M", "a.png", "o.png"], ""),
    "same-word": (["rotate", "angle=90", "a.png", "o.png"], ""),
}
for name, (words, text) in COMMANDS.items():
    put("command", name, "\n".join(words) + ("\f" + text if text else ""))

# --- Pipelines: a byte that chooses the picture, then the text --------------------------------------

STEPS = {
    "empty": "",
    "turns": "rotate angle=90 | flip axis=horizontal | transpose | transverse | autorotate orientation=6",
    "any-angle": "rotate angle=7.5 size=keep background=#ff000080 filter=lanczos3",
    "sizes": "resize 50% linear=yes | resize 8x9 filter=nearest fit=cover gravity=west | crop width=3 height=3",
    "pads": "pad left=1 size=10x10 border=wrap | pad aspect=16:9 gravity=northeast background=red | trim tolerance=3",
    "points": "brightness value=0.2 | contrast factor=1.5 | gamma value=2.2 | levels black=10 white=90 gamma=1.1",
    "colours": "hue angle=30 | saturation factor=0.5 | posterize levels=4 | channels red=blue alpha=drop | grayscale",
    "palettes": "quantize colors=7 dither=ordered | flip | quantize quality=20-60 bits=2 | brightness value=1",
    "filters": "blur sigma=2 | boxblur radius=1 border=reflect | sharpen | median radius=1 | sobel direction=x",
    "edges": "canny low=5 high=20 | laplacian neighbours=8 scale=0.5 border=constant background=gray",
    "files": "lut file=c | convolve file='k' bias=0.5 | overlay image=\"p\" x=-1 opacity=0.3 tile=on",
    "matrix": "colormatrix matrix=0.3,0.6,0.1,0.3,0.6,0.1,0.3,0.6,0.1 | linear multiply=1,2,3 add=0.1",
    "kernel": "convolve kernel=0,1,0,1,-4,1,0,1,0 divisor=2",
    "tone": "equalize channels=each | clahe tiles=2 | autolevel clip=1 | threshold value=otsu",
    "alpha": "premultiply | unpremultiply | flatten background=#00ff0080 | depth bits=16 | depth bits=8 dither=ordered",
    "warps": "affine matrix=1,0.2,0,0,1,0 | perspective corners=0,0,6,1,5,5,1,4 size=8x8",
    "thumbnail": "thumbnail 4x4 only=any",
    "quotes": "lut file='c' | | lut file=\"it's\"",
    "misspelt": "rotat angel=90",
    "morphology": "erode size=3 | dilate size=3x1 border=wrap | open | close | denoise strength=5 | bilateral radius=1",
}
for i, (name, text) in enumerate(STEPS.items()):
    put("pipeline", name, bytes([3 | 8 | i % 8]) + text.encode())

# --- JSON ------------------------------------------------------------------------------------------


def line(command, kind, **keys):
    return json.dumps({"imgtool": "0.2.0", "schema": 1, "command": command, "type": kind, **keys}) + "\n"


def counts(files, bits, table, **keys):
    channels = {name: table for name in ("red", "green", "blue", "luma", "alpha")}
    facts = {"luma_weights": "709", "percentiles": None, "has_color": True, "has_luma": True, "has_alpha": False}
    return line("batch stats", "counts", file_count=files, sample_bits=bits, pixels=sum(table),
                **{**facts, **keys}, mixed_depths=False, channels=channels)


counted = line("batch stats", "file", file="a.png", file_hex=None, status="done", pixels=10)
put("json", "stats-one", "s" + counted + counts(1, 1, [3, 7]))
put("json", "stats-two", "s" + counted + counts(1, 1, [3, 7]) + "\f" + counts(1, 2, [1, 2, 3, 4], has_alpha=True))
put("json", "stats-gray", "s" + counts(2, 4, list(range(16)), has_color=False, percentiles="1,50,99.9"))
put("json", "stats-none", "s" + line("batch stats", "error", file="gone", message="x", status="failed") +
    line("batch stats", "counts", file_count=0, sample_bits=None, pixels=0, luma_weights="601", percentiles="50"))
put("json", "stats-parts", "s" + counts(1, 1, [3, 7], shard=1, shard_count=2, skip_transparent=True) + "\f" +
    counts(1, 1, [1, 2], shard=2, shard_count=2, skip_transparent=True))
put("json", "stats-damaged", "s" + counts(1, 1, [3, -7]))
put("json", "stats-large", "s" + counts(1, 1, [2**53 + 1, 2**64]))

seconds = {"read": 0.1, "decode": 0.2, "expand": 0, "run": 0.3, "encode": 0.4, "write": 0.5, "total": 1.5}
done = line("batch", "file", file="a.png", file_hex=None, output="out/a.png", status="done", error=None, message=None,
            notes=["a note"], width=3, height=2, bytes_read=100, bytes_written=90, seconds=seconds, backend="cpu")
failed = line("batch", "file", file="b\ufffd.png", file_hex="62ff2e706e67", status="failed", error="format",
              message="damaged", bytes_read=5, seconds=seconds)
summary = line("batch", "summary", file_count=2, done=1, failed=1, skipped=0, unchanged=0, inputs_failed=1,
               interrupted=False, seconds=seconds, peak_bytes=123456, limit_bytes=1 << 30)
error = line("batch", "error", file="gone", file_hex=None, status="failed", error="io", message="no such file")
put("json", "report-one", "r" + error + done + failed + summary)
put("json", "report-two", "r" + error + done + summary + "\f" + error + failed + done + summary)
part = summary.replace('"interrupted": false', '"interrupted": false, "shard": 1, "shard_count": 2, "steal": false')
put("json", "report-parts", "r" + done + part + "\f" + failed + part.replace('"shard": 1', '"shard": 2') + "\f" +
    part.replace('"interrupted": false', '"interrupted": true').replace('"steal": false', '"steal": true'))
put("json", "report-killed", "r" + done + failed[:40])
put("json", "report-skipped", "r" + done.replace("done", "skipped") + summary + "\f" + done + summary)

timing = {"samples": 5, "median_seconds": 0.01, "noise": 0.02, "minimum_seconds": 0.009, "low_seconds": 0.0095,
          "high_seconds": 0.011}
row = {"name": "cpu", "verdict": "verified", "message": None, "cold": timing, "warm": timing, "share_of_limit": 0.5,
       "speedup": 2, "speedup_low": 1.9, "speedup_high": 2.1, "counting": None, "counts": None}
group = {"section": "ops", "title": "rotate", "heading": None, "subject": "rotate angle=90", "format": "rgb8 64x64",
         "counted": None, "backend": "cpu", "bytes": 1000, "operations": 10,
         "rows": [{**row, "name": "copy", "verdict": "limit"}, row]}
job = {"title": "whole job", "subject": "rotate", "backend": "cpu", "device": None, "verdict": "verified",
       "message": None, "images": 1, "pixel_bytes": 1000, "bytes_read": 100, "bytes_written": 90,
       "stages": {"decode": timing, "total": timing}}
machine = {"imgtool": "0.2.0", "date": "2026-11-21T12:00:00Z", "command": "bench rotate", "cpu": "a processor",
           "system": "Linux", "cpu_mhz": 3000, "threads": 2, "memory_bytes": 1 << 30}


def bench(groups, jobs):
    return "b" + line("bench", "document", machine=machine, interrupted=False, any_failed=False, groups=groups, jobs=jobs)


put("json", "bench-empty", bench([], []))
put("json", "bench-group", bench([group], []))
put("json", "bench-counts", bench([{**group, "rows": [{**row, "counting": "measured", "counts": {
    "shared_read_requests": 4, "warps": 2, "launches": 2}}]}], []))
put("json", "bench-jobs", bench([], [job, {**job, "backend": "cuda"}]))
put("json", "bench-old", 'b{"imgtool_bench":1,"machine":{"version":"0.1"}}')

# --- Records ---------------------------------------------------------------------------------------


def hash64(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 & (1 << 64) - 1
    return value


HEAD = "imgtool batch record, version 1\n"
TIME = "1000000000.000000001"
right = "+ %016x" % hash64("flip axis=vertical")
other = "+ %016x" % hash64("invert")
made = f"{right} 5 {TIME} 10 {TIME} o.png i.png\n"
replaced = f"{right} 8 {TIME} 8 {TIME} sub.png =\n"
begun = replaced.replace(right, "+ " + 16 * "0")
put("record", "none", "")
put("record", "head", HEAD)
put("record", "torn-head", HEAD[:12])
put("record", "made", HEAD + made)
put("record", "replaced", HEAD + replaced)
put("record", "of-another-part", HEAD + "\f" + HEAD + made + replaced)
put("record", "other-steps", HEAD + made.replace(right, other))
put("record", "other-size", HEAD + made.replace(" 10 ", " 11 "))
put("record", "later-line", HEAD + made + made.replace(" 10 ", " 11 "))
put("record", "no-head", made)
put("record", "no-newline", HEAD + made[:-1])
put("record", "torn-line", HEAD + made + made[:30])
put("record", "wrong-hash", HEAD + made.replace("+ ", "00000000 "))
put("record", "encoded", HEAD + made.replace("o.png", "%2E%2E/x%20y.png"))
put("record", "zero-byte", HEAD + made.replace("o.png", "o.png%00x"))
put("record", "negative", HEAD + made.replace(TIME, "-5.000000000"))
put("record", "many-lines", HEAD + made + "x\n" * 1010)
put("record", "foreign", "{}\n")
put("record", "begun", HEAD + replaced + begun)
put("record", "begun-by-another", HEAD + replaced + "\f" + HEAD + begun)
put("record", "done-since", HEAD + begun + replaced)
put("record", "not-of-a-file", HEAD + replaced.replace("=", "= 7") + made.replace("i.png", "i.png 7"))
put("record", "of-a-file", HEAD + replaced + "\f" + HEAD + begun.replace("=", "= 7"))
put("record", "half-begun", HEAD + f"{right} 0 0.000000000 0 0.000000000 ={right[2:]} =\n" + replaced)

# --- Lists -----------------------------------------------------------------------------------------

put("lists", "names", "na.png\n\nb c.png\nlast")
put("lists", "names-nul", b"za.png\0b\nc.png\0")
put("lists", "pattern", "p{stem}-{number}.{ext}\fphoto.PNG")
put("lists", "pattern-braces", "p{{x}}{name}\f.hidden")
put("lists", "tiles", "tout/{stem}-{row}-{column}.png\fphoto.png")
put("lists", "tiles-numbers", "t{name}-{number}{x}_{y}\fphoto")
put("lists", "shard", "s3/8")
put("lists", "engine-array", "e4\n8\n0\n7\n1")
put("lists", "engine-mpi", "e\n\n\n\n\n\n\n\n1\n4")
put("lists", "claims", "kstart-1\n2.0\n1.done-0\n3.done-1\nbeat")
put("lists", "claims-odd", "kstart- 1\n+2.0\n-1.0\n18446744073709551617.0\n0.4294967295\n1.done-")
put("lists", "claims-spelt-otherwise", "kstart-01\n+1.done-1\n 0.3\n2.00\n3.4294967296")
put("lists", "amount-bytes", "a1.5GiB")
put("lists", "amount-pixels", "a256x128")
put("lists", "percentiles", "c1,5,95,99.9,0,100,0.000001")
put("lists", "text", "uplain \u00e9 \u202e \x1b[2J \u6587\u5b57 \ufffd\n".encode() + b"\xff\x9b")

# --- Files that operations read: c: .cube tables, k: convolution kernels -----------------------------

put("stepfile", "cube-1d", 'cTITLE "x"\nLUT_1D_SIZE 3\nDOMAIN_MIN 0 0 0\nDOMAIN_MAX 1 1 1\n0 0 0\n.5 0.4 0.3\n1 1 1\n')
put("stepfile", "cube-3d", "cLUT_3D_SIZE 2\n" + "".join(f"{i & 1} {i >> 1 & 1} {i >> 2}\n" for i in range(8)))
put("stepfile", "cube-range", "c\ufeff# x\r\nLUT_1D_INPUT_RANGE -0.5 2\r\nLUT_1D_SIZE 2\r\n1e-3 -1 9.8e-05\r\n1. 2 +.5\r\n")
put("stepfile", "cube-short", "cLUT_3D_SIZE 2\n0 0 0\n")
put("stepfile", "kernel", "k0 1 0\n1 -4 1\n0 1 0\n")
put("stepfile", "kernel-row", "k# smear\n0.1\t0.2 0.4 0.2 1e-1\n")
put("stepfile", "kernel-large", "k" + "\n".join(" ".join(["1000000"] * 9) for _ in range(9)))
put("stepfile", "kernel-even", "k1 2\n3 4\n")

# --- Metadata: chunks in the format of text/text.h -----------------------------------------------------

TYPES = ("eXIf tEXt zTXt iTXt iCCP pHYs sCAL oFFs hIST tIME gAMA cHRM sRGB sBIT bKGD tRNS sTER caNv vpAg dSIG sPLT "
         "pCAL cICP mDCV cLLI prVt prVT maRK acTL iDOT blKS puBl").split()
XMP, RAW_EXIF, RAW_APP1, RAW_XMP, EXIF_TEXT, TIFF_TEXT = 1, 2, 3, 4, 5, 6


def chunk(kind, data, keyword=None, packed=False):
    how = 0 if keyword is None else 1 | packed << 1 | keyword << 2
    data = data if isinstance(data, bytes) else data.encode()
    return bytes([TYPES.index(kind), how]) + struct.pack("<H", len(data)) + data


def exif(order, kind, value):
    endian = ">" if order == b"MM" else "<"
    number = struct.pack(endian + ("H2x" if kind == 3 else "I"), value)
    return (order + struct.pack(endian + "HIH", 42, 8, 2) + struct.pack(endian + "HHI", 256, 4, 1) + b"\0\0\0\x09" +
            struct.pack(endian + "HHI", 274, kind, 1) + number + bytes(4))


def raw(name, data):
    return f"\n{name}\n{len(data):8}\n" + data.hex() + "\n"


xmp = '<x:xmpmeta><rdf:Description tiff:Orientation="6"/><tiff:Orientation> 8 </tiff:Orientation></x:xmpmeta>'
put("metadata", "exif-big", chunk("eXIf", exif(b"MM", 3, 6)))
put("metadata", "exif-little-long", chunk("eXIf", exif(b"II", 4, 8)))
put("metadata", "exif-prefix", chunk("eXIf", b"Exif\0\0" + exif(b"II", 3, 3)))
put("metadata", "xmp", chunk("iTXt", xmp, XMP) + chunk("iTXt", xmp, XMP, True))
put("metadata", "raw-exif", chunk("zTXt", raw("exif", exif(b"MM", 3, 5)), RAW_EXIF))
put("metadata", "raw-app1", chunk("tEXt", raw("generic profile", b"Exif\0\0" + exif(b"MM", 3, 7)), RAW_APP1))
put("metadata", "raw-xmp", chunk("zTXt", raw("xmp", xmp.encode()), RAW_XMP))
put("metadata", "plain-texts", chunk("tEXt", " 6 \n", EXIF_TEXT) + chunk("zTXt", "8", TIFF_TEXT))
put("metadata", "several", chunk("eXIf", exif(b"MM", 3, 1)) + chunk("iTXt", xmp, XMP, True) + chunk("tEXt", "3", EXIF_TEXT))
put("metadata", "profile", chunk("iCCP", bytes(range(128)), 0) + chunk("gAMA", struct.pack(">I", 45455)))
put("metadata", "sizes", chunk("pHYs", struct.pack(">IIB", 2835, 5670, 1)) + chunk("sCAL", b"\x011.5\x002e-3") +
    chunk("oFFs", struct.pack(">iiB", -3, 4, 0)))
put("metadata", "colours", chunk("sBIT", bytes([5, 6, 5])) + chunk("bKGD", bytes(6)) + chunk("tRNS", bytes(6)) +
    chunk("cHRM", bytes(32)) + chunk("sRGB", bytes(1)) + chunk("tIME", bytes([7, 234, 11, 26, 12, 0, 0])))
put("metadata", "unknown", chunk("prVt", "kept") + chunk("prVT", "dropped") + chunk("dSIG", "x") + chunk("puBl", "y"))
