import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { failureText } from '@exchange/web-kit/notify.ts';
import { ErrorState, SkeletonRows } from '@exchange/web-kit/ui/parts.tsx';
import type { ReactNode } from 'react';

/** Loading as a skeleton, failed with a way to try again, else the content. `error` is that of a `Read`: null where there are data. */
export function StateOf({
  isLoading,
  error,
  onRetry,
  rows = 5,
  children,
}: {
  isLoading: boolean;
  error: Error | null;
  onRetry: () => void;
  rows?: number;
  children: ReactNode;
}) {
  const t = useWords('shell');
  if (isLoading) return <SkeletonRows rows={rows} height={40} />;
  if (error !== null)
    return <ErrorState text={failureText(error)} retryLabel={t('retry')} onRetry={onRetry} />;
  return children;
}
