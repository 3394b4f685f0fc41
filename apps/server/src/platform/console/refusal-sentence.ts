import { fillWords } from '@exchange/core/locale.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import { operatorRefusal } from '@exchange/wire/words/operator-refusals.ts';

/**
 * Returns the English sentence of a refusal, for operators. It contains the technical names of fields instead
 * of the labels that a form shows.
 */
export function refusalSentence({ key, parameters }: Refusal): string {
  return fillWords(operatorRefusal(key), parameters, 'en-US');
}
