import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const server = join(root, 'apps/server/src');
const sources = readdirSync(server, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(server, file), 'utf8'));
const runbook = readFileSync(join(root, 'docs/runbook.md'), 'utf8');

const WATCHED = /health\.watch(?:Dispensable)?\(\s*'([^']+)'/g;
/** `log.warn('event', …)`, whatever the log is called. */
const SAID = /[lL]og\.(?:warn|error)\(\s*'([a-z_]+\.[a-z_]+)'/g;
/** What the database's parts say, which name the level first. */
const SAID_OF_THE_DATABASE = /[lL]og\(\s*'(?:warn|error)',\s*'([^']+)'/g;

it('LIVE-040 the runbook has a line for every part of health', () => {
  const parts = sources.flatMap((text) => [...text.matchAll(WATCHED)].map(([, part]) => part!));
  expect(parts).toContain('ledger');
  expect(parts.filter((part) => !runbook.includes(`| \`${part}\``))).toEqual([]);
});

it('LIVE-041 the runbook says of every warning and error of the log what it means', () => {
  const events = sources.flatMap((text) => [
    ...[...text.matchAll(SAID)].map(([, event]) => event!),
    ...[...text.matchAll(SAID_OF_THE_DATABASE)].map(([, words]) => `database.${words!.replaceAll(' ', '_')}`),
  ]);
  expect(events).toEqual(expect.arrayContaining(['app.fenced', 'database.role_owns_its_tables']));
  expect(events.filter((event) => !runbook.includes(`\`${event}\``))).toEqual([]);
});
