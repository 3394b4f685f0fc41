import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../testing/fake-clock.ts';
import { CurrentReplica, ReplicaBehind } from './current-replica.ts';
import { databaseOver } from './database.ts';

interface Row {
  readonly is_replica: boolean;
  readonly wal: string | null;
  readonly epoch: bigint;
}

/** A primary and two replicas, between which a proxy distributes connections. */
class Machines {
  readonly clock = new FakeClock();
  primary: Row = { is_replica: false, wal: '100', epoch: 7n };
  readonly replicas: Row[] = [
    { is_replica: true, wal: '100', epoch: 7n },
    { is_replica: true, wal: '100', epoch: 7n },
  ];
  primaryQueries = 0;
  /** Texts of the statements of modules, and of checks, in the order in which they were executed. */
  readonly statements: string[] = [];
  readonly released: boolean[] = [];
  /** Called after each query of a replica's position. */
  onCheck: () => void = () => undefined;
  /** Resolves the running query of the primary's position; set while one runs and the test delays answers. */
  answerPrimary: (() => void) | undefined;
  delaysPrimary = false;
  private opened = 0;

  readonly replica = new CurrentReplica({
    clock: this.clock,
    primary: { query: (() => this.queryPrimary()) as unknown as pg.Pool['query'] },
    replica: { connect: () => Promise.resolve(this.client()) },
  });

  private async queryPrimary(): Promise<{ rows: Row[] }> {
    this.primaryQueries += 1;
    if (this.delaysPrimary) await new Promise<void>((resolve) => (this.answerPrimary = resolve));
    return { rows: [this.primary] };
  }

  private client(): pg.PoolClient {
    const index = this.opened % this.replicas.length;
    this.opened += 1;
    const query = async (statement: unknown) => {
      const isCheck = typeof statement === 'string' && statement.includes('pg_last_wal_replay_lsn');
      this.statements.push(`${isCheck ? 'check' : 'read'} ${index}`);
      if (!isCheck) return { rows: [], command: 'SELECT' };
      const row = this.replicas[index];
      this.onCheck();
      return { rows: [row] };
    };
    const release = (isClosed?: boolean) => void this.released.push(isClosed === true);
    return { query, release } as unknown as pg.PoolClient;
  }

  async read(): Promise<void> {
    const { reader } = databaseOver(this.replica.connections);
    await reader.selectNoFrom((eb) => eb.val(1).as('one')).execute();
  }
}

describe('a replica that is read like the primary', () => {
  it('CLU-109 every connection is asked for its position before a statement of the call', async () => {
    const machines = new Machines();
    await machines.replica.reading(async () => {
      await machines.read();
      await machines.read();
    });
    expect(machines.statements).toEqual(['check 0', 'read 0', 'check 1', 'read 1']);
    expect(machines.released).toEqual([false, false]);
  });

  it('CLU-109 a call waits for a replica that is behind', async () => {
    const machines = new Machines();
    machines.replicas[0] = { is_replica: true, wal: '99', epoch: 7n };
    machines.onCheck = () => (machines.replicas[0] = { is_replica: true, wal: '100', epoch: 7n });
    await machines.replica.reading(() => machines.read());
    expect(machines.statements).toEqual(['check 0', 'check 0', 'read 0']);
  });

  it('CLU-109 a call fails when the replica does not reach the position within 200 ms', async () => {
    const machines = new Machines();
    machines.replicas[0] = { is_replica: true, wal: '99', epoch: 7n };
    machines.onCheck = () => machines.clock.advance(100);
    const reading = machines.replica.reading(() => machines.read());
    await expect(reading).rejects.toBeInstanceOf(ReplicaBehind);
    expect(machines.statements).toEqual(['check 0', 'check 0']);
    expect(machines.released).toEqual([false]);
  });

  it('CLU-109 a replica that follows a former primary counts as behind, however long its log is', async () => {
    const machines = new Machines();
    machines.replicas[0] = { is_replica: true, wal: '500', epoch: 6n };
    machines.onCheck = () => machines.clock.advance(250);
    await expect(machines.replica.reading(() => machines.read())).rejects.toBeInstanceOf(ReplicaBehind);
  });

  it('CLU-109 no call is served if the address of the primary leads to a replica', async () => {
    const machines = new Machines();
    machines.primary = { is_replica: true, wal: null, epoch: 7n };
    await expect(machines.replica.reading(() => machines.read())).rejects.toBeInstanceOf(ReplicaBehind);
    expect(machines.statements).toEqual([]);
  });

  it('CLU-109 a primary in the place of the replica has everything', async () => {
    const machines = new Machines();
    machines.replicas[0] = { is_replica: false, wal: null, epoch: 7n };
    await machines.replica.reading(() => machines.read());
    expect(machines.statements).toEqual(['check 0', 'read 0']);
  });

  it('CLU-109 a call never uses a position that was read before it', async () => {
    const machines = new Machines();
    machines.delaysPrimary = true;
    const first = machines.replica.reading(() => machines.read());
    await sleep(1);
    // These arrive while the first position is being read, so they share the next one.
    const later = [1, 2, 3].map(() => machines.replica.reading(() => machines.read()));
    expect(machines.primaryQueries).toBe(1);
    machines.answerPrimary?.();
    await first;
    await sleep(1);
    expect(machines.primaryQueries).toBe(2);
    machines.answerPrimary?.();
    await Promise.all(later);
    expect(machines.primaryQueries).toBe(2);
  });

  it('CLU-109 what continues after the call sees the same position, and may wait for it again', async () => {
    const machines = new Machines();
    const resume = await machines.replica.reading((resuming) => Promise.resolve(resuming));
    machines.clock.advance(60_000);
    machines.replicas[0] = { is_replica: true, wal: '99', epoch: 7n };
    machines.onCheck = () => (machines.replicas[0] = { is_replica: true, wal: '100', epoch: 7n });
    await resume(() => machines.read());
    expect(machines.statements).toEqual(['check 0', 'check 0', 'read 0']);
    expect(machines.primaryQueries).toBe(1);
  });

  it('CLU-109 a connection whose check fails is closed', async () => {
    const machines = new Machines();
    machines.onCheck = () => {
      throw new Error('connection lost');
    };
    await expect(machines.replica.reading(() => machines.read())).rejects.toThrow('connection lost');
    expect(machines.released).toEqual([true]);
  });

  it('queries outside of a call are not checked', async () => {
    const machines = new Machines();
    await machines.read();
    expect(machines.statements).toEqual(['read 0']);
    expect(machines.primaryQueries).toBe(0);
  });
});
