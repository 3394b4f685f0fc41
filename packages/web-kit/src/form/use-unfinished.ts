import { useEffect, useState } from 'react';
import { useBlocker, useNavigate } from 'react-router';
import { signedIn } from '../session/session-store.ts';
import { afterLayers, useHistoryLayer } from '../ui/overlay-history.ts';
import { useAskBeforeUnload } from './leave-question.tsx';

/** Whether a form asks if it may be left, and the two answers. */
export interface Unfinished {
  readonly isAsking: boolean;
  readonly stay: () => void;
  readonly leave: () => void;
}

/**
 * Holds a screen whose form has content that leaving would lose: Back and links to other screens ask first, once, and
 * the browser asks before the page is closed. The end of a session is never held up.
 */
export function useUnfinished(hasContent: boolean): Unfinished {
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const isHeld = hasContent && !isLeaving;
  useAskBeforeUnload(isHeld);
  useHistoryLayer(isHeld, () => {
    setAsking(true);
    return false;
  });
  // Back never comes here: it meets the layer first.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isHeld && signedIn() && currentLocation.pathname !== nextLocation.pathname,
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
