import { useWords } from '../i18n/words.ts';
import { Pager } from '../ui/parts.tsx';
import { PAGE_SIZE, type ListState } from './list-state.ts';

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
