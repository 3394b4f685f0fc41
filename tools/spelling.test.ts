import { expect, it } from 'vitest';
import { spellingViolations } from './spelling.mjs';
import { plantedTree } from './testing/planted-tree.ts';

function linesOf(path: string, text: string): string[] {
  return spellingViolations(plantedTree({ [path]: text })).map(({ file, line, why }) => {
    return `${file}:${line} ${why.split('"')[1]}`;
  });
}

it.each([
  ['scontract', `const path = '/scontract';`],
  ['safty', `const SAFTY_PATH = 1;`],
  ['withdrawel', `<a href="/account/withdrawel">`],
  ['paramter', `call('/paramter/getParamListByKeyName')`],
  ['bibi', `const bibiBasic = [];`],
  ['positionTime', `const { positionTime } = order;`],
  ['incomeRate', `{"incomeRateText": "Rate"}`],
  ['recharge', `const rechargeList = [];`],
  ['dui', `navigate('/account/dui');`],
  ['assert/', `navigate('/account/assert/2');`],
])('REPO-007 refuses "%s" outside of packages/wire', (word, text) => {
  expect(linesOf('apps/mobile/src/home.tsx', `\n${text}`)).toEqual([`apps/mobile/src/home.tsx:2 ${word}`]);
});

it('REPO-007 checks styles, words, migrations and tests too', () => {
  for (const path of [
    'packages/web-kit/src/i18n/en-US/home.json',
    'apps/server/migrations/0001.sql',
    'apps/desktop/src/home.module.css',
    'e2e/spot.spec.ts',
  ]) {
    expect(linesOf(path, 'scontract')).toEqual([`${path}:1 scontract`]);
  }
});

it('REPO-007 allows the spellings in packages/wire and in the tests of addresses', () => {
  expect(linesOf('packages/wire/src/seconds.ts', 'positionTime')).toEqual([]);
  expect(linesOf('apps/desktop/src/paths.ts', `'/account/assert/2'`)).toEqual([
    'apps/desktop/src/paths.ts:1 assert/',
  ]);
  expect(linesOf('apps/desktop/src/paths.test.ts', 'scontract')).toEqual([]);
});

it('REPO-007 accepts correct words', () => {
  const proper = `import assert from 'node:assert/strict'; assert(surcharge, individuals, 'residuity', precharged);`;
  expect(linesOf('packages/core/src/fee.ts', proper)).toEqual([]);
});
