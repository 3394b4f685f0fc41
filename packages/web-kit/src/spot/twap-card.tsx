import { Amount, Price, When } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { useDigits } from '../market/digits.ts';
import { notify } from '../notify.ts';
import type { OverlayLook } from '../ui/overlay.tsx';
import { Badge } from '../ui/parts.tsx';
import { AlgoCard } from './algo-card.tsx';
import { AlgoOrders } from './algo-orders.tsx';
import { useCancelTwap, useTwap, type Twap } from './twaps.ts';

interface TwapCardProps {
  readonly twap: Twap;
  readonly onOpen: () => void;
}

/**
 * Card of a TWAP order: its progress, a button that shows the orders it has placed, and until its end a button that
 * cancels it.
 */
export function TwapCard({ twap, onOpen }: TwapCardProps) {
  const t = useWords('algo');
  const digits = useDigits()(twap.symbol);
  const cancel = useCancelTwap();
  const hasEnded = twap.status === 'ended';
  const end = (): void =>
    cancel.mutate(twap.id, {
      onSuccess: () => notify.success(t('cancelled')),
    });
  const limit = { label: t('limitPrice'), value: <Price value={twap.limitPrice} digits={digits.price} /> };
  const next = { label: t('next'), value: <When at={twap.nextTime} look="second" /> };
  return (
    <AlgoCard
      kind={t('twap')}
      order={twap}
      state={<State twap={twap} />}
      figures={[
        { label: t('placed'), value: `${twap.placedCount} / ${twap.count}` },
        { label: t('startPrice'), value: <Price value={twap.startPrice} digits={digits.price} /> },
        {
          label: t('bps'),
          value: twap.slippageBps === '' ? '–' : `${twap.slippageBps.replace('-', '−')} ${t('bpsUnit')}`,
        },
        ...(twap.limitPrice === '' ? [] : [limit]),
        ...(twap.status === 'running' ? [next] : []),
        {
          label: t('until'),
          value: <When at={hasEnded ? twap.updateTime : twap.endTime} look="minute" />,
        },
      ]}
      onOpen={onOpen}
      openLabel={t('orders')}
      onCancel={hasEnded ? undefined : end}
      cancelLabel={t('cancel')}
      isCancelling={cancel.isPending}
    />
  );
}

/** Shows whether the TWAP order is running, why it is paused, or how it has ended. */
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

interface TwapOrdersProps {
  readonly id: string;
  readonly look: OverlayLook;
  readonly onClose: () => void;
}

/** Dialog or sheet with a table of the orders that a TWAP order has placed, oldest first. */
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
