import { describe, expect, it } from 'vitest';
import { Health, type ComponentHealth } from './health.ts';

const up = (): ComponentHealth => ({ isUp: true });
const gone = () => Promise.reject(new Error('no way there'));

describe('health of all components', () => {
  it('DB-071 the server is standby when all other components are up or standby, and down otherwise', async () => {
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

  it('EDGE-620 the status checks only the essential components and waits for no other', async () => {
    const health = new Health();
    const checked: string[] = [];
    health.watch('database', up);
    health.watchDispensable('ledger', () => {
      checked.push('ledger');
      return new Promise<ComponentHealth>(() => undefined);
    });
    expect(await health.status()).toBe('up');
    expect(checked).toEqual([]);
    health.watch('sequencer', () => ({ isUp: false, reason: 'recovering' }));
    expect(await health.status()).toBe('down');
  });

  it('CLU-073 a process that is about to stop reports it, whatever its components report', async () => {
    const health = new Health();
    health.watch('database', up);
    health.drain();
    expect([await health.status(), (await health.report()).status]).toEqual(['draining', 'draining']);
  });

  it('DB-065 an unreachable replica is shown but does not make the server count as down', async () => {
    const health = new Health();
    health.watch('database', up);
    health.watchDispensable('replica', gone);
    const { status, components } = await health.report();
    expect(status).toBe('up');
    expect(components['replica']).toEqual({ isUp: false, reason: 'no way there' });
  });
});
