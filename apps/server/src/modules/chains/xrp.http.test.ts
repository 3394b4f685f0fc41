import { Decimal } from '@exchange/core/decimal.ts';
import { Refused } from '@exchange/core/refusal.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@exchange/core/time.ts';
import { depositAddress, depositNetworks, depositRecords } from '@exchange/wire/deposit.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { withdrawalDetail } from '@exchange/wire/withdrawal.ts';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { FakeRippled, OUTSIDER } from '../../../testing/fake-rippled.ts';
import { operate, operateAs } from '../../../testing/operators.ts';
import { comparedWithChain, expectComparison } from '../../../testing/restores.ts';
import { SIGNED_SERVER_SECRET } from '../../../testing/signers.ts';
import { anXrpSigner, XRP_TEST_NETWORK } from '../../../testing/test-xrp-signer.ts';
import { xrpState } from '../../commands/restore/chain-states.ts';
import { paymentsIn } from '../../commands/restore/signed-payments.ts';
import { XRP_LIFETIME_MAX } from './xrp-domain.ts';
import { XrpNode } from './xrp-node.ts';
import { createSaver } from '../finance/testing/products.ts';

const RECIPIENT = 'rDNvjMc6LjtpR7BdfiSNvavUBjznhhmpNq';
const COLD = 'rLHzPsX6oXkzU2qL12kHCH8G8cnZv1rBJh';
const UNFUNDED = 'rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B';
const XRP = 10n ** 6n;
const REQUIRES_TAG = 0x0002_0000;

let node: FakeRippled;
let signer: Awaited<ReturnType<typeof anXrpSigner>>;
let exchange: TestExchange;
let account: string;

beforeAll(async () => {
  node = new FakeRippled();
  await node.start();
  signer = await anXrpSigner({ cold: COLD });
  account = signer.signer.address;
  node.fund(account, 1_000n * XRP);
  node.fund(RECIPIENT, 50n * XRP);
  exchange = await anExchange({
    settings: {
      XRP_RPC_URL: node.url,
      XRP_ACCOUNT: account,
      XRP_NETWORK_ID: String(XRP_TEST_NETWORK),
      XRP_COLD_WALLET: COLD,
      XRP_SIGNER: signer.place,
      XRP_SIGNER_SECRET_FILE: signer.secretFile,
      XRP_FEE_DROPS: '12/500',
      SERVER_SECRET: SIGNED_SERVER_SECRET,
    },
  });
  await watch();
});
afterEach(() => {
  node.distort = undefined;
  node.complete = undefined;
  node.isDeaf = false;
});
afterAll(async () => {
  await exchange?.close();
  await signer?.close();
  await node?.stop();
});

// Runs the deposit job twice, because one run reads only a limited number of ledgers.
const watch = async () => {
  await exchange.doors.deposits.jobs.watch();
  await exchange.doors.deposits.jobs.watch();
};
const close = async (ledgers = 1) => {
  await node.close(ledgers);
  await watch();
};
const destination = async (trader: TestTrader) => {
  const { address, memo } = await trader.request(depositAddress, { currency: 'XRP', network: 'XRP' });
  return { to: address, tag: Number(memo) };
};
const balances = async (trader: TestTrader) => {
  const { availableCurrency, frozenCurrency } = (await trader.request(spotAssets, { currency: 'XRP' }))
    .list[0]!;
  return `${availableCurrency} ${frozenCurrency}`;
};
const available = async (trader: TestTrader) => (await balances(trader)).split(' ')[0];
const arrivals = async () => {
  const answer = await operateAs(exchange, 'owner', '/ops/treasury/arrivals');
  const { arrivals: list } = (await answer.json()) as {
    arrivals: readonly { txid: string; memo?: string; remark?: string; amount: string }[];
  };
  return new Map(list.map((arrival) => [arrival.txid, arrival]));
};
const logged = (event: string) => exchange.log.lines.filter((line) => line.event === event);

it('XRP-002 users share an address and have a tag each, which never changes and is checked before it is shown', async () => {
  const [ann, bob] = [await exchange.aUser(), await exchange.aUser()];
  expect((await ann.request(depositNetworks, { currency: 'XRP' })).list).toMatchObject([
    { network: 'XRP', channel: 'xrp', confirmations: 1, memoNeeded: 1, status: 1 },
  ]);
  const [first, second] = [await destination(ann), await destination(bob)];
  expect([first.to, second.to]).toEqual([account, account]);
  expect(second.tag).not.toBe(first.tag);
  expect(await destination(ann)).toEqual(first);
  await exchange.database.pool.query('update deposit_address set memo = $2 where owner = $1', [
    bob.id,
    String(first.tag + 1_000),
  ]);
  expect((await bob.call(depositAddress, { currency: 'XRP', network: 'XRP' })).code).not.toBe(1);
});

it('XRP-003 XRP-004 what a successful payment delivered is credited in its validated ledger, page by page, and across a restart', async () => {
  const [ann, bob] = [await exchange.aUser(), await exchange.aUser()];
  const [toAnn, toBob] = [await destination(ann), await destination(bob)];
  for (let count = 0; count < 5; count += 1) node.pay({ ...toAnn, drops: 10n * XRP + 1n });
  // A partial payment: its stated amount is 9,000 XRP, but it delivers 7 XRP.
  node.pay({ ...toBob, drops: 9_000n * XRP, delivered: 7n * XRP });
  node.pay({ ...toBob, drops: 500n * XRP, result: 'tecPATH_DRY' });
  await watch();
  expect([await available(ann), await available(bob)]).toEqual(['0', '0']);
  await close();
  expect([await available(ann), await available(bob)]).toEqual(['50.000005', '7']);
  expect((await bob.request(depositRecords)).list).toMatchObject([
    { amount: '7', confirm: 1, needConfirm: 1, status: 1 },
  ]);
  await exchange.restart();
  await close(3);
  expect([await available(ann), await available(bob)]).toEqual(['50.000005', '7']);
});

it('XRP-005 XRP-006 a missing or unknown tag, an amount that the node does not say or contradicts, and other kinds are credited to nobody and queued', async () => {
  const trader = await exchange.aUser();
  const to = await destination(trader);
  const hashes = {
    untagged: node.pay({ to: account, drops: 11n * XRP }),
    unknown: node.pay({ to: account, tag: 4_294_967_295, drops: 12n * XRP }),
    unsaid: node.pay({ ...to, drops: 13n * XRP, said: null }),
    unavailable: node.pay({ ...to, drops: 13n * XRP, said: 'unavailable' }),
    contradicted: node.pay({ ...to, drops: 9_000n * XRP, delivered: 14n * XRP, said: '9000000000' }),
    deleted: node.pay({ ...to, drops: 15n * XRP, type: 'AccountDelete' }),
    // A payment in an issued currency that is also named XRP changes no balance of XRP.
    issued: node.pay({
      ...to,
      drops: 0n,
      said: { currency: 'XRP', issuer: OUTSIDER, value: '1000' },
    }),
  };
  await close();
  expect(await available(trader)).toBe('0');
  const queue = await arrivals();
  expect(queue.get(hashes.untagged)).toMatchObject({ amount: '11' });
  expect(queue.get(hashes.unknown)).toMatchObject({ amount: '12', memo: '4294967295' });
  const tag = `tag ${to.tag}`;
  expect(queue.get(hashes.unsaid)).toMatchObject({ amount: '13', remark: expect.stringContaining(tag) });
  expect(queue.get(hashes.unavailable)).toMatchObject({ amount: '13' });
  expect(queue.get(hashes.contradicted)).toMatchObject({
    amount: '14',
    remark: `the node says that 9000 XRP were delivered, ${tag}`,
  });
  expect(queue.get(hashes.deleted)).toMatchObject({ amount: '15', remark: `AccountDelete, ${tag}` });
  expect(queue.has(hashes.issued)).toBe(false);
});

it('XRP-007 XRP-008 a gap in the ledgers, an answer that is not validated and another history stop the reading with their reason, and nothing is lost or credited twice', async () => {
  const trader = await exchange.aUser();
  const to = await destination(trader);
  const reason = () => exchange.doors.chains.health().reason;
  const fault = async (plant: () => void, expected: string) => {
    plant();
    node.pay({ ...to, drops: XRP });
    await close();
    await exchange.advanceTime(2 * MINUTE_MS);
    await watch();
    expect(reason()).toContain(expected);
    node.distort = undefined;
    node.complete = undefined;
  };
  await fault(() => {
    node.complete = `1-${node.ledger},${node.ledger + 2}-${node.ledger + 9}`;
  }, 'needed without a gap');
  expect(await available(trader)).toBe('0');
  await watch();
  expect(await available(trader)).toBe('1');
  await fault(() => {
    node.distort = (method, result) => {
      if (method !== 'account_tx') return;
      result['transactions'] = (result['transactions'] as object[]).map((entry) => ({
        ...entry,
        validated: false,
      }));
    };
  }, 'is not validated');
  await fault(() => {
    node.distort = (method, result) => {
      if (method === 'account_tx') result['ledger_index_max'] = node.ledger - 1;
    };
  }, 'the node read the ledgers');
  await fault(() => {
    node.distort = (method, result) => {
      if (method === 'ledger') result['ledger_hash'] = 'A'.repeat(64);
    };
  }, 'another network, or it lies');
  await fault(() => {
    node.distort = (method, result) => {
      if (method === 'server_state') (result['state'] as { network_id: number }).network_id = 0;
    };
  }, 'the node is on the network 0');
  // The node has fewer ledgers than before. The exchange must not report it as a node with another history.
  const ahead = node.ledger;
  node.ledger -= 2;
  await watch();
  node.ledger = ahead;
  await watch();
  expect(await available(trader)).toBe('5');
  expect(exchange.doors.chains.health().isUp).toBe(true);
  expect((await trader.request(depositRecords)).list).toHaveLength(5);
});

const move = async () => {
  await exchange.doors.withdrawals.jobs.advance();
  await exchange.doors.withdrawals.jobs.advance();
};
const savers: TestTrader[] = [];
const saver = async () => {
  savers[0] ??= await createSaver(exchange, { XRP: '2000' });
  await exchange.advanceTime(DAY_MS + HOUR_MS);
  return savers[0];
};
const submit = async (trader: TestTrader, amount: string, address: string, memo?: string) => {
  const { addressBook, withdrawals } = exchange.doors.withdrawals;
  const place = { asset: 'XRP', network: 'XRP', address, memo, remark: undefined };
  const { id: entry } = await addressBook.add(trader.id, {
    ...place,
    withoutMemo: memo === undefined,
    activeAt: exchange.clock.now(),
  });
  await addressBook.remove(trader.id, entry);
  return withdrawals.submit(trader.id, {
    ...place,
    withoutMemo: memo === undefined,
    amount: Decimal.parse(amount),
    addressId: undefined,
  });
};
/** Submits a withdrawal and approves it directly, without the HTTP requests that other tests cover. */
const withdraw = async (trader: TestTrader, amount: string, address = RECIPIENT, memo?: string) => {
  const { id } = await submit(trader, amount, address, memo);
  await exchange.doors.withdrawals.review.decide(id, 'approve', { by: 'an operator', persons: 2 });
  return id;
};
const detail = async (id: string) => (await saver()).request(withdrawalDetail, { id });
const signedFor = async (id: string) => exchange.doors.chains.chains.signedFor('XRP', `withdrawal ${id}`);

it('XRP-020 XRP-021 a withdrawal is paid once with its tag, its fee is booked and the holdings are those of the ledger', async () => {
  const trader = await saver();
  const before = node.balance(RECIPIENT);
  const id = await withdraw(trader, '30.25', RECIPIENT, '9');
  await move();
  expect(await detail(id)).toMatchObject({ status: 3, stage: 'sent' });
  await exchange.restart();
  await move();
  await close();
  await move();
  expect(await detail(id)).toMatchObject({ status: 1, realAmount: '30' });
  expect(node.balance(RECIPIENT) - before).toBe(30n * XRP);
  const paid = await exchange.doors.chains.chains.paymentsIn('XRP', (await detail(id)).txid!);
  expect(paid).toMatchObject([{ address: RECIPIENT, memo: '9', isFinal: true }]);
  const channel = exchange.doors.chains.chains.channels.find(({ kind }) => kind === 'xrp')!;
  const held = (await channel.wallets!.holdings(channel.height())).get('XRP')!;
  expect(held.toScaled(6)).toBe(node.balance(account));
  expect((await channel.fees!.unbooked(10)).map(({ amount }) => amount.toString())).toEqual(['0.000012']);
});

it('XRP-022 a transaction that ended without a ledger is signed again with its sequence number, whatever the node said, and pays once', async () => {
  const trader = await saver();
  const before = node.balance(RECIPIENT);
  node.isDeaf = true;
  const id = await withdraw(trader, '20.25');
  await move();
  expect(await signedFor(id)).toHaveLength(1);
  await close(15);
  await exchange.advanceTime(MINUTE_MS);
  await move();
  expect(await signedFor(id)).toHaveLength(1);
  await close(10);
  await move();
  const [first, second] = await signedFor(id);
  expect(second!.nonce).toBe(first!.nonce);
  expect(logged('chains.payment_renewed')).toHaveLength(1);
  node.isDeaf = false;
  await exchange.advanceTime(MINUTE_MS);
  await move();
  await close();
  await move();
  expect(await detail(id)).toMatchObject({ status: 1, txid: second!.txid });
  expect(node.balance(RECIPIENT) - before).toBe(20n * XRP);
});

it('XRP-023 a payment that fails in a validated ledger costs its fee only, and its amount comes back', async () => {
  const trader = await saver();
  const held = await balances(trader);
  const id = await withdraw(trader, '20.25');
  await move();
  // The recipient starts to require a tag after the transaction was signed.
  node.accounts.get(RECIPIENT)!.flags = REQUIRES_TAG;
  await close();
  await move();
  node.accounts.get(RECIPIENT)!.flags = 0;
  expect(await detail(id)).toMatchObject({ status: 4 });
  expect(await balances(trader)).toBe(held);
});

it('XRP-024 recipients that would not get it are refused before anything is held: an unfunded account, a missing tag, a closed account', async () => {
  const trader = await saver();
  const held = await balances(trader);
  const refusalOf = async (...request: Parameters<typeof submit>) =>
    submit(...request).then(
      () => undefined,
      (cause: unknown) => (cause instanceof Refused ? cause.refusal.key : cause),
    );
  node.distort = (method, result) => {
    // The network requires a reserve of 20 XRP of every account, so a withdrawal of 20.24 XRP, of which 19.99
    // XRP arrive after the fee, cannot create the recipient's account.
    if (method === 'server_state')
      Object.assign((result['state'] as { validated_ledger: object }).validated_ledger, {
        reserve_base: 20_000_000,
      });
  };
  expect(await refusalOf(trader, '20.24', UNFUNDED)).toBe('l.recipient_unfunded');
  node.distort = undefined;
  node.accounts.get(RECIPIENT)!.flags = REQUIRES_TAG;
  expect(await refusalOf(trader, '20.25', RECIPIENT)).toBe('l.recipient_tag');
  node.accounts.get(RECIPIENT)!.flags = 0x0100_0000;
  expect(await refusalOf(trader, '20.25', RECIPIENT)).toBe('l.recipient_closed');
  node.accounts.get(RECIPIENT)!.flags = 0;
  expect(await balances(trader)).toBe(held);
});

it('XRP-025 the reserve of the ledger stays in the account: a payment that would need it waits with its reason', async () => {
  const trader = await saver();
  const spare = node.balance(account) - 30n * XRP;
  node.accounts.get(account)!.balance -= spare;
  const id = await withdraw(trader, '29.75');
  await move();
  expect(await detail(id)).toMatchObject({ status: 3, stage: 'approved' });
  expect(exchange.doors.chains.health().reason).toContain('reserve');
  node.accounts.get(account)!.balance += spare;
  await exchange.advanceTime(HOUR_MS);
  await move();
  await close();
  await move();
  expect(await detail(id)).toMatchObject({ status: 1 });
});

it('XRP-026 a withdrawal that is returned never happens: a transaction of nothing takes its sequence number, and the amount comes back', async () => {
  const trader = await saver();
  const [held, before] = [await balances(trader), node.balance(RECIPIENT)];
  node.isDeaf = true;
  const id = await withdraw(trader, '20.25');
  await move();
  const reason = { reason: 'a test', because: 'userRequest' };
  await operate(exchange, `/ops/withdrawals/${id}/return`, reason);
  await move();
  expect((await signedFor(id)).map(({ isVoid }) => isVoid)).toEqual([false, true]);
  expect(await detail(id)).toMatchObject({ status: 3, stage: 'returning' });
  node.isDeaf = false;
  await exchange.advanceTime(MINUTE_MS);
  await move();
  await close();
  await move();
  expect(await detail(id)).toMatchObject({ status: 6 });
  expect([await balances(trader), node.balance(RECIPIENT)]).toEqual([held, before]);
});

it('XRP-027 whatever is lost between server and signer, or in the database, a withdrawal is paid once', async () => {
  const trader = await saver();
  const before = node.balance(RECIPIENT);
  const id = await withdraw(trader, '20.25');
  await signer.stop();
  await move();
  expect(await signedFor(id)).toEqual([]);
  expect(exchange.doors.chains.health().isUp).toBe(false);
  await signer.start();
  await exchange.advanceTime(HOUR_MS);
  await move();
  const [signed] = await signedFor(id);
  // Deletes the rows of the signed payment from the database, as if an earlier backup was restored; the signer and the
  // XRP Ledger still have it.
  const { pool } = exchange.database;
  await pool.query('delete from chain_sending where origin = $1', [`withdrawal ${id}`]);
  await pool.query('update withdrawal set txid = null, block = null where id = $1', [id]);
  await exchange.advanceTime(HOUR_MS);
  await move();
  expect(await signedFor(id)).toMatchObject([{ txid: signed!.txid }]);
  await close();
  await move();
  expect(await detail(id)).toMatchObject({ status: 1, txid: signed!.txid });
  expect(node.balance(RECIPIENT) - before).toBe(20n * XRP);
});

it('XRP-029 a payment whose sequence number was used by hand waits for operators, who return it with that transaction', async () => {
  const trader = await saver();
  const held = await balances(trader);
  node.isDeaf = true;
  const id = await withdraw(trader, '20.25');
  await move();
  const byHand = node.pay({ from: account, to: OUTSIDER, drops: XRP });
  await close();
  await move();
  expect(await detail(id)).toMatchObject({ status: 3 });
  expect(exchange.doors.chains.health().reason).toContain(`was used by ${byHand}`);
  const reason = { reason: 'a test', because: 'networkRefused', txid: byHand.toLowerCase() };
  await operate(exchange, `/ops/withdrawals/${id}/return`, reason);
  await move();
  expect(await detail(id)).toMatchObject({ status: 6 });
  expect(await balances(trader)).toBe(held);
});

it('XRP-028 a withdrawal to another user of the exchange arrives at once without a transaction, since an account cannot pay itself', async () => {
  const [trader, other] = [await saver(), await exchange.aUser()];
  const { tag } = await destination(other);
  const [balance, submitted] = [node.balance(account), node.submitted.length];
  const id = await withdraw(trader, '12.25', account, `00${tag}`);
  await move();
  await watch();
  await move();
  expect(await detail(id)).toMatchObject({ status: 1, realAmount: '12' });
  expect(await available(other)).toBe('12');
  expect([node.balance(account), node.submitted.length]).toEqual([balance, submitted]);
  await exchange.restart();
  await close();
  expect(await available(other)).toBe('12');
});

it('KEY-037 after a restore, what this signer has signed is compared with the ledger', async () => {
  const states = async () => new Map([['XRP', await xrpState(new XrpNode(node.url))]]);
  await close(XRP_LIFETIME_MAX);
  const { paid, returned } = await expectComparison(exchange, signer.folder, await states());
  expect(returned).not.toEqual([]);
  // The node has deleted its old ledgers. It therefore cannot confirm that a transaction that it does not have has
  // expired.
  node.complete = `${node.ledger}-${node.ledger}`;
  const pruned = await comparedWithChain(exchange, await states(), paymentsIn([signer.folder]));
  expect(pruned.paidKnown.map(({ id }) => id)).toEqual(expect.arrayContaining(paid));
  expect(pruned.paidUnknown.filter(({ id }) => returned.includes(id))).not.toEqual([]);
});

it('WDR-1207 the cost of a payment is the ledger’s open fee', async () => {
  const costs = await exchange.doors.chains.chains.paymentCosts(['XRP'], 'XRP');
  expect(costs.get('XRP')).toEqual({ coin: 'XRP', amount: Decimal.parse('0.000012') });
});
