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
/**
 * Matches `log.warn('event', …)` and `log.error('event', …)`, also if the variable of the log has another
 * name or the level is in brackets.
 */
const LOGGED = /[lL]og(?:\.(?:warn|error)|\[[^\]]+\])\(\s*'([a-z_]+\.[a-z_]+)'/g;
/**
 * Matches every call of a method of a log that logs a warning or an error, such as `log.warn(`; calls of a
 * function `log('warn', …)` do not match. Each matched call must also match `LOGGED`, `LOGGED_BY_PRODUCTS`
 * or `FORWARDED`.
 */
const LOG_CALL = /[lL]og(?:\??\.(?:warn|error)|\[[^\]]+\])\(/g;
/**
 * Matches calls that log a warning or an error with the level as the first argument and the event in words as the
 * second, as the code of the database and of the job queue does.
 */
const LOGGED_BY_DATABASE = /[lL]og\(\s*'(?:warn|error)',\s*'([^']+)'/g;

/** Matches log calls whose event begins with the name of a product: `log.warn(`${name}.event`, …)`. */
const LOGGED_BY_PRODUCTS = /[lL]og\.(?:warn|error)\(\s*`\$\{name\}\.([a-z_]+)`/g;
/** Matches log calls that forward events of the embedded database or of the index thread. */
const FORWARDED = /log\[(level\]\(`\$\{prefix\}|report\.level\]\(report\.event)/g;
const MEASURED =
  /(?:\.(?:counter|gauge)\(\s*|\.gauges\(\s*\{\s*name:\s+|super\(\{\s*name:\s+)'([a-z]+_[a-z_]+)'/g;
const MEASURES = /(?:\.(?:counter|gauge|gauges)\(|extends (?:Counter|Gauge|Histogram)\b)/g;
/**
 * Finds whether a module's source has the property `health`, which the console shows under the module's name.
 */
const IS_A_PART = /^ {4}health: /m;

const hasLine = (part: string) => runbook.includes(`| \`${part}\``);
const all = (expression: RegExp) =>
  sources.flatMap((text) => [...text.matchAll(expression)].map(([, name]) => name!));

it('LIVE-040 the runbook has a line for every part of health', () => {
  const parts = all(WATCHED);
  expect(parts).toContain('ledger');
  expect(parts.filter((part) => !hasLine(part))).toEqual([]);
  // All products with due work share one line of the runbook; every other module must have a line of its own.
  const modules = readdirSync(join(server, 'modules')).filter((name) =>
    IS_A_PART.test(readFileSync(join(server, 'modules', name, 'index.ts'), 'utf8')),
  );
  expect(modules).toEqual(expect.arrayContaining(['chains', 'deposits', 'finance', 'withdrawals']));
  const isDue = (name: string) =>
    /lateSince\(\)|jobs\.health\(\)/.test(readFileSync(join(server, 'modules', name, 'index.ts'), 'utf8'));
  expect(modules.filter((name) => !isDue(name) && !hasLine(name))).toEqual([]);
  expect(runbook).toContain("| a product's name ");
});

it('LIVE-041 the runbook explains every warning and error of the log', () => {
  const events = [
    ...all(LOGGED),
    ...all(LOGGED_BY_DATABASE).map((words) => `database.${words.replaceAll(' ', '_')}`),
    ...all(LOGGED_BY_PRODUCTS).map((event) => `<product>.${event}`),
  ];
  expect(events).toEqual(
    expect.arrayContaining(['app.fenced', 'database.role_owns_its_tables', '<product>.not_told']),
  );
  const read = [LOGGED, LOGGED_BY_PRODUCTS, FORWARDED].flatMap((expression) => all(expression));
  expect(read).toHaveLength(all(LOG_CALL).length);
  expect(events.filter((event) => !runbook.includes(`\`${event}\``))).toEqual([]);
});

it('LIVE-041 the runbook explains every flag of the index and every invariant', () => {
  const index = readFileSync(join(root, 'packages/core/src/index-price.ts'), 'utf8');
  const flags = /type IndexFlag = (.*);/
    .exec(index)![1]!
    .split(' | ')
    .map((flag) => flag.slice(1, -1));
  expect(flags.length).toBeGreaterThan(2);
  const flagged = runbook.split('\n').filter((line) => line.startsWith('| `market.index_flagged`'));
  expect(flags.filter((flag) => !flagged.some((line) => line.includes(`\`${flag}\``)))).toEqual([]);
  const invariants = new Set(all(/'(M\d+)'/g));
  expect(invariants.size).toBeGreaterThan(4);
  const halted = runbook.split('\n## ').find((part) => part.startsWith('A halted asset'))!;
  expect([...invariants].filter((name) => !new RegExp(`\\b${name}\\b`).test(halted))).toEqual([]);
});

it('LIVE-044 the runbook explains every metric', () => {
  const metrics = all(MEASURED);
  expect(metrics).toEqual(
    expect.arrayContaining(['ledger_halted_assets', 'http_answers_total', 'reserve_covered_days']),
  );
  expect(metrics).toHaveLength(all(MEASURES).length);
  expect(metrics.filter((metric) => !runbook.includes(`\`${metric}\``))).toEqual([]);
});
