import { Decimal } from '@exchange/core/decimal.ts';
import type { Transaction } from 'ethers';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { SignerClient } from '../../platform/signer/client.ts';
import { transferData } from '../../platform/signer/protocol.ts';
import type { Sending, SendingStatus, Sent } from './domain.ts';
import { COIN_DIGITS, type EvmTerms } from './evm-domain.ts';
import { balanceCall, NodeRefused, type EvmNode } from './evm-node.ts';
import { findSending, insertSending, storeSigned, nextNonce, type StoredSending } from './evm-repository.ts';

interface Parts {
  readonly terms: EvmTerms;
  readonly chainId: number;
  /** Address of the paying account; only the signer holds its key. */
  readonly wallet: string;
  readonly signer: SignerClient;
  readonly node: EvmNode;
  readonly clock: Clock;
  readonly database: Pick<Database, 'store'>;
  readonly log: Log;
  /** Whether a block has the required confirmations. */
  readonly isFinal: (block: number) => boolean;
}

/** Transaction fields of a payment. */
interface Payment {
  readonly to: string;
  readonly value: bigint;
  readonly data: string;
}

/** Headroom for the base fee: the maximum fee allows it to grow by this factor. */
const BASE_FEE_TIMES = 3n;
const PERCENT = 100n;
const GAS_MARGIN = 120n;

/**
 * Sends payments. The signer returns the same transaction for an origin forever, and it is stored before it is
 * broadcast. If the process stops between signing and sending, the identical transaction is sent later.
 */
export class EvmSender {
  private readonly parts: Parts;
  private lastTrouble: string | undefined;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Reason why payments are delayed, for operators; undefined if they are not. */
  get trouble(): string | undefined {
    return this.lastTrouble;
  }

  async send(sending: Sending): Promise<Sent> {
    const { database, clock } = this.parts;
    try {
      const stored = await findSending(database.store, sending.origin);
      if (stored === undefined) await insertSending(database.store, sending, clock.now());
      else requireSame(stored, sending);
      const { raw, txid } = stored?.signed ?? (await this.signNew(sending));
      await this.broadcast(raw);
      this.lastTrouble = undefined;
      return { txid, block: undefined };
    } catch (cause) {
      this.lastTrouble = cause instanceof Error ? cause.message : String(cause);
      throw cause;
    }
  }

  /** Returns the status of a payment; broadcasts it again while it is in no block. */
  async status(origin: string): Promise<SendingStatus> {
    const { database, node, isFinal } = this.parts;
    const signed = (await findSending(database.store, origin))?.signed;
    if (signed === undefined) return { state: 'unknown' };
    const { raw, txid } = signed;
    const receipt = await node.receipt(txid);
    if (receipt === undefined) {
      await this.broadcast(raw);
      return { state: 'waiting', txid };
    }
    const { block, blockHash, isSuccess } = receipt;
    if (isSuccess) return { state: 'mined', txid, block };
    // The chain executed and reverted the transaction. Its nonce is used, so it can never pay.
    const isOver = isFinal(block) && (await node.hashAt(block)) === blockHash;
    return isOver ? { state: 'failed', txid, block } : { state: 'waiting', txid };
  }

  private async signNew(sending: Sending): Promise<{ raw: string; txid: string }> {
    const { database, terms, signer, chainId, node, wallet } = this.parts;
    const payment = this.paymentOf(sending);
    const price = await this.affordable(sending, payment);
    const minNonce = Math.max(await node.nonce(wallet), await nextNonce(database.store, terms.network));
    const { origin, asset, address, amount } = sending;
    const answer = await signer.sign({
      origin,
      chainId,
      asset,
      address,
      amount: amount.toString(),
      nonce: minNonce,
      approvedBy: sending.approvedBy ?? 'nobody',
      ...price,
    });
    if ('refused' in answer) throw new Error(`the signer refused ${origin}: ${answer.refused}`);
    const { Transaction: transactions } = await import('ethers');
    const transaction = transactions.from(answer.raw);
    this.requirePays(transaction, payment);
    const transactionToStore = { raw: answer.raw, nonce: answer.nonce, txid: transaction.hash! };
    await storeSigned(database.store, origin, transactionToStore);
    return transactionToStore;
  }

  /** Verifies that the signed transaction is the payment that was requested. */
  private requirePays(signed: Transaction, { to, value, data }: Payment): void {
    const { chainId, wallet } = this.parts;
    const isRight =
      signed.chainId === BigInt(chainId) &&
      signed.from?.toLowerCase() === wallet.toLowerCase() &&
      signed.to?.toLowerCase() === to.toLowerCase() &&
      signed.value === value &&
      signed.data === data;
    if (!isRight) throw new Error('the signer gave another transaction than was asked for');
  }

  private paymentOf({ asset, address, amount }: Sending): Payment {
    const token = this.parts.terms.tokens.get(asset);
    if (token === undefined) return { to: address, value: amount.toScaled(COIN_DIGITS), data: '0x' };
    return { to: token.contract, value: 0n, data: transferData(address, amount.toScaled(token.digits)) };
  }

  /** Estimates the maximum gas cost. Throws if the wallet cannot pay, before a nonce is used. */
  private async affordable({ asset, amount }: Sending, { to, value, data }: Payment) {
    const { node, wallet, terms } = this.parts;
    const { base, tip } = await node.fees();
    const maxFeePerGas = base * BASE_FEE_TIMES + tip;
    const token = terms.tokens.get(asset);
    if (token !== undefined) {
      const tokenBalance = await node.read(token.contract, balanceCall(wallet));
      if (tokenBalance < amount.toScaled(token.digits))
        throw new Error(
          `the wallet has ${Decimal.ofScaled(tokenBalance, token.digits).toString()} ${asset}, not ${amount.toString()}`,
        );
    }
    const estimated = await node.gas({ from: wallet, to, value: `0x${value.toString(16)}`, data });
    const gasLimit = (estimated * GAS_MARGIN) / PERCENT;
    const coinBalance = await node.balance(wallet);
    if (coinBalance < value + gasLimit * maxFeePerGas)
      throw new Error(`the wallet cannot pay ${amount.toString()} ${asset} and the gas for it`);
    return {
      gasLimit: gasLimit.toString(),
      maxFeePerGas: maxFeePerGas.toString(),
      maxPriorityFeePerGas: tip.toString(),
    };
  }

  private async broadcast(raw: string): Promise<void> {
    try {
      await this.parts.node.broadcast(raw);
    } catch (cause) {
      // Reason: the node usually knows the transaction already. It is stored, and broadcast again until a block
      // contains it.
      if (!(cause instanceof NodeRefused)) this.parts.log.warn('chains.not_handed_over', { cause });
    }
  }
}

function requireSame(stored: StoredSending, { network, asset, address, amount }: Sending): void {
  const isSame =
    stored.network === network &&
    stored.asset === asset &&
    stored.address === address &&
    stored.amount.equals(amount);
  if (!isSame) throw new Error(`${stored.origin} is to send something else than before`);
}
