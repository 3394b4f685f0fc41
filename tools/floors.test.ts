import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { levelOf } from './floors/layers.mjs';
import { floorViolations } from './floors.mjs';
import { plantedTree } from './testing/planted-tree.ts';

/** A small repository without rule violations. Each test adds a violation to it. */
const CLEAN = {
  'packages/core/src/decimal.ts': `export const zero = 0n;`,
  'packages/wire/src/spot.ts': `import { zero } from '@exchange/core/decimal.ts'; import * as z from 'zod/mini'; export const s = [zero, z];`,
  'packages/web-kit/src/clock.ts': `export const now = () => Date.now();`,
  'packages/web-kit/src/theme/tokens.css': `:root {}`,
  'packages/web-kit/src/theme/theme.ts': `import './tokens.css'; export const theme = {};`,
  'packages/web-kit/src/ui/button.tsx': `import { Button } from '@mantine/core'; export const B = () => <p>It doesn't fetch('x')</p>; export { Button };`,
  'packages/web-kit/src/api/call.ts': `import { s } from '@exchange/wire/spot.ts'; export const call = () => fetch(String(s));`,
  'packages/web-kit/src/spot/queries.ts': `import { useQuery } from '@tanstack/react-query'; import { call } from '../api/call.ts'; export const q = [useQuery, call];`,
  'packages/web-kit/src/wallet/queries.ts': `export const wallet = 1;`,
  'apps/server/src/main.ts': `import { config } from './config.ts'; import { start } from './app.ts'; await start(config);`,
  'apps/server/src/config.ts': `export const config = process.env;`,
  'apps/server/src/app.ts': `import { spot } from './modules/spot/index.ts'; import { ledger } from './modules/ledger/index.ts'; import { now } from './platform/clock.ts'; export const start = async (c: unknown) => [c, spot, ledger, now];`,
  'apps/server/src/platform/clock.ts': `export const now = () => Date.now();`,
  'apps/server/src/platform/http/route.ts': `import fastify from 'fastify'; export const route = fastify;`,
  'apps/server/src/platform/database/sql.ts': `export const sql = 1;`,
  'apps/server/src/modules/ledger/index.ts': `export type { Entry } from './domain.ts'; export { ledger } from './service.ts';`,
  'apps/server/src/modules/ledger/domain.ts': `import { zero } from '@exchange/core/decimal.ts'; export type Entry = typeof zero;`,
  'apps/server/src/modules/ledger/service.ts': `import type { Entry } from './domain.ts'; export const ledger: Entry = 0n;`,
  'apps/server/src/modules/spot/index.ts': `export { spot } from './service.ts'; export { routes } from './routes.ts';`,
  'apps/server/src/modules/spot/domain/order.ts': `import type { Entry } from '../../ledger/index.ts'; export const order = (e: Entry) => e;`,
  'apps/server/src/modules/spot/repository.ts': `import { sql } from 'kysely'; import { order } from './domain/order.ts'; export const r = [sql, order];`,
  'apps/server/src/modules/spot/service.ts': `import { ledger } from '../ledger/index.ts'; import { order } from './domain/order.ts'; import { r } from './repository.ts'; import { now } from '../../platform/clock.ts'; export const spot = async () => [order(ledger), r, now()];`,
  'apps/server/src/modules/spot/routes.ts': `import { spot } from './service.ts'; import { s } from '@exchange/wire/spot.ts'; import { route } from '../../platform/http/route.ts'; export const routes = [spot, s, route];`,
  'apps/server/src/modules/spot/service.test.ts': `import { anExchange } from '../../../testing/exchange.ts'; import '../../platform/database/sql.ts'; anExchange(Date.now());`,
  'apps/server/testing/exchange.ts': `import { ledger } from '../src/modules/ledger/service.ts'; export const anExchange = (n: number) => [n, ledger];`,
  'apps/desktop/src/main.tsx': `import { createRoot } from 'react-dom/client'; import '@mantine/core/styles.css'; import { screen } from './market/market-screen.tsx'; createRoot(screen);`,
  'apps/desktop/src/market/market-screen.tsx': `import { q } from '@exchange/web-kit/spot/queries.ts'; import { B } from '@exchange/web-kit/ui/button.tsx'; import { theme } from '@exchange/web-kit/theme/theme.ts'; import { wallet } from '@exchange/web-kit/wallet/queries.ts'; import { now } from '@exchange/web-kit/clock.ts'; export const screen = [q, B, theme, wallet, now];`,
  'apps/mobile/src/main.tsx': `export const lazy = () => import('./screen.tsx');`,
  'apps/mobile/src/screen.tsx': `export const at = (time: number) => new Date(time);`,
};

function offences(planted: Readonly<Record<string, string>>): string[] {
  const root = plantedTree({ ...CLEAN, ...planted });
  return floorViolations(root).map(({ file, line, rule }) => `${file}:${line} ${rule}`);
}

/**
 * Adds a text to an existing or a new file of the small repository. Returns the rule violations of that file, except
 * violations of the rule `orphan`.
 */
function offencesOf(path: string, text: string): string[] {
  const all = offences({ [path]: `${CLEAN[path as keyof typeof CLEAN] ?? ''}\n${text}` });
  return all.filter((line) => !line.endsWith(' orphan') && line.startsWith(`${path}:`));
}

const ROOT = join(import.meta.dirname, '..');

describe('floors', () => {
  it('REPO-1142 the table of levels in ARCHITECTURE.md lists every module at the level that is enforced', () => {
    const architecture = readFileSync(join(ROOT, 'docs/ARCHITECTURE.md'), 'utf8');
    const written = [...architecture.matchAll(/^\| (\d) +\| ([\w, -]+?) +\|$/gm)].flatMap(
      ([, level, modules = '']) => modules.split(', ').map((module) => [module, Number(level)]),
    );
    const enforced = readdirSync(join(ROOT, 'apps/server/src/modules')).map((module) => [
      module,
      levelOf(module),
    ]);
    expect(Object.fromEntries(written)).toEqual(Object.fromEntries(enforced));
    expect(written).toHaveLength(enforced.length);
  });

  it('REPO-001 finds nothing in a repository whose files keep to their layers', () => {
    expect(offences({})).toEqual([]);
  });

  const core = 'packages/core/src/decimal.ts';
  const wire = 'packages/wire/src/spot.ts';
  const button = 'packages/web-kit/src/ui/button.tsx';
  const queries = 'packages/web-kit/src/spot/queries.ts';
  const screen = 'apps/desktop/src/market/market-screen.tsx';
  const platform = 'apps/server/src/platform/clock.ts';
  const spot = 'apps/server/src/modules/spot';

  it.each([
    ['core', core, `import big from 'big.js';`],
    ['core', core, `import { secp256k1 } from '@noble/curves/secp256k1.js';`],
    ['core', core, `import { hash } from 'node:crypto';`],
    ['core', core, `import { s } from '@exchange/wire/spot.ts';`],
    ['wire', wire, `import fastify from 'fastify';`],
    ['wire', wire, `import { readFile } from 'fs';`],
    ['wire', wire, `import { call } from '@exchange/web-kit/api/call.ts';`],
    ['kit/ui', button, `import { zero } from '@exchange/core/decimal.ts';`],
    ['kit/ui', button, `import type { s } from '@exchange/wire/spot.ts';`],
    ['kit/ui', button, `import { q } from '../spot/queries.ts';`],
    ['kit/ui', button, `import { useQuery } from '@tanstack/react-query';`],
    ['kit/shared', 'packages/web-kit/src/api/call.ts', `import { q } from '../spot/queries.ts';`],
    ['kit/theme', 'packages/web-kit/src/theme/theme.ts', `import { B } from '../ui/button.tsx';`],
    ['kit/feature', queries, `import { wallet } from '../wallet/queries.ts';`],
    ['kit/feature', queries, `export * from '@exchange/web-kit/wallet/queries.ts';`],
    ['kit/feature', queries, `import { join } from 'node:path';`],
    ['screen', screen, `import { s } from '@exchange/wire/spot.ts';`],
    ['screen', screen, `import { useQuery } from '@tanstack/react-query';`],
    ['screen', screen, `const kline = await import('klinecharts');`],
    ['platform', platform, `import { ledger } from '../modules/ledger/index.ts';`],
    ['platform', platform, `import { config } from '../config.ts';`],
    ['server/main', 'apps/server/src/main.ts', `import { spot } from './modules/spot/index.ts';`],
    ['server/app', 'apps/server/src/app.ts', `import { spot } from './modules/spot/service.ts';`],
    ['server/config', 'apps/server/src/config.ts', `import { now } from './platform/clock.ts';`],
    ['module/domain', `${spot}/domain/order.ts`, `import { ledger } from '../../ledger/index.ts';`],
    ['module/domain', `${spot}/domain/order.ts`, `import { now } from '../../../platform/clock.ts';`],
    ['module/domain', `${spot}/domain/order.ts`, `import { sql } from 'kysely';`],
    ['module/domain', `${spot}/domain/order.ts`, `import { r } from '../repository.ts';`],
    ['module/repository', `${spot}/repository.ts`, `import { spot } from './service.ts';`],
    ['module/repository', `${spot}/repository.ts`, `import { route } from '../../platform/http/route.ts';`],
    ['module/repository', `${spot}/tables.ts`, `import { now } from '../../platform/clock.ts';`],
    ['module/service', `${spot}/service.ts`, `import { sql } from 'kysely';`],
    ['module/service', `${spot}/service.ts`, `import { routes } from './routes.ts';`],
    ['module/service', `${spot}/service.ts`, `import { request } from 'node:http';`],
    ['module/service', `${spot}/service.ts`, `import { s } from '@exchange/wire/spot.ts';`],
    ['module/service', `${spot}/service.ts`, `import { route } from '../../platform/http/route.ts';`],
    ['module/routes', `${spot}/routes.ts`, `import { r } from './repository.ts';`],
    ['module/routes', `${spot}/routes.ts`, `import { ledger } from '../ledger/index.ts';`],
    ['module/present', `${spot}/present.ts`, `import { ledger } from '../ledger/index.ts';`],
    ['module/events', `${spot}/events.ts`, `import { now } from '../../platform/clock.ts';`],
    ['module/feed', `${spot}/feed.ts`, `import { r } from './repository.ts';`],
    ['module/events', `${spot}/events.ts`, `import { spot } from './service.ts';`],
    ['module/door', `${spot}/index.ts`, `import { now } from '../../platform/clock.ts';`],
    ['module/door', `${spot}/index.ts`, `import { ledger } from '../ledger/index.ts';`],
    ['module-door', `${spot}/service.ts`, `import type { Entry } from '../ledger/domain.ts';`],
    ['module-door', `${spot}/repository.ts`, `import { ledger } from '../ledger/service.ts';`],
    ['module-level', 'apps/server/src/modules/ledger/service.ts', `import { spot } from '../spot/index.ts';`],
    [
      'module-level',
      'apps/server/src/modules/finance/service.ts',
      `import { spot } from '../spot/index.ts';`,
    ],
    ['module-level', 'apps/server/src/modules/lottery/service.ts', ``],
  ])('REPO-002 %s: refuses in %s "%s"', (rule, path, text) => {
    expect(offencesOf(path, text).map((line) => line.split(' ')[1])).toContain(rule);
  });

  it.each([
    ['testing', `${spot}/service.ts`, `import { anExchange } from '../../../testing/exchange.ts';`],
    ['another app', screen, `import { at } from '../../../mobile/src/screen.tsx';`],
  ])('REPO-002 keeps production code away from %s', (_, path, text) => {
    expect(offencesOf(path, text)).toHaveLength(1);
  });

  it.each([
    ['extension', core, `export { two } from './two';`],
    ['extension', screen, `import { q } from '@exchange/web-kit/spot/queries';`],
    ['workspace', screen, `import { zero } from '../../../../packages/core/src/decimal.ts';`],
    ['unresolved', core, `import { gone } from './gone.ts';`],
    ['no-room', 'apps/server/scripts/seed.ts', `export const seed = 1;`],
  ])('REPO-003 %s: refuses in %s "%s"', (rule, path, text) => {
    expect(offencesOf(path, text).map((line) => line.split(' ')[1])).toContain(rule);
  });

  it('REPO-004 refuses a cycle, also of types only, and prints its path', () => {
    const root = plantedTree({
      ...CLEAN,
      'packages/core/src/decimal.ts': `import type { B } from './b.ts'; export const zero = 0n; export type A = B;`,
      'packages/core/src/b.ts': `import type { A } from './c.ts'; export type B = A;`,
      'packages/core/src/c.ts': `import type { A } from './decimal.ts'; export type { A };`,
    });
    expect(floorViolations(root)).toEqual([
      {
        file: 'packages/core/src/b.ts',
        line: 1,
        rule: 'cycle',
        why: 'imports itself through packages/core/src/c.ts → packages/core/src/decimal.ts → packages/core/src/b.ts',
      },
    ]);
  });

  it('REPO-005 refuses a file that nothing imports, and accepts files that are loaded lazily or by URL', () => {
    expect(offences({ 'packages/core/src/forgotten.ts': `export const x = 1;` })).toEqual([
      'packages/core/src/forgotten.ts:1 orphan',
    ]);
    const worker = `new Worker(new URL('./worker.ts', import.meta.url));`;
    expect(
      offences({
        'apps/mobile/src/screen.tsx': `export const x = ${worker}`,
        'apps/mobile/src/worker.ts': `postMessage(1);`,
      }),
    ).toEqual([]);
  });
});

describe('words', () => {
  const domain = 'apps/server/src/modules/spot/domain/order.ts';
  const service = 'apps/server/src/modules/spot/service.ts';
  const kit = 'packages/web-kit/src/api/call.ts';
  const screen = 'apps/desktop/src/market/market-screen.tsx';
  it.each([
    ['one-clock', service, `const t = Date.now();`],
    ['one-clock', service, 'const t = `at ${new Date().toISOString()}`;'],
    ['one-clock', kit, `const t = performance.now();`],
    ['one-clock', kit, `const t = globalThis.Date.now();`],
    ['one-configuration', service, `const port = process.env.PORT;`],
    ['one-configuration', service, `const { PORT } = process['env'];`],
    ['one-configuration', service, `import { env } from 'node:process';`],
    ['money-is-decimal', service, `const n = Number(text);`],
    ['money-is-decimal', service, `const n = parseFloat(text);`],
    ['money-is-decimal', 'apps/server/src/modules/ledger/service.ts', `const t = amount.toFixed(2);`],
    ['money-is-decimal', 'packages/core/src/decimal.ts', `const r = Math.random();`],
    ['pure', domain, `export const load = async () => 1;`],
    ['pure', domain, `const id = crypto.randomUUID();`],
    ['pure', 'packages/core/src/decimal.ts', `export type Later = Promise<bigint>;`],
    ['no-calls-in-screens', screen, `const reply = await fetch('/bb/app');`],
    ['no-calls-in-screens', screen, `const socket = new WebSocket('/bb/app/ws');`],
  ])('REPO-006 %s: refuses in %s "%s"', (rule, path, text) => {
    expect(offencesOf(path, text)).toContain(`${path}:2 ${rule}`);
  });

  it('REPO-006 checks code only: comments, strings, regular expressions, other members and dates with an argument pass', () => {
    const innocent = [
      `// Date.now() and process.env`,
      `const words = 'Date.now()' + "process.env" + \`new Date()\` + /process.env/.source;`,
      `const later = new Date(0).getTime() + clock.Date.now() + my.process.env;`,
    ].join('\n');
    expect(offencesOf(service, innocent)).toEqual([]);
  });

  it('REPO-006 reports the right line after comments and templates of several lines', () => {
    expect(offencesOf(service, '/* one\ntwo */\nconst t = `a\n${Date.now()}\nb`; Date.now();')).toEqual([
      `${service}:5 one-clock`,
      `${service}:6 one-clock`,
    ]);
  });

  it('EDGE-600 a lookup table of the server for arbitrary strings must be a Map, not an object', () => {
    const at = 'apps/server/src/modules/spot/service.ts';
    const start = CLEAN[at];
    const planted = (text: string) => offences({ [at]: `${start}\n${text}` });
    const offence = [`${at}:2 looked-up-in-a-map`];
    const table = `const NAMES: Readonly<Record<string, string>> = { a: 'b' };`;
    expect(planted(`${table} export const named = (n: string) => NAMES[n];`)).toEqual(offence);
    expect(planted(`const N = { a: 1 }; export const n = (s: string) => N[s as keyof typeof N];`)).toEqual(
      offence,
    );
    const field = `type Names = Record<string, string>; export class A { private readonly names: Names = {};`;
    expect(planted(`${field} of(n: string) { return this.names[n]; } }`)).toEqual(offence);
    const map = `const NAMES: ReadonlyMap<string, string> = new Map(Object.entries({ a: 'b' }));`;
    expect(planted(`${map} export const named = (n: string) => NAMES.get(n);`)).toEqual([]);
    expect(planted(`${table} export const named = () => NAMES['a'];`)).toEqual([]);
  });

  it('OPS-980 refuses a fixed limit in a query of the server unless the result says whether there are more rows', () => {
    const at = 'apps/server/src/modules/spot/service.ts';
    const start = CLEAN[at];
    const planted = (text: string) => offences({ [at]: `${start}\n${text}` });
    const offence = [`${at}:2 caps-are-visible`];
    expect(planted('const all = sql`select * from spot_order order by id limit 200`;')).toEqual(offence);
    expect(planted('const all = sql`select * from spot_order limit ${ORDERS_MAX}`;')).toEqual(offence);
    expect(planted('const all = (query: Query) => query.limit(200).execute();')).toEqual(offence);
    expect(planted('const all = () => orders(this.parts.database.reader, ORDERS_MOST);')).toEqual(offence);
    expect(planted('const all = () => parts.book.openOrders(ORDERS_MOST);')).toEqual(offence);
    expect(planted('const isLarge = amount.isMore(AMOUNT_MAX);')).toEqual([]);
    expect(planted('const one = sql`select * from spot_order order by id limit 1`;')).toEqual([]);
    expect(planted('const page = (limit: number) => query.limit(limit).execute();')).toEqual([]);
    expect(planted('const all = () => readBounded(this.parts.database.reader, query, ORDERS_MOST);')).toEqual(
      [],
    );
  });
});
