import { BATCH_COMMIT, type Fault, type Target } from '../faults/faults.ts';
import type { FaultProxy } from '../faults/fault-proxy.ts';
import type { ServerProcess } from './server-process.ts';

/** What is done to a server while it is being called, after which it is started again. */
export const DISTURBANCES = ['restart', 'killAfterCommit', 'kill', 'killBeforeCommit'] as const;
export type Disturbance = (typeof DISTURBANCES)[number];

/** Where the answer to a commit, or the commit itself, gets lost with the server. */
const LOST: Readonly<Partial<Record<Disturbance, Fault>>> = {
  killAfterCommit: { kind: 'silenceAfter' },
  killBeforeCommit: { kind: 'silenceBefore' },
};

/**
 * Stops the server as told and starts it again; `word` is in the batch whose commit counts. Gives the milliseconds
 * until it was ready.
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
    if (fault !== undefined) await proxy.strike(fault, batchWith(word));
    await server.killServer();
    // With the process its end of the line is gone, of which the database hears.
    proxy.cutAll();
  }
  return server.start();
}

/** The commit of a batch that has a word in it. */
function batchWith(word: string): Target {
  return {
    application: BATCH_COMMIT.application,
    isMeant: (request, inTransaction) =>
      BATCH_COMMIT.isMeant(request, inTransaction) && request.bytes.includes(word),
  };
}
