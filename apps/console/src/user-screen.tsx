import { type Operation, rowsOf, formatValue, resolvePath } from '@exchange/web-kit/console/calls.ts';
import { type AnsweredRow, userDecisions, userProfile } from '@exchange/web-kit/console/described.ts';
import { AreaScreen } from './area-screen.tsx';
import { useAnswer } from './latest-answer.ts';
import { useOperatorReturn } from './session.ts';
import { Failed, Skeleton } from './states.tsx';
import { Details } from './values.tsx';
import { WORDS } from './words.ts';

type Profile = AnsweredRow<typeof userProfile.rows.columns>;

interface Props {
  readonly id: string;
  /** Initial query of the page's first list, for example the id of a record to open. */
  readonly asks: Readonly<Record<string, string>>;
  readonly operations: readonly Operation[];
  readonly onEnded: () => void;
}

/** The page of one user: the profile, lists of the user's records, and the operations that apply to the user. */
export function UserScreen({ id, asks, operations, onEnded }: Props) {
  const { body, error, refetch: fetchProfile } = useAnswer(resolvePath(userProfile.path, { user: id }));
  const profile: Profile | undefined = body === undefined ? undefined : rowsOf(userProfile.rows, body)[0];
  useOperatorReturn(() => void fetchProfile());
  const parts = operations.filter(({ path }) => path.startsWith(`${userProfile.path}/`));
  const lists = parts.toSorted((a, b) => Number(isDecisions(a)) - Number(isDecisions(b)));
  return (
    <>
      <p className="back">
        <a href="#users">← {WORDS.allUsers}</a>
      </p>
      {error !== '' && <Failed error={error} onRetry={() => void fetchProfile()} />}
      {profile === undefined && error === '' && <Skeleton label={WORDS.loading} />}
      {profile !== undefined && (
        <>
          <div className="title">
            <h2>{formatValue(profile.email)}</h2>
            <Marks profile={profile} />
          </div>
          <details className="profile">
            <summary>{WORDS.profile}</summary>
            <Details columns={userProfile.rows.columns} row={profile} />
          </details>
          <AreaScreen
            operations={lists}
            given={{ user: id }}
            asks={asks}
            page={{ path: userProfile.path, rows: userProfile.rows, row: profile }}
            onEnded={onEnded}
            onDone={() => void fetchProfile()}
          />
        </>
      )}
    </>
  );
}

/** Badges for notable properties of a user, such as a frozen account. */
function Marks({ profile }: { readonly profile: Profile }) {
  const { identity, isFrozen, mayPurchase, withdrawalsHeldUntil, hasAuthenticator } = profile;
  const marks = [
    ['good', identity === 'verified' && WORDS.marks.verified],
    ['waits', identity === 'in review' && WORDS.marks.inReview],
    ['bad', isFrozen === true && WORDS.marks.frozen],
    ['bad', mayPurchase === false && WORDS.marks.stopped],
    ['waits', withdrawalsHeldUntil !== undefined && WORDS.marks.held],
    ['', hasAuthenticator === true && WORDS.marks.authenticator],
  ] as const;
  return (
    <span className="marks">
      <span className="dim">UID {formatValue(profile.uid)}</span>
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

/**
 * True if the operation is the list of operators' decisions about the user, which comes after the lists of
 * the user's own actions.
 */
function isDecisions({ path }: Operation): boolean {
  return path === userDecisions.path;
}
