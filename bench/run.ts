/**
 * Runs the measurements listed below one after another, which takes more than half an hour. The list does not contain
 * the large exchange, which fills a database for hours, the cluster, and the conformance of the book, which downloads
 * its benchmark.
 * Run: npx tsx bench/run.ts
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const PROGRAMS = [
  'page-weight.ts',
  'starts.ts',
  'orders.ts',
  'market-reads.ts',
  'feed.ts',
  'http-edge.ts',
  'recovery.ts',
  'takeover.ts',
  'history.ts',
  'reconciliation.ts',
  'finance.ts',
  'seconds.ts',
  'fund.ts',
  'subscription.ts',
  'proofs.ts',
  'book/run.ts',
  'trading-screen.ts',
];

const failed: string[] = [];
for (const program of PROGRAMS) {
  console.log(`\n── ${program}`);
  const file = join(import.meta.dirname, program);
  const child = spawn(process.execPath, ['--import', 'tsx', file], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) failed.push(program);
}
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
