import { CONVERT_MAX_USDT } from '@exchange/core/convert.ts';
import type { Decimal } from '@exchange/core/decimal.ts';
import { PASSKEYS_MAX } from '@exchange/core/passkeys.ts';
import { ALERT_LIMIT, ALERT_ORDER_LATE_MS } from '@exchange/core/price-alert.ts';
import { PUSH_DEVICES_MAX } from '@exchange/core/push.ts';
import { ENTERED_COSTS_MAX } from '@exchange/core/tax.ts';
import { RECURRING_COINS_MAX, RECURRING_LATE_MS, RECURRING_PLANS_MAX } from '@exchange/core/recurring.ts';
import { SMALL_BALANCE_MAX_USDT, SMALL_COINS_MAX, SMALL_PER_DAY } from '@exchange/core/small-balances.ts';
import { HOUR_MS, MINUTE_MS } from '@exchange/core/time.ts';
import { KYC_RULES, levelLimits } from '@exchange/core/kyc.ts';
import { LOCALES } from '@exchange/core/locale.ts';
import { WITHDRAWAL_GAP_SECONDS, WITHDRAWALS_PER_DAY } from '@exchange/core/network.ts';
import { API_KEY_ADDRESSES_MAX, API_KEYS_MAX } from '@exchange/wire/api-key.ts';
import { describe, expect, it } from 'vitest';
import { ARTICLE_IDS, loadArticles, searchArticles, fillFigures } from './articles.ts';

describe('articles of the help centre', () => {
  it.each(LOCALES)('HELP-001 are whole in %s: every title once, every paragraph its own', async (locale) => {
    const articles = await loadArticles(locale);
    expect(new Set(ARTICLE_IDS.map((id) => articles[id].title)).size).toBe(ARTICLE_IDS.length);
    for (const id of ARTICLE_IDS) {
      const { title, body } = articles[id];
      expect(title.trim(), id).not.toBe('');
      expect(body.length, id).toBeGreaterThan(1);
      expect(new Set(body).size, id).toBe(body.length);
      expect(
        body.filter((text) => text.replace(/^- /, '').trim() === ''),
        id,
      ).toEqual([]);
    }
  });

  it('HELP-001 have as many paragraphs, items and figures in every language as in English', async () => {
    const figures = (body: readonly string[]) =>
      [...body.join(' ').matchAll(/\d+(?:[.,:]\d+)*/g)].map(([figure]) => figure).toSorted();
    const english = await loadArticles('en-US');
    for (const locale of LOCALES) {
      const articles = await loadArticles(locale);
      for (const id of ARTICLE_IDS) {
        const [translated, original] = [articles[id].body, english[id].body];
        expect(
          translated.map((text) => text.startsWith('- ')),
          `${locale} ${id}`,
        ).toEqual(original.map((text) => text.startsWith('- ')));
        // Each number that the English article writes in digits must appear in the translation. A translation may have
        // further ones, because English spells out some numbers.
        expect(figures(translated), `${locale} ${id}`).toEqual(expect.arrayContaining(figures(original)));
      }
    }
  });

  it('HELP-1020 take fee rates from parameters, and state every limit as enforced', async () => {
    const figures = { maker: '0.10%', taker: '0.11%', makerLeast: '0.04%', takerLeast: '0.06%' };
    const { day, month } = levelLimits(2);
    const grouped = (amount: Decimal) => amount.toString().replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
    for (const locale of LOCALES) {
      const written = await loadArticles(locale);
      const articles = fillFigures(written, figures, locale);
      const text = (id: keyof typeof articles) => articles[id].body.join(' ');
      // The article must contain placeholders instead of percentages, because the fee rates come from the server.
      expect(written.fees.body.join(' '), locale).not.toMatch(/\d%/);
      for (const rate of Object.values(figures)) expect(text('fees'), locale).toContain(rate);
      expect(text('fees'), locale).not.toContain('{{');
      for (const limit of [day, month].map(grouped))
        for (const id of ['verification', 'limits'] as const)
          expect(text(id), `${locale} ${id}`).toContain(limit);
      expect(text('limits'), locale).toContain(String(WITHDRAWALS_PER_DAY));
      expect(text('limits'), locale).toContain(String(WITHDRAWAL_GAP_SECONDS));
      expect(text('convert'), locale).toContain(grouped(CONVERT_MAX_USDT));
      for (const limit of [RECURRING_PLANS_MAX, RECURRING_COINS_MAX, RECURRING_LATE_MS / HOUR_MS])
        expect(text('recurring'), locale).toMatch(new RegExp(`(?<!\\d)${limit}(?!\\d)`));
      for (const limit of [SMALL_BALANCE_MAX_USDT.toString(), SMALL_COINS_MAX, SMALL_PER_DAY])
        expect(text('small-balances'), locale).toMatch(new RegExp(`(?<!\\d)${limit}(?!\\d)`));
      expect(text('tax-report'), locale).toContain(String(ENTERED_COSTS_MAX));
      expect(text('push'), locale).toContain(String(PUSH_DEVICES_MAX));
      expect(text('passkeys'), locale).toContain(String(PASSKEYS_MAX));
      for (const limit of [ALERT_LIMIT, ALERT_ORDER_LATE_MS / MINUTE_MS])
        expect(text('price-alerts'), locale).toMatch(new RegExp(`(?<!\\d)${limit}(?!\\d)`));
      for (const limit of [API_KEYS_MAX, API_KEY_ADDRESSES_MAX])
        expect(text('api-keys'), locale).toContain(String(limit));
      expect(text('verification'), locale).toContain(String(KYC_RULES.photosKeptDays));
    }
  });

  it('HELP-002 are found by all words of a search, title matches first', async () => {
    const articles = await loadArticles('en-US');
    expect(searchArticles(articles, '  ')).toEqual([]);
    expect(searchArticles(articles, 'FEES')[0]).toBe('fees');
    expect(searchArticles(articles, 'withdraw book')).toContain('address-book');
    expect(searchArticles(articles, 'liquidation')[0]).toBe('liquidation');
    expect(searchArticles(articles, 'qwertz')).toEqual([]);
    expect(searchArticles(await loadArticles('zh-CN'), '手续费')[0]).toBe('fees');
    expect(searchArticles(await loadArticles('ja-JP'), 'ＵＳＤＴ').length).toBeGreaterThan(1);
  });
});
