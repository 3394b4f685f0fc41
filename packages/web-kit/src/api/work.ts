import type { CodePurpose, CODE_TYPES, sendEmailCode, sendForgetCode } from '@exchange/wire/user.ts';
import { steadyNow } from '../clock.ts';
import { call, CallRefused } from './client.ts';

/**
 * Abort signal of a request that may require a proof of work, and callback for the start and the end of that
 * work.
 */
export interface WorkObserver {
  /** A signal that aborts the request and the search for a proof of work. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called with true when the device starts to search for the solution of a proof of work, and with false
   * when the search has ended.
   */
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

/**
 * Maximum number of repetitions of one request, after which the server's refusal is thrown. More than one can be
 * necessary, because during the search a challenge may expire or the difficulty may rise.
 */
const ROUNDS = 3;
/**
 * Length in milliseconds of a portion of the proof-of-work search. It is too short for users to notice. Between
 * portions the page responds to the user.
 */
const SLICE_MS = 24;
const TRIES_PER_BATCH = 500;

/**
 * Requests an emailed code. If the server requires a proof of work, solves the server's challenge on this device and
 * repeats the request. Throws like `call`. If `signal` is aborted, throws the signal's reason.
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
      // If the server rejected the solution, the request is sent again without a solution. The server's refusal of that
      // request contains a new challenge.
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
    const sliceEndMs = steadyNow() + SLICE_MS;
    do {
      const solution = search.search(TRIES_PER_BATCH);
      if (solution !== undefined) return { challenge, solution };
    } while (steadyNow() < sliceEndMs);
    await new Promise((resolve) => setTimeout(resolve));
  }
}
