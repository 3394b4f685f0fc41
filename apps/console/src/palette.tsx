import { searchKey } from '@exchange/web-kit/ui/typed-text.ts';
import { callOperators, rowsOf, textOf, type Row } from '@exchange/web-kit/console/calls.ts';
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import { actionName } from './deeds.ts';
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
const SEARCH = '/ops/search';

/** One box for areas, operations, users, orders, transfers and products; Ctrl K opens it from anywhere. */
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

/** What is typed and what it finds. What is about people is searched when asked for: each search is written down. */
function Box({ onLeave }: { readonly onLeave: (to: string) => void }) {
  const session = useSession();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const [found, setFound] = useState<readonly Hit[]>();
  const [error, setError] = useState('');
  const wanted = typed.trim();
  const local = placesOf(session.operations, groupsOf(session), wanted);
  const hits = found ?? local;
  const maySearch =
    found === undefined && wanted !== '' && session.operations.some(({ path }) => path === SEARCH);
  const search = async () => {
    const answer = await callOperators(`${SEARCH}?${new URLSearchParams({ query: wanted }).toString()}`);
    setError(answer.error ?? '');
    setFound([...rowsOf(answer.body).map(hitOf), ...local]);
    setAt(0);
  };
  const go = (event: FormEvent) => {
    event.preventDefault();
    const hit = hits[at];
    if (maySearch && (hit === undefined || LOOKS_LIKE_ONE.test(wanted))) void search();
    else if (hit !== undefined) onLeave(hit.to);
  };
  const type = (text: string) => {
    setTyped(text);
    setFound(undefined);
    setAt(0);
  };
  return (
    <>
      <form role="search" onSubmit={go}>
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
        <Hits hits={hits} at={at} label={found === undefined ? WORDS.goTo : WORDS.found} onChosen={onLeave} />
      )}
      {found !== undefined && hits.length === 0 && error === '' && <p className="dim">{WORDS.nothing}</p>}
      {maySearch && (
        <button type="button" className="link" onClick={() => void search()}>
          {WORDS.searchFor} “{wanted}”
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

/** A mail address, an id, a uid or a number: what no area is called. */
const LOOKS_LIKE_ONE = /[@.\d]/;

function hitOf(row: Row): Hit {
  return { kind: textOf(row['kind']), label: textOf(row['label']), to: textOf(row['to']) };
}

/** Areas and operations whose names hold what was typed; without anything typed, every area. */
function placesOf(
  operations: ReturnType<typeof useSession>['operations'],
  groups: ReturnType<typeof groupsOf>,
  typed: string,
): readonly Hit[] {
  const wanted = searchKey(typed);
  const areas = groups
    .flatMap(([, names]) => names)
    .map((name): Hit => ({ kind: WORDS.kinds.area, label: WORDS.area[name] ?? headingOf(name), to: name }))
    .filter(({ label }) => searchKey(label).includes(wanted));
  if (wanted === '') return areas;
  const deeds = operations
    .filter(({ path, summary }) =>
      searchKey(`${path} ${summary} ${actionName(`POST ${path}`)}`).includes(wanted),
    )
    .map((one): Hit => ({
      kind: WORDS.kinds.operation,
      label: `${actionName(`${one.method} ${one.path}`)}. ${one.summary}`,
      to: areaOf(one),
    }));
  return [...areas, ...deeds].slice(0, SHOWN_MAX);
}
