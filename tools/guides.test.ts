import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Decimal } from '@exchange/core/decimal.ts';
import { FEE_TIERS } from '@exchange/core/fee.ts';
import { API_KEYS_MAX } from '@exchange/wire/api-key.ts';
import {
  BATCH_ORDERS_MAX,
  ORDERS_PER_DAY,
  ORDERS_PER_TEN_SECONDS,
  WEIGHT_PER_MINUTE,
} from '@exchange/wire/public-api/calls.ts';
import { STREAMS_PER_CONNECTION } from '@exchange/wire/public-api/streams.ts';
import { addressesOf, ALL_SCREENS } from '@exchange/wire/screens.ts';
import { ENDPOINTS } from '@exchange/wire/catalogue.ts';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const guides = readdirSync(join(root, 'docs/guides')).map((name) => join('docs/guides', name));
const pages = ['README.md', ...guides].map((file) => ({
  file,
  text: readFileSync(join(root, file), 'utf8'),
}));
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
/**
 * Returns the first group of every match of a regular expression in the guides, together with the page that contains
 * the match.
 */
const matchesOf = (expression: RegExp) =>
  pages.flatMap(({ file, text }) =>
    [...text.matchAll(expression)].map(([, target]) => ({ file, target: target! })),
  );

it('LIVE-042 README and guides refer only to existing screens, endpoints, commands, files and links', () => {
  const screens = new Set(ALL_SCREENS.flatMap(([, screen]) => addressesOf(screen)));
  const paths = matchesOf(/`(\/[a-z][a-z/-]*)`/g).filter(({ target }) => !target.startsWith('/bb/app'));
  const elsewhere = ['/pc/', '/health', '/docs', '/docs/api', '/ops', '/dev/mail'];
  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter(({ target }) => !screens.has(target) && !elsewhere.includes(target))).toEqual([]);
  const calls = new Set(ENDPOINTS.map(({ path }) => path));
  const called = matchesOf(/\/bb\/app(\/[a-z]+\/[a-zA-Z]+)/g);
  expect(called.length).toBeGreaterThan(1);
  expect(called.filter(({ target }) => !calls.has(target))).toEqual([]);
  expect(matchesOf(/npm run ([a-z:-]+)/g).filter(({ target }) => !(target in scripts))).toEqual([]);
  const files = matchesOf(/(?:^|[\s`])((?:apps|packages|tools|docs|bench)\/[\w./-]*\w)/gm);
  expect(files.filter(({ target }) => !existsSync(join(root, target)))).toEqual([]);
  const links = matchesOf(/\]\((?!http)([^)#]+)(?:#[^)]*)?\)/g);
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter(({ file, target }) => !existsSync(join(root, dirname(file), target)))).toEqual([]);
});

it('PAPI-125 the guide for market makers names the fees and limits that the program has', () => {
  const guide = readFileSync(join(root, 'docs/guides/market-makers.md'), 'utf8');
  const rows = guide
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
  const percent = (rate: Decimal) => `${rate.timesExact(Decimal.ofWhole(100)).toPlaces(2)}%`;
  for (const { tier, volume, maker, taker } of FEE_TIERS)
    expect(rows).toContainEqual([String(tier), volume.toString(), percent(maker), percent(taker)]);
  const limits = [WEIGHT_PER_MINUTE, ORDERS_PER_TEN_SECONDS, ORDERS_PER_DAY, BATCH_ORDERS_MAX];
  const numbers = [...limits, STREAMS_PER_CONNECTION, API_KEYS_MAX].map(String);
  expect(rows.slice(-numbers.length).map((row) => row[1])).toEqual(numbers);
});
