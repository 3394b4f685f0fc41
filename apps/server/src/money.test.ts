import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
/** Returns the folder name of a module, e.g. `sub-accounts` for `subAccounts`. */
const folderOf = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

it('REPO-1140 every module that registers commands declares its money, and the list contains exactly these modules', () => {
  const sources = readdirSync(new URL('modules', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => ({ module: path.split('/')[0]!, text: read(`modules/${path}`) }));
  const registering = sources
    .filter(({ text }) => /\bsequencer\.register\(/.test(text))
    .map(({ module }) => module);
  const list = /MONEY_MODULES[^=]*= \[([^\]]*)\]/.exec(read('money.ts'))![1]!;
  const listed = [...list.matchAll(/(\w+)Money\b/g)].map(([, name]) => folderOf(name!));
  const declared = sources.flatMap(({ text }) =>
    [...text.matchAll(/export const (\w+)Money: MoneyModule/g)].map(([, name]) => folderOf(name!)),
  );
  expect(new Set(listed)).toEqual(new Set(registering));
  expect(new Set(declared)).toEqual(new Set(registering));
  expect(listed).toHaveLength(registering.length);
});
