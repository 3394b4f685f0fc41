import { Decimal } from '@exchange/core/decimal.ts';
import { depositAddress } from '@exchange/wire/deposit.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';
import { FakeTron, TRON_USDT } from '../../../testing/fake-tron.ts';
import { operate, operateAs } from '../../../testing/operators.ts';
import { testTronXpub } from '../../../testing/test-tron-signer.ts';

const OUTSIDER = 'TNUC9Qb1rRpS5CbWLmNMxXBjyFoydXjWFR';
/** The USDT contract that the settings list at first. */
const FORMER = 'TFczxzPhnThNSqr5by8tvxsdCFRRz6cPNq';
const RESERVE = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const USDT = 10n ** 6n;

let node: FakeTron;
let exchange: TestExchange;
const settings: Record<string, string> = {
  TRON_XPUB: testTronXpub(),
  TRON_TOKENS: `USDT=${FORMER}:6`,
  TRON_CHAIN: 'nile',
  TRON_START_BLOCK: '1',
  TRON_RESERVES: RESERVE,
};

beforeAll(async () => {
  node = new FakeTron();
  await node.start();
  settings['TRON_RPC_URL'] = node.url;
  exchange = await anExchange({ settings });
  node.clock = () => exchange.clock.now();
});
afterAll(async () => {
  await exchange?.close();
  await node?.stop();
});

const solidify = async () => {
  node.solidify(2);
  await exchange.doors.deposits.jobs.watch();
  await exchange.doors.deposits.jobs.watch();
};
const decide = async (path: string, fields: Readonly<Record<string, string>> = {}) => {
  const answer = await operate(exchange, path, { reason: 'a test', ...fields });
  return { status: answer.status, ...((await answer.json()) as { key?: string; id?: string }) };
};
type Row = Readonly<Record<string, unknown>>;
const arrivals = async (asset: string) => {
  const answer = await operateAs(exchange, 'owner', '/ops/treasury/arrivals');
  const { arrivals: rows } = (await answer.json()) as { arrivals: readonly Row[] };
  return rows.filter((row) => row['asset'] === asset);
};
const holdings = async () => {
  const tron = exchange.doors.chains.chains.channels.find(({ kind }) => kind === 'tron')!;
  return (await tron.wallets!.holdings(tron.height())).get('USDT')?.toString();
};
const sweepable = async () => {
  const { rows } = await exchange.database.pool.query<{ asset: string }>('select asset from tron_holding');
  return rows.map(({ asset }) => asset);
};

it('TRON-030 TRE-161 tokens that arrived before their listing are adopted, count as held and are swept from the listing on; what was not read is not adopted', async () => {
  const trader = await exchange.aUser();
  const { address } = await trader.request(depositAddress, { currency: 'USDT', network: 'TRC20' });
  node.facts.set(TRON_USDT, { digits: 6, name: 'Tether USD', symbol: 'USDT' });
  const token = { network: 'TRC20', contract: TRON_USDT, least: '1' };
  expect((await decide('/ops/treasury/watched-tokens', token)).status).toBe(200);
  node.fund(OUTSIDER, { tokens: 1_000n * USDT });
  for (const units of [5n * USDT, 7n * USDT, USDT / 2n])
    node.transfer({ from: OUTSIDER, to: address, units });
  // Each of these transfers has the greatest amount that a contract can report (2^256 − 1 units), which is too large to
  // be shown to operators; only their sum, which is larger still, has to be stored.
  for (let sent = 0; sent < 12; sent += 1)
    node.transfer({ from: OUTSIDER, to: address, units: 2n ** 256n - 1n });
  await solidify();
  for (let sent = 0; sent < 12; sent += 1)
    node.transfer({ from: address, to: OUTSIDER, units: 2n ** 256n - 1n });
  await solidify();
  const found = { network: 'TRC20', asset: TRON_USDT, amount: '3', remark: 'seen', output: '1' };
  const registered = await decide('/ops/treasury/register', { ...found, txid: 'ab'.repeat(32) });
  expect(registered.status).toBe(200);
  const adopt = () => exchange.doors.treasury.treasury.adoptListed();
  await adopt();
  expect(
    (await arrivals(TRON_USDT))
      .map(({ amount }) => amount)
      .toSorted((left, right) => String(left).localeCompare(String(right))),
  ).toEqual(['3', '5', '7']);
  expect(await holdings()).toBe('0');
  expect(await sweepable()).toEqual([TRON_USDT]);
  // After the operators have ended the watch, a quarter of a token leaves the deposit address. The holdings after the
  // listing are lower by this amount.
  expect((await decide(`/ops/treasury/watched-tokens/TRC20/${TRON_USDT}/end`)).status).toBe(200);
  node.transfer({ from: address, to: OUTSIDER, units: USDT / 4n });
  await solidify();

  settings['TRON_TOKENS'] = `USDT=${TRON_USDT}:6`;
  await exchange.restart();
  await solidify();
  await adopt();
  await adopt();
  expect((await arrivals(TRON_USDT)).map(({ id }) => id)).toEqual([registered.id]);
  const [first, second, ...others] = await arrivals('USDT');
  expect(others).toEqual([]);
  expect(
    [first!['amount'], second!['amount']].toSorted((left, right) =>
      String(left).localeCompare(String(right)),
    ),
  ).toEqual(['5', '7']);
  expect(await holdings()).toBe('12.25');
  expect(await sweepable()).toEqual(['USDT']);
  const credited = await decide(`/ops/treasury/arrivals/${String(first!['id'])}/credit`, {
    owner: trader.id,
  });
  expect(credited.status).toBe(200);
  const { availableCurrency } = (await trader.request(spotAssets, { currency: 'USDT' })).list[0]!;
  expect(Decimal.parse(availableCurrency).toString()).toBe(first!['amount']);
  // A transfer after the listing is a deposit of the listed coin, and the holdings rise by its amount.
  node.transfer({ from: OUTSIDER, to: address, units: 2n * USDT });
  await solidify();
  expect(await holdings()).toBe('14.25');
});
