import { Amount, Price, When } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { useDigits } from '../market/digits.ts';
import { notify } from '../notify.ts';
import { Button } from '../ui/button.tsx';
import type { OverlayLook } from '../ui/overlay.tsx';
import { Badge } from '../ui/parts.tsx';
import { AlgoOrders } from './algo-orders.tsx';
import css from './algo.module.css';
import { useCancelLadder, useLadder, type Ladder } from './ladders.ts';

interface LadderCardProps {
  readonly ladder: Ladder;
  readonly onOpen: () => void;
}

/** A ladder with its progress, and buttons for its orders and its cancellation. */
export function LadderCard({ ladder, onOpen }: LadderCardProps) {
  const t = useWords('ladder');
  const algo = useWords('algo');
  const trade = useWords('trade');
  const digits = useDigits()(ladder.symbol);
  const cancel = useCancelLadder();
  const isOpen = ladder.openCount > 0;
  const end = (): void =>
    cancel.mutate(ladder.id, {
      onSuccess: ({ count }) => notify.success(t('cancelled', { count })),
      onError: notify.failure,
    });
  return (
    <li className={css.card}>
      <div className={css.head}>
        <b>
          {algo('ladder')} · {ladder.baseCoin}/{ladder.quoteCoin}
        </b>
        <span data-side={ladder.tradeType === 1 ? 'buy' : 'sell'}>
          {trade(ladder.tradeType === 1 ? 'buy' : 'sell')}
        </span>
        <Badge tone={isOpen ? 'accent' : 'neutral'}>
          {isOpen ? t('openOf', { open: ladder.openCount, count: ladder.count }) : t('hasEnded')}
        </Badge>
        <When at={ladder.createTime} look="minute" className={css.quiet} />
      </div>
      <dl className={css.figures}>
        <div>
          <dt>{t('range')}</dt>
          <dd>
            <Price value={ladder.fromPrice} digits={digits.price} /> →{' '}
            <Price value={ladder.toPrice} digits={digits.price} />
          </dd>
        </div>
        <div>
          <dt>{t('filled')}</dt>
          <dd>
            <Amount value={ladder.filledAmount} digits={digits.amount} /> /{' '}
            <Amount value={ladder.amount} digits={digits.amount} coin={ladder.baseCoin} />
          </dd>
        </div>
        <div>
          <dt>{t('average')}</dt>
          <dd>
            <Price value={ladder.avgPrice === '' ? undefined : ladder.avgPrice} digits={digits.price} />
          </dd>
        </div>
        <div>
          <dt>{t('fee')}</dt>
          <dd>
            <Amount value={ladder.fee} coin={ladder.feeCoin} />
          </dd>
        </div>
      </dl>
      <div className={css.actions}>
        <Button look="secondary" size="s" onClick={onOpen}>
          {t('orders')}
        </Button>
        {isOpen ? (
          <Button look="secondary" size="s" busy={cancel.isPending} onClick={end}>
            {t('cancel')}
          </Button>
        ) : null}
      </div>
    </li>
  );
}

interface LadderOrdersProps {
  readonly id: string;
  readonly look: OverlayLook;
  readonly onClose: () => void;
}

/** The orders of a ladder, from its first price to its last. */
export function LadderOrders({ id, look, onClose }: LadderOrdersProps) {
  const t = useWords('ladder');
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
          title: t('filled'),
          align: 'end',
          cell: ({ filledAmount, symbol }) => (
            <Amount value={filledAmount} digits={digitsOf(symbol).amount} />
          ),
        },
      ]}
    />
  );
}
