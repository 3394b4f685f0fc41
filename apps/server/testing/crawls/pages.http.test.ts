import { randomBytes } from 'node:crypto';
import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, HOUR_MS, instant } from '@exchange/core/time.ts';
import { claimFaucet } from '@exchange/wire/account.ts';
import { apiKeyRequests } from '@exchange/wire/api-key.ts';
import { ENDPOINTS } from '@exchange/wire/catalogue.ts';
import { acceptConvert, convertQuote, convertRecords } from '@exchange/wire/convert.ts';
import { depositRecords, proofRecords, sendTestDeposit, submitProof } from '@exchange/wire/deposit.ts';
import type { Endpoint } from '@exchange/wire/endpoint.ts';
import { fieldNames } from '@exchange/wire/examples.ts';
import { buyFinance, financeIncome, financeOrders, financeProducts } from '@exchange/wire/finance.ts';
import { exportRecords } from '@exchange/wire/export.ts';
import { pastOrders } from '@exchange/wire/fill-explanation.ts';
import { fundList, fundRecords } from '@exchange/wire/fund.ts';
import { inviteRewards, invitees } from '@exchange/wire/invite.ts';
import { messageCount, messagePage } from '@exchange/wire/message.ts';
import { accountEvents, tradeRecords } from '@exchange/wire/portfolio.ts';
import { taxArrivals, taxDisposals, taxLots } from '@exchange/wire/tax.ts';
import { proofConfig, proofFiles, proofTape, proofVoids } from '@exchange/wire/proof.ts';
import { recordedParts } from '@exchange/wire/recorded-book.ts';
import { liabilities } from '@exchange/wire/proofs.ts';
import { stamps } from '@exchange/wire/stamps.ts';
import { openSeconds, secondsMovements, secondsOrders, secondsTransfer } from '@exchange/wire/seconds.ts';
import { createGrid, gridOrders } from '@exchange/wire/grid.ts';
import { createLadder, ladders } from '@exchange/wire/ladder.ts';
import { algoOrders } from '@exchange/wire/twap.ts';
import {
  amendOrder,
  cancelAllOrders,
  createOrder,
  fillRecords,
  orderDetail,
  orderRecords,
  spotAssets,
  spotMovements,
} from '@exchange/wire/spot.ts';
import { projects, subscriptionRecords } from '@exchange/wire/subscription.ts';
import { eventually } from '../eventually.ts';
import { askSupport, supportRequests } from '@exchange/wire/support.ts';
import { CODE_TYPES, loginRecords, sendEmailCode } from '@exchange/wire/user.ts';
import {
  addAddress,
  addressList,
  submitWithdrawal,
  sendWithdrawalCode,
  withdrawalRecords,
} from '@exchange/wire/withdrawal.ts';
import { debts } from '@exchange/wire/treasury.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uploaded } from '../../src/modules/files/testing/uploads.ts';
import {
  createProduct,
  createSaver,
  purchase,
  TRADE_PASSWORD,
} from '../../src/modules/finance/testing/products.ts';
import { createFund, createHolding } from '../../src/modules/fund/testing/funds.ts';
import { createPlayer, openSecondsMarket, ticket } from '../../src/modules/seconds/testing/players.ts';
import { createProject, commitFor } from '../../src/modules/subscription/testing/projects.ts';
import { addKey } from '../../src/modules/public-api/testing/programs.ts';
import { nodeReads } from '../../src/node-reads.ts';
import { newId, systemRandom } from '../../src/platform/secrets/random.ts';
import { isSelectedByCommit } from '../../../../tools/test-form.ts';
import type { RequestFields } from '../calling.ts';
import { anExchange, type TestExchange, type TestTrader } from '../exchange.ts';
import { nodeReadsOf, type TestNodeReads } from '../node-reads.ts';
import { samplesFor, type Growing } from './product-crawls.ts';

const BTC = { baseCoin: 'BTC', quoteCoin: 'USDT' } as const;
const ETHEREUM = {
  currency: 'ETH',
  network: 'ERC20',
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
} as const;
const d = (text: string): Decimal => Decimal.parse(text);

type Row = Readonly<Record<string, unknown>>;

interface Page {
  readonly list: readonly Row[];
  readonly sum: number;
  readonly anchor?: string;
  readonly next?: string;
}

const ROWS = 5;
const PAGE_SIZE = 2;

describe('pages of every list', () => {
  let exchange: TestExchange;
  /** The calls that an API node answers from the database. */
  let node: TestNodeReads;
  let idCount = 0;

  beforeAll(async () => {
    exchange = await anExchange();
    await exchange.doors.convert.convert.fund('USDT', d('100000'), 'demo');
    await openSecondsMarket(exchange);
    node = await nodeReadsOf(exchange);
  });
  afterAll(async () => {
    await node.close();
    await exchange.close();
  });

  /** Returns an id that sorts after all ids that exist, including those created in the same millisecond. */
  function nextId(): string {
    idCount += 1;
    return newId(systemRandom, instant(Date.now() + DAY_MS + idCount));
  }

  /** Copies the reader's newest row of a table with `changes` in some columns, and inserts the copy. */
  async function repeatRow(table: string, reader: TestTrader, changes: Row): Promise<void> {
    const owner = ['security_event', 'message'].includes(table) ? 'user_id' : 'owner';
    await exchange.database.pool.query(
      `insert into ${table} select (jsonb_populate_record(found.youngest, $1::jsonb)).*
       from (select youngest from ${table} as youngest where ${owner} = $2 order by id desc limit 1) as found`,
      [JSON.stringify(changes), reader.id],
    );
  }

  /**
   * Advances the clock by 11 minutes, so that the previous code expires. Then calls `send` and returns the code that
   * the server has mailed because of it.
   */
  async function mailedCode(trader: TestTrader, send: () => Promise<unknown>): Promise<string> {
    await exchange.advanceTime(11 * 60_000);
    await send();
    const mail = await fetch(`${exchange.url}/dev/mail.json?to=${trader.email}`);
    const { list } = (await mail.json()) as { list: readonly { code?: string }[] };
    return list[0]!.code!;
  }

  const later = () => Date.now() + DAY_MS + (idCount += 1);

  /** Stores an event for the reader's tax report under a new number, and returns the number. */
  async function addTaxEvent(reader: TestTrader, category: string, amount: string): Promise<number> {
    idCount += 1;
    const { pool } = exchange.database;
    await pool.query(
      'insert into portfolio_cost_position (owner, entry) values ($1, 0) on conflict do nothing',
      [reader.id],
    );
    await pool.query(
      `insert into tax_event (owner, entry, asset, at, kind, category, amount, entries)
       values ($1, $2, 'BTC', $2, 'deposit.credited', $3, $4, 1)`,
      [reader.id, idCount, category, amount],
    );
    return idCount;
  }

  async function traderWithFills(): Promise<{ trader: TestTrader; add: () => Promise<unknown> }> {
    const trader = await exchange.aUser({ USDT: '10000' });
    const seller = await exchange.aUser({ BTC: '1' });
    const order = { ...BTC, price: '50000', amount: '0.001' } as const;
    const add = async () => {
      await seller.request(createOrder, { ...order, tradeType: 'sell' });
      await trader.request(createOrder, { ...order, tradeType: 'buy' });
    };
    return { trader, add };
  }

  /** Places a limit order that stays open. */
  function openOrder(trader: TestTrader) {
    return trader.request(createOrder, { ...BTC, tradeType: 'buy', price: '40000', amount: '0.001' });
  }

  async function traderWithLadders(): Promise<{ reader: TestTrader; add: () => Promise<unknown> }> {
    const reader = await exchange.aUser({ USDT: '10000' });
    const fields = {
      ...BTC,
      tradeType: 'buy',
      fromPrice: '44000',
      toPrice: '43000',
      count: '2',
      amount: '0.001',
    } as const;
    return { reader, add: () => reader.request(createLadder, fields) };
  }

  /**
   * Creates a reader with a grid on a pair without other orders. Each addition fills the grid's buy order and
   * the sell order that follows it, so that two more orders are placed.
   */
  async function traderWithGrid(): Promise<Growing> {
    const pair = { baseCoin: 'LTC', quoteCoin: 'USDT' } as const;
    const reader = await exchange.aUser({ USDT: '1000' });
    const partner = await exchange.aUser({ LTC: '100', USDT: '10000' });
    const place = (tradeType: 'buy' | 'sell', price: string, timeInForce: 'GTC' | 'IOC') =>
      partner.request(createOrder, { ...pair, tradeType, price, amount: '1', timeInForce });
    await place('buy', '99', 'GTC');
    await place('sell', '101', 'GTC');
    const { id } = await reader.request(createGrid, {
      ...pair,
      lowerPrice: '90',
      upperPrice: '100.5',
      levels: '2',
      investment: '80',
      slippage: '1',
    });
    await partner.request(cancelAllOrders, {});
    return {
      reader,
      fields: { id },
      add: async () => {
        await place('sell', '90', 'IOC');
        await place('buy', '100.5', 'IOC');
      },
    };
  }

  async function aPayer(): Promise<{ reader: TestTrader; send: () => Promise<unknown> }> {
    const reader = await createSaver(exchange, { ETH: '5' });
    const fields = { ...ETHEREUM, amount: '0.5', remark: 'ERC20' };
    const send = async () => {
      const code = await mailedCode(reader, () => reader.request(sendWithdrawalCode, fields));
      await reader.request(submitWithdrawal, { ...fields, assetsPwd: TRADE_PASSWORD, code });
    };
    return { reader, send };
  }

  const lists: readonly (readonly [Endpoint, () => Promise<Growing>])[] = [
    [
      apiKeyRequests,
      async () => {
        const reader = await exchange.aUser();
        const { requests } = exchange.doors.apiKeys;
        const { apiKey } = await addKey(exchange, reader.id, { name: 'pages' });
        const add = async () =>
          requests.record({
            keyId: apiKey.id,
            at: exchange.clock.now(),
            method: 'GET',
            path: '/api/v3/account',
            weight: 21,
            status: 200,
            code: 0,
            address: '203.0.113.7',
            durationUs: 900,
            ring: 'proven',
          });
        return { reader, add, fields: { id: apiKey.id } };
      },
    ],
    [
      loginRecords,
      async () => {
        const reader = await exchange.aUser();
        return { reader, add: () => repeatRow('security_event', reader, { id: nextId(), at: later() }) };
      },
    ],
    [
      invitees,
      async () => {
        const reader = await exchange.aUser();
        const add = async () => {
          const invitee = await exchange.aUser();
          await exchange.database.pool.query('update user_account set invited_by = $1 where id = $2', [
            reader.id,
            invitee.id,
          ]);
        };
        return { reader, add };
      },
    ],
    [
      inviteRewards,
      async () => {
        const reader = await exchange.aUser();
        let day = 20_000 * DAY_MS;
        const add = async () => {
          day += DAY_MS;
          await exchange.database.pool.query(
            `insert into invite_reward (invitee, day, asset, inviter, fee, discount, reward, at)
             values ($1, $2, 'USDT', $4, 10, 0, 1, $2), ($3, $2, 'BTC', $4, 10, 0, 1, $2)`,
            [nextId(), day, nextId(), reader.id],
          );
        };
        return { reader, add };
      },
    ],
    [
      fundList,
      async () => {
        const add = () => createFund(exchange, `fund${(idCount += 1)}`);
        return { reader: await exchange.aUser(), add, isCatalogue: true };
      },
    ],
    [
      fundRecords,
      async () => {
        const reader = await exchange.aUser({ USDT: '1000' });
        const fund = await createFund(exchange, 'pages');
        return { reader, add: () => createHolding(exchange, reader.id, fund, { margin: '50' }) };
      },
    ],
    [
      liabilities,
      async () => {
        let day = 10_000;
        const add = async () => {
          day += 1;
          await exchange.database.pool.query(
            `insert into proof_snapshot (day, at, entry, leaves, root, totals, key, signature)
             values ($1, 1, 1, 0, decode(repeat('00', 32), 'hex'), '[]', 'key', 'signature')`,
            [day],
          );
        };
        return { reader: await exchange.aUser(), add };
      },
    ],
    [
      stamps,
      async () => {
        let hour = 0;
        const add = async () => {
          hour += HOUR_MS;
          await exchange.database.pool.query('insert into stamp (hour, at, statement) values ($1, $1, $2)', [
            hour,
            `stamp|${hour}\n`,
          ]);
        };
        return { reader: await exchange.aUser(), add };
      },
    ],
    [
      secondsOrders,
      async () => {
        const reader = await createPlayer(exchange, '100');
        const add = async () => {
          await exchange.advanceTime(1_100);
          // After the clock moved, the index price is missing for a short time, so opening a position is retried.
          await expect
            .poll(async () => (await reader.call(openSeconds, ticket('up', '5'))).code, { timeout: 20_000 })
            .toBe(1);
        };
        return { reader, add };
      },
    ],
    [
      secondsMovements,
      async () => {
        const reader = await exchange.aUser({ ETH: '30' });
        const add = () => reader.request(secondsTransfer, { amount: '1', currency: 'ETH', type: '1' });
        return { reader, add };
      },
    ],
    [
      proofVoids,
      async () => {
        const add = () =>
          exchange.database.pool.query(
            `insert into seconds_interval values ($1, 'btcusdt', 1, 2, 'a test', 'test', 3)`,
            [nextId()],
          );
        return { reader: await exchange.aUser(), add };
      },
    ],
    [
      proofConfig,
      async () => {
        let version = 100;
        const add = () =>
          exchange.database.pool.query(
            `insert into seconds_terms select $1, terms, set_by, reason, at from seconds_terms
             order by version desc limit 1`,
            [(version += 1)],
          );
        return { reader: await exchange.aUser(), add };
      },
    ],
    [
      recordedParts,
      async () => {
        let seq = 1_000_000;
        const add = () =>
          exchange.database.pool.query(
            `insert into market_book_part values ('btcusdt', $1, 1, 2, null, null, 0, $2, 'key', 'signature', '\\x00')`,
            [(seq += 1), 'ab'.repeat(32)],
          );
        return { reader: await exchange.aUser(), fields: { symbol: 'btcusdt' }, add };
      },
    ],
    [
      proofFiles,
      async () => {
        let hour = 400_000 * HOUR_MS;
        const add = async () => {
          hour += HOUR_MS;
          await exchange.database.pool.query(
            `insert into market_tape_hour values ('btcusdt', $1, 1, 2, 3, 'hash', '\\x00', '\\x00')`,
            [hour],
          );
        };
        return { reader: await exchange.aUser(), fields: { symbol: 'btcusdt' }, add };
      },
    ],
    [
      convertRecords,
      async () => {
        const reader = await createSaver(exchange, { ETH: '50' });
        const add = async () => {
          const { quoteId } = await reader.request(convertQuote, {
            from: 'ETH',
            to: 'USDT',
            fromAmount: '1',
          });
          await reader.request(acceptConvert, { quoteId });
        };
        return { reader, add };
      },
    ],
    [
      financeProducts,
      async () => {
        const add = () => createProduct(exchange, `term${(idCount += 1)}`);
        return { reader: await exchange.aUser(), add, isCatalogue: true };
      },
    ],
    [
      financeOrders,
      async () => {
        const reader = await createSaver(exchange, { USDT: '1000' });
        const product = await createProduct(exchange, 'pages');
        return { reader, add: () => reader.request(buyFinance, purchase(product, '100')) };
      },
    ],
    [
      financeIncome,
      async () => {
        const reader = await createSaver(exchange, { USDT: '1000' });
        const product = await createProduct(exchange, 'income');
        const { orderId } = await reader.request(buyFinance, purchase(product, '100'));
        let day = 0;
        const add = async () => {
          day += 1;
          await exchange.database.pool.query(
            'insert into finance_income values ($1, $2::int, $3, $2::bigint * 86400000, 1, 1)',
            [orderId, day, reader.id],
          );
        };
        return { reader, add };
      },
    ],
    ...samplesFor(
      ({ lists: declared }) => declared,
      () => exchange,
    ),
    [
      depositRecords,
      async () => {
        const reader = await exchange.aUser();
        let sent = 0;
        const add = async () => {
          await reader.request(sendTestDeposit, { currency: 'ETH', network: 'ERC20', amount: '2' });
          sent += 1;
          await eventually(async () => {
            await exchange.doors.deposits.jobs.watch();
            expect((await reader.request(depositRecords)).sum).toBe(sent);
          });
        };
        return { reader, add };
      },
    ],
    [
      debts,
      async () => {
        const reader = await exchange.aUser();
        const add = () =>
          exchange.database.pool.query(
            `insert into treasury_debt (id, owner, asset, amount, paid, cause, reference, account, created_at, reason)
             values ($1, $2, 'BTC', 1, 0, 'correction', $1, 'house:fees', 1, 'a test')`,
            [nextId(), reader.id],
          );
        return { reader, add };
      },
    ],
    [
      proofRecords,
      async () => {
        const reader = await exchange.aUser();
        const { id: proof } = await uploaded(reader, 'proof', '#102030');
        const fields = { currency: 'USDT', network: 'BEP20', amount: '120', proof, remark: 'From my bank' };
        await reader.request(submitProof, fields);
        const add = () => {
          const id = nextId();
          return repeatRow('deposit_proof', reader, { id, request_key: id });
        };
        return { reader, add };
      },
    ],
    [
      withdrawalRecords,
      async () => {
        const { reader, send } = await aPayer();
        return { reader, add: send };
      },
    ],
    [
      addressList,
      async () => {
        const reader = await createSaver(exchange, {});
        const code = await mailedCode(reader, () =>
          reader.request(sendEmailCode, {
            email: reader.email,
            type: CODE_TYPES.address,
            act: addAddress.path,
            about: new URLSearchParams(ETHEREUM).toString(),
          }),
        );
        await reader.request(addAddress, { ...ETHEREUM, remark: 'ERC20', assetsPwd: TRADE_PASSWORD, code });
        const add = () => {
          const address = `0x${randomBytes(20).toString('hex')}`;
          return repeatRow('withdrawal_address', reader, { id: nextId(), address, created_at: later() });
        };
        return { reader, add };
      },
    ],
    [
      supportRequests,
      async () => {
        const reader = await exchange.aUser();
        await reader.request(askSupport, { topic: 'account', content: 'Where do I see my limits?' });
        const add = () => {
          const id = nextId();
          return repeatRow('support_request', reader, {
            id,
            number: idCount,
            created_at: later(),
            request_key: id,
          });
        };
        return { reader, add };
      },
    ],
    [
      messagePage,
      async () => {
        const reader = await exchange.aUser();
        await reader.request(claimFaucet);
        const add = () =>
          exchange.database.pool.query(
            `insert into message (id, user_id, type, kind, parameters, created_at)
             values ($1, $2, 1, 'welcome', '{}', $3)`,
            [nextId(), reader.id, later()],
          );
        return { reader, add };
      },
    ],
    [ladders, traderWithLadders],
    [gridOrders, traderWithGrid],
    [algoOrders, traderWithLadders],
    [
      orderRecords,
      async () => {
        const { trader, add } = await traderWithFills();
        return { reader: trader, add };
      },
    ],
    [
      fillRecords,
      async () => {
        const { trader, add } = await traderWithFills();
        return { reader: trader, add };
      },
    ],
    [spotAssets, async () => ({ reader: await exchange.aUser({ USDT: '1' }) })],
    [
      spotMovements,
      async () => {
        const { trader, add } = await traderWithFills();
        return { reader: trader, add };
      },
    ],
    [
      accountEvents,
      async () => {
        const { trader, add } = await traderWithFills();
        return { reader: trader, add };
      },
    ],
    [
      tradeRecords,
      async () => {
        const { trader, add } = await traderWithFills();
        return { reader: trader, add };
      },
    ],
    [
      taxDisposals,
      async () => {
        const reader = await exchange.aUser();
        const add = async () => {
          const entry = await addTaxEvent(reader, 'trade', '-1');
          return exchange.database.pool.query(
            `insert into tax_disposal (owner, entry, asset, at, category, amount, matched, fifo_costed, fifo_cost,
               average_costed, average_cost)
             values ($1, $2::bigint, 'BTC', 1577836800000 + $2::bigint, 'trade', 1, 1, 0, 0, 0, 0)`,
            [reader.id, entry],
          );
        };
        return { reader, fields: { year: '2020' }, add };
      },
    ],
    [
      taxLots,
      async () => {
        const reader = await exchange.aUser();
        const add = async () => {
          const entry = await addTaxEvent(reader, 'trade', '1');
          return exchange.database.pool.query(
            `with lot as (
               insert into tax_lot (owner, asset, entry, acquired_at, amount, remaining)
               values ($1, 'BTC', $2, 0, 1, 0)
             )
             insert into tax_use (owner, entry, asset, lot, amount) values ($1, 1, 'BTC', $2, 1)`,
            [reader.id, entry],
          );
        };
        return { reader, fields: { eventId: '1-BTC' }, add };
      },
    ],
    [
      taxArrivals,
      async () => {
        const reader = await exchange.aUser();
        return { reader, add: () => addTaxEvent(reader, 'transfer', '1') };
      },
    ],
    [
      projects,
      async () => {
        const add = () => {
          idCount += 1;
          return createProject(exchange, `sale${idCount}`, { symbol: `SALE${idCount}` });
        };
        return { reader: await exchange.aUser(), add, isCatalogue: true };
      },
    ],
    [
      subscriptionRecords,
      async () => {
        const reader = await createSaver(exchange, { USDT: '10000' });
        const add = async () => {
          idCount += 1;
          const project = await createProject(exchange, `part${idCount}`, { symbol: `PART${idCount}` });
          await commitFor(exchange, reader.id, project, '100');
        };
        return { reader, add };
      },
    ],
  ];

  const identityOf = (row: Row) => (typeof row['id'] === 'string' ? row['id'] : JSON.stringify(row));

  async function pageOf(endpoint: Endpoint, { reader, fields }: Growing, paging: Row): Promise<Page> {
    const answer = await reader.call(endpoint, { ...fields, ...paging });
    expect(answer.code, answer.text).toBe(1);
    return answer.data as Page;
  }

  it('WALK-950 covers every endpoint with pages', () => {
    const paged = ENDPOINTS.filter((endpoint) => fieldNames(endpoint).includes('pageNo'));
    expect(paged.length).toBeGreaterThan(25);
    expect(lists.map(([{ path }]) => path).toSorted()).toEqual(paged.map(({ path }) => path).toSorted());
  });

  /** Requires that an API node that reads the database gives the same answer as the writer. */
  async function requireSameAtNode<E extends Endpoint>(
    endpoint: E,
    reader: TestTrader,
    fields: RequestFields<E>,
  ): Promise<void> {
    const atWriter = await reader.call(endpoint, fields);
    expect(atWriter.code, atWriter.text).toBe(1);
    node.log.lines.length = 0;
    const atNode = await node.read(endpoint, reader, fields);
    expect(node.log.lines).toEqual([]);
    expect(atNode?.data).toEqual(atWriter.data);
  }

  it('CLU-108 every other call of API nodes is answered as by the writer', async () => {
    const { trader, add } = await traderWithFills();
    await add();
    const [order] = (await trader.request(orderRecords)).list;
    await trader.request(amendOrder, { id: (await openOrder(trader)).id, price: '41000' });
    const now = exchange.clock.now();
    const past = { startTime: String(now - HOUR_MS / 2), endTime: String(now + HOUR_MS / 2) };
    const tapeFrom = String(Math.floor((now - 5_000) / 1_000) * 1_000);
    const tape = { symbol: 'btcusdt', from: tapeFrom, to: String(Number(tapeFrom) + 2_000) };
    const others: readonly (readonly [Endpoint, Readonly<Record<string, string>>])[] = [
      [orderDetail, { id: order!.id }],
      [orderDetail, { id: (await openOrder(trader)).id }],
      [pastOrders, { ...BTC, ...past }],
      [messageCount, {}],
      [proofTape, tape],
      ...(['orders', 'fills', 'events', 'movements'] as const).map(
        (kind) => [exportRecords, { kind, ...past }] as const,
      ),
    ];
    for (const [endpoint, fields] of others) await requireSameAtNode(endpoint, trader, fields as never);
    const covered = new Set([...others, ...lists].map(([endpoint]) => endpoint));
    expect([...nodeReads].filter((endpoint) => !covered.has(endpoint)).map(({ path }) => path)).toEqual([]);
  });

  it('CLU-110 the writer answers what needs its memory, such as the trigger price of a waiting trailing stop', async () => {
    const trader = await exchange.aUser({ BTC: '1' });
    const stop = {
      ...BTC,
      tradeType: 'sell',
      orderType: 'trailing',
      amount: '0.001',
      trailPct: '5',
    } as const;
    const { id } = await trader.request(createOrder, stop);
    expect(await node.read(orderDetail, trader, { id })).toBeUndefined();
    expect(await node.read(orderRecords, trader)).toBeUndefined();
    expect((await node.read(orderRecords, trader, { entryStatus: '1' }))?.data.list).toEqual([]);
    expect(await node.read(accountEvents, trader, { entry: '1' })).toBeUndefined();
    expect(node.log.lines).toEqual([]);
  });

  // The short form of the test covers one third of the lists, which the current Git commit selects. The long form
  // covers all lists.
  const selected = lists.filter((_, index) => isSelectedByCommit(index % 3, 3));
  it.each(selected.map(([endpoint, make]) => [endpoint.path, endpoint, make] as const))(
    'WALK-951 %s returns each row exactly once while new rows arrive',
    async (_, endpoint, make) => {
      const growing = await make();
      for (let row = 0; row < ROWS; row += 1) await growing.add?.();
      if (nodeReads.has(endpoint))
        for (const paging of [{}, { pageSize: '2' }, { pageSize: '2', pageNo: '2' }])
          await requireSameAtNode(endpoint, growing.reader, { ...growing.fields, ...paging });
      const allRows = (await pageOf(endpoint, growing, { pageSize: '100' })).list.map(identityOf);
      expect(allRows.length).toBeGreaterThanOrEqual(ROWS);

      const seen: string[] = [];
      let page = await pageOf(endpoint, growing, { pageSize: String(PAGE_SIZE) });
      const anchor = page.anchor!;
      expect(page.sum).toBe(allRows.length);
      for (let pageNo = 2; ; pageNo += 1) {
        seen.push(...page.list.map(identityOf));
        if (page.next === undefined) break;
        await growing.add?.();
        const paging = { pageNo: String(pageNo), pageSize: String(PAGE_SIZE), anchor, after: page.next };
        page = await pageOf(endpoint, growing, paging);
      }
      const knownRows = new Set(allRows);
      expect(seen.filter((row) => growing.isCatalogue !== true || knownRows.has(row))).toEqual(allRows);
      expect(new Set(seen).size).toBe(seen.length);

      // A client that sends the anchor and a page number, but no `after`, gets pages that are counted from the anchor
      // row.
      const second = { pageNo: '2', pageSize: String(PAGE_SIZE) };
      const anchored = await pageOf(endpoint, growing, { ...second, anchor });
      expect(anchored.list.map(identityOf)).toEqual(seen.slice(PAGE_SIZE, 2 * PAGE_SIZE));
      // A client that sends only a page number gets other rows on that page after new rows were added.
      const byNumber = async () => (await pageOf(endpoint, growing, second)).list.map(identityOf);
      const isMoving = growing.add !== undefined && growing.isCatalogue !== true;
      const expected = JSON.stringify(seen.slice(PAGE_SIZE, 2 * PAGE_SIZE));
      await expect.poll(async () => !isMoving || JSON.stringify(await byNumber()) !== expected).toBe(true);

      for (const field of ['anchor', 'after']) {
        const broken = { ...growing.fields, ...second, [field]: 'no place' };
        expect((await growing.reader.call(endpoint, broken as never)).errKey).toBe('l.field_invalid');
      }
    },
  );
});
