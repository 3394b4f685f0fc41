import type { RefusalKey } from '@exchange/core/refusal.ts';
import type { RefusedTopic } from '../feed/live-state.ts';
import { refusalText, useWords } from '../i18n/words.ts';
import { ErrorState } from '../ui/parts.tsx';

/** Shows why the live feed refused a topic, with a retry button. */
export function TopicRefused({ topic: { refusal, resubscribe } }: { readonly topic: RefusedTopic }) {
  const t = useWords('shell');
  const text = refusalText({ key: refusal.errKey as RefusalKey, parameters: refusal.data });
  return <ErrorState text={text} retryLabel={t('retry')} onRetry={resubscribe} />;
}
