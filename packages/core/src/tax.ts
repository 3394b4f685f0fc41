/**
 * Methods that determine which purchased coins count as sold: `fifo` the oldest first, `average` all of them at their
 * average cost.
 */
export const TAX_METHODS = ['fifo', 'average'] as const;
export type TaxMethod = (typeof TAX_METHODS)[number];

/**
 * Sections of a tax year besides trades. Income: interest of fixed-term products, mining income, and rewards for
 * invitations. Results of products, with their losses shown separately: seconds contracts and leveraged funds.
 */
export const INCOME_SECTIONS = ['interest', 'mining', 'rebate'] as const;
export const RESULT_SECTIONS = ['seconds', 'fund'] as const;
export const TAX_SECTIONS = [...INCOME_SECTIONS, ...RESULT_SECTIONS] as const;
export type TaxSection = (typeof TAX_SECTIONS)[number];

/** The currency in which tax reports state all values. */
export const TAX_CURRENCY = 'USDT';

/** Maximum number of transfers for which a user can enter a cost in the tax report. */
export const ENTERED_COSTS_MAX = 5_000;

/** Returns the start of a year in UTC, in milliseconds since 1970-01-01. */
export function startOfYear(year: number): number {
  return Date.UTC(year, 0, 1);
}

/** Returns the year in UTC that contains an instant, in milliseconds since 1970-01-01. */
export function yearOf(at: number): number {
  return new Date(at).getUTCFullYear();
}
