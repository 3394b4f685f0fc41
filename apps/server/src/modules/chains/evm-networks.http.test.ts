import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, HOUR_MS, instant } from '@exchange/core/time.ts';
import { depositAddress, depositNetworks, depositRecords } from '@exchange/wire/deposit.ts';
import { trackTransfers } from '@exchange/wire/tracking.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { withdrawalDetail } from '@exchange/wire/withdrawal.ts';
import { Transaction } from 'ethers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { account, Anvil, testXpub, withoutAnvil } from '../../../testing/anvil.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { markAddressKnown } from '../../../testing/mark-address-known.ts';
import { SIGNED_SERVER_SECRET } from '../../../testing/signers.ts';
import { aSigner } from '../../../testing/test-signer.ts';
import { createSaver } from '../finance/testing/products.ts';

const CONFIRMATIONS = 2;
const SECOND_CHAIN = 1_337;
const LEAST_TIP_GWEI = 25;
const GWEI = 10n ** 9n;
const RECEIVER = '0x1111111111111111111111111111111111111111';
/** Number of smallest units per USDT, by network. */
const UNITS = { ERC20: 10n ** 6n, BEP20: 10n ** 18n };
type Code = keyof typeof UNITS;
const skipped = withoutAnvil();

describe.skipIf(skipped !== undefined)('one coin on two EVM networks', () => {
  let chains: Record<Code, { readonly anvil: Anvil; readonly token: string }>;
  let signers: Record<Code, Awaited<ReturnType<typeof aSigner>>>;
  let exchange: TestExchange;

  beforeAll(async () => {
    const started = async (chainId?: number) => {
      const anvil = await Anvil.start(chainId === undefined ? {} : { chainId });
      return { anvil, token: await anvil.deployToken(account(0)) };
    };
    const [ERC20, BEP20] = await Promise.all([started(), started(SECOND_CHAIN)]);
    chains = { ERC20, BEP20 };
    const limits = 'USDT=5000/20000';
    signers = {
      ERC20: await aSigner(ERC20.token, limits),
      BEP20: await aSigner(BEP20.token, limits, {
        chainId: SECOND_CHAIN,
        network: 'BEP20',
        feeModel: 'legacy',
        digits: 18,
      }),
    };
    exchange = await anExchange({
      settings: {
        EVM_RPC_URL: ERC20.anvil.url,
        EVM_CHAIN_ID: String(ERC20.anvil.chainId),
        EVM_XPUB: testXpub(),
        EVM_TOKENS: `USDT=${ERC20.token}:6`,
        EVM_CONFIRMATIONS: String(CONFIRMATIONS),
        EVM_TIP_GWEI: String(LEAST_TIP_GWEI),
        EVM_WALLET: account(0).address,
        EVM_SIGNER: signers.ERC20.place,
        EVM_SIGNER_SECRET_FILE: signers.ERC20.secretFile,
        BEP20_RPC_URL: BEP20.anvil.url,
        BEP20_CHAIN_ID: String(SECOND_CHAIN),
        BEP20_TOKENS: `USDT=${BEP20.token}:18`,
        BEP20_CONFIRMATIONS: String(CONFIRMATIONS),
        BEP20_FEE_MODEL: 'legacy',
        BEP20_WALLET: account(0).address,
        BEP20_SIGNER: signers.BEP20.place,
        BEP20_SIGNER_SECRET_FILE: signers.BEP20.secretFile,
        EXPLORERS: 'BEP20=https://explorer.test/tx/{txid}, TRC20=https://tron.test/{txid}',
        SERVER_SECRET: SIGNED_SERVER_SECRET,
      },
    });
    await watch();
  });
  afterAll(async () => {
    await exchange?.close();
    for (const signer of Object.values(signers ?? {})) await signer.close();
    for (const { anvil } of Object.values(chains ?? {})) await anvil.stop();
  });

  // Runs the deposit job twice, because one run reads only a bounded number of blocks.
  const watch = async () => {
    await exchange.doors.deposits.jobs.watch();
    await exchange.doors.deposits.jobs.watch();
  };
  const move = async () => {
    await exchange.doors.withdrawals.jobs.advance();
    await exchange.doors.withdrawals.jobs.advance();
  };
  const pay = (network: Code, to: string, amount: bigint) =>
    chains[network].anvil.payToken(account(0), chains[network].token, to, amount * UNITS[network]);
  const addressOf = async (trader: TestTrader, network: Code) =>
    (await trader.request(depositAddress, { currency: 'USDT', network })).address;
  const available = async (trader: TestTrader) =>
    (await trader.request(spotAssets, { currency: 'USDT' })).list[0]!.availableCurrency;
  const records = async (trader: TestTrader) =>
    (await trader.request(depositRecords)).list
      .map(({ network, amount, status }) => `${network} ${amount} ${status}`)
      .toSorted();
  const problems = () =>
    new Map(exchange.doors.chains.chains.states().map(({ network, problem }) => [network, problem]));

  it('NET-001 NET-017 a user has the same address on both, and each network credits its own transfers once', async () => {
    const trader = await exchange.aUser();
    const channels = (await trader.request(depositNetworks, { currency: 'USDT' })).list;
    expect(channels.map(({ network, channel }) => `${network} ${channel}`)).toEqual([
      'TRC20 demo',
      'ERC20 evm',
      'BEP20 evm',
    ]);
    const [to, same] = [await addressOf(trader, 'ERC20'), await addressOf(trader, 'BEP20')];
    expect(same).toBe(to);
    await Promise.all([pay('ERC20', to, 40n), pay('BEP20', to, 7n)]);
    await chains.BEP20.anvil.mine(CONFIRMATIONS);
    await chains.ERC20.anvil.mine(1);
    await watch();
    expect(await records(trader)).toEqual(['BEP20 7 1', 'ERC20 40 0']);
    expect(await available(trader)).toBe('7');
    await exchange.restart();
    await chains.ERC20.anvil.mine(CONFIRMATIONS);
    await watch();
    expect(await records(trader)).toEqual(['BEP20 7 1', 'ERC20 40 1']);
    expect(await available(trader)).toBe('47');
    const rows = (await trader.request(depositRecords)).list;
    expect(rows.find(({ network }) => network === 'ERC20')!.explorer).toBeUndefined();
    const { txid, explorer } = rows.find(({ network }) => network === 'BEP20')!;
    expect(explorer).toBe(`https://explorer.test/tx/${txid}`);
    const { list: tracked } = await trader.request(trackTransfers, { query: '7' });
    expect(tracked).toMatchObject([{ txid, explorer }]);
  });

  /**
   * The total gas cost of a network's mined withdrawals, read from the chain, in units of the chain's own
   * coin, with decimals.
   */
  const feesOnChain = async (network: Code): Promise<string> => {
    const { rows } = await exchange.database.pool.query<{ txid: string }>(
      "select txid from chain_sending where network = $1 and origin like 'withdrawal %'",
      [network],
    );
    const receipts = await Promise.all(
      rows.map(({ txid }) =>
        chains[network].anvil.rpc<{ gasUsed: string; effectiveGasPrice: string }>(
          'eth_getTransactionReceipt',
          txid,
        ),
      ),
    );
    const wei = receipts.reduce(
      (total, { gasUsed, effectiveGasPrice }) => total + BigInt(gasUsed) * BigInt(effectiveGasPrice),
      0n,
    );
    return Decimal.ofScaled(wei, 18).toString();
  };

  it('NET-002 NET-004 NET-018 TRE-129 each network pays with its own signer, nonces and form of fees', async () => {
    const trader = await createSaver(exchange, { USDT: '1000' });
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const withdraw = async (network: Code, amount: string) => {
      const { review, withdrawals } = exchange.doors.withdrawals;
      await markAddressKnown(exchange, trader.id, 'USDT', network, RECEIVER);
      const { id } = await withdrawals.submit(trader.id, {
        asset: 'USDT',
        network,
        amount: Decimal.parse(amount),
        address: RECEIVER,
        addressId: undefined,
        memo: undefined,
        remark: undefined,
      });
      await review.decide(id, 'approve', { by: 'an operator', persons: 2 });
      return id;
    };
    const ids = [
      await withdraw('ERC20', '24'),
      await withdraw('BEP20', '10.3'),
      await withdraw('BEP20', '20.3'),
    ];
    await move();
    for (const { anvil } of Object.values(chains)) await anvil.mine(CONFIRMATIONS);
    await watch();
    await move();
    for (const id of ids) expect(await trader.request(withdrawalDetail, { id })).toMatchObject({ status: 1 });
    const received = (network: Code) => chains[network].anvil.tokenBalance(chains[network].token, RECEIVER);
    expect([await received('ERC20'), await received('BEP20')]).toEqual([
      20n * UNITS.ERC20,
      30n * UNITS.BEP20,
    ]);
    const { rows } = await exchange.database.pool.query<{ network: string; nonce: string; raw: string }>(
      "select network, nonce, raw from chain_sending where origin like 'withdrawal %' order by network, nonce",
    );
    // The exchange does not list BNB, so the ledger books no fees; the cost of each payment is stored once instead.
    const spent = () => exchange.doors.chains.chains.spentFees(instant(0));
    const [fee, ...others] = await spent();
    expect([fee, others]).toMatchObject([{ network: 'BEP20', asset: 'BNB' }, []]);
    expect(fee!.amount.toString()).toBe(await feesOnChain('BEP20'));
    await chains.BEP20.anvil.mine(1);
    await watch();
    expect(await spent()).toEqual([fee]);
    // Each chain has its own sequence of nonces, so the payment on ERC20 leaves no gap in the sequence of BEP20.
    const nonces = (network: Code) =>
      rows.filter((row) => row.network === network).map(({ nonce }) => Number(nonce));
    expect(nonces('ERC20')).toHaveLength(1);
    const [first, second] = nonces('BEP20');
    expect(second).toBe(first! + 1);
    // A raw transaction with base fee and tip begins with its type byte 0x02; a transaction with a single gas price
    // does not.
    expect(rows.map(({ network, raw }) => `${network} ${raw.startsWith('0x02')}`)).toEqual([
      'BEP20 false',
      'BEP20 false',
      'ERC20 true',
    ]);
    // The test chain suggests a tip of 1 Gwei, less than the least tip in the settings of the first network.
    expect(BigInt(await chains.ERC20.anvil.rpc('eth_maxPriorityFeePerGas'))).toBeLessThan(
      BigInt(LEAST_TIP_GWEI) * GWEI,
    );
    const { raw } = rows.find(({ network }) => network === 'ERC20')!;
    expect(Transaction.from(raw).maxPriorityFeePerGas).toBe(BigInt(LEAST_TIP_GWEI) * GWEI);
  });

  it('NET-005 a node that is away stops its own network only, and operators read which', async () => {
    const trader = await exchange.aUser();
    const to = await addressOf(trader, 'ERC20');
    expect([...problems()]).toEqual([
      ['ERC20', undefined],
      ['BEP20', undefined],
    ]);
    await chains.BEP20.anvil.stop();
    await watch();
    await exchange.advanceTime(HOUR_MS);
    await pay('ERC20', to, 15n);
    await chains.ERC20.anvil.mine(CONFIRMATIONS);
    await watch();
    expect(await available(trader)).toBe('15');
    expect(problems().get('ERC20')).toBeUndefined();
    expect(problems().get('BEP20')).toBe('BEP20 is not heard: the node does not answer');
    const { facts } = exchange.doors.chains.health();
    expect(Object.keys(facts!)).toEqual(['channel', 'ERC20', 'BEP20']);
  });
});
