import { Amount, Price, When } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { useDigits } from '../market/digits.ts';
import { notify } from '../notify.ts';
import type { OverlayLook } from '../ui/overlay.tsx';
import { Badge } from '../ui/parts.tsx';
import { AlgoCard } from './algo-card.tsx';
import { AlgoOrders } from './algo-orders.tsx';
import { useCancelIceberg, useIceberg, type Iceberg } from './icebergs.ts';

interface IcebergCardProps {
  readonly iceberg: Iceberg;
  readonly onOpen: () => void;
}

/**
 * Card of an iceberg order: its progress, a button that shows the orders it has placed, and until its end a button that
 * cancels it.
 */
export function IcebergCard({ iceberg, onOpen }: IcebergCardProps) {
  const t = useWords('iceberg');
  const algo = useWords('algo');
  const trade = useWords('trade');
  const digits = useDigits()(iceberg.symbol);
  const cancel = useCancelIceberg();
  const isRunning = iceberg.status === 'running';
  const end = (): void =>
    cancel.mutate(iceberg.id, {
      onSuccess: () => notify.success(t('cancelled')),
    });
  const hidden = {
    label: t('hidden'),
    value: <Amount value={iceberg.hiddenAmount} digits={digits.amount} coin={iceberg.baseCoin} />,
  };
  const ended = { label: algo('until'), value: <When at={iceberg.updateTime} look="minute" /> };
  return (
    <AlgoCard
      kind={t('iceberg')}
      order={iceberg}
      state={
        <Badge tone={isRunning ? 'accent' : 'neutral'}>
          {isRunning ? algo('running') : t(`end_${iceberg.reason as Ending}`)}
        </Badge>
      }
      figures={[
        { label: trade('price'), value: <Price value={iceberg.price} digits={digits.price} /> },
        {
          label: t('visible'),
          value: <Amount value={iceberg.visible} digits={digits.amount} coin={iceberg.baseCoin} />,
        },
        isRunning ? hidden : ended,
        { label: algo('placed'), value: iceberg.placedCount },
      ]}
      onOpen={onOpen}
      openLabel={algo('orders')}
      onCancel={isRunning ? end : undefined}
      cancelLabel={t('cancel')}
      isCancelling={cancel.isPending}
    />
  );
}

type Ending = 'filled' | 'user' | 'selfTrade' | 'countdown';

interface IcebergOrdersProps {
  readonly id: string;
  readonly look: OverlayLook;
  readonly onClose: () => void;
}

/** Dialog or sheet with a table of the orders that an iceberg order has placed, oldest first. */
export function IcebergOrders({ id, look, onClose }: IcebergOrdersProps) {
  const algo = useWords('algo');
  const trade = useWords('trade');
  const digitsOf = useDigits();
  const answer = useIceberg(id);
  return (
    <AlgoOrders
      title={algo('orders')}
      look={look}
      onClose={onClose}
      answer={answer}
      empty={undefined}
      columns={[
        {
          key: 'time',
          title: algo('time'),
          cell: ({ createTime }) => <When at={createTime} look="second" />,
        },
        {
          key: 'filled',
          title: algo('filled'),
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
          cell: ({ price, avgPrice, symbol }) => (
            <Price value={avgPrice === '' ? price : avgPrice} digits={digitsOf(symbol).price} />
          ),
        },
      ]}
    />
  );
}
