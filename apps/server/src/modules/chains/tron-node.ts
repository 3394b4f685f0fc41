import * as z from 'zod/mini';
import { tronHex, tronTransferData } from '../../platform/tron/transactions.ts';
import { ChannelUnavailable, requireAsked } from './channel.ts';
import { contractText, WATCHED_DIGITS_MOST, type TokenFacts } from './watched-tokens-domain.ts';
import type { TronBlock, TronPrices, TronResources, TronTransaction } from './tron-domain.ts';

const TIMEOUT_MS = 15_000;

const id = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const hex = z.string().check(z.regex(/^[0-9a-f]*$/i));
/**
 * The kind of a transaction's contract and the fields that the exchange reads: the paying account, and the receiver and
 * amount of a transfer of TRX. Contracts of other kinds have fields of the same names but other types, so the receiver
 * and the amount are checked later, only for transfers of TRX.
 */
const contractSchema = z.object({
  type: z.optional(z.string()),
  parameter: z.optional(
    z.object({
      value: z.optional(
        z.object({
          owner_address: z.optional(z.string()),
          to_address: z.optional(z.unknown()),
          amount: z.optional(z.unknown()),
        }),
      ),
    }),
  ),
});
type Contract = z.output<typeof contractSchema>;
const blockSchema = z.object({
  blockID: id,
  block_header: z.object({
    // The node omits the number of the chain's first block, because it is zero.
    raw_data: z.object({
      number: z.optional(z.int().check(z.minimum(0))),
      parentHash: id,
      timestamp: z.optional(z.int().check(z.minimum(0))),
    }),
  }),
  transactions: z.optional(
    z.array(
      z.object({
        txID: id,
        raw_data: z.optional(z.object({ contract: z.optional(z.array(contractSchema)) })),
      }),
    ),
  ),
});
const unsignedSchema = z.object({
  txID: id,
  raw_data: z.optional(z.object({ contract: z.optional(z.array(contractSchema)) })),
});
const resultSchema = z.object({
  id,
  blockNumber: z.int().check(z.minimum(0)),
  /** TRX that the transaction burnt, in sun; absent if it burnt none. */
  fee: z.optional(z.int().check(z.minimum(0))),
  /** `FAILED` if the transaction failed; absent otherwise. */
  result: z.optional(z.string()),
  receipt: z.optional(z.object({ result: z.optional(z.string()) })),
  log: z.optional(
    z.array(z.object({ address: hex, topics: z.optional(z.array(hex)), data: z.optional(hex) })),
  ),
});

const natural = z.int().check(z.minimum(0));
const accountSchema = z.object({ balance: z.optional(natural) });
const resourcesSchema = z.object({
  freeNetLimit: z.optional(natural),
  freeNetUsed: z.optional(natural),
  NetLimit: z.optional(natural),
  NetUsed: z.optional(natural),
  EnergyLimit: z.optional(natural),
  EnergyUsed: z.optional(natural),
});
const parametersSchema = z.object({
  chainParameter: z.array(z.object({ key: z.string(), value: z.optional(z.number()) })),
});
const callSchema = z.object({
  result: z.object({
    result: z.optional(z.boolean()),
    code: z.optional(z.string()),
    /** Reason of a failure: its text in hexadecimal digits. */
    message: z.optional(z.string()),
  }),
  energy_used: z.optional(natural),
  constant_result: z.optional(z.array(hex)),
  transaction: z.optional(z.object({ ret: z.optional(z.array(z.object({ ret: z.optional(z.string()) }))) })),
});
const broadcastSchema = z.object({
  result: z.optional(z.boolean()),
  code: z.optional(z.string()),
  message: z.optional(z.string()),
});
/** Names of the prices among the parameters that the network publishes. */
const PRICE = {
  energy: 'getEnergyFee',
  bandwidth: 'getTransactionFee',
  activation: 'getCreateNewAccountFeeInSystemContract',
};
const PLAIN_TEXT = /^[\x20-\x7e]+$/;
/** Maximum number of characters of an error text of a contract or a node that operators see. */
const WORDS_MOST = 200;

/** Thrown when a contract refuses a simulated call. The message of the error contains the contract's reason. */
export class TronCallRefused extends Error {}

/** Thrown when a contract call is simulated at an address that has no contract. */
class NoTronContract extends ChannelUnavailable {}

/** The node's error code for a call at an address that has no contract. */
const NO_CONTRACT = 'CONTRACT_VALIDATE_ERROR';
/** Kind of the contract of a transaction that transfers TRX. */
const COIN_TRANSFER = 'TransferContract';
/** Number of hexadecimal digits of a value that a contract returns. */
const WORD_LENGTH = 64;
const ADDRESS = /^41[0-9a-f]{40}$/i;

/** Result of a transaction in the node's answer: its block, fee, receipt and event logs. */
type Result = z.output<typeof resultSchema>;

/**
 * Client of a TRON node; it validates every answer strictly. At `url`, blocks, transactions and balances are read as of
 * the newest solidified block. At `fullUrl`, which can be another port of the node, the node accepts transactions and
 * reports prices and resources of accounts.
 */
export class TronNode {
  private readonly url: string;
  private readonly fullUrl: string;
  /**
   * Time of the newest solidified block at the last call of `head`, in milliseconds UTC; undefined before the first
   * call.
   */
  headTime: number | undefined;

  constructor(url: string, fullUrl: string | undefined) {
    this.url = url.replace(/\/+$/, '');
    this.fullUrl = (fullUrl ?? url).replace(/\/+$/, '');
  }

  /** Returns the number of the newest solidified block, and stores the time of this block in `headTime`. */
  async head(): Promise<number> {
    const { block_header: header } = blockSchema.parse(await this.post('getnowblock', {}));
    const { number = 0, timestamp = 0 } = header.raw_data;
    this.headTime = timestamp;
    return number;
  }

  async hashAt(number: number): Promise<string | undefined> {
    return (await this.block(number))?.blockID;
  }

  /**
   * Returns a block with the results of its transactions; undefined if the node has no block with this
   * number. Throws `ChannelUnavailable` if the node does not have all results.
   */
  async blockAt(number: number): Promise<TronBlock | undefined> {
    const block = await this.block(number);
    if (block === undefined) return undefined;
    const listed = block.transactions ?? [];
    const results =
      listed.length === 0
        ? []
        : z.array(resultSchema).parse(await this.post('gettransactioninfobyblocknum', { num: number }));
    const byTransaction = new Map(results.map((result) => [result.id, result]));
    const transactions = listed.map(({ txID: txid, raw_data: unsigned }) => {
      const result = byTransaction.get(txid);
      if (result?.blockNumber !== number)
        throw new ChannelUnavailable(`the node has no result of ${txid} in block ${number}`);
      return transactionOf(result, unsigned?.contract?.[0]);
    });
    const { parentHash, timestamp = 0 } = block.block_header.raw_data;
    return {
      number,
      hash: block.blockID,
      parentHash,
      time: timestamp,
      transactions,
    };
  }

  /**
   * Returns the result and the logs of the transaction with this id in a solidified block, without its payer
   * (`owner`) and its transfer of TRX (`paid`); undefined if no solidified block contains it. Throws
   * `ChannelUnavailable` if the node gives another transaction.
   */
  async transaction(txid: string): Promise<(TronTransaction & { readonly block: number }) | undefined> {
    const result = await this.resultOf(txid);
    return result && Object.assign(transactionOf(result, undefined), { block: result.blockNumber });
  }

  /**
   * Returns the transaction with this id in a solidified block, with the account that paid for it and the
   * transfer of TRX that it makes; undefined if no solidified block contains it. Needs a second request to
   * the node, unlike `transaction`.
   */
  async wholeTransaction(txid: string): Promise<(TronTransaction & { readonly block: number }) | undefined> {
    const result = await this.resultOf(txid);
    if (result === undefined) return undefined;
    const unsigned = unsignedSchema.parse(await this.post('gettransactionbyid', { value: txid }));
    requireAsked(unsigned.txID, txid);
    const contract = unsigned.raw_data?.contract?.[0];
    return Object.assign(transactionOf(result, contract), { block: result.blockNumber });
  }

  private async resultOf(txid: string): Promise<Result | undefined> {
    const answer = await this.post('gettransactioninfobyid', { value: txid });
    if (isEmpty(answer)) return undefined;
    const result = resultSchema.parse(answer);
    requireAsked(result.id, txid);
    return result;
  }

  /**
   * Returns the decimals, name and symbol that a token contract reports; undefined if the address is no token
   * contract, or if the token has more than `WATCHED_DIGITS_MOST` decimals.
   */
  async tokenFacts(contract: string): Promise<TokenFacts | undefined> {
    const answerTo = async (selector: string): Promise<string | undefined> => {
      try {
        const { constant_result: results } = await this.call(contract, contract, { selector, parameter: '' });
        return results?.[0];
      } catch (cause) {
        if (cause instanceof TronCallRefused || cause instanceof NoTronContract) return undefined;
        throw cause;
      }
    };
    const [digits, name = '', symbol = ''] = [
      await answerTo('decimals()'),
      await answerTo('name()'),
      await answerTo('symbol()'),
    ];
    if (digits?.length !== WORD_LENGTH || BigInt(`0x${digits}`) > BigInt(WATCHED_DIGITS_MOST))
      return undefined;
    return {
      digits: Number(BigInt(`0x${digits}`)),
      name: contractText(`0x${name}`),
      symbol: contractText(`0x${symbol}`),
    };
  }

  /** Returns the balance of an account in TRX, in sun (10^-6 TRX); 0 if the account does not exist. */
  async coinBalance(address: string): Promise<bigint> {
    const account = accountSchema.parse(await this.post('getaccount', { address: tronHex(address) }));
    return BigInt(account.balance ?? 0);
  }

  /** True if an account exists, so that a transfer of TRX to it does not cost the price of an activation. */
  async hasAccount(address: string): Promise<boolean> {
    return !isEmpty(await this.post('getaccount', { address: tronHex(address) }));
  }

  /**
   * Returns the balance of an address in a token, in the token's smallest units. Throws if the contract
   * returns no balance.
   */
  async tokenBalance(contract: string, address: string): Promise<bigint> {
    const call = await this.call(address, contract, {
      selector: 'balanceOf(address)',
      parameter: tronHex(address).slice(2).padStart(64, '0'),
    });
    const [units] = call.constant_result ?? [];
    if (units?.length !== 64) throw new Error(`the contract ${contract} gives no balance`);
    return BigInt(`0x${units}`);
  }

  /**
   * Returns the energy that a transfer of a token would need at present. Throws `TronCallRefused` if the
   * contract or the receiver refuses the transfer. Throws `ChannelUnavailable` if the node does not state the
   * energy.
   */
  async energy(
    owner: string,
    contract: string,
    { address, units }: { readonly address: string; readonly units: bigint },
  ): Promise<bigint> {
    const { energy_used: energy } = await this.call(owner, contract, {
      selector: 'transfer(address,uint256)',
      parameter: tronTransferData(address, units).slice(8),
    });
    if (energy === undefined || energy === 0)
      throw new ChannelUnavailable('the node does not say how much energy a transfer uses');
    return BigInt(energy);
  }

  /** Returns the energy and bandwidth that an account can use at present without burning TRX. */
  async resources(address: string): Promise<TronResources> {
    const answer = await this.post('getaccountresource', { address: tronHex(address) }, 'full');
    const { freeNetLimit = 0, freeNetUsed = 0, ...staked } = resourcesSchema.parse(answer);
    const { NetLimit = 0, NetUsed = 0, EnergyLimit = 0, EnergyUsed = 0 } = staked;
    // A transaction uses either the staked or the free bandwidth, never the sum of both.
    const bandwidth = Math.max(NetLimit - NetUsed, freeNetLimit - freeNetUsed, 0);
    return { energy: BigInt(Math.max(EnergyLimit - EnergyUsed, 0)), bandwidth: BigInt(bandwidth) };
  }

  /**
   * Returns the network's present prices of energy, bandwidth and new accounts, in sun. Throws
   * `ChannelUnavailable` if the node does not state one of them.
   */
  async prices(): Promise<TronPrices> {
    const { chainParameter } = parametersSchema.parse(await this.post('getchainparameters', {}, 'full'));
    const values = new Map(chainParameter.map(({ key, value = 0 }) => [key, value]));
    const price = (name: string) => {
      const value = values.get(name);
      if (value === undefined || !Number.isSafeInteger(value) || value < 0)
        throw new ChannelUnavailable(`the node has no price ${name}`);
      return BigInt(value);
    };
    return {
      energy: price(PRICE.energy),
      bandwidth: price(PRICE.bandwidth),
      activation: price(PRICE.activation),
    };
  }

  /**
   * Sends a signed transaction to the node. Returns the node's code, such as `SUCCESS` or `DUP_TRANSACTION_ERROR`, and
   * its message.
   */
  async broadcast(raw: string): Promise<{ readonly code: string; readonly text: string }> {
    const { result, code, message } = broadcastSchema.parse(
      await this.post('broadcasthex', { transaction: raw }, 'full'),
    );
    return { code: result === true ? 'SUCCESS' : (code ?? 'UNKNOWN'), text: textOf(message) };
  }

  /**
   * Simulates a call of a contract; no transaction is created. Throws `NoTronContract` if the address is no contract,
   * `TronCallRefused` if the contract refuses the call, and `ChannelUnavailable` if the node does not simulate it.
   */
  private async call(
    owner: string,
    contract: string,
    { selector, parameter }: { readonly selector: string; readonly parameter: string },
  ): Promise<z.output<typeof callSchema>> {
    const answer = callSchema.parse(
      await this.post('triggerconstantcontract', {
        owner_address: tronHex(owner),
        contract_address: tronHex(contract),
        function_selector: selector,
        parameter,
      }),
    );
    const { result, code, message } = answer.result;
    if (result !== true && code === NO_CONTRACT) throw new NoTronContract('the address is no contract');
    if (result !== true) throw new ChannelUnavailable(`the node tries no call: ${code ?? textOf(message)}`);
    if (message !== undefined || answer.transaction?.ret?.[0]?.ret === 'FAILED')
      throw new TronCallRefused(textOf(message) || 'the contract refuses the call');
    return answer;
  }

  private async block(number: number) {
    const answer = await this.post('getblockbynum', { num: number });
    if (isEmpty(answer)) return undefined;
    const block = blockSchema.parse(answer);
    const given = block.block_header.raw_data.number ?? 0;
    if (given !== number) throw new Error(`the node gave block ${given} instead of ${number}`);
    return block;
  }

  private async post(
    method: string,
    fields: Readonly<Record<string, unknown>>,
    part: 'solidified' | 'full' = 'solidified',
  ): Promise<unknown> {
    const place = part === 'full' ? `${this.fullUrl}/wallet` : `${this.url}/walletsolidity`;
    let answer: unknown;
    try {
      const response = await fetch(`${place}/${method}`, {
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
    // The node answers errors with the HTTP status of a success, so the body is checked.
    if (typeof answer === 'object' && answer !== null && 'Error' in answer)
      throw new ChannelUnavailable(`the node answers ${method} with an error: ${String(answer.Error)}`);
    return answer;
  }
}

function transactionOf(
  { id: txid, result, receipt, fee = 0, log = [] }: Result,
  contract: Contract | undefined,
): TronTransaction {
  const { owner_address: owner = '', to_address: receiver, amount } = contract?.parameter?.value ?? {};
  // A transfer of TRX calls no contract, so its receipt contains no contract result. The missing result
  // therefore does not count as a failure.
  const called = receipt?.result ?? 'SUCCESS';
  const isFailed = result === 'FAILED' || called !== 'SUCCESS';
  return {
    txid,
    isSuccess: !isFailed && receipt?.result === 'SUCCESS',
    failure: isFailed ? (called === 'SUCCESS' ? 'FAILED' : called) : undefined,
    owner: ADDRESS.test(owner) ? owner.slice(2).toLowerCase() : undefined,
    // The node's JSON states amounts above 2^53 sun, nine billion TRX, inexactly; such a transfer is not recorded.
    paid:
      contract?.type === COIN_TRANSFER &&
      typeof receiver === 'string' &&
      ADDRESS.test(receiver) &&
      Number.isSafeInteger(amount) &&
      Number(amount) > 0
        ? { receiver: receiver.slice(2).toLowerCase(), units: BigInt(Number(amount)) }
        : undefined,
    fee: BigInt(fee),
    logs: log.map(({ address, topics = [], data = '' }) => ({
      address: address.toLowerCase(),
      topics: topics.map((topic) => topic.toLowerCase()),
      data: data.toLowerCase(),
    })),
  };
}

/** True if the node's answer is an empty object; the node then does not have the requested object. */
function isEmpty(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && Object.keys(answer).length === 0;
}

/**
 * Returns the text of a node's message, which the node sends either as plain text or in hexadecimal digits,
 * cut off after `WORDS_MOST` characters; empty without a message.
 */
function textOf(message: string | undefined): string {
  if (message === undefined) return '';
  const decoded = /^(?:[0-9a-f]{2})+$/i.test(message) ? Buffer.from(message, 'hex').toString() : message;
  return (PLAIN_TEXT.test(decoded) ? decoded : message).slice(0, WORDS_MOST);
}
