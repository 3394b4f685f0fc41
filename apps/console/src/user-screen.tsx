import { callOperators, type Operation, rowsOf, textOf, type Row } from '@exchange/web-kit/console/calls.ts';
import { useCallback, useEffect, useState } from 'react';
import { AreaScreen } from './area-screen.tsx';
import { Details } from './row-table.tsx';
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
        if (answer.status === 401) onEnded();
        setError(answer.error ?? '');
        setProfile(rowsOf(answer.body)[0]);
      }),
    [id, onEnded],
  );
  useEffect(() => void look(), [look]);
  const parts = operations.filter(({ path }) => path.startsWith(`${PAGE}/`));
  const own = parts.toSorted((one, other) => Number(isDecisions(one)) - Number(isDecisions(other)));
  return (
    <>
      <p>
        <a href="#users">← {WORDS.allUsers}</a>
      </p>
      <p role="alert" className="error">
        {error}
      </p>
      {profile !== undefined && (
        <>
          <h2>{textOf(profile['email'])}</h2>
          <div className="profile">
            <Details row={profile} />
          </div>
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

/** What operators did comes behind what the user did. */
function isDecisions({ path }: Operation): boolean {
  return path === `${PAGE}/decisions`;
}
