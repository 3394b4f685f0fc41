import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatCompact,
  formatDecimal,
  formatTime,
  formatTimeWithOffset,
  formatNarrow,
  formatPercent,
  formatPrice,
  formatRate,
  signOf,
  signOfPercent,
  fullAmountIfCut,
} from './format.ts';

const digits = fc.stringMatching(/^\d{1,20}$/);
const decimal = fc.tuple(fc.constantFrom('', '-'), digits, fc.stringMatching(/^\d{1,18}$/));

describe('numbers', () => {
  it('WEB-020 formats the exact digits of the value, cut off and never rounded', () => {
    fc.assert(
      fc.property(decimal, fc.integer({ min: 0, max: 18 }), ([sign, whole, fraction], places) => {
        const expectedFraction = fraction.slice(0, places).padEnd(places, '0');
        const bare = formatPrice(`${sign}${whole}.${fraction}`, 'en-US', places).replaceAll(',', '');
        const plain = whole.replace(/^0+(?=\d)/, '') + (places === 0 ? '' : `.${expectedFraction}`);
        const isZero = !/[1-9]/.test(plain);
        expect(bare).toBe(isZero ? plain : sign.replace('-', '−') + plain);
      }),
    );
  });

  it.each([
    ['1234567.891', { minDigits: 2, maxDigits: 2 }, '1,234,567.89'],
    ['0.000000019', {}, '0.00000001'],
    ['12.5', {}, '12.5'],
    [
      '99999999999999999999.999999999999999999',
      { maxDigits: 18 },
      '99,999,999,999,999,999,999.999999999999999999',
    ],
    ['-0.001', { maxDigits: 2 }, '0'],
  ])('WEB-020 formats %s with %o as %s', (value, style, text) => {
    expect(formatDecimal(value, 'en-US', style)).toBe(text);
  });

  it.each([
    ['0.012399', true, '+1.23%'],
    ['-0.00509', true, '−0.50%'],
    ['0.000001', true, '0.00%'],
    ['0.001', false, '0.10%'],
  ])('WEB-021 formats the fraction %s as a percentage', (fraction, signed, text) => {
    expect(formatPercent(fraction, 'en-US', { signed })).toBe(text);
  });

  it.each([
    ['96766.45785787', '96,766.45'],
    ['3.123456789', '3.123456'],
    ['12345678.987', '12,345,678.98'],
    ['0.000010334567', '0.00001033'],
    ['1', '1'],
  ])('CONV-013 formats the rate %s as %s', (rate, text) => {
    expect(formatRate(rate, 'en-US')).toBe(text);
  });

  it('WEB-022 abbreviates large amounts in the page’s language, cut off', () => {
    expect(formatCompact('1239999', 'en-US')).toBe('1.23M');
    expect(formatCompact('1239999', 'zh-CN')).toBe('123.99万');
    expect(formatCompact('18993215.4', 'ko-KR')).toBe('1,899.32만');
  });

  it('WEB-024 an abbreviated live amount keeps its decimals', () => {
    const ticking = ['192.99', '193', '1230000', '0'].map((value) =>
      formatCompact(value, 'en-US', { ticks: true }),
    );
    expect(ticking).toEqual(['192.99', '193.00', '1.23M', '0.00']);
    expect(formatCompact('19300000', 'zh-CN', { ticks: true })).toBe('1,930.00万');
    expect(formatCompact('50000', 'en-US')).toBe('50K');
  });

  it('WEB-1005 thousands are not abbreviated in languages that count by ten thousands', () => {
    expect(formatCompact('1998', 'ko-KR')).toBe('1,998');
    expect(formatCompact('-1998.456', 'ko-KR')).toBe('−1,998.45');
    expect(formatCompact('9999.999', 'ko-KR', { ticks: true })).toBe('9,999.99');
    expect(formatCompact('1998', 'ko-KR', { ticks: true, narrow: true })).toBe('1,998.00');
    expect(formatCompact('10000', 'ko-KR')).toBe('1만');
    for (const locale of ['zh-CN', 'ja-JP']) expect(formatCompact('1998', locale)).toBe('1,998');
    const large = (locale: string) =>
      ['123456789', '1234567890123'].map((value) => formatCompact(value, locale));
    expect(large('zh-CN')).toEqual(['1.23亿', '1.23万亿']);
    expect(large('ja-JP')).toEqual(['1.23億', '1.23兆']);
    expect(large('ko-KR')).toEqual(['1.23억', '1.23조']);
  });

  it('WEB-025 a change cut to zero has no sign', () => {
    const fractions = ['0.00009', '-0.000099', '0', '0.0001', '-0.0001', '-1', '12.5'];
    expect(fractions.map((fraction) => signOfPercent(fraction))).toEqual([0, 0, 0, 1, -1, -1, 1]);
  });

  it('WEB-020 abbreviates amounts that do not fit a narrow column, and no others', () => {
    expect(formatNarrow('999999.129', 'en-US', 2)).toBe('999,999.12');
    expect(formatNarrow('1009174123', 'en-US', 0)).toBe('1.00B');
    expect(formatNarrow('0.00281', 'en-US', 5)).toBe('0.00281');
    expect(formatNarrow('44824300', 'ja-JP', 0)).toBe('4482.43万');
  });

  it('WEB-027 returns the full amount if it was cut, and nothing otherwise', () => {
    expect(fullAmountIfCut('1499.264235', 'en-US', 4)).toBe('1,499.264235');
    expect(fullAmountIfCut('1499.264200', 'en-US', 4)).toBeUndefined();
    expect(fullAmountIfCut('0.123456789012345678', 'en-US')).toBe('0.123456789012345678');
    expect(fullAmountIfCut('12', 'en-US', 0)).toBeUndefined();
  });

  it('WEB-020 returns the sign of any decimal text', () => {
    expect(['0', '-0.000', '0.1', '-3'].map(signOf)).toEqual([0, 0, 1, -1]);
  });
});

describe('times', () => {
  const at = Date.UTC(2026, 10, 21, 0, 5, 9);
  it('WEB-023 are local, with the UTC offset in the tooltip', () => {
    expect(formatTime(at, 'en-US', 'full', 'Asia/Shanghai')).toBe('11/21/2026, 08:05:09');
    expect(formatTimeWithOffset(at, 'en-US', 'Asia/Shanghai')).toBe('11/21/2026, 08:05:09 GMT+8');
    expect(formatTime(at, 'zh-CN', 'minute', 'UTC')).toContain('00:05');
  });
});
