import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange } from '../exchange.ts';

describe('scheduled jobs', () => {
  let exchange: TestExchange;

  beforeAll(async () => {
    exchange = await anExchange();
  });

  afterAll(() => exchange.close());

  it('JOB-007 each run with the privileges of the running server', async () => {
    const { scheduled } = exchange.doors.jobs;
    expect(scheduled.size).toBeGreaterThan(3);
    for (const [name, run] of scheduled) await expect(run(), name).resolves.toBeUndefined();
  });
});
