import { History } from 'lucide-react';
import { Link } from 'react-router';
import { useWords } from '../i18n/words.ts';
import { replayPath } from '../market/trade-paths.ts';
import { classes } from '../ui/class-names.ts';
import css from './replay-link.module.css';

interface ReplayLinkProps {
  readonly pair: { readonly base: string; readonly quote: string };
  readonly className?: string | undefined;
}

/** Link from a pair's chart to the newest recorded part of the pair's replay. */
export function ReplayLink({ pair, className }: ReplayLinkProps) {
  const t = useWords('replay');
  return (
    <Link className={classes(css.link, className)} to={replayPath(pair)} title={t('title')}>
      <History size={15} aria-hidden="true" />
      {t('open')}
    </Link>
  );
}

interface WhyLinkProps {
  readonly fill: {
    readonly tradeId: string;
    readonly ts: number;
    readonly baseCoin: string;
    readonly quoteCoin: string;
  };
  /** True for a link that shows only an icon, as in table rows. */
  readonly isIcon?: boolean;
}

/** Link from one of the user's fills to the explanation of its price in the replay. */
export function WhyLink({ fill, isIcon = false }: WhyLinkProps) {
  const t = useWords('replay');
  const pair = { base: fill.baseCoin, quote: fill.quoteCoin };
  return (
    <Link
      className={isIcon ? css.icon : css.link}
      to={replayPath(pair, { at: fill.ts, fill: fill.tradeId })}
      aria-label={isIcon ? t('why') : undefined}
      title={isIcon ? t('why') : undefined}
      // A press on the row that contains this link opens the order, so the press is not passed on to the row.
      onClick={(event) => event.stopPropagation()}
    >
      <History size={isIcon ? 16 : 15} aria-hidden="true" />
      {isIcon ? null : t('why')}
    </Link>
  );
}
