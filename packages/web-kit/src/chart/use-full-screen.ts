import { useEffect, useState, type RefObject } from 'react';

export interface FullScreen {
  /** Whether the element fills the screen, or, where the browser has no full screen, should fill the window. */
  readonly isFull: boolean;
  /** Whether the window is filled by our own style: the element needs `data-full`. */
  readonly isOwn: boolean;
  readonly toggle: () => void;
}

/** Full screen of one element; where the browser has none (phones), the element fills the window instead. Escape leaves. */
export function useFullScreen(element: RefObject<HTMLElement | null>): FullScreen {
  const [isNative, setNative] = useState(false);
  const [isOwn, setOwn] = useState(false);

  useEffect(() => {
    const follow = (): void => {
      setNative(document.fullscreenElement !== null && document.fullscreenElement === element.current);
    };
    document.addEventListener('fullscreenchange', follow);
    return () => document.removeEventListener('fullscreenchange', follow);
  }, [element]);

  useEffect(() => {
    if (!isOwn) return undefined;
    const leave = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') setOwn(false);
    };
    document.addEventListener('keydown', leave);
    return () => document.removeEventListener('keydown', leave);
  }, [isOwn]);

  const toggle = (): void => {
    if (isOwn) setOwn(false);
    else if (isNative) void document.exitFullscreen().catch(() => undefined);
    else if (!document.fullscreenEnabled) setOwn(true);
    // Reason for the fallback: a page inside a frame may be forbidden to fill the screen, but not its window.
    else element.current?.requestFullscreen().catch(() => setOwn(true));
  };
  return { isFull: isNative || isOwn, isOwn, toggle };
}
