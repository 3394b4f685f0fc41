import { type ComponentProps, useEffect } from 'react';
import { withWords } from '../i18n/words.ts';
import { lazyPart } from '../part/lazy-part.tsx';
import type ResultListOf from './result-list.tsx';
import { followResults, useResults } from './results.ts';

/** The code of the result list is loaded when the first position ends, because no position ends during most visits. */
const ResultList = lazyPart('result-list', () => withWords(import('./result-list.tsx')), {
  whenMissing: 'nothing',
});

/**
 * Shows the results of the signed-in user's seconds contract positions that ended while this page was open, until the
 * user dismisses them. Contains no button that opens a new position.
 */
export default function SecondsResults(props: ComponentProps<typeof ResultListOf>) {
  useEffect(followResults, []);
  return useResults().length === 0 ? null : <ResultList {...props} />;
}
