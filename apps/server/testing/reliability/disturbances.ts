import { BATCH_COMMIT, type Fault, type FaultTarget } from '../faults/faults.ts';
import type { FaultProxy } from '../faults/fault-proxy.ts';
import type { ServerProcess } from './server-process.ts';

/** Ways to end a running server, which is started again afterwards. */
export const DISTURBANCES = ['restart', 'killAfterCommit', 'kill', 'killBeforeCommit'] as const;
export type Disturbance = (typeof DISTURBANCES)[number];

/** Faults because of which the response of a commit, or the commit itself, is lost before the server is killed. */
const LOST: Readonly<Partial<Record<Disturbance, Fault>>> = {
  killAfterCommit: { kind: 'silenceAfter' },
  killBeforeCommit: { kind: 'silenceBefore' },
};

/**
 * Ends the server in the given way and starts it again. For `killAfterCommit` and `killBeforeCommit`, the server is
 * killed at the commit of the batch that contains `word`. Returns the milliseconds from the launch of the new server
 * process until it was ready. Throws if a normal shutdown (`restart`) does not end with exit code 0.
 */
export async function disturb(
  kind: Disturbance,
  { server, proxy, word }: { server: ServerProcess; proxy: FaultProxy; word: string },
): Promise<number> {
  const fault = LOST[kind];
  if (kind === 'restart') {
    const { exitCode } = await server.stop();
    if (exitCode !== 0) throw new Error(`the server ended with ${exitCode}`);
  } else {
    if (fault !== undefined) await proxy.injectNext(fault, batchWith(word));
    await server.killServer();
    // The proxy closes the killed server's connections to the database, so that the database ends their sessions.
    proxy.cutAll();
  }
  return server.start();
}

/** Selects the commit of a batch whose statement contains `word`. */
function batchWith(word: string): FaultTarget {
  return {
    application: BATCH_COMMIT.application,
    matches: (request, inTransaction) =>
      BATCH_COMMIT.matches(request, inTransaction) && request.bytes.includes(word),
  };
}
