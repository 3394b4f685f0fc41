import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, MINUTE_MS } from '@exchange/core/time.ts';
import { claimFaucet } from '@exchange/wire/account.ts';
import { createApiKey, createWithdrawalKey } from '@exchange/wire/api-key.ts';
import { ENDPOINTS } from '@exchange/wire/catalogue.ts';
import { acceptConvert, convertQuote } from '@exchange/wire/convert.ts';
import { sendTestDeposit, submitProof } from '@exchange/wire/deposit.ts';
import { acceptSmallBalances, quoteSmallBalances } from '@exchange/wire/small-balances.ts';
import type { Endpoint } from '@exchange/wire/endpoint.ts';
import { buyFinance, withdrawFinance } from '@exchange/wire/finance.ts';
import * as fund from '@exchange/wire/fund.ts';
import { setInviteShare } from '@exchange/wire/invite.ts';
import { submitVerify } from '@exchange/wire/kyc.ts';
import { createChase } from '@exchange/wire/chase.ts';
import { createGrid } from '@exchange/wire/grid.ts';
import { createIceberg } from '@exchange/wire/iceberg.ts';
import { createLadder } from '@exchange/wire/ladder.ts';
import { createTwap } from '@exchange/wire/twap.ts';
import * as seconds from '@exchange/wire/seconds.ts';
import * as spot from '@exchange/wire/spot.ts';
import { claimTokens, commitToProject, reduceCommitment } from '@exchange/wire/subscription.ts';
import { askSupport, replySupport } from '@exchange/wire/support.ts';
import { askAboutTransfer } from '@exchange/wire/tracking.ts';
import { addPasskey, CODE_TYPES, newPasskey, removePasskey, sendEmailCode } from '@exchange/wire/user.ts';
import { addAlert } from '@exchange/wire/watchlist.ts';
import {
  addAddress,
  cancelWithdrawal,
  removeAddress,
  sendWithdrawalCode,
  setWhitelist,
  submitWithdrawal,
} from '@exchange/wire/withdrawal.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uploaded } from '../../src/modules/files/testing/uploads.ts';
import {
  createProduct,
  createSaver,
  purchase,
  terms,
  TRADE_PASSWORD,
} from '../../src/modules/finance/testing/products.ts';
import { createFund, createHolding } from '../../src/modules/fund/testing/funds.ts';
import { DEMO_TERMS } from '../../src/modules/seconds/demo.ts';
import { RISK_VERSION } from '../../src/modules/seconds/domain.ts';
import { createPlayer, openSecondsMarket, ticket } from '../../src/modules/seconds/testing/players.ts';
import { AGREEMENT_VERSION } from '../../src/modules/subscription/domain.ts';
import { createProject, commitFor, soldProject } from '../../src/modules/subscription/testing/projects.ts';
import { anExchange, type TestExchange, type TestTrader } from '../exchange.ts';
import { SoftwareAuthenticator } from '../software-authenticator.ts';
import { samplesFor, type Request } from './product-crawls.ts';

const BECAUSE = { by: 'test', reason: 'a test' };
const BTC = { baseCoin: 'BTC', quoteCoin: 'USDT' } as const;
const ETHEREUM = { currency: 'ETH', network: 'ERC20', address: '0x52908400098527886E0F7030069857D2E4169EE7' };
const d = (text: string): Decimal => Decimal.parse(text);

/** Type of functions that create a valid request, sent by a trader of its own. */
type Sample = () => Promise<Request>;

describe('repeated requests', () => {
  let exchange: TestExchange;

  beforeAll(async () => {
    exchange = await anExchange();
    // One trade is made first, because stop orders need a last price.
    const [seller, buyer] = [await exchange.aUser({ BTC: '1' }), await exchange.aUser({ USDT: '1000' })];
    await seller.request(spot.createOrder, { ...BTC, tradeType: 'sell', price: '50000', amount: '0.001' });
    await buyer.request(spot.createOrder, { ...BTC, tradeType: 'buy', price: '50000', amount: '0.001' });
  });
  afterAll(() => exchange.close());

  async function codeFor(trader: TestTrader, send: () => Promise<unknown>) {
    await exchange.advanceTime(61_000);
    await send();
    const mail = await fetch(`${exchange.url}/dev/mail.json?to=${trader.email}`);
    const { list } = (await mail.json()) as { list: readonly { code?: string }[] };
    return { assetsPwd: TRADE_PASSWORD, code: list[0]!.code! };
  }

  async function bindCodeOf(trader: TestTrader, { path }: Endpoint, about: string) {
    const fields = { email: trader.email, type: CODE_TYPES.bind, act: path, about } as const;
    const { code } = await codeFor(trader, () => trader.request(sendEmailCode, fields));
    return { code };
  }

  /** Returns form fields that add a passkey of a new security key. */
  async function passkeyOf(trader: TestTrader) {
    const { code } = await bindCodeOf(trader, addPasskey, 'name=Key');
    const credential = new SoftwareAuthenticator().create(await trader.request(newPasskey, {}));
    return { credential, name: 'Key', code };
  }

  async function withdrawalOf(trader: TestTrader) {
    const fields = { ...ETHEREUM, amount: '0.5', remark: 'ERC20' };
    return { ...fields, ...(await codeFor(trader, () => trader.request(sendWithdrawalCode, fields))) };
  }

  async function traderWithOrder() {
    const trader = await exchange.aUser({ USDT: '10000' });
    const order = { ...BTC, tradeType: 'buy', orderType: 'limit', price: '45000', amount: '0.01' } as const;
    const { id } = await trader.request(spot.createOrder, order);
    return { trader, order, id };
  }

  /**
   * Sample requests in the order of execution. Samples that move the clock by days come first. The conversion quote,
   * which expires within seconds, comes last.
   */
  const samples: readonly (readonly [Endpoint, Sample])[] = [
    [
      withdrawFinance,
      async () => {
        const trader = await createSaver(exchange, { USDT: '1000' });
        const product = await createProduct(exchange, 'manual', { period: 2, isManual: true });
        const { orderId } = await trader.request(buyFinance, purchase(product, '400'));
        await exchange.advanceTime(2 * DAY_MS);
        await exchange.doors.finance.jobs.settle();
        await exchange.advanceTime(2 * DAY_MS);
        await exchange.doors.finance.jobs.settle();
        return { trader, fields: { id: orderId } };
      },
    ],
    // Some samples of the modules advance the clock by days, so they come before the samples that expire within
    // seconds.
    ...samplesFor(
      ({ repeated }) => repeated,
      () => exchange,
    ),
    [
      addAddress,
      async () => {
        const trader = await createSaver(exchange, {});
        const send = () =>
          trader.request(sendEmailCode, {
            email: trader.email,
            type: CODE_TYPES.address,
            act: addAddress.path,
            about: new URLSearchParams(ETHEREUM).toString(),
          });
        return { trader, fields: { ...ETHEREUM, remark: 'ERC20', ...(await codeFor(trader, send)) } };
      },
    ],
    [
      removeAddress,
      async () => {
        const trader = await createSaver(exchange, {});
        const { id } = await exchange.doors.withdrawals.addressBook.add(trader.id, {
          asset: 'ETH',
          network: 'ERC20',
          address: ETHEREUM.address,
          memo: undefined,
          remark: undefined,
        });
        const send = () =>
          trader.request(sendEmailCode, {
            email: trader.email,
            type: CODE_TYPES.address,
            act: removeAddress.path,
            about: `id=${id}`,
          });
        return { trader, fields: { id, ...(await codeFor(trader, send)) } };
      },
    ],
    [
      addPasskey,
      async () => {
        const trader = await createSaver(exchange, {});
        return { trader, fields: await passkeyOf(trader) };
      },
    ],
    [
      removePasskey,
      async () => {
        const trader = await createSaver(exchange, {});
        const { id } = await trader.request(addPasskey, await passkeyOf(trader));
        const about = `id=${id}&isLast=1`;
        return { trader, fields: { id, isLast: '1', ...(await bindCodeOf(trader, removePasskey, about)) } };
      },
    ],
    [
      setWhitelist,
      async () => {
        const trader = await createSaver(exchange, {});
        const send = () =>
          trader.request(sendEmailCode, {
            email: trader.email,
            type: CODE_TYPES.address,
            act: setWhitelist.path,
            about: 'on=1',
          });
        return { trader, fields: { on: '1', ...(await codeFor(trader, send)) } };
      },
    ],
    [
      cancelWithdrawal,
      async () => {
        const trader = await createSaver(exchange, { ETH: '5' });
        const { id } = await trader.request(submitWithdrawal, await withdrawalOf(trader));
        return { trader, fields: { id } };
      },
    ],
    [
      submitWithdrawal,
      async () => {
        const trader = await createSaver(exchange, { ETH: '5' });
        return { trader, fields: await withdrawalOf(trader) };
      },
    ],
    [
      claimTokens,
      async () => {
        const trader = await createSaver(exchange, { USDT: '1000' });
        const { commitmentId } = await soldProject(exchange, trader);
        return { trader, fields: { id: commitmentId } };
      },
    ],
    [
      commitToProject,
      async () => {
        const trader = await createSaver(exchange, { USDT: '1000' });
        const id = await createProject(exchange, 'commit');
        const agreed = { agree: '1', agreementVersion: AGREEMENT_VERSION, assetsPwd: TRADE_PASSWORD };
        return { trader, fields: { id, amount: '100', ...agreed } };
      },
    ],
    [
      reduceCommitment,
      async () => {
        const trader = await createSaver(exchange, { USDT: '1000' });
        const id = await createProject(exchange, 'reduce');
        await commitFor(exchange, trader.id, id, '100');
        return { trader, fields: { id, amount: '20' } };
      },
    ],
    [
      buyFinance,
      async () => {
        const amounts = { asset: 'ETH', startAmount: d('0.1'), maxAmount: d('10'), capacity: d('1000') };
        const product = await createProduct(exchange, 'repeat', amounts);
        const trader = await createSaver(exchange, { ETH: '5' });
        return { trader, fields: purchase(product, '2') };
      },
    ],
    [
      fund.buyFund,
      async () => {
        const trader = await createSaver(exchange, { USDT: '1000' });
        const id = await createFund(exchange, 'buy');
        return { trader, fields: { id, margin: '100', leverage: '2', assetsPwd: TRADE_PASSWORD } };
      },
    ],
    [
      fund.sellFund,
      async () => {
        const trader = await createSaver(exchange, { USDT: '1000' });
        const id = await createHolding(exchange, trader.id, await createFund(exchange, 'sell'));
        return { trader, fields: { id, quantity: '1', sellType: '1' } };
      },
    ],
    [
      fund.addFundMargin,
      async () => {
        const trader = await createSaver(exchange, { USDT: '1000' });
        const id = await createHolding(exchange, trader.id, await createFund(exchange, 'margin'));
        return { trader, fields: { id, amount: '10', assetsPwd: TRADE_PASSWORD } };
      },
    ],
    [claimFaucet, async () => ({ trader: await exchange.aUser(), fields: {} })],
    [
      sendTestDeposit,
      async () => ({
        trader: await exchange.aUser(),
        fields: { currency: 'ETH', network: 'ERC20', amount: '2' },
      }),
    ],
    [
      submitProof,
      async () => {
        const trader = await exchange.aUser();
        const { id: proof } = await uploaded(trader, 'proof', '#102030');
        const route = { currency: 'USDT', network: 'BEP20' };
        return { trader, fields: { ...route, amount: '120', proof, remark: 'From my bank' } };
      },
    ],
    [
      submitVerify,
      async () => {
        const trader = await exchange.aUser();
        const fields = {
          name: 'Ada Lovelace',
          country: 'GB',
          idCard: 'LOVE 1815-12',
          idCardPhotoPositive: (await uploaded(trader, 'identity', '#203040')).id,
          idCardPhotoReverseSide: (await uploaded(trader, 'identity', '#304050')).id,
        };
        return { trader, fields };
      },
    ],
    [setInviteShare, async () => ({ trader: await exchange.aUser(), fields: { points: '5' } })],
    [
      seconds.openSeconds,
      async () => {
        await openSecondsMarket(exchange);
        return { trader: await createPlayer(exchange, '100'), fields: ticket('up', '10') };
      },
    ],
    [
      seconds.secondsTransfer,
      async () => ({
        trader: await exchange.aUser({ ETH: '3' }),
        fields: { amount: '2', currency: 'ETH', type: '1' },
      }),
    ],
    [
      seconds.acceptSecondsRisk,
      async () => ({ trader: await exchange.aUser(), fields: { agreementVersion: RISK_VERSION } }),
    ],
    [seconds.setSecondsLimits, async () => ({ trader: await exchange.aUser(), fields: { maxStake: '100' } })],
    [
      spot.createOrder,
      async () => ({
        trader: await exchange.aUser({ USDT: '10000' }),
        fields: { ...BTC, tradeType: 'buy', orderType: 'limit', price: '49000', amount: '0.01' },
      }),
    ],
    [
      spot.createOco,
      async () => ({
        trader: await exchange.aUser({ BTC: '1' }),
        fields: { ...BTC, tradeType: 'sell', amount: '0.04', limitPrice: '53000', stopPrice: '47000' },
      }),
    ],
    [
      createLadder,
      async () => ({
        trader: await exchange.aUser({ USDT: '10000' }),
        fields: {
          ...BTC,
          tradeType: 'buy',
          fromPrice: '49000',
          toPrice: '48000',
          count: '5',
          amount: '0.05',
        },
      }),
    ],
    [
      createChase,
      async () => {
        const other = await exchange.aUser({ USDT: '10000' });
        await other.request(spot.createOrder, { ...BTC, tradeType: 'buy', price: '48000', amount: '0.01' });
        return {
          trader: await exchange.aUser({ USDT: '10000' }),
          fields: {
            ...BTC,
            tradeType: 'buy',
            amount: '0.05',
            distance: '1',
            minutes: '60',
          },
        };
      },
    ],
    [
      createGrid,
      async () => {
        const other = await exchange.aUser({ USDT: '10000', BTC: '1' });
        await other.request(spot.createOrder, { ...BTC, tradeType: 'buy', price: '49900', amount: '0.01' });
        await other.request(spot.createOrder, { ...BTC, tradeType: 'sell', price: '50100', amount: '0.1' });
        return {
          trader: await exchange.aUser({ USDT: '10000', BTC: '0.01' }),
          fields: {
            ...BTC,
            lowerPrice: '48000',
            upperPrice: '52000',
            levels: '5',
            investment: '1000',
            slippage: '1',
          },
        };
      },
    ],
    [
      createIceberg,
      async () => ({
        trader: await exchange.aUser({ USDT: '10000' }),
        fields: {
          ...BTC,
          tradeType: 'buy',
          price: '49000',
          amount: '0.05',
          visible: '0.01',
        },
      }),
    ],
    [
      createTwap,
      async () => {
        const seller = await exchange.aUser({ BTC: '1' });
        await seller.request(spot.createOrder, { ...BTC, tradeType: 'sell', price: '50000', amount: '0.1' });
        return {
          trader: await exchange.aUser({ USDT: '10000' }),
          fields: {
            ...BTC,
            tradeType: 'buy',
            amount: '0.05',
            minutes: '60',
            count: '5',
            slippage: '1',
          },
        };
      },
    ],
    [
      spot.amendOrder,
      async () => {
        const { trader, id } = await traderWithOrder();
        return { trader, fields: { id, price: '44000' } };
      },
    ],
    [
      spot.cancelAllOrders,
      async () => ({ trader: (await traderWithOrder()).trader, fields: { baseCoin: 'BTC' } }),
    ],
    [
      askSupport,
      async () => ({
        trader: await exchange.aUser(),
        fields: { topic: 'account', content: 'Where do I see my limits?' },
      }),
    ],
    [
      replySupport,
      async () => {
        const trader = await exchange.aUser();
        const { id } = await trader.request(askSupport, {
          topic: 'account',
          content: 'Where are my limits?',
        });
        return { trader, fields: { id, content: 'I found them.' } };
      },
    ],
    [
      askAboutTransfer,
      async () => {
        const trader = await createSaver(exchange, { ETH: '5' });
        const { id } = await trader.request(submitWithdrawal, await withdrawalOf(trader));
        return { trader, fields: { transferKind: 'withdrawal', id, content: 'When?' } };
      },
    ],
    [
      // The sample that creates an API key is near the end of the list, because the server returns the key's secret to
      // a repeated request only in the first ten minutes after the request.
      createApiKey,
      async () => {
        const trader = await exchange.aUser();
        const fields = { name: 'Bot', trade: '1', addresses: '127.0.0.1' };
        const send = () =>
          trader.request(sendEmailCode, {
            email: trader.email,
            type: CODE_TYPES.bind,
            act: createApiKey.path,
            about: new URLSearchParams(fields).toString(),
          });
        const { code } = await codeFor(trader, send);
        return { trader, fields: { ...fields, code } };
      },
    ],
    [
      createWithdrawalKey,
      async () => {
        const trader = await createSaver(exchange, {});
        const fields = { name: 'Payer', trade: '0', addresses: '127.0.0.1', withdrawalLimit: '100' };
        const send = () =>
          trader.request(sendEmailCode, {
            email: trader.email,
            type: CODE_TYPES.bind,
            act: createWithdrawalKey.path,
            about: new URLSearchParams(fields).toString(),
          });
        return { trader, fields: { ...fields, ...(await codeFor(trader, send)) } };
      },
    ],
    [
      addAlert,
      async () => ({
        trader: await exchange.aUser(),
        fields: { symbol: 'btcusdt', condition: 'lte', price: '40000', repeat: '0', channels: 'inbox' },
      }),
    ],
    [
      acceptSmallBalances,
      async () => {
        await exchange.doors.convert.convert.fund('USDT', d('100000'), 'demo');
        const trader = await createSaver(exchange, { ETH: '0.001' });
        const { quoteId } = await trader.request(quoteSmallBalances, { coins: 'ETH', to: 'USDT' });
        return { trader, fields: { quoteId } };
      },
    ],
    [
      acceptConvert,
      async () => {
        await exchange.doors.convert.convert.fund('USDT', d('100000'), 'demo');
        const trader = await createSaver(exchange, { ETH: '5' });
        const { quoteId } = await trader.request(convertQuote, { from: 'ETH', to: 'USDT', fromAmount: '1' });
        return { trader, fields: { quoteId } };
      },
    ],
  ];

  /** Changes conditions that could make a repeated request fail, e.g. time, prices, terms and balances. */
  async function changeConditions(traders: readonly TestTrader[]): Promise<void> {
    await exchange.advanceTime(3_000);
    await exchange.setPrice('ethusdt', '2750');
    await exchange.setPrice('btcusdt', '54000');
    const { finance } = exchange.doors.finance;
    await finance.publish(terms(exchange, 'manual', { period: 2, dailyRate: d('0.0005') }), BECAUSE);
    await exchange.doors.seconds.seconds.publish({ ...DEMO_TERMS, isOpen: false }, BECAUSE);
    for (const trader of traders) {
      const { list } = await trader.request(spot.spotAssets);
      for (const { currencyName, availableCurrency } of list) {
        if (availableCurrency === '0') continue;
        const transfer = { currency: currencyName, amount: availableCurrency, type: '1' } as const;
        await trader.request(seconds.secondsTransfer, transfer);
      }
    }
    for (const pair of ['btcusdt', 'ethusdt']) await exchange.doors.spot.setStatus(pair, 'closed', BECAUSE);
    for (const asset of ['BTC', 'ETH', 'USDT']) await exchange.doors.halting.halt(asset, BECAUSE);
    await exchange.advanceTime(MINUTE_MS);
  }

  async function moneyOf({ id }: TestTrader): Promise<unknown> {
    const { rows } = await exchange.database.pool.query(
      'select address, asset, balance::text from ledger_account where owner = $1 order by 1, 2',
      [id],
    );
    return rows;
  }

  it('SEQ-600 SEQ-602 every endpoint that honours a key returns its first response again and moves no more money', async () => {
    const missing = ENDPOINTS.filter(({ idempotent }) => idempotent)
      .filter((endpoint) => !samples.some(([sampled]) => sampled === endpoint))
      .map(({ path }) => path);
    expect(missing, 'calls that honour a key and have no sample').toEqual([]);
    const executed: { endpoint: Endpoint; request: Request; data: unknown }[] = [];
    for (const [endpoint, sample] of samples) {
      const request = await sample();
      const answer = await request.trader.call(endpoint, { ...request.fields, clientId: 'once' });
      expect(answer.code, `${endpoint.path} ${answer.text}`).toBe(1);
      executed.push({ endpoint, request, data: answer.data });
    }
    await changeConditions(executed.map(({ request }) => request.trader));
    const differences = async (): Promise<unknown[]> => {
      const changed: unknown[] = [];
      for (const { endpoint, request, data } of executed) {
        const { trader, fields } = request;
        const balancesBefore = await moneyOf(trader);
        const answer = await trader.call(endpoint, { ...fields, clientId: 'once' });
        const isSame = JSON.stringify(answer.data) === JSON.stringify(data);
        if (answer.code !== 1 || !isSame) changed.push({ path: endpoint.path, data, answer: answer.text });
        expect(await moneyOf(trader), `${endpoint.path} moved money`).toEqual(balancesBefore);
      }
      return changed;
    };
    expect(await differences(), 'a minute later').toEqual([]);
    await exchange.restart();
    expect(await differences(), 'after a restart').toEqual([]);
    // Removes the five-character prefix of each stored request fingerprint, because older versions stored fingerprints
    // without it.
    const { rowCount } = await exchange.database.pool.query(
      `update idempotency set fingerprint = substr(fingerprint, 6) where key = 'once'`,
    );
    expect(rowCount).toBe(samples.length);
    expect(await differences(), 'stored by an older version').toEqual([]);
  }, 600_000);
});
