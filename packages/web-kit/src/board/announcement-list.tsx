import { useWords } from '../i18n/words.ts';
import { LoadFailed } from '../list/load-failed.tsx';
import { EmptyState, SkeletonRows } from '../ui/parts.tsx';
import { Article } from './board-parts.tsx';
import css from './board.module.css';
import { useAnnouncements } from './queries.ts';

const ROWS = 4;

/** Lists the newest 50 published announcements, newest first. */
export function AnnouncementList() {
  const t = useWords('board');
  const { data, isPending, error, refetch } = useAnnouncements();
  if (error !== null) return <LoadFailed error={error} onRetry={() => void refetch()} />;
  if (isPending) return <SkeletonRows rows={ROWS} height={96} />;
  if (data?.length === 0) return <EmptyState text={t('none')} />;
  return (
    <div className={css.list}>
      {data?.map((announcement) => (
        <Article key={announcement.code} announcement={announcement} />
      ))}
    </div>
  );
}
