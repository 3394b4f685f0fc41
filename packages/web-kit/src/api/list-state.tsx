import { useIsFetching, useQuery } from '@tanstack/react-query';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { Pager } from '../ui/parts.tsx';
import { type ListSource, loadNextPage, type LoadedRows, refreshRows } from './growing-list.ts';
import { failureOf, queryClient } from './query-client.ts';

/**
 * State of a list that is loaded page by page: the rows loaded so far, and the functions that load the next
 * page and refresh the loaded rows (`reload`, see `refreshRows`).
 */
export interface ListState<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly isLoading: boolean;
  /**
   * Error of the request for the list while no rows are loaded. Null if there is none, and as soon as rows are loaded,
   * even if a later request fails.
   */
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  /** Loads the next page. If this fails, it shows a notification and resolves to false, otherwise to true. */
  readonly loadMore: () => Promise<boolean>;
  readonly reload: () => Promise<void>;
}

export const PAGE_SIZE = 10;

/** Last part of the query key of the request for a list's next page. */
const NEXT_PAGE = 'nextPage';

interface ListOptions<Row> {
  /** False prevents the loading of the list, for example for visitors; true by default. */
  readonly enabled?: boolean;
  readonly pageSize?: number;
  readonly finalRowId?: ListSource<Row>['finalRowId'];
  readonly isFinal?: ListSource<Row>['isFinal'];
}

/**
 * Loads a list page by page. `key` identifies the list in the query cache, and `load` requests one page. With
 * `finalRowId` a refresh requests only the first page (see `ListSource`).
 */
export function useGrowingList<Row>(
  key: readonly unknown[],
  load: ListSource<Row>['load'],
  { enabled = true, pageSize = PAGE_SIZE, finalRowId, isFinal }: ListOptions<Row> = {},
): ListState<Row> {
  const source: ListSource<Row> = { load, pageSize, finalRowId, isFinal };
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
      // The request for the next page is a separate query. Concurrent calls share one request, and a failure changes
      // neither the loaded rows nor the state of their query.
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
  /** If true, the next page is loaded as soon as the user scrolls to the end of the list. */
  readonly auto?: boolean;
  readonly showsEnd?: boolean;
}

/** The end of a list that is loaded page by page, with a button that loads the next page. */
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
