import { MINUTE_MS } from '@exchange/core/time.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '../../../testing/database.ts';
import { sequencerFixture, type SequencerFixture } from '../../../testing/sequenced.ts';
import { createAssets } from '../assets/index.ts';
import { Ledger } from '../ledger/index.ts';
import { PriceTimeBook } from '../matching/index.ts';
import { spotCommands } from './commands.ts';
import { SpotExchange } from './exchange.ts';
import { loadExchange } from './loading.ts';
import { PairStatuses, Heartbeat } from './pair-statuses.ts';

describe('pairs after an outage', () => {
  let database: TestDatabase;
  let platform: SequencerFixture;
  beforeEach(async () => {
    database = await testDatabase();
    platform = await sequencerFixture(database);
  });
  afterEach(async () => {
    await platform.end();
    await database.drop();
  });

  /** Creates, as a start of the server does, the loaded exchange and the services that manage its pairs. */
  async function startExchange() {
    await platform.end();
    platform = await sequencerFixture(database, platform.clock);
    await platform.sequencer.start();
    const { sequencer, clock, log } = platform;
    const { reader } = platform.database;
    const ledger = new Ledger({ reader, log });
    const exchange = new SpotExchange(ledger);
    for (const { pair, filters } of createAssets({ mode: 'live' }).pairs)
      exchange.list(pair, filters, new PriceTimeBook());
    await loadExchange(exchange, platform.database, ledger);
    const commands = spotCommands(exchange);
    sequencer.register(Object.values(commands));
    const statuses = new PairStatuses({ exchange, commands, sequencer, reader, clock, log });
    const heartbeat = new Heartbeat({ database: platform.database, clock, log });
    const statusOf = (symbol: string) => exchange.market(symbol).status;
    return { exchange, statuses, heartbeat, of: statusOf };
  }

  it('SPOT-164 after an outage of more than ten minutes pairs only allow cancelling for a minute and then open by themselves', async () => {
    const { clock } = platform;
    const first = await startExchange();
    expect(await first.heartbeat.outageMs()).toBe(0);
    await first.heartbeat.tick();
    clock.advance(11 * MINUTE_MS);
    const second = await startExchange();
    const outageMs = await second.heartbeat.outageMs();
    expect(outageMs).toBe(11 * MINUTE_MS);
    await second.statuses.haltAfterOutage(outageMs);
    await second.statuses.set('ethusdt', 'closed', { by: 'operator', reason: 'looking at it' });
    expect([second.of('btcusdt'), second.of('ethusdt')]).toEqual(['cancelOnly', 'closed']);
    clock.advance(MINUTE_MS - 1);
    await second.statuses.tick();
    expect(second.of('btcusdt')).toBe('cancelOnly');
    clock.advance(1);
    await second.statuses.tick();
    expect([second.of('btcusdt'), second.of('ethusdt')]).toEqual(['open', 'closed']);
  });

  it('SPOT-165 a crash within that minute does not leave pairs halted', async () => {
    const first = await startExchange();
    await first.statuses.haltAfterOutage(11 * MINUTE_MS);
    const second = await startExchange();
    expect(second.of('btcusdt')).toBe('cancelOnly');
    await second.statuses.haltAfterOutage(1_000);
    platform.clock.advance(MINUTE_MS);
    await second.statuses.tick();
    expect(second.of('btcusdt')).toBe('open');
  });

  it('SPOT-164 a stop caused by an uncaught error counts as an outage', async () => {
    const { heartbeat } = await startExchange();
    await heartbeat.tick();
    heartbeat.markStopUnplanned();
    await heartbeat.storePlannedStop();
    platform.clock.advance(11 * MINUTE_MS);
    expect(await heartbeat.outageMs()).toBe(11 * MINUTE_MS);
  });

  it('SPOT-166 a planned stop and a short outage change nothing', async () => {
    const { clock } = platform;
    const { heartbeat, statuses, of } = await startExchange();
    await heartbeat.tick();
    await heartbeat.storePlannedStop();
    clock.advance(60 * MINUTE_MS);
    expect(await heartbeat.outageMs()).toBe(0);
    await heartbeat.tick();
    clock.advance(9 * MINUTE_MS);
    await statuses.haltAfterOutage(await heartbeat.outageMs());
    expect(of('btcusdt')).toBe('open');
  });
});
