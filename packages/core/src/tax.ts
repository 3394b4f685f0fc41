/** Methods that decide which coins a disposal takes: the oldest first, or all of them at their average cost. */
export const TAX_METHODS = ['fifo', 'average'] as const;
export type TaxMethod = (typeof TAX_METHODS)[number];

/**
 * Sections of a tax year beside trades: income, which is interest of term products, mining income and rebates of
 * invitations, and results of products whose losses are shown separately, seconds contracts and leveraged funds.
 */
export const INCOME_SECTIONS = ['interest', 'mining', 'rebate'] as const;
export const RESULT_SECTIONS = ['seconds', 'fund'] as const;
export const TAX_SECTIONS = [...INCOME_SECTIONS, ...RESULT_SECTIONS] as const;
export type TaxSection = (typeof TAX_SECTIONS)[number];

/** The currency in which all values of tax years are stated. */
export const TAX_CURRENCY = 'USDT';

/** Greatest number of transfers for which a user can enter a cost. */
export const ENTERED_COSTS_MAX = 5_000;

/** Start of a year in UTC, in milliseconds. */
export function startOfYear(year: number): number {
  return Date.UTC(year, 0, 1);
}

/** The year in UTC of an instant in milliseconds. */
export function yearOf(at: number): number {
  return new Date(at).getUTCFullYear();
}
