import * as z from 'zod/mini';
import { whole } from './codecs.ts';

export const PAGE_SIZE_DEFAULT = 10;
export const PAGE_SIZE_MAX = 100;
/** Pages beyond this are refused: narrow the dates instead. */
export const PAGE_NUMBER_MAX = 10_000;

/** The paging fields of every list call. */
export const pagingFields = {
  pageNo: z._default(whole(1, PAGE_NUMBER_MAX), 1),
  pageSize: z._default(whole(1, PAGE_SIZE_MAX), PAGE_SIZE_DEFAULT),
};

/** A period in milliseconds, both ends included, both optional. */
export const periodFields = {
  startTime: z.optional(whole(0, 8_640_000_000_000)),
  endTime: z.optional(whole(0, 8_640_000_000_000)),
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
