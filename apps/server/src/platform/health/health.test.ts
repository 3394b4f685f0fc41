import { describe, expect, it } from 'vitest';
import { Health, type ComponentHealth } from './health.ts';

const up = (): ComponentHealth => ({ isUp: true });
const gone = () => Promise.reject(new Error('no way there'));

describe('the health of all parts', () => {
  it('DB-071 is standby when all that is not up waits for another server, and down when anything is wrong', async () => {
    const health = new Health();
    let database: ComponentHealth = up();
    health.watch('database', () => database);
    health.watch('sequencer', () => ({
      isUp: false,
      isStandby: true,
      reason: 'another server is the writer',
    }));
    expect((await health.report()).status).toBe('standby');
    database = { isUp: false, reason: 'away' };
    expect((await health.report()).status).toBe('down');
  });

  it('EDGE-620 the status asks only the parts that are needed to serve, and waits for no other', async () => {
    const health = new Health();
    const asked: string[] = [];
    health.watch('database', up);
    health.watchDispensable('ledger', () => {
      asked.push('ledger');
      return new Promise<ComponentHealth>(() => undefined);
    });
    expect(await health.status()).toBe('up');
    expect(asked).toEqual([]);
    health.watch('sequencer', () => ({ isUp: false, reason: 'recovering' }));
    expect(await health.status()).toBe('down');
  });

  it('DB-065 a copy that is away is shown and takes the server from nobody', async () => {
    const health = new Health();
    health.watch('database', up);
    health.watchDispensable('replica', gone);
    const { status, components } = await health.report();
    expect(status).toBe('up');
    expect(components['replica']).toEqual({ isUp: false, reason: 'no way there' });
  });
});
