import { fillWords, LOCALES, textIn, type Locale, type TextByLocale } from '@exchange/core/locale.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Message } from '../../messages/index.ts';
import { earnMessages } from './messages.ts';

/** Number of products that a digest lists by name; further products are only counted. */
const LISTED_PRODUCTS = 20;

/**
 * The income from one product that the digest reports; `amount` is a decimal number as text, in units of the
 * coin `asset`.
 */
export interface IncomeLine {
  readonly name: TextByLocale;
  readonly asset: string;
  readonly amount: string;
}

interface DayIncome {
  /** Start of the UTC day before the cut-off, for which the income was earned; the title of the digest states it. */
  readonly day: Instant;
  readonly lines: readonly IncomeLine[];
  /** Totals of the income in the digest by coin, such as `1.2 USDT + 0.01 BTC`. */
  readonly sums: string;
}

const MORE: Readonly<Record<Locale, string>> = {
  'en-US': 'and {{count}} more',
  'zh-CN': '另有 {{count}} 项',
  'ko-KR': '외 {{count}}개',
  'ja-JP': 'ほか{{count}}件',
};
/**
 * The message about an owner's income since the last digest. It contains dates and product names in every language;
 * those in the reader's language are shown when the message is read.
 */
export function incomeDigest({ day, lines, sums }: DayIncome): Message {
  const texts = LOCALES.flatMap((locale) => [
    [`date@${locale}`, dateText(day, locale)],
    [`lines@${locale}`, linesText(lines, locale)],
  ]);
  return {
    type: 'asset',
    kind: earnMessages.kinds.incomeDigest,
    parameters: { amounts: sums, ...Object.fromEntries(texts) },
  };
}

/** Formats a day without its year, such as `26 Nov`; in English the day comes before the month. */
function dateText(day: Instant, locale: Locale): string {
  const format = new Intl.DateTimeFormat(locale === 'en-US' ? 'en-GB' : locale, {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
  return format.format(day);
}

function linesText(lines: readonly IncomeLine[], locale: Locale): string {
  const listed = lines
    .slice(0, LISTED_PRODUCTS)
    .map(
      ({ name, asset, amount }) =>
        `${textIn(name, locale)}: ${fillWords('{{amount}}', { amount }, locale)} ${asset}`,
    );
  const hiddenCount = lines.length - listed.length;
  if (hiddenCount > 0) listed.push(fillWords(MORE[locale], { count: hiddenCount }, locale));
  return listed.join('\n');
}
