import { typedDigits } from '@exchange/web-kit/ui/typed-text.ts';
import { deviceNow } from '@exchange/web-kit/clock.ts';
import { useComposedInput } from '@exchange/web-kit/ui/use-composed-input.ts';
import { useEffect, useRef, useState } from 'react';
import type { Refused } from './form-fields.tsx';
import { WORDS } from './words.ts';

/** As the server names the field of the code. */
export const CODE_FIELD = 'authenticatorCode';

interface Props {
  readonly code: string;
  readonly onCode: (code: string) => void;
  /** Of a code that was used before: with the seconds until the authenticator shows the next one. */
  readonly refused: Refused | undefined;
}

const DIGITS = 6;
const WHY = 'why-code';

/** The code of the authenticator that confirms one decision; it is gone to as soon as it is there. */
export function CodeField({ code, onCode, refused }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const composed = useComposedInput(code, (typed) => onCode(typedDigits(typed).slice(0, DIGITS)));
  useEffect(() => {
    // It stands where it is seen, below what it confirms.
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
        {refused === undefined ? WORDS.confirmCodeHint : <Refusal {...refused} />}
      </p>
    </div>
  );
}

/** Why not; of a code that was used, for how long to wait, second by second for eyes and once for a screen reader. */
function Refusal({ error, seconds }: Refused) {
  const left = useSecondsLeft(seconds);
  return (
    <>
      <span role="alert">{error}</span>{' '}
      {left !== undefined && (
        <span aria-hidden={left > 0}>{left > 0 ? `${WORDS.nextCodeIn} ${left} s` : WORDS.nextCode}</span>
      )}
    </>
  );
}

const TICK_MS = 250;
const SECOND_MS = 1_000;

/** What is left of so many seconds from now on. */
function useSecondsLeft(seconds: number | undefined): number | undefined {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    if (seconds === undefined) return undefined;
    const until = deviceNow() + seconds * SECOND_MS;
    const timer = setInterval(
      () => setLeft(Math.max(0, Math.ceil((until - deviceNow()) / SECOND_MS))),
      TICK_MS,
    );
    return () => clearInterval(timer);
  }, [seconds]);
  return left;
}

/** Where a demo shows what its operators' authenticators show. */
export function DemoCodes() {
  return (
    <a className="link" href="/dev/codes" target="_blank" rel="noreferrer">
      {WORDS.demoCodes}
    </a>
  );
}
