import { callOperators, type OperatorSession } from '@exchange/web-kit/console/calls.ts';
import { useCallback, useEffect, useState } from 'react';
import { AreaScreen } from './area-screen.tsx';
import { Overview } from './overview.tsx';
import { SignIn } from './sign-in.tsx';
import { WORDS } from './words.ts';

const OVERVIEW = 'overview';
const areaOf = (path: string) => path.split('/')[2] ?? '';
const chosen = () => location.hash.slice(1) || OVERVIEW;

/** The console: signing in, then an area for everything that the operator's roles permit. */
export function App() {
  const [session, setSession] = useState<OperatorSession | 'none'>();
  const [area, setArea] = useState(chosen);
  const look = useCallback(
    () =>
      callOperators('/ops/session').then(({ status, body }) =>
        setSession(status === 200 ? (body as unknown as OperatorSession) : 'none'),
      ),
    [],
  );
  useEffect(() => {
    void look();
    const follow = () => setArea(chosen());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [look]);
  if (session === undefined) return null;
  if (session === 'none') return <SignIn onSignedIn={look} />;
  const areas = [...new Set(session.operations.map(({ path }) => areaOf(path)))];
  const leave = async () => {
    await callOperators('/ops/session/end', {});
    setSession('none');
  };
  return (
    <div className="page">
      <header>
        <strong>{WORDS.title}</strong>
        <span className="who">
          {session.name} · {session.roles.join(', ')} · {session.mode}
        </span>
        <button type="button" className="button" onClick={() => void leave()}>
          {WORDS.signOut}
        </button>
      </header>
      <nav aria-label={WORDS.areas}>
        {[OVERVIEW, ...areas].map((name) => (
          <a key={name} href={`#${name}`} aria-current={name === area ? 'page' : undefined}>
            {WORDS.area[name] ?? name}
          </a>
        ))}
      </nav>
      <main>
        <h1>{WORDS.area[area] ?? area}</h1>
        {area === OVERVIEW ? (
          <Overview session={session} />
        ) : (
          <AreaScreen
            key={area}
            operations={session.operations.filter(({ path }) => areaOf(path) === area)}
            onEnded={() => setSession('none')}
          />
        )}
      </main>
    </div>
  );
}
