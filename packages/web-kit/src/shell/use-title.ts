import { useEffect } from 'react';

const BRAND = 'Amethyst';

/** The document's title while the component is on screen: the text, then the brand. */
export function useTitle(text: string | undefined): void {
  useEffect(() => {
    document.title = text === undefined || text === '' ? BRAND : `${text} | ${BRAND}`;
  }, [text]);
}
