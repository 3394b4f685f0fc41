import { resolvePath, type Operation, formatValue, type Row } from '@exchange/web-kit/console/calls.ts';
import { useState } from 'react';
import { Changes } from './changes.tsx';
import { columnOf } from './columns.ts';
import type { DescribedRow } from './decision-bar.tsx';
import { concerns } from './operations.ts';
import { currentValues } from './form-values.ts';
import { useSession } from './session.ts';
import { Failed, Skeleton } from './states.tsx';
import { utcTime } from './texts.ts';
import { useRows } from './use-rows.ts';
import { Time } from './values.tsx';
import { WORDS } from './words.ts';

interface Props {
  /** The operation that lists the versions of a record. */
  readonly list: Operation;
  /** The row of the record with its published values, from the list that is open. */
  readonly row: Row;
  readonly given: Row;
  /**
   * Called to start a proposal whose form is prefilled with the version `version`; `publishes` is the
   * operation that publishes a version.
   */
  readonly onBasis: (publishes: Operation, version: Row) => void;
}

/**
 * The versions of a record, including the published one. They are loaded only when the operator opens the section,
 * because the server logs every access.
 */
export function Versions(props: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section className="look">
      <button type="button" className="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {WORDS.versions}
      </button>
      {isOpen && <VersionList {...props} />}
    </section>
  );
}

/**
 * Does nothing when the session has ended: the surrounding list opens the login dialog, and the list of
 * versions only shows the error message of its request.
 */
const ignoreSessionEnd = () => undefined;

function VersionList({ list, row, given, onBasis }: Props) {
  const { operations } = useSession();
  const { rows, error, load, more } = useRows(
    resolvePath(list.path, { ...row, ...given }),
    list.rows,
    ignoreSessionEnd,
  );
  const publishes = operations.find(({ method, path }) => method === 'POST' && path === list.versionsOf);
  if (rows === undefined)
    return error === '' ? (
      <Skeleton label={WORDS.loading} />
    ) : (
      <Failed error={error} onRetry={() => void load()} />
    );
  return (
    <>
      {error !== '' && <Failed error={error} onRetry={() => void load()} />}
      {rows.length === 0 && <p className="dim">{WORDS.empty}</p>}
      <ol className="versions" aria-label={WORDS.versions}>
        {rows.map((version) => (
          <Version
            key={formatValue(version['version'])}
            list={list}
            version={version}
            isPublished={formatValue(version['version']) === formatValue(row['version'])}
            onBasis={publishes && (() => onBasis(publishes, version))}
          />
        ))}
      </ol>
      {more !== undefined && (
        <button type="button" className="button more" onClick={() => void more()}>
          {WORDS.more}
        </button>
      )}
    </>
  );
}

interface VersionProps {
  readonly list: Operation;
  readonly version: Row;
  readonly isPublished: boolean;
  readonly onBasis: (() => void) | undefined;
}

/**
 * A version with its author, time, reason and changes, and a button that proposes it again. The published version has
 * no such button, nor has any version if the operator may not publish versions.
 */
function Version({ list, version, isPublished, onBasis }: VersionProps) {
  const [isOpen, setOpen] = useState(false);
  const name = `${WORDS.version} ${formatValue(version['version'])}`;
  const { before, after } = changesOf(list, version);
  return (
    <li aria-label={name}>
      <p className="head">
        <strong>{name}</strong>
        {isPublished && <span className="pill good">{WORDS.published}</span>}
        <Time at={version['at'] as number} />
      </p>
      <p>
        {formatValue(version['by'])}: “{formatValue(version['reason'])}”
      </p>
      <div className="bar">
        <button
          type="button"
          className="button"
          aria-expanded={isOpen}
          aria-label={`${before === undefined ? WORDS.firstVersion : WORDS.whatChanged}: ${name}`}
          onClick={() => setOpen(!isOpen)}
        >
          {before === undefined ? WORDS.firstVersion : WORDS.whatChanged}
        </button>
        {!isPublished && onBasis !== undefined && (
          <button
            type="button"
            className="button"
            aria-label={`${WORDS.proposeAgain}: ${name}`}
            onClick={onBasis}
          >
            {WORDS.proposeAgain}
          </button>
        )}
      </div>
      {isOpen && (
        <Changes
          fields={list.fields}
          now={before ?? {}}
          next={after}
          kept="none"
          title={before === undefined ? WORDS.firstVersion : WORDS.whatChanged}
          heads={WORDS.beforeAndAfter}
        />
      )}
    </li>
  );
}

/**
 * Returns the values of a version (`after`) and of the version before it (`before`), by field. Columns that
 * the current form has no input for are included only if the server lists them among the earlier values
 * (`was`). `before` is undefined for the first version.
 */
function changesOf(list: Operation, version: Row) {
  const was = version['was'] as Row | undefined;
  const after = currentValues(list, version);
  if (was === undefined) return { before: undefined, after };
  const otherNames = Object.keys(was).filter((name) => !isOfField(list, name));
  const withOthers = (values: Row) =>
    Object.fromEntries(otherNames.map((name) => [name, plain(list, name, values[name])]));
  return {
    before: { ...currentValues(list, { ...version, ...was }), ...withOthers(was) },
    after: { ...after, ...withOthers(version) },
  };
}

/** True when an input of the operation's form takes its initial value from the column. */
function isOfField({ fields }: Operation, column: string): boolean {
  return Object.entries(fields).some(([name, { startsFrom = name }]) => startsFrom === column);
}

/** Formats a value of a column that the current form has no input for. */
function plain({ rows }: Operation, name: string, value: unknown): string {
  const { kind } = columnOf(rows?.columns ?? {}, name);
  if (kind === 'flag') return value === true ? WORDS.yes : WORDS.no;
  return kind === 'instant' && typeof value === 'number' ? utcTime(value) : formatValue(value);
}

/**
 * Returns the operations that list the published versions of the selected row; empty if no row is selected.
 */
export function versionsOf(
  operations: readonly Operation[],
  selected: DescribedRow | undefined,
): readonly Operation[] {
  return operations.filter(
    (operation) => operation.versionsOf !== undefined && concerns(operation, selected?.path),
  );
}
