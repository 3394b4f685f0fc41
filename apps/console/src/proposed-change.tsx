import {
  resolvePath,
  callOperators,
  type Operation,
  rowsOf,
  formatValue,
  type Row,
} from '@exchange/web-kit/console/calls.ts';
import { type OperationDescription, operationNamed } from '@exchange/web-kit/console/described.ts';
import { useEffect, useState } from 'react';
import { Changes, unchangedRowsOf } from './changes.tsx';
import { shownValue, startOf } from './form-values.ts';
import { useSession } from './session.ts';
import { parseObject } from './texts.ts';
import { UserView } from './user-view.tsx';

const NO_FIELDS: Operation['fields'] = {};

/** The changes of a proposal relative to the values that are published now. */
export function ProposedChange({ row }: { readonly row: Row }) {
  const { operations } = useSession();
  const [present, setPresent] = useState<Row>({});
  const proposed = operationNamed(formatValue(row['operation']));
  const form = proposed?.fields ?? NO_FIELDS;
  const parameters = formatValue(row['parameters']);
  const hasFields = Object.keys(form).length > 0;
  useEffect(() => {
    if (proposed !== undefined && hasFields)
      void presentOf(operations, proposed, parseObject(parameters) ?? {}).then(setPresent);
  }, [operations, proposed, parameters, hasFields]);
  if (proposed === undefined || !hasFields) return null;
  const proposedFields = parseObject(row['fields']) ?? {};
  const names = Object.keys(form);
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

/** Fetches the row that a proposed operation would change; empty if it does not exist yet. */
async function presentOf(
  operations: readonly Operation[],
  { concerns = [], mayConcern = [] }: OperationDescription,
  parameters: Row,
): Promise<Row> {
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
