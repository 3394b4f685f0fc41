import { useEffect } from 'react';

const BRAND = 'Amethyst';

/** The document's title while the component is on screen: the text, then the brand. */
export function useTitle(text: string | undefined): void {
  useEffect(() => {
    // Not in the frame that a price changes in: telling the browser takes longer than drawing the price.
    const later = setTimeout(() => {
      document.title = text === undefined || text === '' ? BRAND : `${text} | ${BRAND}`;
    });
    return () => clearTimeout(later);
  }, [text]);
}
