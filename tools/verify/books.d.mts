import type { Evidence } from './evidence.mjs';

interface BookEvidence extends Pick<Evidence, 'keys'> {
  /** The read files: path and content. */
  readonly documents: readonly (readonly [path: string, document: unknown])[];
}

export function bookFault(document: unknown, evidence?: BookEvidence): string | undefined;
