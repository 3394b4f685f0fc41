import { typedDigits } from '@exchange/web-kit/ui/typed-text.ts';
import { deviceNow } from '@exchange/web-kit/clock.ts';
import { useComposedInput } from '@exchange/web-kit/ui/use-composed-input.ts';
import { useEffect, useRef, useState } from 'react';
import type { Refused } from './form-fields.tsx';
import { WORDS } from './words.ts';

/** Name of the request field in which the server expects the authenticator code. */
export const CODE_FIELD = 'authenticatorCode';

interface Props {
  readonly code: string;
  readonly onCode: (code: string) => void;
  /**
   * The refused field with the reason; for an authenticator code that was already used also the seconds until the
   * authenticator shows the next one. Undefined when nothing was refused.
   */
  readonly refused: Refused | undefined;
}

const DIGITS = 6;
const WHY = 'why-code';

/**
 * Input for the authenticator code with which an operator confirms a decision, or opens a confirmation period, in which
 * further decisions need no code. It receives the focus when it is mounted.
 */
export function CodeField({ code, onCode, refused }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const composed = useComposedInput(code, (typed) => onCode(typedDigits(typed).slice(0, DIGITS)));
  useEffect(() => {
    // The code input is already visible below the preview, so focusing it must not scroll.
    input.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className="code">
      <label>
        <span>{WORDS.confirmCode}</span>
        <input
          ref={input}
          name={CODE_FIELD}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          pattern={`[0-9]{${DIGITS}}`}
          title={WORDS.confirmCodeHint}
          {...composed}
          aria-describedby={WHY}
          aria-invalid={refused !== undefined}
        />
      </label>
      <p id={WHY} className={refused === undefined ? 'dim' : 'error'}>
        {refused === undefined ? WORDS.confirmCodeHint : <RefusalText {...refused} />}
      </p>
    </div>
  );
}

/**
 * The reason why the server refused a code. For an already used code a countdown to the next code follows, which is
 * hidden from screen readers until it has ended.
 */
function RefusalText({ error, seconds }: Refused) {
  const secondsLeft = useSecondsLeft(seconds);
  return (
    <>
      <span role="alert">{error}</span>{' '}
      {secondsLeft !== undefined && (
        <span aria-hidden={secondsLeft > 0}>
          {secondsLeft > 0 ? `${WORDS.nextCodeIn} ${secondsLeft} s` : WORDS.nextCode}
        </span>
      )}
    </>
  );
}

const TICK_MS = 250;
const SECOND_MS = 1_000;

/**
 * Hook that counts down on the device's clock from a number of seconds to 0, and returns the seconds that are
 * left; undefined if no number is given.
 */
function useSecondsLeft(seconds: number | undefined): number | undefined {
  const [secondsLeft, setSecondsLeft] = useState(seconds);
  useEffect(() => {
    if (seconds === undefined) return undefined;
    const endsAt = deviceNow() + seconds * SECOND_MS;
    const timer = setInterval(
      () => setSecondsLeft(Math.max(0, Math.ceil((endsAt - deviceNow()) / SECOND_MS))),
      TICK_MS,
    );
    return () => clearInterval(timer);
  }, [seconds]);
  return secondsLeft;
}

/**
 * Link to the page with the current authenticator codes of the demo's predefined operators; callers render it
 * in demo mode only.
 */
export function DemoCodes() {
  return (
    <a className="link" href="/dev/codes" target="_blank" rel="noreferrer">
      {WORDS.demoCodes}
    </a>
  );
}
