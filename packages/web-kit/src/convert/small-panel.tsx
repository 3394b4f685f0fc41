import { CheckCircle2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { UnansweredNote } from '../form/unanswered-note.tsx';
import { CoinIcon } from '../format/coin-icon.tsx';
import { Amount } from '../format/numbers.tsx';
import { useSecondsLeft } from '../format/remaining.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { SegmentedControl } from '../ui/choice.tsx';
import css from './small.module.css';
import { useSmallExchange, type SmallBalance, type SmallControl, type SmallQuote } from './small-balances.ts';

interface SmallPanelProps {
  /**
   * The reason why the user cannot convert, with a link to the screen on which the user can remove the reason;
   * undefined if there is none or it is unknown yet.
   */
  readonly gate: ReactNode | undefined;
  /** The link to the user's assets page. */
  readonly toAssets: ReactNode;
}

/**
 * Panel that converts several small balances into one coin: the selection, one firm quote, and the result.
 */
export function SmallPanel({ gate, toAssets }: SmallPanelProps) {
  const control = useSmallExchange();
  return (
    <section className={css.panel}>
      {control.done !== undefined ? (
        <Done exchange={control.done} onAgain={control.again} toAssets={toAssets} />
      ) : control.quote !== undefined ? (
        <QuoteView control={control} quote={control.quote} />
      ) : (
        <Choice control={control} gate={gate} toAssets={toAssets} />
      )}
    </section>
  );
}

function Choice({ control, gate, toAssets }: SmallPanelProps & { readonly control: SmallControl }) {
  const t = useWords('small');
  const convert = useWords('convert');
  const { balances, chosen, to } = control;
  const { data } = balances;
  const left = data === undefined ? undefined : Math.max(0, data.perDay - data.usedToday);
  return (
    <>
      <SegmentedControl
        label={t('into')}
        value={to}
        onChange={control.setTo}
        options={(data?.targets ?? ['USDT', 'BTC', 'ETH']).map((value) => ({ value, label: value }))}
      />
      <ListBody
        look="cards"
        skeletonRows={4}
        isLoading={balances.isPending}
        error={balances.error}
        onRetry={() => void balances.refetch()}
        isEmpty={data?.list.length === 0}
        empty={t('none', { max: data?.max ?? '10' })}
        action={toAssets}
      >
        <ul className={css.list}>
          {data?.list.map((balance) => (
            <BalanceRow key={balance.currency} balance={balance} control={control} />
          ))}
        </ul>
        <dl className={css.facts}>
          <div data-look="sum">
            <dt>{t('about')}</dt>
            <dd>
              <Amount value={control.total} coin={to} />
            </dd>
          </div>
          <div>
            <dt>{t('left')}</dt>
            <dd>{left === undefined ? '–' : t('leftOf', { left, limit: data?.perDay ?? 0 })}</dd>
          </div>
        </dl>
        <p className={css.note}>{t('terms')}</p>
        {gate === undefined ? (
          <Button
            size="l"
            wide
            busy={control.isAsking}
            disabled={chosen.length === 0 || left === 0}
            onClick={() => void control.ask()}
          >
            {convert('getQuote')}
          </Button>
        ) : (
          <div className={css.gate}>{gate}</div>
        )}
      </ListBody>
    </>
  );
}

function BalanceRow({
  balance,
  control,
}: {
  readonly balance: SmallBalance;
  readonly control: SmallControl;
}) {
  const { currency, amount, worth } = balance;
  return (
    <li className={css.row}>
      <Checkbox
        label={
          <span className={css.coin}>
            <CoinIcon coin={currency} size={24} />
            <b>{currency}</b>
          </span>
        }
        checked={control.isChosen(currency)}
        onChange={() => control.toggle(currency)}
      />
      <span className={css.amounts}>
        <Amount value={amount} figureCoin={currency} />
        <small>
          ≈ <Amount value={worth} kind="worth" coin="USDT" />
        </small>
      </span>
    </li>
  );
}

function QuoteView({ control, quote }: { readonly control: SmallControl; readonly quote: SmallQuote }) {
  const t = useWords('convert');
  const secondsLeft = useSecondsLeft(quote.expireTime);
  return (
    <>
      <h2 className={css.heading}>{t('quoteTitle')}</h2>
      <p className={css.note} role="status">
        {secondsLeft > 0 ? t('secondsLeft', { seconds: secondsLeft }) : t('expired')}
      </p>
      <Terms quote={quote} />
      <UnansweredNote unanswered={control.unanswered} />
      <div className={css.buttons}>
        <Button look="secondary" size="l" onClick={control.back}>
          {t('back')}
        </Button>
        {secondsLeft > 0 || control.isBusy ? (
          <Button size="l" busy={control.isBusy} onClick={() => void control.confirm()}>
            {t('confirm')}
          </Button>
        ) : (
          <Button size="l" busy={control.isAsking} onClick={() => void control.ask()}>
            {t('refresh')}
          </Button>
        )}
      </div>
    </>
  );
}

/**
 * Lists each sold balance with the amount that the user receives for it after the fee, then the total fee and the total
 * amount that the user receives after the fee.
 */
function Terms({ quote }: { readonly quote: SmallQuote }) {
  const t = useWords('convert');
  return (
    <dl className={css.facts}>
      {quote.coins.map(({ currency, amount, toAmount }) => (
        <div key={currency}>
          <dt>
            <Amount value={amount} coin={currency} />
          </dt>
          <dd>
            <Amount value={toAmount} coin={quote.to} />
          </dd>
        </div>
      ))}
      <div>
        <dt>{t('fee')}</dt>
        <dd>
          <Amount value={quote.fee} coin={quote.to} />
        </dd>
      </div>
      <div data-look="sum">
        <dt>{t('receive')}</dt>
        <dd>
          <Amount value={quote.toAmount} coin={quote.to} />
        </dd>
      </div>
    </dl>
  );
}

interface DoneProps extends Pick<SmallPanelProps, 'toAssets'> {
  readonly exchange: SmallQuote;
  readonly onAgain: () => void;
}

function Done({ exchange, onAgain, toAssets }: DoneProps) {
  const t = useWords('small');
  const convert = useWords('convert');
  return (
    <div className={css.done}>
      <CheckCircle2 size={44} aria-hidden="true" />
      <h2>{convert('done')}</h2>
      <p role="status">
        {t('doneText', { count: exchange.coins.length, amount: exchange.toAmount, coin: exchange.to })}
      </p>
      <Terms quote={exchange} />
      <div className={css.buttons}>
        <Button look="secondary" size="l" onClick={onAgain}>
          {convert('again')}
        </Button>
        {toAssets}
      </div>
    </div>
  );
}
