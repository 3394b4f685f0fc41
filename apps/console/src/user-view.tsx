import { callOperators, type Operation } from '@exchange/web-kit/console/calls.ts';
import { useCallback, useEffect, useState } from 'react';
import { Failed, Skeleton } from './states.tsx';
import type { UserCards, View } from './user-cards.tsx';
import { WORDS } from './words.ts';

interface Props {
  /** Where the proposed operation is called. */
  readonly address: string;
  /** What it is called with. */
  readonly sent: Readonly<Record<string, string>>;
  readonly fields: Operation['fields'];
}

interface Found {
  readonly kind: string;
  readonly views: readonly View[];
  readonly Cards: typeof UserCards;
}

/** What is proposed as users would see it, in each language: the server presents it, and users' own cards draw it. */
export function UserView({ address, sent, fields }: Props) {
  const [found, setFound] = useState<Found | string>();
  // The same text as long as the same is proposed.
  const body = JSON.stringify(sent);
  const ask = useCallback(
    () => askViews(`${address}/preview`, JSON.parse(body) as Props['sent']).then(setFound),
    [address, body],
  );
  useEffect(() => void ask(), [ask]);
  return (
    <section className="user-view" aria-label={WORDS.asUsersSee}>
      <h3>{WORDS.asUsersSee}</h3>
      {found === undefined ? (
        <Skeleton label={WORDS.loading} />
      ) : typeof found === 'string' ? (
        <Failed error={found} onRetry={() => void ask()} />
      ) : (
        <found.Cards kind={found.kind} views={found.views} fields={fields} />
      )}
    </section>
  );
}

/** The views, with the part of the page that draws them, which the console's first screen does without; or why not. */
async function askViews(address: string, sent: Props['sent']): Promise<Found | string> {
  const [answer, cards] = await Promise.all([
    callOperators(address, sent),
    // Reason: whatever kept the part away, the form stays as it is and may ask again.
    import('./user-cards.tsx').catch(() => undefined),
  ]);
  if (answer.error !== undefined) return answer.error;
  if (cards === undefined) return WORDS.noCards;
  const { kind, views } = answer.body as unknown as Pick<Found, 'kind' | 'views'>;
  return { kind, views, Cards: cards.UserCards };
}
