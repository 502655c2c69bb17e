"""Random PNGs: all colour types, depths and sizes, with and without interlacing, tRNS and metadata."""
import random
import struct
import zlib

GRAY, RGB, PALETTE, GRAY_ALPHA, RGBA = 0, 2, 3, 4, 6
CHANNELS = {GRAY: 1, RGB: 3, PALETTE: 1, GRAY_ALPHA: 2, RGBA: 4}
KINDS = [(GRAY, 1), (GRAY, 2), (GRAY, 4), (GRAY, 8), (GRAY, 16), (RGB, 8), (RGB, 16),
         (PALETTE, 1), (PALETTE, 2), (PALETTE, 4), (PALETTE, 8),
         (GRAY_ALPHA, 8), (GRAY_ALPHA, 16), (RGBA, 8), (RGBA, 16)]
ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
         (0, 1, 1, 2)]
LARGE = 700  # width and height in pixels above which several threads decode a file


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _side(draw):
    return draw.choice([1, 1, 2, 3, draw.randint(4, 20), draw.randint(4, 20), draw.randint(20, 80),
                        draw.randint(20, 80)])


def _size(draw):
    if draw.random() < 0.03:
        return draw.randint(LARGE // 2, LARGE), draw.randint(LARGE // 2, LARGE)
    return _side(draw), _side(draw)


def _pixels(draw, color, depth, count):
    """Returns the bytes of some whole pixels as a file stores them, with 8 or 16 bits per sample."""
    values = []
    for _ in range(count):
        pixel = draw.randbytes(CHANNELS[color] * depth // 8)
        if color in (GRAY_ALPHA, RGBA) and draw.random() < 0.5:
            alpha = draw.choice([b"\0", b"\xff"]) * (depth // 8)
            pixel = pixel[:-(depth // 8)] + alpha
        values.append(pixel)
    return values


class _Rows:
    """The filtered rows of a picture. Any bytes are valid with any filter, except as indices of a palette."""

    def __init__(self, draw, color, depth, entries):
        self.draw, self.depth, self.color = draw, depth, color
        self.way = draw.choice(["noise", "smooth", "few", "few"])
        self.entries = entries
        self.few = [draw.randbytes(1) for _ in range(draw.randint(1, 6))]
        if depth >= 8 and color != PALETTE:
            self.few = _pixels(draw, color, depth, draw.randint(1, 6))

    def row(self, width):
        draw = self.draw
        size = (width * self.depth * CHANNELS[self.color] + 7) // 8
        if self.color == PALETTE:
            return b"\0" + self._indices(width)
        if self.way == "noise":
            return bytes([draw.randint(0, 4)]) + draw.randbytes(size)
        if self.way == "smooth" and self.depth >= 8:
            steps = draw.choices([0, 0, 0, 0, 1, 2, 255, 254], k=size)
            return bytes([draw.choice([1, 2, 3, 4])]) + bytes(steps)
        return b"\0" + b"".join(draw.choices(self.few, k=size // len(self.few[0])))

    def _indices(self, width):
        most = self.entries - 1
        if self.way == "few":
            most = min(most, 2)
        samples = self.draw.choices(range(most + 1), k=width)
        per = 8 // self.depth
        samples += [0] * (-width % per)
        packed = bytearray()
        for at in range(0, len(samples), per):
            byte = 0
            for sample in samples[at:at + per]:
                byte = byte << self.depth | sample
            packed.append(byte)
        return bytes(packed)


def _image_data(draw, rows, width, height, interlaced):
    lines = []
    for x, y, step_x, step_y in ADAM7 if interlaced else [(0, 0, 1, 1)]:
        across, down = -(-(width - x) // step_x), -(-(height - y) // step_y)
        if across > 0:
            lines += [rows.row(across) for _ in range(max(down, 0))]
    data = zlib.compress(b"".join(lines), draw.choice([0, 1, 6]))
    cut = draw.choice([len(data), len(data), 100])
    return b"".join(chunk(b"IDAT", data[at:at + cut]) for at in range(0, len(data), cut))


def _transparency(draw, rows, color, depth):
    if color == PALETTE:
        count = draw.randint(1, rows.entries)
        return bytes(draw.choice([0, 255, draw.randint(0, 255)]) for _ in range(count))
    if depth >= 8 and rows.way == "few":
        pixel = draw.choice(rows.few)  # so that some pixels have the transparent colour
    else:
        pixel = draw.randbytes(CHANNELS[color] * depth // 8 or 1)
    if depth == 16:
        return pixel
    if depth == 8:
        return b"".join(b"\0" + pixel[i:i + 1] for i in range(len(pixel)))
    return struct.pack(">H", draw.randint(0, (1 << depth) - 1))


def _exif(draw):
    """Returns EXIF with an orientation and a resolution, in either byte order."""
    order = draw.choice("<>")
    entry = struct.pack(order + "HHIHH", 0x112, 3, 1, draw.randint(1, 8), 0)
    return ((b"II" if order == "<" else b"MM") + struct.pack(order + "HIH", 42, 8, 1) + entry +
            struct.pack(order + "I", 0))


def _profile(draw, color):
    """Returns the part of an ICC profile that a decoder reads: its header and no tag."""
    space = b"GRAY" if color in (GRAY, GRAY_ALPHA) else b"RGB "
    header = bytearray(132)
    header[0:4] = struct.pack(">I", len(header))
    header[8] = 4
    header[12:24] = b"mntr" + space + b"XYZ "
    header[36:40] = b"acsp"
    header[68:80] = bytes.fromhex("0000f6d6000100000000d32d")
    return b"random\0\0" + zlib.compress(bytes(header), draw.choice([1, 9]))


def _before_palette(draw, color, depth):
    chunks = []
    colours = draw.random()
    if colours < 0.1:
        chunks.append(chunk(b"sRGB", bytes([draw.randint(0, 3)])))
    elif colours < 0.2:
        chunks.append(chunk(b"iCCP", _profile(draw, color)))
    elif colours < 0.25:
        chunks.append(chunk(b"cICP", bytes([1, 13, 0, 1])))
    if draw.random() < 0.2:
        chunks.append(chunk(b"gAMA", struct.pack(">I", draw.choice([45455, 100000, 55556, 1]))))
    if draw.random() < 0.1:
        white_and_primaries = [31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000]
        chunks.append(chunk(b"cHRM", struct.pack(">8I", *white_and_primaries)))
    if draw.random() < 0.1:
        count, most = (3, 8) if color == PALETTE else (CHANNELS[color], depth)
        chunks.append(chunk(b"sBIT", bytes(draw.randint(1, most) for _ in range(count))))
    return chunks


def _after_palette(draw, color, depth, entries):
    chunks = []
    if draw.random() < 0.15:
        if color == PALETTE:
            background = bytes([draw.randint(0, entries - 1)])
        else:
            count = 1 if color in (GRAY, GRAY_ALPHA) else 3
            background = b"".join(struct.pack(">H", draw.randint(0, (1 << depth) - 1))
                                  for _ in range(count))
        chunks.append(chunk(b"bKGD", background))
    if draw.random() < 0.2:
        density = struct.pack(">IIB", draw.randint(1, 20000), draw.randint(1, 20000),
                              draw.randint(0, 1))
        chunks.append(chunk(b"pHYs", density))
    if draw.random() < 0.3:
        chunks.append(chunk(b"eXIf", _exif(draw)))
    if draw.random() < 0.1:
        chunks.append(chunk(b"tIME", struct.pack(">HBBBBB", 2020, 2, 29, 23, 59, 60)))
    if draw.random() < 0.1:
        chunks.append(chunk(b"tEXt", b"Comment\0random"))
    if draw.random() < 0.1:
        chunks.append(chunk(b"zTXt", b"Comment\0\0" + zlib.compress(b"packed")))
    if draw.random() < 0.1:
        chunks.append(chunk(b"iTXt", "Title\0\0\0\0\0\u00fc".encode()))
    if draw.random() < 0.1:
        chunks.append(chunk(draw.choice([b"keEp", b"drOP"]), draw.randbytes(5)))
    return chunks


def random_png(seed):
    """Returns the bytes of a PNG, and its description. The depth in the description is that of samples, not of
    indices."""
    draw = random.Random(seed)
    color, depth = draw.choice(KINDS)
    width, height = _size(draw)
    interlaced = draw.random() < 0.25
    if max(width, height) > LARGE // 4:
        interlaced = False
    entries = draw.choice([1 << depth, draw.randint(1, 1 << depth)]) if color == PALETTE else 0
    rows = _Rows(draw, color, depth, entries)
    parts = [b"\x89PNG\r\n\x1a\n",
             chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlaced))]
    parts += _before_palette(draw, color, depth)
    if color == PALETTE:
        parts.append(chunk(b"PLTE", draw.randbytes(3 * entries)))
    keyed = color in (GRAY, RGB, PALETTE) and draw.random() < 0.35
    if keyed:
        parts.append(chunk(b"tRNS", _transparency(draw, rows, color, depth)))
    parts += _after_palette(draw, color, depth, entries)
    parts += [_image_data(draw, rows, width, height, interlaced), chunk(b"IEND", b"")]
    names = {GRAY: "gray", RGB: "RGB", PALETTE: "palette", GRAY_ALPHA: "gray+alpha", RGBA: "RGBA"}
    words = f"{width} x {height}, {names[color]} of {depth} bits"
    words += ", tRNS" * keyed + ", interlaced" * interlaced
    return b"".join(parts), {"words": words, "width": width, "height": height,
                             "depth": 8 if color == PALETTE else depth}
