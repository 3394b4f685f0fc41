import { useWords } from '../i18n/words.ts';
import { failureText } from '../notify.ts';
import { ErrorState } from '../ui/parts.tsx';

interface LoadFailedProps {
  readonly error: Error;
  readonly onRetry: () => void;
}

/** Shows why a query failed, with a button that repeats it. */
export function LoadFailed({ error, onRetry }: LoadFailedProps) {
  const t = useWords('shell');
  return <ErrorState text={failureText(error)} retryLabel={t('retry')} onRetry={onRetry} />;
}
