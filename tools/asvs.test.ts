import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const docs = fileURLToPath(new URL('../docs/', import.meta.url));
const STATES = new Set(['met', 'partly', 'not met', 'operator', 'not applicable']);
const CODE = /\b(?!SHA-|AES-)[A-Z]{2,}-\d{3}\b/g;

const known = new Set(
  readdirSync(join(docs, 'requirements')).flatMap((file) =>
    [...readFileSync(join(docs, 'requirements', file), 'utf8').matchAll(/\*\*([A-Z]+-\d+)\*\*/g)].map(
      ([, code]) => code,
    ),
  ),
);

const rows = readFileSync(join(docs, 'security/asvs.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));

it('REPO-890 lists each line of the ASVS once, with a state and existing requirements', () => {
  expect(rows).toHaveLength(253);
  expect(new Set(rows.map(([, line]) => line)).size).toBe(rows.length);
  for (const [, line, requirement, state = '', evidence = ''] of rows) {
    expect([line, requirement !== '' && evidence !== '' && STATES.has(state)]).toEqual([line, true]);
    expect([line, (evidence.match(CODE) ?? []).filter((code) => !known.has(code))]).toEqual([line, []]);
  }
});
