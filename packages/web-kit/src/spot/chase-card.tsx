import { Amount, Price, When } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { useDigits } from '../market/digits.ts';
import { notify } from '../notify.ts';
import type { OverlayLook } from '../ui/overlay.tsx';
import { Badge } from '../ui/parts.tsx';
import { AlgoCard } from './algo-card.tsx';
import { AlgoOrders } from './algo-orders.tsx';
import { useCancelChase, useChase, type Chase } from './chases.ts';

interface ChaseCardProps {
  readonly chase: Chase;
  readonly onOpen: () => void;
}

/** Card of a chase order: its progress, a button that shows its order, and until its end a button that cancels it. */
export function ChaseCard({ chase, onOpen }: ChaseCardProps) {
  const t = useWords('chase');
  const algo = useWords('algo');
  const digits = useDigits()(chase.symbol);
  const cancel = useCancelChase();
  const hasEnded = chase.status === 'ended';
  const end = (): void =>
    cancel.mutate(chase.id, {
      onSuccess: () => notify.success(t('cancelled')),
    });
  return (
    <AlgoCard
      kind={t('chase')}
      order={chase}
      state={<State chase={chase} />}
      figures={[
        { label: t('price'), value: <Price value={chase.price} digits={digits.price} /> },
        { label: t('worst'), value: <Price value={chase.worstPrice} digits={digits.price} /> },
        { label: algo('startPrice'), value: <Price value={chase.startPrice} digits={digits.price} /> },
        { label: t('moves'), value: chase.moveCount },
        {
          label: algo('until'),
          value: <When at={hasEnded ? chase.updateTime : chase.endTime} look="minute" />,
        },
      ]}
      onOpen={onOpen}
      openLabel={algo('orders')}
      onCancel={hasEnded ? undefined : end}
      cancelLabel={t('cancel')}
      isCancelling={cancel.isPending}
    />
  );
}

type Ending = 'filled' | 'user' | 'time' | 'selfTrade' | 'countdown';
type Wait = 'halted' | 'band' | 'funds' | 'rest' | 'moves';

/** Shows whether the chase order follows the best price, why it does not at present, or how it has ended. */
function State({ chase: { status, reason, price, worstPrice } }: { readonly chase: Chase }) {
  const t = useWords('chase');
  const algo = useWords('algo');
  if (status === 'ended') return <Badge tone="neutral">{t(`end_${reason as Ending}`)}</Badge>;
  if (status === 'waiting')
    return (
      <>
        <Badge tone="warning">{t('waiting')}</Badge>
        <span>{t(`wait_${reason as Wait}`)}</span>
      </>
    );
  return (
    <>
      <Badge tone="accent">{algo('running')}</Badge>
      {price === worstPrice ? <span>{t('atWorst')}</span> : null}
    </>
  );
}

interface ChaseOrdersProps {
  readonly id: string;
  readonly look: OverlayLook;
  readonly onClose: () => void;
}

/** Dialog or sheet that shows the order that a chase order has placed in the book. */
export function ChaseOrders({ id, look, onClose }: ChaseOrdersProps) {
  const algo = useWords('algo');
  const trade = useWords('trade');
  const digitsOf = useDigits();
  const answer = useChase(id);
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
          key: 'price',
          title: trade('price'),
          align: 'end',
          cell: ({ price, symbol }) => <Price value={price} digits={digitsOf(symbol).price} />,
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
      ]}
    />
  );
}
