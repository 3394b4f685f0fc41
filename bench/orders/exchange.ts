import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { createAssets } from '../../apps/server/src/modules/assets/index.ts';
import { Ledger, Movements } from '../../apps/server/src/modules/ledger/index.ts';
import { createMarket } from '../../apps/server/src/modules/market/index.ts';
import { createSpot, type Spot } from '../../apps/server/src/modules/spot/index.ts';
import { TradingPauses } from '../../apps/server/src/modules/trading-pauses/index.ts';
import { systemClock, type Clock } from '../../apps/server/src/platform/clock.ts';
import { databaseOver } from '../../apps/server/src/platform/database/database.ts';
import { openDatabase } from '../../apps/server/src/platform/database/pool.ts';
import { Events } from '../../apps/server/src/platform/events.ts';
import { FeedHub } from '../../apps/server/src/platform/feed/hub.ts';
import { jsonLog } from '../../apps/server/src/platform/log/json-log.ts';
import { Limits, NO_LIMITS } from '../../apps/server/src/platform/limits/limits.ts';
import { Metrics } from '../../apps/server/src/platform/metrics/metrics.ts';
import { SigningKey } from '../../apps/server/src/platform/secrets/signing-key.ts';
import { Sequencer } from '../../apps/server/src/platform/sequencer/sequencer.ts';
import type { BenchDatabase } from '../measuring/postgres.ts';

export const benchLog = jsonLog({
  level: 'warn',
  clock: systemClock,
  write: (line) => process.stderr.write(line),
});

export interface RunningExchange {
  readonly ledger: Ledger;
  readonly spot: Spot;
  readonly sequencer: Sequencer;
  stop(): Promise<void>;
}

/** Starts sequencer, ledger, market data and spot trading on a database like the server does, but without HTTP. */
export async function openExchange(
  connection: BenchDatabase,
  clock: Clock = systemClock,
): Promise<RunningExchange> {
  const log = benchLog;
  const pool = openDatabase({ connection, log: () => undefined });
  const database = databaseOver(pool);
  const events = new Events(log);
  const metrics = new Metrics();
  const charges = new Limits(clock, NO_LIMITS);
  const feed = new FeedHub({ clock, log, metrics, charges, proxyHeader: undefined, publicUrl: undefined });
  const assets = createAssets({ mode: 'live' });
  const ledger = new Ledger({ reader: database.reader, log });
  const market = createMarket({
    clock,
    log,
    events,
    feed,
    database,
    connection,
    assets,
    mode: 'live',
    signingKey: new SigningKey(Buffer.alloc(32, 7)),
    seed: 1,
  });
  const sequencer = new Sequencer({
    connection,
    reader: database.reader,
    secret: new Uint32Array([11, 22, 33, 44]),
    clock,
    events,
    log,
    onFenced: () => {
      throw new Refused(refusal('maintenance', 'l.maintenance'));
    },
  });
  const accountStatuses = {
    requireTrading: () => Promise.resolve(),
    tradingAccount: () => ({ master: undefined }),
    accountsOfPerson: (owner: UserId) => Promise.resolve([owner]),
  };
  const systemUsers = () => Promise.resolve([]);
  const movements = new Movements({ database, log, clock, systemUsers });
  const parts = {
    mode: 'live' as const,
    assets,
    ledger,
    market,
    accountStatuses,
    sequencer,
    database,
    log,
    clock,
  };
  const { reader } = database;
  const { spot } = createSpot({
    ...parts,
    reader,
    events,
    feed,
    movements,
    tradingPauses: new TradingPauses({ clock, database, log }),
  });
  sequencer.join(ledger);
  sequencer.join(spot);
  await market.start();
  await sequencer.start();
  await market.catchUp((sequence, limit) => spot.dealsSince(sequence, limit));
  await spot.start();
  return {
    ledger,
    spot,
    sequencer,
    stop: async () => {
      await spot.stop();
      await sequencer.stop();
      await market.stop();
      await pool.end();
    },
  };
}
