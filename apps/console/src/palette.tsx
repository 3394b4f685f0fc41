import { search } from '@exchange/web-kit/console/described.ts';
import { searchKey } from '@exchange/web-kit/ui/typed-text.ts';
import { callOperators, rowsOf, formatValue, type Row } from '@exchange/web-kit/console/calls.ts';
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import { actionName } from './operations.ts';
import { groupsOf } from './navigation.tsx';
import { areaOf, useSession } from './session.ts';
import { usePaletteKeys } from './shortcuts.tsx';
import { headingOf, WORDS } from './words.ts';

interface Hit {
  readonly kind: string;
  readonly label: string;
  readonly to: string;
}

const SHOWN_MAX = 12;

/** Command palette for areas, operations, users, orders, transfers and products; opened by Ctrl+K. */
export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const open = useCallback(() => setOpen(true), []);
  const close = () => setOpen(false);
  const leave = (to: string) => {
    location.hash = to;
    close();
  };
  usePaletteKeys(open);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <>
      <button type="button" className="opener" onClick={open}>
        <span>{WORDS.go}</span> <kbd>Ctrl K</kbd>
      </button>
      <dialog ref={dialog} className="palette" aria-label={WORDS.palette} onClose={close}>
        {isOpen && <Box onLeave={leave} />}
      </dialog>
    </>
  );
}

/**
 * Input and results of the palette. User data is searched only on request, because the server logs every
 * search.
 */
function Box({ onLeave }: { readonly onLeave: (to: string) => void }) {
  const session = useSession();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const [results, setResults] = useState<readonly Hit[]>();
  const [error, setError] = useState('');
  const query = typed.trim();
  const local = placesOf(session.operations, groupsOf(session), query);
  const hits = results ?? local;
  const maySearch =
    results === undefined && query !== '' && session.operations.some(({ path }) => path === search.path);
  const find = async () => {
    const answer = await callOperators(`${search.path}?${new URLSearchParams({ query }).toString()}`);
    setError(answer.error ?? '');
    setResults([...rowsOf(search.rows, answer.body).map(hitOf), ...local]);
    setAt(0);
  };
  const openHit = (event: FormEvent) => {
    event.preventDefault();
    const hit = hits[at];
    if (maySearch && (hit === undefined || LOOKS_LIKE_ONE.test(query))) void find();
    else if (hit !== undefined) onLeave(hit.to);
  };
  const type = (text: string) => {
    setTyped(text);
    setResults(undefined);
    setAt(0);
  };
  return (
    <>
      <form role="search" onSubmit={openHit}>
        <input
          autoFocus
          type="text"
          role="combobox"
          aria-label={WORDS.palette}
          aria-expanded={hits.length > 0}
          aria-controls="hits"
          aria-activedescendant={hits.length > 0 ? `hit-${at}` : undefined}
          autoComplete="off"
          placeholder={WORDS.go}
          value={typed}
          onKeyDown={(event) => {
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (step === undefined) return;
            event.preventDefault();
            setAt(Math.max(0, Math.min(hits.length - 1, at + step)));
          }}
          onChange={(event) => type(event.target.value)}
        />
      </form>
      {error !== '' && (
        <p role="alert" className="error">
          {error}
        </p>
      )}
      {hits.length > 0 && (
        <Hits
          hits={hits}
          at={at}
          label={results === undefined ? WORDS.goTo : WORDS.found}
          onChosen={onLeave}
        />
      )}
      {results !== undefined && hits.length === 0 && error === '' && <p className="dim">{WORDS.nothing}</p>}
      {maySearch && (
        <button type="button" className="link" onClick={() => void find()}>
          {WORDS.searchFor} “{query}”
        </button>
      )}
    </>
  );
}

interface HitsProps {
  readonly hits: readonly Hit[];
  readonly at: number;
  readonly label: string;
  readonly onChosen: (to: string) => void;
}

function Hits({ hits, at, label, onChosen }: HitsProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    <ul ref={list} id="hits" role="listbox" aria-label={label}>
      {hits.map(({ kind, label: text, to }, index) => (
        <li
          key={`${kind} ${to} ${text}`}
          id={`hit-${index}`}
          role="option"
          aria-selected={index === at}
          onClick={() => onChosen(to)}
        >
          <span className="dim">{kind}</span> {text}
        </li>
      ))}
    </ul>
  );
}

/** Text that cannot be an area's name: an email address, an id, or a number. */
const LOOKS_LIKE_ONE = /[@.\d]/;

function hitOf(row: Row): Hit {
  return { kind: formatValue(row['kind']), label: formatValue(row['label']), to: formatValue(row['to']) };
}

/** Areas and operations whose names contain the text; all areas for an empty text. */
function placesOf(
  operations: ReturnType<typeof useSession>['operations'],
  groups: ReturnType<typeof groupsOf>,
  typed: string,
): readonly Hit[] {
  const query = searchKey(typed);
  const areas = groups
    .flatMap(([, names]) => names)
    .map((name): Hit => ({ kind: WORDS.kinds.area, label: WORDS.area[name] ?? headingOf(name), to: name }))
    .filter(({ label }) => searchKey(label).includes(query));
  if (query === '') return areas;
  const deeds = operations
    .filter(({ path, summary }) =>
      searchKey(`${path} ${summary} ${actionName(`POST ${path}`)}`).includes(query),
    )
    .map((operation): Hit => ({
      kind: WORDS.kinds.operation,
      label: `${actionName(`${operation.method} ${operation.path}`)}. ${operation.summary}`,
      to: areaOf(operation),
    }));
  return [...areas, ...deeds].slice(0, SHOWN_MAX);
}
