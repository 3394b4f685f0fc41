import { Amount, Price } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { useDigits } from '../market/digits.ts';
import { notify } from '../notify.ts';
import type { OverlayLook } from '../ui/overlay.tsx';
import { Badge } from '../ui/parts.tsx';
import { AlgoCard } from './algo-card.tsx';
import { AlgoOrders } from './algo-orders.tsx';
import { useCancelLadder, useLadder, type Ladder } from './ladders.ts';

interface LadderCardProps {
  readonly ladder: Ladder;
  readonly onOpen: () => void;
}

/**
 * Card of a ladder (several limit orders in a price range): its progress, a button that shows its orders, and, while
 * any of its orders is open, a button that cancels all of its open orders.
 */
export function LadderCard({ ladder, onOpen }: LadderCardProps) {
  const t = useWords('ladder');
  const algo = useWords('algo');
  const digits = useDigits()(ladder.symbol);
  const cancel = useCancelLadder();
  const isOpen = ladder.openCount > 0;
  const end = (): void =>
    cancel.mutate(ladder.id, {
      onSuccess: ({ count }) => notify.success(t('cancelled', { count })),
    });
  return (
    <AlgoCard
      kind={algo('ladder')}
      order={ladder}
      state={
        <Badge tone={isOpen ? 'accent' : 'neutral'}>
          {isOpen ? t('openOf', { open: ladder.openCount, count: ladder.count }) : t('hasEnded')}
        </Badge>
      }
      figures={[
        {
          label: t('range'),
          value: (
            <>
              <Price value={ladder.fromPrice} digits={digits.price} /> →{' '}
              <Price value={ladder.toPrice} digits={digits.price} />
            </>
          ),
        },
      ]}
      onOpen={onOpen}
      openLabel={t('orders')}
      onCancel={isOpen ? end : undefined}
      cancelLabel={t('cancel')}
      isCancelling={cancel.isPending}
    />
  );
}

interface LadderOrdersProps {
  readonly id: string;
  readonly look: OverlayLook;
  readonly onClose: () => void;
}

/**
 * Dialog or sheet with a table of the limit orders that a ladder has placed, from the first price of its
 * range to the last.
 */
export function LadderOrders({ id, look, onClose }: LadderOrdersProps) {
  const t = useWords('ladder');
  const algo = useWords('algo');
  const trade = useWords('trade');
  const digitsOf = useDigits();
  const answer = useLadder(id);
  return (
    <AlgoOrders
      title={t('orders')}
      look={look}
      onClose={onClose}
      answer={answer}
      empty={undefined}
      columns={[
        {
          key: 'price',
          title: trade('price'),
          cell: ({ price, symbol }) => <Price value={price} digits={digitsOf(symbol).price} />,
        },
        {
          key: 'amount',
          title: trade('amount'),
          align: 'end',
          cell: ({ amount, symbol }) => <Amount value={amount} digits={digitsOf(symbol).amount} />,
        },
        {
          key: 'filled',
          title: algo('filled'),
          align: 'end',
          cell: ({ filledAmount, symbol }) => (
            <Amount value={filledAmount} digits={digitsOf(symbol).amount} />
          ),
        },
      ]}
    />
  );
}
