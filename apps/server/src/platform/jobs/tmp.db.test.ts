import { it } from 'vitest';
import { testDatabase } from '../../../testing/database.ts';
import { collectingLog } from '../../../testing/edge.ts';
import { databaseOver } from '../database/database.ts';
import { JobRunner } from './jobs.ts';
it('t', async () => {
  const rows = await testDatabase();
  const database = databaseOver(rows.pool);
  for (const wait of [0, 300, 1500]) {
    const log = collectingLog();
    const r = new JobRunner({ connection: rows.connection, database, log });
    r.define('x', async () => undefined, { cron: '0 4 1 1 *' });
    const a = performance.now();
    await r.prepare();
    const b = performance.now();
    r.start();
    await new Promise((f) => setTimeout(f, wait));
    const c = performance.now();
    await r.stop();
    process.stdout.write(`prepare ${b - a} stop after ${wait}: ${performance.now() - c}\n${JSON.stringify(log.events.map((e)=>[e.event, (e.fields as any)?.message ?? String((e.fields as any)?.cause)]))}\n`);
  }
  await rows.drop();
});
