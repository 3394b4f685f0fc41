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
import { findSending, insertSending, keepSigned, nextNonce, type StoredSending } from './evm-repository.ts';

interface Parts {
  readonly terms: EvmTerms;
  readonly chainId: number;
  /** The account that pays; its key is the signer's alone. */
  readonly wallet: string;
  readonly signer: SignerClient;
  readonly node: EvmNode;
  readonly clock: Clock;
  readonly database: Pick<Database, 'store'>;
  readonly log: Log;
  /** Whether a block has as many on top of it as count. */
  readonly isFinal: (block: number) => boolean;
}

/** A call as the chain sees it. */
interface Payment {
  readonly to: string;
  readonly value: bigint;
  readonly data: string;
}

/** The base fee may grow to this before a transaction has to wait for it to fall. */
const BASE_FEE_TIMES = 3n;
const PERCENT = 100n;
const GAS_MARGIN = 120n;

/**
 * Sends payments. The signer gives one transaction per origin for ever, and it is stored before a node has it: whatever
 * stops the work between signing and sending, what is sent later is the very same transaction.
 */
export class EvmSender {
  private readonly parts: Parts;
  private troubled: string | undefined;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Why payments wait, in words for operators; undefined while they do not. */
  get trouble(): string | undefined {
    return this.troubled;
  }

  async send(sending: Sending): Promise<Sent> {
    const { database, clock } = this.parts;
    try {
      const known = await findSending(database.store, sending.origin);
      if (known === undefined) await insertSending(database.store, sending, clock.now());
      else requireSame(known, sending);
      const { raw, txid } = known?.signed ?? (await this.signed(sending));
      await this.broadcast(raw);
      this.troubled = undefined;
      return { txid, block: undefined };
    } catch (cause) {
      this.troubled = cause instanceof Error ? cause.message : String(cause);
      throw cause;
    }
  }

  /** How the sending stands; one that no node has in a block is handed over again. */
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
    // Refused by the chain, and its number used up for good: it can never pay any more.
    const isOver = isFinal(block) && (await node.hashAt(block)) === blockHash;
    return isOver ? { state: 'failed', txid, block } : { state: 'waiting', txid };
  }

  private async signed(sending: Sending): Promise<{ raw: string; txid: string }> {
    const { database, terms, signer, chainId, node, wallet } = this.parts;
    const payment = this.paymentOf(sending);
    const price = await this.affordable(sending, payment);
    const least = Math.max(await node.nonce(wallet), await nextNonce(database.store, terms.network));
    const { origin, asset, address, amount } = sending;
    const answer = await signer.sign({
      origin,
      chainId,
      asset,
      address,
      amount: amount.toString(),
      nonce: least,
      approvedBy: sending.approvedBy ?? 'nobody',
      ...price,
    });
    if ('refused' in answer) throw new Error(`the signer refused ${origin}: ${answer.refused}`);
    const { Transaction: transactions } = await import('ethers');
    const transaction = transactions.from(answer.raw);
    this.requirePays(transaction, payment);
    const signed = { raw: answer.raw, nonce: answer.nonce, txid: transaction.hash! };
    await keepSigned(database.store, origin, signed);
    return signed;
  }

  /** What the signer gave has to be what was asked for. */
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

  /** What the gas costs at most; throws where the wallet cannot pay, before a number is used up. */
  private async affordable({ asset, amount }: Sending, { to, value, data }: Payment) {
    const { node, wallet, terms } = this.parts;
    const { base, tip } = await node.fees();
    const maxFeePerGas = base * BASE_FEE_TIMES + tip;
    const token = terms.tokens.get(asset);
    if (token !== undefined) {
      const held = await node.read(token.contract, balanceCall(wallet));
      if (held < amount.toScaled(token.digits))
        throw new Error(
          `the wallet has ${Decimal.ofScaled(held, token.digits).toString()} ${asset}, not ${amount.toString()}`,
        );
    }
    const estimated = await node.gas({ from: wallet, to, value: `0x${value.toString(16)}`, data });
    const gasLimit = (estimated * GAS_MARGIN) / PERCENT;
    const coins = await node.balance(wallet);
    if (coins < value + gasLimit * maxFeePerGas)
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
      // Reason: mostly it has it already. What is signed is stored, and handed over again until a block has it.
      if (!(cause instanceof NodeRefused)) this.parts.log.warn('chains.not_handed_over', { cause });
    }
  }
}

function requireSame(known: StoredSending, { network, asset, address, amount }: Sending): void {
  const isSame =
    known.network === network &&
    known.asset === asset &&
    known.address === address &&
    known.amount.equals(amount);
  if (!isSame) throw new Error(`${known.origin} is to send something else than before`);
}
