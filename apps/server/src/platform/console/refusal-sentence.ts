import { fillWords } from '@exchange/core/locale.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import { operatorRefusal } from '@exchange/wire/words/operator-refusals.ts';

/** The English sentence of a refusal for operators. It contains names of fields instead of their labels in a form. */
export function refusalSentence({ key, parameters }: Refusal): string {
  return fillWords(operatorRefusal(key), parameters, 'en-US');
}
