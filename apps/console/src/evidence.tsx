import { deviceNow } from '@exchange/web-kit/clock.ts';
import {
  resolvePath,
  type Columns,
  type Operation,
  type Row,
  rowsOf,
  formatValue,
} from '@exchange/web-kit/console/calls.ts';
import {
  operationNamed,
  proposals,
  userBalances,
  userDecisions,
  userDeposits,
  userLimits,
  userProfile,
  userSecurity,
  userWithdrawals,
} from '@exchange/web-kit/console/described.ts';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { columnName } from './columns.ts';
import type { DescribedRow } from './decision-bar.tsx';
import { useAnswer } from './latest-answer.ts';
import { appliesTo, concerns, flagsOf, isPending, subjectOf } from './operations.ts';
import { ProposalEvidence } from './proposal-evidence.tsx';
import { ProposedChange } from './proposed-change.tsx';
import { RowTable } from './row-table.tsx';
import { useOperatorReturn, useSession } from './session.ts';
import { Failed, Skeleton } from './states.tsx';
import { parseObject, spanText, urgencyOf, waitingSince } from './texts.ts';
import { Details } from './values.tsx';
import { WORDS } from './words.ts';

interface Props {
  readonly selected: DescribedRow;
  readonly isQueue: boolean;
  /**
   * Operations that read additional information about the row. Each is executed only when the operator requests it,
   * because the server logs every access.
   */
  readonly detailOperations: readonly Operation[];
  readonly given: Row;
  readonly children?: ReactNode;
}

/**
 * Shows the information about the selected row on which an operator bases a decision: its warnings, values, additional
 * information and versions and, except on the page of a user, sections about its user. For a proposal, the record and
 * the changes take the place of the additional information.
 */
export function Evidence({ selected, isQueue, detailOperations, given, children }: Props) {
  const { path, rows, row } = selected;
  const now = deviceNow();
  const since = isQueue && isPending(rows, row) ? waitingSince(rows, row) : undefined;
  const owner = userIn(rows.columns, row);
  const isProposal = path === proposals.path;
  return (
    <>
      <div className="title">
        <h2>{subjectOf(rows, row) || WORDS.details}</h2>
        {since !== undefined && (
          <span className={`age ${urgencyOf(now - since) ?? ''}`}>
            {WORDS.waitsFor} {spanText(now - since)}
          </span>
        )}
      </div>
      <Flags path={path} row={row} />
      {isProposal && (
        <ProposalEvidence key={formatValue(row['id'])} proposal={row}>
          {(facts) => <ProposalContext row={row} facts={facts} />}
        </ProposalEvidence>
      )}
      {isProposal && <ProposedChange key={`change ${formatValue(row['id'])}`} row={row} />}
      <Details columns={rows.columns} row={row} />
      {(isProposal ? [] : detailOperations).map((operation) => (
        <AdditionalInfo
          known={row}
          key={`${operation.path} ${resolvePath(operation.path, { ...row, ...given })}`}
          operation={operation}
          values={{ ...row, ...given }}
        />
      ))}
      {children}
      {owner !== '' && Object.keys(given).length === 0 && <UserSections user={owner} />}
    </>
  );
}

/** List of the warnings about a row; renders nothing when there are none. */
function Flags({ path, row }: { readonly path: string; readonly row: Row }) {
  const flags = flagsOf(path, row, deviceNow());
  if (flags.length === 0) return null;
  return (
    <ul className="flags">
      {flags.map((flag) => (
        <li key={flag}>{flag}</li>
      ))}
    </ul>
  );
}

/**
 * Returns the user id in the row's first column of kind `user`; empty if the list has no such column or the
 * row no such value.
 */
function userIn(columns: Columns, row: Row): string {
  const name = Object.keys(columns).find((column) => columns[column]?.kind === 'user');
  return name === undefined ? '' : formatValue(row[name]);
}

/**
 * Evidence about the record that a proposal would change: the details that the record's list offers, such as pictures,
 * and sections about the record's user.
 */
function ProposalContext({ row, facts }: { readonly row: Row; readonly facts: Row }) {
  const { operations } = useSession();
  const proposed = operationNamed(formatValue(row['operation']));
  const customer = userIn(proposed?.evidence?.facts ?? {}, facts);
  const values = { ...facts, ...parseObject(row['parameters']) };
  const subjects = proposed?.concerns ?? [];
  return (
    <>
      {operations
        .filter((operation) => isDetail(operation) && subjects.some((path) => concerns(operation, path)))
        .map((operation) => (
          <AdditionalInfo key={operation.path} operation={operation} values={values} known={facts} />
        ))}
      {customer !== '' && <UserSections user={customer} />}
    </>
  );
}

/**
 * Loads and shows additional information about a row when the operator presses its button; a download is a link
 * instead.
 */
function AdditionalInfo({ operation, values, known }: { operation: Operation; values: Row; known: Row }) {
  const [isOpen, setOpen] = useState(false);
  const block = useRef<HTMLDivElement>(null);
  // Scrolls the loaded information into view, because it may lie below the visible part of the panel.
  const show = useCallback(() => block.current?.scrollIntoView({ block: 'nearest' }), []);
  const address = resolvePath(operation.path, values);
  if (operation.isDownload)
    return (
      <a className="button" href={address} download>
        {operation.name}
      </a>
    );
  return (
    <div ref={block} className="look">
      <button type="button" className="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {operation.name}
      </button>
      {isOpen && operation.isPicture && <Picture src={address} title={operation.name} />}
      {isOpen && !operation.isPicture && (
        <Loaded operation={operation} address={address} known={known} onShown={show} />
      )}
    </div>
  );
}

const NONE: Row = {};

interface LoadedProps {
  readonly operation: Operation;
  readonly address: string;
  /**
   * Values that are already visible on the page, by field; the loaded information omits a field that has the
   * same value here. Without this property all loaded values are shown.
   */
  readonly known?: Row;
  /** Called after the loaded information has been rendered. */
  readonly onShown?: () => void;
}

/**
 * Fetches the response of an operation and renders it: a single row as those of its fields that are not visible yet,
 * several rows as a table, and a JSON file as text.
 */
function Loaded({ operation, address, known = NONE, onShown }: LoadedProps) {
  const description = operation.rows;
  const { body: file, error, refetch: load } = useAnswer(address);
  const rows = file === undefined ? undefined : rowsOf(description, file);
  const isShown = rows !== undefined;
  useEffect(() => {
    if (isShown) onShown?.();
  }, [isShown, onShown]);
  useOperatorReturn(() => {
    if (!isShown || error !== '') void load();
  });
  if (error !== '') return <Failed error={error} onRetry={() => void load()} />;
  if (rows === undefined) return <Skeleton label={WORDS.loading} />;
  if (operation.isFile)
    return (
      <>
        <pre className="file" tabIndex={0} aria-label={operation.name}>
          {JSON.stringify(file, null, 2)}
        </pre>
        <a className="button" href={address} download>
          {WORDS.saveFile}
        </a>
      </>
    );
  const [only] = rows;
  if (only === undefined || description === undefined) return <p className="dim">{WORDS.empty}</p>;
  if (rows.length > 1)
    return <RowTable rows={description} shown={rows} label={WORDS.details} now={deviceNow()} />;
  const columns = Object.entries(description.columns);
  const pictures = columns.filter(([, { kind }]) => kind === 'picture');
  const facts = columns.filter(
    ([name, { kind }]) => kind !== 'picture' && formatValue(known[name]) !== formatValue(only[name]),
  );
  return (
    <>
      <Flags path={operation.path} row={only} />
      <Details columns={Object.fromEntries(facts)} row={only} />
      {pictures.map(([name]) => (
        <Picture key={name} src={formatValue(only[name])} title={columnName(description.columns, name)} />
      ))}
    </>
  );
}

/** Paths of the operations whose responses appear as sections about the user of a row, in display order. */
const SECTIONS = [
  userProfile,
  userLimits,
  userBalances,
  userDeposits,
  userWithdrawals,
  userSecurity,
  userDecisions,
].map(({ path }) => path);

/**
 * Sections with information about the user of the selected row, as far as the operator may read them; renders nothing
 * if the operator may read none. At most one is open, and it stays open when another row is selected.
 */
function UserSections({ user }: { readonly user: string }) {
  const { operations } = useSession();
  const [part, setPart] = useState<string>();
  const parts = SECTIONS.flatMap((path) => operations.find((operation) => operation.path === path) ?? []);
  const open = parts.find(({ path }) => path === part);
  if (parts.length === 0) return null;
  return (
    <section className="about">
      <h3>
        {WORDS.aboutUser} <a href={`#users/${user}`}>{WORDS.wholePage}</a>
      </h3>
      <div className="bar">
        {parts.map(({ path, name }) => (
          <button
            key={path}
            type="button"
            className="button"
            aria-pressed={part === path}
            onClick={() => setPart(part === path ? undefined : path)}
          >
            {name}
          </button>
        ))}
      </div>
      {open !== undefined && (
        <Loaded key={open.path + user} operation={open} address={resolvePath(open.path, { user })} />
      )}
    </section>
  );
}

/**
 * True when the operation reads additional information about a row; false for operations that list versions, that
 * change something, or that need no row.
 */
function isDetail({ method, versionsOf, concerns: subjects }: Operation): boolean {
  return method === 'GET' && versionsOf === undefined && subjects.length > 0;
}

/**
 * Returns the operations that read additional information about the selected row, as far as the row meets
 * their conditions; empty if no row is selected.
 */
export function detailOperationsOf(
  operations: readonly Operation[],
  selected: DescribedRow | undefined,
): readonly Operation[] {
  return operations.filter(
    (operation) =>
      selected !== undefined &&
      isDetail(operation) &&
      concerns(operation, selected.path) &&
      appliesTo(operation, selected.row),
  );
}

/**
 * A picture that was submitted as evidence. The enlarged picture uses the same `img` element, because the picture's
 * one-time URL can be loaded only once.
 */
function Picture({ src, title }: { readonly src: string; readonly title: string }) {
  const [isLarge, setLarge] = useState(false);
  const [isFailed, setFailed] = useState(false);
  if (isFailed) return <p role="alert" className="error">{`${title}: ${WORDS.noPicture}`}</p>;
  return (
    <figure className={isLarge ? 'picture large' : 'picture'}>
      <button
        type="button"
        aria-expanded={isLarge}
        aria-label={`${WORDS.enlarge}: ${title}`}
        onClick={() => setLarge(!isLarge)}
        onKeyDown={({ key }) => key === 'Escape' && setLarge(false)}
      >
        <img src={src} alt={title} onError={() => setFailed(true)} />
      </button>
      <figcaption className="dim">{title}</figcaption>
    </figure>
  );
}
