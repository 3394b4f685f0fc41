import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const server = join(root, 'apps/server/src');
const WATCHED = /health\.watch(?:Dispensable)?\(\s*'([^']+)'/g;

it('LIVE-040 the runbook has a line for every part of health', () => {
  const runbook = readFileSync(join(root, 'docs/runbook.md'), 'utf8');
  const sources = readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(server, file), 'utf8'));
  const parts = sources.flatMap((text) => [...text.matchAll(WATCHED)].map(([, part]) => part!));
  expect(parts).toContain('ledger');
  expect(parts.filter((part) => !runbook.includes(`| \`${part}\``))).toEqual([]);
});
