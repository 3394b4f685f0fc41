import { callOperators, type OperatorSession } from '@exchange/web-kit/console/calls.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { AreaScreen } from './area-screen.tsx';
import { troubledOf } from './health.tsx';
import { Navigation, OVERVIEW, RUNBOOK } from './navigation.tsx';
import { Overview } from './overview.tsx';
import { learnPairs } from './pair-names.ts';
import { Palette } from './palette.tsx';
import { useWaiting } from './queues.ts';
import { Runbook } from './runbook.tsx';
import { areaOf, PresenceContext, SessionContext } from './session.ts';
import { Shortcuts } from './shortcuts.tsx';
import { SignIn, SignInOver } from './sign-in.tsx';
import { Empty, Failed } from './states.tsx';
import { UserScreen } from './user-screen.tsx';
import { areaName, WORDS } from './words.ts';

const USERS = 'users';
const HOUSE = 'house';
const chosen = () => location.hash.slice(1) || OVERVIEW;

/** The console: signing in, then everything that the operator's roles permit. */
export function App() {
  const [session, setSession] = useState<OperatorSession | 'none'>();
  /** Why the session has ended while its page stands; empty where nothing was told. */
  const [ended, setEnded] = useState<string>();
  const [returns, setReturns] = useState(0);
  const [error, setError] = useState('');
  const last = useRef('');
  const look = useCallback(
    () =>
      callOperators('/ops/session').then(({ status, body, error: why }) => {
        const told = status === 401 ? '' : (why ?? '');
        setError(told);
        // Who asks without a session is told that nobody is signed in; whose session has ended is refused.
        const isNobody = status === 401 || body['name'] === '';
        if (isNobody) setSession('none');
        if (isNobody || status !== 200) return told;
        const next = body as unknown as OperatorSession;
        learnPairs(next.pairs);
        // Where somebody else was is not told.
        if (last.current !== '' && last.current !== next.name) location.hash = '';
        last.current = next.name;
        setSession((present) => (isSame(present, next) ? present : next));
        setEnded(undefined);
        setReturns((count) => count + 1);
        return '';
      }),
    [],
  );
  useEffect(() => void look(), [look]);
  const end = useCallback((why = '') => setEnded((present) => present || why), []);
  const leave = useCallback(() => {
    void callOperators('/ops/session/end', {}).then(() => setSession('none'));
  }, []);
  const presence = useMemo(() => ({ onEnded: end, returns }), [end, returns]);
  if (session === undefined)
    return error === '' ? null : <Failed error={error} onRetry={() => void look()} />;
  if (session === 'none') return <SignIn onSignedIn={look} />;
  const isAway = ended !== undefined;
  return (
    <>
      <SessionContext value={session}>
        <PresenceContext value={presence}>
          {/* Another operator gets a page of their own; the same one finds this one as they left it. */}
          <div className={isAway ? 'away' : undefined} inert={isAway}>
            <Frame key={session.name} session={session} onEnded={end} onLeave={leave} />
          </div>
        </PresenceContext>
      </SessionContext>
      {isAway && <SignInOver name={session.name} why={ended} onSignedIn={look} />}
    </>
  );
}

/** Whether somebody comes back to what they had: then nothing of the page changes. */
function isSame(present: OperatorSession | 'none' | undefined, next: OperatorSession): boolean {
  return JSON.stringify(present) === JSON.stringify(next);
}

interface FrameProps {
  readonly session: OperatorSession;
  readonly onEnded: () => void;
  readonly onLeave: () => void;
}

/** What stands around every area: where and who one is, the way to everything, and how much waits. */
function Frame({ session, onEnded, onLeave }: FrameProps) {
  const [place, setPlace] = useState(chosen);
  const waiting = useWaiting(session, onEnded);
  useEffect(() => {
    const follow = () => setPlace(chosen());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const { area } = partsOfPlace(place);
  const isKnown =
    area === OVERVIEW || area === RUNBOOK || session.operations.some((one) => areaOf(one) === area);
  const title = isKnown ? areaName(area) : WORDS.notFound;
  const all = waiting.queues.reduce((sum, { count }) => sum + count, 0);
  useEffect(() => {
    document.title = `${all > 0 ? `(${all}) ` : ''}${title} · ${WORDS.title}`;
  }, [all, title]);
  return (
    <div className="page">
      <a className="skip" href="#content" onClick={skip}>
        {WORDS.skip}
      </a>
      <header className="top">
        <strong>{WORDS.title}</strong>
        <span className={`mode ${session.mode}`} title={WORDS.environment}>
          {session.mode}
        </span>
        <Palette />
        <span className="who">
          <b>{session.name}</b>
          <span className="roles" title={WORDS.roles}>
            {session.roles.join(', ')}
          </span>
        </span>
        <button type="button" className="button" onClick={onLeave}>
          {WORDS.signOut}
        </button>
      </header>
      <Navigation
        session={session}
        area={area}
        queues={waiting.queues}
        troubles={troubledOf(waiting.parts).length}
      />
      <main id="content" tabIndex={-1}>
        <h1>{title}</h1>
        <Content session={session} place={place} onEnded={onEnded} waiting={waiting} isKnown={isKnown} />
      </main>
      <Shortcuts />
    </div>
  );
}

interface ContentProps {
  readonly session: OperatorSession;
  readonly place: string;
  readonly isKnown: boolean;
  readonly waiting: ReturnType<typeof useWaiting>;
  readonly onEnded: () => void;
}

/** What stands at a place. */
function Content({ session, place, isKnown, waiting, onEnded }: ContentProps) {
  const { area, subject, query } = partsOfPlace(place);
  if (!isKnown) {
    const leave = () => (location.hash = OVERVIEW);
    return <Empty text={WORDS.notFoundAbout} action={WORDS.toOverview} onAction={leave} />;
  }
  if (area === OVERVIEW) return <Overview waiting={waiting} />;
  if (area === RUNBOOK) return <Runbook entry={subject} />;
  if (area === USERS && subject !== '') {
    const operations = session.operations.filter((one) => areaOf(one) === USERS);
    return <UserScreen key={subject} id={subject} operations={operations} onEnded={onEnded} />;
  }
  return (
    <AreaScreen
      key={place}
      operations={operationsOf(session, area)}
      asks={Object.fromEntries(new URLSearchParams(query))}
      onEnded={onEnded}
      onDone={waiting.look}
    />
  );
}

/** The area, whom or what of it, and what its list is narrowed by. */
function partsOfPlace(place: string) {
  const [path = '', query = ''] = place.split('?');
  const [area = OVERVIEW, subject = ''] = path.split('/');
  return { area, subject, query };
}

function skip(event: { preventDefault: () => void }): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

/** What an area offers; what is about one user is done on that user's page, and funding stands beside the house's accounts too. */
function operationsOf({ operations }: OperatorSession, area: string) {
  return operations.filter(
    (one) =>
      (areaOf(one) === area || (area === HOUSE && one.isFunding)) && !one.path.startsWith(`/ops/${USERS}/:`),
  );
}
