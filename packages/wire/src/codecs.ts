import { Decimal } from '@exchange/core/decimal.ts';
import { isUuid } from '@exchange/core/ids.ts';
import type { Side } from '@exchange/core/pair.ts';
import type { RefusalKey } from '@exchange/core/refusal.ts';
import * as z from 'zod/mini';

/**
 * Codecs of single fields. Input codecs convert form text to the type of the field; the message of a failed check is
 * a translation key. Output codecs check fields of responses.
 */

const MAX_TEXT = 200;

/** Returns the schema of a text of 1 to `maxLength` characters; `missing` is the refusal of an empty text. */
export function text(maxLength: number = MAX_TEXT, missing: RefusalKey = 'l.field_required') {
  return z.string(missing).check(z.minLength(1, missing), z.maxLength(maxLength, 'l.field_too_long'));
}

/** A positive decimal such as `0.5`: digits, optionally with a decimal point. */
export const positiveDecimal = z.pipe(
  z.string('l.field_required').check(z.minLength(1, 'l.field_required'), z.maxLength(40, 'l.field_number')),
  // Checks and converts in one step, because a check before a conversion would parse every price and amount several
  // times.
  z.transform((value: string, { issues }) => {
    const number = value.startsWith('-') ? undefined : Decimal.tryParse(value);
    if (number?.isPositive() === true) return number;
    const message = number === undefined ? 'l.field_number' : 'l.field_positive';
    issues.push({ code: 'custom', message, input: value });
    return z.NEVER;
  }),
);

/**
 * A decimal that is not negative. What `0` means depends on the field: for a take-profit price it removes the price,
 * for a fee it is zero.
 */
export const decimalOrNone = z.pipe(
  z.string('l.field_required').check(z.minLength(1, 'l.field_required'), z.maxLength(40, 'l.field_number')),
  z.transform((value: string, { issues }) => {
    const number = value.startsWith('-') ? undefined : Decimal.tryParse(value);
    if (number !== undefined) return number;
    issues.push({ code: 'custom', message: 'l.field_number', input: value });
    return z.NEVER;
  }),
);

/**
 * Returns the schema of an integer from `min` to `max`, both included. The refusal of a number out of bounds
 * contains the bound.
 */
export function whole(min: number, max: number) {
  return z.pipe(
    z.string('l.field_required').check(
      z.refine((value) => WHOLE.test(value), { error: 'l.field_number', abort: true }),
      bound((value) => value >= min, 'l.field_min', min),
      bound((value) => value <= max, 'l.field_max', max),
    ),
    z.transform((value: string) => Number(value)),
  );
}

const WHOLE = /^\d{1,15}$/;

function bound(isWithin: (value: number) => boolean, error: string, limit: number) {
  return z.refine<string>((value) => isWithin(Number(value)), { error, params: { limit: String(limit) } });
}

/**
 * The version of the terms that the buyer has seen. A purchase with an outdated version is refused; if the field is
 * absent, the version is not checked.
 */
export const termsVersionField = { version: z.optional(whole(1, 999_999_999)) };

export const flag = z.pipe(
  z.enum(['0', '1', 'true', 'false'], 'l.field_choice'),
  z.transform((value) => value === '1' || value === 'true'),
);

export const id = z.string('l.field_required').check(z.refine(isUuid, 'l.field_invalid'));

export const coin = z.pipe(
  z.string('l.field_required').check(z.regex(/^[A-Za-z0-9]{2,10}$/, 'l.field_invalid')),
  z.transform((value: string) => value.toUpperCase()),
);

export const symbol = z.pipe(
  z.string('l.field_required').check(z.regex(/^[A-Za-z0-9]{4,20}$/, 'l.field_invalid')),
  z.transform((value: string) => value.toLowerCase()),
);

const SIDES: Readonly<Record<'1' | '2' | 'buy' | 'sell' | 'up' | 'down', Side>> = {
  '1': 'buy',
  buy: 'buy',
  up: 'buy',
  '2': 'sell',
  sell: 'sell',
  down: 'sell',
};

/**
 * Side of a trade in a request: `1` or `buy` (in the seconds contract also `up`), `2` or `sell` (`down`);
 * converted to `buy` or `sell`.
 */
export const tradeType = z.pipe(
  z.enum(['1', '2', 'buy', 'sell', 'up', 'down'], 'l.field_choice'),
  z.transform((value): Side => SIDES[value]),
);

/** Converts the side of a trade to the number in responses: 1 = buy, 2 = sell. */
export function tradeTypeOf(side: Side): 1 | 2 {
  return side === 'buy' ? 1 : 2;
}

/** A decimal in a response, as text; may be negative. */
export const decimalText = z.string().check(z.refine(isSignedDecimal));
export const instantMs = z.int();
export const flagNumber = z.union([z.literal(0), z.literal(1)]);

/** Converts a condition to the number in responses: 1 if it is true, otherwise 0. */
export function flagOf(isMet: boolean): 0 | 1 {
  return isMet ? 1 : 0;
}

function isSignedDecimal(value: string): boolean {
  return Decimal.tryParse(value) !== undefined;
}
