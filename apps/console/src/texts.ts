import { percentOfFraction } from '@exchange/core/percent.ts';
import { isMoment, textOf, type Row } from '@exchange/web-kit/console/calls.ts';
import { withPairNames } from './pair-names.ts';

const pad = (part: number) => String(part).padStart(2, '0');

/** A moment on the operator's own clock: `2026-11-24 23:09:28`. */
export function localTime(at: number): string {
  const of = new Date(at);
  const day = [of.getFullYear(), pad(of.getMonth() + 1), pad(of.getDate())].join('-');
  return `${day} ${[of.getHours(), of.getMinutes(), of.getSeconds()].map(pad).join(':')}`;
}

export function utcTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

const MINUTE_MS = 60_000;
const HOUR_MIN = 60;
const DAY_MIN = 24 * HOUR_MIN;

/** A span in its two largest units: `25 min`, `3 h 5 min`, `2 d 4 h`. */
export function spanText(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / MINUTE_MS));
  if (minutes < HOUR_MIN) return `${minutes} min`;
  if (minutes < DAY_MIN) return `${Math.floor(minutes / HOUR_MIN)} h ${minutes % HOUR_MIN} min`;
  return `${Math.floor(minutes / DAY_MIN)} d ${Math.floor((minutes % DAY_MIN) / HOUR_MIN)} h`;
}

/** Since when a row waits; undefined where it does not say. */
export function waitingSince(row: Row): number | undefined {
  return ['submittedAt', 'createdAt'].flatMap((name) =>
    isMoment(name, row[name]) ? [row[name] as number] : [],
  )[0];
}

/** How long the oldest of some rows has waited; empty where none tells. */
export function waitedFor(rows: readonly Row[], now: number): string {
  const since = rows.flatMap((row) => waitingSince(row) ?? []);
  return since.length === 0 ? '' : spanText(now - Math.min(...since));
}

/** Users are promised an answer within a day: from half of it on it is late, behind it overdue. */
export function urgencyOf(waited: number): 'overdue' | 'late' | undefined {
  const minutes = waited / MINUTE_MS;
  if (minutes >= DAY_MIN) return 'overdue';
  return minutes >= DAY_MIN / 2 ? 'late' : undefined;
}

const NUMBER = /^(-?)(\d+)(\.\d+)?$/;
/** Numbers that count nothing: they name something. */
const NAMES = new Set(['uid', 'sequence', 'version', 'height', 'code', 'id', 'entry', 'block']);
const PLACES_MAX = 8;

/** Whether a value is an amount or a count, which stand at the end of their column. */
export function isNumber(name: string, value: unknown): boolean {
  return !NAMES.has(name) && !isMoment(name, value) && NUMBER.test(textOf(value ?? ''));
}

/** A number with its thousands apart; zeros behind the eighth decimal say nothing. */
export function grouped(text: string): string {
  const [, sign = '', whole = '', places = ''] = NUMBER.exec(text) ?? [];
  if (whole === '') return text;
  const shown = places.length > PLACES_MAX + 1 ? places.replace(/\.?0+$/, '') : places;
  return sign + whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',') + shown;
}

/** Names of shares of something, which are sent as fractions: `rate`, `dailyRate`, `feeRateNow`, `mmr`. */
const RATE_NAME = /^(?:rate|\w+Rate|mmr|liqFee)(?:Now)?$/;

/** A rate as it is read and typed: `0.00022` is `0.022 %`; undefined for what is none. */
export function percentOf(name: string, text: string): string | undefined {
  if (!RATE_NAME.test(name) || !NUMBER.test(text)) return undefined;
  return `${percentOfFraction(text)} %`;
}

/** A sentence with the thousands of its numbers apart; what only looks like one, as a day or a hash, stays. */
export function groupedIn(text: string): string {
  return text.replaceAll(/(?<![\w.:-])\d{4,}(?:\.\d+)?(?![\w:-]|\.\w)/g, grouped);
}

const LONG = 22;
const ENDS = 6;

/** An id or an address, cut in the middle where it is long; sentences and mail addresses stay whole. */
export function cut(text: string): string {
  return isId(text) ? `${text.slice(0, ENDS)}…${text.slice(-ENDS)}` : text;
}

/** What an object holds, in short: its values one after the other, cut, and pairs by their names. */
export function inShort(object: Row): string {
  return withPairNames(
    Object.values(object)
      .map((value) => cut(textOf(value)))
      .join(' · '),
  );
}

/** Whether a text is an id, an address or a hash that nobody reads to its end. */
export function isId(text: string): boolean {
  return text.length > LONG && /^[\w:-]+$/.test(text);
}

/** The object that a text of JSON stands for; undefined where it is none. */
export function objectIn(text: unknown): Row | undefined {
  if (typeof text !== 'string' || !text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as Row;
  } catch {
    // Reason: the log cuts what is long, and what is cut is shown as it stands.
    return undefined;
  }
}
