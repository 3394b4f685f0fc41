import { withWords } from '@exchange/web-kit/i18n/words.ts';
import { LegalLink as Link, type LegalTextName } from '@exchange/web-kit/legal/legal-link.tsx';
import { lazyPart } from '@exchange/web-kit/part/lazy-part.tsx';
import type { ReactNode } from 'react';

const LegalSheet = lazyPart('legal-sheet', () => withWords(import('./legal-sheet.tsx')), {
  whenMissing: 'dialog',
});

interface LegalLinkProps {
  readonly page: LegalTextName;
  readonly children: ReactNode;
}

/** A link that opens a legal text in a bottom sheet over the current screen. */
export function LegalLink(props: LegalLinkProps) {
  return <Link Over={LegalSheet} {...props} />;
}
