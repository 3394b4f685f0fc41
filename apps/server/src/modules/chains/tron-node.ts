import * as z from 'zod/mini';
import { ChannelUnavailable } from './channel.ts';
import type { TronBlock, TronTransaction } from './tron-domain.ts';

const TIMEOUT_MS = 15_000;

const id = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const hex = z.string().check(z.regex(/^[0-9a-f]*$/i));
const blockSchema = z.object({
  blockID: id,
  block_header: z.object({
    // The node omits the number of the first block, because it is zero.
    raw_data: z.object({ number: z.optional(z.int().check(z.minimum(0))), parentHash: id }),
  }),
  transactions: z.optional(z.array(z.object({ txID: id }))),
});
const resultSchema = z.object({
  id,
  blockNumber: z.int().check(z.minimum(0)),
  /** `FAILED` if the transaction failed; absent otherwise. */
  result: z.optional(z.string()),
  receipt: z.optional(z.object({ result: z.optional(z.string()) })),
  log: z.optional(
    z.array(z.object({ address: hex, topics: z.optional(z.array(hex)), data: z.optional(hex) })),
  ),
});

/** The result that the node stores for a transaction. */
type Result = z.output<typeof resultSchema>;

/** Client of a TRON node that reads solidified blocks only; every answer is validated strictly. */
export class TronNode {
  private readonly url: string;

  constructor(url: string) {
    this.url = url.replace(/\/+$/, '');
  }

  /** Number of the newest solidified block. */
  async head(): Promise<number> {
    const { block_header: header } = blockSchema.parse(await this.post('getnowblock', {}));
    return header.raw_data.number ?? 0;
  }

  async hashAt(number: number): Promise<string | undefined> {
    return (await this.block(number))?.blockID;
  }

  /** A block with the results of its transactions. Throws `ChannelUnavailable` if the node does not have all of them. */
  async blockAt(number: number): Promise<TronBlock | undefined> {
    const block = await this.block(number);
    if (block === undefined) return undefined;
    const txids = (block.transactions ?? []).map(({ txID }) => txID);
    const results =
      txids.length === 0
        ? []
        : z.array(resultSchema).parse(await this.post('gettransactioninfobyblocknum', { num: number }));
    const byTransaction = new Map(results.map((result) => [result.id, result]));
    const transactions = txids.map((txid) => {
      const result = byTransaction.get(txid);
      if (result?.blockNumber !== number)
        throw new ChannelUnavailable(`the node has no result of ${txid} in block ${number}`);
      return transactionOf(result);
    });
    return {
      number,
      hash: block.blockID,
      parentHash: block.block_header.raw_data.parentHash,
      transactions,
    };
  }

  /** A transaction of a solidified block; undefined if there is none with this id. */
  async transaction(txid: string): Promise<(TronTransaction & { readonly block: number }) | undefined> {
    const answer = await this.post('gettransactioninfobyid', { value: txid });
    if (isEmpty(answer)) return undefined;
    const result = resultSchema.parse(answer);
    const { isSuccess, logs } = transactionOf(result);
    return { txid: result.id, isSuccess, logs, block: result.blockNumber };
  }

  private async block(number: number) {
    const answer = await this.post('getblockbynum', { num: number });
    if (isEmpty(answer)) return undefined;
    const block = blockSchema.parse(answer);
    const given = block.block_header.raw_data.number ?? 0;
    if (given !== number) throw new Error(`the node gave block ${given} instead of ${number}`);
    return block;
  }

  private async post(method: string, fields: Readonly<Record<string, unknown>>): Promise<unknown> {
    let answer: unknown;
    try {
      const response = await fetch(`${this.url}/walletsolidity/${method}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fields),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!response.ok) throw new Error(`status ${response.status}`);
      answer = (await response.json()) as unknown;
    } catch (cause) {
      throw new ChannelUnavailable('the node does not answer', { cause });
    }
    // The node answers errors with the HTTP status of a success.
    if (typeof answer === 'object' && answer !== null && 'Error' in answer)
      throw new ChannelUnavailable(`the node answers ${method} with an error: ${String(answer.Error)}`);
    return answer;
  }
}

function transactionOf({ id: txid, result, receipt, log = [] }: Result): TronTransaction {
  return {
    txid,
    isSuccess: result !== 'FAILED' && receipt?.result === 'SUCCESS',
    logs: log.map(({ address, topics = [], data = '' }) => ({
      address: address.toLowerCase(),
      topics: topics.map((topic) => topic.toLowerCase()),
      data: data.toLowerCase(),
    })),
  };
}

/**
 * Whether an answer is an empty object, which means that the node does not have the requested
 * object.
 */
function isEmpty(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && Object.keys(answer).length === 0;
}
