import {
  callOperators,
  formatValue,
  resolvePath,
  type Operation,
  type Row,
  type RowsDescription,
} from '@exchange/web-kit/console/calls.ts';
import { approveProposal, proposals } from '@exchange/web-kit/console/described.ts';
import { randomId } from '@exchange/web-kit/random-id.ts';
import { useState } from 'react';
import { appliesTo, concerns, isPending, subjectOf } from './operations.ts';
import { OperationForm } from './operation-form.tsx';
import { usePresence, useSession } from './session.ts';
import { useActionKeys } from './shortcuts.tsx';
import { WORDS } from './words.ts';

/** A row of an operator list, together with the list's path and column descriptions. */
export interface DescribedRow {
  readonly path: string;
  readonly rows: RowsDescription;
  readonly row: Row;
}

interface Props {
  readonly actions: readonly Operation[];
  /** The list that is open on the page; undefined for an area without lists. */
  readonly list: Operation | undefined;
  readonly selected: DescribedRow | undefined;
  /** The record that the page is about, such as a user; undefined on the pages of areas. */
  readonly page: DescribedRow | undefined;
  readonly given: Row;
  readonly onBegun: () => void;
  readonly onDone: (told: string) => void;
}

interface Choice {
  readonly operation: Operation;
  /** The row that the operation applies to; undefined if the operation creates a record or needs no row. */
  readonly about: DescribedRow | undefined;
  readonly name: string;
  readonly isNew: boolean;
}

const NONE: Row = {};

/**
 * Returns the ways in which an operation can be applied on this page: to the record of the page, to the
 * selected row, without a row, or to create a record.
 */
function choicesOf(operation: Operation, { list, selected, page }: Props): readonly Choice[] {
  const { name, concerns: needed, creates } = operation;
  const isOfList = concerns(operation, list?.path);
  const about = concerns(operation, page?.path) ? page : isOfList ? selected : undefined;
  const isOfNothing = needed.length === 0 && creates === undefined;
  const mayCreate =
    creates !== undefined &&
    (needed.length === 0 || isOfList) &&
    (creates.isOnlyFirst !== true || selected === undefined);
  const choices: Choice[] = [];
  if (about === undefined ? isOfNothing : appliesTo(operation, about.row))
    choices.push({
      operation,
      about,
      name,
      isNew: false,
    });
  if (mayCreate)
    choices.push({
      operation,
      about: undefined,
      name: creates.name,
      isNew: true,
    });
  return choices;
}

/**
 * Buttons for the operations that the operator may execute: on the selected row or the page's record, without a row,
 * and to create a record. A button opens the operation's form above the buttons; the button of an `isImmediate`
 * operation executes it at once.
 */
export function DecisionBar(props: Props) {
  const { actions, list, selected, given, onBegun, onDone } = props;
  const { name } = useSession();
  const [open, setOpen] = useState<Choice>();
  const row = selected?.row;
  const isOwn = list?.path === proposals.path && row?.['operator'] === name;
  const claimedBy = formatValue(row?.['claimedBy']);
  const isTaken = claimedBy !== '' && claimedBy !== name;
  const choices = actions
    .filter(({ path }) => !isOwn || path !== approveProposal.path)
    .filter((operation) => isOpenTo(operation, claimedBy, name))
    // Buttons that decide a row come before those that claim, release or assign it or add a note to it.
    .toSorted((left, right) => Number(left.sharesWork) - Number(right.sharesWork))
    .flatMap((operation) => choicesOf(operation, props));
  const { onEnded } = usePresence();
  const [refusal, setRefusal] = useState('');
  const execute = async ({ operation, about }: Choice) => {
    const address = resolvePath(operation.path, { ...about?.row, ...given });
    const answer = await callOperators(address, {}, { key: randomId() });
    if (answer.status === 401) return onEnded();
    if (answer.error === undefined) onDone(`${operation.name}. ${WORDS.done}`);
    else setRefusal(answer.error);
  };
  const choose = (choice: Choice) => {
    onBegun();
    setRefusal('');
    if (choice.operation.isImmediate) {
      void execute(choice);
      return;
    }
    setOpen(open?.operation === choice.operation && open.isNew === choice.isNew ? undefined : choice);
  };
  useActionKeys((key) => {
    const choice = choices.find(({ operation }) => operation.key === key);
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
          title={open.name}
          row={open.about?.row ?? NONE}
          subject={open.about === undefined ? '' : subjectOf(open.about.rows, open.about.row)}
          given={given}
          onClose={() => setOpen(undefined)}
          onDone={(outcome) => {
            setOpen(undefined);
            onDone(outcome);
          }}
        />
      )}
      {refusal !== '' && (
        <p role="alert" className="error">
          {refusal}
        </p>
      )}
      {isTaken && (
        <p className="note">
          {WORDS.takenBy} {claimedBy}. {WORDS.takenAbout}
        </p>
      )}
      {isOwn && <p className="note">{WORDS.ownProposal}</p>}
      {list?.isQueue === true && selected !== undefined && choices.length === 0 && (
        <p className="note">{isDecided(selected) ? WORDS.decided : WORDS.onlyLook}</p>
      )}
      {choices.length > 0 && (
        <div className="deeds" role="group" aria-label={WORDS.actions}>
          {choices.map((choice) => {
            const { operation, isNew } = choice;
            const { key, emphasis = '' } = operation;
            return (
              <button
                key={`${operation.path} ${isNew}`}
                type="button"
                className={`button ${isNew ? '' : emphasis}`}
                aria-expanded={open?.operation === operation && open.isNew === isNew}
                onClick={() => choose(choice)}
              >
                {choice.name}
                {key !== undefined && !isNew && <kbd aria-hidden="true">{key.toUpperCase()}</kbd>}
              </button>
            );
          })}
        </div>
      )}
    </>
  );
}

/**
 * True when the operator `name` may use an operation on a row that `claimedBy` has claimed (empty: nobody). Anyone can
 * decide or claim an unclaimed row. A claimed row can be decided and released only by the operator who claimed it;
 * other operators can still assign it and add notes.
 */
function isOpenTo(
  { path, method, sharesWork, isImmediate, concerns: lists }: Operation,
  claimedBy: string,
  name: string,
): boolean {
  if (method !== 'POST' || lists.length === 0 || (claimedBy === '' && !sharesWork)) return true;
  if (!sharesWork) return claimedBy === name;
  if (!isImmediate) return true;
  return path.endsWith('/take') ? claimedBy === '' : claimedBy === name;
}

/**
 * True for a row of the list of proposals that is no longer pending; false for a pending proposal and for every row of
 * another list.
 */
function isDecided({ path, rows, row }: DescribedRow): boolean {
  return path === proposals.path && !isPending(rows, row);
}
