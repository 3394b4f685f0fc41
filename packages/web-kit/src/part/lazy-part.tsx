import { useEffect, useSyncExternalStore, type ComponentType, type ReactNode } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { useWords } from '../i18n/words.ts';
import { Button } from '../ui/button.tsx';
import css from './lazy-part.module.css';
import { loadChunk } from './load-chunk.ts';

interface PartOptions {
  readonly waiting?: ReactNode;
  /**
   * What is shown when the lazily loaded component fails to load or to render. `panel`: a note with a retry button in
   * the place of the component. `dialog`: that note over the page, with a close button, for components with an
   * `onClose` prop. `nothing`: nothing, for optional components, whose code is fetched again automatically.
   */
  readonly whenMissing?: 'panel' | 'dialog' | 'nothing';
}

type PartState<Props> =
  | { readonly is: 'absent' | 'loading' }
  | { readonly is: 'ready'; readonly Part: ComponentType<Props> }
  | { readonly is: 'failed'; readonly failures: number };

const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 300_000;
/**
 * After this number of failures, the note offers a reload of the page instead of a retry, because browsers may cache a
 * failed script.
 */
const FAILURES_BEFORE_RELOAD = 2;

/**
 * Returns a component whose code is loaded when the component is first rendered. Unlike React's `lazy`, it
 * has its own error boundary, and its code can be fetched again after a failure. `name` appears in the error
 * of a failed load.
 */
export function lazyPart<Props extends object>(
  name: string,
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  { waiting = null, whenMissing = 'panel' }: PartOptions = {},
): ComponentType<Props> {
  const source = new PartSource(name, load);
  return function LazyPart(props: Props) {
    const state = useSyncExternalStore(source.watch, source.state);
    useEffect(() => void source.fetch(), []);
    useRefetch(source, state, whenMissing === 'nothing');
    const onClose = 'onClose' in props ? (props.onClose as () => void) : undefined;
    const missing = (retry: () => void, failures: number) =>
      whenMissing === 'nothing' ? null : (
        <MissingPart
          retry={failures < FAILURES_BEFORE_RELOAD ? retry : undefined}
          onClose={whenMissing === 'dialog' ? onClose : undefined}
        />
      );
    if (state.is === 'failed') return missing(() => void source.fetch(), state.failures);
    if (state.is !== 'ready') return waiting;
    const { Part } = state;
    return (
      <ErrorBoundary fallbackRender={({ resetErrorBoundary }) => missing(resetErrorBoundary, 0)}>
        <Part {...props} />
      </ErrorBoundary>
    );
  };
}

/** The code of a lazily loaded component and its loading state; all places that render the component share it. */
class PartSource<Props> {
  readonly #name: string;
  readonly #load: () => Promise<{ readonly default: ComponentType<Props> }>;
  readonly #watchers = new Set<() => void>();
  #state: PartState<Props> = { is: 'absent' };
  #failures = 0;

  constructor(name: string, load: () => Promise<{ readonly default: ComponentType<Props> }>) {
    this.#name = name;
    this.#load = load;
  }

  readonly state = (): PartState<Props> => this.#state;

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /** Loads the component's code; does nothing if the code is loaded or loading. */
  async fetch(): Promise<void> {
    if (this.#state.is === 'ready' || this.#state.is === 'loading') return;
    this.#setState({ is: 'loading' });
    try {
      const { default: Part } = await loadChunk(this.#load, this.#name);
      this.#setState({ is: 'ready', Part });
    } catch {
      // The failure is shown in the place of the component; the browser's console names the file that failed.
      this.#failures += 1;
      this.#setState({ is: 'failed', failures: this.#failures });
    }
  }

  #setState(state: PartState<Props>): void {
    this.#state = state;
    for (const watcher of this.#watchers) watcher();
  }
}

/**
 * Fetches the code of a component again after a failed load: when the network returns, and for an optional component
 * also after increasing pauses.
 */
function useRefetch<Props>(source: PartSource<Props>, state: PartState<Props>, isUnseen: boolean): void {
  const failures = state.is === 'failed' ? state.failures : 0;
  useEffect(() => {
    if (failures === 0) return undefined;
    const refetch = () => void source.fetch();
    const pauseMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1));
    const timer = isUnseen ? setTimeout(refetch, pauseMs) : undefined;
    window.addEventListener('online', refetch);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('online', refetch);
    };
  }, [source, failures, isUnseen]);
}

interface MissingPartProps {
  /**
   * Called when the user presses the retry button, to load the component's code again. If undefined, the button reloads
   * the page instead, because another attempt would fail.
   */
  readonly retry: (() => void) | undefined;
  /**
   * Called when the user presses the close button; undefined for components that are not shown over the page.
   */
  readonly onClose: (() => void) | undefined;
}

function MissingPart({ retry, onClose }: MissingPartProps) {
  const t = useWords('shell');
  return (
    <div className={css.missing} role="alert" data-over={onClose === undefined ? undefined : ''}>
      <p>{t(navigator.onLine ? 'partMissing' : 'partOffline')}</p>
      <div className={css.choices}>
        <Button look="secondary" size="s" onClick={retry ?? (() => location.reload())}>
          {t(retry === undefined ? 'reload' : 'retry')}
        </Button>
        {onClose === undefined ? null : (
          <Button look="quiet" size="s" onClick={onClose}>
            {t('close')}
          </Button>
        )}
      </div>
    </div>
  );
}
