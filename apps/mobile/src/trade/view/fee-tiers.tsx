import { FEE_TIERS, type FeeTier } from '@exchange/core/fee.ts';
import { formatCompact, formatPercent } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { Badge } from '@exchange/web-kit/ui/parts.tsx';
import { Section } from './info-parts.tsx';
import css from './info-view.module.css';

/** All fee tiers, the own one marked. `pair` carries the rates that apply to whoever looks. */
export function FeeTiers({ pair }: { pair: MarketPair }) {
  const t = useWords('mobile-market');
  const locale = useLocale();
  const isSignedIn = useSession(({ session }) => session !== null);
  const isOwn = ({ maker, taker }: FeeTier) =>
    isSignedIn && maker.equals(pair.makerFee) && taker.equals(pair.takerFee);
  const rate = (value: FeeTier['maker']) => formatPercent(value.toString(), locale, { digits: 3 });
  return (
    <Section title={t('fees')}>
      <p className={css.text}>{t('feesText')}</p>
      <table className={css.tiers}>
        <thead>
          <tr>
            <th scope="col">{t('tier')}</th>
            <th scope="col">{t('volume')}</th>
            <th scope="col">{t('makerTaker')}</th>
          </tr>
        </thead>
        <tbody>
          {FEE_TIERS.map((tier) => (
            <tr key={tier.tier} data-own={isOwn(tier) || undefined}>
              <th scope="row">
                {tier.tier} {isOwn(tier) ? <Badge tone="accent">{t('yourTier')}</Badge> : null}
              </th>
              <td>≥ {formatCompact(tier.volume.toString(), locale)}</td>
              <td>
                {rate(tier.maker)} / {rate(tier.taker)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
