import { ChevronRight, Megaphone, X } from 'lucide-react';
import { type ReactNode, useSyncExternalStore } from 'react';
import { Link } from 'react-router';
import { formatTime } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { onStoredChange, readStored, store } from '../storage.ts';
import { IconButton } from '../ui/button.tsx';
import { BannerBox } from './board-parts.tsx';
import css from './board.module.css';
import { useAnnouncements, useBanners, type HomeBanner } from './queries.ts';

/**
 * The newest announcement, and the banners that the user has not closed, for the home page. Renders nothing
 * once both lists have loaded and there is nothing to show.
 */
export default function HomeBoard({ announcementsPath }: { readonly announcementsPath: string }) {
  const banners = useBanners();
  const announcements = useAnnouncements();
  const closed = useClosedMarks();
  const t = useWords('board');
  const openBanners = (banners.data ?? []).filter((banner) => !closed.has(markOf(banner)));
  if (announcements.data?.length === 0 && banners.data !== undefined && openBanners.length === 0) return null;
  return (
    <div className={css.board}>
      <Newest path={announcementsPath} />
      {openBanners.length > 0 && (
        <ul className={css.banners} aria-label={t('banners')}>
          {openBanners.map((banner) => (
            <Banner key={banner.code} banner={banner} />
          ))}
        </ul>
      )}
    </div>
  );
}

/** The title of the newest announcement in one line, as a link to the list of announcements. */
function Newest({ path }: { readonly path: string }) {
  const t = useWords('board');
  const locale = useLocale();
  const newest = useAnnouncements().data?.[0];
  if (newest === undefined) return <div className={css.line} />;
  return (
    <Link to={path} className={css.line}>
      <Megaphone size={16} aria-hidden="true" />
      <span className={css.headline} title={newest.title}>
        {newest.title}
      </span>
      <time className={css.when}>{formatTime(newest.publishTime, locale, 'date')}</time>
      <span className={css.all}>
        {t('all')} <ChevronRight size={14} aria-hidden="true" />
      </span>
    </Link>
  );
}

function Banner({ banner }: { readonly banner: HomeBanner }) {
  const t = useWords('board');
  const { title, link } = banner;
  const linkToTarget = (words: ReactNode, className: string | undefined) => (
    <Link to={link} className={className}>
      {words}
    </Link>
  );
  return (
    <BannerBox banner={banner} {...(link === '' ? {} : { link: linkToTarget })}>
      <IconButton label={t('close', { title })} className={css.close} onClick={() => closeEntry(banner)}>
        <X size={16} aria-hidden="true" />
      </IconButton>
    </BannerBox>
  );
}

const KEY = 'Board-Closed';
/** Maximum number of closed banners that are stored on this device. The oldest are removed first. */
const MOST = 100;
const followers = new Set<() => void>();

/** Returns the stored keys of the banners that the user has closed on this device, separated by spaces. */
function closedText(): string {
  return readStored(KEY) ?? '';
}

/**
 * Returns the key under which a closed banner is stored. It contains the version, so that an edited banner is shown
 * again.
 */
export function markOf({ code, version }: { readonly code: string; readonly version: number }): string {
  return `${code}@${version}`;
}

/** Closes this version of a home page banner on this device. An edited version of the banner is shown again. */
export function closeEntry(entry: { readonly code: string; readonly version: number }): void {
  const closedMarks = closedText().split(' ').filter(Boolean);
  const mark = markOf(entry);
  if (!closedMarks.includes(mark)) store(KEY, [...closedMarks, mark].slice(-MOST).join(' '));
  for (const follower of followers) follower();
}

/** Returns the keys (see `markOf`) of the banners that the user has closed on this device. */
export function useClosedMarks(): ReadonlySet<string> {
  return new Set(useSyncExternalStore(follow, closedText).split(' '));
}

function follow(onChange: () => void): () => void {
  followers.add(onChange);
  const stopWatchingStorage = onStoredChange(KEY, onChange);
  return () => {
    followers.delete(onChange);
    stopWatchingStorage();
  };
}
