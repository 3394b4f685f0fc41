import { type ComponentProps, useEffect } from 'react';
import { withWords } from '../i18n/words.ts';
import { lazyPart } from '../part/lazy-part.tsx';
import type ResultListOf from './result-list.tsx';
import { followResults, useResults } from './results.ts';

/** Fetched with the first result: most visits have none. */
const ResultList = lazyPart('result-list', () => withWords(import('./result-list.tsx')), {
  whenMissing: 'nothing',
});

/**
 * The results of the signed-in person's positions that ended while this page was open. They stay until they are closed.
 * Nothing in it opens a position.
 */
export default function SecondsResults(props: ComponentProps<typeof ResultListOf>) {
  useEffect(followResults, []);
  return useResults().length === 0 ? null : <ResultList {...props} />;
}
