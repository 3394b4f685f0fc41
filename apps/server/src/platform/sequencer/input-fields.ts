import { Decimal } from '@exchange/core/decimal.ts';
import { isUuid } from '@exchange/core/ids.ts';
import type { Locale } from '@exchange/core/locale.ts';
import type { Instant } from '@exchange/core/time.ts';
import * as z from 'zod/mini';

/** Fields of a command's input as JSON has them: what the step was given, exactly. */

/** A decimal, which JSON has as text. */
export const decimal = z.pipe(
  z.string().check(z.maxLength(60)),
  z.transform((text: string, { issues }) => {
    const number = Decimal.tryParse(text);
    if (number !== undefined) return number;
    issues.push({ code: 'custom', message: 'not a decimal', input: text });
    return z.NEVER;
  }),
);

/** The id of a noun, e.g. `idOf<UserId>()`. */
export function idOf<Id extends string>() {
  return z.custom<Id>((value) => typeof value === 'string' && isUuid(value));
}

/** Milliseconds UTC. */
export const instantField = z.custom<Instant>((value) => Number.isSafeInteger(value));

const text = z.optional(z.string());

/** What an operator has written: English always, other languages where it was written in them. */
export const textByLocale = z.object({
  'en-US': z.string(),
  'zh-CN': text,
  'ko-KR': text,
  'ja-JP': text,
} satisfies Record<Locale, unknown>);
