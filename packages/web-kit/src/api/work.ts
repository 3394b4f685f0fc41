import type { CodePurpose, CODE_TYPES, sendEmailCode, sendForgetCode } from '@exchange/wire/user.ts';
import { steadyNow } from '../clock.ts';
import { call, CallRefused } from './client.ts';

/** Whoever waits for a call that may demand work. */
export interface WorkObserver {
  /** Aborts the search, as when the page is left. */
  readonly signal?: AbortSignal | undefined;
  /** Called with true when the device begins to solve a challenge, and with false when it has ended. */
  readonly onWork?: ((isWorking: boolean) => void) | undefined;
}

interface CodeFields {
  readonly email: string;
  readonly type?: (typeof CODE_TYPES)[CodePurpose];
}

interface Work {
  readonly challenge: string;
  readonly solution: string;
}

/** A solution may expire, or the difficulty may have grown, while it was searched for. */
const ROUNDS = 3;
/** A slice of the search is shorter than anybody notices; the pause between two lets the page answer and draw. */
const SLICE_MS = 24;
const TRIES_AT_ONCE = 500;

/**
 * Asks for a mailed code and, where the server demands work first, solves its challenge on this device and asks again.
 * Throws as `call` does, and the signal's reason once it is aborted.
 */
export async function callWithWork(
  endpoint: typeof sendEmailCode | typeof sendForgetCode,
  fields: CodeFields,
  { signal, onWork }: WorkObserver,
): Promise<{ wait: number }> {
  const options = signal === undefined ? {} : { signal };
  let work: Work | undefined;
  for (let round = 1; ; round += 1) {
    try {
      return await call(endpoint as typeof sendForgetCode, { ...fields, ...work }, options);
    } catch (error) {
      const errKey = error instanceof CallRefused ? error.errKey : undefined;
      if (round > ROUNDS || (errKey !== 'l.code_challenge' && errKey !== 'l.challenge_invalid')) throw error;
      // What is worth nothing any more is not sent again: the next answer brings another challenge.
      work = undefined;
      if (errKey === 'l.challenge_invalid') continue;
      onWork?.(true);
      try {
        work = await solve((error as CallRefused).data, signal);
      } finally {
        onWork?.(false);
      }
    }
  }
}

async function solve(
  data: Readonly<Record<string, unknown>>,
  signal: AbortSignal | undefined,
): Promise<Work> {
  const challenge = String(data['challenge']);
  const { ProofOfWorkSearch } = await import('@exchange/core/proof-of-work.ts');
  const search = new ProofOfWorkSearch(challenge, Number(data['difficulty']));
  for (;;) {
    signal?.throwIfAborted();
    const until = steadyNow() + SLICE_MS;
    do {
      const solution = search.search(TRIES_AT_ONCE);
      if (solution !== undefined) return { challenge, solution };
    } while (steadyNow() < until);
    await new Promise((resolve) => setTimeout(resolve));
  }
}
