import { type Operation, pathParametersOf, formatValue, type Row } from '@exchange/web-kit/console/calls.ts';
import { useState } from 'react';
import {
  operationName,
  appliesTo,
  dependsOnRow,
  keyOf,
  creationName,
  isPending,
  emphasisOf,
} from './operations.ts';
import { OperationForm } from './operation-form.tsx';
import { useSession } from './session.ts';
import { useActionKeys } from './shortcuts.tsx';
import { WORDS } from './words.ts';

interface Props {
  readonly actions: readonly Operation[];
  readonly row: Row | undefined;
  readonly about: Row;
  readonly given: Row;
  readonly isQueue: boolean;
  readonly onBegun: () => void;
  readonly onDone: (told: string) => void;
}

interface Choice {
  readonly operation: Operation;
  readonly isNew: boolean;
}

/** Label of an action's button. */
function nameOf({ operation, isNew }: Choice): string {
  return isNew ? creationName(operation) : operationName(operation);
}

const NONE: Row = {};
/** Fields that identify a record which the operation can also create. */
const IDENTIFYING_FIELDS = ['code', 'name'];

/**
 * A button for each available action; a selected action shows its form above. Every action requires its form.
 */
export function DecisionBar({ actions, row, about, given, isQueue, onBegun, onDone }: Props) {
  const { name } = useSession();
  const [open, setOpen] = useState<Choice>();
  const isOwn = row?.['operation'] !== undefined && row['operator'] === name;
  const may = actions.filter(({ path }) => !isOwn || !path.endsWith('/approve'));
  const choices = may.flatMap((operation): Choice[] => [
    ...(appliesToRow(operation, { ...about, ...row }) ? [{ operation, isNew: false }] : []),
    ...(canCreate(operation, row) ? [{ operation, isNew: true }] : []),
  ]);
  const choose = (choice: Choice) => {
    onBegun();
    setOpen(open?.operation === choice.operation && open.isNew === choice.isNew ? undefined : choice);
  };
  useActionKeys((key) => {
    const choice = choices.find(({ operation }) => keyOf(operation) === key);
    if (choice === undefined) return false;
    onBegun();
    setOpen(choice);
    return true;
  });
  return (
    <>
      {open !== undefined && (
        <OperationForm
          key={`${open.operation.path} ${open.isNew}`}
          operation={open.operation}
          title={nameOf(open)}
          row={open.isNew ? NONE : concernsPage(open.operation, given) ? about : { ...about, ...row }}
          given={given}
          onClose={() => setOpen(undefined)}
          onDone={(outcome) => {
            setOpen(undefined);
            onDone(outcome);
          }}
        />
      )}
      {isOwn && <p className="note">{WORDS.ownProposal}</p>}
      {isQueue && row !== undefined && choices.length === 0 && (
        <p className="note">
          {isPending(row) || row['state'] === undefined ? WORDS.onlyLook : WORDS.decided}
        </p>
      )}
      {choices.length > 0 && (
        <div className="deeds" role="group" aria-label={WORDS.actions}>
          {choices.map((choice) => {
            const { operation, isNew } = choice;
            const key = keyOf(operation);
            return (
              <button
                key={`${operation.path} ${isNew}`}
                type="button"
                className={`button ${isNew ? '' : emphasisOf(operation)}`}
                aria-expanded={open?.operation === operation && open.isNew === isNew}
                onClick={() => choose(choice)}
              >
                {nameOf(choice)}
                {key !== undefined && !isNew && <kbd aria-hidden="true">{key.toUpperCase()}</kbd>}
              </button>
            );
          })}
        </div>
      )}
    </>
  );
}

/** True when the operation applies to the selected row, or needs no row. */
function appliesToRow(operation: Operation, row: Row): boolean {
  const { path, isVersioned } = operation;
  const isNamed = pathParametersOf(path).some((name) => row[name] !== undefined);
  return isNamed || isVersioned || dependsOnRow(path)
    ? appliesTo(operation, row)
    : !canCreate(operation, row);
}

/** True when the operation concerns the subject of the page instead of one of its rows. */
function concernsPage({ path }: Operation, given: Row): boolean {
  const parts = pathParametersOf(path);
  return parts.length > 0 && parts.every((name) => given[name] !== undefined);
}

/** True when the operation can also create a new record. */
function canCreate({ path, fields, isVersioned }: Operation, row: Row | undefined): boolean {
  if (path === '/ops/assets/:asset/halt') return true;
  // Terms that exist only once are created when there are none yet.
  if (isVersioned && pathParametersOf(path).length === 0) return row === undefined;
  const lastParameter = formatValue(pathParametersOf(path).at(-1));
  return (
    IDENTIFYING_FIELDS.includes(lastParameter) &&
    Object.keys(fields).length > 0 &&
    (path.endsWith(`:${lastParameter}`) || path.endsWith('/invite'))
  );
}
