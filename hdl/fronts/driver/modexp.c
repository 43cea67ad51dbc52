/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver of a core on a bus front, see modexp.h and hdl/docs/driver.md.
 *
 * Software arithmetic (functions number_...) takes a time that depends on the numbers of words
 * alone. It computes bit by bit: short code matters more here, because the core does the powers.
 *
 * Source: Garner's recombination, Menezes, van Oorschot, Vanstone, Handbook of Applied
 * Cryptography, 14.5.2; verification against faults, Boneh, DeMillo, Lipton, EUROCRYPT 1997. */

#include "modexp.h"

#include "../exponentiation_front.h"
#include "../multiplier_front.h"

#define WORD_BITS 32u
#define REGISTER(name) ((uint32_t)offsetof(exponentiation_front_t, name))
#define PRODUCT_WINDOW(name) ((uint32_t)offsetof(multiplier_front_t, name))
#define FIELD(value, name) (((uint32_t)(value) & name##_bm) >> name##_bp)
#define EVENTS (INTERRUPT_STATE_R__DONE_bm | INTERRUPT_STATE_R__ERROR_bm)

static uint32_t words_of(uint32_t bits)
{
    return bits / WORD_BITS + (bits % WORD_BITS != 0u ? 1u : 0u);
}

/* Bus */

static int bus_read(const struct modexp_bus *bus, uint32_t address, uint64_t *value)
{
    if (bus->read != NULL) {
        return bus->read(bus->context, address, value);
    }
    if (bus->word_bytes == 8u) {
        *value = ((volatile const uint64_t *)bus->base)[address / 8u];
    } else {
        *value = ((volatile const uint32_t *)bus->base)[address / 4u];
    }
    return 0;
}

static int bus_write(const struct modexp_bus *bus, uint32_t address, uint64_t value)
{
    if (bus->write != NULL) {
        return bus->write(bus->context, address, value);
    }
    if (bus->word_bytes == 8u) {
        ((volatile uint64_t *)bus->base)[address / 8u] = value;
    } else {
        ((volatile uint32_t *)bus->base)[address / 4u] = (uint32_t)value;
    }
    return 0;
}

static enum modexp_error reason_error(uint32_t reason)
{
    switch (reason) {
    case MODMUL_REASON_NONE: return MODEXP_OK;
    case MODMUL_REASON_UNKNOWN_ADDRESS: return MODEXP_REASON_UNKNOWN_ADDRESS;
    case MODMUL_REASON_UNKNOWN_COMMAND: return MODEXP_REASON_UNKNOWN_COMMAND;
    case MODMUL_REASON_BUSY: return MODEXP_REASON_BUSY;
    case MODMUL_REASON_START_WHILE_BUSY: return MODEXP_REASON_START_WHILE_BUSY;
    case MODMUL_REASON_NO_RESULT: return MODEXP_REASON_NO_RESULT;
    case MODMUL_REASON_WORD_ORDER: return MODEXP_REASON_WORD_ORDER;
    case MODMUL_REASON_PARTIAL_WORD: return MODEXP_REASON_PARTIAL_WORD;
    default: return MODEXP_ERROR_UNKNOWN_REASON;
    }
}

static enum modexp_error status_error(uint32_t status)
{
    switch (status) {
    case MODMUL_STATUS_IDLE: return MODEXP_STATUS_IDLE;
    case MODMUL_STATUS_BUSY: return MODEXP_ERROR_TIMEOUT;
    case MODMUL_STATUS_OK: return MODEXP_OK;
    case MODMUL_STATUS_RAW: return MODEXP_STATUS_RAW;
    case MODMUL_STATUS_MODULUS_ZERO_OR_ONE: return MODEXP_STATUS_MODULUS_ZERO_OR_ONE;
    case MODMUL_STATUS_MODULUS_EVEN: return MODEXP_STATUS_MODULUS_EVEN;
    case MODMUL_STATUS_OPERAND_RANGE: return MODEXP_STATUS_OPERAND_RANGE;
    case MODMUL_STATUS_OPERAND_INCOMPLETE: return MODEXP_STATUS_OPERAND_INCOMPLETE;
    case MODMUL_STATUS_LENGTH_RANGE: return MODEXP_STATUS_LENGTH_RANGE;
    case MODMUL_STATUS_EXPONENT_RANGE: return MODEXP_STATUS_EXPONENT_RANGE;
    case MODMUL_STATUS_CONSTANT_INCONSISTENT: return MODEXP_STATUS_CONSTANT_INCONSISTENT;
    case MODMUL_STATUS_UPSET: return MODEXP_STATUS_UPSET;
    case MODMUL_STATUS_INTEGRITY: return MODEXP_STATUS_INTEGRITY;
    case MODMUL_STATUS_INCOHERENT: return MODEXP_STATUS_INCOHERENT;
    default: return MODEXP_ERROR_UNKNOWN_STATUS;
    }
}

/* Return the reason of the last rejection since CLEAR or START. A volatile access reports no bus
 * error: find its reason here, before a command clears it. */
static enum modexp_error reason(const struct modexp_device *device)
{
    uint64_t status = 0;

    if (bus_read(&device->bus, REGISTER(status), &status) != 0) {
        return MODEXP_ERROR_BUS;
    }
    return reason_error(FIELD(status, STATUS_R__REASON));
}

/* Return why the bus has just rejected an access. */
static enum modexp_error rejected(const struct modexp_device *device)
{
    enum modexp_error error = reason(device);

    return error == MODEXP_OK ? MODEXP_ERROR_BUS : error;
}

static enum modexp_error get(const struct modexp_device *device, uint32_t address, uint32_t *value)
{
    uint64_t word = 0;

    if (bus_read(&device->bus, address, &word) != 0) {
        return rejected(device);
    }
    *value = (uint32_t)word;
    return MODEXP_OK;
}

static enum modexp_error put(const struct modexp_device *device, uint32_t address, uint32_t value)
{
    return bus_write(&device->bus, address, value) == 0 ? MODEXP_OK : rejected(device);
}

static enum modexp_error command(const struct modexp_device *device, enum modmul_command code)
{
    return put(device, REGISTER(command), (uint32_t)code);
}

/* Copy a number to a window of the given bits; words above the number are 0. */
static enum modexp_error load(const struct modexp_device *device, uint32_t address, uint32_t bits,
    const uint32_t *number, uint32_t words)
{
    const uint32_t step = device->bus.word_bytes / 4u;
    uint32_t i;

    for (i = 0; i < words_of(bits); i += step) {
        uint64_t word = i < words ? number[i] : 0u;
        if (step == 2u && i + 1u < words) {
            word |= (uint64_t)number[i + 1u] << WORD_BITS;
        }
        if (bus_write(&device->bus, address + 4u * i, word) != 0) {
            return rejected(device);
        }
    }
    return MODEXP_OK;
}

static void wipe(uint32_t *number, uint32_t words)
{
    volatile uint32_t *word = number;
    uint32_t i;

    for (i = 0; i < words; i++) {
        word[i] = 0;
    }
}

/* Operations */

static enum modexp_error poll(const struct modexp_device *device)
{
    uint32_t i;

    for (i = 0; i < device->bus.poll_limit; i++) {
        uint32_t status = 0;
        enum modexp_error error = get(device, REGISTER(status), &status);
        if (error != MODEXP_OK) {
            return error;
        }
        if (FIELD(status, STATUS_R__STATUS) != (uint32_t)MODMUL_STATUS_BUSY) {
            return status_error(FIELD(status, STATUS_R__STATUS));
        }
    }
    return MODEXP_ERROR_TIMEOUT;
}

/* Copy the result. Words above the caller's number are 0, because the result is below the modulus;
 * the driver reads them, so that the pass over the window ends. If the core withholds a word, the
 * result is 0 and the status says why. */
static enum modexp_error fetch(const struct modexp_device *device, uint32_t address,
    uint32_t *number, uint32_t words)
{
    const uint32_t step = device->bus.word_bytes / 4u;
    enum modexp_error error = MODEXP_OK;
    uint32_t i;

    for (i = 0; i < words_of(device->width) && error == MODEXP_OK; i += step) {
        uint64_t word = 0;
        if (bus_read(&device->bus, address + 4u * i, &word) != 0) {
            error = rejected(device);
        }
        if (i < words) {
            number[i] = (uint32_t)word;
        }
        if (step == 2u && i + 1u < words) {
            number[i + 1u] = (uint32_t)(word >> WORD_BITS);
        }
    }
    for (; i < words; i++) {
        number[i] = 0;
    }
    if (error == MODEXP_OK) {
        error = reason(device);
    }
    if (error == MODEXP_REASON_NO_RESULT) {
        enum modexp_error status = poll(device);
        error = status == MODEXP_OK ? error : status;
    }
    if (error != MODEXP_OK) {
        wipe(number, words);
    }
    return error;
}

static enum modexp_error wait_for_end(const struct modexp_device *device)
{
    int timeout;
    enum modexp_error error;

    if (device->bus.wait == NULL) {
        return poll(device);
    }
    timeout = device->bus.wait(device->bus.context);
    error = put(device, REGISTER(interrupt_enable), 0u);
    if (error == MODEXP_OK) {
        error = put(device, REGISTER(interrupt_state), EVENTS);
    }
    if (error != MODEXP_OK) {
        return error;
    }
    return timeout != 0 ? MODEXP_ERROR_TIMEOUT : poll(device);
}

static enum modexp_error run(const struct modexp_device *device)
{
    enum modexp_error error = reason(device);

    if (error == MODEXP_OK && device->bus.wait != NULL) {
        error = put(device, REGISTER(interrupt_state), EVENTS);
        if (error == MODEXP_OK) {
            error = put(device, REGISTER(interrupt_enable), INTERRUPT_ENABLE_R__DONE_bm);
        }
    }
    if (error == MODEXP_OK) {
        error = command(device, MODMUL_COMMAND_START);
    }
    if (error == MODEXP_OK) {
        error = wait_for_end(device);
    }
    if (error == MODEXP_ERROR_TIMEOUT &&
            device->operation == (uint32_t)MODMUL_OPERATION_EXPONENTIATION) {
        (void)command(device, MODMUL_COMMAND_ZEROISE);
    }
    return error;
}

enum modexp_error modexp_initialise(struct modexp_device *device, const struct modexp_bus *bus)
{
    uint32_t value = 0;
    enum modexp_error error;

    if (device == NULL || bus == NULL || (bus->word_bytes != 4u && bus->word_bytes != 8u) ||
            bus->poll_limit == 0u || (bus->read == NULL) != (bus->write == NULL) ||
            (bus->read == NULL && bus->base == NULL)) {
        return MODEXP_ERROR_ARGUMENT;
    }
    device->bus = *bus;
    error = get(device, REGISTER(identification), &value);
    if (error != MODEXP_OK) {
        return error;
    }
    if (FIELD(value, IDENTIFICATION_R__MAGIC) != IDENTIFICATION_R__MAGIC_reset) {
        return MODEXP_ERROR_IDENTIFICATION;
    }
    error = get(device, REGISTER(version), &value);
    if (error != MODEXP_OK) {
        return error;
    }
    if (FIELD(value, VERSION_R__MAJOR) != VERSION_R__MAJOR_reset || FIELD(value,
            VERSION_R__MINOR) < VERSION_R__MINOR_reset) {
        return MODEXP_ERROR_VERSION;
    }
    error = get(device, REGISTER(capabilities), &value);
    if (error != MODEXP_OK) {
        return error;
    }
    device->operation = FIELD(value, CAPABILITIES_R__OPERATION);
    device->core = FIELD(value, CAPABILITIES_R__CORE);
    device->guard = FIELD(value, CAPABILITIES_R__GUARD);
    if (FIELD(value, CAPABILITIES_R__DATA_BYTES) != bus->word_bytes ||
            device->operation > (uint32_t)MODMUL_OPERATION_EXPONENTIATION) {
        return MODEXP_ERROR_CONFIGURATION;
    }
    error = get(device, REGISTER(widths), &value);
    if (error != MODEXP_OK) {
        return error;
    }
    device->width = FIELD(value, WIDTHS_R__WIDTH);
    device->m_prime_width = FIELD(value, WIDTHS_R__M_PRIME_WIDTH);
    error = get(device, REGISTER(radix), &value);
    device->radix_bits = FIELD(value, RADIX_R__RADIX_BITS);
    if (error == MODEXP_OK && device->width == 0u) {
        error = MODEXP_ERROR_CONFIGURATION;
    }
    return error;
}

/* Check that the core has the operation and that a number of the given words fits. */
static enum modexp_error check(const struct modexp_device *device, enum modmul_operation operation,
    uint32_t words)
{
    if (device == NULL) {
        return MODEXP_ERROR_ARGUMENT;
    }
    if (device->operation != (uint32_t)operation) {
        return MODEXP_ERROR_UNSUPPORTED;
    }
    return words == 0u || words > words_of(device->width) ? MODEXP_ERROR_ARGUMENT : MODEXP_OK;
}

enum modexp_error modexp_product(const struct modexp_device *device, uint32_t *result,
    const uint32_t *x, const uint32_t *y, const uint32_t *m, uint32_t words)
{
    enum modexp_error error = check(device, MODMUL_OPERATION_MULTIPLIER, words);

    if (error == MODEXP_OK && (result == NULL || x == NULL || y == NULL || m == NULL)) {
        error = MODEXP_ERROR_ARGUMENT;
    }
    if (error == MODEXP_OK) {
        error = command(device, MODMUL_COMMAND_CLEAR);
    }
    if (error == MODEXP_OK) {
        error = load(device, PRODUCT_WINDOW(x_p), device->width, x, words);
    }
    if (error == MODEXP_OK) {
        error = load(device, PRODUCT_WINDOW(y_s), device->width, y, words);
    }
    if (error == MODEXP_OK) {
        error = load(device, PRODUCT_WINDOW(m_c), device->width, m, words);
    }
    if (error == MODEXP_OK) {
        error = run(device);
    }
    return error == MODEXP_OK ? fetch(device, PRODUCT_WINDOW(x_p), result, words) : error;
}

enum modexp_error modexp_load_key(const struct modexp_device *device, const uint32_t *modulus,
    uint32_t words, const uint32_t *exponent, uint32_t exponent_bits)
{
    enum modexp_error error = check(device, MODMUL_OPERATION_EXPONENTIATION, words);

    if (error == MODEXP_OK && (modulus == NULL || exponent == NULL ||
            exponent_bits > LENGTH_R__LENGTH_bm)) {
        error = MODEXP_ERROR_ARGUMENT;
    }
    if (error == MODEXP_OK) {
        error = command(device, MODMUL_COMMAND_CLEAR);
    }
    if (error == MODEXP_OK) {
        error = load(device, REGISTER(modulus), device->width, modulus, words);
    }
    if (error == MODEXP_OK) {
        error = load(device, REGISTER(exponent), device->width, exponent, words_of(exponent_bits));
    }
    if (error == MODEXP_OK) {
        error = put(device, REGISTER(length), exponent_bits);
    }
    return error == MODEXP_OK ? reason(device) : error;
}

enum modexp_error modexp_supply(const struct modexp_device *device, const uint32_t *r_squared,
    uint32_t words, const uint32_t *m_prime)
{
    enum modexp_error error = check(device, MODMUL_OPERATION_EXPONENTIATION,
        r_squared == NULL ? 1u : words);

    if (error == MODEXP_OK) {
        error = command(device, MODMUL_COMMAND_CLEAR);
    }
    if (error == MODEXP_OK && r_squared != NULL) {
        error = load(device, REGISTER(r_squared), device->width, r_squared, words);
    }
    if (error == MODEXP_OK && m_prime != NULL) {
        error = load(device, REGISTER(m_prime), device->m_prime_width, m_prime,
            words_of(device->m_prime_width));
    }
    return error == MODEXP_OK ? reason(device) : error;
}

enum modexp_error modexp_power_loaded(const struct modexp_device *device, uint32_t *result,
    const uint32_t *base, uint32_t words)
{
    enum modexp_error error = check(device, MODMUL_OPERATION_EXPONENTIATION, words);

    if (error == MODEXP_OK && (result == NULL || base == NULL)) {
        error = MODEXP_ERROR_ARGUMENT;
    }
    if (error == MODEXP_OK) {
        error = command(device, MODMUL_COMMAND_CLEAR);
    }
    if (error == MODEXP_OK) {
        error = load(device, REGISTER(data_result), device->width, base, words);
    }
    if (error == MODEXP_OK) {
        error = run(device);
    }
    return error == MODEXP_OK ? fetch(device, REGISTER(data_result), result, words) : error;
}

enum modexp_error modexp_power(const struct modexp_device *device, uint32_t *result,
    const uint32_t *base, const uint32_t *modulus, uint32_t words, const uint32_t *exponent,
    uint32_t exponent_bits)
{
    enum modexp_error error = modexp_load_key(device, modulus, words, exponent, exponent_bits);

    return error == MODEXP_OK ? modexp_power_loaded(device, result, base, words) : error;
}

enum modexp_error modexp_zeroise(const struct modexp_device *device)
{
    enum modexp_error error = check(device, MODMUL_OPERATION_EXPONENTIATION, 1u);

    return error == MODEXP_OK ? command(device, MODMUL_COMMAND_ZEROISE) : error;
}

/* Constant-time arithmetic */

/* Hide from the compiler that a mask has two values only, so that it makes no branch. */
static uint32_t opaque(uint32_t value)
{
    volatile uint32_t hidden = value;

    return hidden;
}

static uint32_t mask_of(uint32_t bit)
{
    return opaque(0u - bit);
}

static uint32_t bit_of(const uint32_t *number, uint32_t at)
{
    return number[at / WORD_BITS] >> (at % WORD_BITS) & 1u;
}

/* r += x & mask; return the carry. */
static uint32_t number_add(uint32_t *r, const uint32_t *x, uint32_t mask, uint32_t words)
{
    uint64_t sum = 0;
    uint32_t i;

    for (i = 0; i < words; i++) {
        sum = (uint64_t)r[i] + (x[i] & mask) + (sum >> WORD_BITS);
        r[i] = (uint32_t)sum;
    }
    return (uint32_t)(sum >> WORD_BITS);
}

/* r -= x & mask; return the borrow. */
static uint32_t number_subtract(uint32_t *r, const uint32_t *x, uint32_t mask, uint32_t words)
{
    uint32_t borrow = 0;
    uint32_t i;

    for (i = 0; i < words; i++) {
        uint64_t difference = (uint64_t)r[i] - (x[i] & mask) - borrow;
        r[i] = (uint32_t)difference;
        borrow = (uint32_t)(difference >> WORD_BITS) & 1u;
    }
    return borrow;
}

/* Return 1 if x is below y. */
static uint32_t number_below(const uint32_t *x, const uint32_t *y, uint32_t words)
{
    uint32_t borrow = 0;
    uint32_t i;

    for (i = 0; i < words; i++) {
        borrow = (uint32_t)(((uint64_t)x[i] - y[i] - borrow) >> WORD_BITS) & 1u;
    }
    return borrow;
}

/* r = 2 r + bit; return the carry. */
static uint32_t number_double(uint32_t *r, uint32_t bit, uint32_t words)
{
    uint32_t i;

    for (i = 0; i < words; i++) {
        uint32_t carry = r[i] >> (WORD_BITS - 1u);
        r[i] = r[i] << 1 | bit;
        bit = carry;
    }
    return bit;
}

/* Subtract m from r with its carry if r is not below m. */
static void number_correct(uint32_t *r, uint32_t carry, const uint32_t *m, uint32_t words)
{
    (void)number_subtract(r, m, mask_of(carry | (1u - number_below(r, m, words))), words);
}

/* r = x mod m */
static void number_reduce(uint32_t *r, const uint32_t *x, uint32_t x_words, const uint32_t *m,
    uint32_t words)
{
    uint32_t i;

    wipe(r, words);
    for (i = x_words * WORD_BITS; i-- > 0u;) {
        number_correct(r, number_double(r, bit_of(x, i), words), m, words);
    }
}

/* r = x * y mod m for x below m */
static void number_multiply(uint32_t *r, const uint32_t *x, const uint32_t *y, const uint32_t *m,
    uint32_t words)
{
    uint32_t i;

    wipe(r, words);
    for (i = words * WORD_BITS; i-- > 0u;) {
        number_correct(r, number_double(r, 0u, words), m, words);
        number_correct(r, number_add(r, x, mask_of(bit_of(y, i)), words), m, words);
    }
}

/* r = x * y + z, r with twice the words */
static void number_combine(uint32_t *r, const uint32_t *x, const uint32_t *y, const uint32_t *z,
    uint32_t words)
{
    uint32_t i;
    uint32_t j;

    for (i = 0; i < words; i++) {
        r[i] = z[i];
        r[words + i] = 0;
    }
    for (i = 0; i < words; i++) {
        uint64_t carry = 0;
        for (j = 0; j < words; j++) {
            carry += (uint64_t)x[i] * y[j] + r[i + j];
            r[i + j] = (uint32_t)carry;
            carry >>= WORD_BITS;
        }
        /* The part of z above word i may still be there. */
        for (; i + j < 2u * words; j++) {
            carry += r[i + j];
            r[i + j] = (uint32_t)carry;
            carry >>= WORD_BITS;
        }
    }
}

/* RSA */

static uint32_t exponent_length(uint32_t e)
{
    uint32_t bits = 0;

    for (; e != 0u; e >>= 1) {
        bits++;
    }
    return bits;
}

/* r = x ^ e mod n in software, for a core that is narrower than n */
static void public_power(uint32_t *r, const uint32_t *x, const struct modexp_rsa_key *key,
    uint32_t *spare, uint32_t words)
{
    uint32_t i;
    uint32_t j;

    for (j = 0; j < words; j++) {
        r[j] = x[j];
    }
    for (i = exponent_length(key->e) - 1u; i-- > 0u;) {
        number_multiply(spare, r, r, key->n, words);
        if ((key->e >> i & 1u) != 0u) {
            number_multiply(r, x, spare, key->n, words);
        } else {
            for (j = 0; j < words; j++) {
                r[j] = spare[j];
            }
        }
    }
}

/* Verify a signature of twice the words of a prime. */
static enum modexp_error verify(const struct modexp_device *device, const uint32_t *signature,
    const uint32_t *input, const struct modexp_rsa_key *key, uint32_t *spare)
{
    const uint32_t words = words_of(key->bits);
    const uint32_t all = 2u * words_of(key->half_bits);
    uint32_t *power = spare;
    uint32_t different = 1u - number_below(signature, key->n, words);
    enum modexp_error error = MODEXP_OK;
    uint32_t i;

    for (i = words; i < all; i++) {
        different |= signature[i];
    }
    if (different != 0u) {
        return MODEXP_ERROR_FAULT;
    }
    if (device->width >= key->bits) {
        error = modexp_power(device, power, signature, key->n, words, &key->e,
            exponent_length(key->e));
    } else {
        public_power(power, signature, key, spare + all, words);
    }
    if (error != MODEXP_OK) {
        return error;
    }
    for (i = 0; i < words; i++) {
        different |= power[i] ^ input[i];
    }
    return different == 0u ? MODEXP_OK : MODEXP_ERROR_FAULT;
}

/* r = input ^ d mod prime by the core */
static enum modexp_error half(const struct modexp_device *device, uint32_t *r,
    const uint32_t *input, const uint32_t *prime, const uint32_t *exponent,
    const struct modexp_rsa_key *key, uint32_t *spare)
{
    const uint32_t words = words_of(key->half_bits);

    number_reduce(spare, input, words_of(key->bits), prime, words);
    return modexp_power(device, r, spare, prime, words, exponent, key->half_bits);
}

/* Both halves, then Garner: r = m_q + q * ((m_p - m_q) * q_inverse mod p) */
static enum modexp_error sign(const struct modexp_device *device, uint32_t *r,
    const uint32_t *input, const struct modexp_rsa_key *key, uint32_t *spare)
{
    const uint32_t words = words_of(key->half_bits);
    uint32_t *m_p = spare;
    uint32_t *m_q = m_p + words;
    uint32_t *reduced = m_q + words;
    uint32_t *h = reduced + words;
    enum modexp_error error = half(device, m_p, input, key->p, key->dp, key, reduced);

    if (error == MODEXP_OK) {
        error = half(device, m_q, input, key->q, key->dq, key, reduced);
    }
    if (error != MODEXP_OK) {
        return error;
    }
    number_reduce(reduced, m_q, words, key->p, words);
    (void)number_add(m_p, key->p, mask_of(number_subtract(m_p, reduced, mask_of(1u), words)),
        words);
    number_multiply(h, m_p, key->q_inverse, key->p, words);
    number_combine(r, h, key->q, m_q, words);
    return MODEXP_OK;
}

static enum modexp_error check_key(const struct modexp_device *device,
    const struct modexp_rsa_key *key, uint32_t workspace_words)
{
    if (key->n == NULL || key->p == NULL || key->q == NULL || key->dp == NULL ||
            key->dq == NULL || key->q_inverse == NULL || key->e < 3u || key->e % 2u == 0u) {
        return MODEXP_ERROR_ARGUMENT;
    }
    if (key->half_bits == 0u || key->half_bits > device->width || key->bits <= key->half_bits ||
            key->bits > 2u * key->half_bits) {
        return MODEXP_ERROR_ARGUMENT;
    }
    if (workspace_words < (uint32_t)MODEXP_RSA_WORKSPACE * words_of(key->half_bits)) {
        return MODEXP_ERROR_ARGUMENT;
    }
    return MODEXP_OK;
}

enum modexp_error modexp_rsa_private(const struct modexp_device *device, uint32_t *result,
    const uint32_t *input, const struct modexp_rsa_key *key, uint32_t *workspace,
    uint32_t workspace_words)
{
    enum modexp_error error = check(device, MODMUL_OPERATION_EXPONENTIATION, 1u);
    enum modexp_error zeroised;
    uint32_t words;
    uint32_t i;

    if (error == MODEXP_OK && (result == NULL || input == NULL || key == NULL ||
            workspace == NULL)) {
        error = MODEXP_ERROR_ARGUMENT;
    }
    if (error == MODEXP_OK) {
        error = check_key(device, key, workspace_words);
    }
    if (error != MODEXP_OK) {
        return error;
    }
    words = words_of(key->bits);
    if (number_below(input, key->n, words) == 0u) {
        error = MODEXP_STATUS_OPERAND_RANGE;
    } else {
        uint32_t *spare = workspace + 2u * words_of(key->half_bits);
        error = sign(device, workspace, input, key, spare);
        if (error == MODEXP_OK) {
            error = verify(device, workspace, input, key, spare);
        }
    }
    zeroised = modexp_zeroise(device);
    error = error == MODEXP_OK ? zeroised : error;
    for (i = 0; i < words && error == MODEXP_OK; i++) {
        result[i] = workspace[i];
    }
    if (error != MODEXP_OK) {
        wipe(result, words);
    }
    wipe(workspace, workspace_words);
    return error;
}
