import { describe, expect, it } from 'vitest';
import { operationKey, pathParametersOf, type Columns, type RowsDescription } from '../operation.ts';
import { OPERATIONS, operationNamed } from './catalogue.ts';
import { AGE } from './columns.ts';

const listAt = (path: string): RowsDescription => {
  const { rows } = operationNamed(`GET ${path}`) ?? {};
  if (rows === undefined) throw new Error(`There is no described list at ${path}.`);
  return rows;
};
/** Returns the column names among `names` that the description does not define. */
const missing = (columns: Columns, names: readonly (string | undefined)[]) =>
  names.filter((name) => name !== undefined && columns[name] === undefined);

/** Returns the names of the columns that the given columns refer to. */
const referredBy = (columns: Columns) =>
  Object.values(columns).flatMap(({ assetIn, userIn, operationIn }) => [assetIn, userIn, operationIn]);

describe('the described operations of the console', () => {
  it('OPS-1121 have names of their own, and rows unless they answer a file, a picture or evidence', () => {
    const keys = OPERATIONS.map(operationKey);
    expect(keys.length).toBeGreaterThan(70);
    expect(new Set(keys).size).toBe(keys.length);
    const withoutRows = OPERATIONS.filter(
      ({ method, rows, isFile, isPicture }) =>
        method === 'GET' && rows === undefined && isFile !== true && isPicture !== true,
    );
    expect(withoutRows.map(({ path }) => path)).toEqual(['/ops/proposals/:id/evidence']);
  });

  it.each(OPERATIONS.flatMap(({ path, rows }) => (rows === undefined ? [] : [[path, rows] as const])))(
    'OPS-1121 %s names only described columns',
    (_, { columns, key, shown = [], title = [], since, pending }) => {
      const named = [...key, ...shown.filter((name) => name !== AGE), ...title, since, pending?.column];
      expect(missing(columns, [...named, ...referredBy(columns)])).toEqual([]);
      expect(shown.includes(AGE)).toBe(since !== undefined);
    },
  );

  it('OPS-1121 evidence names only described facts', () => {
    for (const { evidence } of OPERATIONS)
      for (const columns of [evidence?.facts ?? {}, evidence?.context ?? {}])
        expect(missing({ ...evidence?.facts, ...columns }, referredBy(columns))).toEqual([]);
  });

  it('OPS-1122 the path, the conditions and the fields of an operation are columns of the lists it concerns', () => {
    for (const operation of OPERATIONS) {
      const { path, concerns = [], mayConcern = [], appliesWhere = [], fields = {} } = operation;
      const onlyWhere = Object.values(fields).map((field) => field.onlyWhere);
      for (const list of concerns) {
        const parameters = pathParametersOf(path).filter((name) => !pathParametersOf(list).includes(name));
        const conditions = appliesWhere.map(({ column }) => column);
        const { columns } = listAt(list);
        const named = [...parameters, ...conditions, ...onlyWhere];
        expect([path, missing(columns, named)]).toEqual([path, []]);
      }
      for (const list of mayConcern)
        expect([path, missing(listAt(list).columns, pathParametersOf(path))]).toEqual([path, []]);
    }
  });

  it('OPS-1122 an operation without a row in its path is offered without one, so that a first record can be made', () => {
    const needARow = OPERATIONS.filter(
      ({ method, path, concerns = [], creates, fields = {} }) =>
        method === 'POST' &&
        creates === undefined &&
        concerns.length > 0 &&
        !path.includes('/:') &&
        concerns.every((list) => missing(listAt(list).columns, Object.keys(fields)).length > 0),
    );
    expect(needARow.map(({ path }) => path)).toEqual([]);
  });

  it('OPS-1122 every version can be proposed again, and changed terms start from the published ones', () => {
    for (const { path, isVersioned, fields = {}, concerns = [] } of OPERATIONS) {
      if (isVersioned !== true) continue;
      const versions = OPERATIONS.find(({ versionsOf }) => versionsOf === path);
      expect([path, versions?.fields]).toEqual([path, fields]);
      const lists = [...concerns.map(listAt), versions!.rows!];
      const starts = Object.entries(fields).map(([name, { startsFrom = name }]) => startsFrom);
      for (const { columns } of lists) expect([path, missing(columns, starts)]).toEqual([path, []]);
    }
  });

  it('OPS-1226 a transaction or a memo that an operator enters is not compared with that of the selected row', () => {
    const entered = OPERATIONS.flatMap(({ path, fields = {}, concerns = [] }) =>
      Object.entries(fields).flatMap(([name, { isNew }]) => {
        const isColumn = concerns.some((list) => listAt(list).columns[name] !== undefined);
        return isColumn && (name === 'txid' || name === 'memo') ? [[path, name, isNew]] : [];
      }),
    );
    expect(entered.length).toBeGreaterThan(3);
    expect(entered.filter(([, , isNew]) => isNew !== true)).toEqual([]);
  });

  it('OPS-664 rates shown in percent are entered in percent, and no rate is entered otherwise', () => {
    for (const { path, fields = {}, concerns = [] } of OPERATIONS)
      for (const [name, { kind, startsFrom = name }] of Object.entries(fields))
        for (const list of concerns) {
          const column = listAt(list).columns[startsFrom];
          if (column === undefined) continue;
          expect([path, name, kind === 'percent']).toEqual([path, name, column.kind === 'rate']);
        }
  });
});

it('WDR-1175 the operations that are offered beside every row of their area are those that concern no row', () => {
  const ofNoRow = OPERATIONS.filter(
    ({ method, path, concerns, creates }) =>
      method === 'POST' && concerns === undefined && creates === undefined && !path.includes(':'),
  );
  expect(ofNoRow.map(({ path }) => path).toSorted()).toEqual([
    '/ops/audit/check',
    '/ops/figures/recount',
    '/ops/operators/recovery-codes',
    '/ops/seconds/stop',
    '/ops/several',
    '/ops/status/incidents',
  ]);
});
