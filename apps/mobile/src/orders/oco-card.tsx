import { Amount, When } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { PairDigits } from '@exchange/web-kit/market/digits.ts';
import { useOrderWords } from '@exchange/web-kit/spot/order-words.ts';
import type { Order } from '@exchange/web-kit/spot/queries.ts';
import { CancelButton, CardHead, Fact } from './card-parts.tsx';
import { AmendButton, OrderPrice } from './order-card.tsx';
import css from './orders.module.css';

interface OcoCardProps {
  limit: Order;
  stop: Order;
  digits: PairDigits;
  onAmend: (order: Order) => void;
}

/** Both legs of an OCO as one: what rests on the book, what waits, and one way to cancel both. */
export function OcoCard({ limit, stop, digits, onAmend }: OcoCardProps) {
  const t = useWords('orders');
  const own = useWords('mobile-orders');
  const trade = useWords('trade');
  const words = useOrderWords();
  return (
    <li className={css.card}>
      <CardHead order={limit} kind={trade('oco')} end={<CancelButton order={limit} />} />
      <dl className={css.legs}>
        <div className={css.leg}>
          <dt>{own('legLimit')}</dt>
          <dd>
            <OrderPrice order={limit} digits={digits} /> <AmendButton order={limit} onAmend={onAmend} />
          </dd>
        </div>
        <div className={css.leg}>
          <dt>{own('legStop')}</dt>
          <dd>
            {words.condition(stop, digits.price)}
            <span className={css.of}>
              {' → '}
              <OrderPrice order={stop} digits={digits} />
            </span>{' '}
            <AmendButton order={stop} onAmend={onAmend} />
          </dd>
        </div>
      </dl>
      <dl className={css.facts}>
        <Fact name={t('amount')}>
          <Amount value={limit.amount} digits={digits.amount} coin={limit.baseCoin} />
        </Fact>
        <Fact name={t('time')}>
          <When at={limit.createTime} look="minute" />
        </Fact>
      </dl>
    </li>
  );
}
