import { randomUUID } from 'node:crypto';
import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Counter, COUNTER_TABLE } from '../../../testing/counter.ts';
import { eventually } from '../../../testing/eventually.ts';
import { FakeClock } from '../../../testing/fake-clock.ts';
import { runStep } from '../../../testing/run-step.ts';
import { seededRandom } from '../../../testing/seeded-random.ts';
import { sequencerFixture, type SequencerFixture } from '../../../testing/sequenced.ts';
import { WRITER_NAME } from '../../platform/sequencer/writer-lease.ts';
import { audit, houseAddress, Ledger, userAddress, worldAddress } from './index.ts';

const ASSETS = ['USDT', 'BTC', 'ETH'];
const USERS = Array.from({ length: 6 }, () => randomUUID() as UserId);

/** A sequencer with a ledger and a counter. It is a standby while another one runs on the same database. */
class Machine {
  readonly parts: SequencerFixture;
  readonly ledger: Ledger;
  readonly counter: Counter;
  readonly started: Promise<void>;

  constructor(parts: SequencerFixture) {
    this.parts = parts;
    this.ledger = new Ledger({ reader: parts.database.reader, log: parts.log });
    this.counter = new Counter(parts.testDatabase.pool);
    parts.sequencer.join(this.ledger);
    parts.sequencer.join(this.counter);
    this.started = parts.sequencer.start();
    this.started.catch(() => undefined);
  }

  /** All ledger accounts in the memory of this sequencer, as sorted texts of id, address, asset and balance. */
  get accounts(): string[] {
    return [...this.ledger.everyAccount()]
      .map(({ id, address, asset, atoms }) => `${id} ${address} ${asset} ${atoms}`)
      .toSorted();
  }

  logged(event: string): number {
    return this.parts.log.lines.filter((line) => line.event === event).length;
  }
}

/** Runs a step whose rows the database refuses, so that its entry and the whole batch are rolled back. */
async function loseBatch({ parts, ledger, counter }: Machine): Promise<void> {
  const lost = runStep(parts.sequencer, 'lost', {}, (step) => {
    ledger.post(step, 'faucet.claimed', step.newId(), [
      {
        source: worldAddress('USDT', 'demo'),
        destination: userAddress(USERS[0]!, 'spot', 'available'),
        asset: 'USDT',
        amount: Decimal.parse('7'),
      },
    ]);
    counter.add(step, 5_000_000);
  });
  await expect(lost).rejects.toThrow('maintenance');
}

async function breakConnection({ parts }: Machine): Promise<void> {
  await parts.testDatabase.pool.query('select pg_terminate_backend(backend) from writer');
  await eventually(() => expect(parts.log.lines.map(({ event }) => event)).toContain('sequencer.recovering'));
}

describe('the balances of a standby', () => {
  let database: SequencerFixture['testDatabase'];
  let first: SequencerFixture;
  let writer: Machine;
  let others: SequencerFixture[];
  const random = seededRandom(39);

  beforeEach(async () => {
    first = await sequencerFixture();
    database = first.testDatabase;
    await database.pool.query(COUNTER_TABLE);
    others = [];
    writer = new Machine(first);
    await writer.started;
    await writer.ledger.prepareAll(USERS);
  });

  afterEach(async () => {
    for (const parts of others) await parts.end();
    await first.end();
  });

  async function standby(isSchemaCurrent = true): Promise<Machine> {
    const parts = await sequencerFixture(database, new FakeClock(), isSchemaCurrent);
    others.push(parts);
    const machine = new Machine(parts);
    await machine.ledger.prepareAll(USERS);
    return machine;
  }

  const isWarm = (machine: Machine) =>
    eventually(() => expect(machine.parts.sequencer.following?.isWarm).toBe(true));

  /** Posts `count` random entries through this sequencer; the ledger refuses those that overdraw a user's account. */
  async function trade({ parts: { sequencer }, ledger }: Machine, count: number): Promise<void> {
    const entries = Array.from({ length: count }, () => {
      const asset = random.pick(ASSETS);
      const [source, destination] = [
        random.chance(0.4)
          ? worldAddress(asset, 'demo')
          : userAddress(random.pick(USERS), 'spot', 'available'),
        random.chance(0.2) ? houseAddress('fees') : userAddress(random.pick(USERS), 'spot', 'available'),
      ];
      const amount = Decimal.parse(String(random.whole(1, 50)));
      return runStep(sequencer, 'trade', {}, (step) =>
        ledger.post(step, 'faucet.claimed', step.newId(), [{ source, destination, asset, amount }]),
      );
    });
    const posted = await Promise.allSettled(entries);
    expect(posted.some(({ status }) => status === 'fulfilled')).toBe(true);
  }

  const loaded = async () => {
    const fresh = new Ledger({ reader: first.database.reader, log: first.log });
    await fresh.load();
    await fresh.prepareAll(USERS);
    return [...fresh.everyAccount()]
      .map(({ id, address, asset, atoms }) => `${id} ${address} ${asset} ${atoms}`)
      .toSorted();
  };

  async function requireTakenOver(machine: Machine): Promise<void> {
    await machine.started;
    expect(machine.accounts).toEqual(await loaded());
    expect(machine.counter.loads).toBe(1);
    await trade(machine, 30);
    expect(machine.accounts).toEqual(await loaded());
    expect((await audit(first.database.reader, [])).problems).toEqual([]);
  }

  /**
   * Waits until the standby `next` has loaded all balances a second time, and then posts 40 entries through the writer.
   */
  async function tradeInNextEpoch(next: Machine): Promise<void> {
    await eventually(() => expect(next.logged('sequencer.standby_loaded')).toBe(2));
    await trade(writer, 40);
  }

  it('CLU-088 follow the writer, and are warm at the takeover', async () => {
    await trade(writer, 40);
    const next = await standby();
    await isWarm(next);
    for (let round = 0; round < 2; round += 1) {
      await trade(writer, 40);
      await eventually(async () => expect(next.accounts).toEqual(await loaded()));
    }
    expect(writer.accounts.length).toBeGreaterThan(10);
    await trade(writer, 40);
    await writer.parts.sequencer.stop();
    await requireTakenOver(next);
    expect(next.logged('sequencer.standby_warm')).toBe(1);
    expect(next.logged('sequencer.standby_cold') + next.logged('sequencer.standby_differs')).toBe(0);
  });

  it.each([
    ['a batch was rolled back', loseBatch],
    ['the connection of the writer broke', breakConnection],
  ])('CLU-091 CLU-092 are the stored ones when %s, which begins another epoch', async (_, disturb) => {
    await trade(writer, 40);
    const next = await standby();
    await isWarm(next);
    await disturb(writer);
    // The writer recovers and becomes the writer of a new epoch, unless the standby becomes the writer first, which can
    // happen on a busy machine.
    const isRunning = ({ parts }: Machine) => parts.sequencer.isRunning;
    await eventually(() => expect([writer, next].some(isRunning)).toBe(true));
    if (!isRunning(next)) await tradeInNextEpoch(next);
    await writer.parts.sequencer.stop();
    await requireTakenOver(next);
    expect(next.logged('sequencer.standby_differs')).toBe(0);
  });

  it('CLU-090 are loaded, with an alarm, when they differ from the stored ones', async () => {
    await trade(writer, 40);
    const next = await standby();
    await isWarm(next);
    const account = [...next.ledger.everyAccount()].find(({ ownedAddress }) => ownedAddress !== undefined)!;
    account.atoms += 1n;
    await writer.parts.sequencer.stop();
    await requireTakenOver(next);
    expect(next.logged('sequencer.standby_differs')).toBe(1);
    expect(next.logged('sequencer.standby_warm')).toBe(0);
  });

  it('CLU-093 are loaded when the schema is the one of another version', async () => {
    await trade(writer, 20);
    const next = await standby(false);
    await eventually(() =>
      expect(next.parts.sequencer.following).toMatchObject({
        isWarm: false,
        reason: 'the database has the schema of another version',
      }),
    );
    await writer.parts.sequencer.stop();
    await requireTakenOver(next);
    expect(next.logged('sequencer.standby_cold')).toBe(1);
  });

  it('CLU-094 are never written, and read no rows while the writer is idle', async () => {
    await trade(writer, 20);
    const next = await standby();
    await isWarm(next);
    const sessions = `select application_name from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and application_name = '${WRITER_NAME}' and datname = current_database()`;
    expect((await database.pool.query(sessions)).rowCount).toBe(1);
    const before = (await database.pool.query('select * from writer')).rows[0];
    await eventually(() => expect(next.parts.sequencer.following?.stepsBehind).toBe(0));
    const { epoch, holder } = (await database.pool.query('select * from writer')).rows[0];
    expect({ epoch, holder }).toEqual({ epoch: before.epoch, holder: before.holder });
    await next.parts.sequencer.stop();
    await expect(next.started).rejects.toThrow('closed');
    await trade(writer, 10);
    expect(writer.accounts).toEqual(await loaded());
  });
});
