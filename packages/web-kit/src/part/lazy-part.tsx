import { useEffect, useSyncExternalStore, type ComponentType, type ReactNode } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { useWords } from '../i18n/words.ts';
import { Button } from '../ui/button.tsx';
import css from './lazy-part.module.css';
import { loadChunk } from './load-chunk.ts';

interface PartOptions {
  /** Drawn until the part has come. Nothing by default. */
  readonly waiting?: ReactNode;
  /**
   * Drawn where the part could not be loaded or fails while drawing: a note with a button in its place (`panel`), the
   * same over the page with a way to close it (`dialog`, for parts with an `onClose`), or nothing, for what the page
   * does not need (`nothing`; it is fetched again by itself).
   */
  readonly whenMissing?: 'panel' | 'dialog' | 'nothing';
}

type PartState<Props> =
  | { readonly is: 'absent' | 'loading' }
  | { readonly is: 'ready'; readonly Part: ComponentType<Props> }
  | { readonly is: 'failed'; readonly failures: number };

const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 300_000;
/** A browser may remember that a script failed; after so many failures only a new page helps. */
const FAILURES_BEFORE_RELOAD = 2;

/**
 * A part of the page whose code is fetched when it is first drawn. Unlike React's `lazy`, a part that fails takes
 * nothing else with it and is not lost for ever: it has a boundary of its own and can be fetched again. `name` appears
 * in the error of a part that did not load.
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

/** Fetches the code of a part, once for all places that draw it. */
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

  /** Fetches the part unless it is there or under way. */
  async fetch(): Promise<void> {
    if (this.#state.is === 'ready' || this.#state.is === 'loading') return;
    this.#put({ is: 'loading' });
    try {
      const { default: Part } = await loadChunk(this.#load, this.#name);
      this.#put({ is: 'ready', Part });
    } catch {
      // Reason: shown in the part's place; the browser itself writes to its console what did not come.
      this.#failures += 1;
      this.#put({ is: 'failed', failures: this.#failures });
    }
  }

  #put(state: PartState<Props>): void {
    this.#state = state;
    for (const watcher of this.#watchers) watcher();
  }
}

/** Fetches a missing part again when the network is back; one that nobody sees missing also after growing pauses. */
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
  /** Undefined where only a new page helps. */
  readonly retry: (() => void) | undefined;
  /** Given where the part would lie over the page. */
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
