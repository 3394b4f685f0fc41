import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_EVERY_MS = 5;
const REQUEST_TIMEOUT_MS = 2_000;
const CALL = '/bb/app/huobi/getDetails';
const FORM = new URLSearchParams({ symbol: 'btcusdt' });

/**
 * Resolves when a server has answered a market data request that needs no session. Throws if the process ends
 * or the timeout is reached.
 */
export async function untilAnswered(child: ChildProcess, port: number, timeoutMs: number): Promise<void> {
  const startMs = performance.now();
  while (!(await isAnswering(`http://127.0.0.1:${port}${CALL}`))) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    if (performance.now() - startMs > timeoutMs) throw new Error('the server does not answer');
    await sleep(POLL_EVERY_MS);
  }
}

async function isAnswering(url: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const response = await fetch(url, { method: 'POST', body: FORM, signal });
    const { status } = (await response.json()) as { status?: unknown };
    return status === 'ok';
  } catch {
    // The server is not listening yet, or its answer took too long.
    return false;
  }
}
