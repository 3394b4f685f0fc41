import { apiKeyRequests, revokeApiKey } from '@exchange/wire/api-key.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { claimFaucet } from '@exchange/wire/account.ts';
import { ENDPOINTS } from '@exchange/wire/catalogue.ts';
import type { Endpoint } from '@exchange/wire/endpoint.ts';
import { messageDetail, messagePage, readMessages } from '@exchange/wire/message.ts';
import { changePush } from '@exchange/wire/push.ts';
import { askSupport, replySupport, supportThread } from '@exchange/wire/support.ts';
import { askAboutTransfer } from '@exchange/wire/tracking.ts';
import { renameSubAccount } from '@exchange/wire/sub-account.ts';
import { cancelChase, chaseDetail, createChase } from '@exchange/wire/chase.ts';
import { cancelGrid, createGrid, gridDetail, gridOrders } from '@exchange/wire/grid.ts';
import { cancelIceberg, createIceberg, icebergDetail } from '@exchange/wire/iceberg.ts';
import { cancelLadder, createLadder, ladderDetail } from '@exchange/wire/ladder.ts';
import { cancelTwap, createTwap, twapDetail } from '@exchange/wire/twap.ts';
import { amendOrder, cancelOrder, createOrder, fillRecords, orderDetail } from '@exchange/wire/spot.ts';
import {
  freezeAccount,
  logout,
  removePasskey,
  renamePasskey,
  revokeSession,
  sessions,
} from '@exchange/wire/user.ts';
import { addAlert, removeAlert } from '@exchange/wire/watchlist.ts';
import { ownFile } from '@exchange/wire/file.ts';
import { cancelProof, depositDetail, depositRecords, submitProof } from '@exchange/wire/deposit.ts';
import {
  cancelWithdrawal,
  removeAddress,
  renameAddress,
  withdrawalDetail,
} from '@exchange/wire/withdrawal.ts';
import { fillExplanation } from '@exchange/wire/fill-explanation.ts';
import { buyFinance, financeOrderDetail, financeOrders, withdrawFinance } from '@exchange/wire/finance.ts';
import {
  claimTokens,
  commitToProject,
  reduceCommitment,
  subscriptionRecordDetail,
} from '@exchange/wire/subscription.ts';
import {
  addFundMargin,
  buyFund,
  cancelFundSell,
  fundRecordDetail,
  previewFund,
  sellFund,
} from '@exchange/wire/fund.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, later } from '@exchange/core/time.ts';
import { createProduct } from '../../src/modules/finance/testing/products.ts';
import { soldProject } from '../../src/modules/subscription/testing/projects.ts';
import { createFund, createHolding } from '../../src/modules/fund/testing/funds.ts';
import { createPlayer, openSecondsMarket, ticket } from '../../src/modules/seconds/testing/players.ts';
import { addKey } from '../../src/modules/public-api/testing/programs.ts';
import { openSeconds, secondsDetail } from '@exchange/wire/seconds.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uploaded } from '../../src/modules/files/testing/uploads.ts';
import { eventually } from '../eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../exchange.ts';
import { PRODUCT_CRAWLS } from './product-crawls.ts';
import { rawCall, requireNoErrors } from './raw-call.ts';
import { fieldNames, exampleOf } from '@exchange/wire/examples.ts';

/** Form text with the fields that an endpoint requires besides `id`, by the endpoint's path. */
const ADDITIONAL_FIELDS: Readonly<Record<string, string>> = {
  [amendOrder.path]: '&price=48000',
  [askAboutTransfer.path]: '&transferKind=report&content=Mine',
  [changePush.path]: '&kinds=fills&timeZone=UTC',
  [replySupport.path]: '&content=Mine',
  [renamePasskey.path]: '&name=Walked',
  [renameSubAccount.path]: '&name=Walked',
  [sellFund.path]: '&quantity=1&sellType=1',
};
const SESSION_ENDED = { code: -2, errKey: 'l.session_ended' };

describe('access', () => {
  let exchange: TestExchange;
  let signedIn: TestTrader;
  let deadToken: string;

  beforeAll(async () => {
    exchange = await anExchange();
    signedIn = await exchange.aUser();
    const signedOut = await exchange.aUser();
    await signedOut.request(logout);
    deadToken = signedOut.token;
  });

  afterAll(async () => {
    requireNoErrors(exchange);
    await exchange.close();
  });

  const formOf = (endpoint: Endpoint) => new URLSearchParams(exampleOf(endpoint, Date.now())).toString();
  const send = (endpoint: Endpoint, headers: Record<string, string> = {}, form = formOf(endpoint)) =>
    rawCall(exchange, { endpoint, form, headers });
  const userEndpoints = ENDPOINTS.filter(({ access }) => access.who === 'user');
  const publicEndpoints = ENDPOINTS.filter(({ access }) => access.who === 'anyone');

  it.each(userEndpoints.map((endpoint) => [endpoint.path, endpoint] as const))(
    'WALK-010 %s answers −2 without a valid session, wherever a token is put',
    async (_, endpoint) => {
      const { token } = signedIn;
      const form = formOf(endpoint);
      const withoutToken = [
        send(endpoint),
        send(endpoint, { 'x-access-token': deadToken }),
        send(endpoint, { 'x-access-token': randomBytes(32).toString('base64url') }),
        send(endpoint, { 'x-access-token': "' or '1'='1" }),
        send(endpoint, { 'x-access-token': 'a'.repeat(8_000) }),
        send(endpoint, { authorization: `Bearer ${token}` }),
        send(endpoint, { cookie: `token=${token}; X-Access-Token=${token}` }),
        send(
          endpoint,
          {},
          fieldNames(endpoint).includes('token') ? `token=${token}` : `${form}&token=${token}`,
        ),
      ];
      for (const answer of await Promise.all(withoutToken)) expect(answer).toMatchObject(SESSION_ENDED);
    },
  );

  it.each(publicEndpoints.map((endpoint) => [endpoint.path, endpoint] as const))(
    'WALK-011 %s serves visitors and users whose session has ended',
    async (_, endpoint) => {
      expect((await send(endpoint)).code).not.toBe(-2);
      expect((await send(endpoint, { 'x-access-token': deadToken })).code).not.toBe(-2);
    },
  );

  describe('between two users', () => {
    let owner: TestTrader;
    let stranger: TestTrader;
    /** Ids of objects that the test's owner owns, by the path of the endpoint that takes them. */
    let owned: Record<string, string>;

    beforeAll(async () => {
      [owner, stranger] = [await exchange.aUser({ USDT: '1000' }), await exchange.aUser()];
      await exchange.database.pool.query('update user_account set kyc_status = 2 where id = $1', [owner.id]);
      await owner.request(claimFaucet);
      const order = await owner.request(createOrder, {
        baseCoin: 'BTC',
        quoteCoin: 'USDT',
        tradeType: 'buy',
        price: '49000',
        amount: '0.001',
      });
      const session = (await owner.request(sessions)).list[0]!;
      const notice = (await owner.request(messagePage)).list[0];
      const alert = await owner.request(addAlert, { symbol: 'btcusdt', condition: 'lte', price: '40000' });
      await createProduct(exchange, 'walk', { isManual: true });
      const house = { origin: 'walk', since: later(exchange.clock.now(), -20 * DAY_MS) };
      await exchange.doors.finance.finance.buyForSystem(owner.id, 'walk', Decimal.parse('100'), house);
      const holding = await createHolding(exchange, owner.id, await createFund(exchange, 'walk'));
      await openSecondsMarket(exchange);
      const position = await createPlayer(exchange, '20', owner);
      const { id: positionId } = await position.request(openSeconds, ticket('up', '5'));
      const { deposits, withdrawals } = exchange.doors;
      const tron = { asset: 'USDT', network: 'TRC20', address: 'TXWDBkB9Aqx23TWujNGkTedEogxzD2MkEc' };
      const emptyFields = { memo: undefined, remark: undefined };
      const storedAddress = await withdrawals.addressBook.add(owner.id, { ...tron, ...emptyFields });
      const newAddress = {
        ...tron,
        address: 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL',
        ...emptyFields,
        addressId: undefined,
      };
      const request = { ...newAddress, amount: Decimal.parse('10') };
      const withdrawal = await withdrawals.withdrawals.submit(owner.id, request);
      await deposits.deposits.sendTest(owner.id, { ...tron, amount: Decimal.parse('5') }, 'walk');
      await deposits.jobs.watch();
      const sale = await soldProject(exchange, owner);
      const { id: proof } = await uploaded(owner, 'proof');
      const report = await owner.request(submitProof, {
        currency: 'USDT',
        network: 'BEP20',
        amount: '20',
        proof,
        remark: 'mine',
      });
      const question = await owner.request(askSupport, { topic: 'account', content: 'Where are my limits?' });
      const newApiKey = async () => {
        const { apiKey } = await addKey(exchange, owner.id, { name: 'walk' });
        return apiKey;
      };
      const passkeyId = randomUUID();
      await exchange.database.pool.query(
        `insert into passkey (id, user_id, credential_id, public_key, sign_count, kind, name, created_at)
         values ($1, $2, $3, $3, 0, 'key', 'walk', 0)`,
        [passkeyId, owner.id, randomBytes(16)],
      );
      const ladder = await owner.request(createLadder, {
        baseCoin: 'BTC',
        quoteCoin: 'USDT',
        tradeType: 'buy',
        fromPrice: '44000',
        toPrice: '43000',
        count: '2',
        amount: '0.001',
      });
      const iceberg = await owner.request(createIceberg, {
        baseCoin: 'BTC',
        quoteCoin: 'USDT',
        tradeType: 'buy',
        price: '44000',
        amount: '0.001',
        visible: '0.0005',
      });
      const chase = await owner.request(createChase, {
        baseCoin: 'BTC',
        quoteCoin: 'USDT',
        tradeType: 'buy',
        amount: '0.001',
        distance: '1',
        minutes: '60',
      });
      const seller = await exchange.aUser({ BTC: '0.01' });
      await seller.request(createOrder, {
        baseCoin: 'BTC',
        quoteCoin: 'USDT',
        tradeType: 'sell',
        price: '50000',
        amount: '0.001',
      });
      const grid = await owner.request(createGrid, {
        baseCoin: 'BTC',
        quoteCoin: 'USDT',
        lowerPrice: '45000',
        upperPrice: '49600',
        levels: '2',
        investment: '50',
        slippage: '1',
      });
      const twap = await owner.request(createTwap, {
        baseCoin: 'BTC',
        quoteCoin: 'USDT',
        tradeType: 'buy',
        amount: '0.001',
        minutes: '60',
        count: '2',
        slippage: '0.5',
      });
      const [fill] = await eventually(async () => {
        const { list } = await owner.request(fillRecords);
        expect(list).not.toEqual([]);
        return list;
      });
      const [apiKey, loggedKey] = [await newApiKey(), await newApiKey()];
      owned = {
        [sellFund.path]: holding,
        [cancelFundSell.path]: holding,
        [claimTokens.path]: sale.commitmentId,
        [subscriptionRecordDetail.path]: sale.commitmentId,
        [fundRecordDetail.path]: holding,
        [secondsDetail.path]: positionId,
        [cancelProof.path]: report.id,
        [depositDetail.path]: (await owner.request(depositRecords)).list[0]!.id,
        [askAboutTransfer.path]: report.id,
        [supportThread.path]: question.id,
        [replySupport.path]: question.id,
        [withdrawalDetail.path]: withdrawal.id,
        [cancelWithdrawal.path]: withdrawal.id,
        [renameAddress.path]: storedAddress.id,
        [renamePasskey.path]: passkeyId,
        [withdrawFinance.path]: (await owner.request(financeOrders)).list[0]!.id,
        [financeOrderDetail.path]: (await owner.request(financeOrders)).list[0]!.id,
        [ownFile.path]: (await uploaded(owner, 'identity')).id,
        [removeAlert.path]: alert.id,
        [revokeApiKey.path]: apiKey.id,
        [apiKeyRequests.path]: loggedKey.id,
        [amendOrder.path]: order.id,
        [cancelOrder.path]: order.id,
        [orderDetail.path]: order.id,
        [cancelChase.path]: chase.id,
        [chaseDetail.path]: chase.id,
        [cancelGrid.path]: grid.id,
        [gridDetail.path]: grid.id,
        [gridOrders.path]: grid.id,
        [cancelIceberg.path]: iceberg.id,
        [icebergDetail.path]: iceberg.id,
        [cancelLadder.path]: ladder.id,
        [ladderDetail.path]: ladder.id,
        [cancelTwap.path]: twap.id,
        [twapDetail.path]: twap.id,
        [fillExplanation.path]: fill!.tradeId,
        [revokeSession.path]: session.id,
        [messageDetail.path]: notice?.id ?? '',
        [readMessages.path]: notice?.id ?? '',
      };
      for (const crawl of PRODUCT_CRAWLS)
        for (const [path, id] of Object.entries((await crawl.owned?.(exchange, owner)) ?? {}))
          owned[path] = id;
    });

    // Not tested: endpoints that take a product's id, and those that need the owner's trade password or a code mailed
    // to the owner (SEC-941).
    const endpointsWithId = userEndpoints.filter(
      (endpoint) =>
        fieldNames(endpoint).includes('id') &&
        ![
          addFundMargin,
          buyFinance,
          buyFund,
          previewFund,
          commitToProject,
          reduceCommitment,
          removeAddress,
          removePasskey,
          ...PRODUCT_CRAWLS.flatMap(({ shared = [] }) => shared),
        ].some((excluded: Endpoint) => excluded === endpoint),
    );

    it.each(endpointsWithId.map((endpoint) => [endpoint.path, endpoint] as const))(
      'WALK-012 %s answers another user’s id like an id that does not exist',
      async (path, endpoint) => {
        const id = owned[path];
        expect(id, `write down whose id ${path} takes`).toMatch(/^[0-9a-f-]{36}$/);
        const asStranger = { 'x-access-token': stranger.token };
        const additional = ADDITIONAL_FIELDS[path] ?? '';
        const otherUsers = await send(endpoint, asStranger, `id=${id}${additional}`);
        const missing = await send(endpoint, asStranger, `id=${randomUUID()}${additional}`);
        const comparable = ({ status, code, msg, errKey, data }: typeof otherUsers) => ({
          status,
          code,
          msg,
          errKey,
          data,
        });
        expect(comparable(otherUsers)).toEqual(comparable(missing));
        // Revoking the owner's session would sign the owner out, so it is not tried.
        if (endpoint === revokeSession) return;
        const ownersAnswer = await send(endpoint, { 'x-access-token': owner.token }, `id=${id}${additional}`);
        expect(ownersAnswer.code).toBe(1);
      },
    );

    it('WALK-013 no response to a user contains data of another user', async () => {
      const secrets = [owner.id, owner.email, ...Object.values(owned)];
      for (const endpoint of userEndpoints) {
        const { text } = await send(endpoint, { 'x-access-token': stranger.token });
        for (const secret of secrets) expect(text, endpoint.path).not.toContain(secret);
        if (endpoint === logout || endpoint === freezeAccount) stranger = await exchange.aUser();
      }
    });
  });
});
