import { callOperators, type Operation, rowsOf, textOf, type Row } from '@exchange/web-kit/console/calls.ts';
import { useCallback, useEffect, useState } from 'react';
import { AreaScreen } from './area-screen.tsx';
import { useReturn } from './session.ts';
import { Failed, Skeleton } from './states.tsx';
import { Details } from './values.tsx';
import { WORDS } from './words.ts';

interface Props {
  readonly id: string;
  readonly operations: readonly Operation[];
  readonly onEnded: () => void;
}

const PAGE = '/ops/users/:user';

/** One user: who they are, every list about them, and what may be done. */
export function UserScreen({ id, operations, onEnded }: Props) {
  const [profile, setProfile] = useState<Row>();
  const [error, setError] = useState('');
  const look = useCallback(
    () =>
      callOperators(`/ops/users/${encodeURIComponent(id)}`).then((answer) => {
        if (answer.status === 401) return onEnded();
        setError(answer.error ?? '');
        if (answer.error === undefined) setProfile(rowsOf(answer.body)[0]);
      }),
    [id, onEnded],
  );
  useEffect(() => void look(), [look]);
  useReturn(() => void look());
  const parts = operations.filter(({ path }) => path.startsWith(`${PAGE}/`));
  const own = parts.toSorted((one, other) => Number(isDecisions(one)) - Number(isDecisions(other)));
  return (
    <>
      <p className="back">
        <a href="#users">← {WORDS.allUsers}</a>
      </p>
      {error !== '' && <Failed error={error} onRetry={() => void look()} />}
      {profile === undefined && error === '' && <Skeleton label={WORDS.loading} />}
      {profile !== undefined && (
        <>
          <div className="title">
            <h2>{textOf(profile['email'])}</h2>
            <Marks profile={profile} />
          </div>
          <details className="profile">
            <summary>{WORDS.profile}</summary>
            <Details row={profile} />
          </details>
          <AreaScreen
            operations={own}
            given={{ user: id }}
            about={profile}
            onEnded={onEnded}
            onDone={() => void look()}
          />
        </>
      )}
    </>
  );
}

/** What stands out about a user, at a glance. */
function Marks({ profile }: { readonly profile: Row }) {
  const marks = [
    ['good', profile['identity'] === 'verified' && WORDS.marks.verified],
    ['waits', profile['identity'] === 'in review' && WORDS.marks.inReview],
    ['bad', profile['isFrozen'] === true && WORDS.marks.frozen],
    ['bad', profile['mayPurchase'] === false && WORDS.marks.stopped],
    ['waits', profile['withdrawalsHeldUntil'] !== undefined && WORDS.marks.held],
    ['', profile['hasAuthenticator'] === true && WORDS.marks.authenticator],
  ] as const;
  return (
    <span className="marks">
      <span className="dim">UID {textOf(profile['uid'])}</span>
      {marks.map(
        ([tone, text]) =>
          text !== false && (
            <span key={text} className={`pill ${tone}`}>
              {text}
            </span>
          ),
      )}
    </span>
  );
}

/** What operators did comes behind what the user did. */
function isDecisions({ path }: Operation): boolean {
  return path === `${PAGE}/decisions`;
}
