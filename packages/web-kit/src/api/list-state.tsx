import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { Pager } from '../ui/parts.tsx';
import { failureOf } from './query-client.ts';

export interface PageOf<Row> {
  readonly list: readonly Row[];
  readonly sum: number;
  readonly pageNo: number;
  /** What the further pages are asked for with, so that rows which come meanwhile move none of them. */
  readonly anchor?: string | undefined;
}

/** Which page to load. */
interface PageParam {
  readonly pageNo: number;
  readonly anchor: string | undefined;
}

/** A list that grows page by page: page 1 replaces, later pages append, until the loaded count reaches the total. */
export interface ListState<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly isLoading: boolean;
  /** Why nothing is listed; null as soon as there is a page. */
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  /** Loads the next page; false when it did not come, which has then been said. */
  readonly loadMore: () => Promise<boolean>;
  /** Loads the list again from its first page. */
  readonly reload: () => Promise<void>;
}

export const PAGE_SIZE = 10;

/** A paged call as a growing list. `key` names the list in the cache; `load` gives one page, of those with an anchor by it. */
export function useGrowingList<Row>(
  key: readonly unknown[],
  load: (pageNo: number, signal: AbortSignal, anchor: { anchor?: string }) => Promise<PageOf<Row>>,
  enabled = true,
): ListState<Row> {
  const query = useInfiniteQuery<
    PageOf<Row>,
    Error,
    InfiniteData<PageOf<Row>, PageParam>,
    readonly unknown[],
    PageParam
  >({
    queryKey: key,
    queryFn: ({ pageParam: { pageNo, anchor }, signal }) =>
      load(pageNo, signal, anchor === undefined ? {} : { anchor }),
    initialPageParam: { pageNo: 1, anchor: undefined },
    getNextPageParam: (last, pages) => {
      const loaded = pages.reduce((count, page) => count + page.list.length, 0);
      if (last.list.length === 0 || loaded >= last.sum) return undefined;
      return { pageNo: last.pageNo + 1, anchor: pages[0]?.anchor };
    },
    enabled,
  });
  const pages = query.data?.pages ?? [];
  return {
    rows: pages.flatMap((page) => page.list),
    total: pages.at(-1)?.sum ?? 0,
    isLoading: query.isPending && enabled,
    error: failureOf(query),
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: async () => {
      const { isFetchNextPageError, error } = await query.fetchNextPage();
      if (isFetchNextPageError) notify.failure(error);
      return !isFetchNextPageError;
    },
    reload: async () => void (await query.refetch()),
  };
}

interface ListEndProps {
  readonly list: ListState<unknown>;
  /** Loads the next page when it is scrolled into view. */
  readonly auto?: boolean;
  /** Says where a list of more than one page ends. */
  readonly showsEnd?: boolean;
}

/** The end of a growing list: the way to its next page. */
export function ListEnd({ list, auto = false, showsEnd = false }: ListEndProps) {
  const t = useWords('shell');
  return (
    <Pager
      auto={auto}
      hasMore={list.hasMore}
      isLoading={list.isLoadingMore}
      onMore={list.loadMore}
      moreLabel={t('loadMore')}
      endText={showsEnd && list.total > PAGE_SIZE ? t('noMore') : undefined}
    />
  );
}
