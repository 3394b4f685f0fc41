import { Decimal } from '@exchange/core/decimal.ts';
import { isUuid } from '@exchange/core/ids.ts';
import type { Locale } from '@exchange/core/locale.ts';
import type { Instant } from '@exchange/core/time.ts';
import * as z from 'zod/mini';

/** Schemas for the fields of command inputs as they are stored in JSON. */

/** Schema of a decimal field in a command's input, which is stored as text. */
export const decimal = z.pipe(
  z.string().check(z.maxLength(60)),
  z.transform((text: string, { issues }) => {
    const number = Decimal.tryParse(text);
    if (number !== undefined) return number;
    issues.push({ code: 'custom', message: 'not a decimal', input: text });
    return z.NEVER;
  }),
);

/**
 * Returns the schema of a UUID field of the given branded type in a command's input, e.g. `idOf<UserId>()`.
 */
export function idOf<Id extends string>() {
  return z.custom<Id>((value) => typeof value === 'string' && isUuid(value));
}

/** Schema of a time field in a command's input, in milliseconds since 1970, UTC. */
export const instantField = z.custom<Instant>((value) => Number.isSafeInteger(value));

const text = z.optional(z.string());

/**
 * Schema of a text that an operator writes, by language. English is required, the other languages are
 * optional.
 */
export const textByLocale = z.object({
  'en-US': z.string(),
  'zh-CN': text,
  'ko-KR': text,
  'ja-JP': text,
} satisfies Record<Locale, unknown>);
