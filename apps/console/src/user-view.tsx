import { callOperators, type Operation } from '@exchange/web-kit/console/calls.ts';
import { useCallback } from 'react';
import { useResult } from './latest-answer.ts';
import { Failed, Skeleton } from './states.tsx';
import type { UserCards, View } from './user-cards.tsx';
import { WORDS } from './words.ts';

interface Props {
  /** The URL of the proposed operation; the preview is requested at this URL followed by `/preview`. */
  readonly address: string;
  /** Values of the request fields of the proposed operation, by field. */
  readonly sent: Readonly<Record<string, string>>;
  readonly fields: Operation['fields'];
}

interface ViewsResult {
  readonly kind: string;
  readonly views: readonly View[];
  readonly Cards: typeof UserCards;
}

/**
 * Preview of a proposal as users would see it, in a selectable language: the users' own components render the
 * response that the server returns for the preview.
 */
export function UserView({ address, sent, fields }: Props) {
  // The fields are serialised to a string, because equal strings do not repeat the request when the component renders
  // again with a new but equal object.
  const body = JSON.stringify(sent);
  const request = useCallback(
    () => loadViews(`${address}/preview`, JSON.parse(body) as Props['sent']),
    [address, body],
  );
  const { result, refetch } = useResult(request);
  // Operations that change nothing in what users read, such as opening a pair for trading, have no previews; nothing is
  // rendered.
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
 * Fetches the previews, and loads the components that render them in a separate chunk. Resolves to an error message,
 * instead of the previews, when the server refuses the request or the chunk does not load.
 */
async function loadViews(address: string, fields: Props['sent']): Promise<ViewsResult | string> {
  const [answer, cards] = await Promise.all([
    callOperators(address, fields),
    // If the code of the preview cards does not load, the function resolves to an error message; the form
    // stays unchanged, and the operator can request the preview again.
    import('./user-cards.tsx').catch(() => undefined),
  ]);
  if (answer.error !== undefined) return answer.error;
  if (cards === undefined) return WORDS.noCards;
  const { kind, views } = answer.body as unknown as Pick<ViewsResult, 'kind' | 'views'>;
  return { kind, views, Cards: cards.UserCards };
}
