import { CallFailed } from './call-error.ts';
import { CALL_TIMEOUT_MS } from './client.ts';
import { steadyNow } from '../clock.ts';

/** A connection that was just lost is hardly back at once. */
const PAUSE_MS = 1_000;

/**
 * Makes a keyed call and, where the connection was lost before an answer came, makes it once more with the
 * same key: it is then done once, whichever of the two arrived. Both share the time of one call; when that is
 * over, nothing is repeated, so that whoever waits learns of it and decides.
 */
export async function onceMore<Answer>(send: (timeoutMs: number) => Promise<Answer>): Promise<Answer> {
  const startedMs = steadyNow();
  try {
    return await send(CALL_TIMEOUT_MS);
  } catch (error) {
    // Reason: a refusal is an answer, and only what failed early leaves time for another try.
    const leftMs = Math.floor(CALL_TIMEOUT_MS - PAUSE_MS - (steadyNow() - startedMs));
    if (!(error instanceof CallFailed) || error.reason === 'timeout' || leftMs <= 0) throw error;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    return send(leftMs);
  }
}
