import { callOperators, type Operation, rowsOf, textOf, type Row } from '@exchange/web-kit/console/calls.ts';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useSearchKey } from './shortcuts.tsx';
import { listName, WORDS } from './words.ts';

interface Hit {
  readonly kind: string;
  readonly label: string;
  readonly href: string;
}

const AREAS_MAX = 8;

/** One box for users, orders, transfers, products, audit entries and operations; `/` goes to it. */
export function SearchBox({ operations }: { readonly operations: readonly Operation[] }) {
  const [hits, setHits] = useState<readonly Hit[]>();
  const [error, setError] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useSearchKey(() => input.current?.focus());
  useEffect(() => {
    const close = () => setHits(undefined);
    addEventListener('hashchange', close);
    return () => removeEventListener('hashchange', close);
  }, []);
  const search = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const query = (input.current?.value ?? '').trim();
    if (query === '') return setHits(undefined);
    const isServed = operations.some(({ path }) => path === '/ops/search');
    const answer = isServed
      ? await callOperators(`/ops/search?${new URLSearchParams({ query }).toString()}`)
      : { body: {}, error: undefined };
    setError(answer.error ?? '');
    setHits([...rowsOf(answer.body).map(hitOf), ...operationHits(operations, query)]);
  };
  return (
    <form className="search" role="search" aria-label={WORDS.search} onSubmit={(event) => void search(event)}>
      <input
        ref={input}
        type="search"
        aria-label={WORDS.search}
        placeholder={`${WORDS.search}  ( / )`}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          setHits(undefined);
          input.current?.blur();
        }}
      />
      {hits !== undefined && (
        <ul aria-label={WORDS.found}>
          {error !== '' && (
            <li role="alert" className="error">
              {error}
            </li>
          )}
          {hits.length === 0 && <li className="dim">{WORDS.nothing}</li>}
          {hits.map(({ kind, label, href }) => (
            <li key={`${kind} ${href} ${label}`}>
              <a href={href} onClick={() => setHits(undefined)}>
                <span className="dim">{kind}</span> {label}
              </a>
            </li>
          ))}
        </ul>
      )}
    </form>
  );
}

function hitOf(row: Row): Hit {
  return { kind: textOf(row['kind']), label: textOf(row['label']), href: `#${textOf(row['to'])}` };
}

/** Operations whose sentence or area holds what was typed. */
function operationHits(operations: readonly Operation[], query: string): Hit[] {
  const wanted = query.toLowerCase();
  return operations
    .filter(({ path, summary }) => `${path} ${summary} ${listName(path)}`.toLowerCase().includes(wanted))
    .slice(0, AREAS_MAX)
    .map(({ path, summary }) => ({
      kind: 'operation',
      label: summary,
      href: `#${path.split('/')[2] ?? ''}`,
    }));
}
