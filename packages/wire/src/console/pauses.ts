import { PAUSE_CAUSES } from '@exchange/core/trading-pause.ts';
import type { OperationField } from '../operation.ts';
import { INSTANT, labelled, optional, TEXTS, WORD } from './columns.ts';

const NOTE = { kind: 'longText', isOptional: true, startsFrom: 'note' } as const;

/** Form fields of the public notice about a pause of trading. */
export const PAUSE_FIELDS = {
  publicCause: {
    label: 'Public reason (users read it)',
    kind: 'choice',
    choices: PAUSE_CAUSES,
    startsEmpty: true,
  },
  newsAt: { label: 'Next news by (users read it)', kind: 'time', isOptional: true },
  noteEn: { ...NOTE, label: 'Public note (English)', locale: 'en-US' },
  noteZh: { ...NOTE, label: 'Public note (Chinese)', locale: 'zh-CN' },
  noteKo: { ...NOTE, label: 'Public note (Korean)', locale: 'ko-KR' },
  noteJa: { ...NOTE, label: 'Public note (Japanese)', locale: 'ja-JP' },
} as const satisfies Readonly<Record<string, OperationField>>;

/** Columns with the public notice, in the lists of paused coins and paused pairs. */
export const PAUSE_COLUMNS = {
  publicCause: optional(labelled('Public reason', WORD)),
  newsAt: optional(labelled('Next news by', INSTANT)),
  note: optional(labelled('Public note', TEXTS)),
} as const;
