import { useEffect, useState } from 'react';
import { useBlocker, useNavigate } from 'react-router';
import { signedIn } from '../session/session-store.ts';
import { afterLayers, useHistoryLayer } from '../ui/overlay-history.ts';
import { useAskBeforeUnload } from './leave-question.tsx';

/**
 * Whether the app is asking the user to confirm leaving a screen with unsaved input, and a function for each answer.
 */
export interface Unfinished {
  readonly isAsking: boolean;
  readonly stay: () => void;
  readonly leave: () => void;
}

/**
 * Asks the user for confirmation before a screen whose form has content is left: on Back, on links to other screens,
 * and through the browser before the page closes. When the session has ended, the app changes to another screen without
 * asking.
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
  // Blocks the navigation that links request. Back is intercepted earlier, by the history entry of `useHistoryLayer`.
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
