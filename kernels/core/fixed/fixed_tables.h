/* Private to fixed_math.c: constants, rounded to nearest. This Python 3 program generates them:
 *
 *   from decimal import Decimal as D, getcontext
 *   from math import factorial
 *   getcontext().prec = 60
 *   ln2 = D(2).ln()
 *   pi = D("3.14159265358979323846264338327950288")
 *   def table(name, q, values):
 *       print(name, *("0x%016x" % int((v * 2**q).to_integral_value()) for v in values))
 *   inverse = [D(((64 << 15) + 63 + i) // (64 + i)) / 2**15 for i in range(64)]
 *   table("log2_steps", 64, [-v.ln() / ln2 for v in inverse])
 *   table("log2_terms", 63, [1 / (n * ln2) for n in range(1, 11)])
 *   table("exp2_steps", 63, [D(2) ** (-D(i) / 64) for i in range(64)])
 *   table("exp2_terms", 63, [ln2**n / factorial(n) for n in range(1, 8)])
 *   table("sin_terms", 63, [D(1) / factorial(n) for n in range(3, 13, 2)])
 *   table("cos_terms", 63, [D(1) / factorial(n) for n in range(2, 14, 2)])
 *   table("thousandth", 79, [pi / 180000])
 */
#ifndef IMGTOOL_KERNELS_CORE_FIXED_FIXED_TABLES_H
#define IMGTOOL_KERNELS_CORE_FIXED_FIXED_TABLES_H

#include <stdint.h>

/* -log2(r) as Q64 (times 2^64), for i from 0. r is 1 / (1 + i / 64), rounded up to a multiple of
 * 2^-15. */
static const uint64_t log2_steps[] = {
    0x0000000000000000, 0x05b9894c5eaa7e1d, 0x0b5a8714bd7e6703, 0x10ea8b8033bc2f2f,
    0x1662577cadaccade, 0x1bc6b9d7c06b6fd1, 0x2116871ca2f51884, 0x2653c0dd04dba20a,
    0x2b7d51cdedacb2a9, 0x3095696fc797b6b5, 0x359e600657cf1b9a, 0x3a90921377c45c45,
    0x3f751ca1cb3c62bc, 0x444b3896ca5c851c, 0x490e96434adc9b76, 0x4dc1d33430af4505,
    0x5267b732226f7d51, 0x56ff8d9e0a32eab8, 0x5b84ebe7ce851b1f, 0x60022daca5c5816e,
    0x646b7cfff4f171e4, 0x68cb747814170ade, 0x6d1db40a1c795d20, 0x716196cf5639f38a,
    0x759a6cdac1a7df63, 0x79c7aeb4d7c222c1, 0x7de8d279d1f4dce1, 0x81fd4bf3cf8baf09,
    0x86048cb80c26d485, 0x8a023592b4027701, 0x8df5d690fbda2e2d, 0x91defdd0ffaa8eb5,
    0x95bd3793f1d62b0a, 0x99900e52617f91bb, 0x9d5b75d7ef0c87be, 0xa11aa14eb954eea2,
    0xa4d1986156dda94a, 0xa88001b8b2e0abb1, 0xac20e94f75b637ad, 0xafbd19d7cafaa571,
    0xb34fa81d2a3c5224, 0xb6d835497f32c3fb, 0xba56614bb8690fb5, 0xbdce9dcc961871a7,
    0xc13bcc8d0d10d427, 0xc4a75e0325724dbe, 0xc802523b281fc7a0, 0xcb5b2431b3096e8f,
    0xceaca5ed6e86ec8b, 0xd1f6927d01dd8aff, 0xd533804c22e70271, 0xd86d6475828abc14,
    0xdba419fb172fb71c, 0xdeccee614704ea5c, 0xe1f219861cf5ed73, 0xe50e169a678169ff,
    0xe82603c65f5e9845, 0xeb39b82d157f25e2, 0xee438a30a585049c, 0xf1432cf360d7296b,
    0xf443811f3eabc875, 0xf7393881b6d3f4c4, 0xfa29b280d2cc4513, 0xfd14c25a5b15c9f8,
};

/* 2^(-i / 64) as Q63 (times 2^63), for i from 0. */
static const uint64_t exp2_steps[] = {
    0x8000000000000000, 0x7e9f06067a4360ba, 0x7d41d96db915019d, 0x7be86fb985689ddc,
    0x7a92be8a92436616, 0x7940bb9e2cffd89d, 0x77f25ccdee6d7ae6, 0x76a7980f6cca15c2,
    0x75606373ee921c97, 0x741cb5281e25ee34, 0x72dc8373be41a454, 0x719fc4b95f452d29,
    0x70666f76154a7089, 0x6f307a412f074892, 0x6dfddbcbed791bab, 0x6cce8ae13c57ebdb,
    0x6ba27e656b4eb57a, 0x6a79ad55e7f6fd10, 0x69540ec8f895722d, 0x683199ed779592ca,
    0x6712460a8fc24072, 0x65f60a7f79393e2e, 0x64dcdec3371793d1, 0x63c6ba6455dcd8ae,
    0x62b39508aa836d6f, 0x61a3666d124bb204, 0x6096266533384a2b, 0x5f8bccdb3d398841,
    0x5e8451cfac061b5f, 0x5d7fad59099f22fe, 0x5c7dd7a3b17dcf75, 0x5b7ec8f19468bbc9,
    0x5a827999fcef3242, 0x5988e20954889245, 0x5891fac0e95612c8, 0x579dbc56b48521ba,
    0x56ac1f752150a563, 0x55bd1cdad49f699c, 0x54d0ad5a753e077c, 0x53e6c9da74b29ab5,
    0x52ff6b54d8a89c75, 0x521a8ad704f3404f, 0x513821818624b40c, 0x50582887dcb8a7e1,
    0x4f7a993048d088d7, 0x4e9f6cd3967fdba8, 0x4dc69cdceaa72a9c, 0x4cf022c9905bfd32,
    0x4c1bf828c6dc54b8, 0x4b4a169b900c2d00, 0x4a7a77d47f7b84b1, 0x49ad159789f37496,
    0x48e1e9b9d588e19b, 0x4818ee218a3358ee, 0x47521cc5a2e6a9e0, 0x468d6fadbf2dd4f3,
    0x45cae0f1f545eb73, 0x450a6abaa4b77ecd, 0x444c0740496d4294, 0x438fb0cb4f468808,
    0x42d561b3e6243d8a, 0x421d1461d66f2023, 0x4166c34c5615d0ec, 0x40b268f9de0183ba,
};

/* 1 / (n ln 2) as Q63 (times 2^63), for n from 1. The first entry is log2(e). */
static const uint64_t log2_terms[] = {
    0xb8aa3b295c17f0bc, 0x5c551d94ae0bf85e, 0x3d8e13b87407fae9, 0x2e2a8eca5705fc2f,
    0x24eed8a1df37fcf2, 0x1ec709dc3a03fd75, 0x1a61762a7aded93f, 0x171547652b82fe17,
    0x1484b13d7c02a8f8, 0x12776c50ef9bfe79,
};

/* (ln 2)^n / n! as Q63 (times 2^63), for n from 1. */
static const uint64_t exp2_terms[] = {
    0x58b90bfbe8e7bcd6, 0x1ebfbdff82c58ea8, 0x071ac235c1282fe3, 0x013b2ab6fba4e773,
    0x002bb0ffcf14ce62, 0x00050c244be1b1e2, 0x00007ff2ff1622c3,
};

/* 1/3!, 1/5!, ... 1/11! as Q63 (times 2^63). */
static const uint64_t sin_terms[] = {
    0x1555555555555555, 0x0111111111111111, 0x0006806806806807,
    0x0000171de3a556c7, 0x00000035cc8acfeb,
};

/* 1/2!, 1/4!, ... 1/12! as Q63 (times 2^63). */
static const uint64_t cos_terms[] = {
    0x4000000000000000, 0x0555555555555555, 0x002d82d82d82d82e,
    0x0000d00d00d00d01, 0x0000024fc9f6ef14, 0x000000047bb63bfe,
};

/* A thousandth of a degree in radians, as Q79 (times 2^79). */
static const uint64_t thousandth = 0x9268a908c9a39e64;

/* A quarter turn in radians, pi / 2, as Q63 (times 2^63). */
static const uint64_t quarter_turn = 0xc90fdaa22168c235;

#endif
