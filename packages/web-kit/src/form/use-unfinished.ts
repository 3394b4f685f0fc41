import { useEffect, useState } from 'react';
import { useBlocker, useNavigate } from 'react-router';
import { signedIn } from '../session/session-store.ts';
import { afterLayers, useHistoryLayer } from '../ui/overlay-history.ts';
import { useAskBeforeUnload } from './leave-question.tsx';

/** State of the question whether to leave a screen with unsaved input, and its two answers. */
export interface Unfinished {
  readonly isAsking: boolean;
  readonly stay: () => void;
  readonly leave: () => void;
}

/**
 * Asks before the user leaves a screen whose form has content: on Back, on links to other screens, and through
 * the browser before the page closes. The end of a session is never blocked.
 */
export function useUnfinished(hasContent: boolean): Unfinished {
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const isGuarded = hasContent && !isLeaving;
  useAskBeforeUnload(isGuarded);
  useHistoryLayer(isGuarded, () => {
    setAsking(true);
    return false;
  });
  // Back is handled by the history layer and does not reach the blocker.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isGuarded && signedIn() && currentLocation.pathname !== nextLocation.pathname,
  );
  const isBlocked = blocker.state === 'blocked';
  useEffect(() => {
    if (isLeaving) afterLayers(() => void navigate(-1));
  }, [isLeaving, navigate]);
  return {
    isAsking: isAsking || isBlocked,
    stay: () => {
      setAsking(false);
      if (isBlocked) blocker.reset();
    },
    leave: () => {
      setAsking(false);
      if (isBlocked) blocker.proceed();
      else setLeaving(true);
    },
  };
}
