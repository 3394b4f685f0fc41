import {
  PERIOD_DECISION_VALUE,
  PERIOD_DECISIONS,
  PERIOD_MINUTES,
  PERIOD_VALUE,
} from '@exchange/core/operator-period.ts';
import { type Answer, callOperators, formatValue } from '@exchange/web-kit/console/calls.ts';
import { deviceNow } from '@exchange/web-kit/clock.ts';
import {
  createContext,
  type FormEvent,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
  type ReactNode,
} from 'react';
import { CODE_FIELD, CodeField, DemoCodes } from './code-field.tsx';
import type { Refused } from './form-fields.tsx';
import { useLatest } from './latest-answer.ts';
import { useOperatorReturn, usePresence, useSession } from './session.ts';
import { formatNumber } from './texts.ts';
import { WORDS } from './words.ts';

const PATH = '/ops/session/period';
const TICK_MS = 1_000;

/**
 * An open confirmation period, in which one authenticator code confirms several decisions: its end, and the
 * number of decisions and their value in USDT that it still covers.
 */
interface Period {
  /** End of the confirmation period, in milliseconds UTC. */
  readonly until: number;
  readonly decisionsLeft: number;
  /** Value in USDT of the decisions that the confirmation period still covers. */
  readonly valueLeft: string;
}

interface PeriodState {
  readonly period: Period | undefined;
  /** Fetches the confirmation period again, for example after a decision. */
  readonly refetch: () => void;
}

const PeriodContext = createContext<PeriodState>({ period: undefined, refetch: () => undefined });

/**
 * Hook that returns the operator's confirmation period (in which one authenticator code confirms several
 * decisions) and a function that refetches it. `period` is undefined while none is open or the first response
 * is outstanding.
 */
export function usePeriod(): PeriodState {
  return useContext(PeriodContext);
}

function fetchPeriod(): Promise<Answer> {
  return callOperators(PATH, undefined, { isBackground: true });
}

/**
 * Provides the operator's confirmation period to all components below: as the server last reported it, until
 * its end. It may be outdated, because the server may end the period earlier.
 */
export function PeriodProvider({ children }: { readonly children: ReactNode }) {
  const [period, setPeriod] = useState<Period>();
  const fetchLatest = useLatest(fetchPeriod, ({ status, body }) => {
    if (status === 200) setPeriod(body['period'] as Period | undefined);
  });
  const refetch = useCallback(() => void fetchLatest(), [fetchLatest]);
  useEffect(refetch, [refetch]);
  // The operator's confirmation period ends with the session, so it is fetched again after each login.
  useOperatorReturn(refetch);
  useEffect(() => {
    if (period === undefined) return undefined;
    const timer = setTimeout(() => setPeriod(undefined), Math.max(0, period.until - deviceNow()));
    return () => clearTimeout(timer);
  }, [period]);
  const state = useMemo(() => ({ period, refetch }), [period, refetch]);
  return <PeriodContext value={state}>{children}</PeriodContext>;
}

/**
 * Button that opens a confirmation period with one authenticator code; while a period is open, its remaining time,
 * decisions and value, and a button that ends it.
 */
export function PeriodControl() {
  const { period, refetch } = usePeriod();
  const [isOpening, setOpening] = useState(false);
  const end = () => {
    void callOperators(`${PATH}/end`, {}).then(refetch);
  };
  if (period !== undefined)
    return (
      <span className="period" role="group" aria-label={WORDS.period.title}>
        <span>
          {WORDS.period.open} <TimeLeft until={period.until} />
          <span className="dim">
            {' '}
            · {period.decisionsLeft} {WORDS.period.decisions} · {formatNumber(period.valueLeft)} USDT
          </span>
        </span>
        <button type="button" className="button" onClick={end}>
          {WORDS.period.end}
        </button>
      </span>
    );
  return (
    <span className="period">
      <button
        type="button"
        className="button"
        aria-expanded={isOpening}
        onClick={() => setOpening(!isOpening)}
      >
        {WORDS.period.begin}
      </button>
      {isOpening && (
        <OpenForm
          onOpened={() => {
            setOpening(false);
            refetch();
          }}
          onClose={() => setOpening(false)}
        />
      )}
    </span>
  );
}

function OpenForm({ onOpened, onClose }: { readonly onOpened: () => void; readonly onClose: () => void }) {
  const { onEnded, returns } = usePresence();
  const { mode } = useSession();
  const [code, setCode] = useState('');
  const [refused, setRefused] = useState<Refused>();
  const [isSending, setSending] = useState(false);
  const [tries, setTries] = useState(0);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending) return;
    setSending(true);
    const { status, body, error } = await callOperators(PATH, { [CODE_FIELD]: code });
    setSending(false);
    setCode('');
    if (error === undefined) {
      onOpened();
      return;
    }
    setTries((count) => count + 1);
    if (status === 401) onEnded(body['key'] === undefined ? undefined : error);
    const seconds = formatValue(body['seconds']);
    setRefused({ field: CODE_FIELD, error, seconds: seconds === '' ? undefined : Number(seconds) });
  };
  return (
    <form
      className="popover"
      aria-label={WORDS.period.title}
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <p>
        {WORDS.period.about} {PERIOD_MINUTES} {WORDS.period.minutes}: {WORDS.period.atMost} {PERIOD_DECISIONS}{' '}
        {WORDS.period.decisions}, {formatNumber(PERIOD_DECISION_VALUE.toString())} {WORDS.period.each},{' '}
        {formatNumber(PERIOD_VALUE.toString())} {WORDS.period.inAll}
      </p>
      <p className="dim">{WORDS.period.rest}</p>
      <div className="confirming">
        <CodeField key={`${tries} ${returns}`} code={code} refused={refused} onCode={setCode} />
        <div className="bar">
          <button type="button" className="button" onClick={onClose}>
            {WORDS.cancel}
          </button>
          <button type="submit" className="button main" aria-disabled={isSending}>
            {isSending ? WORDS.sending : WORDS.period.start}
          </button>
        </div>
        {mode === 'demo' && <DemoCodes />}
      </div>
    </form>
  );
}

/** Countdown to a time in milliseconds UTC, as minutes and seconds. */
function TimeLeft({ until }: { readonly until: number }) {
  const [now, setNow] = useState(deviceNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(deviceNow()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((until - now) / TICK_MS));
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return (
    <b role="timer" aria-live="off">
      {text}
    </b>
  );
}
