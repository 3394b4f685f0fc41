import {
  resolvePath,
  callOperators,
  type Operation,
  rowsOf,
  formatValue,
  type Row,
} from '@exchange/web-kit/console/calls.ts';
import { type OperationDescription, operationNamed } from '@exchange/web-kit/console/described.ts';
import { useCallback } from 'react';
import { Changes, unchangedRowsOf } from './changes.tsx';
import { shownValue, startOf } from './form-values.ts';
import { useResult } from './latest-answer.ts';
import { useSession } from './session.ts';
import { Skeleton } from './states.tsx';
import { parseObject } from './texts.ts';
import { UserView } from './user-view.tsx';
import { WORDS } from './words.ts';

const NO_FIELDS: Operation['fields'] = {};

/**
 * Compares the values of a proposal with the present values (for terms that are published in versions, the
 * published ones). For an open proposal, also shows the change as users would see it, if the operation has
 * such a preview.
 */
export function ProposedChange({ row }: { readonly row: Row }) {
  const operation = formatValue(row['operation']);
  const proposed = operationNamed(operation);
  const form = proposed?.fields ?? NO_FIELDS;
  const parameters = formatValue(row['parameters']);
  const present = usePresentRow(operation, parameters);
  const names = Object.keys(form);
  if (proposed === undefined || names.length === 0) return null;
  if (present === undefined) return <Skeleton label={WORDS.loading} />;
  const proposedFields = parseObject(row['fields']) ?? {};
  const shownValues = (valueOf: (name: string) => string) =>
    Object.fromEntries(names.map((name) => [name, shownValue(form[name], valueOf(name))]));
  return (
    <>
      <Changes
        fields={form}
        kept={unchangedRowsOf(proposed.isVersioned === true)}
        now={shownValues((name) => startOf(present, name, form[name]))}
        next={shownValues((name) => formatValue(proposedFields[name]))}
      />
      {proposed.isPreviewed === true && row['state'] === 'open' && (
        <UserView
          address={resolvePath(proposed.path, parseObject(parameters) ?? {})}
          sent={proposedFields as Record<string, string>}
          fields={form}
        />
      )}
    </>
  );
}

/**
 * Hook that returns the row that a proposed operation would change, empty without such a row (see
 * `presentOf`); undefined until it is loaded.
 */
function usePresentRow(operation: string, parameters: string): Row | undefined {
  const { operations } = useSession();
  const request = useCallback(
    () => presentOf(operations, operationNamed(operation), parseObject(parameters) ?? {}),
    [operations, operation, parameters],
  );
  return useResult(request).result;
}

/**
 * Fetches the row that a proposed operation would change, from the lists that the operator may read. Empty if the
 * operation has no fields, or if none of these lists contains the row, for example because it does not exist yet.
 */
async function presentOf(
  operations: readonly Operation[],
  proposed: OperationDescription | undefined,
  parameters: Row,
): Promise<Row> {
  const { fields = NO_FIELDS, concerns = [], mayConcern = [] } = proposed ?? {};
  if (Object.keys(fields).length === 0) return {};
  const isAbout = (row: Row) =>
    Object.entries(parameters).every(
      ([name, value]) => formatValue(row[name]).toLowerCase() === formatValue(value).toLowerCase(),
    );
  for (const path of [...concerns, ...mayConcern]) {
    const list = operations.find((operation) => operation.method === 'GET' && operation.path === path);
    if (list === undefined) continue;
    const { body } = await callOperators(resolvePath(path, parameters));
    const row = rowsOf(list.rows, body).find(isAbout);
    if (row !== undefined) return row;
  }
  return {};
}
