import { setTimeout as sleep } from 'node:timers/promises';
import { CONNECTION_FAULTS, LONG_CONNECTION_FAULTS } from '../faults/connection-faults.ts';
import { BATCH_COMMIT, COMMIT_FAULTS } from '../faults/faults.ts';
import type { CheckReport } from './checks.ts';
import { seconds, Timings } from './figures.ts';
import { ProxiedServers } from './proxied-servers.ts';
import { TradingFloor, type FloorOptions } from './trading-floor.ts';

export interface FaultOptions extends FloorOptions {
  /** Number of times that each fault is injected. */
  readonly rounds: number;
  readonly say: (line: string) => void;
}

export interface FaultReport {
  readonly ready: Timings;
  readonly retries: number;
  readonly last: CheckReport;
  readonly problems: readonly string[];
}

const CALM_MS = 300;

/**
 * Runs the built server with trading users while its database connection fails with each fault in turn, those of
 * commits and those of connections. After each fault it waits until the server has recovered, and compares all
 * acknowledged requests with the stored data.
 */
export async function runFaults(options: FaultOptions): Promise<FaultReport> {
  const { rounds, say } = options;
  const proxied = await ProxiedServers.prepare(1);
  const server = proxied.servers[0]!;
  const ready = new Timings();
  try {
    say(`first start ${seconds(await server.start())}`);
    const connection = () => proxied.database.connection;
    const floor = await TradingFloor.open([server.url], connection, options);
    const faults = faultsThrough(proxied);
    try {
      for (let round = 1; round <= rounds; round += 1) {
        for (const [name, inflict] of faults) {
          const endMs = await inflict();
          await server.waitUntilReady();
          await floor.waitForAnswer();
          const readyMs = Math.max(0, performance.now() - endMs);
          ready.add(name, readyMs);
          const { acknowledged } = await floor.check(`${name}, round ${round}`);
          say(`${round} ${name}: ready in ${seconds(readyMs)}, ${acknowledged} answers kept`);
          await sleep(CALM_MS);
        }
      }
      const last = await floor.close();
      const { exitCode } = await server.stop();
      const problems =
        exitCode === 0 ? floor.problems : [...floor.problems, `the server ended with ${exitCode}`];
      return { ready, retries: floor.retries, last, problems };
    } finally {
      floor.abandon();
    }
  } finally {
    await proxied.close();
  }
}

/**
 * Returns the faults of commits and of connections by name. Each function injects its fault and returns the
 * time (of `performance.now`) from which the server's recovery is measured.
 */
function faultsThrough({ proxies, database }: ProxiedServers): (readonly [string, () => Promise<number>])[] {
  const proxy = proxies[0]!;
  const commits = Object.entries(COMMIT_FAULTS).map(([name, fault]) => {
    const inflict = async () => {
      await proxy.injectNext(fault, BATCH_COMMIT);
      return performance.now() + (fault.kind === 'delay' ? fault.ms : 0);
    };
    return [name, inflict] as const;
  });
  const connections = [...CONNECTION_FAULTS, ...LONG_CONNECTION_FAULTS].map(({ name, inject }) => {
    const inflictNow = async () => {
      await inject(proxy, database.connection);
      return performance.now();
    };
    return [name, inflictNow] as const;
  });
  return [...commits, ...connections];
}
