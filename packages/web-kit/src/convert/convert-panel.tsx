import { ArrowUpDown, CheckCircle2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { QUOTE_MS } from '@exchange/core/convert.ts';
import { DecimalField } from '../form/decimal-field.tsx';
import { UnansweredNote } from '../form/unanswered-note.tsx';
import { CoinIcon } from '../format/coin-icon.tsx';
import { ASSET_DIGITS, formatDecimal } from '../format/format.ts';
import { Amount, Percent } from '../format/numbers.tsx';
import { useSecondsLeft } from '../format/remaining.tsx';
import { useLocale, useWords } from '../i18n/words.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Select } from '../ui/choice.tsx';
import { Banner } from '../ui/parts.tsx';
import css from './convert.module.css';
import type { Exchange, Quote } from './convert.ts';
import { useConvert, type ConvertControl } from './use-convert.ts';

interface ConvertPanelProps {
  /** The coin that is paid at first. */
  readonly first?: string | undefined;
  /** What stands in the way, with the way there; undefined where nothing does. */
  readonly gate: ReactNode | undefined;
  /** The way to the own assets, as a link. */
  readonly toAssets: ReactNode;
}

/** Converts one coin to another: amounts, then a firm quote that counts down, then what came of it. */
export function ConvertPanel({ first, gate, toAssets }: ConvertPanelProps) {
  const control = useConvert(first);
  return (
    <section className={css.panel}>
      {control.step === 'done' ? (
        <Done exchange={control.done!} onAgain={control.again} toAssets={toAssets} />
      ) : control.step === 'quoted' ? (
        <Quoted control={control} quote={control.quote!} />
      ) : (
        <Asking control={control} gate={gate} />
      )}
    </section>
  );
}

function Asking({ control, gate }: { readonly control: ConvertControl; readonly gate: ReactNode }) {
  const t = useWords('convert');
  const trade = useWords('trade');
  const locale = useLocale();
  const { asked, rate, info, available } = control;
  const isWithoutRate = rate.error !== null && rate.data === undefined;
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        void control.ask();
      }}
    >
      <Side of="from" control={control}>
        <p className={css.available}>
          <span>{trade('available')}</span>
          <Amount value={available} coin={asked.from} />
          <button
            type="button"
            disabled={available === undefined}
            onClick={() => control.type('from', available ?? '')}
          >
            {trade('max')}
          </button>
        </p>
      </Side>
      <IconButton label={t('swap')} className={css.swap} onClick={control.swap}>
        <ArrowUpDown size={18} aria-hidden="true" />
      </IconButton>
      <Side of="to" control={control} />
      <dl className={css.facts}>
        <Fact name={t('rate')}>
          {rate.data === undefined
            ? '–'
            : t('rateOf', {
                from: asked.from,
                to: asked.to,
                rate: formatDecimal(rate.data, locale, { maxDigits: ASSET_DIGITS }),
              })}
        </Fact>
        <Fact name={`${t('spread')} · ${t('fee')}`}>
          <Percent value={info.data?.spread} /> · <Percent value={info.data?.feeRate} />
        </Fact>
      </dl>
      {isWithoutRate ? <Banner tone="warning">{t('noRate')}</Banner> : null}
      {gate === undefined ? (
        <Button type="submit" size="l" busy={control.isAsking} disabled={isWithoutRate}>
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

interface SideProps {
  readonly of: 'from' | 'to';
  readonly control: ConvertControl;
  readonly children?: ReactNode;
}

function Side({ of, control, children }: SideProps) {
  const t = useWords('convert');
  const coin = control.asked[of];
  const coins = control.info.data?.list ?? [{ currency: coin }];
  return (
    <div className={css.side}>
      <div className={css.row}>
        <CoinIcon coin={coin} size={28} />
        <Select
          label={t(of === 'from' ? 'coinFrom' : 'coinTo')}
          className={css.coin}
          value={coin}
          options={coins.map(({ currency }) => ({ value: currency, label: currency }))}
          onChange={(next) => control.choose(of, next)}
        />
        <DecimalField
          className={css.amount}
          label={t(of)}
          value={control.amounts[of]}
          onChange={(text) => control.type(of, text)}
          places={control.digits[of]}
          error={control.errorOf(of)}
        />
      </div>
      {children}
    </div>
  );
}

function Quoted({ control, quote }: { readonly control: ConvertControl; readonly quote: Quote }) {
  const t = useWords('convert');
  const left = useSecondsLeft(quote.expireTime);
  return (
    <div className={css.form}>
      <h2 className={css.heading}>{t('quoteTitle')}</h2>
      <div className={css.quote}>
        <Ring left={left} />
        <p role="status">{left > 0 ? t('secondsLeft', { seconds: left }) : t('expired')}</p>
      </div>
      <Terms terms={quote} />
      <UnansweredNote unanswered={control.unanswered} />
      <div className={css.buttons}>
        <Button look="secondary" size="l" onClick={control.back}>
          {t('back')}
        </Button>
        {left > 0 || control.isBusy ? (
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
const ROUND = 2 * Math.PI * RADIUS;

/** The seconds left, as a ring that runs out. */
function Ring({ left }: { readonly left: number }) {
  return (
    <svg className={css.ring} viewBox="0 0 48 48" aria-hidden="true">
      <circle className={css.track} cx="24" cy="24" r={RADIUS} />
      <circle
        className={css.left}
        cx="24"
        cy="24"
        r={RADIUS}
        strokeDasharray={ROUND}
        strokeDashoffset={ROUND * (1 - Math.min(left, SECONDS) / SECONDS)}
      />
      <text x="24" y="29" textAnchor="middle">
        {left}
      </text>
    </svg>
  );
}

function Terms({ terms }: { readonly terms: Quote | Exchange }) {
  const t = useWords('convert');
  const locale = useLocale();
  const rate = formatDecimal(terms.rate, locale, { maxDigits: ASSET_DIGITS });
  return (
    <dl className={css.facts}>
      <Fact name={t('pay')} look="sum">
        <Amount value={terms.fromAmount} coin={terms.from} />
      </Fact>
      <Fact name={t('receive')} look="sum">
        <Amount value={terms.toAmount} coin={terms.to} />
      </Fact>
      <Fact name={t('rate')}>{t('rateOf', { from: terms.from, to: terms.to, rate })}</Fact>
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
