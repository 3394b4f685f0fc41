import { Amount, Price, When } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { useDigits } from '../market/digits.ts';
import { notify } from '../notify.ts';
import { Button } from '../ui/button.tsx';
import type { OverlayLook } from '../ui/overlay.tsx';
import { Badge } from '../ui/parts.tsx';
import { AlgoOrders } from './algo-orders.tsx';
import css from './algo.module.css';
import { useCancelTwap, useTwap, type Twap } from './twaps.ts';

interface TwapCardProps {
  readonly twap: Twap;
  readonly onOpen: () => void;
}

/** A TWAP order with its progress, and buttons for its children and its end. */
export function TwapCard({ twap, onOpen }: TwapCardProps) {
  const t = useWords('algo');
  const trade = useWords('trade');
  const cancel = useCancelTwap();
  const hasEnded = twap.status === 'ended';
  const end = (): void =>
    cancel.mutate(twap.id, {
      onSuccess: () => notify.success(t('cancelled')),
      onError: notify.failure,
    });
  return (
    <li className={css.card}>
      <div className={css.head}>
        <b>
          {t('twap')} · {twap.baseCoin}/{twap.quoteCoin}
        </b>
        <span data-side={twap.tradeType === 1 ? 'buy' : 'sell'}>
          {trade(twap.tradeType === 1 ? 'buy' : 'sell')}
        </span>
        <State twap={twap} />
        <When at={twap.createTime} look="minute" className={css.quiet} />
      </div>
      <Figures twap={twap} />
      <div className={css.actions}>
        <Button look="secondary" size="s" onClick={onOpen}>
          {t('orders')}
        </Button>
        {hasEnded ? null : (
          <Button look="secondary" size="s" busy={cancel.isPending} onClick={end}>
            {t('cancel')}
          </Button>
        )}
      </div>
    </li>
  );
}

/** Whether the TWAP order runs, why it is paused, or how it has ended. */
function State({ twap: { status, reason } }: { readonly twap: Twap }) {
  const t = useWords('algo');
  if (status === 'running') return <Badge tone="accent">{t('running')}</Badge>;
  if (status === 'ended') return <Badge tone="neutral">{t(`end_${reason as Ending}`)}</Badge>;
  return (
    <>
      <Badge tone="warning">{t('paused')}</Badge>
      <span>{t(`pause_${reason as Pause}`)}</span>
    </>
  );
}

type Ending = 'filled' | 'rest' | 'time' | 'user';
type Pause = 'halted' | 'book' | 'limit' | 'band' | 'funds' | 'orders' | 'account';

function Figures({ twap }: { readonly twap: Twap }) {
  const t = useWords('algo');
  const digits = useDigits()(twap.symbol);
  const hasEnded = twap.status === 'ended';
  return (
    <dl className={css.figures}>
      <div>
        <dt>{t('filled')}</dt>
        <dd>
          <Amount value={twap.filledAmount} digits={digits.amount} /> /{' '}
          <Amount value={twap.amount} digits={digits.amount} coin={twap.baseCoin} />
        </dd>
      </div>
      <div>
        <dt>{t('placed')}</dt>
        <dd>
          {twap.placedCount} / {twap.count}
        </dd>
      </div>
      <div>
        <dt>{t('average')}</dt>
        <dd>
          <Price value={twap.avgPrice === '' ? undefined : twap.avgPrice} digits={digits.price} />
        </dd>
      </div>
      <div>
        <dt>{t('startPrice')}</dt>
        <dd>
          <Price value={twap.startPrice} digits={digits.price} />
        </dd>
      </div>
      <div>
        <dt>{t('bps')}</dt>
        <dd>{twap.slippageBps === '' ? '–' : `${twap.slippageBps.replace('-', '−')} ${t('bpsUnit')}`}</dd>
      </div>
      <div>
        <dt>{t('fee')}</dt>
        <dd>
          <Amount value={twap.fee} coin={twap.feeCoin} />
        </dd>
      </div>
      {twap.limitPrice === '' ? null : (
        <div>
          <dt>{t('limitPrice')}</dt>
          <dd>
            <Price value={twap.limitPrice} digits={digits.price} />
          </dd>
        </div>
      )}
      {twap.status === 'running' ? (
        <div>
          <dt>{t('next')}</dt>
          <dd>
            <When at={twap.nextTime} look="second" />
          </dd>
        </div>
      ) : null}
      <div>
        <dt>{t('until')}</dt>
        <dd>
          <When at={hasEnded ? twap.updateTime : twap.endTime} look="minute" />
        </dd>
      </div>
    </dl>
  );
}

interface TwapOrdersProps {
  readonly id: string;
  readonly look: OverlayLook;
  readonly onClose: () => void;
}

/** The placed children of a TWAP order, oldest first. */
export function TwapOrders({ id, look, onClose }: TwapOrdersProps) {
  const t = useWords('algo');
  const trade = useWords('trade');
  const digitsOf = useDigits();
  const answer = useTwap(id);
  return (
    <AlgoOrders
      title={t('orders')}
      look={look}
      onClose={onClose}
      answer={answer}
      empty={t('noOrders')}
      columns={[
        {
          key: 'time',
          title: t('time'),
          cell: ({ createTime }) => <When at={createTime} look="second" />,
        },
        {
          key: 'filled',
          title: t('filled'),
          align: 'end',
          cell: ({ filledAmount, amount, symbol }) => (
            <>
              <Amount value={filledAmount} digits={digitsOf(symbol).amount} /> /{' '}
              <Amount value={amount} digits={digitsOf(symbol).amount} />
            </>
          ),
        },
        {
          key: 'price',
          title: trade('price'),
          align: 'end',
          cell: ({ avgPrice, symbol }) => (
            <Price value={avgPrice === '' ? undefined : avgPrice} digits={digitsOf(symbol).price} />
          ),
        },
      ]}
    />
  );
}
