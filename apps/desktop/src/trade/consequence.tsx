import { formatPercent } from '@exchange/web-kit/format/format.ts';
import { Amount } from '@exchange/web-kit/format/numbers.tsx';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import type { TicketSummary } from '@exchange/web-kit/spot/ticket-form.ts';
import classes from './ticket.module.css';

/** What the order costs and brings, before it is placed. */
export function Consequence({ summary }: { readonly summary: TicketSummary }) {
  const t = useWords('trade');
  const locale = useLocale();
  return (
    <dl className={classes.consequence}>
      <div>
        <dt>{t('estimatedFee', { rate: formatPercent(summary.feeRate.toString(), locale) })}</dt>
        <dd>
          <Amount value={summary.fee?.toString()} coin={summary.receivedCoin} />
        </dd>
      </div>
      <div>
        <dt title={summary.isEstimate ? t('estimate') : undefined}>{t('youReceive')}</dt>
        <dd>
          <Amount value={summary.received?.toString()} coin={summary.receivedCoin} />
        </dd>
      </div>
    </dl>
  );
}
