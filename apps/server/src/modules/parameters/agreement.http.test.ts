import { AGREEMENT_VERSIONS } from '@exchange/core/agreements.ts';
import { agreement, parameter } from '@exchange/wire/parameter.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';

describe('agreements', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    const named = { LEGAL_ENTITY: 'Own Ltd.', GOVERNING_LAW: 'Own law', SUPPORT_EMAIL: 'help@own.test' };
    exchange = await anExchange({ settings: named });
  });
  afterAll(() => exchange.close());

  it('ID-131 agreements accepted at registration are public, with their effective date', async () => {
    const { data } = await exchange.call(agreement, { name: 'privacy', language: 'ja-JP' });
    expect(data).toMatchObject({ version: AGREEMENT_VERSIONS.privacy });
    expect(data.effectiveDate).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(data.text).toContain('180日');
  });

  it('HELP-021 the configured operator of the exchange is public', async () => {
    const named = await Promise.all(
      ['legal_entity', 'legal_address', 'governing_law', 'customer_service_email'].map((paramName) =>
        exchange.call(parameter, { paramName }),
      ),
    );
    expect(named.map(({ data }) => data.valueName)).toEqual(['Own Ltd.', '', 'Own law', 'help@own.test']);
  });

  it('FIN-018 the product agreement is public, with its version, in the requested language', async () => {
    const [english, chinese] = await Promise.all([
      exchange.call(agreement, { name: 'finance', language: 'en-US' }),
      exchange.call(agreement, { name: 'finance', language: 'zh-CN' }),
    ]);
    expect(english.data).toMatchObject({ version: AGREEMENT_VERSIONS.finance });
    expect(english.data.text).toContain('Early withdrawal is not supported');
    expect(chinese.data.version).toBe(english.data.version);
    expect(chinese.data.text).toContain('不支持提前赎回');
    expect(await exchange.call(agreement, { name: 'other' } as never)).toMatchObject({
      errKey: 'l.field_choice',
    });
  });
});
