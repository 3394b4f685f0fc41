import { WORDS } from './words.ts';

const LINES = 6;

/** Placeholder of six grey bars, shown while content is loading; screen readers get `label`. */
export function Skeleton({ label }: { readonly label: string }) {
  return (
    <div className="skeleton" aria-busy="true" role="status">
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: LINES }, (_, index) => (
        <i key={index} />
      ))}
    </div>
  );
}

/** Shows the reason why loading failed, with a button that retries. */
export function Failed({ error, onRetry }: { readonly error: string; readonly onRetry: () => void }) {
  return (
    <div className="failed">
      <p role="alert">{error}</p>
      <button type="button" className="button" onClick={onRetry}>
        {WORDS.retry}
      </button>
    </div>
  );
}

/** A text that explains why a list is empty, optionally with a button. */
export function Empty(props: {
  readonly text: string;
  readonly action?: string | undefined;
  readonly onAction?: (() => void) | undefined;
}) {
  const { text, action, onAction } = props;
  return (
    <div className="empty">
      <p>{text}</p>
      {action !== undefined && (
        <button type="button" className="button" onClick={onAction}>
          {action}
        </button>
      )}
    </div>
  );
}
