import { deviceNow } from '@exchange/web-kit/clock.ts';
import {
  resolvePath,
  callOperators,
  type Operation,
  pathParametersOf,
  type Row,
  rowsOf,
  formatValue,
} from '@exchange/web-kit/console/calls.ts';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { operationName, flagsOf, subjectOf, isPending } from './operations.ts';
import { ProposalEvidence } from './proposal-evidence.tsx';
import { ProposedChange } from './proposed-change.tsx';
import { RowTable } from './row-table.tsx';
import { areaOf, usePresence, useOperatorReturn, useSession } from './session.ts';
import { Failed, Skeleton } from './states.tsx';
import { spanText, urgencyOf, waitingSince } from './texts.ts';
import { Details } from './values.tsx';
import { headingOf, WORDS } from './words.ts';

interface Props {
  readonly row: Row;
  readonly isQueue: boolean;
  /**
   * Operations that show more about the row. Each is called only on request, because the server logs every
   * access.
   */
  readonly detailOperations: readonly Operation[];
  /** Values of path parameters that the page determines. */
  readonly given: Row;
  /** Content after the additional information. */
  readonly children?: ReactNode;
}

/** All information about the selected row that a decision is based on. */
export function Evidence({ row, isQueue, detailOperations, given, children }: Props) {
  const now = deviceNow();
  const since = isQueue && isPending(row) ? waitingSince(row) : undefined;
  const flags = flagsOf(row, now);
  const owner = formatValue(row['owner'] ?? row['user']);
  const isProposal = row['operation'] !== undefined && row['form'] !== undefined;
  return (
    <>
      <div className="title">
        <h2>{subjectOf(row) || WORDS.details}</h2>
        {since !== undefined && (
          <span className={`age ${urgencyOf(now - since) ?? ''}`}>
            {WORDS.waitsFor} {spanText(now - since)}
          </span>
        )}
      </div>
      {flags.length > 0 && (
        <ul className="flags">
          {flags.map((flag) => (
            <li key={flag}>{flag}</li>
          ))}
        </ul>
      )}
      {isProposal && (
        <ProposalEvidence key={formatValue(row['id'])} proposal={row}>
          {(facts) => <ProposalContext row={row} facts={facts} given={given} />}
        </ProposalEvidence>
      )}
      {isProposal && <ProposedChange key={`change ${formatValue(row['id'])}`} row={row} />}
      <Details row={isProposal ? withoutForm(row) : row} />
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

const OF_FORM = new Set(['form', 'fields', 'isPreviewed', 'isVersioned', 'movesMoney']);

function withoutForm(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !OF_FORM.has(name)));
}

/** The evidence that the proposing operator could see: pictures and the user's page. */
function ProposalContext({
  row,
  facts,
  given,
}: {
  readonly row: Row;
  readonly facts: Row;
  readonly given: Row;
}) {
  const { operations } = useSession();
  const area = areaOf({ path: formatValue(row['operation']).split(' ')[1] ?? '' });
  const customer = formatValue(facts['owner'] ?? facts['user']);
  const looks = detailOperationsOf(
    operations.filter((operation) => areaOf(operation) === area && area !== 'users'),
    facts,
    given,
  );
  return (
    <>
      {looks.map((operation) => (
        <AdditionalInfo key={operation.path} operation={operation} values={facts} known={facts} />
      ))}
      {customer !== '' && <UserSections user={customer} />}
    </>
  );
}

/** Additional information about a row, loaded on request. */
function AdditionalInfo({ operation, values, known }: { operation: Operation; values: Row; known: Row }) {
  const [isOpen, setOpen] = useState(false);
  const address = resolvePath(operation.path, values);
  return (
    <div className="look">
      <button type="button" className="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {operationName(operation)}
      </button>
      {isOpen && operation.isPicture && <Picture src={address} name={operationName(operation)} />}
      {isOpen && !operation.isPicture && <Loaded path={operation.path} address={address} known={known} />}
    </div>
  );
}

const NONE: Row = {};

/** The response of a URL: unknown fields of a single row, or several rows as a table. */
function Loaded({ path, address, known = NONE }: { path: string; address: string; known?: Row }) {
  const [rows, setRows] = useState<readonly Row[]>();
  const [error, setError] = useState('');
  const { onEnded } = usePresence();
  const isThere = useRef(false);
  const load = useCallback(
    () =>
      callOperators(address).then((answer) => {
        if (answer.status === 401) return onEnded();
        isThere.current = answer.error === undefined;
        setError(answer.error ?? '');
        if (answer.error === undefined) setRows(rowsOf(answer.body));
      }),
    [address, onEnded],
  );
  useEffect(() => void load(), [load]);
  useOperatorReturn(() => {
    if (!isThere.current) void load();
  });
  if (error !== '') return <Failed error={error} onRetry={() => void load()} />;
  if (rows === undefined) return <Skeleton label={WORDS.loading} />;
  const [only] = rows;
  if (only === undefined) return <p className="dim">{WORDS.empty}</p>;
  if (rows.length > 1) return <RowTable path={path} shown={rows} label={WORDS.details} now={deviceNow()} />;
  const pictures = Object.entries(only).filter(([, value]) => formatValue(value).includes('/evidence/'));
  const facts = Object.entries(only).filter(
    ([name, value]) =>
      !formatValue(value).includes('/evidence/') && formatValue(known[name]) !== formatValue(value),
  );
  return (
    <>
      <Details row={Object.fromEntries(facts)} />
      {pictures.map(([name, value]) => (
        <Picture key={name} src={formatValue(value)} name={name} />
      ))}
    </>
  );
}

const PAGE = '/ops/users/:user';
const PARTS = ['', '/limits', '/balances', '/deposits', '/withdrawals', '/security', '/decisions'];

/** Information about the row's user in sections; the open section stays open when another row is selected. */
function UserSections({ user }: { readonly user: string }) {
  const { operations } = useSession();
  const [part, setPart] = useState<string>();
  const parts = PARTS.map((end) => PAGE + end).filter((path) =>
    operations.some((operation) => operation.method === 'GET' && operation.path === path),
  );
  if (parts.length === 0) return null;
  return (
    <section className="about">
      <h3>
        {WORDS.aboutUser} <a href={`#users/${user}`}>{WORDS.wholePage}</a>
      </h3>
      <div className="bar">
        {parts.map((path) => (
          <button
            key={path}
            type="button"
            className="button"
            aria-pressed={part === path}
            onClick={() => setPart(part === path ? undefined : path)}
          >
            {path === PAGE ? WORDS.profile : operationName({ path })}
          </button>
        ))}
      </div>
      {part !== undefined && <Loaded key={part + user} path={part} address={resolvePath(part, { user })} />}
    </section>
  );
}

/** Operations that show more about a row: their path parameters are all known. */
export function detailOperationsOf(
  operations: readonly Operation[],
  row: Row | undefined,
  given: Row,
): readonly Operation[] {
  return operations.filter(({ method, path, versionsOf }) => {
    const open = pathParametersOf(path).filter((name) => given[name] === undefined);
    return (
      method === 'GET' &&
      versionsOf === undefined &&
      open.length > 0 &&
      !path.includes('/evidence/') &&
      open.every((name) => row?.[name] !== undefined)
    );
  });
}

/**
 * A picture submitted as evidence. Enlarging it keeps the same element, because its one-time URL can be
 * loaded only once.
 */
function Picture({ src, name }: { readonly src: string; readonly name: string }) {
  const [isLarge, setLarge] = useState(false);
  const [isFailed, setFailed] = useState(false);
  const title = headingOf(name);
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
