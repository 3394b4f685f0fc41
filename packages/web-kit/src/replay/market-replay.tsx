import { RECORDED_BOOK_DAYS, RECORDED_LEVELS } from '@exchange/core/recorded-book.ts';
import { useCallback, useState, type ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { formatTime } from '../format/format.ts';
import { localInputOf, timeOfLocalInput } from '../format/local-input.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { linkOf, symbolOfLink, type MarketPair } from '../market/pair.ts';
import { usePairs } from '../market/queries.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/choice.tsx';
import fieldCss from '../ui/field.module.css';
import { Banner } from '../ui/parts.tsx';
import { FillReason } from './fill-reason.tsx';
import { type Place, placeAt, placeOfTrade, type Speed } from './playback.ts';
import { PartPlayer } from './part-player.tsx';
import { useFillExplanation, useRecordedPart, type PartPlace, type PublishedPart } from './queries.ts';
import css from './replay.module.css';

const DEFAULT_SYMBOL = 'btcusdt';

/**
 * The parameters of the page's URL: the symbol of a pair, a time (milliseconds UTC) or the sequence number of
 * a part of the recording, and the ID of one of the user's fills.
 */
interface Request extends PartPlace {
  readonly symbol: string;
  readonly fill: string | undefined;
}

function requestOf(search: URLSearchParams): Request {
  return {
    symbol: symbolOfLink(search.get('symbol')) ?? DEFAULT_SYMBOL,
    seq: wholeNumber(search.get('seq')),
    at: wholeNumber(search.get('at')),
    fill: search.get('fill') ?? undefined,
  };
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,13}$/.test(text) ? Number(text) : undefined;
}

/**
 * Replay of a pair's recorded order book and trades at a past time, with the user's orders and fills, and the
 * explanation of one fill. The URL contains pair and time, so that the replay can be shared. Without a pair
 * in the URL, `DEFAULT_SYMBOL` is shown; if the requested pair is not listed, the first listed one.
 */
export function MarketReplay() {
  const t = useWords('replay');
  const [search, setSearch] = useSearchParams();
  const request = requestOf(search);
  const pairs = usePairs();
  const pair = pairs.data?.find(({ symbol }) => symbol === request.symbol) ?? pairs.data?.[0];
  return (
    <div className={css.replay}>
      <p className={css.lead}>{t('lead', { days: RECORDED_BOOK_DAYS })}</p>
      <ListBody
        isLoading={pairs.isPending}
        error={pairs.error}
        onRetry={() => void pairs.refetch()}
        look="cards"
      >
        {pair === undefined ? null : (
          <PairReplay
            pair={pair}
            pairs={pairs.data ?? []}
            request={request}
            onMove={(place, symbolLink = linkOf(pair)) => {
              const parameters = new URLSearchParams({ symbol: symbolLink });
              if (place.seq !== undefined) parameters.set('seq', String(place.seq));
              if (place.at !== undefined) parameters.set('at', String(place.at));
              setSearch(parameters, { replace: true });
            }}
          />
        )}
      </ListBody>
    </div>
  );
}

interface PairReplayProps {
  readonly pair: MarketPair;
  readonly pairs: readonly MarketPair[];
  readonly request: Request;
  /** Changes the URL to another part of the recording; with `symbolLink` (such as `BTC_USDT`) also to another pair. */
  readonly onMove: (place: PartPlace, symbolLink?: string) => void;
}

function PairReplay({ pair, pairs, request, onMove }: PairReplayProps) {
  const t = useWords('replay');
  const explanation = useFillExplanation(request.fill);
  const seq = request.seq ?? explanation.data?.recorded?.seq;
  const at = request.at ?? explanation.data?.matchedTime;
  // The part of the recording that contains a fill is known only when the explanation of the fill has loaded.
  const isKnown = !explanation.isEnabled || !explanation.isPending;
  const found = useRecordedPart(pair.symbol, seq === undefined ? { at } : { seq }, isKnown);
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<Speed>('1');
  return (
    <>
      <MomentForm
        key={`${pair.symbol} ${at}`}
        pair={pair}
        pairs={pairs}
        at={at ?? found.data?.part.from}
        onMove={onMove}
      />
      <div className={css.columns}>
        <ListBody
          isLoading={found.isPending}
          error={found.error}
          onRetry={() => void found.refetch()}
          missing={{ text: t('missing', { days: RECORDED_BOOK_DAYS }) }}
          isEmpty={found.data === null}
          empty={t('recording')}
          action={
            <Button look="secondary" onClick={() => onMove({})}>
              {t('newest')}
            </Button>
          }
          skeletonRows={14}
        >
          {found.data ? (
            <FoundPart
              key={found.data.part.seq}
              pair={pair}
              found={found.data}
              request={{ ...request, at }}
              isPlaying={isPlaying}
              setPlaying={setPlaying}
              speed={speed}
              setSpeed={setSpeed}
              onMove={onMove}
            />
          ) : null}
        </ListBody>
        {explanation.isEnabled ? <FillReason pair={pair} explanation={explanation} /> : null}
      </div>
      <p className={css.note}>{t('range', { levels: RECORDED_LEVELS })}</p>
    </>
  );
}

interface FoundPartProps extends Omit<PairReplayProps, 'pairs'> {
  readonly found: PublishedPart;
  readonly isPlaying: boolean;
  readonly setPlaying: (isPlaying: boolean) => void;
  readonly speed: Speed;
  readonly setSpeed: (speed: Speed) => void;
}

function FoundPart({ pair, found, request, onMove, ...playing }: FoundPartProps) {
  const { part } = found;
  const continueWithNext = useCallback(() => onMove({ seq: part.seq + 1 }), [onMove, part.seq]);
  return (
    <div className={css.moment}>
      <GapNote found={found} request={request} />
      <PartPlayer
        pair={pair}
        found={found}
        start={startOf(found, request)}
        onPart={(seq) => onMove({ seq })}
        onEnd={continueWithNext}
        {...playing}
      />
    </div>
  );
}

function startOf({ part }: PublishedPart, { fill, at, seq }: Request): Place {
  const ofFill = fill === undefined ? undefined : placeOfTrade(part, fill);
  return ofFill ?? placeAt(part, seq === undefined && at !== undefined ? at : part.from);
}

/**
 * Says that the requested time is not recorded, and at which time the displayed part of the recording begins. Renders
 * nothing if no time is requested, if a part is requested by its number, and if the displayed part does not begin after
 * the requested time.
 */
function GapNote({
  found: { part, answer },
  request: { at, seq },
}: {
  readonly found: PublishedPart;
  readonly request: Request;
}) {
  const t = useWords('replay');
  const locale = useLocale();
  if (at === undefined || seq !== undefined || at >= part.from) return null;
  const from = formatTime(part.from, locale, 'second');
  return (
    <Banner tone="warning">
      {answer.previousUntil === undefined
        ? t('begins', { from })
        : t('gap', { from: formatTime(answer.previousUntil, locale, 'second'), until: from })}
    </Banner>
  );
}

interface MomentFormProps extends Omit<PairReplayProps, 'request'> {
  readonly at: number | undefined;
}

/** Form for the pair and the minute to replay. */
function MomentForm({ pair, pairs, at, onMove }: MomentFormProps) {
  const t = useWords('replay');
  const [text, setText] = useState<string>();
  const shown = text ?? localInputOf(at);
  const time = timeOfLocalInput(shown);
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (time !== undefined) onMove({ at: time });
      }}
    >
      <Labelled label={t('pair')}>
        <Select
          label={t('pair')}
          value={pair.symbol}
          onChange={(symbol) => {
            const chosen = pairs.find((other) => other.symbol === symbol);
            if (chosen !== undefined) onMove({ at }, linkOf(chosen));
          }}
          options={pairs.map(({ symbol, base, quote }) => ({ value: symbol, label: `${base}/${quote}` }))}
        />
      </Labelled>
      <Labelled label={t('time')}>
        <input
          type="datetime-local"
          className={css.input}
          aria-label={t('time')}
          value={shown}
          onChange={({ target }) => setText(target.value)}
        />
      </Labelled>
      <Button type="submit" look="secondary" disabled={time === undefined}>
        {t('show')}
      </Button>
      <Button look="quiet" onClick={() => onMove({})}>
        {t('newest')}
      </Button>
    </form>
  );
}

function Labelled({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <span className={fieldCss.label} aria-hidden="true">
        {label}
      </span>
      {children}
    </div>
  );
}
