#!/usr/bin/env python3
"""odd_streams.py OUT_DIR: writes inputs of fuzz_decode and fuzz_speculative (odd-*). They are whole PNG files at the limits
of the format, where libpng's verdict surprises and another decoder easily differs. Part of make_corpus.sh."""
import random
import struct
import sys
import zlib

WIDTH, HEIGHT = 40, 12
AS_IT_IS = bytes([3, 0, 0, 0, 0, 1 | 2, 0, 9])  # FUZZ_FILE, FUZZ_WRONG_CRC, FUZZ_WRONG_ADLER
noise = random.Random(1)


def chunk(kind, data, wrong=0):
    return (struct.pack(">I", len(data)) + kind + data +
            struct.pack(">I", zlib.crc32(kind + data) ^ wrong))


def idat(data, wrong=0):
    return chunk(b"IDAT", data, wrong)


def png(idats, width=WIDTH, height=HEIGHT):
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)) +
            b"".join(idats) + chunk(b"IEND", b""))


def random_bytes(count):
    return bytes(noise.randrange(256) for _ in range(count))


def deflate(data, window=15, end=zlib.Z_FINISH):
    packer = zlib.compressobj(9, zlib.DEFLATED, -window)
    return packer.compress(data) + packer.flush(end)


def head(window_bits, level=2, dictionary=0):
    first = 8 | (window_bits - 8) << 4
    second = level << 6 | dictionary << 5
    return bytes([first, second + (31 - (first * 256 + second) % 31) % 31])


def adler(data):
    return struct.pack(">I", zlib.adler32(data))


def stream(data, window=15, blocks=None):
    return head(window) + (deflate(data) if blocks is None else blocks) + adler(data)


class Bits:
    """Writes a deflate stream bit by bit."""

    def __init__(self):
        self.value, self.count = 0, 0

    def put(self, value, count):
        self.value |= value << self.count
        self.count += count
        return self

    def code(self, code):
        value, count = code
        for i in reversed(range(count)):
            self.put(value >> i & 1, 1)
        return self

    def bytes(self):
        return self.value.to_bytes((self.count + 7) // 8, "little")


def codes(lengths):
    result, code = {}, 0
    for length in range(1, 16):
        for symbol, its in enumerate(lengths):
            if its == length:
                result[symbol] = (code, length)
                code += 1
        code <<= 1
    return result


ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]


def dynamic(literals, distances, final=1):
    """Returns the start of a dynamic block, and its two codes. Each code length takes four bits in the stream."""
    bits = Bits().put(final, 1).put(2, 2)
    bits.put(len(literals) - 257, 5).put(len(distances) - 1, 5).put(15, 4)
    of_lengths = [4] * 16 + [0] * 3
    for symbol in ORDER:
        bits.put(of_lengths[symbol], 3)
    for length in literals + distances:
        bits.code(codes(of_lengths)[length])
    return bits, codes(literals), codes(distances)


def lengths(count=286, **of):
    result = [0] * count
    for symbol, length in of.items():
        result[int(symbol[1:])] = length
    return result


ZEROS = bytes(HEIGHT * (WIDTH + 1))


def with_matches(literals, distances, end=True):
    """Returns a black picture. Its stream is one literal, then matches of the longest length at distance 1."""
    bits, symbols, steps = dynamic(literals, distances)
    bits.code(symbols[0])
    left = len(ZEROS) - 1
    while left >= 258:
        bits.code(symbols[285]).code(steps[0])
        left -= 258
    for _ in range(left):
        bits.code(symbols[0])
    if end:
        bits.code(symbols[256])
    return bits


def with_literals(literals, distances):
    bits, symbols, _ = dynamic(literals, distances)
    for _ in ZEROS:
        bits.code(symbols[0])
    return bits.code(symbols[256]) if 256 in symbols else bits


def fixed_zeros(bits):
    bits.put(1, 1).put(1, 2)
    for _ in ZEROS:
        bits.code((0x30, 8))
    return bits


def black(bits):
    return [idat(stream(ZEROS, blocks=bits.bytes()))]


def only_end_then_fixed(distances):
    bits, symbols, _ = dynamic(lengths(n256=1), distances, final=0)
    return fixed_zeros(bits.code(symbols[256])).code((0, 7))


def containers(add):
    rows = b"".join(b"\0" + bytes((3 * x + y * y) % 256 for x in range(WIDTH)) for y in range(HEIGHT))
    z = stream(rows)
    longer = rows + rows[:WIDTH + 1]
    open_end = head(15) + deflate(rows, end=zlib.Z_FULL_FLUSH)
    add("idat-empty-first", [idat(b""), idat(z)])
    add("idat-empty-middle", [idat(z[:50]), idat(b""), idat(z[50:])])
    add("idat-empty-last", [idat(z), idat(b""), idat(b"")])
    add("idat-empty-only", [idat(b"")])
    add("idat-wrapper-split", [idat(z[:1]), idat(z[1:])])
    add("idat-adler-split", [idat(z[:-2]), idat(z[-2:])])
    add("idat-adler-alone", [idat(z[:-4]), idat(z[-4:])])
    add("crc-wrong-last", [idat(z[:50]), idat(z[50:], 1)])
    add("crc-wrong-first", [idat(z[:50], 1), idat(z[50:])])
    add("crc-wrong-empty-last", [idat(z), idat(b"", 1)])
    add("crc-wrong-of-adler", [idat(z[:-4]), idat(z[-4:], 1)])
    add("adler-wrong", [idat(z[:-1] + bytes([z[-1] ^ 1]))])
    add("adler-wrong-alone", [idat(z[:-4]), idat(b"\1\2\3\4")])
    add("adler-missing", [idat(z[:-4])])
    add("adler-missing-idat-empty", [idat(z[:-4]), idat(b"")])
    add("adler-half", [idat(z[:-2])])
    add("after-adler-zero", [idat(z + b"\0")])
    add("after-adler-idat", [idat(z), idat(b"junk")])
    add("after-adler-stream", [idat(z), idat(z)])
    add("long-row", [idat(stream(longer))])
    add("long-byte", [idat(stream(rows + b"\0"))])
    add("long-much", [idat(stream(rows + bytes(70000)))])
    add("short-byte", [idat(stream(rows[:-1]))])
    add("short-row", [idat(stream(rows[:-WIDTH - 1]))])
    add("end-empty-stored", [idat(open_end + b"\0\0\0\xff\xff" * 3 + b"\1\0\0\xff\xff" + adler(rows))])
    add("end-empty-fixed", [idat(open_end + b"\3\0" + adler(rows))])
    add("end-none", [idat(open_end)])
    add("end-none-adler", [idat(open_end + adler(rows))])
    add("end-last-byte-missing", [idat(z[:-5] + adler(rows))])
    add("start-empty-blocks", [idat(head(15) + b"\0\0\0\xff\xff" * 3 + z[2:])])
    add("wrapper-window-64k", [idat(head(16) + z[2:])])
    add("wrapper-method-7", [idat(bytes([0x77, 31 - 0x7700 % 31]) + z[2:])])
    add("wrapper-check-wrong", [idat(bytes([0x78, 0x9d]) + z[2:])])
    add("wrapper-dictionary", [idat(head(15, 2, 1) + z[2:])])
    add("wrapper-none", [idat(z[2:-4])])
    add("filter-5", [idat(stream(b"\5" + rows[1:]))])
    add("filter-255-last", [idat(stream(rows[:-WIDTH - 1] + b"\xff" + rows[-WIDTH:]))])


def windows(add):
    """Adds streams with distances past their window. zlib rejects such a distance only if those bytes have left its
    output buffer. libpng's buffer is one row long, and zlib begins a new one with each IDAT."""
    near = b"".join(b"\0" + s + random_bytes(400) + s for s in (random_bytes(200), random_bytes(200)))
    z = head(8) + deflate(near) + adler(near)
    add("window-256-within-row", [idat(z)], 800, 2)
    add("window-256-within-row-idats", [idat(z[i:i + 97]) for i in range(0, len(z), 97)], 800, 2)
    row = b"\0" + random_bytes(500)
    for distance in (256, 257, 300, 400):
        start = row + b"\0" + random_bytes(49)
        data = start + start[len(start) - distance:][:40]
        data += bytes(2 * len(row) - len(data))
        add(f"window-256-over-row-end-{distance}", [idat(stream(data, 8))], 500, 2)


def blocks(add):
    add("distance-one-code", black(with_matches(lengths(n0=1, n285=2, n256=2), [1])))
    add("distance-one-code-of-2", black(with_matches(lengths(n0=1, n285=2, n256=2), [2])))
    add("distance-none", black(with_literals(lengths(n0=1, n256=1), [0])))
    add("distance-incomplete", black(with_matches(lengths(n0=1, n285=2, n256=2), [2, 2])))
    add("distance-oversubscribed", black(with_matches(lengths(n0=1, n285=2, n256=2), [1, 1, 1])))
    add("distance-30-none", black(with_literals(lengths(n0=1, n256=1), [0] * 30)))
    add("distance-31-symbols", black(with_literals(lengths(n0=1, n256=1), [0] * 31)))
    add("literal-incomplete", black(with_literals(lengths(n0=2, n256=2), [0])))
    add("literal-no-end", black(with_literals(lengths(n0=1, n1=1), [0])))
    add("literal-287-symbols", black(with_literals(lengths(287, n0=1, n256=1), [0])))
    add("literal-only-end", black(only_end_then_fixed([0])))
    add("literal-only-end-one-distance", black(only_end_then_fixed([1])))
    add("no-end-code", [idat(head(15) + with_matches(lengths(n0=1, n285=2, n256=2), [1], False).bytes())])
    add("fixed-no-end-code", [idat(head(15) + fixed_zeros(Bits()).bytes())])
    add("fixed-symbol-286-for-end", [idat(head(15) + fixed_zeros(Bits()).code((0xC6, 8)).bytes() + bytes(8))])
    add("fixed-distance-30-after", [idat(head(15) + fixed_zeros(Bits()).code((0xC5, 8)).code((30, 5)).bytes() +
                                          bytes(8))])
    padded = fixed_zeros(Bits()).code((0, 7))
    spare = -padded.count % 8
    padded.put((1 << spare) - 1, spare)
    add("padding-of-ones", black(padded))
    add("block-type-3", [idat(head(15) + b"\7" + bytes(9))])
    add("stored-length-wrong", [idat(head(15) + b"\1\5\0\0\0abcde" + bytes(4))])


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)

    def add(name, idats, width=WIDTH, height=HEIGHT):
        with open(f"{sys.argv[1]}/odd-{name}", "wb") as file:
            file.write(AS_IT_IS + png(idats, width, height))

    containers(add)
    windows(add)
    blocks(add)


if __name__ == "__main__":
    main()
