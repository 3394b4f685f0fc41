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
/** `log.warn('event', …)`, whatever the log is called and however its level is chosen. */
const SAID = /[lL]og(?:\.(?:warn|error)|\[[^\]]+\])\(\s*'([a-z_]+\.[a-z_]+)'/g;
/** Every place where one is said; each has to be read by one of the other expressions. */
const SAYS = /[lL]og(?:\??\.(?:warn|error)|\[[^\]]+\])\(/g;
/** What the database's parts say, which name the level first. */
const SAID_OF_THE_DATABASE = /[lL]og\(\s*'(?:warn|error)',\s*'([^']+)'/g;

/** Said in the name of each product that is due by time: `log.warn(`${name}.event`, …)`. */
const SAID_OF_PRODUCTS = /[lL]og\.(?:warn|error)\(\s*`\$\{name\}\.([a-z_]+)`/g;
const DUE_BY_TIME = /(?:extends DueWork|new EarnJobs\(deps,) \{[\s\S]*?name: '([a-z]+)'/g;
/** Where the log passes on what the database's parts, or the thread of the index, said. */
const PASSED_ON = /log\[(level\]\(`\$\{prefix\}|report\.level\]\(report\.event)/g;
const MEASURED =
  /(?:\.(?:counter|gauge)\(\s*|\.gauges\(\s*\{\s*name:\s+|super\(\{\s*name:\s+)'([a-z]+_[a-z_]+)'/g;
const MEASURES = /(?:\.(?:counter|gauge|gauges)\(|extends (?:Counter|Gauge|Histogram)\b)/g;
/** A module that says how it is is watched by its name. */
const IS_A_PART = /^ {4}health: /m;

const hasLine = (part: string) => runbook.includes(`| \`${part}\``);
const all = (expression: RegExp) =>
  sources.flatMap((text) => [...text.matchAll(expression)].map(([, one]) => one!));

it('LIVE-040 the runbook has a line for every part of health', () => {
  const parts = all(WATCHED);
  expect(parts).toContain('ledger');
  expect(parts.filter((part) => !hasLine(part))).toEqual([]);
  // Products whose due work can be late share one line; whatever else a module tells has its own.
  const modules = readdirSync(join(server, 'modules')).filter((name) =>
    IS_A_PART.test(readFileSync(join(server, 'modules', name, 'index.ts'), 'utf8')),
  );
  expect(modules).toEqual(expect.arrayContaining(['chains', 'deposits', 'finance', 'withdrawals']));
  const isDue = (name: string) =>
    /lateSince\(\)|jobs\.health\(\)/.test(readFileSync(join(server, 'modules', name, 'index.ts'), 'utf8'));
  expect(modules.filter((name) => !isDue(name) && !hasLine(name))).toEqual([]);
  expect(runbook).toContain("| a product's name ");
});

it('LIVE-041 the runbook says of every warning and error of the log what it means', () => {
  const products = all(DUE_BY_TIME);
  const events = [
    ...all(SAID),
    ...all(SAID_OF_THE_DATABASE).map((words) => `database.${words.replaceAll(' ', '_')}`),
    ...all(SAID_OF_PRODUCTS).flatMap((event) => products.map((name) => `${name}.${event}`)),
  ];
  expect(events).toEqual(
    expect.arrayContaining(['app.fenced', 'database.role_owns_its_tables', 'finance.not_told']),
  );
  const read = [SAID, SAID_OF_PRODUCTS, PASSED_ON].flatMap((expression) => all(expression));
  expect(read).toHaveLength(all(SAYS).length);
  expect(events.filter((event) => !runbook.includes(`\`${event}\``))).toEqual([]);
});

it('LIVE-041 the runbook says of every flag of the index and every broken invariant what it means', () => {
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

it('LIVE-044 the runbook says of every metric what it means', () => {
  const metrics = all(MEASURED);
  expect(metrics).toEqual(
    expect.arrayContaining(['ledger_halted_assets', 'http_answers_total', 'reserve_covered_days']),
  );
  expect(metrics).toHaveLength(all(MEASURES).length);
  expect(metrics.filter((metric) => !runbook.includes(`\`${metric}\``))).toEqual([]);
});
