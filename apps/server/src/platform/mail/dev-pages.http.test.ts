import { serverInfo } from '@exchange/wire/parameter.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';

const MAIL_PAGES = ['/dev/mail', '/dev/mail.json', '/dev/mail.css'];

describe('the demo’s mailbox', () => {
  let exchange: TestExchange;
  afterEach(() => exchange.close());

  const statuses = () =>
    Promise.all(MAIL_PAGES.map(async (path) => (await fetch(exchange.url + path)).status));

  const showsMail = async () => (await exchange.call(serverInfo, {}, {})).data.showsMail;

  it('EDGE-182 MSG-011 the mailbox is shown when mail is not sent', async () => {
    exchange = await anExchange();
    expect(await statuses()).toEqual([200, 200, 200]);
    expect(await showsMail()).toBe(true);
  });

  it('EDGE-182 MSG-011 the mailbox is not shown when mail is sent', async () => {
    exchange = await anExchange({ settings: { SMTP_URL: 'smtp://127.0.0.1:9' } });
    expect(await statuses()).toEqual([404, 404, 404]);
    expect(await showsMail()).toBe(false);
  });
});
