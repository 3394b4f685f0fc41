import { Decimal } from '@exchange/core/decimal.ts';
import type { ComponentType, ReactNode } from 'react';
import { withUnit } from '../format/decimals.ts';
import { formatDecimal, formatPercent, formatPrice } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { useLevels } from '../market/live.ts';
import { Button } from '../ui/button.tsx';
import css from './far-limit.module.css';
import { distanceBeyondBest } from './distance-beyond-best.ts';
import { fillEstimate } from './fill-estimate.ts';
import type { Ticket, TicketMarket } from './ticket.ts';
import type { TicketControl } from './use-ticket.ts';

interface FrameProps {
  isOpen: boolean;
  onClose: () => void;
  title: ReactNode;
  closeLabel: string;
  children: ReactNode;
}

interface FarLimitProps {
  readonly control: Pick<TicketControl, 'far'>;
  readonly moment: TicketMarket;
  /** Component of the app in which the question is shown: a dialog or a sheet. */
  readonly Frame: ComponentType<FrameProps>;
}

/**
 * Asks the user to confirm an order whose limit price is at least 2 % beyond the best opposite price, and
 * shows the average price at which it would probably be filled.
 */
export function FarLimit({ control: { far }, moment, Frame }: FarLimitProps) {
  const t = useWords('trade');
  const shell = useWords('shell');
  if (far === undefined) return null;
  const isBuy = far.ticket.side === 'buy';
  return (
    <Frame isOpen onClose={far.dismiss} title={t(isBuy ? 'farBuy' : 'farSell')} closeLabel={shell('close')}>
      <Question ticket={far.ticket} moment={moment} />
      <div className={css.actions}>
        <Button look="secondary" size="m" onClick={far.dismiss}>
          {t('farBack')}
        </Button>
        <Button look={far.ticket.side} size="m" onClick={far.place}>
          {t('farPlace')}
        </Button>
      </div>
    </Frame>
  );
}

function Question({ ticket, moment }: { readonly ticket: Ticket; readonly moment: TicketMarket }) {
  const t = useWords('trade');
  const locale = useLocale();
  const { pair } = moment;
  const levels = useLevels(pair.symbol, ticket.side === 'buy' ? 'asks' : 'bids');
  const fill = fillEstimate(ticket, pair, levels);
  const share = distanceBeyondBest(ticket, moment);
  const price = (value: Decimal) =>
    withUnit(formatPrice(value.toString(), locale, pair.priceDigits), pair.quote);
  const limit = price(Decimal.parse(ticket.price));
  return (
    <>
      {share !== undefined && (
        <p>
          {t(ticket.side === 'buy' ? 'farAbove' : 'farBelow', {
            limit,
            share: formatPercent(share.toString(), locale),
          })}
        </p>
      )}
      {fill !== undefined && (
        <p className={css.fill}>
          {t(fill.isWhole ? 'farFill' : 'farPart', {
            amount: withUnit(formatDecimal(fill.amount.toString(), locale), pair.base),
            price: price(fill.averagePrice),
            limit,
          })}
        </p>
      )}
    </>
  );
}
