import * as z from 'zod/mini';
import { whole } from './codecs.ts';

export const PAGE_SIZE_DEFAULT = 10;
export const PAGE_SIZE_MAX = 100;
export const PAGE_NUMBER_MAX = 10_000;
/** How many rows of a list can be paged through; behind them, narrow the filter or export. */
export const PAGED_ROWS_MAX = 100_000;

/** Longest place in a list. */
const PLACE_MAX = 120;

/** A place in a list, as an answer's `anchor` or `next` named it. */
const place = z
  .string()
  .check(z.regex(/^[0-9A-Za-z-]+$/, 'l.field_invalid'), z.maxLength(PLACE_MAX, 'l.field_invalid'));

/**
 * The paging fields of every list call. Lists change while they are read, so that pages by number alone repeat rows and pass
 * over others. A reader sends the `anchor` of the first page and, as `after`, the `next` of the page before: the page then begins
 * behind that row, and rows that came later are on no page. `anchor` without `after` counts pages from the anchor's row.
 */
export const pagingFields = {
  pageNo: z._default(whole(1, PAGE_NUMBER_MAX), 1),
  pageSize: z._default(whole(1, PAGE_SIZE_MAX), PAGE_SIZE_DEFAULT),
  anchor: z.optional(place),
  after: z.optional(place),
};

/** One end of a period, in milliseconds. */
export const periodEnd = whole(0, 8_640_000_000_000);

/** A period in milliseconds, both ends included, both optional. */
export const periodFields = {
  startTime: z.optional(periodEnd),
  endTime: z.optional(periodEnd),
};

/**
 * A page of a list. `totalRow` and `sum` are both the count of all rows; `anchor` is the place of the first page's first row
 * (absent where the list is empty), and `next` the place behind which the following page begins (absent on the last page).
 */
export function pageOf<Item extends z.ZodMiniType>(item: Item) {
  return z.object({
    list: z.array(item),
    totalRow: z.int(),
    sum: z.int(),
    pageNo: z.int(),
    pageSize: z.int(),
    anchor: z.optional(z.string()),
    next: z.optional(z.string()),
  });
}
