import { type RefObject, useEffect, useState } from 'react';

/** The height of an element's content in pixels, updated when the element is resized; 0 until it was measured. */
export function useContentHeight(box: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setHeight(entry?.contentRect.height ?? 0));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return height;
}
