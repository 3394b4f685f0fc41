import type { TextByLocale } from '@exchange/core/locale.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import {
  PAUSE_CAUSES,
  publicPause,
  type PauseCause,
  type PauseNotice,
} from '@exchange/core/trading-pause.ts';
import { FieldValues } from '../../platform/console/field-values.ts';
import type { OperatorCall } from '../../platform/console/operation.ts';
import { previewIn, type OperatorPreview } from '../../platform/console/preview.ts';

const NOTE_MAX = 500;
const CAUSES: ReadonlySet<string> = new Set(PAUSE_CAUSES);

/**
 * Returns the notice about a pause of trading that an operator entered. The note and the time of the next
 * news are optional; a note requires English and Chinese texts. Refuses an unknown reason, an unreadable
 * time, and a note without one of these two texts or with a text of more than `NOTE_MAX` characters.
 */
export function noticeOf({ fields }: Pick<OperatorCall, 'fields'>): PauseNotice {
  const values = new FieldValues(fields);
  const cause = values.text('publicCause');
  if (!isCause(cause)) throw new Refused(refusal('invalidField', 'l.field_choice', { field: 'publicCause' }));
  const isNoted = ['noteEn', 'noteZh', 'noteKo', 'noteJa'].some((field) => values.isSet(field));
  return {
    cause,
    newsAt: values.isSet('newsAt') ? values.time('newsAt') : undefined,
    note: isNoted ? values.byLocale('note', NOTE_MAX) : undefined,
  };
}

/**
 * Returns the preview of a notice about a pause of trading in each language. `coin` is the halted coin if the
 * notice is about a coin; `isSeconds` is set for the seconds contract.
 */
export function previewOfNotice(
  notice: PauseNotice,
  { coin, isSeconds = false }: { readonly coin?: string | undefined; readonly isSeconds?: boolean } = {},
): OperatorPreview {
  const texts: Record<string, TextByLocale> = {};
  if (notice.note !== undefined) texts['note'] = notice.note;
  const pause = publicPause(notice, coin);
  return previewIn('pause', texts, () => ({ pause, isSeconds }));
}

function isCause(text: string): text is PauseCause {
  return CAUSES.has(text);
}
