import * as z from 'zod/mini';
import { Decimal } from '@exchange/core/decimal.ts';
import { UTXO_DIGITS } from '@exchange/core/utxo-network.ts';
import { basicAuthorization } from '../../platform/utxo/credentials.ts';
import { ChannelUnavailable, requireAsked } from './channel.ts';
import type { Outpoint, UtxoBlock, UtxoTransaction } from './utxo-domain.ts';

const TIMEOUT_MS = 30_000;
/** HTTP status with which a node refuses a wrong user or a wrong password. */
const UNAUTHORIZED = 401;
/** Output type that occurs only in the Litecoin transaction that pays coins out of the extension blocks. */
const EXTENSION_TYPE = 'witness_mweb_hogaddr';
/** Error codes with which the node refuses requests (`RPCErrorCode` in the node's source). */
const NODE_CODE = {
  other: -1,
  wrongType: -3,
  notFound: -5,
  outOfRange: -8,
  unknownMethod: -32_601,
} as const;
/** Verbosity of `getblock` at which the answer contains the block's transactions and not only their ids. */
const WITH_TRANSACTIONS = 2;
/** Maximum number of transactions that one JSON-RPC batch requests. */
const TRANSACTIONS_AT_ONCE = 50;
/**
 * A transaction id that no transaction has; a request for it shows whether the node indexes all transactions.
 */
const NO_TRANSACTION = '0'.repeat(64);
/**
 * Beginning of the message with which a node that indexes all transactions refuses an unknown id. A node without the
 * index, or one that is still building it, uses another text.
 */
const NOT_INDEXED_ANYWHERE = 'No such mempool or blockchain transaction';

const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const hex = z.string().check(z.regex(/^(?:[0-9a-f]{2})*$/));
const count = z.int().check(z.minimum(0));
/** Parses an amount of coins, a text with eight decimals (see `parseExactly`), to the smallest units. */
const units = z.pipe(
  z.string().check(z.regex(/^\d{1,11}\.\d{8}$/)),
  z.transform((text: string) => Decimal.parse(text).toScaled(UTXO_DIGITS)),
);
/** Inputs and outputs inside extension blocks lack `txid`, `vout` or the script, so these fields are optional. */
const transactionSchema = z.object({
  txid: hash,
  vin: z.array(
    z.object({
      coinbase: z.optional(z.string()),
      txid: z.optional(hash),
      vout: z.optional(count),
    }),
  ),
  vout: z.array(
    z.object({
      n: z.optional(count),
      value: z.optional(units),
      scriptPubKey: z.optional(z.object({ hex, type: z.string() })),
    }),
  ),
});
const blockSchema = z.object({
  hash,
  height: count,
  previousblockhash: z.optional(hash),
  tx: z.array(transactionSchema),
});
/** A block in the answer of a node that lists only the ids of the block's transactions. */
const listedBlockSchema = z.object({
  hash,
  height: count,
  previousblockhash: z.optional(hash),
  tx: z.array(hash),
});
const placedSchema = z.object({ blockhash: z.optional(hash) });
const indexesSchema = z.object({ txindex: z.optional(z.object({ synced: z.boolean() })) });
const headerSchema = z.object({ height: count });
/**
 * While a node has no estimate, one built on Bitcoin Core 0.14 answers the rate -1, and a later one leaves the rate
 * out.
 */
const estimateSchema = z.object({ feerate: z.optional(z.union([units, z.literal(-1)])) });
const infoSchema = z.object({ blocks: count });
const answerSchema = z.object({
  result: z.optional(z.unknown()),
  error: z.nullish(z.object({ code: z.number(), message: z.string() })),
});
const batchAnswerSchema = z.array(
  z.object({
    id: z.number(),
    result: z.optional(z.unknown()),
    error: z.nullish(z.object({ code: z.number(), message: z.string() })),
  }),
);

/** Thrown when the node answers a request with an error; contains the node's error code. */
export class UtxoNodeRefused extends Error {
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

/**
 * JSON-RPC client of a node of the Bitcoin family (the interface of Bitcoin Core); it validates every answer strictly.
 * It reads the credentials from their file for each request, because the node writes new ones whenever it starts.
 */
export class UtxoNode {
  private readonly url: string;
  private readonly authFile: string;
  private id = 0;
  /** Whether the node answers `getblock` with ids only; undefined before the first block was read. */
  private listsIdsOnly: boolean | undefined;
  private isIndexed = false;

  /** The file `authFile` contains `user:password`; it can be the node's cookie file. */
  constructor(url: string, authFile: string) {
    this.url = url;
    this.authFile = authFile;
  }

  /** Returns the number of the node's newest block. */
  async head(): Promise<number> {
    return infoSchema.parse(await this.call('getblockchaininfo')).blocks;
  }

  /**
   * Returns the hash of the block with this number; undefined if the number is above that of the newest
   * block.
   */
  async hashAt(number: number): Promise<string | undefined> {
    try {
      return hash.parse(await this.call('getblockhash', [number]));
    } catch (cause) {
      // The chain became shorter after its length was read, so the node has no block with this number.
      if (cause instanceof UtxoNodeRefused && cause.code === NODE_CODE.outOfRange) return undefined;
      throw cause;
    }
  }

  /**
   * Returns the block with this number and its transactions; undefined if the number is above that of the
   * newest block. Nodes that are built on Bitcoin Core before 0.15, such as Dogecoin Core 1.14, answer with
   * the ids of the transactions only. Their transactions are read by id, for which the node needs an index of
   * all transactions; throws `ChannelUnavailable` if it has none.
   */
  async blockAt(number: number): Promise<UtxoBlock | undefined> {
    const blockHash = await this.hashAt(number);
    if (blockHash === undefined) return undefined;
    if (this.listsIdsOnly !== true) {
      try {
        const answer = await this.call('getblock', [blockHash, WITH_TRANSACTIONS]);
        this.listsIdsOnly = false;
        const { height, previousblockhash, tx } = blockSchema.parse(answer);
        return {
          number: height,
          hash: blockHash,
          parentHash: previousblockhash ?? '',
          transactions: tx.map(transactionOf),
        };
      } catch (cause) {
        if (!isVerbosityRefusal(cause)) throw cause;
        this.listsIdsOnly = true;
      }
    }
    return this.blockByIds(blockHash);
  }

  private async blockByIds(blockHash: string): Promise<UtxoBlock> {
    this.isIndexed ||= await this.hasTransactionIndex();
    if (!this.isIndexed)
      throw new ChannelUnavailable(
        "the node lists only the ids of a block's transactions and has no complete index of transactions: start it with -txindex=1",
      );
    const { height, previousblockhash, tx } = listedBlockSchema.parse(
      await this.call('getblock', [blockHash, true]),
    );
    // Nodes do not index the transaction of the chain's first block, and its outputs cannot be spent, so it is left
    // out.
    const ids = previousblockhash === undefined ? [] : tx;
    const transactions: UtxoTransaction[] = [];
    for (let start = 0; start < ids.length; start += TRANSACTIONS_AT_ONCE)
      transactions.push(...(await this.transactionsNamed(ids.slice(start, start + TRANSACTIONS_AT_ONCE))));
    return { number: height, hash: blockHash, parentHash: previousblockhash ?? '', transactions };
  }

  /** Returns the transactions with these ids, in the same order. Throws if one is missing. */
  private async transactionsNamed(ids: readonly string[]): Promise<UtxoTransaction[]> {
    const requests = ids.map((txid) => {
      this.id += 1;
      return { jsonrpc: '1.0', id: this.id, method: 'getrawtransaction', params: [txid, true] };
    });
    const answers = batchAnswerSchema.parse(await this.post(JSON.stringify(requests)));
    const answersById = new Map(answers.map((answer) => [answer.id, answer]));
    return requests.map(({ id, params: [txid] }) => {
      const answer = answersById.get(id);
      if (answer?.error)
        throw new UtxoNodeRefused(`${String(txid)}: ${answer.error.message}`, answer.error.code);
      const transaction = transactionOf(transactionSchema.parse(answer?.result));
      if (transaction.txid !== txid)
        throw new Error(`the node gave another transaction than ${String(txid)}`);
      return transaction;
    });
  }

  /** Broadcasts a signed transaction, given in hexadecimal digits; throws `UtxoNodeRefused` if the node refuses it. */
  async broadcast(raw: string): Promise<void> {
    await this.call('sendrawtransaction', [raw]);
  }

  /** True if the node holds the transaction in its memory pool, so that it waits for a block there. */
  async holds(txid: string): Promise<boolean> {
    try {
      await this.call('getmempoolentry', [txid]);
      return true;
    } catch (cause) {
      if (cause instanceof UtxoNodeRefused && cause.code === NODE_CODE.notFound) return false;
      throw cause;
    }
  }

  /**
   * Returns the estimated fee rate with which a transaction gets into one of the next `blocks` blocks, in the
   * smallest unit per 1,000 virtual bytes; undefined while the node has seen too few blocks for an estimate.
   */
  async feeRate(blocks: number): Promise<bigint | undefined> {
    const { feerate } = estimateSchema.parse(await this.call('estimatesmartfee', [blocks]));
    return feerate === -1 ? undefined : feerate;
  }

  /**
   * True if the node has a complete index of all transactions, which `mined` needs. For a node without `getindexinfo`,
   * such as Dogecoin Core 1.14, this is derived from the error message with which it refuses an unknown transaction id.
   */
  async hasTransactionIndex(): Promise<boolean> {
    try {
      const { txindex } = indexesSchema.parse(await this.call('getindexinfo', ['txindex']));
      return txindex?.synced === true;
    } catch (cause) {
      if (!(cause instanceof UtxoNodeRefused) || cause.code !== NODE_CODE.unknownMethod) throw cause;
      return this.refusesAsIndexed();
    }
  }

  private async refusesAsIndexed(): Promise<boolean> {
    try {
      await this.call('getrawtransaction', [NO_TRANSACTION, true]);
      return false;
    } catch (cause) {
      if (!(cause instanceof UtxoNodeRefused) || cause.code !== NODE_CODE.notFound) throw cause;
      return cause.message.includes(NOT_INDEXED_ANYWHERE);
    }
  }

  /**
   * Returns a transaction in a block, with the number of the block; undefined if no block contains it, or if
   * the node has no index of all transactions. Throws `ChannelUnavailable` if the node answers with another
   * transaction.
   */
  async mined(
    txid: string,
  ): Promise<{ readonly transaction: UtxoTransaction; readonly block: number } | undefined> {
    try {
      const answer = await this.call('getrawtransaction', [txid, true]);
      const { blockhash } = placedSchema.parse(answer);
      if (blockhash === undefined) return undefined;
      const { height } = headerSchema.parse(await this.call('getblockheader', [blockhash]));
      if ((await this.hashAt(height)) !== blockhash) return undefined;
      const transaction = transactionOf(transactionSchema.parse(answer));
      requireAsked(transaction.txid, txid);
      return { transaction, block: height };
    } catch (cause) {
      if (cause instanceof UtxoNodeRefused && cause.code === NODE_CODE.notFound) return undefined;
      throw cause;
    }
  }

  /**
   * True if a transaction in a block spends the output; false for one that is unspent or that no block contains. The node
   * needs an index of all transactions.
   */
  async isSpent({ txid, vout }: Outpoint): Promise<boolean> {
    if ((await this.mined(txid)) === undefined) return false;
    // With `false` the node ignores its memory pool, and answers null if a block spends the output. `call` throws only
    // if the answer has no result at all, not if the result is null.
    return (await this.call('gettxout', [txid, vout, false])) === null;
  }

  /**
   * Returns a transaction in hex; undefined if neither a block nor the memory pool contains it. The node
   * needs an index of all transactions; throws `ChannelUnavailable` if it has none.
   */
  async rawTransaction(txid: string): Promise<string | undefined> {
    try {
      return hex.parse(await this.call('getrawtransaction', [txid]));
    } catch (cause) {
      if (!(cause instanceof UtxoNodeRefused) || cause.code !== NODE_CODE.notFound) throw cause;
      this.isIndexed ||= await this.hasTransactionIndex();
      if (this.isIndexed) return undefined;
      throw new ChannelUnavailable(
        'the node has no complete index of transactions, which payments without witness need: start it with -txindex=1',
      );
    }
  }

  private async call(method: string, parameters: readonly unknown[] = []): Promise<unknown> {
    this.id += 1;
    const body = JSON.stringify({ jsonrpc: '1.0', id: this.id, method, params: parameters });
    const { result, error } = answerSchema.parse(await this.post(body));
    if (error !== undefined && error !== null)
      throw new UtxoNodeRefused(`${method}: ${error.message}`, error.code);
    if (result === undefined) throw new Error(`${method} has no answer`);
    return result;
  }

  private async post(body: string): Promise<unknown> {
    let status: number;
    let text: string;
    try {
      const authorization = basicAuthorization(this.authFile);
      const response = await fetch(this.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization },
        body,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      status = response.status;
      text = await response.text();
    } catch (cause) {
      throw new ChannelUnavailable(unreachableText(cause, this.authFile), { cause });
    }
    if (status === UNAUTHORIZED)
      throw new ChannelUnavailable(`the node does not accept the credentials in ${this.authFile}`);
    try {
      return parseExactly(text);
    } catch (cause) {
      throw new ChannelUnavailable(`the node answers with status ${status} and no JSON`, { cause });
    }
  }
}

/**
 * True if the node refused a `getblock` request because it expects `true` or `false` instead of a number for
 * the verbosity, as nodes do that are built on Bitcoin Core before 0.15.
 */
function isVerbosityRefusal(cause: unknown): boolean {
  return (
    cause instanceof UtxoNodeRefused &&
    (cause.code === NODE_CODE.other || cause.code === NODE_CODE.wrongType) &&
    cause.message.includes('boolean')
  );
}

function unreachableText(cause: unknown, authFile: string): string {
  const isFile = cause instanceof Error && 'path' in cause && cause.path === authFile;
  return isFile ? `the credentials in ${authFile} cannot be read` : 'the node does not answer';
}

/**
 * Parses JSON, but returns numbers with decimals or exponents as text, because a JavaScript number cannot represent
 * every amount exactly. Strings stay unchanged, even if they contain numbers.
 */
export function parseExactly(json: string): unknown {
  const quoted = json.replace(
    /"(?:[^"\\]|\\.)*"|(-?\d+(?:\.\d+)?[eE][+-]?\d+|-?\d+\.\d+)/g,
    (match, decimal: string | undefined) => (decimal === undefined ? match : `"${decimal}"`),
  );
  return JSON.parse(quoted) as unknown;
}

function transactionOf({ txid, vin, vout }: z.output<typeof transactionSchema>): UtxoTransaction {
  const isExtension = vout.some(({ scriptPubKey }) => scriptPubKey?.type === EXTENSION_TYPE);
  const isCoinbase = vin.some(({ coinbase }) => coinbase !== undefined);
  return {
    txid,
    source: isCoinbase ? 'coinbase' : isExtension ? 'extension' : 'outputs',
    inputs: vin.flatMap((input) =>
      input.txid === undefined || input.vout === undefined ? [] : [{ txid: input.txid, vout: input.vout }],
    ),
    outputs: vout.flatMap(({ n, value, scriptPubKey }) =>
      n === undefined || value === undefined || scriptPubKey === undefined
        ? []
        : [{ vout: n, units: value, script: scriptPubKey.hex }],
    ),
  };
}
