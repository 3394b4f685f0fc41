import {
  resolvePath,
  callOperators,
  type Operation,
  rowsOf,
  formatValue,
  type Row,
} from '@exchange/web-kit/console/calls.ts';
import { useEffect, useState } from 'react';
import { Changes, unchangedRowsOf } from './changes.tsx';
import { shownValue, startOf } from './form-values.ts';
import { areaOf, useSession } from './session.ts';
import { parseObject } from './texts.ts';
import { UserView } from './user-view.tsx';

const USER = '/ops/users/:user';

/** The changes of a proposal relative to the values that are published now. */
export function ProposedChange({ row }: { readonly row: Row }) {
  const { operations } = useSession();
  const [present, setPresent] = useState<Row>({});
  const path = formatValue(row['operation']).split(' ')[1] ?? '';
  const form = row['form'] as Operation['fields'];
  const parameters = formatValue(row['parameters']);
  const hasFields = Object.keys(form).length > 0;
  useEffect(() => {
    if (hasFields) void presentOf(operations, path, parseObject(parameters) ?? {}).then(setPresent);
  }, [operations, path, parameters, hasFields]);
  if (!hasFields) return null;
  const proposedFields = parseObject(row['fields']) ?? {};
  const names = Object.keys(form);
  const shownValues = (valueOf: (name: string) => string) =>
    Object.fromEntries(names.map((name) => [name, shownValue(form[name], valueOf(name))]));
  return (
    <>
      <Changes
        fields={form}
        kept={unchangedRowsOf(row['isVersioned'] === true)}
        now={shownValues((name) => startOf(present, name))}
        next={shownValues((name) => formatValue(proposedFields[name]))}
      />
      {row['isPreviewed'] === true && row['state'] === 'open' && (
        <UserView
          address={resolvePath(path, parseObject(parameters) ?? {})}
          sent={proposedFields as Record<string, string>}
          fields={form}
        />
      )}
    </>
  );
}

/** The row that a call concerns, from the lists of its area; empty when it does not exist yet. */
async function presentOf(operations: readonly Operation[], path: string, parameters: Row): Promise<Row> {
  const area = areaOf({ path });
  const isAbout = (row: Row) =>
    Object.entries(parameters).every(
      ([name, value]) => formatValue(row[name]).toLowerCase() === formatValue(value).toLowerCase(),
    );
  const lists = operations.filter(
    (operation) =>
      operation.method === 'GET' &&
      !operation.isFile &&
      operation.versionsOf === undefined &&
      areaOf(operation) === area &&
      (!operation.path.includes(':') || operation.path === USER),
  );
  for (const list of lists) {
    if (list.path === USER && parameters['user'] === undefined) continue;
    const { body } = await callOperators(resolvePath(list.path, parameters));
    const row = rowsOf(body).find(isAbout);
    if (row !== undefined) return row;
  }
  return {};
}
