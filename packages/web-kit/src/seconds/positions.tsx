import { signOf } from '../format/format.ts';
import { ListEnd } from '../api/list-state.tsx';
import { Amount, Percent, Price, When } from '../format/numbers.tsx';
import { formatRemaining } from '../format/format-remaining.ts';
import { useNow } from '../format/remaining.tsx';
import { useWords, useLocale } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { useIndexPrice } from '../market/live.ts';
import { Button } from '../ui/button.tsx';
import { DataTable, type Column } from '../ui/data-table.tsx';
import { Badge, type Tone } from '../ui/parts.tsx';
import { useSecondsOrders, type SecondsOrder } from './queries.ts';
import { useUndisplayedResults } from './results.ts';
import css from './seconds.module.css';

const TONES: Readonly<Record<NonNullable<SecondsOrder['result']>, Tone>> = {
  win: 'good',
  lose: 'bad',
  draw: 'neutral',
  void: 'warning',
};

/** The direction of a position, up or down, as an arrow with a colour and a word. */
export function DirectionMark({ order }: { readonly order: Pick<SecondsOrder, 'tradeType'> }) {
  const t = useWords('seconds');
  const isUp = order.tradeType === 1;
  return (
    <span className={isUp ? css.up : css.down}>
      <span aria-hidden="true">{isUp ? '▲' : '▼'}</span> {t(isUp ? 'up' : 'down')}
    </span>
  );
}

/** Returns the number of decimals of a price text; 0 for undefined. */
export function digitsOf(price: string | undefined): number {
  return price?.split('.')[1]?.length ?? 0;
}

/**
 * Badge with the result of a seconds contract position, and with the refund if there is one; `holding` while the
 * position is open.
 */
export function ResultBadge({ order }: { readonly order: SecondsOrder }) {
  const t = useWords('seconds');
  if (order.result === undefined) return <Badge tone="accent">{t('holding')}</Badge>;
  return (
    <>
      <Badge tone={TONES[order.result]}>{t(order.result)}</Badge>
      {order.refund === undefined ? null : (
        <span className={css.quiet}>
          {' '}
          {t('refunded')} <Amount value={order.refund} coin={order.quoteCoin} />
        </span>
      )}
    </>
  );
}

/** Profit of a settled seconds contract position in its quote coin, with a plus or minus sign. */
export function Profit({ order }: { readonly order: SecondsOrder }) {
  const { settleProfit } = order;
  const sign = settleProfit === undefined ? 0 : signOf(settleProfit);
  return (
    <span className={sign > 0 ? css.up : sign < 0 ? css.down : undefined}>
      <Amount value={settleProfit} signed coin={order.quoteCoin} />
    </span>
  );
}

/**
 * The user's open positions in the seconds contract as cards, each with its countdown and its result at the
 * current index price.
 */
export function OpenPositions() {
  const t = useWords('seconds');
  const orders = useSecondsOrders('open');
  return (
    <ListBody
      look="cards"
      isLoading={orders.isLoading}
      error={orders.error}
      onRetry={() => void orders.reload()}
      isEmpty={orders.rows.length === 0}
      empty={t('noneOpen')}
      skeletonRows={2}
    >
      <ul className={css.cards}>
        {orders.rows.map((order) => (
          <OpenCard key={order.id} order={order} />
        ))}
      </ul>
    </ListBody>
  );
}

/** An open position with its countdown and its result at the current index price. */
export function OpenCard({ order }: { readonly order: SecondsOrder }) {
  const t = useWords('seconds');
  const index = useIndexPrice(order.symbol);
  const digits = digitsOf(order.buyPrice ?? index);
  const standing = currentResult(order, index);
  return (
    <li className={css.card} aria-label={`${order.baseCoin}/${order.quoteCoin}`}>
      <CountdownRing from={order.entryTime} until={order.expireTime} />
      <div className={css.cardMain}>
        <p>
          <b>
            {order.baseCoin}/{order.quoteCoin}
          </b>{' '}
          <DirectionMark order={order} />{' '}
          <span className={css.quiet}>{t('secondsShort', { count: order.holdTime })}</span>
        </p>
        <p className={css.prices}>
          <span>
            {t('entry')} <Price value={order.buyPrice} digits={digits} />
          </span>{' '}
          <span>
            {t('now')} <Price value={index} digits={digits} />
          </span>
        </p>
      </div>
      <div className={css.cardEnd}>
        <Amount value={order.openAmount} coin={order.quoteCoin} />
        <span className={css[standing]}>{t(`standing.${standing}`)}</span>
      </div>
    </li>
  );
}

/**
 * Returns the result of a position if it ended at the current index price `index`: won (`up`), lost (`down`)
 * or drawn (`quiet`); determines colour and word. Also `quiet` while the entry price or the index price is
 * unknown.
 */
function currentResult(
  { buyPrice, tradeType }: SecondsOrder,
  index: string | undefined,
): 'up' | 'down' | 'quiet' {
  if (buyPrice === undefined || index === undefined) return 'quiet';
  const change = Number(index) - Number(buyPrice);
  if (change === 0) return 'quiet';
  return change > 0 === (tradeType === 1) ? 'up' : 'down';
}

interface HistoryProps {
  readonly onOpen: (order: SecondsOrder) => void;
}

/** Columns of the table of closed positions; the button in the last column opens the settlement record. */
function useHistoryColumns({ onOpen }: HistoryProps): readonly Column<SecondsOrder>[] {
  const t = useWords('seconds');
  return [
    {
      key: 'pair',
      title: t('pair'),
      cell: ({ baseCoin, quoteCoin }) => `${baseCoin}/${quoteCoin}`,
    },
    { key: 'direction', title: t('direction'), cell: (order) => <DirectionMark order={order} /> },
    { key: 'duration', title: t('duration'), cell: ({ holdTime }) => t('secondsShort', { count: holdTime }) },
    {
      key: 'stake',
      title: t('stake'),
      align: 'end',
      cell: (order) => <Amount value={order.openAmount} coin={order.quoteCoin} />,
    },
    {
      key: 'rate',
      title: t('rate'),
      align: 'end',
      cell: ({ profitRate }) => <Percent value={profitRate} digits={0} />,
    },
    {
      key: 'entry',
      title: t('entryPrice'),
      align: 'end',
      cell: ({ buyPrice }) => <Price value={buyPrice} digits={digitsOf(buyPrice)} />,
    },
    {
      key: 'settle',
      title: t('settlePrice'),
      align: 'end',
      cell: ({ settlePrice }) => <Price value={settlePrice} digits={digitsOf(settlePrice)} />,
    },
    { key: 'result', title: t('result'), cell: (order) => <ResultBadge order={order} /> },
    { key: 'profit', title: t('profit'), align: 'end', cell: (order) => <Profit order={order} /> },
    {
      key: 'time',
      title: t('expiry'),
      cell: ({ expireTime }) => <When at={expireTime} look="second" />,
    },
    {
      key: 'verify',
      title: <span className="visually-hidden">{t('verify')}</span>,
      align: 'end',
      cell: (order) => (
        <Button look="quiet" size="s" onClick={() => onOpen(order)}>
          {t('verifyShort')}
        </Button>
      ),
    },
  ];
}

/** The user's closed positions as a table; a button in each row opens the position's settlement record. */
export function HistoryTable({ onOpen }: HistoryProps) {
  const t = useWords('seconds');
  const orders = useSecondsOrders('over');
  const unseen = useUndisplayedResults();
  const columns = useHistoryColumns({ onOpen });
  return (
    <ListBody
      isLoading={orders.isLoading}
      error={orders.error}
      onRetry={() => void orders.reload()}
      isEmpty={orders.rows.length === 0}
      empty={t('noneOver')}
      skeletonRows={5}
    >
      <DataTable
        caption={t('history')}
        columns={columns}
        rows={orders.rows}
        rowKey={({ id }) => id}
        isNew={({ id }) => unseen.has(id)}
      />
      <ListEnd list={orders} showsEnd />
    </ListBody>
  );
}

/** The user's closed positions as cards, for narrow screens; a press on a card calls `onOpen` with its position. */
export function HistoryCards({ onOpen }: { readonly onOpen: (order: SecondsOrder) => void }) {
  const t = useWords('seconds');
  const orders = useSecondsOrders('over');
  const unseen = useUndisplayedResults();
  return (
    <ListBody
      look="cards"
      isLoading={orders.isLoading}
      error={orders.error}
      onRetry={() => void orders.reload()}
      isEmpty={orders.rows.length === 0}
      empty={t('noneOver')}
    >
      <ul className={css.cards}>
        {orders.rows.map((order) => (
          <li key={order.id}>
            <button
              type="button"
              className={css.card}
              data-new={unseen.has(order.id) || undefined}
              onClick={() => onOpen(order)}
            >
              <span className={css.cardMain}>
                <span>
                  <b>
                    {order.baseCoin}/{order.quoteCoin}
                  </b>{' '}
                  <DirectionMark order={order} />{' '}
                  <span className={css.quiet}>{t('secondsShort', { count: order.holdTime })}</span>
                </span>
                <span className={css.quiet}>
                  <Price value={order.buyPrice} digits={digitsOf(order.buyPrice)} /> →{' '}
                  <Price value={order.settlePrice} digits={digitsOf(order.settlePrice)} />
                </span>
                <When at={order.expireTime} look="second" className={css.quiet} />
              </span>
              <span className={css.cardEnd}>
                <ResultBadge order={order} />
                <Profit order={order} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      <ListEnd list={orders} auto showsEnd />
    </ListBody>
  );
}

const RADIUS = 20;
const CIRCUMFERENCE = 2 * Math.PI * RADIUS;
const TICK_MS = 200;

/** Ring with the number of seconds until a position expires, by the server's clock; `…` until its entry. */
function CountdownRing({ from, until }: { readonly from: number; readonly until: number }) {
  const t = useWords('seconds');
  const locale = useLocale();
  const now = useNow(TICK_MS);
  const leftMs = Math.max(0, until - now);
  const share = Math.min(1, leftMs / (until - from));
  const isWaiting = now < from;
  const text = isWaiting ? '…' : leftMs === 0 ? '0' : String(Math.ceil(leftMs / 1_000));
  return (
    <span
      className={css.ring}
      role="timer"
      aria-label={isWaiting ? t('entering') : t('timeLeft', { time: formatRemaining(leftMs, locale) })}
    >
      <svg viewBox="0 0 48 48" aria-hidden="true">
        <circle className={css.ringBack} cx={24} cy={24} r={RADIUS} />
        <circle
          className={css.ringFront}
          cx={24}
          cy={24}
          r={RADIUS}
          strokeDasharray={`${share * CIRCUMFERENCE} ${CIRCUMFERENCE}`}
        />
      </svg>
      <span aria-hidden="true">{text}</span>
    </span>
  );
}
