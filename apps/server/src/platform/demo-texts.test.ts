import type { UserId } from '@exchange/core/ids.ts';
import { describe, expect, it } from 'vitest';
import { DemoTexts } from './demo-texts.ts';

const TRADER = '00000000-0000-7000-8000-000000000001' as UserId;
const OTHER = '00000000-0000-7000-8000-000000000002' as UserId;

describe('texts of the demo', () => {
  it('HELP-016 the trader’s texts are translated for the reader; other texts are unchanged', () => {
    const texts = new DemoTexts([{ 'en-US': 'Savings', 'zh-CN': '储蓄' }]);
    expect(texts.read(TRADER, 'Savings', 'zh-CN')).toBe('Savings');
    texts.setTrader(TRADER);
    expect(texts.read(TRADER, 'Savings', 'zh-CN')).toBe('储蓄');
    expect(texts.read(TRADER, 'Savings', 'ja-JP')).toBe('Savings');
    expect(texts.read(TRADER, 'My savings', 'zh-CN')).toBe('My savings');
    expect(texts.read(OTHER, 'Savings', 'zh-CN')).toBe('Savings');
  });
});
