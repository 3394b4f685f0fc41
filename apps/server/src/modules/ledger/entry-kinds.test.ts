import { words as en } from '@exchange/web-kit/i18n/en-US/words.ts';
import { words as ja } from '@exchange/web-kit/i18n/ja-JP/words.ts';
import { words as ko } from '@exchange/web-kit/i18n/ko-KR/words.ts';
import { words as zh } from '@exchange/web-kit/i18n/zh-CN/words.ts';
import { expect, it } from 'vitest';
import { ENTRY_KINDS } from './domain.ts';

/**
 * Kinds of ledger entries that move money only between the exchange's own accounts, and therefore appear on no
 * statement. The pattern also matches `inventory.funded`; as this kind also credits users, such as market makers, the
 * test requires a text for it.
 */
const HOUSE_KINDS = /\.(?:published|funded|accrued|issued)$|^treasury\./;

it('PORT-004 every cause that a statement can show has a text in every language', () => {
  const kinds = ENTRY_KINDS.filter((kind) => !HOUSE_KINDS.test(kind) || kind === 'inventory.funded');
  for (const words of [en, zh, ko, ja] as const) {
    const namespaces: Readonly<Record<string, Readonly<Record<string, string>>>> = words;
    const nameOf = (kind: string) => {
      const [product = '', act = ''] = kind.split('.');
      return namespaces[product]?.[`entry_${act}`] ?? words.statement[kind.replace('.', '_') as 'other'];
    };
    expect(kinds.filter((kind) => (nameOf(kind) ?? '') === '')).toEqual([]);
    const named = Object.entries(namespaces).flatMap(([product, sentences]) =>
      Object.keys(sentences).flatMap((key) =>
        key.startsWith('entry_') ? [key.replace('entry_', `${product}.`)] : [],
      ),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((kind) => !kinds.some((known) => known === kind))).toEqual([]);
  }
});
