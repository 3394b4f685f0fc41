import type { ReactNode } from 'react';
import { Amount, Price, When } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { useDigits } from '../market/digits.ts';
import { Button } from '../ui/button.tsx';
import css from './algo.module.css';

/**
 * The fields that algo orders of every kind except grids have; a grid has only those that `FrameProps` names.
 */
interface AlgoFigures {
  readonly symbol: string;
  readonly baseCoin: string;
  readonly quoteCoin: string;
  readonly tradeType: 1 | 2;
  readonly amount: string;
  readonly filledAmount: string;
  readonly avgPrice: string;
  readonly fee: string;
  readonly feeCoin: string;
  readonly createTime: number;
}

interface CardProps<Order> {
  readonly kind: string;
  readonly order: Order;
  /** Element that shows whether the algo order is running, why it is paused, or how it has ended. */
  readonly state: ReactNode;
  /** Further figures of the order, which `AlgoCard` shows after the filled amount, the average price and the fees. */
  readonly figures: readonly { readonly label: string; readonly value: ReactNode }[];
  readonly onOpen: () => void;
  readonly openLabel: string;
  /** Cancels the order; undefined when the order has ended. */
  readonly onCancel: (() => void) | undefined;
  readonly cancelLabel: string;
  readonly isCancelling: boolean;
}

/**
 * Card of an algo order: its progress, a button that shows the orders it has placed, and, if `onCancel` is given, a
 * button that cancels it.
 */
export function AlgoCard({ order, ...props }: CardProps<AlgoFigures>) {
  const t = useWords('algo');
  const trade = useWords('trade');
  const digits = useDigits()(order.symbol);
  const isBuy = order.tradeType === 1;
  const figures = [
    {
      label: t('filled'),
      value: (
        <>
          <Amount value={order.filledAmount} digits={digits.amount} /> /{' '}
          <Amount value={order.amount} digits={digits.amount} coin={order.baseCoin} />
        </>
      ),
    },
    {
      label: t('average'),
      value: <Price value={order.avgPrice === '' ? undefined : order.avgPrice} digits={digits.price} />,
    },
    { label: t('fee'), value: <Amount value={order.fee} coin={order.feeCoin} /> },
    ...props.figures,
  ];
  return (
    <CardFrame
      {...props}
      order={order}
      figures={figures}
      state={
        <>
          <span data-side={isBuy ? 'buy' : 'sell'}>{trade(isBuy ? 'buy' : 'sell')}</span>
          {props.state}
        </>
      }
    />
  );
}

type FrameProps = CardProps<Pick<AlgoFigures, 'symbol' | 'baseCoin' | 'quoteCoin' | 'createTime'>> & {
  /** Content of the card that is shown between its figures and its buttons. */
  readonly children?: ReactNode;
};

/**
 * The frame of the card of an algo order: pair and state, figures, a button that shows its orders, and, if `onCancel`
 * is given, a button that cancels it.
 */
export function CardFrame({ order, figures, children, ...props }: FrameProps) {
  return (
    <li className={css.card}>
      <div className={css.head}>
        <b>
          {props.kind} · {order.baseCoin}/{order.quoteCoin}
        </b>
        {props.state}
        <When at={order.createTime} look="minute" className={css.quiet} />
      </div>
      <dl className={css.figures}>
        {figures.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {children}
      <div className={css.actions}>
        <Button look="secondary" size="s" onClick={props.onOpen}>
          {props.openLabel}
        </Button>
        {props.onCancel === undefined ? null : (
          <Button look="secondary" size="s" busy={props.isCancelling} onClick={props.onCancel}>
            {props.cancelLabel}
          </Button>
        )}
      </div>
    </li>
  );
}
