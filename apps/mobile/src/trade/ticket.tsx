import type { TimeInForce } from '@exchange/core/spot.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { loginPathFor } from '@exchange/web-kit/shell/guard.ts';
import type { TicketMoment } from '@exchange/web-kit/spot/ticket-form.ts';
import { Button, ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Checkbox } from '@exchange/web-kit/ui/checkbox.tsx';
import { SegmentedControl, Select } from '@exchange/web-kit/ui/choice.tsx';
import { DecimalField } from '@exchange/web-kit/ui/decimal-field.tsx';
import { useLocation } from 'react-router';
import { Consequence } from './consequence.tsx';
import css from './ticket.module.css';
import type { TicketControl } from './use-ticket.ts';

interface TicketProps {
  moment: TicketMoment;
  control: TicketControl;
}

const PERCENTS = [25, 50, 75, 100] as const;
const TOTAL_PLACES = 8;

/** The order ticket: side, type, price, amount or total, what it costs, and the button. */
export function Ticket({ moment, control }: TicketProps) {
  const t = useWords('trade');
  const { ticket } = control;
  const isMarket = ticket.type === 'market';
  return (
    <form
      className={css.ticket}
      onSubmit={(event) => {
        event.preventDefault();
        void control.submit();
      }}
    >
      <SegmentedControl
        label={t('side')}
        look="sides"
        value={ticket.side}
        onChange={control.setSide}
        options={[
          { value: 'buy', label: t('buy') },
          { value: 'sell', label: t('sell') },
        ]}
      />
      <Select
        label={t('orderType')}
        className={css.type}
        value={ticket.type}
        onChange={control.setType}
        options={[
          { value: 'limit', label: t('limit') },
          { value: 'market', label: t('market') },
        ]}
      />
      <Fields moment={moment} control={control} />
      <Percents control={control} />
      <Consequence summary={control.summary} pair={moment.pair} />
      {isMarket ? null : <Validity control={control} />}
      {control.problem === undefined ? null : (
        <p className={css.problem} role="alert">
          {control.problem}
        </p>
      )}
      <Submit moment={moment} control={control} />
    </form>
  );
}

function Fields({ moment: { pair }, control }: TicketProps) {
  const t = useWords('trade');
  const { ticket } = control;
  const isMarket = ticket.type === 'market';
  const invalid = (field: string) =>
    control.problem !== undefined && control.problemField === field ? '' : undefined;
  return (
    <>
      {isMarket ? (
        <>
          <p className={css.best}>{t('marketPrice')}</p>
          <SegmentedControl
            label={t('amount')}
            value={ticket.by}
            onChange={control.setBy}
            options={[
              { value: 'amount', label: t('byAmount') },
              { value: 'total', label: t('byTotal') },
            ]}
          />
        </>
      ) : (
        <DecimalField
          label={t('price')}
          unit={pair.quote}
          value={ticket.price}
          onChange={control.setPrice}
          places={pair.priceDigits}
          error={invalid('price')}
        />
      )}
      {isMarket && ticket.by === 'total' ? null : (
        <DecimalField
          label={t('amount')}
          unit={pair.base}
          value={ticket.amount}
          onChange={control.setAmount}
          places={pair.amountDigits}
          error={invalid('amount')}
        />
      )}
      {isMarket && ticket.by === 'amount' ? null : (
        <DecimalField
          label={t('total')}
          unit={pair.quote}
          value={ticket.total}
          onChange={control.setTotal}
          places={Math.min(TOTAL_PLACES, pair.priceDigits + pair.amountDigits)}
          error={invalid('total')}
        />
      )}
    </>
  );
}

function Percents({ control }: { control: TicketControl }) {
  const t = useWords('trade');
  return (
    <div className={css.percents} role="group" aria-label={t('percent')}>
      {PERCENTS.map((percent) => (
        <button
          key={percent}
          type="button"
          className={css.percent}
          aria-label={t('percentOf', { percent })}
          disabled={control.summary.available === undefined}
          onClick={() => control.setPercent(percent)}
        >
          {percent}%
        </button>
      ))}
    </div>
  );
}

function Validity({ control }: { control: TicketControl }) {
  const t = useWords('trade');
  const { ticket } = control;
  return (
    <div className={css.validity}>
      <Checkbox label={t('postOnly')} checked={ticket.postOnly} onChange={control.setPostOnly} />
      <Select<TimeInForce>
        label={t('timeInForce')}
        value={ticket.timeInForce}
        onChange={control.setTimeInForce}
        options={[
          { value: 'GTC', label: t('gtcShort') },
          { value: 'IOC', label: t('iocShort') },
          { value: 'FOK', label: t('fokShort') },
        ]}
      />
    </div>
  );
}

function Submit({ moment: { pair }, control }: TicketProps) {
  const t = useWords('trade');
  const isSignedIn = useSession(({ session }) => session !== null);
  const { pathname, search } = useLocation();
  const { side } = control.ticket;
  return (
    <div className={css.submit}>
      {isSignedIn ? (
        <Button type="submit" wide size="m" look={side} busy={control.isBusy}>
          {t(side === 'buy' ? 'buyCoin' : 'sellCoin', { coin: pair.base })}
        </Button>
      ) : (
        <ButtonLink to={loginPathFor(pathname + search)} wide>
          {t('loginToTrade')}
        </ButtonLink>
      )}
    </div>
  );
}
