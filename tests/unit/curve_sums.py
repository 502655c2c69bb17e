#!/usr/bin/env python3
"""Prints the checksums of test_curve.c, computed with 60 decimal digits. Each is the CRC-32 of a curve with 16 bits per
entry, low byte first. Takes half a minute."""
import zlib
from decimal import ROUND_HALF_UP, Decimal, getcontext

getcontext().prec = 60
LINEAR = 65535


def power(numerator, denominator, maximum):
    exponent = Decimal(numerator) / denominator
    return [0] + [maximum * (Decimal(v) / maximum) ** exponent for v in range(1, maximum + 1)]


def to_linear(c):
    if c <= Decimal("0.04045"):
        return c / Decimal("12.92")
    return ((c + Decimal("0.055")) / Decimal("1.055")) ** Decimal("2.4")


def to_srgb(c):
    if c <= Decimal("0.0031308"):
        return c * Decimal("12.92")
    return Decimal("1.055") * c ** (1 / Decimal("2.4")) - Decimal("0.055")


def srgb_to_linear(maximum):
    return [LINEAR * to_linear(Decimal(v) / maximum) for v in range(maximum + 1)]


def linear_to_srgb(maximum):
    return [maximum * to_srgb(Decimal(v) / LINEAR) for v in range(LINEAR + 1)]


def checksum(values):
    rounded = (int(Decimal(v).to_integral_value(ROUND_HALF_UP)) for v in values)
    return zlib.crc32(b"".join(v.to_bytes(2, "little") for v in rounded))


for maximum in (255, 65535):
    for numerator, denominator in ((11, 5), (5, 11), (1, 2), (3, 1)):
        curve = power(numerator, denominator, maximum)
        print(f"power {numerator}/{denominator} of {maximum}: {checksum(curve):#010x}")
    print(f"sRGB to linear of {maximum}: {checksum(srgb_to_linear(maximum)):#010x}")
    print(f"linear to sRGB of {maximum}: {checksum(linear_to_srgb(maximum)):#010x}")
