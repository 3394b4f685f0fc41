import { callOperators, type OperatorSession } from '@exchange/web-kit/console/calls.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { AreaScreen } from './area-screen.tsx';
import { Overview } from './overview.tsx';
import { SearchBox } from './search-box.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { SignIn } from './sign-in.tsx';
import { UserScreen } from './user-screen.tsx';
import { headingOf, WORDS } from './words.ts';

const OVERVIEW = 'overview';
const SEARCH = 'search';
const USERS = 'users';
const HOUSE = 'house';
const areaOf = (path: string) => path.split('/')[2] ?? '';
const chosen = () => location.hash.slice(1) || OVERVIEW;

/** The console: signing in, then an area for everything that the operator's roles permit. */
export function App() {
  const [session, setSession] = useState<OperatorSession | 'none'>();
  const [place, setPlace] = useState(chosen);
  const look = useCallback(
    () =>
      callOperators('/ops/session').then(({ status, body }) =>
        setSession(status === 200 ? (body as unknown as OperatorSession) : 'none'),
      ),
    [],
  );
  useEffect(() => {
    void look();
    const follow = () => setPlace(chosen());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [look]);
  const end = useCallback(() => setSession('none'), []);
  if (session === undefined) return null;
  if (session === 'none') return <SignIn onSignedIn={look} />;
  const { operations } = session;
  const areas = [...new Set(operations.map(({ path }) => areaOf(path)))].filter((name) => name !== SEARCH);
  const [path = '', query = ''] = place.split('?');
  const [area = OVERVIEW, subject = ''] = path.split('/');
  const own = operations.filter(
    ({ path, isFunding }) => areaOf(path) === area || (area === HOUSE && isFunding),
  );
  const leave = async () => {
    await callOperators('/ops/session/end', {});
    setSession('none');
  };
  return (
    <div className="page">
      <header>
        <strong>{WORDS.title}</strong>
        <SearchBox operations={operations} />
        <span className="who">
          {[...new Set([session.name, session.roles.join(', '), session.mode])].join(' · ')}
        </span>
        <button type="button" className="button" onClick={() => void leave()}>
          {WORDS.signOut}
        </button>
      </header>
      <Areas names={[OVERVIEW, ...areas]} area={area} />
      <main>
        <h1>{WORDS.area[area] ?? headingOf(area)}</h1>
        {area === OVERVIEW ? (
          <Overview session={session} />
        ) : area === USERS && subject !== '' ? (
          <UserScreen key={subject} id={subject} operations={own} onEnded={end} />
        ) : (
          <AreaScreen
            key={place}
            operations={own.filter(isGeneral)}
            asks={Object.fromEntries(new URLSearchParams(query))}
            onEnded={end}
          />
        )}
      </main>
      <Shortcuts />
    </div>
  );
}

/** What is about one user is done on that user's page. */
function isGeneral({ path }: { readonly path: string }): boolean {
  return !path.startsWith(`/ops/${USERS}/:`);
}

function Areas({ names, area }: { readonly names: readonly string[]; readonly area: string }) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // Where the areas lie in a row, the chosen one may be out of sight.
    const link = nav.current?.querySelector(`[href="#${CSS.escape(area)}"]`);
    link?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
  }, [area]);
  return (
    <nav ref={nav} aria-label={WORDS.areas}>
      {names.map((name) => (
        <a key={name} href={`#${name}`} aria-current={name === area ? 'page' : undefined}>
          {WORDS.area[name] ?? headingOf(name)}
        </a>
      ))}
      <p className="dim hint">{WORDS.keysHint}</p>
    </nav>
  );
}
