import { callOperators, type OperatorSession } from '@exchange/web-kit/console/calls.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { AreaScreen } from './area-screen.tsx';
import { failingParts } from './health.tsx';
import { Navigation, OVERVIEW, RUNBOOK } from './navigation.tsx';
import { Overview } from './overview.tsx';
import { learnPairs } from './pair-names.ts';
import { Palette } from './palette.tsx';
import { usePendingWork } from './queues.ts';
import { PeriodControl, PeriodProvider } from './period.tsx';
import { Runbook } from './runbook.tsx';
import { areaOf, PresenceContext, SessionContext } from './session.ts';
import { Shortcuts } from './shortcuts.tsx';
import { SignIn, SignInOver } from './sign-in.tsx';
import { Empty, Failed } from './states.tsx';
import { UserScreen } from './user-screen.tsx';
import { areaName, WORDS } from './words.ts';

const USERS = 'users';
const HOUSE = 'house';
const placeOfHash = () => location.hash.slice(1) || OVERVIEW;

/** The operator console: the sign-in page, then the areas that the operator's roles permit. */
export function App() {
  const [session, setSession] = useState<OperatorSession | 'none'>();
  /**
   * Set when the operator's session has ended while the page was open: the reason as a text, empty when it is unknown.
   * Undefined while the session lasts.
   */
  const [ended, setEnded] = useState<string>();
  const [returns, setReturns] = useState(0);
  const [error, setError] = useState('');
  const last = useRef('');
  const fetchSession = useCallback(
    () =>
      callOperators('/ops/session').then(({ status, body, error: reason }) => {
        const explanation = status === 401 ? '' : (reason ?? '');
        setError(explanation);
        // Without a session cookie the server answers 200 with an empty operator name; it refuses (401) requests of an
        // ended session.
        const isNobody = status === 401 || body['name'] === '';
        if (isNobody) setSession('none');
        if (isNobody || status !== 200) return explanation;
        const next = body as unknown as OperatorSession;
        learnPairs(next.pairs);
        // When another operator signs in, the URL hash of the previous operator is cleared, so that the new
        // one does not see that page.
        if (last.current !== '' && last.current !== next.name) location.hash = '';
        last.current = next.name;
        setSession((present) => (isSameSession(present, next) ? present : next));
        setEnded(undefined);
        setReturns((count) => count + 1);
        return '';
      }),
    [],
  );
  useEffect(() => void fetchSession(), [fetchSession]);
  const end = useCallback((why = '') => setEnded((present) => present || why), []);
  const leave = useCallback(() => {
    void callOperators('/ops/session/end', {}).then(() => setSession('none'));
  }, []);
  const presence = useMemo(() => ({ onEnded: end, returns }), [end, returns]);
  if (session === undefined)
    return error === '' ? null : <Failed error={error} onRetry={() => void fetchSession()} />;
  if (session === 'none') return <SignIn onSignedIn={fetchSession} />;
  const isAway = ended !== undefined;
  return (
    <>
      <SessionContext value={session}>
        <PresenceContext value={presence}>
          {/* The React key remounts the page when another operator signs in; for the same operator the page stays as it was. */}
          <div className={isAway ? 'away' : undefined} inert={isAway}>
            <PeriodProvider key={session.name}>
              <Frame key={session.name} session={session} onEnded={end} onLeave={leave} />
            </PeriodProvider>
          </div>
        </PresenceContext>
      </SessionContext>
      {isAway && <SignInOver name={session.name} why={ended} onSignedIn={fetchSession} />}
    </>
  );
}

/**
 * True when both sessions are equal, for example when an operator signs in again with the same permissions; the
 * caller then keeps the previous object, so that no React effect that depends on the session runs again.
 */
function isSameSession(present: OperatorSession | 'none' | undefined, incoming: OperatorSession): boolean {
  return JSON.stringify(present) === JSON.stringify(incoming);
}

interface FrameProps {
  readonly session: OperatorSession;
  readonly onEnded: () => void;
  readonly onLeave: () => void;
}

/**
 * Renders the frame around every area of the console: a bar with the command palette, the confirmation period and the
 * operator's name and roles, and the navigation with the number of pending rows of each area.
 */
function Frame({ session, onEnded, onLeave }: FrameProps) {
  const [place, setPlace] = useState(placeOfHash);
  const waiting = usePendingWork(session, onEnded);
  useEffect(() => {
    const followHash = () => setPlace(placeOfHash());
    addEventListener('hashchange', followHash);
    return () => removeEventListener('hashchange', followHash);
  }, []);
  const { area } = partsOfPlace(place);
  const isKnown =
    area === OVERVIEW ||
    area === RUNBOOK ||
    session.operations.some((operation) => areaOf(operation) === area);
  const title = isKnown ? areaName(area) : WORDS.notFound;
  const waitingCount = waiting.queues.reduce((sum, { count }) => sum + count, 0);
  useEffect(() => {
    document.title = `${waitingCount > 0 ? `(${waitingCount}) ` : ''}${title} · ${WORDS.title}`;
  }, [waitingCount, title]);
  return (
    <div className="page">
      <a className="skip" href="#content" onClick={skipToContent}>
        {WORDS.skip}
      </a>
      <header className="top">
        <strong>{WORDS.title}</strong>
        <span className={`mode ${session.mode}`} title={WORDS.environment}>
          {session.mode}
        </span>
        <Palette />
        <PeriodControl />
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
        troubles={failingParts(waiting.parts).length}
      />
      <main id="content" tabIndex={-1}>
        <h1>{title}</h1>
        <ErrorBoundary
          resetKeys={[place]}
          fallbackRender={({ resetErrorBoundary }) => (
            <Failed error={WORDS.screenBroken} onRetry={resetErrorBoundary} />
          )}
        >
          <Content session={session} place={place} onEnded={onEnded} waiting={waiting} isKnown={isKnown} />
        </ErrorBoundary>
      </main>
      <Shortcuts />
    </div>
  );
}

interface ContentProps {
  readonly session: OperatorSession;
  readonly place: string;
  readonly isKnown: boolean;
  readonly waiting: ReturnType<typeof usePendingWork>;
  readonly onEnded: () => void;
}

/** The content of the console for the area that the URL hash names; for an unknown area a message that says so. */
function Content({ session, place, isKnown, waiting, onEnded }: ContentProps) {
  const { area, subject, query } = partsOfPlace(place);
  if (!isKnown) {
    const leave = () => (location.hash = OVERVIEW);
    return <Empty text={WORDS.notFoundAbout} action={WORDS.toOverview} onAction={leave} />;
  }
  if (area === OVERVIEW) return <Overview waiting={waiting} />;
  if (area === RUNBOOK) return <Runbook entry={subject} />;
  if (area === USERS && subject !== '') {
    const operations = session.operations.filter((operation) => areaOf(operation) === USERS);
    return (
      <UserScreen
        key={place}
        id={subject}
        asks={Object.fromEntries(new URLSearchParams(query))}
        operations={operations}
        onEnded={onEnded}
      />
    );
  }
  return (
    <AreaScreen
      key={place}
      operations={operationsOf(session, area)}
      asks={Object.fromEntries(new URLSearchParams(query))}
      onEnded={onEnded}
      onDone={waiting.poll}
    />
  );
}

/**
 * Splits the console's URL hash into the area, the subject (such as a user id), and the query of the list.
 */
function partsOfPlace(place: string) {
  const [path = '', query = ''] = place.split('?');
  const [area = OVERVIEW, subject = ''] = path.split('/');
  return { area, subject, query };
}

function skipToContent(event: { preventDefault: () => void }): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

/**
 * Returns the operations of an area of the console. Operations on a single user are left out, because that
 * user's page lists them. Operations that fund accounts of the exchange belong to their own area and, in
 * addition, to the area of these accounts.
 */
function operationsOf({ operations }: OperatorSession, area: string) {
  return operations.filter(
    (operation) =>
      (areaOf(operation) === area || (area === HOUSE && operation.isFunding)) &&
      !operation.path.startsWith(`/ops/${USERS}/:`),
  );
}
