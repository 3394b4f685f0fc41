import { describe, expect, it } from 'vitest';
import { candleStart, chartCandleStart } from './candle.ts';
import { normaliseEmail } from './email.ts';
import { fillWords, LOCALES, localeOf, textIn } from './locale.ts';
import { maskEmail } from './mask.ts';
import { passwordProblem, tradePasswordProblem } from './password.ts';
import { instant, startOfDay } from './time.ts';

describe('shared rules of identity', () => {
  it('ID-901 masks an address to its first and last four characters; a short address shows less', () => {
    expect(maskEmail('somebody@example.com')).toBe('some***.com');
    expect(maskEmail('a@b.com')).toBe('a***.com');
  });

  it('ID-902 gives different spellings of an address the same form', () => {
    expect(normaliseEmail(' Some.Body@Example.COM ')).toBe('some.body@example.com');
    expect(normaliseEmail('no-address')).toBeUndefined();
    expect(normaliseEmail('a@b')).toBeUndefined();
    expect(normaliseEmail(`${'a'.repeat(65)}@example.com`)).toBeUndefined();
  });

  it('ID-903 a password has 8 to 64 characters, starts with a letter and contains a digit', () => {
    expect(passwordProblem('Abcdefg1')).toBeUndefined();
    expect(passwordProblem('Abcdef1')?.key).toBe('l.password_length');
    expect(passwordProblem(`a1${'b'.repeat(62)}`)).toBeUndefined();
    expect(passwordProblem(`a1${'b'.repeat(63)}`)).toMatchObject({
      key: 'l.password_length',
      parameters: { min: '8', max: '64' },
    });
    expect(passwordProblem('1bcdefgh')?.key).toBe('l.password_letter');
    expect(passwordProblem('Abcdefgh')?.key).toBe('l.password_digit');
  });

  it('ID-904 a trade password is six digits that are not obvious', () => {
    expect(tradePasswordProblem('402817')).toBeUndefined();
    expect(tradePasswordProblem('12345')?.key).toBe('l.trade_password_format');
    for (const obvious of ['123456', '987654', '111111', '121212', '123123']) {
      expect(tradePasswordProblem(obvious)?.key, obvious).toBe('l.trade_password_obvious');
    }
  });
});

describe('sentences', () => {
  it('WEB-032 group the digits of amounts, but not of codes or other values', () => {
    const sentence = fillWords(
      '{{limit}} {{unit}}, {{value}} ({{code}}, {{seconds}} s, {{from}}, {{last}}, {{gone}})',
      {
        limit: '10000',
        unit: '2026',
        value: '-484800.5001',
        code: '123456',
        seconds: 36000,
        from: '2026-11-21',
        last: '999.123456',
      },
      'en-US',
    );
    expect(sentence).toBe('10,000 2026, -484,800.5001 (123456, 36000 s, 2026-11-21, 999.123456, –)');
    const pair = (value: string, limit: string | number) =>
      fillWords('{{value}} {{limit}}', { value, limit }, 'en-US');
    expect(pair('1,000', 1_234_567)).toBe('1,000 1,234,567');
    expect(pair('00012', '1e9999')).toBe('00012 1e9999');
    const plain = fillWords('{{value|plain}} {{value}}', { value: '1234567' }, 'en-US');
    expect([plain, fillWords('{{value|plain}}', {}, 'en-US')]).toEqual(['1234567 1,234,567', '–']);
  });

  it('WEB-032 group every amount of a message, both ends of a range, and amounts in lists', () => {
    const filled = (sentence: string, parameters: Readonly<Record<string, string>>) =>
      fillWords(sentence, parameters, 'en-US');
    expect(filled('{{min}} to {{max}} {{coin}} in all', { min: '100', max: '50000', coin: 'USDT' })).toBe(
      '100 to 50,000 USDT in all',
    );
    for (const name of ['total', 'principal', 'margin', 'stake', 'fee', 'quantity', 'arrival', 'interest'])
      expect(filled(`{{${name}}}`, { [name]: '2000.5' }), name).toBe('2,000.5');
    expect(filled('{{day}}, {{month}}', { day: '50000', month: '750000' })).toBe('50,000, 750,000');
    expect(filled('{{day}}', { day: '2026-11-23' })).toBe('2026-11-23');
    expect(filled('{{amounts}}', { amounts: '15230.5 SHIB + 0.1 BTC + 1200 USDT' })).toBe(
      '15,230.5 SHIB + 0.1 BTC + 1,200 USDT',
    );
  });

  it('WEB-230 choose the form of a word by the plural rules of their language', () => {
    const sentence = '{{count}} {{count|one:order|other:orders}}';
    const filled = (count: number | string) => fillWords(sentence, { count }, 'en-US');
    expect([filled(0), filled(1), filled('1'), filled(2)]).toEqual([
      '0 orders',
      '1 order',
      '1 order',
      '2 orders',
    ]);
    expect(fillWords('{{count}} {{count|other:笔}}', { count: 1 }, 'zh-CN')).toBe('1 笔');
    expect(fillWords(sentence, { count: 1 }, 'zh-CN')).toBe('1 orders');
  });
});

describe('languages', () => {
  it('WEB-035 are those of the menu, and a request gets its first preference or English', () => {
    expect(LOCALES).toEqual(['en-US', 'zh-CN', 'ko-KR', 'ja-JP']);
    for (const locale of LOCALES) expect(localeOf(locale)).toBe(locale);
    expect(localeOf('ko;q=0.9, en')).toBe('ko-KR');
    expect(localeOf(' JA,en')).toBe('ja-JP');
    expect(localeOf('zh-TW,zh')).toBe('zh-CN');
    for (const unsupported of [undefined, '', 'de-DE, ko', 'korean', '*'])
      expect(localeOf(unsupported), unsupported).toBe('en-US');
  });

  it('WEB-037 a text that is missing in a language is shown in English', () => {
    expect(textIn({ 'en-US': 'Terms', 'ko-KR': '약관' }, 'ko-KR')).toBe('약관');
    expect(textIn({ 'en-US': 'Terms', 'zh-CN': '条款' }, 'ja-JP')).toBe('Terms');
  });
});

describe('candle boundaries', () => {
  it('MKT-901 candles open on multiples of their interval, weeks on Mondays, days at midnight UTC', () => {
    const at = instant(Date.UTC(2026, 10, 20, 13, 47, 12, 345));
    expect(candleStart('1min', at)).toBe(Date.UTC(2026, 10, 20, 13, 47));
    expect(candleStart('15min', at)).toBe(Date.UTC(2026, 10, 20, 13, 45));
    expect(candleStart('4hour', at)).toBe(Date.UTC(2026, 10, 20, 12));
    expect(candleStart('1day', at)).toBe(startOfDay(at));
    expect(candleStart('1week', at)).toBe(Date.UTC(2026, 10, 16));
    expect(chartCandleStart('1week', at)).toBe(Date.UTC(2026, 10, 16));
    expect(chartCandleStart('2hour', at)).toBe(Date.UTC(2026, 10, 20, 12));
    expect(chartCandleStart('6hour', at)).toBe(Date.UTC(2026, 10, 20, 12));
    expect(chartCandleStart('12hour', at)).toBe(Date.UTC(2026, 10, 20, 12));
    expect(chartCandleStart('1mon', at)).toBe(Date.UTC(2026, 10, 1));
    expect(() => instant(1.5)).toThrow(RangeError);
  });
});
