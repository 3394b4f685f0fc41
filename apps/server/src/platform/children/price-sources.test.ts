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

it('LIVE-004 asks at least five venues where nothing is chosen, each once', () => {
  const ids = readPriceSources(undefined).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThanOrEqual(5);
  // All of them are in the library.
  expect(reading(JSON.stringify(ids.map((id) => ({ id }))))()).toHaveLength(ids.length);
});

it('LIVE-004 reads the sources of a file', () => {
  const given = [
    { id: 'okx', symbols: { eosusdt: 'A/USDT' } },
    { id: 'mirror', venue: 'binance', stream: 'wss://stream.example' },
    { id: 'gate', venue: 'gate', stream: false as const },
  ];
  expect(reading(JSON.stringify(given))()).toEqual([{ ...given[0], venue: 'okx' }, ...given.slice(1)]);
});

it.each([
  ['no JSON', '[{'],
  ['an unknown field', '[{"id":"okx","price":"1"}]'],
  ['a stream that is none', '[{"id":"okx","stream":"https://okx.example"}]'],
  ['no source', '[]'],
  ['a venue that is none', '[{"id":"krakenn"}]'],
  ['a pair that is none', '[{"id":"okx","symbols":{"dogeust":"DOGE/USDT"}}]'],
  ['a source twice', '[{"id":"okx"},{"id":"okx"}]'],
])('LIVE-004 refuses a file with %s and names it', (_what, text) => {
  expect(reading(text)).toThrow(file);
});
