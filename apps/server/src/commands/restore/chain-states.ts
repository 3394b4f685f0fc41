import { TRON, TRON_GENESIS } from '@exchange/core/tron-network.ts';
import { UTXO_NETWORKS } from '@exchange/core/utxo-network.ts';
import type { Config } from '../../config.ts';
import {
  EvmNode,
  hasLedgers,
  TronNode,
  UtxoNode,
  XRP,
  XRP_LIFETIME_MAX,
  XRP_SUCCESS,
  XrpNode,
} from '../../modules/chains/index.ts';
import type { SignedPayment, SignedPaymentState } from '../../modules/withdrawals/index.ts';
import { evmChain } from './signed-payments.ts';

type SignedTransaction = Pick<SignedPayment, 'chain' | 'origin' | 'txid' | 'lastValid' | 'spends'>;
/** Function that returns the state of a signed transaction on its blockchain, such as `paid` or `expired`. */
type StateReader = (payment: SignedTransaction) => Promise<SignedPaymentState>;

/** Readers of transaction states by name of the chain, as in `SignedPayment`. */
export type ChainStates = ReadonlyMap<string, StateReader>;

/**
 * Function that is bound to one chain and opens the reader of this chain's transaction states; rejects if the
 * chain's node cannot be used.
 */
type StateOpener = () => Promise<StateReader>;

/**
 * Returns readers of transaction states of all configured blockchains. The node of a chain is called when the
 * state of the first transaction of this chain is read, so that networks on which nothing was sent need no
 * node. Reading throws if the node is unreachable, belongs to another chain than configured, or lacks the
 * index of transactions that the comparison needs.
 */
export function openChainStates({
  evm,
  utxo,
  xrp,
  tron,
}: Pick<Config, 'evm' | 'utxo' | 'xrp' | 'tron'>): ChainStates {
  const openers = new Map<string, StateOpener>();
  for (const { network, rpcUrl, chainId } of evm)
    openers.set(evmChain(chainId), async () => {
      const node = new EvmNode(rpcUrl);
      const actual = await node.chainId();
      if (actual !== chainId) throw new Error(`the node of ${network} is on chain ${actual}, not ${chainId}`);
      return evmState(node);
    });
  for (const { network, chain, rpcUrl, authFile } of utxo)
    openers.set(network, async () => {
      const node = new UtxoNode(rpcUrl, authFile);
      if ((await node.hashAt(0)) !== UTXO_NETWORKS.get(network)!.genesis[chain])
        throw new Error(`the node of ${network} runs another chain`);
      return utxoState(node, network);
    });
  if (xrp !== undefined)
    openers.set(XRP, async () => {
      const node = new XrpNode(xrp.rpcUrl);
      const { networkId } = await node.state();
      if (networkId !== xrp.networkId)
        throw new Error(`the node of XRP is on the network ${networkId}, not ${xrp.networkId}`);
      return xrpState(node);
    });
  if (tron !== undefined)
    openers.set(TRON, async () => {
      const node = new TronNode(tron.rpcUrl, tron.fullUrl);
      if ((await node.hashAt(0)) !== TRON_GENESIS.get(tron.chain))
        throw new Error('the node of TRON runs another chain');
      return tronState(node);
    });
  return new Map([...openers].map(([chain, open]) => [chain, openedOnce(open)]));
}

/**
 * Returns a reader that calls `open` when it reads the state of the first payment. If `open` fails, reading fails for
 * every payment with the same error.
 */
function openedOnce(open: StateOpener): StateReader {
  let opening: Promise<StateReader> | undefined;
  return async (payment) => {
    opening ??= open();
    return (await opening)(payment);
  };
}

/** Returns the state of a signed transaction on its chain. Throws for a chain that is not configured. */
export async function stateOnChain(
  states: ChainStates,
  payment: SignedTransaction,
): Promise<SignedPaymentState> {
  const read = states.get(payment.chain);
  if (read === undefined)
    throw new Error(`${payment.origin} was signed for chain ${payment.chain}, which is not configured`);
  return read(payment);
}

export function evmState(node: Pick<EvmNode, 'receipt'>): StateReader {
  return async ({ txid }) => {
    const receipt = await node.receipt(txid);
    if (receipt === undefined) return 'waiting';
    return receipt.isSuccess ? 'paid' : 'failed';
  };
}

/**
 * Returns a reader for a chain of the Bitcoin family. A transaction that is in no block counts as waiting. If no block
 * contains a transaction with this id, but a transaction in a block spends the same outputs, the state is `unknown`:
 * that transaction may be this one with a changed id or another transaction of the same batch. Throws if the node has
 * no index of transactions, because it would not find payments that are in blocks.
 */
export async function utxoState(
  node: Pick<UtxoNode, 'mined' | 'hasTransactionIndex' | 'isSpent'>,
  network: string,
): Promise<StateReader> {
  if (!(await node.hasTransactionIndex()))
    throw new Error(`the node of ${network} has no index of transactions: start it with -txindex=1`);
  return async ({ txid, spends }) => {
    if ((await node.mined(txid)) !== undefined) return 'paid';
    return spends !== undefined && (await node.isSpent(spends)) ? 'unknown' : 'waiting';
  };
}

/**
 * Returns a reader for the XRP Ledger. A transaction that is in no ledger counts as waiting until the last ledger that
 * could contain it is validated. After that it has expired if the node has all ledgers that could contain it. If the
 * node has deleted some of these ledgers, the transaction's state is unknown.
 */
export async function xrpState(node: Pick<XrpNode, 'state' | 'transaction'>): Promise<StateReader> {
  const { ledger, complete } = await node.state();
  return async ({ txid, lastValid = 0 }) => {
    const found = await node.transaction(txid);
    if (found !== undefined) return found.result === XRP_SUCCESS ? 'paid' : 'failed';
    if (lastValid > ledger) return 'waiting';
    return hasLedgers(complete, Math.max(1, lastValid - XRP_LIFETIME_MAX), lastValid) ? 'expired' : 'unknown';
  };
}

/**
 * Returns a reader for TRON. A transaction that is in no solidified block has expired if the newest
 * solidified block is later than the transaction's expiration. A successful call of a token contract that
 * emitted no event has transferred nothing, so its state is `failed`.
 */
export async function tronState(
  node: Pick<TronNode, 'head' | 'headTime' | 'transaction'>,
): Promise<StateReader> {
  await node.head();
  const { headTime = 0 } = node;
  return async ({ txid, lastValid = 0 }) => {
    const found = await node.transaction(txid);
    if (found !== undefined) return found.isSuccess && found.logs.length > 0 ? 'paid' : 'failed';
    return headTime > lastValid ? 'expired' : 'waiting';
  };
}
