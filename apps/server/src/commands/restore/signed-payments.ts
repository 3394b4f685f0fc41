import { Transaction } from 'ethers';
import type { EvmNode } from '../../modules/chains/index.ts';
import type { SignedPayment } from '../../modules/withdrawals/index.ts';
import { readSigned } from '../../platform/signer/journal.ts';
import { coldTransferId, sweepOf } from '../../platform/signer/protocol.ts';

/**
 * Where the receiver's 40 hex digits begin and end in the call data of `transfer(address,uint256)`: after `0x`, the
 * selector and the padding.
 */
const RECEIVER_START = 34;
const RECEIVER_END = 74;

/**
 * Reads the signed transactions of the journal folders of signers, folder by folder, each in the order of signing, with
 * receiver, chain and transaction id. A payment can have several: with higher fees, and a void that takes its place. Left
 * out are notes that nothing was signed, intents, whose signature nobody has received, and transfers between accounts of
 * the exchange, whose coins are still its own: no user's balance depends on them.
 */
export async function* paymentsIn(folders: readonly string[]): AsyncGenerator<SignedPayment, void> {
  for (const folder of folders) yield* paymentsOf(folder);
}

async function* paymentsOf(folder: string): AsyncGenerator<SignedPayment, void> {
  for await (const { origin, asset, amount, raw, kind } of readSigned(folder)) {
    if (raw === '' || kind === 'intent') continue;
    if (coldTransferId(origin) !== undefined || sweepOf(origin) !== undefined) continue;
    const { hash, to, data, chainId } = Transaction.from(raw);
    // A token's transfer names the receiver in its call data.
    const address = data === '0x' ? to! : `0x${data.slice(RECEIVER_START, RECEIVER_END)}`;
    const isVoid = kind === 'void';
    yield { origin, asset, amount, address, chainId: Number(chainId), txid: hash!, isVoid };
  }
}

/**
 * Whether a block has a transaction and whether it succeeded; `waiting` when none has it. `nodes` by chain id; throws if
 * there is none of the payment's chain.
 */
export async function stateOnChain(
  nodes: ReadonlyMap<number, Pick<EvmNode, 'receipt'>>,
  { chainId, origin, txid }: Pick<SignedPayment, 'chainId' | 'origin' | 'txid'>,
): Promise<'paid' | 'failed' | 'waiting'> {
  const node = nodes.get(chainId);
  if (node === undefined)
    throw new Error(`${origin} was signed for chain ${chainId}, which is not configured`);
  const receipt = await node.receipt(txid);
  if (receipt === undefined) return 'waiting';
  return receipt.isSuccess ? 'paid' : 'failed';
}
