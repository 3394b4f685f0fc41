import type { Decimal } from '@exchange/core/decimal.ts';
import { DecimalField } from '@exchange/web-kit/form/decimal-field.tsx';
import { formatDecimal, formatPercent } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { loginPathFor } from '@exchange/web-kit/shell/guard.ts';
import type { ClickOrder } from '@exchange/web-kit/spot/use-price-placing.ts';
import { Checkbox, Switch } from '@exchange/web-kit/ui/checkbox.tsx';
import { Link, useLocation } from 'react-router';
import { useState } from 'react';
import classes from './depth-ladder.module.css';
import { quickSizes } from './ladder-rows.ts';
import type { useArmed } from './use-armed.ts';

/** Offered shares of the available balance, in percent. */
const SHARES = [10, 25, 50, 100] as const;

interface ClickBarProps {
  readonly pair: MarketPair;
  /**
   * The pair's price, in the quote coin, from which the offered order sizes are calculated; undefined until
   * the first price is known.
   */
  readonly price: Decimal | undefined;
  readonly armed: ReturnType<typeof useArmed>;
  readonly chosen: ClickOrder;
  readonly onChange: (chosen: ClickOrder) => void;
}

/**
 * The switch for placing orders by a click and, while it is on, the inputs for their size and options; for visitors a
 * link to the login.
 */
export function ClickBar({ pair, price, armed, chosen, onChange }: ClickBarProps) {
  const t = useWords('depth-ladder');
  const { pathname, search } = useLocation();
  const isSignedIn = useSession(({ session }) => session !== null);
  if (!isSignedIn)
    return (
      <p className={classes.visitor}>
        <Link to={loginPathFor(pathname + search)}>{t('loginToPlace')}</Link>
      </p>
    );
  const isHalted = pair.status !== 'open';
  const reason = isHalted ? 'halted' : armed.reason;
  return (
    <div className={classes.click}>
      <div className={classes.arm}>
        <Switch
          label={t('arm')}
          checked={armed.isArmed}
          onChange={(isOn) => (isOn ? armed.arm() : armed.disarm())}
          disabled={isHalted}
        />
        <strong role="status">
          {armed.isArmed ? t('armed') : reason === undefined ? '' : t(`off.${reason}`)}
        </strong>
      </div>
      {armed.isArmed && <SizeFields pair={pair} price={price} chosen={chosen} onChange={onChange} />}
    </div>
  );
}

/** Inputs for the size and the post-only option of the orders that a click places. */
function SizeFields({ pair, price, chosen, onChange }: Omit<ClickBarProps, 'armed'>) {
  const t = useWords('depth-ladder');
  const tTrade = useWords('trade');
  const locale = useLocale();
  // The offered sizes are calculated from the first known price and stay while the price moves, so that no button
  // changes below the pointer.
  const [startPrice, setStartPrice] = useState(price);
  if (startPrice === undefined && price !== undefined) setStartPrice(price);
  const { size } = chosen;
  const setAmount = (amount: string) => onChange({ ...chosen, size: { by: 'amount', amount } });
  return (
    <div className={classes.sizes} role="group" aria-label={t('sizes')}>
      <DecimalField
        label={tTrade('amount')}
        value={size.by === 'amount' ? size.amount : ''}
        onChange={setAmount}
        places={pair.amountDigits}
        unit={pair.base}
        placeholder={size.by === 'share' ? tTrade('percentOf', { percent: size.percent }) : undefined}
      />
      <Checkbox
        label={tTrade('postOnly')}
        checked={chosen.postOnly}
        onChange={(postOnly) => onChange({ ...chosen, postOnly })}
      />
      <div className={classes.quick}>
        {(startPrice === undefined ? [] : quickSizes(pair, startPrice)).map((amount) => (
          <button
            key={amount}
            type="button"
            aria-pressed={size.by === 'amount' && size.amount === amount}
            onClick={() => setAmount(amount)}
          >
            {formatDecimal(amount, locale)}
          </button>
        ))}
        {SHARES.map((percent) => (
          <button
            key={percent}
            type="button"
            aria-label={tTrade('percentOf', { percent })}
            aria-pressed={size.by === 'share' && size.percent === percent}
            onClick={() => onChange({ ...chosen, size: { by: 'share', percent } })}
          >
            {formatPercent(String(percent / 100), locale, { digits: 0 })}
          </button>
        ))}
      </div>
    </div>
  );
}
