import { Decimal } from '@exchange/core/decimal.ts';
import { instant } from '@exchange/core/time.ts';
import { describe, expect, it } from 'vitest';
import { jsonLog, levelledLog, type Level } from './json-log.ts';

function createLog(level: Level = 'debug') {
  const lines: string[] = [];
  const clock = { now: () => instant(1_700_000_000_000), monotonicMs: () => 0 };
  const log = jsonLog({ level, clock, write: (line) => lines.push(line) });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? 'null') as Record<string, unknown> };
}

describe('log', () => {
  it('EDGE-003 an event is written as one JSON line with time and level', () => {
    const { log, lines, last } = createLog();
    log.info('edge.listening', { port: 3000, amount: Decimal.parse('0.10'), sequence: 12n });
    expect(lines[0]?.endsWith('}\n')).toBe(true);
    expect(last()).toEqual({
      time: '2023-11-14T22:13:20.000Z',
      level: 'info',
      event: 'edge.listening',
      port: 3000,
      amount: '0.1',
      sequence: '12',
    });
  });

  it('EDGE-004 secrets are never written, at any depth and in any spelling of their field', () => {
    const { log, lines } = createLog();
    log.warn('x', {
      token: 'S3CRET',
      headers: { 'X-Access-Token': 'S3CRET', Authorization: 'S3CRET', cookie: 'S3CRET' },
      body: [{ assetsPwd: 'S3CRET', confirmPassword: 'S3CRET', code: 'S3CRET', googleCode: 'S3CRET' }],
      account: {
        idCard: 'S3CRET',
        idCardPhotoPositive: 'S3CRET',
        databaseUrl: 'S3CRET',
        client_secret: 'S3CRET',
      },
      cause: Object.assign(new Error('broken'), { token: 'S3CRET' }),
    });
    expect(lines[0]).not.toContain('S3CRET');
    expect(lines[0]).toContain('[redacted]');
  });

  it('EDGE-185 fields cannot replace time, level or event', () => {
    const { log, lines, last } = createLog();
    log.error('process.failed', { event: 'uncaughtException', level: 3, time: 'now', port: 1 });
    expect(last()).toEqual({
      time: '2023-11-14T22:13:20.000Z',
      level: 'error',
      event: 'process.failed',
      event_: 'uncaughtException',
      level_: 3,
      time_: 'now',
      port: 1,
    });
    expect(lines[0]!.match(/"(?:time|level|event)":/g)).toHaveLength(3);
  });

  it('an error is logged with its stack, kind and cause', () => {
    const { log, last } = createLog();
    const cause = Object.assign(new Error('gone'), { code: '57P01' });
    log.error('x', { cause: new Error('failed', { cause }) });
    expect(last()['cause']).toMatchObject({
      name: 'Error',
      message: 'failed',
      stack: expect.stringContaining('json-log.test.ts') as unknown,
      cause: { message: 'gone', errorCode: '57P01' },
    });
  });

  it('circular, deep and large values are limited', () => {
    const { log, lines } = createLog();
    const circle: Record<string, unknown> = { text: 'x'.repeat(10_000) };
    circle['self'] = circle;
    log.info('x', { circle, bytes: new Uint8Array(9) });
    expect(lines[0]!.length).toBeLessThan(20_000);
  });

  it('events below the level are omitted', () => {
    const { log, lines, last } = createLog('warn');
    log.info('quiet');
    log.debug('quiet');
    levelledLog(log, 'database')('error', 'was lost', { n: 1 });
    expect(lines).toHaveLength(1);
    expect(last()).toMatchObject({ level: 'error', event: 'database.was_lost', n: 1 });
  });
});
