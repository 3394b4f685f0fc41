import { formatMoment } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { LoadFailed } from '../list/load-failed.tsx';
import { Badge, EmptyState, SkeletonRows } from '../ui/parts.tsx';
import css from './board.module.css';
import { useAnnouncements, type Announcement } from './queries.ts';

const ROWS = 4;

/** All announcements that are out, the newest first. */
export function AnnouncementList() {
  const t = useWords('board');
  const { data, isPending, error, refetch } = useAnnouncements();
  if (error !== null) return <LoadFailed error={error} onRetry={() => void refetch()} />;
  if (isPending) return <SkeletonRows rows={ROWS} />;
  if (data?.length === 0) return <EmptyState text={t('none')} />;
  return (
    <div className={css.list}>
      {data?.map((announcement) => (
        <Article key={announcement.code} announcement={announcement} />
      ))}
    </div>
  );
}

function Article({ announcement }: { readonly announcement: Announcement }) {
  const t = useWords('board');
  const locale = useLocale();
  const { topic, title, content, publishTime } = announcement;
  return (
    <article className={css.article}>
      <p className={css.meta}>
        <Badge>{t(`topic.${topic}`)}</Badge>
        <time>{formatMoment(publishTime, locale, 'date')}</time>
      </p>
      <h2>{title}</h2>
      {content.split('\n\n').map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </article>
  );
}
