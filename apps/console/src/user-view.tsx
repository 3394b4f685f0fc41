import { callOperators, type Operation } from '@exchange/web-kit/console/calls.ts';
import { useCallback } from 'react';
import { useResult } from './latest-answer.ts';
import { Failed, Skeleton } from './states.tsx';
import type { UserCards, View } from './user-cards.tsx';
import { WORDS } from './words.ts';

interface Props {
  /** The URL of the proposed operation. */
  readonly address: string;
  /** Request fields of the proposed operation. */
  readonly sent: Readonly<Record<string, string>>;
  readonly fields: Operation['fields'];
}

interface ViewsResult {
  readonly kind: string;
  readonly views: readonly View[];
  readonly Cards: typeof UserCards;
}

/**
 * Preview of a proposal as users would see it, in each language; rendered from the server's response by the
 * users' components.
 */
export function UserView({ address, sent, fields }: Props) {
  // The request is serialised to a string, so that the hook's dependency is equal while the request has the same
  // fields.
  const body = JSON.stringify(sent);
  const request = useCallback(
    () => loadViews(`${address}/preview`, JSON.parse(body) as Props['sent']),
    [address, body],
  );
  const { result, refetch } = useResult(request);
  // Calls that show users nothing new, such as the opening of a pair, have no views.
  if (typeof result === 'object' && result.views.length === 0) return null;
  return (
    <section className="user-view" aria-label={WORDS.asUsersSee}>
      <h3>{WORDS.asUsersSee}</h3>
      {result === undefined ? (
        <Skeleton label={WORDS.loading} />
      ) : typeof result === 'string' ? (
        <Failed error={result} onRetry={() => void refetch()} />
      ) : (
        <result.Cards kind={result.kind} views={result.views} fields={fields} />
      )}
    </section>
  );
}

/**
 * Fetches the previews and loads the components that render them, which are not part of the initial bundle. Resolves
 * to an error message when the request is refused or the components do not load.
 */
async function loadViews(address: string, fields: Props['sent']): Promise<ViewsResult | string> {
  const [answer, cards] = await Promise.all([
    callOperators(address, fields),
    // If the chunk does not load, the form stays unchanged, and the operator can request the preview again.
    import('./user-cards.tsx').catch(() => undefined),
  ]);
  if (answer.error !== undefined) return answer.error;
  if (cards === undefined) return WORDS.noCards;
  const { kind, views } = answer.body as unknown as Pick<ViewsResult, 'kind' | 'views'>;
  return { kind, views, Cards: cards.UserCards };
}
