/**
 * Runs a server on the data folder of a large exchange. Other than with `npm start`, there are no rate limits, the
 * index price is computed in the same thread, and the first users are signed in. The argument is the root of the
 * checkout. Prints the addresses and the start times as JSON, then answers the messages `reconcile`, `fullPass`, `lag`,
 * `index` and `memory`.
 */
import { createApp } from '../../apps/server/src/app.ts';
import { composeModules, type Doors } from '../../apps/server/src/compose.ts';
import { readConfig } from '../../apps/server/src/config.ts';
import { HOLDS } from '../../apps/server/src/money.ts';
import { Reconciliation } from '../../apps/server/src/modules/ledger/index.ts';
import { systemClock } from '../../apps/server/src/platform/clock.ts';
import { NO_ADMISSION_LIMITS } from '../../apps/server/src/platform/http/admission.ts';
import { NO_LIMITS } from '../../apps/server/src/platform/limits/limits.ts';
import { startDatabase } from '../../apps/server/src/platform/start-database.ts';
import { benchLog } from '../orders/exchange.ts';
import { SYMBOL } from './plan.ts';
import { signIn } from './sessions.ts';

export interface LargeServer {
  readonly app: string;
  readonly console: string;
  readonly databaseMs: number;
  readonly startMs: number;
  readonly operators: readonly { readonly name: string; readonly password: string; readonly key: string }[];
  readonly operations: readonly {
    readonly method: string;
    readonly path: string;
    readonly isFile?: boolean;
  }[];
}

await serve(process.argv[2] ?? process.cwd());

async function serve(root: string): Promise<void> {
  const startedMs = performance.now();
  const config = readConfig(process.env, root);
  if (!config.ok) throw new Error(config.refusal.join('; '));
  const database = await startDatabase({ ...config.value, log: () => undefined });
  const databaseMs = performance.now() - startedMs;
  let doors: Doors | undefined;
  let operations: LargeServer['operations'] = [];
  const foundation = {
    config: config.value,
    clock: systemClock,
    log: benchLog,
    database,
    end: () => process.exit(1),
    limits: NO_LIMITS,
    admissionLimits: NO_ADMISSION_LIMITS,
  };
  const app = await createApp(foundation, async (platform) => {
    const composition = await composeModules(platform);
    doors = composition.doors;
    operations = composition.modules.flatMap((module) => module.operations ?? []);
    return composition;
  });
  const addresses = await app.listen();
  const startMs = performance.now() - startedMs;
  await app.demoDataMade();
  await signIn(database.owner);
  process.once('SIGTERM', () => {
    const stopping = app.stop().then(() => database.stop());
    void stopping.then(() => process.exit(0));
  });
  process.on('message', (request: string) => {
    void answer(doors!, request).then((result) => process.send?.(result));
  });
  const ready: LargeServer = {
    ...addresses,
    databaseMs,
    startMs,
    operators: doors!.operators.demoLogins,
    operations: operations.map(({ method, path, isFile }) => ({ method, path, isFile: isFile === true })),
  };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
}

async function answer({ reconciliation, movements, halting, database, market }: Doors, request: string) {
  const startMs = performance.now();
  if (request === 'memory') return process.memoryUsage();
  if (request === 'lag') return movements.lag();
  if (request === 'index') return market.indexPrice(SYMBOL)?.price.toString() ?? '60000';
  if (request === 'reconcile') {
    const { problems } = await reconciliation.reconcile();
    return { ms: performance.now() - startMs, problems };
  }
  const pass = new Reconciliation({
    store: database.store,
    halting,
    holds: HOLDS,
    clock: systemClock,
    log: benchLog,
    fullPassMs: Number.MAX_SAFE_INTEGER,
  });
  const { problems } = await pass.reconcile();
  return { ms: performance.now() - startMs, problems };
}
