import { Transaction } from 'ethers';
import type { EvmNode } from '../../modules/chains/index.ts';
import type { SignedPayment } from '../../modules/withdrawals/index.ts';
import { readSigned } from '../../platform/signer/journal.ts';
import { coldTransferId, sweepOf } from '../../platform/signer/protocol.ts';

/** Selector and padding of `transfer(address,uint256)` in hex, before the 40 digits of the receiver. */
const RECEIVER_START = 34;
const RECEIVER_END = 74;

/**
 * Reads the signed transactions of a signer's journal folder, oldest first, with receiver and transaction id. A payment
 * can have several: with higher fees, and a void that takes its place. Left out are notes that nothing was signed,
 * intents, whose signature nobody has received, and transfers between accounts of the exchange, whose coins are still its
 * own: no balance of a database depends on them.
 */
export async function* paymentsIn(folder: string): AsyncGenerator<SignedPayment, void> {
  for await (const { origin, asset, amount, raw, kind } of readSigned(folder)) {
    if (raw === '' || kind === 'intent') continue;
    if (coldTransferId(origin) !== undefined || sweepOf(origin) !== undefined) continue;
    const { hash, to, data } = Transaction.from(raw);
    // A token's transfer names the receiver in its call data.
    const address = data === '0x' ? to! : `0x${data.slice(RECEIVER_START, RECEIVER_END)}`;
    const isVoid = kind === 'void';
    yield { origin, asset, amount, address, txid: hash!, isVoid };
  }
}

/**
 * State of a transaction on the chain: succeeded, failed, or `waiting` when no block contains it.
 */
export async function stateOnChain(
  node: Pick<EvmNode, 'receipt'>,
  txid: string,
): Promise<'paid' | 'failed' | 'waiting'> {
  const receipt = await node.receipt(txid);
  if (receipt === undefined) return 'waiting';
  return receipt.isSuccess ? 'paid' : 'failed';
}
