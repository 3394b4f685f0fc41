import { Decimal } from '@exchange/core/decimal.ts';
import { daysLeft } from '@exchange/core/finance.ts';
import { instant } from '@exchange/core/time.ts';
import { useNow } from '../format/remaining.tsx';
import { ListEnd } from '../api/list-state.tsx';
import { formatTime } from '../format/format.ts';
import { Amount, Percent, UNKNOWN } from '../format/numbers.tsx';
import { ConfirmForm } from '../form/confirm-form.tsx';
import { UnansweredNote } from '../form/unanswered-note.tsx';
import { useKeyedSubmit } from '../form/use-keyed-submit.ts';
import { useLocale } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { notify } from '../notify.ts';
import { DataTable } from '../ui/data-table.tsx';
import { Badge } from '../ui/parts.tsx';
import { useEarn, useEarnWords } from './earn.ts';
import css from './finance.module.css';
import { TimeInTwoZones } from './time-in-two-zones.tsx';
import { ProductName } from './product-parts.tsx';
import { useIncome } from './queries.ts';
import type { Holding } from './shapes.ts';

const CLOCK_MS = 60_000;

/**
 * Progress bar of an earn order's term, with a text: before the term the time of its start, then the number of
 * remaining days, finally that the order has matured.
 */
export function DaysLeft({ order }: { readonly order: Holding }) {
  const t = useEarnWords();
  const locale = useLocale();
  const now = Math.floor(useNow(CLOCK_MS));
  const remainingDays =
    order.closeTime !== undefined
      ? 0
      : Math.min(order.period, daysLeft(instant(order.endTime), instant(now)));
  const text =
    now < order.startTime && order.status === 1
      ? t('startsTomorrow', { date: formatTime(order.startTime, locale, 'minute') })
      : remainingDays === 0
        ? t('matured')
        : t('daysLeftOf', { count: remainingDays, days: order.period });
  return (
    <span className={css.left}>
      <span
        className={css.meter}
        role="meter"
        aria-label={t('daysLeft')}
        aria-valuemin={0}
        aria-valuemax={order.period}
        aria-valuenow={remainingDays}
        aria-valuetext={text}
      >
        <span style={{ transform: `scaleX(${1 - remainingDays / order.period})` }} />
      </span>
      <small aria-hidden="true">{text}</small>
    </span>
  );
}

/**
 * The amount and time of an earn order's next payment. For a matured order that the user can redeem a badge that says
 * so, and for any other order without further payments a dash.
 */
export function NextPayment({ order }: { readonly order: Holding }) {
  const t = useEarnWords();
  const { nextCredit } = useEarn();
  const locale = useLocale();
  if (order.withdrawable === 1) return <Badge tone="warning">{t('waits')}</Badge>;
  if (order.nextPayTime === undefined) return <>{UNKNOWN}</>;
  return (
    <span className={css.next}>
      <Amount value={nextCredit(order).toString()} coin={order.currency} />
      <small>{formatTime(order.nextPayTime, locale, 'dated')}</small>
    </span>
  );
}

const TONES = { hosting: 'good', redeemable: 'warning', completed: 'neutral' } as const;

/** Details of one earn order: its progress, terms and daily income, and the form that redeems the order at maturity. */
export function HoldingDetail({ order }: { readonly order: Holding }) {
  const t = useEarnWords();
  const { tabOf } = useEarn();
  const money = (value: string) => <Amount value={value} coin={order.currency} kind="fee" />;
  return (
    <div className={css.detail}>
      <div className={css.detailHead}>
        <ProductName product={order} />
        <Badge tone={TONES[tabOf(order)]}>{t(tabOf(order))}</Badge>
      </div>
      <DaysLeft order={order} />
      {order.withdrawable === 1 ? <MoveOut order={order} /> : null}
      <dl className={css.facts}>
        <Fact name={t('amount')}>{money(order.amount)}</Fact>
        <Fact name={t('dailyRate')}>
          <Percent value={order.dailyRate} digits={4} />
        </Fact>
        <Fact name={t('earnedSoFar')}>{money(order.profit)}</Fact>
        <Fact name={t('totalInterest')}>{money(order.totalProfit)}</Fact>
        {order.owedProfit === '0' ? null : <Fact name={t('owedInterest')}>{money(order.owedProfit)}</Fact>}
        <Fact name={t('payMode')}>{t(`payMode${order.payMode}`)}</Fact>
        <Fact name={t('nextPayment')}>
          <NextPayment order={order} />
        </Fact>
        <Fact name={t('boughtAt')}>
          <TimeInTwoZones at={order.buyTime} />
        </Fact>
        <Fact name={t('start')}>
          <TimeInTwoZones at={order.startTime} />
        </Fact>
        <Fact name={t('end')}>
          <TimeInTwoZones at={order.endTime} />
        </Fact>
        <Fact name={t('order')}>
          <span className={css.id}>{order.id}</span>
        </Fact>
      </dl>
      <Income order={order} />
    </div>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Income({ order }: { readonly order: Holding }) {
  const t = useEarnWords();
  const locale = useLocale();
  const income = useIncome(order.id);
  return (
    <section>
      <h3 className={css.heading}>{t('income')}</h3>
      <ListBody
        isLoading={income.isLoading}
        error={income.error}
        onRetry={() => void income.reload()}
        isEmpty={income.rows.length === 0}
        empty={t('incomeNone', { date: formatTime(order.startTime, locale, 'dated') })}
      >
        <DayStrip order={order} />
        <div className={css.income} tabIndex={0} role="group" aria-label={t('income')}>
          <DataTable
            dense
            caption={t('income')}
            rows={income.rows}
            rowKey={({ date }) => String(date)}
            columns={[
              // Interest days are UTC days, independent of the user's time zone.
              {
                key: 'day',
                title: `${t('incomeDay')} (${t('utc')})`,
                cell: ({ date }) => formatTime(date, locale, 'date', 'UTC'),
              },
              {
                key: 'amount',
                title: `${t('incomeAmount')} (${order.currency})`,
                align: 'end',
                cell: ({ amount }) => <Amount value={amount} kind="fee" figureCoin={order.currency} />,
              },
              {
                key: 'sum',
                title: t('incomeSum'),
                align: 'end',
                cell: ({ cumulative }) => (
                  <Amount value={cumulative} kind="fee" figureCoin={order.currency} />
                ),
              },
            ]}
          />
        </div>
        <ListEnd list={income} />
      </ListBody>
    </section>
  );
}

/**
 * Form that redeems a matured order and credits its amount to the user's spot account. Repeated submissions
 * redeem the order only once.
 */
function MoveOut({ order }: { readonly order: Holding }) {
  const t = useEarnWords();
  const { part, redeem, redeemableAmount } = useEarn();
  const coin = order.currency;
  const waiting = redeemableAmount(order);
  const { act, unanswered } = useKeyedSubmit({
    form: `${part} withdraw ${order.id}`,
    title: t('withdraw'),
    send: redeem,
    onAnswered: () => notify.success(t('withdrawn', { amount: waiting.toString(), coin })),
  });
  return (
    <ConfirmForm
      consequence={
        <>
          <p>{t('withdrawWaits', { amount: waiting.toString(), coin })}</p>
          <UnansweredNote unanswered={unanswered} />
        </>
      }
      button={t('withdraw')}
      act={() => act('withdraw', () => ({ id: order.id }))}
      onDone={() => undefined}
    />
  );
}

/** Strip with one bar per day of an earn order's term; the days whose interest has been earned are highlighted. */
function DayStrip({ order: { period, dailyProfit, profit } }: { readonly order: Holding }) {
  const t = useEarnWords();
  const days = Decimal.parse(dailyProfit);
  const credited = days.isPositive() ? Number(Decimal.parse(profit).over(days, 'down', 0).toString()) : 0;
  return (
    <div className={css.strip} role="img" aria-label={t('stripOf', { count: credited, days: period })}>
      {Array.from({ length: period }, (_, day) => (
        <span key={day} data-credited={day < credited || undefined} />
      ))}
    </div>
  );
}
