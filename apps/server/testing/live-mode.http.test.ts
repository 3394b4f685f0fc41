import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { API_BASE } from '@exchange/wire/endpoint.ts';
import { ENDPOINTS } from '@exchange/wire/catalogue.ts';
import { marketDetails } from '@exchange/wire/market.ts';
import { parameter, serverInfo } from '@exchange/wire/parameter.ts';
import { secondsConfig } from '@exchange/wire/seconds.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from './eventually.ts';
import { anExchange, type TestExchange } from './exchange.ts';
import { FakeVenue } from './fake-venues.ts';
import { signInOperator } from './operators.ts';
import { totpCode } from '../src/platform/secrets/totp.ts';

const venues = [
  new FakeVenue('binance', '50000'),
  new FakeVenue('okx', '50001'),
  new FakeVenue('binance', '50002'),
];
const folder = mkdtempSync(join(tmpdir(), 'amethyst-live-'));
let exchange: TestExchange;

beforeAll(async () => {
  const origins = await Promise.all(venues.map((venue) => venue.start()));
  const file = join(folder, 'sources.json');
  const sources = ['binance', 'okx', 'binance'].map((venue, at) => ({
    id: `venue-${at + 1}`,
    venue,
    origin: origins[at],
    // The third price source is polled over HTTP. The first two are streamed.
    ...(at < 2 ? { stream: origins[at]!.replace('http', 'ws') } : {}),
  }));
  writeFileSync(file, JSON.stringify(sources));
  exchange = await anExchange({
    asksVenues: true,
    hasIndexThread: true,
    settings: {
      MODE: 'live',
      PRICE_SOURCES: file,
      HOUSE_TRADING: 'on',
      SMTP_URL: 'smtp://127.0.0.1:9',
      PUBLIC_URL: 'https://exchange.test',
    },
  });
});
afterAll(async () => {
  await exchange.close();
  await Promise.all(venues.map((venue) => venue.stop()));
  rmSync(folder, { recursive: true });
});

const index = () => exchange.doors.market.indexPrice('btcusdt')?.price.toString();

it('LIVE-011 an exchange in live mode takes its prices from its venues and follows them', async () => {
  await eventually(() => expect(index()).toBe('50001'));
  venues.forEach((venue, at) => (venue.price = String(51_000 + at)));
  await eventually(() => expect(index()).toBe('51001'));
  const { data } = await exchange.call(marketDetails, { symbol: 'btcusdt' });
  expect(data.close).toBe(51_001);
});

it('LIVE-011 in live mode there is no demo money, no demo user and no developer page', async () => {
  expect((await exchange.call(serverInfo)).data.mode).toBe('live');
  const demoEndpoints = ENDPOINTS.filter(({ access }) => 'demoOnly' in access);
  expect(demoEndpoints.length).toBeGreaterThan(2);
  for (const { path, method } of demoEndpoints) {
    const { status } = await fetch(exchange.url + API_BASE + path, { method });
    expect([path, status]).toEqual([path, 404]);
  }
  for (const page of ['/dev/mail', '/dev/mail.json'])
    expect([page, (await fetch(exchange.url + page)).status]).toEqual([page, 404]);
  expect((await fetch(`${exchange.consoleUrl}/dev/codes`)).status).toBe(404);
  const { pool } = exchange.database;
  const { rows } = await pool.query('select email from user_account where email is not null');
  expect(rows).toEqual([]);
  expect((await pool.query('select 1 from ledger_entry limit 1')).rowCount).toBe(0);
  expect((await pool.query('select 1 from spot_order limit 1')).rowCount).toBe(0);
});

it('HELP-021 in live mode no invented support address is shown', async () => {
  const { data } = await exchange.call(parameter, { paramName: 'customer_service_email' });
  expect(data.valueName).toBe('');
});

it('LIVE-011 in live mode no product is offered and the seconds contract is closed until operators open them', async () => {
  const { data } = await exchange.call(secondsConfig);
  expect(data).toMatchObject({ open: 0 });
  for (const table of [
    'finance_product',
    'mining_product',
    'fund_product',
    'subscription_project',
    'seconds_terms',
  ])
    expect([table, (await exchange.database.pool.query(`select 1 from ${table} limit 1`)).rowCount]).toEqual([
      table,
      0,
    ]);
});

it('LIVE-012 a market maker without funds quotes nothing', async () => {
  const { pool } = exchange.database;
  const { rows } = await pool.query(`select house_name from user_account where house_name = 'maker-1'`);
  expect(rows).toHaveLength(1);
  await eventually(() =>
    expect(exchange.log.lines.some(({ event }) => event === 'liquidity.short_of_funds')).toBe(true),
  );
  expect((await pool.query('select 1 from spot_order limit 1')).rowCount).toBe(0);
});

it('LIVE-013 a start in live mode reports all settings that are missing for real operation', () => {
  const startLog = exchange.log.lines.find(({ event }) => event === 'app.not_ready_for_money');
  const missing = startLog?.fields['missing'] as readonly string[];
  expect(missing.map((gap) => gap.split(/[ :,]/)[0])).toEqual(
    expect.arrayContaining([
      'SMTP_URL',
      'SERVER_SECRET',
      'MAIL_FROM',
      'BACKUP_FOLDER',
      'PRICE_SOURCES',
      'EVM_RPC_URL',
    ]),
  );
});

it('OPS-009 OPS-002 the first owner sets up with the code of the start message, also without email delivery, and invites others alone', async () => {
  const post = (path: string, fields: Record<string, string>, cookie = '') =>
    fetch(exchange.consoleUrl + path, {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams(fields),
    });
  const password = 'a long enough one';
  const setUp = await post('/ops/session/set-up', {
    setUpCode: exchange.doors.operators.setUpCode()!,
    password,
  });
  const { name, secret } = (await setUp.json()) as { name: string; secret: string };
  expect(name).toBe('owner');
  const code = totpCode(secret, exchange.clock.now());
  const cookie = await signInOperator(exchange.consoleUrl, { name, password, code });
  const { pool } = exchange.database;
  await pool.query('update operator set totp_step = null');
  const invitation = { email: 'rita@example.com', roles: 'approver', reason: 'the second person' };
  const confirmed = { ...invitation, authenticatorCode: totpCode(secret, exchange.clock.now()) };
  const invited = await post('/ops/operators/rita/invite', confirmed, cookie);
  expect([invited.status, await invited.json()]).toEqual([
    200,
    { name: 'rita', mailedTo: 'rita@example.com' },
  ]);
  const { rows } = await pool.query<{ code: string }>(
    `select code from mail_outbox where recipient = 'rita@example.com'`,
  );
  expect((await post('/ops/session/set-up', { setUpCode: rows[0]!.code, password })).status).toBe(200);
});
