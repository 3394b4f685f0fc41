import { PAUSE_CAUSES } from '@exchange/core/trading-pause.ts';
import type { OperationField } from '../operation.ts';
import { INSTANT, labelled, optional, TEXTS, WORD } from './columns.ts';

const NOTE = { kind: 'longText', isOptional: true, startsFrom: 'note' } as const;

/**
 * Form fields of the public notice about a pause: a halted coin or pair, or the stop of new positions of the
 * seconds contract.
 */
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

/**
 * Columns with the public notice about a pause, in the lists of halted coins and of pairs, and in that of the
 * terms of the seconds contract.
 */
export const PAUSE_COLUMNS = {
  publicCause: optional(labelled('Public reason', WORD)),
  newsAt: optional(labelled('Next news by', INSTANT)),
  note: optional(labelled('Public note', TEXTS)),
} as const;
