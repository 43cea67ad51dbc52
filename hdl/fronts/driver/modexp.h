/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver of a core on a bus front. C99, freestanding: no allocation, no globals, no library.
 * hdl/docs/driver.md describes it, hdl/docs/fronts.md the memory map.
 *
 * Numbers are arrays of 32-bit words, the least significant word first. Unless a comment states
 * otherwise, a number may have fewer words than an operand of the core: the driver pads with 0. */

#ifndef MODMUL_MODEXP_H
#define MODMUL_MODEXP_H

#include <stddef.h>
#include <stdint.h>

#include "../front_codes.h"

/* Result of each function. */
enum modexp_error {
    MODEXP_OK = 0,
    MODEXP_ERROR_ARGUMENT = 1, /* an argument is out of range */
    MODEXP_ERROR_BUS = 2, /* a bus error without a reason in STATUS */
    MODEXP_ERROR_IDENTIFICATION = 3, /* no core of this family at the address */
    MODEXP_ERROR_VERSION = 4, /* the core needs another driver */
    MODEXP_ERROR_CONFIGURATION = 5, /* another word, or capabilities that no core has */
    MODEXP_ERROR_UNSUPPORTED = 6, /* this core does not have the operation */
    MODEXP_ERROR_TIMEOUT = 7, /* the operation did not end (status Busy) */
    MODEXP_ERROR_FAULT = 8, /* the signature does not verify; the driver wiped it */
    MODEXP_ERROR_UNKNOWN_STATUS = 9, /* a status that this driver does not know */
    MODEXP_ERROR_UNKNOWN_REASON = 10, /* a reason that this driver does not know */
    /* How an operation ended, if neither Ok nor Busy */
    MODEXP_STATUS_IDLE = 0x100 + MODMUL_STATUS_IDLE,
    MODEXP_STATUS_RAW = 0x100 + MODMUL_STATUS_RAW,
    MODEXP_STATUS_MODULUS_ZERO_OR_ONE = 0x100 + MODMUL_STATUS_MODULUS_ZERO_OR_ONE,
    MODEXP_STATUS_MODULUS_EVEN = 0x100 + MODMUL_STATUS_MODULUS_EVEN,
    MODEXP_STATUS_OPERAND_RANGE = 0x100 + MODMUL_STATUS_OPERAND_RANGE,
    MODEXP_STATUS_OPERAND_INCOMPLETE = 0x100 + MODMUL_STATUS_OPERAND_INCOMPLETE,
    MODEXP_STATUS_LENGTH_RANGE = 0x100 + MODMUL_STATUS_LENGTH_RANGE,
    MODEXP_STATUS_EXPONENT_RANGE = 0x100 + MODMUL_STATUS_EXPONENT_RANGE,
    MODEXP_STATUS_CONSTANT_INCONSISTENT = 0x100 + MODMUL_STATUS_CONSTANT_INCONSISTENT,
    MODEXP_STATUS_UPSET = 0x100 + MODMUL_STATUS_UPSET,
    MODEXP_STATUS_INTEGRITY = 0x100 + MODMUL_STATUS_INTEGRITY,
    MODEXP_STATUS_INCOHERENT = 0x100 + MODMUL_STATUS_INCOHERENT,
    /* Why the front or the core rejected an access */
    MODEXP_REASON_UNKNOWN_ADDRESS = 0x200 + MODMUL_REASON_UNKNOWN_ADDRESS,
    MODEXP_REASON_UNKNOWN_COMMAND = 0x200 + MODMUL_REASON_UNKNOWN_COMMAND,
    MODEXP_REASON_BUSY = 0x200 + MODMUL_REASON_BUSY,
    MODEXP_REASON_START_WHILE_BUSY = 0x200 + MODMUL_REASON_START_WHILE_BUSY,
    MODEXP_REASON_NO_RESULT = 0x200 + MODMUL_REASON_NO_RESULT,
    MODEXP_REASON_WORD_ORDER = 0x200 + MODMUL_REASON_WORD_ORDER,
    MODEXP_REASON_PARTIAL_WORD = 0x200 + MODMUL_REASON_PARTIAL_WORD
};

/* Words of work space for the private operation: this factor times the words of a prime. */
enum modexp_workspace { MODEXP_RSA_WORKSPACE = 6 };

/* Access to the front. With read and write 0 the driver uses volatile accesses from base; then
 * a bus error is an exception of the processor, or the driver finds its reason in STATUS.
 * read and write access one word of word_bytes and return 0, or another value after a bus error.
 * wait returns 0 when the interrupt pin is high, another value after a time-out. With wait 0 the
 * driver polls STATUS, at most poll_limit times. */
struct modexp_bus {
    volatile void *base;
    int (*read)(void *context, uint32_t address, uint64_t *value);
    int (*write)(void *context, uint32_t address, uint64_t value);
    int (*wait)(void *context);
    void *context;
    uint32_t word_bytes; /* 4 or 8, the DataWidth of the front */
    uint32_t poll_limit; /* at least 1 */
};

/* A core. modexp_initialise fills it; the caller only reads it. */
struct modexp_device {
    struct modexp_bus bus;
    uint32_t operation; /* enum modmul_operation */
    uint32_t core; /* number of the core */
    uint32_t width; /* bits of an operand */
    uint32_t m_prime_width; /* bits of m' */
    uint32_t guard; /* bits that S and C have above width */
    uint32_t radix_bits; /* product: R is 2 to this power; 0: R is 1 */
};

/* RSA key. n has ceil(bits / 32) words; p, q, dp, dq and q_inverse have ceil(half_bits / 32). */
struct modexp_rsa_key {
    uint32_t bits; /* of n */
    uint32_t half_bits; /* of the larger prime */
    uint32_t e; /* public exponent, odd and above 1 */
    const uint32_t *n;
    const uint32_t *p;
    const uint32_t *q;
    const uint32_t *dp; /* d mod p - 1 */
    const uint32_t *dq; /* d mod q - 1 */
    const uint32_t *q_inverse; /* q * q_inverse = 1 mod p */
};

/* Check identification, version and word, and read the capabilities. */
enum modexp_error modexp_initialise(struct modexp_device *device, const struct modexp_bus *bus);

/* Multiplier: result = x * y / R mod m. All numbers have the given words. */
enum modexp_error modexp_product(const struct modexp_device *device, uint32_t *result,
    const uint32_t *x, const uint32_t *y, const uint32_t *m, uint32_t words);

/* Exponentiation: load the modulus, and the exponent, of which exponent_bits count. */
enum modexp_error modexp_load_key(const struct modexp_device *device, const uint32_t *modulus,
    uint32_t words, const uint32_t *exponent, uint32_t exponent_bits);

/* Supply constants of the loaded modulus for the next operation: R^2 mod M with the given words,
 * m' with ceil(m_prime_width / 32) words. 0: the core computes the constant. */
enum modexp_error modexp_supply(const struct modexp_device *device, const uint32_t *r_squared,
    uint32_t words, const uint32_t *m_prime);

/* result = base ^ exponent mod modulus with the loaded key. */
enum modexp_error modexp_power_loaded(const struct modexp_device *device, uint32_t *result,
    const uint32_t *base, uint32_t words);

/* modexp_load_key, then modexp_power_loaded. */
enum modexp_error modexp_power(const struct modexp_device *device, uint32_t *result,
    const uint32_t *base, const uint32_t *modulus, uint32_t words, const uint32_t *exponent,
    uint32_t exponent_bits);

/* RSA private operation with CRT: result = input ^ d mod n, both with the words of n. The core has
 * at least half_bits. The driver verifies the result before the caller gets it. It zeroises core
 * and work space. After MODEXP_ERROR_ARGUMENT and MODEXP_ERROR_UNSUPPORTED the result is as before,
 * after any other error it is 0. */
enum modexp_error modexp_rsa_private(const struct modexp_device *device, uint32_t *result,
    const uint32_t *input, const struct modexp_rsa_key *key, uint32_t *workspace,
    uint32_t workspace_words);

/* Exponentiation: the core forgets operands, key, constants and result; ends an operation. */
enum modexp_error modexp_zeroise(const struct modexp_device *device);

#endif
