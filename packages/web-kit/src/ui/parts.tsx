import { CloudOff, Inbox } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { classes } from './class-names.ts';
import css from './parts.module.css';

/**
 * A grey placeholder for content that is loading. It becomes visible after 150 ms, so that it does not flash if the
 * content loads quickly.
 */
export function Skeleton({
  width = '100%',
  height = 16,
  radius,
}: {
  width?: number | string;
  height?: number | string;
  radius?: number | string;
}) {
  const style = { width: inRem(width), height: inRem(height), borderRadius: radius };
  return <span className={css.skeleton} style={style} aria-hidden="true" />;
}

/** Converts a size of the design in pixels to rem; a text with another length is returned unchanged. */
function inRem(size: number | string): string {
  return typeof size === 'number' ? `${size / 16}rem` : size;
}

/** Several placeholder rows for a list that is loading. */
export function SkeletonRows({
  rows,
  height = 20,
  gap = 12,
}: {
  rows: number;
  height?: number;
  gap?: number;
}) {
  return (
    <div className={css.skeletonRows} style={{ gap }} aria-busy="true">
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={height} />
      ))}
    </div>
  );
}

/** Note in an area without content; can contain an action, for example one that creates the first item. */
export function EmptyState({
  icon = <Inbox size={22} />,
  text,
  action,
}: {
  icon?: ReactNode;
  text: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={css.state}>
      <div className={css.stateIcon} aria-hidden="true">
        {icon}
      </div>
      <p>{text}</p>
      {action}
    </div>
  );
}

/** Note that says why something failed, with a retry button. */
export function ErrorState({
  text,
  retryLabel,
  onRetry,
}: {
  text: ReactNode;
  retryLabel: string;
  onRetry: () => void;
}) {
  return (
    <div className={css.state} role="alert">
      <div className={css.stateIcon} aria-hidden="true">
        <CloudOff size={22} />
      </div>
      <p>{text}</p>
      <Button look="secondary" size="s" onClick={onRetry}>
        {retryLabel}
      </Button>
    </div>
  );
}

export type Tone = 'neutral' | 'accent' | 'good' | 'bad' | 'warning';

export function Badge({ tone = 'neutral', children }: { tone?: Tone | undefined; children: ReactNode }) {
  return <span className={classes(css.badge, css[tone])}>{children}</span>;
}

/** The number on a badge: `99+` above 99; nothing for 0. */
export function Count({ value }: { value: number }) {
  return value <= 0 ? null : <span className={css.count}>{value > 99 ? '99+' : value}</span>;
}

/** A note across the full width of a page or panel. */
export function Banner({
  tone = 'neutral',
  icon,
  children,
  end,
}: {
  tone?: Tone;
  icon?: ReactNode;
  children: ReactNode;
  end?: ReactNode;
}) {
  return (
    <div className={classes(css.banner, css[tone])} role="note">
      {icon}
      <div className={css.bannerText}>{children}</div>
      {end}
    </div>
  );
}

interface PagerProps {
  hasMore: boolean;
  isLoading: boolean;
  onMore: () => Promise<boolean>;
  moreLabel: string;
  /** Text shown at the end of the list when there are no more pages; omit it for a list of a single page. */
  endText?: string | undefined;
  /**
   * True if the next page is loaded when the user scrolls to the end of the list. After a failure, the user has to
   * press the button.
   */
  auto?: boolean | undefined;
}

/**
 * The end of a list that is loaded page by page: a button that loads the next page, or without a next page `endText`,
 * if given. With `auto` the next page is also loaded when this end becomes visible.
 */
export function Pager({ hasMore, isLoading, onMore, moreLabel, endText, auto = false }: PagerProps) {
  const end = useRef<HTMLDivElement>(null);
  const [hasFailed, setFailed] = useState(false);
  const load = () => void onMore().then((hasCome) => setFailed(!hasCome));
  const more = useRef(load);
  useEffect(() => {
    more.current = load;
  });
  useEffect(() => {
    const element = end.current;
    if (!auto || hasFailed || !hasMore || isLoading || element === null) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) more.current();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [auto, hasFailed, hasMore, isLoading]);
  if (!hasMore && endText === undefined) return null;
  return (
    <div ref={end} className={css.pager}>
      {hasMore ? (
        <Button look="quiet" size="s" busy={isLoading} onClick={load}>
          {moreLabel}
        </Button>
      ) : (
        <span className={css.pagerEnd}>{endText}</span>
      )}
    </div>
  );
}
