import { search as described } from '@exchange/web-kit/console/described.ts';
import { searchKey } from '@exchange/web-kit/ui/typed-text.ts';
import {
  callOperators,
  camelToWords,
  formatValue,
  rowsOf,
  type Row,
} from '@exchange/web-kit/console/calls.ts';
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import { actionName } from './operations.ts';
import { groupsOf } from './navigation.tsx';
import { areaOf, useSession } from './session.ts';
import { usePaletteKeys } from './shortcuts.tsx';
import { Skeleton } from './states.tsx';
import { headingOf, WORDS } from './words.ts';

interface Hit {
  readonly kind: string;
  readonly label: string;
  readonly to: string;
}

const SHOWN_MAX = 12;

/**
 * The command palette: finds areas, operations, users, records and products; opened by its button, Ctrl+K (or
 * Cmd+K) or `/`.
 */
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
 * State of a record search on the server; undefined while the palette lists only areas and operations of the console.
 */
type Search =
  | { readonly state: 'searching' }
  | { readonly state: 'found'; readonly hits: readonly Hit[] }
  | { readonly state: 'refused'; readonly error: string };

/**
 * Input and results of the console's search palette. Records are searched only when the operator selects the option for
 * it, because the server logs every search. This option comes first if the text looks like an id, address or number, or
 * if the last search was refused; otherwise it comes last.
 */
function Box({ onLeave }: { readonly onLeave: (to: string) => void }) {
  const session = useSession();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const [search, setSearch] = useState<Search>();
  const latest = useRef(0);
  const query = typed.trim();
  const mayFind = query !== '' && session.operations.some(({ path }) => path === described.path);
  const options = optionsOf(search, placesOf(session.operations, groupsOf(session), query), {
    query,
    mayFind,
  });
  const find = async () => {
    const request = (latest.current += 1);
    setSearch({ state: 'searching' });
    const answer = await callOperators(`${described.path}?${new URLSearchParams({ query }).toString()}`);
    // The operator may have changed the search text since the request was sent; the response is then discarded.
    if (request !== latest.current) return;
    setAt(0);
    setSearch(
      answer.error === undefined
        ? { state: 'found', hits: rowsOf(described.rows, answer.body).map(hitOf) }
        : { state: 'refused', error: answer.error },
    );
  };
  const choose = ({ to }: Hit) => (to === FIND ? void find() : onLeave(to));
  const type = (text: string) => {
    latest.current += 1;
    setTyped(text);
    setSearch(undefined);
    setAt(0);
  };
  return (
    <>
      <form
        role="search"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          const option = options[at];
          if (option !== undefined) choose(option);
        }}
      >
        <input
          autoFocus
          type="text"
          role="combobox"
          aria-label={WORDS.palette}
          aria-expanded={options.length > 0}
          aria-controls="hits"
          aria-activedescendant={options.length > 0 ? `hit-${at}` : undefined}
          aria-busy={search?.state === 'searching'}
          autoComplete="off"
          spellCheck={false}
          placeholder={WORDS.go}
          value={typed}
          onKeyDown={(event) => {
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (step === undefined) return;
            event.preventDefault();
            setAt(Math.max(0, Math.min(options.length - 1, at + step)));
          }}
          onChange={(event) => type(event.target.value)}
        />
      </form>
      <Progress search={search} query={query} />
      {options.length > 0 && (
        <Hits
          hits={options}
          at={at}
          label={search?.state === 'found' ? WORDS.found : WORDS.goTo}
          onChosen={choose}
        />
      )}
      {query === '' && mayFindAnything(session.operations) && <p className="dim">{WORDS.searchHint}</p>}
    </>
  );
}

/**
 * The value of `to` of the palette option that searches records on the server; the `to` of every other option is the
 * part of the URL hash that it opens, such as an area.
 */
const FIND = '';

interface FindOption {
  readonly query: string;
  readonly mayFind: boolean;
}

/**
 * Returns the options of the palette: found records, areas and operations of the console and, before a search
 * and after a refused one, the option that searches records, if `mayFind` is true. Empty while a search is
 * running.
 */
function optionsOf(
  search: Search | undefined,
  places: readonly Hit[],
  { query, mayFind }: FindOption,
): readonly Hit[] {
  if (search?.state === 'searching') return [];
  if (search?.state === 'found') return [...search.hits, ...places];
  if (!mayFind) return places;
  const find = {
    kind: search === undefined ? WORDS.kinds.records : WORDS.retry,
    label: `${WORDS.searchFor} “${query}”`,
    to: FIND,
  };
  return LOOKS_LIKE_ONE.test(query) || search !== undefined ? [find, ...places] : [...places, find];
}

/**
 * Status of a record search: running, refused with the reason, or finished without results; renders nothing in all
 * other cases.
 */
function Progress({ search, query }: { readonly search: Search | undefined; readonly query: string }) {
  if (search === undefined) return null;
  if (search.state === 'refused')
    return (
      <p role="alert" className="error">
        {search.error}
      </p>
    );
  if (search.state === 'searching') return <Skeleton label={WORDS.searching} />;
  if (search.hits.length > 0) return null;
  return (
    <p role="status">
      {WORDS.nothing} “{query}”. <span className="dim">{WORDS.nothingAbout}</span>
    </p>
  );
}

function mayFindAnything(operations: ReturnType<typeof useSession>['operations']): boolean {
  return operations.some(({ path }) => path === described.path);
}

interface HitsProps {
  readonly hits: readonly Hit[];
  readonly at: number;
  readonly label: string;
  readonly onChosen: (hit: Hit) => void;
}

function Hits({ hits, at, label, onChosen }: HitsProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    <ul ref={list} id="hits" role="listbox" aria-label={label}>
      {hits.map((hit, index) => (
        <li
          key={`${hit.kind} ${hit.to} ${hit.label}`}
          id={`hit-${index}`}
          role="option"
          aria-selected={index === at}
          onClick={() => onChosen(hit)}
        >
          <span className="dim">{hit.kind}</span> {hit.label}
        </li>
      ))}
    </ul>
  );
}

/**
 * Matches a text that may identify a record: an email address, an id, a number or an address (it contains `@`, a period
 * or a digit).
 */
const LOOKS_LIKE_ONE = /[@.\d]/;

function hitOf(row: Row): Hit {
  return {
    kind: camelToWords(formatValue(row['kind'])),
    label: formatValue(row['label']),
    to: formatValue(row['to']),
  };
}

/**
 * Returns areas whose names contain the text, and operations whose path, summary or name contains it, at most
 * SHOWN_MAX together; for an empty text all areas.
 */
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
