import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillWords, LOCALES } from '@exchange/core/locale.ts';
import { REFUSAL_KEYS, type RefusalKey } from '@exchange/core/refusal.ts';
import { describe, expect, it } from 'vitest';
import { REFUSAL_WORDS } from './refusals.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const FOLDERS = ['packages/core/src', 'packages/web-kit/src', 'apps/server/src'];
/**
 * Keys of refusals whose text has a parameter that can consist of digits without being a number: a topic or a version.
 */
const IDENTIFIER_KEYS = [
  'l.topic_unknown',
  'l.version_changed',
  'l.seconds_risk',
  'l.finance_agreement',
] as const;

function placeholders(sentence: string): string[] {
  return [...new Set([...sentence.matchAll(/\{\{(\w+)/g)].map(([, name = '']) => name))].toSorted();
}

describe('refusal sentences', () => {
  it.each(LOCALES)('WEB-032 in %s show a memo, a topic and a version without digit grouping', (locale) => {
    const sentence = (key: RefusalKey, limit: string) =>
      fillWords(REFUSAL_WORDS[locale][key], { value: '1234567', limit }, locale);
    for (const key of IDENTIFIER_KEYS) expect(sentence(key, '7654321'), key).not.toMatch(/\d,\d/);
    expect(sentence('l.memo_invalid', 'XRP')).toContain('1234567');
  });

  it('WEB-303 have the same placeholders in every language, and that of an agreement only the required version', () => {
    for (const locale of LOCALES)
      for (const key of REFUSAL_KEYS)
        expect(new Set(placeholders(REFUSAL_WORDS[locale][key])), `${locale} ${key}`).toEqual(
          new Set(placeholders(REFUSAL_WORDS['en-US'][key])),
        );
    expect(placeholders(REFUSAL_WORDS['en-US']['l.finance_agreement'])).toEqual(['limit']);
  });

  it('WEB-303 are never filled with an empty unit', () => {
    const unitless = FOLDERS.flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
        .filter((file) =>
          /unit: ''[^;]*;\s*[^;]*refusal\(|refusal\([^;]*unit: ''/.test(
            readFileSync(join(ROOT, folder, file), 'utf8'),
          ),
        ),
    );
    expect(unitless).toEqual([]);
  });
});
