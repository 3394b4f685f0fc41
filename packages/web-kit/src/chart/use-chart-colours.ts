import { useEffect, useState, type RefObject } from 'react';
import { coloursAt, type ChartColours } from './chart-colours.ts';

/** The theme's colours at an element, read again whenever the page changes scheme or up/down colours. */
export function useChartColours(element: RefObject<Element | null>): ChartColours | undefined {
  const [colours, setColours] = useState<ChartColours>();
  useEffect(() => {
    const read = (): void => {
      if (element.current !== null) setColours(coloursAt(element.current));
    };
    read();
    const observer = new MutationObserver(read);
    observer.observe(document.documentElement, { attributes: true });
    const media = matchMedia('(prefers-color-scheme: dark)');
    media.addEventListener('change', read);
    return () => {
      observer.disconnect();
      media.removeEventListener('change', read);
    };
  }, [element]);
  return colours;
}
