import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readPriceSources } from './price-sources.ts';

const folder = mkdtempSync(join(tmpdir(), 'amethyst-sources-'));
const file = join(folder, 'sources.json');
afterAll(() => rmSync(folder, { recursive: true }));

const reading = (text: string) => {
  writeFileSync(file, text);
  return () => readPriceSources(file, ['btcusdt', 'eosusdt']);
};

it('LIVE-004 the default sources are at least five different venues', () => {
  const ids = readPriceSources(undefined).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThanOrEqual(5);
  // The settings are only accepted if the library supports the venues of all default sources.
  expect(reading(JSON.stringify(ids.map((id) => ({ id }))))()).toHaveLength(ids.length);
});

it('LIVE-004 sources are read from a file', () => {
  const sources = [
    { id: 'okx', symbols: { eosusdt: 'A/USDT' } },
    { id: 'mirror', venue: 'binance', stream: 'wss://stream.example' },
    { id: 'gate', venue: 'gate', stream: false as const },
  ];
  expect(reading(JSON.stringify(sources))()).toEqual([{ ...sources[0], venue: 'okx' }, ...sources.slice(1)]);
});

it.each([
  ['no JSON', '[{'],
  ['an unknown field', '[{"id":"okx","price":"1"}]'],
  ['an invalid stream URL', '[{"id":"okx","stream":"https://okx.example"}]'],
  ['no source', '[]'],
  ['an unknown venue', '[{"id":"krakenn"}]'],
  ['an unknown pair', '[{"id":"okx","symbols":{"dogeust":"DOGE/USDT"}}]'],
  ['a source twice', '[{"id":"okx"},{"id":"okx"}]'],
])('LIVE-004 a file with %s is refused and named in the error', (_what, text) => {
  expect(reading(text)).toThrow(file);
});
