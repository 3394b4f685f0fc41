import { MINUTE_MS } from '@exchange/core/time.ts';
import { deviceNow } from '@exchange/web-kit/clock.ts';
import { useFeedState } from '@exchange/web-kit/feed/feed.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { useCallback, useEffect, useState } from 'react';

/** Milliseconds without a placed order or other use of the ladder after which click-to-place switches off. */
export const IDLE_MS = 5 * MINUTE_MS;
/** Milliseconds in a hidden tab after which click-to-place switches off. */
export const HIDDEN_MS = MINUTE_MS;

/**
 * Reason why click-to-place switched off without an action of the user; only reasons not visible elsewhere on
 * the screen.
 */
type DisarmReason = 'idle' | 'hidden' | 'connection';

interface Armed {
  readonly isArmed: boolean;
  /**
   * Why click-to-place switched off by itself, where the screen does not show the reason elsewhere; undefined while it
   * is on, and after any other end, such as the user's own choice.
   */
  readonly reason: DisarmReason | undefined;
  readonly arm: () => void;
  readonly disarm: () => void;
  /**
   * Restarts the idle time and returns true while clicks place orders. Returns false when they do not, also when the
   * idle time had passed while the device slept; click-to-place is then off.
   */
  readonly use: () => boolean;
}

/**
 * Hook with the state of click-to-place, in which a click in the ladder places an order. Click-to-place is
 * off at first. It switches off on Escape, five minutes after the last use, after one minute in a hidden tab,
 * and as soon as the live feed is not connected, the user is signed out, or the pair does not trade.
 */
export function useArmed(isTrading: boolean): Armed {
  const [armedSince, setArmedSince] = useState<number>();
  const [reason, setReason] = useState<DisarmReason>();
  const isLive = useFeedState() === 'live';
  const isSignedIn = useSession(({ session }) => session !== null);
  const isArmed = armedSince !== undefined && isLive && isSignedIn && isTrading;
  // A price ladder that was disarmed because the connection was lost, the user was signed out or trading was halted
  // stays disarmed when that condition ends.
  if (armedSince !== undefined && !isArmed) {
    setArmedSince(undefined);
    setReason(isSignedIn && !isLive ? 'connection' : undefined);
  }
  const end = useCallback((endReason?: DisarmReason): void => {
    setArmedSince(undefined);
    setReason(endReason);
  }, []);

  useEffect(() => {
    if (armedSince === undefined) return undefined;
    const timer = setTimeout(() => end('idle'), IDLE_MS);
    return () => clearTimeout(timer);
  }, [armedSince, end]);

  useEffect(() => {
    if (!isArmed) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let hiddenSince: number | undefined;
    const handleVisibility = (): void => {
      clearTimeout(timer);
      // The timers of a hidden tab can be late, and do not run while the device sleeps, so the hidden time is
      // also checked when the tab is visible again.
      if (hiddenSince !== undefined && deviceNow() - hiddenSince >= HIDDEN_MS) end('hidden');
      hiddenSince = document.visibilityState === 'hidden' ? deviceNow() : undefined;
      if (hiddenSince !== undefined) timer = setTimeout(() => end('hidden'), HIDDEN_MS);
    };
    const handleKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') end();
    };
    document.addEventListener('visibilitychange', handleVisibility);
    document.addEventListener('keydown', handleKey, { capture: true });
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', handleVisibility);
      document.removeEventListener('keydown', handleKey, { capture: true });
    };
  }, [isArmed, end]);

  return {
    isArmed,
    reason,
    arm: useCallback(() => {
      setReason(undefined);
      setArmedSince(deviceNow());
    }, []),
    disarm: useCallback(() => end(), [end]),
    use: () => {
      if (!isArmed) return false;
      if (deviceNow() - armedSince >= IDLE_MS) {
        end('idle');
        return false;
      }
      setArmedSince(deviceNow());
      return true;
    },
  };
}
