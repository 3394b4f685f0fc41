import { WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useWords } from '../i18n/words.ts';
import { useFeedState } from './feed.ts';
import css from './connection-bar.module.css';

/** A connection that comes back quicker than this is not worth a word. */
const QUIET_MS = 2_500;

/** The quiet bar that says live prices are interrupted; it leaves by itself. `className` gives it its place on a site. */
export function ConnectionBar({ className }: { readonly className: string }) {
  const state = useFeedState();
  return (
    <div role="status" className={`${css.region} ${className}`}>
      {state !== 'live' && <Interrupted isStale={state === 'stale'} />}
    </div>
  );
}

function Interrupted({ isStale }: { readonly isStale: boolean }) {
  const t = useWords('shell');
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isStale && !isLong) return null;
  return (
    <p className={css.bar} data-state={isStale ? 'stale' : 'connecting'}>
      <WifiOff size={14} aria-hidden="true" />
      {t(isStale ? 'stale' : 'offline')}
    </p>
  );
}
