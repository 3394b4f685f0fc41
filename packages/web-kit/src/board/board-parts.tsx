import { CandlestickChart, Coins, Gift, Pickaxe, PiggyBank, Rocket, ShieldCheck, Timer } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatTime } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { Badge } from '../ui/parts.tsx';
import css from './board.module.css';
import type { Announcement, HomeBanner } from './queries.ts';

const ARTWORK = {
  none: undefined,
  spot: CandlestickChart,
  finance: PiggyBank,
  mining: Pickaxe,
  subscription: Rocket,
  fund: Coins,
  seconds: Timer,
  invite: Gift,
  security: ShieldCheck,
} as const;

interface BannerBoxProps {
  readonly banner: HomeBanner;
  /** Function that wraps the banner's text in a link. If it is missing, the text is shown without a link. */
  readonly link?: (words: ReactNode, className: string | undefined) => ReactNode;
  readonly children?: ReactNode;
}

/** A banner of the home page: its picture, its text, and the controls that the caller passes as children. */
export function BannerBox({ banner, link, children }: BannerBoxProps) {
  const { title, content, picture } = banner;
  const Icon = ARTWORK[picture];
  const words = (
    <>
      {Icon === undefined ? null : (
        <span className={css.artwork}>
          <Icon size={28} strokeWidth={1.5} aria-hidden="true" />
        </span>
      )}
      <span className={css.words}>
        <b>{title}</b>
        <small>{content}</small>
      </span>
    </>
  );
  return (
    <li className={css.banner} data-picture={picture}>
      {link === undefined ? <div className={css.face}>{words}</div> : link(words, css.face)}
      {children}
    </li>
  );
}

/** Shows a whole announcement. Empty lines in its content separate paragraphs. */
export function Article({ announcement }: { readonly announcement: Announcement }) {
  const t = useWords('board');
  const locale = useLocale();
  const { topic, title, content, publishTime } = announcement;
  return (
    <article className={css.article}>
      <p className={css.meta}>
        <Badge>{t(`topic.${topic}`)}</Badge>
        <time>{formatTime(publishTime, locale, 'date')}</time>
      </p>
      <h2>{title}</h2>
      {content.split('\n\n').map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </article>
  );
}

/** Preview in the operator console of a banner that is not published yet, as the home page will show it. */
export function ProposedBanner({ shown }: { readonly shown: HomeBanner }) {
  return (
    <ul className={css.banners}>
      <BannerBox banner={shown} />
    </ul>
  );
}
