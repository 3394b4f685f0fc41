import { FEE_TIERS } from '@exchange/core/fee.ts';
import { formatDecimal, formatPercent } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { useFeeTier } from '@exchange/web-kit/spot/queries.ts';
import { DataTable } from '@exchange/web-kit/ui/data-table.tsx';
import { Badge } from '@exchange/web-kit/ui/parts.tsx';
import classes from './pair-info.module.css';

/** What trading costs by tier, with one's own marked, and how much one has traded toward the next. */
export function FeeTiers() {
  const t = useWords('desktop-market');
  const locale = useLocale();
  const own = useFeeTier();
  const rate = (fraction: { toString(): string }): string => formatPercent(fraction.toString(), locale);
  return (
    <section className={classes.part}>
      <h3>{t('fees')}</h3>
      <p>{t('fees.note')}</p>
      <div className={classes.tiers}>
        <DataTable
          dense
          caption={t('fees')}
          rows={FEE_TIERS}
          rowKey={({ tier }) => String(tier)}
          columns={[
            {
              key: 'tier',
              title: t('fees.tier'),
              cell: ({ tier }) => (
                <>
                  {tier} {tier === own?.tier && <Badge tone="accent">{t('fees.yours')}</Badge>}
                </>
              ),
            },
            {
              key: 'volume',
              title: t('fees.volume'),
              align: 'end',
              cell: ({ volume }) => t('fees.from', { amount: formatDecimal(volume.toString(), locale) }),
            },
            { key: 'maker', title: t('fees.maker'), align: 'end', cell: ({ maker }) => rate(maker) },
            { key: 'taker', title: t('fees.taker'), align: 'end', cell: ({ taker }) => rate(taker) },
          ]}
        />
      </div>
      {own !== undefined && (
        <p>{t('fees.volumeOf', { amount: formatDecimal(own.volume30d, locale, { maxDigits: 2 }) })}</p>
      )}
    </section>
  );
}
