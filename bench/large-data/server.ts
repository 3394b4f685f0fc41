/**
 * The exchange over a folder of large data, as `npm start` runs it but without the house's trading, without limits and with the
 * index made in the same thread.
 * The root of the checkout is its argument. Prints its addresses and what its start took as JSON, then answers
 * `reconcile`, `fullPass`, `lag`, `index` and `memory`.
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
  const beganMs = performance.now();
  const config = readConfig(process.env, root);
  if (!config.ok) throw new Error(config.refusal.join('; '));
  const database = await startDatabase({ ...config.value, log: () => undefined });
  const databaseMs = performance.now() - beganMs;
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
  const startMs = performance.now() - beganMs;
  await app.demoDataMade();
  await signIn(database.owner);
  process.once('SIGTERM', () => {
    const stopped = app.stop().then(() => database.stop());
    void stopped.then(() => process.exit(0));
  });
  process.on('message', (question: string) => {
    void answer(doors!, question).then((answered) => process.send?.(answered));
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

async function answer({ reconciliation, movements, halting, database, market }: Doors, question: string) {
  const beganMs = performance.now();
  if (question === 'memory') return process.memoryUsage();
  if (question === 'lag') return movements.lag();
  if (question === 'index') return market.indexPrice(SYMBOL)?.price.toString() ?? '60000';
  if (question === 'reconcile') {
    const { problems } = await reconciliation.reconcile();
    return { ms: performance.now() - beganMs, problems };
  }
  const pass = new Reconciliation({
    reader: database.store,
    halting,
    holds: HOLDS,
    clock: systemClock,
    log: benchLog,
    fullPassMs: Number.MAX_SAFE_INTEGER,
  });
  const { problems } = await pass.reconcile();
  return { ms: performance.now() - beganMs, problems };
}
