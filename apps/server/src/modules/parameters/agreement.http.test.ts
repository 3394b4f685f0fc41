import { AGREEMENT_VERSIONS } from '@exchange/core/agreements.ts';
import { agreement } from '@exchange/wire/parameter.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';

describe('agreements', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  it('FIN-018 the product agreement is read by anybody, with its version, in the language asked for', async () => {
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
