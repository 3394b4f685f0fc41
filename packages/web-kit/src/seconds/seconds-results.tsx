import { type ComponentProps, useEffect } from 'react';
import { withWords } from '../i18n/words.ts';
import { lazyPart } from '../part/lazy-part.tsx';
import type ResultListOf from './result-list.tsx';
import { followResults, useResults } from './results.ts';

/** Loaded when the first position ends, because most visits have no result. */
const ResultList = lazyPart('result-list', () => withWords(import('./result-list.tsx')), {
  whenMissing: 'nothing',
});

/**
 * Results of the signed-in user's seconds contract positions that ended while this page was open. They stay
 * until dismissed and offer no way to open a new position.
 */
export default function SecondsResults(props: ComponentProps<typeof ResultListOf>) {
  useEffect(followResults, []);
  return useResults().length === 0 ? null : <ResultList {...props} />;
}
