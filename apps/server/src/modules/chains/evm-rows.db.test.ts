import { randomUUID } from 'node:crypto';
import { Decimal } from '@exchange/core/decimal.ts';
import { requireEvmNetwork } from '@exchange/core/evm-network.ts';
import { findNetwork } from '@exchange/core/network-table.ts';
import { instant } from '@exchange/core/time.ts';
import { Transaction } from 'ethers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { account, Anvil, testXpub, withoutAnvil } from '../../../testing/anvil.ts';
import { testDatabase, type TestDatabase } from '../../../testing/database.ts';
import { recordingLog } from '../../../testing/recording-log.ts';
import { aSigner, confirmedDigest } from '../../../testing/test-signer.ts';
import { transferData } from '../../platform/signer/protocol.ts';
import { databaseOver } from '../../platform/database/database.ts';
import { EvmChannel } from './evm-channel.ts';

const GWEI = 10n ** 9n;
const UNITS = 10n ** 6n;
const RECEIVER = '0x1111111111111111111111111111111111111111';
/** Number of blocks by which the test chain's newest final block is behind its newest block. */
const FINAL_BEHIND = 64;

/** Optional networks with the chain ids of their public chains; the test chain uses the same ids. */
const ROWS = [
  { code: 'POLYGON', chainId: 137 },
  { code: 'ARBITRUM', chainId: 42_161 },
] as const;

describe.skipIf(withoutAnvil() !== undefined).each(ROWS)(
  'the row of $code over a node with chain id $chainId',
  ({ code, chainId }) => {
    const terms = requireEvmNetwork(code);
    const network = findNetwork(code)!;
    let database: TestDatabase;
    let anvil: Anvil;
    let token: string;
    let signer: Awaited<ReturnType<typeof aSigner>>;
    let channel: EvmChannel;
    const clock = { now: () => instant(Date.now()), monotonicMs: () => performance.now() };
    const open = (expectedId: number = chainId) =>
      new EvmChannel({
        clock,
        log: recordingLog(),
        database: databaseOver(database.pool),
        settings: {
          rpcUrl: anvil.url,
          chainId: expectedId,
          network: code,
          xpub: testXpub(),
          tokens: new Map([['USDT', { contract: token, digits: 6 }]]),
          confirmations: undefined,
          finality: terms.finality,
          feeModel: 'eip1559',
          leastTip: BigInt(terms.leastTipGwei) * GWEI,
          startBlock: undefined,
          isTraced: false,
          reserves: [],
          sending: {
            wallet: account(0).address,
            signer: signer.place,
            secretFile: signer.secretFile,
            tls: undefined,
          },
          cold: undefined,
          bounds: new Map(),
          sweeping: undefined,
          replacement: { afterMs: 600_000, maxFee: BigInt(terms.mostGwei.replacement) * GWEI },
        },
      });

    beforeAll(async () => {
      database = await testDatabase();
      anvil = await Anvil.start({ chainId });
      token = await anvil.deployToken(account(0));
      // The signer's settings contain only the chain id; it takes network, native coin and fee limits from the table of
      // networks.
      signer = await aSigner(token, 'USDT=5000/20000', { chainId });
      channel = open();
      await channel.start();
      await anvil.mine(FINAL_BEHIND);
      await channel.scan();
    });
    afterAll(async () => {
      await signer?.close();
      await anvil?.stop();
      await database?.drop();
    });

    it('NET-021 deposits count from the newest final block, and the lag of the node in seconds', async () => {
      expect(channel.finalitySeconds()).toBe(terms.finalitySeconds.finalized);
      expect(channel.confirmationsNeeded(network)).toBe(network.confirmations);
      const owner = randomUUID();
      const to = await channel.destination(network, owner);
      const txid = await anvil.payToken(account(0), token, to.address, 250n * UNITS);
      await anvil.mine(1);
      await channel.scan();
      // The node has the block of the transfer, but the block is not final yet, so the scan does not read it.
      expect(await channel.transfersSince(0, 10)).toEqual([]);
      await anvil.mine(FINAL_BEHIND);
      await channel.scan();
      await channel.scan();
      const [transfer] = await channel.transfersSince(0, 10);
      expect(transfer).toMatchObject({ txid, network: code, asset: 'USDT', address: to.address });
      expect(transfer!.amount.toString()).toBe('250');
      // The chain advances by the number of blocks of 151 seconds, at least 51. One scan reads the number of blocks of
      // 30 seconds, at least 40. The channel is then behind by less than the limit at which it reports itself down.
      const blocks = Math.ceil(151 / network.blockSeconds);
      await anvil.mine(Math.max(blocks, 51));
      const before = channel.height();
      await channel.scan();
      expect(channel.height() - before).toBe(
        Math.min(Math.max(40, 30 / network.blockSeconds), channel.head() - before),
      );
      expect(channel.health().isUp).toBe(true);
      const wrong = open(1);
      await expect(wrong.scan()).rejects.toThrow(`the node is on chain ${chainId}, not 1`);
    });

    it('NET-021 a payment offers the least tip and has the gas that the node estimates, and a void enough gas', async () => {
      const owner = randomUUID();
      const id = randomUUID();
      const amount = Decimal.parse('12.5');
      const payment = { network: code, asset: 'USDT', address: RECEIVER, memo: undefined, amount };
      const origin = `withdrawal ${id}`;
      const sending = {
        origin,
        ...payment,
        approvedBy: 'a test',
        confirmed: { owner, digest: confirmedDigest({ id, owner, ...payment }) },
      };
      const data = transferData(RECEIVER, 12_500_000n);
      const estimated = BigInt(
        await anvil.rpc('eth_estimateGas', { from: account(0).address, to: token, data }),
      );
      await channel.send(sending);
      const rawOf = async () =>
        (
          await database.pool.query<{ raw: string }>('select raw from chain_sending where origin = $1', [
            origin,
          ])
        ).rows[0]!.raw;
      const sent = Transaction.from(await rawOf());
      expect(sent.chainId).toBe(BigInt(chainId));
      expect(sent.maxPriorityFeePerGas! >= BigInt(terms.leastTipGwei) * GWEI).toBe(true);
      expect(sent.gasLimit).toBe((estimated * 120n) / 100n);
      const fee = sent.maxFeePerGas! * 2n;
      const voided = await signer.signer.variants({
        kind: 'void',
        origin,
        chainId,
        maxFeePerGas: fee.toString(),
        maxPriorityFeePerGas: (sent.maxPriorityFeePerGas! * 2n + 1n).toString(),
      });
      if ('refused' in voided) throw new Error(voided.refused);
      // On Polygon the voiding transaction has the gas limit of a plain transfer. On Arbitrum only the node
      // knows the gas of an empty transfer, so the voiding transaction has the gas limit of the payment.
      const { gasLimit } = Transaction.from(voided.signed[1]!.raw);
      expect(gasLimit).toBe(terms.plainTransferGas ?? sent.gasLimit);
    });
  },
);
