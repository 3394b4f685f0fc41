import en from '@exchange/web-kit/i18n/en-US/statement.json' with { type: 'json' };
import ja from '@exchange/web-kit/i18n/ja-JP/statement.json' with { type: 'json' };
import ko from '@exchange/web-kit/i18n/ko-KR/statement.json' with { type: 'json' };
import zh from '@exchange/web-kit/i18n/zh-CN/statement.json' with { type: 'json' };
import { expect, it } from 'vitest';
import { ENTRY_KINDS } from './domain.ts';

/**
 * Kinds of entries that move money only between accounts of the house, and therefore appear on no statement.
 */
const OF_THE_HOUSE = /\.(?:published|funded|accrued|issued)$|^treasury\./;

it('PORT-004 every cause that can stand on a statement has its words in every language', () => {
  const keys = ENTRY_KINDS.filter((kind) => !OF_THE_HOUSE.test(kind) || kind === 'inventory.funded').map(
    (kind) => kind.replace('.', '_'),
  );
  for (const words of [en, zh, ko, ja] as const) {
    const said: Readonly<Record<string, string>> = words;
    expect(keys.filter((key) => (said[key] ?? '') === '')).toEqual([]);
  }
});
