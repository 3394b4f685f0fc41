import { useIsFetching, useQuery } from '@tanstack/react-query';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { Pager } from '../ui/parts.tsx';
import { type ListSource, loadNextPage, type LoadedRows, refreshRows } from './growing-list.ts';
import { failureOf, queryClient } from './query-client.ts';

/** A list that is loaded page by page. `reload` refreshes the loaded rows. */
export interface ListState<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly isLoading: boolean;
  /** Error of the first page's request; null once a page is loaded. */
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  /** Loads the next page. Resolves to false after a failure, which is shown as a notification. */
  readonly loadMore: () => Promise<boolean>;
  readonly reload: () => Promise<void>;
}

export const PAGE_SIZE = 10;

/** Suffix of the query key under which a list's next page is requested. */
const NEXT_PAGE = 'nextPage';

interface ListOptions<Row> {
  /** Whether the list is loaded; false postpones loading. */
  readonly enabled?: boolean;
  readonly pageSize?: number;
  readonly finalRowId?: ListSource<Row>['finalRowId'];
}

/**
 * Loads a list page by page. `key` names the list in the query cache; `load` requests one page. With
 * `finalRowId`, a refresh requests only the first page (see `ListSource`).
 */
export function useGrowingList<Row>(
  key: readonly unknown[],
  load: ListSource<Row>['load'],
  { enabled = true, pageSize = PAGE_SIZE, finalRowId }: ListOptions<Row> = {},
): ListState<Row> {
  const source: ListSource<Row> = { load, pageSize, finalRowId };
  const loaded = () => queryClient.getQueryData<LoadedRows<Row>>(key);
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => refreshRows(source, loaded, signal),
    enabled,
  });
  const nextPageKey = [...key, NEXT_PAGE];
  const isLoadingMore = useIsFetching({ queryKey: nextPageKey, exact: true }) > 0;
  const loadMore = async () => {
    try {
      // The next page has a query of its own: concurrent requests for the same page share one call, and a
      // failure affects neither the loaded rows nor their query.
      await queryClient.fetchQuery({
        queryKey: nextPageKey,
        queryFn: async ({ signal }) => {
          await loadNextPage(source, loaded, (change) => queryClient.setQueryData(key, change), signal);
          return null;
        },
        staleTime: 0,
        gcTime: 0,
      });
      return true;
    } catch (error) {
      notify.failure(error);
      return false;
    }
  };
  return {
    rows: query.data?.rows ?? [],
    total: query.data?.sum ?? 0,
    isLoading: query.isPending && enabled,
    error: failureOf(query),
    hasMore: query.data?.next !== undefined,
    isLoadingMore,
    loadMore,
    reload: async () => void (await query.refetch()),
  };
}

interface ListEndProps {
  readonly list: ListState<unknown>;
  /** Loads the next page when the end is scrolled into view. */
  readonly auto?: boolean;
  readonly showsEnd?: boolean;
}

/** End of a list that is loaded page by page; loads the next page. */
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
