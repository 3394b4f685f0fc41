import { useWords } from '../i18n/words.ts';
import type { AlertSentence } from './alert-form.ts';

/** What some sentence about alerts mentions; each mentions a part of it. */
const UNSAID = { pair: '', unit: '', price: '', percent: '', up: '', down: '' } as const;

/** Says a sentence about an alert in the language in use. */
export function useAlertSentence(): (sentence: AlertSentence) => string {
  const t = useWords('alerts');
  return ({ key, values }) => t(key, { ...UNSAID, ...values });
}
