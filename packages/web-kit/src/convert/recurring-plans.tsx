import { Decimal } from '@exchange/core/decimal.ts';
import { recurringResult } from '@exchange/core/recurring.ts';
import { useState } from 'react';
import { ListEnd } from '../api/list-state.tsx';
import { LeaveQuestion } from '../form/leave-question.tsx';
import { CoinIcon } from '../format/coin-icon.tsx';
import { Amount, Change, When } from '../format/numbers.tsx';
import { useLocale, useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { notify } from '../notify.ts';
import { Button } from '../ui/button.tsx';
import { Tabs } from '../ui/choice.tsx';
import { Badge, type Tone } from '../ui/parts.tsx';
import css from './recurring.module.css';
import { relativeDifference } from './recurring-form.ts';
import {
  useChangePlan,
  usePlans,
  useRecurringBuys,
  type PlanChange,
  type RecurringBuy,
  type RecurringPlan,
} from './recurring.ts';
import { scheduleText } from './recurring-words.ts';

/**
 * The user's plans of recurring buys, current and ended, with their results, and the history of their executed buys.
 */
export function RecurringPlans() {
  const t = useWords('recurring');
  const [tab, setTab] = useState<'current' | 'ended' | 'history'>('current');
  return (
    <section className={css.panel}>
      <Tabs
        label={t('plans')}
        value={tab}
        onChange={setTab}
        options={[
          { value: 'current', label: t('current') },
          { value: 'history', label: t('history') },
          { value: 'ended', label: t('endedTab') },
        ]}
      />
      {tab === 'history' ? <Buys /> : <PlanList key={tab} hasEnded={tab === 'ended'} />}
    </section>
  );
}

function PlanList({ hasEnded }: { readonly hasEnded: boolean }) {
  const t = useWords('recurring');
  const plans = usePlans(hasEnded);
  return (
    <ListBody
      look="cards"
      skeletonRows={2}
      isLoading={plans.isLoading}
      error={plans.error}
      onRetry={() => void plans.reload()}
      isEmpty={plans.rows.length === 0}
      empty={t(hasEnded ? 'noneEnded' : 'none')}
    >
      <ul className={css.plans}>
        {plans.rows.map((plan) => (
          <PlanCard key={plan.id} plan={plan} />
        ))}
      </ul>
      <ListEnd list={plans} />
    </ListBody>
  );
}

const TONES = {
  active: 'good',
  paused: 'warning',
  ended: 'neutral',
} as const satisfies Record<RecurringPlan['status'], Tone>;

function PlanCard({ plan }: { readonly plan: RecurringPlan }) {
  const t = useWords('recurring');
  const locale = useLocale();
  return (
    <li className={css.plan}>
      <div className={css.planHead}>
        <b>
          <Amount value={plan.amount} coin={plan.currency} />
        </b>
        <Badge tone={TONES[plan.status]}>{t(plan.status)}</Badge>
      </div>
      <p className={css.quiet}>{scheduleText(plan, t, locale)}</p>
      {plan.nextTime === 0 ? null : (
        <p className={css.quiet}>
          {t('next')} <When at={plan.nextTime} look="minute" />
        </p>
      )}
      <ul className={css.results}>
        {plan.coins.map((coin) => (
          <CoinResult key={coin.currency} plan={plan} coin={coin} />
        ))}
      </ul>
      {plan.skipped === 0 ? null : <p className={css.quiet}>{t('skippedCount', { count: plan.skipped })}</p>}
      {plan.status === 'ended' ? null : <Actions plan={plan} />}
    </li>
  );
}

interface CoinResultProps {
  readonly plan: RecurringPlan;
  readonly coin: RecurringPlan['coins'][number];
}

/**
 * The share of a recurring buy's plan for one coin and the number of its buys. After the first buy also the received
 * amount, the paid amount, the average price, the price of the first buy, and the received amount compared with the
 * amount that the whole payment would have bought at that first price.
 */
function CoinResult({ plan, coin }: CoinResultProps) {
  const t = useWords('recurring');
  const received = Decimal.parse(coin.received);
  const result = recurringResult({
    paid: Decimal.parse(coin.paid),
    received,
    firstPaid: Decimal.parse(coin.firstPaid),
    firstReceived: Decimal.parse(coin.firstReceived),
  });
  return (
    <li>
      <p className={css.coinHead}>
        <CoinIcon coin={coin.currency} size={20} />
        <b>{coin.currency}</b>
        <span className={css.quiet}>{t('shareOf', { share: coin.share })}</span>
        <span className={css.quiet}>{t('buys', { count: coin.buys })}</span>
      </p>
      {result === undefined ? null : (
        <dl className={css.facts}>
          <div>
            <dt>{t('bought')}</dt>
            <dd>
              <Amount value={coin.received} coin={coin.currency} />
            </dd>
          </div>
          <div>
            <dt>{t('paid')}</dt>
            <dd>
              <Amount value={coin.paid} coin={plan.currency} />
            </dd>
          </div>
          <div>
            <dt>{t('average')}</dt>
            <dd>
              <Amount value={result.averagePrice.toString()} kind="sum" coin={plan.currency} />
            </dd>
          </div>
          <div>
            <dt>{t('first')}</dt>
            <dd>
              <Amount value={result.firstPrice.toString()} kind="sum" coin={plan.currency} />
            </dd>
          </div>
          <div>
            <dt>{t('against')}</dt>
            <dd>
              <Change value={relativeDifference(received, result.singleReceived)} arrow />
            </dd>
          </div>
        </dl>
      )}
    </li>
  );
}

const DONE = {
  pause: 'pauseDone',
  resume: 'resumeDone',
  end: 'endDone',
} as const satisfies Record<PlanChange, string>;

function Actions({ plan }: { readonly plan: RecurringPlan }) {
  const t = useWords('recurring');
  const change = useChangePlan();
  const [isAsking, setAsking] = useState(false);
  const apply = (action: PlanChange) =>
    change.mutate(
      { id: plan.id, change: action },
      { onSuccess: () => notify.success(t(DONE[action])), onError: notify.failure },
    );
  const toggle = plan.status === 'paused' ? 'resume' : 'pause';
  return (
    <div className={css.actions}>
      <Button look="secondary" size="s" busy={change.isPending} onClick={() => apply(toggle)}>
        {t(toggle)}
      </Button>
      <Button look="quiet" size="s" disabled={change.isPending} onClick={() => setAsking(true)}>
        {t('end')}
      </Button>
      <LeaveQuestion
        isOpen={isAsking}
        title={t('endQuestion')}
        text={t('endText')}
        stay={t('keep')}
        leave={t('end')}
        onStay={() => setAsking(false)}
        onLeave={() => {
          setAsking(false);
          apply('end');
        }}
      />
    </div>
  );
}

function Buys() {
  const t = useWords('recurring');
  const buys = useRecurringBuys();
  return (
    <ListBody
      isLoading={buys.isLoading}
      error={buys.error}
      onRetry={() => void buys.reload()}
      isEmpty={buys.rows.length === 0}
      empty={t('noBuys')}
    >
      <ul className={css.buys}>
        {buys.rows.map((buy) => (
          <BuyRow key={buy.id} buy={buy} />
        ))}
      </ul>
      <ListEnd list={buys} />
    </ListBody>
  );
}

function BuyRow({ buy }: { readonly buy: RecurringBuy }) {
  const t = useWords('recurring');
  return (
    <li>
      <When className={css.quiet} at={buy.time} look="dated" />
      <ul>
        {buy.coins.map(({ currency, amount, received, skipped }) => (
          <li key={currency} className={css.amounts}>
            <Amount value={amount} coin={buy.currency} />
            <span aria-hidden="true">→</span>
            <CoinIcon coin={currency} size={20} />
            {skipped === undefined ? (
              <Amount value={received} coin={currency} />
            ) : (
              <>
                <span>{currency}</span>
                <span className={css.skipped}>{t(`skip_${skipped}`)}</span>
              </>
            )}
          </li>
        ))}
      </ul>
      {buy.missed === 0 ? null : <p className={css.quiet}>{t('missed', { count: buy.missed })}</p>}
    </li>
  );
}
