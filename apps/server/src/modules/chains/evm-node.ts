import type { EvmFeeModel, EvmFinality } from '@exchange/core/evm-network.ts';
import * as z from 'zod/mini';
import { ChannelUnavailable, requireAsked } from './channel.ts';
import { contractText, WATCHED_DIGITS_MOST, type TokenFacts } from './watched-tokens-domain.ts';
import type { EvmBlock, EvmLog, EvmReceipt, TracedCall } from './evm-domain.ts';

const TIMEOUT_MS = 10_000;
/** Greatest number of requests in a JSON-RPC batch; many nodes refuse larger batches. */
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
  transactions: z.array(z.object({ hash: hex, from: hex, to: z.nullish(hex), value: quantity, input: hex })),
});
const headerSchema = z.object({ number: count, hash: hex });
const receiptSchema = z.object({
  transactionHash: hex,
  status: hex,
  gasUsed: z.optional(quantity),
  effectiveGasPrice: z.optional(quantity),
  blockNumber: count,
  blockHash: hex,
  logs: z.array(logSchema),
});
const transactionSchema = z.object({
  hash: hex,
  from: hex,
  to: z.nullish(hex),
  value: quantity,
  input: hex,
  nonce: count,
});
const pricedSchema = z.object({ hash: hex, gasPrice: z.optional(quantity) });
const callSchema = z.object({
  type: z.string(),
  from: hex,
  to: z.nullish(hex),
  value: z.nullish(quantity),
  error: z.nullish(z.string()),
  calls: z.nullish(z.array(z.unknown())),
});
const tracesSchema = z.array(z.object({ txHash: z.optional(hex), result: z.unknown() }));
const answerSchema = z.object({
  result: z.optional(z.unknown()),
  error: z.optional(z.object({ code: z.number(), message: z.string() })),
});

const batchSchema = z.array(z.extend(answerSchema, { id: z.number() }));

/** Selector (first four bytes of the call data) of the ERC-20 function `balanceOf(address)`. */
const BALANCE_OF = '0x70a08231';
/** Selectors (first four bytes of the call data) of the ERC-20 functions `decimals()`, `name()` and `symbol()`. */
const DECIMALS = '0x313ce567';
const NAME = '0x06fdde03';
const SYMBOL = '0x95d89b41';
/** First bytes of the code of an account that delegates to a contract (EIP-7702). */
const DELEGATION = '0xef0100';
/** Number of characters of 32 bytes in hexadecimal digits with the prefix `0x`. */
const WORD_LENGTH = 66;

/**
 * A query for the balance of an address: of the token with this contract, or of the chain's own coin if `contract` is
 * undefined.
 */
export interface BalanceQuestion {
  readonly address: string;
  readonly contract: string | undefined;
}

/** Returns the call data of `balanceOf(address)`. */
export function balanceCall(address: string): string {
  return `${BALANCE_OF}${address.slice(2).toLowerCase().padStart(64, '0')}`;
}

/** Thrown when the node answers a request with an error, e.g. for a transaction that it already has. */
export class NodeRefused extends Error {
  /** The text of the node's error. */
  readonly answer: string;

  constructor(request: string, answer: string) {
    super(`the node answers ${request} with the error “${answer}”`);
    this.answer = answer;
  }
}

/** JSON-RPC client of an EVM node; it validates every answer against a strict schema. */
export class EvmNode {
  private readonly url: string;
  private readonly finality: EvmFinality;
  private readonly feeModel: EvmFeeModel;
  /** Least tip in wei per unit of gas; with the fee model `legacy`, the least gas price. */
  private readonly leastTip: bigint;
  private id = 0;

  constructor(
    url: string,
    {
      finality = 'latest',
      feeModel = 'eip1559',
      leastTip = 0n,
    }: {
      readonly finality?: EvmFinality;
      readonly feeModel?: EvmFeeModel;
      readonly leastTip?: bigint;
    } = {},
  ) {
    this.url = url;
    this.finality = finality;
    this.feeModel = feeModel;
    this.leastTip = leastTip;
  }

  async chainId(): Promise<number> {
    return count.parse(await this.call('eth_chainId'));
  }

  /**
   * Returns the number of the node's newest block of the kind that the setting `finality` names: `latest`, `safe` or
   * `finalized`. Confirmations are not subtracted. Throws `ChannelUnavailable` if the node has no such block.
   */
  async head(): Promise<number> {
    if (this.finality === 'latest') return count.parse(await this.call('eth_blockNumber'));
    const block = await this.call('eth_getBlockByNumber', [this.finality, false]);
    if (block === null) throw new ChannelUnavailable(`the node has no block that is ${this.finality}`);
    return headerSchema.parse(block).number;
  }

  async hashAt(number: number): Promise<string | undefined> {
    const block = await this.call('eth_getBlockByNumber', [numberText(number), false]);
    return block === null ? undefined : headerSchema.parse(block).hash;
  }

  async blockAt(number: number): Promise<EvmBlock | undefined> {
    const block = await this.call('eth_getBlockByNumber', [numberText(number), true]);
    if (block === null) return undefined;
    const { transactions, ...header } = blockSchema.parse(block);
    return { ...header, transactions: transactions.map(({ to = null, ...rest }) => ({ ...rest, to })) };
  }

  /**
   * Returns the logs in the block with this hash that one of the given contracts emitted with the given
   * topic.
   */
  async logsIn(blockHash: string, contracts: readonly string[], topic: string): Promise<EvmLog[]> {
    const filter = { blockHash, address: contracts, topics: [topic] };
    return z
      .array(logSchema)
      .parse(await this.call('eth_getLogs', [filter]))
      .map(logOf);
  }

  /**
   * Returns the traced calls of each transaction of a block, by transaction id. Throws `NodeRefused` if the
   * node does not trace calls, or if its answer does not contain exactly the transactions of the block.
   */
  async traces({ hash, transactions }: EvmBlock): Promise<ReadonlyMap<string, TracedCall>> {
    const traced = tracesSchema.parse(
      await this.call('debug_traceBlockByHash', [hash, { tracer: 'callTracer' }]),
    );
    const calls = traced.map(
      ({ txHash, result }, at) => [txHash ?? transactions[at]?.hash ?? '', callOf(result)] as const,
    );
    const byTransaction = new Map(calls);
    if (
      traced.length !== transactions.length ||
      transactions.some(({ hash: txid }) => !byTransaction.has(txid))
    )
      throw new NodeRefused(
        'debug_traceBlockByHash',
        `the traces of ${hash} are not those of its transactions`,
      );
    return byTransaction;
  }

  async receipt(txid: string): Promise<EvmReceipt | undefined> {
    const receipt = await this.call('eth_getTransactionReceipt', [txid]);
    if (receipt === null) return undefined;
    const parsed = receiptSchema.parse(receipt);
    requireAsked(parsed.transactionHash, txid, isSameHash(parsed.transactionHash, txid));
    const { status, blockNumber: block, blockHash, logs, gasUsed } = parsed;
    const gasPrice = parsed.effectiveGasPrice ?? (await this.gasPriceOf(txid));
    return {
      isSuccess: BigInt(status) === 1n,
      fee: gasUsed === undefined || gasPrice === undefined ? undefined : gasUsed * gasPrice,
      block,
      blockHash,
      logs: logs.map(logOf),
    };
  }

  /**
   * Returns the price in wei that a transaction in a block paid for each unit of gas, for nodes whose receipts do not
   * name it; undefined if the node does not name it here either. Throws `ChannelUnavailable` if the node does not have
   * the transaction, or gives another one.
   */
  private async gasPriceOf(txid: string): Promise<bigint | undefined> {
    const transaction = await this.call('eth_getTransactionByHash', [txid]);
    if (transaction === null)
      throw new ChannelUnavailable(`the node has the receipt of ${txid}, but not the transaction`);
    const { hash, gasPrice } = pricedSchema.parse(transaction);
    requireAsked(hash, txid, isSameHash(hash, txid));
    return gasPrice;
  }

  /**
   * Returns the main fields of a transaction; undefined if the node does not have the transaction. Throws
   * `ChannelUnavailable` if the node gives another transaction.
   */
  async transaction(
    txid: string,
  ): Promise<{ from: string; to: string | null; value: bigint; input: string; nonce: number } | undefined> {
    const transaction = await this.call('eth_getTransactionByHash', [txid]);
    if (transaction === null) return undefined;
    const { hash, to = null, ...fields } = transactionSchema.parse(transaction);
    requireAsked(hash, txid, isSameHash(hash, txid));
    return { to, ...fields };
  }

  /**
   * Returns the number of transactions that an address has sent and that are in blocks; this is the next
   * nonce of the address.
   */
  async nonce(address: string): Promise<number> {
    return count.parse(await this.call('eth_getTransactionCount', [address, 'latest']));
  }

  /**
   * Returns the number of transactions that an address has sent in the blocks up to and including `block`.
   */
  async nonceAt(address: string, block: number): Promise<number> {
    return count.parse(await this.call('eth_getTransactionCount', [address, numberText(block)]));
  }

  async balance(address: string): Promise<bigint> {
    return quantity.parse(await this.call('eth_getBalance', [address, 'latest']));
  }

  /** True if the address is a contract at the newest block. */
  async hasCode(address: string): Promise<boolean> {
    const code = hex.parse(await this.call('eth_getCode', [address, 'latest']));
    // An account that delegates to a contract (EIP-7702) still has a private key, so it does not count as a contract.
    return code !== '0x' && !code.startsWith(DELEGATION);
  }

  /** Returns the balances at a block in the smallest units of each coin, in the order of the queries. */
  async balancesAt(block: number, questions: readonly BalanceQuestion[]): Promise<bigint[]> {
    const balances: bigint[] = [];
    for (let start = 0; start < questions.length; start += BATCH)
      balances.push(...(await this.balances(block, questions.slice(start, start + BATCH))));
    return balances;
  }

  /**
   * Executes a contract call that only reads, on the state after the newest block, and returns its result as a number.
   */
  async read(to: string, data: string): Promise<bigint> {
    return quantity.parse(await this.call('eth_call', [{ to, data }, 'latest']));
  }

  /**
   * Returns the decimals, name and symbol that a contract reports; undefined if it is not a token, or if the
   * token has more than 18 decimals.
   */
  async tokenFacts(contract: string): Promise<TokenFacts | undefined> {
    const [digits, name, symbol] = [
      await this.answerOf(contract, DECIMALS),
      await this.answerOf(contract, NAME),
      await this.answerOf(contract, SYMBOL),
    ];
    // A call to an address without a contract succeeds with an empty result, so the length of the result is checked.
    if (digits === undefined || digits.length !== WORD_LENGTH) return undefined;
    const count = BigInt(digits);
    if (count > BigInt(WATCHED_DIGITS_MOST)) return undefined;
    return {
      digits: Number(count),
      name: contractText(name ?? '0x'),
      symbol: contractText(symbol ?? '0x'),
    };
  }

  async gas(call: { from: string; to: string; value: string; data: string }): Promise<bigint> {
    return quantity.parse(await this.call('eth_estimateGas', [call]));
  }

  /**
   * Returns the two parts of the current gas price in wei per unit of gas: the base fee of the newest block,
   * and the suggested tip, which is raised to the least tip of the settings. On chains with a single gas
   * price, `base` is zero and `tip` is that price.
   */
  async fees(): Promise<{ readonly base: bigint; readonly tip: bigint }> {
    if (this.feeModel === 'legacy')
      return {
        base: 0n,
        tip: this.sufficient(quantity.parse(await this.call('eth_gasPrice'))),
      };
    const { baseFeePerGas = 0n } = blockSchema.parse(
      await this.call('eth_getBlockByNumber', ['latest', true]),
    );
    const tip = quantity.parse(await this.call('eth_maxPriorityFeePerGas'));
    return {
      base: baseFeePerGas,
      tip: this.sufficient(tip),
    };
  }

  /** Returns the suggested tip in wei per unit of gas, or the least tip of the settings if that is higher. */
  private sufficient(tip: bigint): bigint {
    return tip < this.leastTip ? this.leastTip : tip;
  }

  /** Broadcasts a signed transaction; throws `NodeRefused` if the node refuses it. */
  async broadcast(raw: string): Promise<void> {
    await this.call('eth_sendRawTransaction', [raw]);
  }

  /**
   * Returns the bytes, in hexadecimal digits, that a read-only contract call without arguments returns;
   * undefined if the node answers with an error, for example because the contract reverts the call.
   */
  private async answerOf(to: string, data: string): Promise<string | undefined> {
    try {
      return hex.parse(await this.call('eth_call', [{ to, data }, 'latest']));
    } catch (cause) {
      if (cause instanceof NodeRefused) return undefined;
      throw cause;
    }
  }

  /**
   * Queries the balances at a block, in the smallest units, in a single JSON-RPC batch; for at most `BATCH`
   * queries.
   */
  private async balances(block: number, questions: readonly BalanceQuestion[]): Promise<bigint[]> {
    const blockNumber = numberText(block);
    const calls = questions.map(({ address, contract }, id) => ({
      jsonrpc: '2.0',
      id,
      ...(contract === undefined
        ? { method: 'eth_getBalance', params: [address, blockNumber] }
        : { method: 'eth_call', params: [{ to: contract, data: balanceCall(address) }, blockNumber] }),
    }));
    const answers = batchSchema.parse(await this.post(JSON.stringify(calls)));
    const results = new Map(
      answers.map(({ id, result, error }) => [id, resultOf(`balances of block ${block}`, result, error)]),
    );
    return questions.map((_, id) => quantity.parse(results.get(id)));
  }

  private async post(body: string): Promise<unknown> {
    try {
      const response = await fetch(this.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return (await response.json()) as unknown;
    } catch (cause) {
      throw new ChannelUnavailable('the node does not answer', { cause });
    }
  }

  private async call(method: string, parameters: readonly unknown[] = []): Promise<unknown> {
    this.id += 1;
    const body = JSON.stringify({ jsonrpc: '2.0', id: this.id, method, params: parameters });
    const { result, error } = answerSchema.parse(await this.post(body));
    return resultOf(method, result, error);
  }
}

function resultOf(
  request: string,
  result: unknown,
  error: { readonly message: string } | undefined,
): unknown {
  if (error !== undefined) throw new NodeRefused(request, error.message);
  if (result === undefined) throw new Error(`the node gives no answer to ${request}`);
  return result;
}

function numberText(number: number): string {
  return `0x${number.toString(16)}`;
}

/** Returns whether two hashes are equal; hexadecimal digits may have either case. */
function isSameHash(first: string, second: string): boolean {
  return first.toLowerCase() === second.toLowerCase();
}

function logOf({ address, topics, data, logIndex, transactionHash }: z.output<typeof logSchema>): EvmLog {
  return { address, topics, data, index: logIndex, txid: transactionHash };
}

function callOf(traced: unknown): TracedCall {
  const { type, from, to, value, error, calls } = callSchema.parse(traced);
  return {
    type,
    from,
    to: to ?? undefined,
    value: value ?? 0n,
    isReverted: error !== undefined && error !== null,
    calls: (calls ?? []).map(callOf),
  };
}
