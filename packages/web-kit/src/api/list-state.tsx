import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { Pager } from '../ui/parts.tsx';
import { nextPage, type PageFields, type PageOf } from './pages.ts';
import { failureOf } from './query-client.ts';

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

/**
 * A paged call as a growing list. `key` names the list in the cache; `load` requests the page of these fields, which are of
 * `pageSize` rows each.
 */
export function useGrowingList<Row>(
  key: readonly unknown[],
  load: (page: PageFields, signal: AbortSignal) => Promise<PageOf<Row>>,
  enabled = true,
  pageSize = PAGE_SIZE,
): ListState<Row> {
  const query = useInfiniteQuery<
    PageOf<Row>,
    Error,
    InfiniteData<PageOf<Row>, PageFields>,
    readonly unknown[],
    PageFields
  >({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: { pageNo: 1, pageSize },
    getNextPageParam: (last) => nextPage(last, pageSize),
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
