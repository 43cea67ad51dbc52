/* SPDX-License-Identifier: Apache-2.0
 *
 * Codes in the registers of a bus front. multiplier_front.h and exponentiation_front.h have the
 * registers. Generated from hdl/registers.yaml by python -m ci.codes --write; do not edit. */

#ifndef MODMUL_FRONT_CODES_H
#define MODMUL_FRONT_CODES_H

enum modmul_status {
    MODMUL_STATUS_IDLE = 0, /* nothing was started since the reset or Zeroise */
    MODMUL_STATUS_BUSY = 1, /* an operation is under way */
    MODMUL_STATUS_OK = 2, /* the results are there */
    MODMUL_STATUS_RAW = 3, /* S and C of unreduced operands are there */
    MODMUL_STATUS_MODULUS_ZERO_OR_ONE = 4, /* M is 0 or 1 */
    MODMUL_STATUS_MODULUS_EVEN = 5, /* M is even and the core a Montgomery one */
    MODMUL_STATUS_OPERAND_RANGE = 6, /* an operand is not below M or over-wide */
    MODMUL_STATUS_OPERAND_INCOMPLETE = 7, /* an operand is partly written */
    MODMUL_STATUS_LENGTH_RANGE = 8, /* Length is 0 or above Width */
    MODMUL_STATUS_EXPONENT_RANGE = 9, /* the exponent has bits above Length */
    MODMUL_STATUS_CONSTANT_INCONSISTENT = 10, /* a supplied R² or m′ does not belong to M */
    MODMUL_STATUS_UPSET = 11, /* the control found an upset of a register */
    MODMUL_STATUS_INTEGRITY = 12, /* a word of a memory has a wrong parity bit (option Parity) */
    MODMUL_STATUS_INCOHERENT = 13 /* the accumulators do not belong to each other (option Coherent) */
};

enum modmul_command {
    MODMUL_COMMAND_START = 1, /* start an operation */
    MODMUL_COMMAND_START_RAW = 2, /* start, operands may be above M (multiplier) */
    MODMUL_COMMAND_CLEAR = 3, /* word counters and rejection to 0 */
    MODMUL_COMMAND_ZEROISE = 4, /* forget everything (exponentiation) */
    MODMUL_COMMAND_START_BINARY = 5 /* start over GF(2), where the core has it (multiplier) */
};

enum modmul_reason {
    MODMUL_REASON_NONE = 0, /* nothing was rejected */
    MODMUL_REASON_UNKNOWN_ADDRESS = 1, /* no such register, or after its last word */
    MODMUL_REASON_UNKNOWN_COMMAND = 2, /* the top has no such command */
    MODMUL_REASON_BUSY = 3, /* operand or result while busy */
    MODMUL_REASON_START_WHILE_BUSY = 4, /* start while busy */
    MODMUL_REASON_NO_RESULT = 5, /* no result after the present status */
    MODMUL_REASON_WORD_ORDER = 8, /* the word is not the next one of its window, or another window is unfinished */
    MODMUL_REASON_PARTIAL_WORD = 9 /* a write without all of its bytes */
};

enum modmul_operation {
    MODMUL_OPERATION_MULTIPLIER = 0,
    MODMUL_OPERATION_EXPONENTIATION = 1
};

#endif
