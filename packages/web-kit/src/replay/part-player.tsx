import { RecordedBook, type RecordedPart, type RecordedTrade } from '@exchange/core/recorded-book.ts';
import type { Side } from '@exchange/core/pair.ts';
import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react';
import { useMemo } from 'react';
import { formatTime } from '../format/format.ts';
import { Amount, Price } from '../format/numbers.tsx';
import { useLocale, useWords } from '../i18n/words.ts';
import type { MarketPair } from '../market/pair.ts';
import { saveFile } from '../save-file.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Select } from '../ui/choice.tsx';
import { Badge } from '../ui/parts.tsx';
import { type Place, placeAfter, placeAt, type Speed, SPEEDS, usePlayback } from './playback.ts';
import { useOwnTrading, type OwnTrading, type PublishedPart } from './queries.ts';
import { WhyLink } from './replay-link.tsx';
import css from './replay.module.css';

const ROWS = 12;
const TRADES_SHOWN = 20;
/**
 * File name of the program that verifies a downloaded part of the recording; the build bundles the program
 * from `tools/verify` and adds it to the site at `/verify`.
 */
const TOOL = 'books.mjs';

interface PartPlayerProps {
  readonly pair: MarketPair;
  readonly found: PublishedPart;
  readonly start: Place;
  readonly isPlaying: boolean;
  readonly setPlaying: (isPlaying: boolean) => void;
  readonly speed: Speed;
  readonly setSpeed: (speed: Speed) => void;
  /** Called to show the part of the recording with the number `seq`. */
  readonly onPart: (seq: number) => void;
  readonly onEnd: () => void;
}

/** Shows the order book and the trades of a part of the recording at a time that the user can move. */
export function PartPlayer(props: PartPlayerProps) {
  const { pair, found, isPlaying, speed } = props;
  const { part } = found;
  const { place, setPlace } = usePlayback({
    part,
    start: props.start,
    isPlaying,
    speed,
    onEnd: props.onEnd,
  });
  const own = useOwnTrading(pair, part.from, part.until);
  const t = useWords('replay');
  const move = (next: Place) => {
    props.setPlaying(false);
    setPlace(next);
  };
  return (
    <section className={css.player} aria-label={t('title')}>
      <Moment part={part} place={place} />
      <Scrub part={part} place={place} onMove={move} />
      <div className={css.controls}>
        <IconButton
          label={t('partBack')}
          disabled={part.seq === 1}
          onClick={() => props.onPart(part.seq - 1)}
        >
          <ChevronFirst size={20} aria-hidden="true" />
        </IconButton>
        <IconButton
          label={t('stepBack')}
          disabled={place.position === 0}
          onClick={() => move(placeAfter(part, place.position - 1))}
        >
          <ChevronLeft size={20} aria-hidden="true" />
        </IconButton>
        <IconButton label={t(isPlaying ? 'pause' : 'play')} onClick={() => props.setPlaying(!isPlaying)}>
          {isPlaying ? <Pause size={20} aria-hidden="true" /> : <Play size={20} aria-hidden="true" />}
        </IconButton>
        <IconButton
          label={t('stepForward')}
          disabled={place.position === part.changes.length}
          onClick={() => move(placeAfter(part, place.position + 1))}
        >
          <ChevronRight size={20} aria-hidden="true" />
        </IconButton>
        <IconButton label={t('partForward')} onClick={() => props.onPart(part.seq + 1)}>
          <ChevronLast size={20} aria-hidden="true" />
        </IconButton>
        <Select
          label={t('speed')}
          value={speed}
          onChange={props.setSpeed}
          options={SPEEDS.map((value) => ({ value, label: `${value}×` }))}
        />
      </div>
      <div className={css.market}>
        <Ladder pair={pair} part={part} place={place} own={own} />
        <Tape pair={pair} part={part} place={place} own={own} />
      </div>
      {own.hasMore ? <p className={css.note}>{t('ownMore')}</p> : null}
      <Proof found={found} />
    </section>
  );
}

interface PlaceProps {
  readonly part: RecordedPart;
  readonly place: Place;
}

/**
 * The displayed time, and below it the number of the last engine step that changed the book before this time
 * and the milliseconds from that step's matching to its commit; before the first such step of the part, a
 * text instead.
 */
function Moment({ part, place }: PlaceProps) {
  const t = useWords('replay');
  const locale = useLocale();
  const change = part.changes[place.position - 1];
  return (
    <div className={css.time}>
      <strong translate="no">{timeWithMs(place.time, locale)}</strong>
      <span>{change === undefined ? t('opening') : t('after', { step: change[0], ms: change[2] })}</span>
    </div>
  );
}

function Scrub({ part, place, onMove }: PlaceProps & { readonly onMove: (place: Place) => void }) {
  const t = useWords('replay');
  const locale = useLocale();
  return (
    <input
      type="range"
      className={css.scrub}
      aria-label={t('scrub')}
      aria-valuetext={timeWithMs(place.time, locale)}
      min={part.from}
      max={part.until}
      value={place.time}
      onChange={({ target }) => onMove(placeAt(part, Number(target.value)))}
    />
  );
}

interface MarketProps extends PlaceProps {
  readonly pair: MarketPair;
  readonly own: OwnTrading;
}

/**
 * The recorded order book, at most 12 price levels on each side: asks above bids, with the best ask and the best bid in
 * the middle.
 */
function Ladder({ pair, part, place, own }: MarketProps) {
  const tTrade = useWords('trade');
  const book = useMemo(() => new RecordedBook(part), [part]);
  book.moveTo(place.position);
  const changed = new Set(part.changes[place.position - 1]?.[3].map(([side, price]) => `${side} ${price}`));
  const sideOf = (side: Side) => (
    <BookSide
      caption={tTrade(side === 'buy' ? 'bids' : 'asks')}
      side={side}
      levels={book.levels(side, ROWS)}
      changed={changed}
      pair={pair}
      own={own}
      time={place.time}
    />
  );
  return (
    <div className={css.book}>
      <div className={css.heads} aria-hidden="true">
        <span>{tTrade('priceField', { coin: pair.quote })}</span>
        <span>{tTrade('amountField', { coin: pair.base })}</span>
      </div>
      {sideOf('sell')}
      {sideOf('buy')}
    </div>
  );
}

interface BookSideProps extends Pick<MarketProps, 'pair' | 'own'> {
  readonly caption: string;
  readonly side: Side;
  /** Price levels of the displayed side of the order book, best price first. */
  readonly levels: readonly (readonly [price: string, amount: string])[];
  /**
   * The price levels that the last engine step before the displayed time has changed, each as `side price`,
   * for example `buy 95000`.
   */
  readonly changed: ReadonlySet<string>;
  readonly time: number;
}

function BookSide({ caption, side, levels, changed, pair, own, time }: BookSideProps) {
  const t = useWords('replay');
  const tTrade = useWords('trade');
  const shown = side === 'sell' ? levels.toReversed() : levels;
  const ownAt = (price: string) =>
    own.orders.some(
      (order) =>
        order.tradeType === (side === 'buy' ? 1 : 2) &&
        order.price === price &&
        order.from <= time &&
        (order.until === undefined || order.until > time),
    );
  if (levels.length === 0)
    return (
      <p className={css.noLevels}>
        {caption}: {t('noLevels')}
      </p>
    );
  return (
    <table className={css.side} data-side={side}>
      <caption className="visually-hidden">{caption}</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{tTrade('price')}</th>
          <th scope="col">{tTrade('amount')}</th>
        </tr>
      </thead>
      <tbody>
        {shown.map(([price, amount]) => (
          <tr key={price} data-changed={changed.has(`${side} ${price}`) || undefined}>
            <td>
              <Price value={price} digits={pair.priceDigits} direction={side === 'buy' ? 'up' : 'down'} />
              {ownAt(price) ? <Badge tone="accent">{t('own')}</Badge> : null}
            </td>
            <td>
              <Amount value={amount} digits={pair.amountDigits} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The newest trades of the displayed part of the recording up to the displayed time, newest first. */
function Tape({ pair, part, place, own }: MarketProps) {
  const t = useWords('replay');
  const tTrade = useWords('trade');
  const locale = useLocale();
  const trades = tradesUntil(part, place.position);
  return (
    <section className={css.tape}>
      <h2>{t('deals')}</h2>
      {trades.length === 0 ? (
        <p className={css.note}>{t('noDeals')}</p>
      ) : (
        <table className={css.trades}>
          <thead>
            <tr>
              <th scope="col">{tTrade('time')}</th>
              <th scope="col">{tTrade('price')}</th>
              <th scope="col">{tTrade('amount')}</th>
              <th scope="col">
                <span className="visually-hidden">{t('own')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {trades.map(({ at, trade: [, id, price, amount, takerSide] }) => (
              <tr key={id} className={own.trades.has(id) ? css.own : undefined}>
                <td translate="no">{formatTime(at, locale, 'time')}</td>
                <td>
                  <Price
                    value={price}
                    digits={pair.priceDigits}
                    direction={takerSide === 'buy' ? 'up' : 'down'}
                  />
                </td>
                <td>
                  <Amount value={amount} digits={pair.amountDigits} />
                </td>
                <td>
                  {own.trades.has(id) ? (
                    <WhyLink
                      fill={{ tradeId: id, ts: at, baseCoin: pair.base, quoteCoin: pair.quote }}
                      isIcon
                    />
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/**
 * Returns the newest trades in the first `position` changes of a part of the recording, newest first, at most
 * `TRADES_SHOWN`.
 */
function tradesUntil(
  { from, changes }: RecordedPart,
  position: number,
): { readonly at: number; readonly trade: RecordedTrade }[] {
  const shown: { at: number; trade: RecordedTrade }[] = [];
  for (let index = position - 1; index >= 0 && shown.length < TRADES_SHOWN; index -= 1) {
    const [, at, , , trades] = changes[index]!;
    for (const trade of trades.toReversed()) shown.push({ at: from + at, trade });
  }
  return shown.slice(0, TRADES_SHOWN);
}

/**
 * Proof of the displayed part of the recording: its number, its hash, its file, and the program that verifies the file.
 */
function Proof({ found: { part, answer } }: { readonly found: PublishedPart }) {
  const t = useWords('replay');
  const tProofs = useWords('proofs');
  const name = `book-${part.symbol}-${part.seq}.json`;
  return (
    <section className={css.proof}>
      <h2>{t('proof')}</h2>
      <p>{t('proofOf', { seq: part.seq, changes: part.changes.length })}</p>
      <code className={css.hash} translate="no">
        {answer.part?.hash}
      </code>
      <p className={css.note}>{tProofs('tool', { tool: TOOL })}</p>
      <div className={css.files}>
        <Button
          look="secondary"
          onClick={() => saveFile(new Blob([JSON.stringify(answer)], { type: 'application/json' }), name)}
        >
          {t('download')}
        </Button>
        <a className={css.link} href={`/verify/${TOOL}`} download>
          {tProofs('toolDownload', { tool: TOOL })}
        </a>
      </div>
    </section>
  );
}

/**
 * Formats a time (milliseconds UTC) in the device's time zone as month, day and time of day with
 * milliseconds.
 */
export function timeWithMs(time: number, locale: string): string {
  return `${formatTime(time, locale, 'second')}.${String(time % 1_000).padStart(3, '0')}`;
}
