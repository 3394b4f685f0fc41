import { Decimal } from '@exchange/core/decimal.ts';
import { LabelledAmount } from '../form/labelled-amount.tsx';
import { Amount } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { Step } from '../ui/steps.tsx';
import { useIsSendingPaused, type Route } from './parts.tsx';
import type { WithdrawalConfig } from './queries.ts';
import type { WithdrawControl } from './use-withdraw.ts';
import { arrivalOfTyped, type WithdrawContext } from './withdraw-model.ts';
import css from './withdraw.module.css';

interface AmountProps extends Route {
  readonly control: WithdrawControl;
  readonly moment: WithdrawContext;
  readonly config: WithdrawalConfig;
}

/**
 * Input of the amount, with the used part of the user's withdrawal limits (values within 24 hours and within 30 days,
 * number of requests within 24 hours) and the amount that the recipient will receive after the fee.
 */
export function WithdrawAmount({ coin, network, control, moment, config }: AmountProps) {
  const t = useWords('transfer');
  const { form, most } = control;
  const isPaused = useIsSendingPaused({ coin, network });
  return (
    <Step title={t('withdrawAmount')}>
      <LabelledAmount
        label={t('amount')}
        coin={coin}
        value={form.values.amount}
        onChange={(value) => form.set('amount', value)}
        places={config.precision}
        available={config.available}
        most={most}
        error={form.errorOf('amount')}
        hint={t('limits', { min: config.min, max: config.max, coin })}
      />
      <div className={css.limits}>
        <Limit name={t('dayLimit')} used={config.dayUsed} limit={config.dayLimit} />
        <Limit name={t('monthLimit')} used={config.monthUsed} limit={config.monthLimit} />
        <Limit
          name={t('requestLimit')}
          used={String(config.requestsUsed)}
          limit={String(config.requestLimit)}
          isCount
        />
      </div>
      <dl className={css.facts}>
        <div>
          <dt>{t('fee')}</dt>
          <dd>
            <Amount value={config.fee} coin={coin} />
          </dd>
        </div>
        <div data-look="sum">
          <dt>{t('arrival')}</dt>
          <dd>
            <Amount value={arrivalOfTyped(form.values.amount, moment.terms)} coin={coin} />
          </dd>
        </div>
      </dl>
      {config.feeLive === 1 ? <p className={css.hint}>{t('feeLive')}</p> : null}
      {isPaused ? null : <p className={css.hint}>{t('promise')}</p>}
    </Step>
  );
}

interface LimitProps {
  readonly name: string;
  /** Used part of the limit: an amount in USDT, or a number of withdrawals. */
  readonly used: string;
  readonly limit: string;
  readonly isCount?: boolean;
}

/** Used part of one of the withdrawal limits, as a bar and as text. */
function Limit({ name, used, limit, isCount = false }: LimitProps) {
  const percent = sharePercent(used, limit);
  const digits = isCount ? 0 : 2;
  return (
    <div className={css.limit}>
      <span>{name}</span>
      <span>
        <Amount value={used} digits={digits} /> /{' '}
        <Amount value={limit} digits={digits} {...(isCount ? {} : { coin: 'USDT' })} />
      </span>
      <div
        className={css.bar}
        role="meter"
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        data-full={percent >= 90 || undefined}
      >
        <i style={{ width: `${percent}%` }} />
      </div>
    </div>
  );
}

/** Returns the used part of a limit in percent, an integer; 100 when the limit is zero. */
function sharePercent(used: string, limit: string): number {
  const whole = Decimal.parse(limit);
  if (!whole.isPositive()) return 100;
  const share = Decimal.parse(used).times(Decimal.ofWhole(100), 'down').over(whole, 'down', 0);
  return Math.min(100, Number(share.toString()));
}
