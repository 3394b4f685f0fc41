import * as z from 'zod/mini';
import { ChannelAway } from './channel.ts';
import type { EvmBlock, EvmLog, EvmReceipt } from './evm-domain.ts';

const TIMEOUT_MS = 10_000;
/** Questions in one request: more than this, and many nodes refuse it. */
const BATCH = 100;

const hex = z.string().check(z.regex(/^0x[0-9a-f]*$/i));
const quantity = z.pipe(
  hex,
  z.transform((text: string) => BigInt(text)),
);
const count = z.pipe(
  hex,
  z.transform((text: string) => Number(text)),
);
const logSchema = z.object({
  address: hex,
  topics: z.array(hex),
  data: hex,
  logIndex: count,
  transactionHash: hex,
  blockHash: hex,
});
const blockSchema = z.object({
  number: count,
  hash: hex,
  parentHash: hex,
  baseFeePerGas: z.optional(quantity),
  transactions: z.array(z.object({ hash: hex, to: z.nullish(hex), value: quantity })),
});
const headerSchema = z.object({ number: count, hash: hex });
const receiptSchema = z.object({
  status: hex,
  blockNumber: count,
  blockHash: hex,
  logs: z.array(logSchema),
});
const answerSchema = z.object({
  result: z.optional(z.unknown()),
  error: z.optional(z.object({ code: z.number(), message: z.string() })),
});

const batchSchema = z.array(z.extend(answerSchema, { id: z.number() }));

/** `balanceOf(address)` of ERC-20. */
const BALANCE_OF = '0x70a08231';

/** What an address has: of a token by its contract, else of the chain's own coin. */
export interface BalanceQuestion {
  readonly address: string;
  readonly contract: string | undefined;
}

/** The call that asks a token's contract what an address has. */
export function balanceCall(address: string): string {
  return `${BALANCE_OF}${address.slice(2).toLowerCase().padStart(64, '0')}`;
}

/** A node's own refusal, e.g. of a transaction that it has already. */
export class NodeRefused extends Error {}

/** A node of an Ethereum-like chain, over JSON-RPC; whatever it says is read strictly. */
export class EvmNode {
  private readonly url: string;
  private id = 0;

  constructor(url: string) {
    this.url = url;
  }

  async chainId(): Promise<number> {
    return count.parse(await this.call('eth_chainId'));
  }

  /** The number of the newest block. */
  async head(): Promise<number> {
    return count.parse(await this.call('eth_blockNumber'));
  }

  async hashAt(number: number): Promise<string | undefined> {
    const found = await this.call('eth_getBlockByNumber', [numberText(number), false]);
    return found === null ? undefined : headerSchema.parse(found).hash;
  }

  async blockAt(number: number): Promise<EvmBlock | undefined> {
    const found = await this.call('eth_getBlockByNumber', [numberText(number), true]);
    if (found === null) return undefined;
    const { transactions, ...block } = blockSchema.parse(found);
    return { ...block, transactions: transactions.map(({ to = null, ...rest }) => ({ ...rest, to })) };
  }

  /** The logs of one block, by its hash, of some contracts with one topic. */
  async logsIn(blockHash: string, contracts: readonly string[], topic: string): Promise<EvmLog[]> {
    const filter = { blockHash, address: contracts, topics: [topic] };
    return z
      .array(logSchema)
      .parse(await this.call('eth_getLogs', [filter]))
      .map(logOf);
  }

  async receipt(txid: string): Promise<EvmReceipt | undefined> {
    const found = await this.call('eth_getTransactionReceipt', [txid]);
    if (found === null) return undefined;
    const { status, blockNumber: block, blockHash, logs } = receiptSchema.parse(found);
    return { isSuccess: BigInt(status) === 1n, block, blockHash, logs: logs.map(logOf) };
  }

  /** Transactions that an address has in blocks. */
  async nonce(address: string): Promise<number> {
    return count.parse(await this.call('eth_getTransactionCount', [address, 'latest']));
  }

  async balance(address: string): Promise<bigint> {
    return quantity.parse(await this.call('eth_getBalance', [address, 'latest']));
  }

  /** What addresses had as of a block, in the order of the questions. */
  async balancesAt(block: number, questions: readonly BalanceQuestion[]): Promise<bigint[]> {
    const balances: bigint[] = [];
    for (let from = 0; from < questions.length; from += BATCH)
      balances.push(...(await this.balances(block, questions.slice(from, from + BATCH))));
    return balances;
  }

  /** What a call of a contract gives, as a number. */
  async read(to: string, data: string): Promise<bigint> {
    return quantity.parse(await this.call('eth_call', [{ to, data }, 'latest']));
  }

  async gas(call: { from: string; to: string; value: string; data: string }): Promise<bigint> {
    return quantity.parse(await this.call('eth_estimateGas', [call]));
  }

  /** What a unit of gas costs at the moment, in wei: the block's fee and the tip. */
  async fees(): Promise<{ readonly base: bigint; readonly tip: bigint }> {
    const { baseFeePerGas = 0n } = blockSchema.parse(
      await this.call('eth_getBlockByNumber', ['latest', true]),
    );
    const tip = quantity.parse(await this.call('eth_maxPriorityFeePerGas'));
    return { base: baseFeePerGas, tip };
  }

  /** Hands a signed transaction over; throws `NodeRefused` with the node's words. */
  async broadcast(raw: string): Promise<void> {
    await this.call('eth_sendRawTransaction', [raw]);
  }

  /** As many as one request holds. */
  private async balances(block: number, questions: readonly BalanceQuestion[]): Promise<bigint[]> {
    const at = numberText(block);
    const calls = questions.map(({ address, contract }, id) => ({
      jsonrpc: '2.0',
      id,
      ...(contract === undefined
        ? { method: 'eth_getBalance', params: [address, at] }
        : { method: 'eth_call', params: [{ to: contract, data: balanceCall(address) }, at] }),
    }));
    const answers = batchSchema.parse(await this.posted(JSON.stringify(calls)));
    const results = new Map(
      answers.map(({ id, result, error }) => [id, resultOf(`balances of block ${block}`, result, error)]),
    );
    return questions.map((_, id) => quantity.parse(results.get(id)));
  }

  private async posted(body: string): Promise<unknown> {
    try {
      const response = await fetch(this.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return (await response.json()) as unknown;
    } catch (cause) {
      throw new ChannelAway('the node does not answer', { cause });
    }
  }

  private async call(method: string, parameters: readonly unknown[] = []): Promise<unknown> {
    this.id += 1;
    const body = JSON.stringify({ jsonrpc: '2.0', id: this.id, method, params: parameters });
    const { result, error } = answerSchema.parse(await this.posted(body));
    return resultOf(method, result, error);
  }
}

function resultOf(what: string, result: unknown, error: { readonly message: string } | undefined): unknown {
  if (error !== undefined) throw new NodeRefused(`${what}: ${error.message}`);
  if (result === undefined) throw new Error(`${what} has no answer`);
  return result;
}

function numberText(number: number): string {
  return `0x${number.toString(16)}`;
}

function logOf({ address, topics, data, logIndex, transactionHash }: z.output<typeof logSchema>): EvmLog {
  return { address, topics, data, index: logIndex, txid: transactionHash };
}
