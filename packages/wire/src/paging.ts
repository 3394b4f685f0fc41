import * as z from 'zod/mini';
import { whole } from './codecs.ts';

export const PAGE_SIZE_DEFAULT = 10;
export const PAGE_SIZE_MAX = 100;
export const PAGE_NUMBER_MAX = 10_000;
/**
 * Maximum number of rows of a list that can be loaded page by page. A request for a page beyond it is refused. Further
 * rows can be reached by a narrower filter or an export.
 */
export const PAGED_ROWS_MAX = 100_000;

/** Maximum length of a page cursor. */
const PLACE_MAX = 120;

/** A cursor in a list: the value of `anchor` or `next` in a response. */
const place = z
  .string()
  .check(z.regex(/^[0-9A-Za-z-]+$/, 'l.field_invalid'), z.maxLength(PLACE_MAX, 'l.field_invalid'));

/**
 * The request fields of lists that are loaded page by page. If rows are added meanwhile, loading by page number alone
 * repeats or skips rows. Clients should send the `anchor` of the first page and, as `after`, the `next` of the previous
 * page: the response then starts after that row, and rows added since the first page are on no page. With `anchor` but
 * without `after`, page numbers count from the row of the anchor.
 */
export const pagingFields = {
  pageNo: z._default(whole(1, PAGE_NUMBER_MAX), 1),
  pageSize: z._default(whole(1, PAGE_SIZE_MAX), PAGE_SIZE_DEFAULT),
  anchor: z.optional(place),
  after: z.optional(place),
};

/** Schema of a time in milliseconds since 1970 UTC, for example the beginning or end of a period. */
export const periodEnd = whole(0, 8_640_000_000_000);

/** A period in milliseconds since 1970 UTC; both times belong to the period, and either can be absent. */
export const periodFields = {
  startTime: z.optional(periodEnd),
  endTime: z.optional(periodEnd),
};

/**
 * Returns the schema of a page of a list. `totalRow` and `sum` are both the number of rows of the whole list,
 * from the anchor on; of most lists at most `PAGED_ROWS_MAX` rows are counted. `anchor` is the cursor of the
 * first row of the first page (absent for an empty list); `next` is the cursor after which the next page
 * starts (absent on the last page).
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
