import { expect, it } from 'vitest';
import { requirementViolations } from './requirements.mjs';
import { plantedTree } from './testing/planted-tree.ts';

const DOCUMENT = 'docs/requirements/spot.md';
const TEST = 'apps/server/src/modules/spot/spot.test.ts';

function faultsOf(document: string, test: string): string[] {
  const tree = plantedTree({ [DOCUMENT]: document, [TEST]: test });
  return requirementViolations(tree).map(({ file, line, why }) => `${file}:${line} ${why}`);
}

it('REPO-009 accepts requirements and titles with the same codes', () => {
  const document =
    '# Spot\n\n- **SPOT-001** One.\n- **SPOT-002** Two.\n- **SPOT-003** Three.\n- **M2-004** Four.\n';
  const test = [
    `it('SPOT-001 places an order', () => {});`,
    `describe('SPOT-002, SPOT-003 cancelling', () => {});`,
    'it.each([[1], [2]])(`M2-004 conserves ${1}`, () => {});',
  ].join('\n');
  expect(faultsOf(document, test)).toEqual([]);
});

it('REPO-009 reports a requirement that no test cites', () => {
  expect(faultsOf('- **SPOT-001** One.', `it('places an order', () => {});`)).toEqual([
    `${DOCUMENT}:1 SPOT-001 is cited by no test title`,
  ]);
});

it.each([
  `it.skip('SPOT-001 places an order', () => {});`,
  `it.todo('SPOT-001 places an order');`,
  `// it('SPOT-001 places an order', () => {});`,
  `it('places an order as SPOT-001 says', () => {});`,
  `const title = 'SPOT-001 places an order';`,
])('REPO-009 does not accept as a citation: %s', (test) => {
  expect(faultsOf('- **SPOT-001** One.', test)).toHaveLength(1);
});

it('REPO-009 reports a title whose requirement is not defined', () => {
  expect(faultsOf('', `\nit('SPOT-404 SPOT-405 does something', () => {});`)).toEqual([
    `${TEST}:2 SPOT-404 is defined nowhere in docs/requirements`,
    `${TEST}:2 SPOT-405 is defined nowhere in docs/requirements`,
  ]);
});

it('REPO-009 reports a code that is defined twice', () => {
  expect(faultsOf('- **SPOT-001** One.\n- **SPOT-001** Other.', `it('SPOT-001 one', () => {});`)).toEqual([
    `${DOCUMENT}:2 SPOT-001 is defined twice`,
  ]);
});

it('REPO-055 reports a row of the specification that cites no requirement or an undefined one', () => {
  const table = [
    '| asked | where | proven by |',
    '| --- | --- | --- |',
    '| Orders | spot | SPOT-001 |',
    '| Fees | spot | looked at |',
    '| Depth | market | SPOT-404 |',
  ].join('\n');
  const tree = plantedTree({
    [DOCUMENT]: '- **SPOT-001** One.',
    [TEST]: `it('SPOT-001 one', () => {});`,
    'docs/requirements/specification.md': table,
  });
  expect(requirementViolations(tree).map(({ line, why }) => `${line} ${why}`)).toEqual([
    '4 this row names no sentence that proves it',
    '5 SPOT-404 is defined nowhere in docs/requirements',
  ]);
});
