import * as z from 'zod/mini';
import { whole } from './codecs.ts';

export const PAGE_SIZE_DEFAULT = 10;
export const PAGE_SIZE_MAX = 100;
export const PAGE_NUMBER_MAX = 10_000;
/** How many rows of a list can be paged through; behind them, narrow the filter or export. */
export const PAGED_ROWS_MAX = 100_000;

/** The paging fields of every list call. */
export const pagingFields = {
  pageNo: z._default(whole(1, PAGE_NUMBER_MAX), 1),
  pageSize: z._default(whole(1, PAGE_SIZE_MAX), PAGE_SIZE_DEFAULT),
};

/** Longest anchor of a list. */
const ANCHOR_MAX = 80;

/**
 * The paging fields of a list to which rows are added while somebody pages through it. `anchor` is the one of the first page's
 * answer: rows that came later are on no page, so that none is repeated and none is passed over.
 */
export const anchoredPagingFields = {
  ...pagingFields,
  anchor: z.optional(
    z.string().check(z.regex(/^[0-9a-f-]+$/, 'l.field_invalid'), z.maxLength(ANCHOR_MAX, 'l.field_invalid')),
  ),
};

/** One end of a period, in milliseconds. */
export const periodEnd = whole(0, 8_640_000_000_000);

/** A period in milliseconds, both ends included, both optional. */
export const periodFields = {
  startTime: z.optional(periodEnd),
  endTime: z.optional(periodEnd),
};

/** A page of a list: `totalRow` and `sum` are both the count of all rows. */
export function pageOf<Item extends z.ZodMiniType>(item: Item) {
  return z.object({
    list: z.array(item),
    totalRow: z.int(),
    sum: z.int(),
    pageNo: z.int(),
    pageSize: z.int(),
  });
}

/** A page of a list with an anchor, which the further pages are asked for with; absent where the list is empty. */
export function anchoredPageOf<Item extends z.ZodMiniType>(item: Item) {
  return z.extend(pageOf(item), { anchor: z.optional(z.string()) });
}
