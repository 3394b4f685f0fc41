import type { CodePurpose, CODE_TYPES, sendEmailCode, sendForgetCode } from '@exchange/wire/user.ts';
import { steadyNow } from '../clock.ts';
import { call, CallRefused } from './client.ts';

/** Callbacks of a request that may require a proof of work. */
export interface WorkObserver {
  /** Aborts the request and the proof of work. */
  readonly signal?: AbortSignal | undefined;
  /** Called with true when the device starts solving a challenge and with false when it ends. */
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
 * Maximum number of challenges to solve for one request: a solution may expire, or the difficulty may rise,
 * during the search.
 */
const ROUNDS = 3;
/**
 * Length of a slice of the proof-of-work search, too short to notice; pauses between slices keep
 * the page responsive.
 */
const SLICE_MS = 24;
const TRIES_PER_BATCH = 500;

/**
 * Requests an email code. If the server requires a proof of work, solves its challenge on this device and repeats the
 * request. Throws like `call`, or the signal's reason when aborted.
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
      // A rejected proof-of-work solution is not sent again; the request is repeated without one to get a new
      // challenge.
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
