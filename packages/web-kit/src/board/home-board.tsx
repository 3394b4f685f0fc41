import {
  CandlestickChart,
  ChevronRight,
  Coins,
  Gift,
  Megaphone,
  Pickaxe,
  PiggyBank,
  Rocket,
  ShieldCheck,
  Timer,
  X,
} from 'lucide-react';
import { Link } from 'react-router';
import { formatMoment } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { IconButton } from '../ui/button.tsx';
import css from './board.module.css';
import { close, markOf, useClosed } from './closed.ts';
import { useAnnouncements, useBanners, type HomeBanner } from './queries.ts';

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

/** What is told to everybody, on home: the newest announcement, and banners that each person can close; else nothing. */
export default function HomeBoard({ announcementsPath }: { readonly announcementsPath: string }) {
  const banners = useBanners();
  const announced = useAnnouncements();
  const closed = useClosed();
  const t = useWords('board');
  const shown = (banners.data ?? []).filter((banner) => !closed.has(markOf(banner)));
  if (announced.data?.length === 0 && banners.data !== undefined && shown.length === 0) return null;
  return (
    <div className={css.board}>
      <Newest path={announcementsPath} />
      {shown.length > 0 && (
        <ul className={css.banners} aria-label={t('banners')}>
          {shown.map((banner) => (
            <Banner key={banner.code} banner={banner} />
          ))}
        </ul>
      )}
    </div>
  );
}

/** The newest announcement in one line, and the way to all of them. */
function Newest({ path }: { readonly path: string }) {
  const t = useWords('board');
  const locale = useLocale();
  const newest = useAnnouncements().data?.[0];
  if (newest === undefined) return <div className={css.line} />;
  return (
    <Link to={path} className={css.line}>
      <Megaphone size={16} aria-hidden="true" />
      <span className={css.headline}>{newest.title}</span>
      <time className={css.when}>{formatMoment(newest.publishTime, locale, 'date')}</time>
      <span className={css.all}>
        {t('all')} <ChevronRight size={14} aria-hidden="true" />
      </span>
    </Link>
  );
}

function Banner({ banner }: { readonly banner: HomeBanner }) {
  const t = useWords('board');
  const { title, content, picture, link } = banner;
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
      {link === '' ? (
        <div className={css.face}>{words}</div>
      ) : (
        <Link to={link} className={css.face}>
          {words}
        </Link>
      )}
      <IconButton label={t('close', { title })} className={css.close} onClick={() => close(banner)}>
        <X size={16} aria-hidden="true" />
      </IconButton>
    </li>
  );
}
