import { ArrowUpDown, CheckCircle2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { QUOTE_MS } from '@exchange/core/convert.ts';
import { UnansweredNote } from '../form/unanswered-note.tsx';
import { formatDecimal, formatRate } from '../format/format.ts';
import { Amount, Percent } from '../format/numbers.tsx';
import { useSecondsLeft } from '../format/remaining.tsx';
import { useLocale, useWords } from '../i18n/words.ts';
import { Button, IconButton } from '../ui/button.tsx';
import type { OverlayLook } from '../ui/overlay.tsx';
import { Banner } from '../ui/parts.tsx';
import css from './convert.module.css';
import { ConvertSide } from './convert-side.tsx';
import { inverseOf, type Exchange, type Quote } from './convert.ts';
import { useConvert, type ConvertControl } from './use-convert.ts';

interface ConvertPanelProps {
  /** The coin that is initially selected as the paid coin. */
  readonly first?: string | undefined;
  /**
   * The reason why the user cannot convert, with a link to the screen on which the user can remove the reason;
   * undefined if there is none or it is unknown yet.
   */
  readonly gate: ReactNode | undefined;
  /** The link to the user's assets page. */
  readonly toAssets: ReactNode;
  readonly look: OverlayLook;
}

/**
 * Panel that converts one coin to another in three steps: typing the amount, accepting a firm quote before its
 * countdown ends, and the result.
 */
export function ConvertPanel({ first, gate, toAssets, look }: ConvertPanelProps) {
  const control = useConvert(first);
  const { info } = control;
  return (
    <section className={css.panel} aria-busy={(info.isPending && info.error === null) || undefined}>
      {control.step === 'done' ? (
        <Done exchange={control.done!} onAgain={control.again} toAssets={toAssets} />
      ) : control.step === 'quoted' ? (
        <QuoteView control={control} quote={control.quote!} />
      ) : (
        <RequestForm control={control} gate={gate} look={look} />
      )}
    </section>
  );
}

interface RequestFormProps {
  readonly control: ConvertControl;
  readonly gate: ReactNode;
  readonly look: OverlayLook;
}

function RequestForm({ control, gate, look }: RequestFormProps) {
  const t = useWords('convert');
  const locale = useLocale();
  const { rate, info } = control;
  const isWithoutRate = rate.error !== null && rate.data === undefined;
  const { from } = control.asked;
  const isUnknown = info.data?.list.every(({ currency }) => currency !== from) === true;
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        void control.ask();
      }}
    >
      <div className={css.sides}>
        <ConvertSide fieldSide="from" control={control} look={look} />
        <IconButton label={t('swap')} className={css.swap} onClick={control.swap}>
          <ArrowUpDown size={18} aria-hidden="true" />
        </IconButton>
        <ConvertSide fieldSide="to" control={control} look={look} />
      </div>
      <Estimate control={control} />
      {isUnknown ? (
        <Banner tone="warning">{t('notConvertible', { coin: from })}</Banner>
      ) : isWithoutRate ? (
        <Banner tone="warning">{t('noRate')}</Banner>
      ) : null}
      {gate === undefined ? (
        <Button type="submit" size="l" busy={control.isAsking} disabled={isWithoutRate || isUnknown}>
          {t('getQuote')}
        </Button>
      ) : (
        <div className={css.gate}>{gate}</div>
      )}
      {info.data === undefined ? null : (
        <p className={css.limits}>
          {t('limits', {
            min: formatDecimal(info.data.min, locale),
            max: formatDecimal(info.data.max, locale),
          })}
        </p>
      )}
    </form>
  );
}

/** Indicative result: the rate in both directions, the spread, the fee, and the received amount. */
function Estimate({ control }: { readonly control: ConvertControl }) {
  const t = useWords('convert');
  const { asked, rate, info, amounts } = control;
  const inverse = inverseOf(rate.data?.rate);
  return (
    <dl className={css.facts}>
      <Fact name={t('rate')}>
        <Rate from={asked.from} to={asked.to} rate={rate.data?.rate} />
        {/* The line with the inverse rate contains a no-break space until the rate is known, so that the layout
            does not shift. */}
        <small>
          {inverse === undefined ? '\u00A0' : <Rate from={asked.to} to={asked.from} rate={inverse} />}
        </small>
      </Fact>
      <Fact name={t('spread')}>
        <Percent value={rate.data?.spread ?? info.data?.spread} />
      </Fact>
      <Fact name={t('fee')}>
        <Percent value={info.data?.feeRate} />
      </Fact>
      <Fact name={t('receive')} look="sum">
        <Amount value={amounts.to === '' ? '0' : amounts.to} coin={asked.to} />
      </Fact>
    </dl>
  );
}

interface RateProps {
  readonly from: string;
  readonly to: string;
  readonly rate: string | undefined;
}

function Rate({ from, to, rate }: RateProps) {
  const t = useWords('convert');
  const locale = useLocale();
  if (rate === undefined) return '–';
  return <span>{t('rateOf', { from, to, rate: formatRate(rate, locale) })}</span>;
}

function QuoteView({ control, quote }: { readonly control: ConvertControl; readonly quote: Quote }) {
  const t = useWords('convert');
  const secondsLeft = useSecondsLeft(quote.expireTime);
  return (
    <div className={css.form}>
      <h2 className={css.heading}>{t('quoteTitle')}</h2>
      <div className={css.quote}>
        <Ring left={secondsLeft} />
        <p role="status">{secondsLeft > 0 ? t('secondsLeft', { seconds: secondsLeft }) : t('expired')}</p>
      </div>
      <Terms terms={quote} />
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
    </div>
  );
}

const SECONDS = QUOTE_MS / 1_000;
const RADIUS = 20;
const CIRCUMFERENCE = 2 * Math.PI * RADIUS;

/** Ring that shows the remaining seconds of a quote. */
function Ring({ left }: { readonly left: number }) {
  return (
    <svg className={css.ring} viewBox="0 0 48 48" aria-hidden="true">
      <circle className={css.track} cx="24" cy="24" r={RADIUS} />
      <circle
        className={css.left}
        cx="24"
        cy="24"
        r={RADIUS}
        strokeDasharray={CIRCUMFERENCE}
        strokeDashoffset={CIRCUMFERENCE * (1 - Math.min(left, SECONDS) / SECONDS)}
      />
      <text x="24" y="29" textAnchor="middle">
        {left}
      </text>
    </svg>
  );
}

function Terms({ terms }: { readonly terms: Quote | Exchange }) {
  const t = useWords('convert');
  return (
    <dl className={css.facts}>
      <Fact name={t('pay')} look="sum">
        <Amount value={terms.fromAmount} coin={terms.from} />
      </Fact>
      <Fact name={t('receive')} look="sum">
        <Amount value={terms.toAmount} coin={terms.to} />
      </Fact>
      <Fact name={t('rate')}>
        <Rate from={terms.from} to={terms.to} rate={terms.rate} />
        <small>
          <Rate from={terms.to} to={terms.from} rate={terms.inverseRate} />
        </small>
      </Fact>
      <Fact name={t('spread')}>
        <Percent value={terms.spread} />
      </Fact>
      <Fact name={t('fee')}>
        <Amount value={terms.fee} coin={terms.feeCoin} />
      </Fact>
    </dl>
  );
}

function Fact({ name, look, children }: { name: string; look?: 'sum'; children: ReactNode }) {
  return (
    <div className={css.fact} data-look={look}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface DoneProps {
  readonly exchange: Exchange;
  readonly onAgain: () => void;
  readonly toAssets: ReactNode;
}

function Done({ exchange, onAgain, toAssets }: DoneProps) {
  const t = useWords('convert');
  const { fromAmount, from, toAmount, to } = exchange;
  return (
    <div className={css.done}>
      <CheckCircle2 size={44} aria-hidden="true" />
      <h2>{t('done')}</h2>
      <p role="status">{t('doneText', { fromAmount, from, toAmount, to })}</p>
      <Terms terms={exchange} />
      <div className={css.buttons}>
        <Button look="secondary" size="l" onClick={onAgain}>
          {t('again')}
        </Button>
        {toAssets}
      </div>
    </div>
  );
}
