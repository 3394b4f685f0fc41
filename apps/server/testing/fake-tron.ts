import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TRON_GENESIS } from '@exchange/core/tron-network.ts';
import { TRON_TRANSFER_TOPIC } from '../src/modules/chains/tron-domain.ts';
import {
  readTronTransfer,
  referenceOf,
  tronHex,
  tronTransferData,
  type TronTransfer,
} from '../src/platform/tron/transactions.ts';

/** Address of the contract of USDT on the public network. */
export const TRON_USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

const BLOCK_MS = 3_000;
/** Prices in sun of a unit of energy, a byte and a new account, as on the public network in 2026. */
const PRICE = { energy: 100n, byte: 1_000n, account: 1_000_000n };
/** Energy of a transfer of USDT: `known` to an address that has USDT, `unknown` to one that has none. */
const ENERGY = { known: 64_285n, unknown: 130_285n };

/** An executed transaction with the address that pays its fee, and its result. */
interface Executed {
  readonly owner: string;
  /** Receiver and amount of a transfer of TRX in sun; undefined for a call of a contract. */
  readonly paid?: { readonly to: string; readonly units: bigint };
  readonly result: Record<string, unknown>;
}

interface Block {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly time: number;
  readonly executed: readonly Executed[];
}

/** A transfer of a token that a test adds to a block; the token is USDT if `contract` is undefined. */
interface FakeTransfer {
  readonly from: string;
  readonly to: string;
  readonly units: bigint;
  readonly contract?: string;
  /** Result of the transaction; `SUCCESS` if undefined. */
  readonly result?: string;
  /** Number of unrelated events that precede the transfer in its transaction. */
  readonly before?: number;
}

/** A signed transaction that waits for a block. */
type Pending = TronTransfer & { readonly txid: string; readonly bytes: number };

/**
 * A simulated TRON node on a free port, with solidified blocks in the format of `java-tron`. It decodes and executes
 * broadcast transactions by the rules for reference blocks, expiry, energy and bandwidth. Tests cause faults by setting
 * fields of this object.
 */
export class FakeTron {
  readonly blocks: Block[] = [];
  /** Balance of USDT in its smallest unit, by address. */
  readonly tokens = new Map<string, bigint>();
  /** Balance of TRX in sun, by address. */
  readonly coins = new Map<string, bigint>();
  /** Decimals, name and symbol of further token contracts, by address. */
  readonly facts = new Map<
    string,
    { readonly digits: number; readonly name: string; readonly symbol: string }
  >();
  /** Receiving addresses to which the token contract refuses transfers: the transaction is executed, but fails. */
  readonly refused = new Set<string>();
  /** Returns the time of the network in milliseconds UTC. Consecutive blocks are at least three seconds apart. */
  clock: () => number = () => Date.now();
  /** Changes the node's answer to a call before the node sends it. */
  distort: ((method: string, answer: unknown) => unknown) | undefined;
  /** True if the node drops transactions although it reports them as accepted. */
  isDeaf = false;
  /** Returns true for a transaction that no block will contain, although the node reports it as accepted. */
  loses: (txid: string) => boolean = () => false;
  /** If set, executed token transfers that were broadcast get this result instead of their own. */
  failure: string | undefined;
  /** Ids of all broadcast transactions in the order of the requests, including repeated and refused ones. */
  readonly submitted: string[] = [];
  private waiting: Executed[] = [];
  private pool: Pending[] = [];
  private count = 0;
  private salt = 'tron';
  private server: Server | undefined;

  constructor(chain = 'nile') {
    const first = { number: 0, hash: TRON_GENESIS.get(chain)!, parentHash: '0'.repeat(64), time: 0 };
    this.blocks.push({ ...first, executed: [] });
    this.solidify(5);
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const fields = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
        const method = request.url!.replace(/^\/wallet(?:solidity)?\//, '');
        void this.answer(method, fields).then((answer) => {
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify(this.distort === undefined ? answer : this.distort(method, answer)));
        });
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    this.server = server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server!.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    this.server?.close();
    await once(this.server!, 'close');
  }

  /** Adds USDT in its smallest unit (`tokens`) and TRX in sun (`coins`) to an address without a transaction. */
  fund(address: string, { tokens = 0n, coins = 0n }: { readonly tokens?: bigint; readonly coins?: bigint }) {
    this.add(this.tokens, address, tokens);
    this.add(this.coins, address, coins);
  }

  /** Adds one transaction with these transfers, in order, to the next block. Returns its id. */
  transfer(...transfers: FakeTransfer[]): string {
    this.count += 1;
    const id = digest(`transaction ${this.salt} ${this.count}`);
    const log = transfers.flatMap(({ from, to, units, contract = TRON_USDT, before = 0 }) => [
      ...Array.from({ length: before }, () => ({ address: hexOf(contract), topics: [digest('other')] })),
      eventOf(contract, from, to, units),
    ]);
    const [{ result = 'SUCCESS', from }] = transfers as [FakeTransfer];
    for (const { from: payer, to, units, contract = TRON_USDT } of transfers)
      if (result === 'SUCCESS' && contract === TRON_USDT) {
        this.add(this.tokens, payer, -units);
        this.add(this.tokens, to, units);
      }
    this.waiting.push({
      owner: from,
      result: {
        id,
        fee: 345_000,
        contractResult: [''],
        receipt: { result, energy_usage_total: 31_895, net_usage: 345 },
        log,
      },
    });
    return id;
  }

  /** Adds a transfer of TRX, in sun, to the next block. Returns its id. */
  pay({ from, to, units }: Pick<FakeTransfer, 'from' | 'to' | 'units'>): string {
    this.count += 1;
    const id = digest(`transaction ${this.salt} ${this.count}`);
    this.add(this.coins, from, -units);
    this.add(this.coins, to, units);
    const result = { id, contractResult: [''], receipt: { net_usage: 268 } };
    this.waiting.push({ owner: from, paid: { to, units }, result });
    return id;
  }

  /**
   * Adds `count` solidified blocks. The first one contains the transfers that the test has added and the
   * broadcast transactions that have not expired; expired ones are dropped. The others are empty.
   */
  solidify(count = 1): void {
    for (let added = 0; added < count; added += 1) {
      const { number: last, hash: parentHash, time: before } = this.blocks.at(-1)!;
      const number = last + 1;
      // A transaction has expired if its expiration is not after the previous block's time.
      const pool = this.pool.filter(({ expiration }) => expiration > before);
      this.pool = [];
      const executed = [...this.waiting, ...pool.map((pending) => this.execute(pending))].map((executedOne) =>
        Object.assign({}, executedOne, {
          result: Object.assign({ blockNumber: number }, executedOne.result),
        }),
      );
      this.waiting = [];
      const hash = `${number.toString(16).padStart(16, '0')}${digest(`${this.salt} ${number}`).slice(16)}`;
      const time = Math.max(before + BLOCK_MS, this.clock());
      this.blocks.push({ number, hash, parentHash, time, executed });
    }
  }

  /** Replaces the newest `count` blocks by other blocks. A real node never does this with solidified blocks. */
  replace(count: number): void {
    this.blocks.splice(-count);
    this.salt += ' again';
    this.solidify(count);
  }

  private execute({ owner, contract, address, units, feeLimit, txid, bytes }: Pending): Executed {
    const bandwidth = BigInt(bytes) * PRICE.byte;
    if (contract === undefined) {
      const fee = bandwidth + (this.coins.has(address) ? 0n : PRICE.account);
      this.add(this.coins, owner, -units - fee);
      this.add(this.coins, address, units);
      const result = { id: txid, fee: Number(fee), contractResult: [''], receipt: {} };
      return { owner, paid: { to: address, units }, result };
    }
    const needed = this.energyOf(address) * PRICE.energy;
    const own =
      needed > feeLimit ? 'OUT_OF_ENERGY' : this.isRefused(owner, address, units) ? 'REVERT' : 'SUCCESS';
    const result = this.failure ?? own;
    const fee = bandwidth + (result === 'OUT_OF_ENERGY' ? feeLimit : needed);
    this.add(this.coins, owner, -fee);
    if (result === 'SUCCESS') {
      this.add(this.tokens, owner, -units);
      this.add(this.tokens, address, units);
    }
    const outcome: Record<string, unknown> = {
      id: txid,
      fee: Number(fee),
      contractResult: [''],
      receipt: { result, energy_fee: Number(needed), net_fee: Number(bandwidth) },
    };
    if (result === 'SUCCESS') outcome['log'] = [eventOf(contract, owner, address, units)];
    else outcome['result'] = 'FAILED';
    return { owner, result: outcome };
  }

  private energyOf(address: string): bigint {
    return (this.tokens.get(address) ?? 0n) > 0n ? ENERGY.known : ENERGY.unknown;
  }

  private isRefused(owner: string, address: string, units: bigint): boolean {
    return this.refused.has(address) || (this.tokens.get(owner) ?? 0n) < units;
  }

  private add(balances: Map<string, bigint>, address: string, change: bigint): void {
    if (change !== 0n) balances.set(address, (balances.get(address) ?? 0n) + change);
  }

  private async answer(method: string, fields: Record<string, unknown>): Promise<unknown> {
    const { num, value, address } = fields;
    switch (method) {
      case 'getnowblock':
        return blockAnswer(this.blocks.at(-1)!);
      case 'getblockbynum': {
        const block = this.blocks[Number(num)];
        return block === undefined ? {} : blockAnswer(block);
      }
      case 'gettransactioninfobyblocknum':
        return this.blocks[Number(num)]?.executed.map(({ result }) => result) ?? [];
      case 'gettransactioninfobyid':
        return (
          this.blocks
            .flatMap(({ executed }) => executed)
            .map(({ result }) => result)
            .find(({ id }) => id === value) ?? {}
        );
      case 'gettransactionbyid': {
        const executed = this.blocks
          .flatMap((block) => block.executed)
          .find(({ result }) => result['id'] === value);
        return executed === undefined ? {} : transactionAnswer(executed);
      }
      case 'getaccount': {
        const held = [...this.coins].find(([holder]) => tronHex(holder) === address);
        return held === undefined ? {} : { address, balance: Number(held[1]) };
      }
      case 'getaccountresource':
        return { freeNetLimit: 600, freeNetUsed: 600, TotalEnergyLimit: 180_000_000_000 };
      case 'getchainparameters':
        return {
          chainParameter: [
            { key: 'getMaintenanceTimeInterval', value: 21_600_000 },
            { key: 'getCreateNewAccountFeeInSystemContract', value: Number(PRICE.account) },
            { key: 'getTransactionFee', value: Number(PRICE.byte) },
            { key: 'getEnergyFee', value: Number(PRICE.energy) },
            { key: 'getAllowUpdateAccountName' },
          ],
        };
      case 'triggerconstantcontract':
        return this.tryCall(fields as Record<string, string>);
      case 'broadcasthex':
        return this.take(fields['transaction'] as string);
      default:
        return { Error: `class java.lang.IllegalArgumentException : ${method}` };
    }
  }

  private tryCall({
    owner_address: owner = '',
    contract_address: contract = '',
    function_selector: selector = '',
    parameter = '',
  }: Record<string, string>) {
    const holderOf = (hex: string) => [...this.tokens.keys()].find((each) => tronHex(each) === hex) ?? '';
    const [fact] = /^(?:decimals|name|symbol)(?=\(\)$)/.exec(selector) ?? [];
    if (fact !== undefined) {
      const facts = [...this.facts].find(([address]) => tronHex(address) === contract)?.[1];
      if (facts === undefined)
        return {
          result: { code: 'CONTRACT_VALIDATE_ERROR', message: Buffer.from('No contract').toString('hex') },
        };
      const text = (value: string) =>
        [32, value.length].map((word) => word.toString(16).padStart(64, '0')).join('') +
        Buffer.from(value).toString('hex').padEnd(64, '0');
      const answers = {
        decimals: facts.digits.toString(16).padStart(64, '0'),
        name: text(facts.name),
        symbol: text(facts.symbol),
      };
      return {
        result: { result: true },
        constant_result: [answers[fact as keyof typeof answers]],
        transaction: { ret: [{}] },
      };
    }
    if (selector === 'balanceOf(address)') {
      const units = this.tokens.get(holderOf(`41${parameter.slice(24)}`)) ?? 0n;
      return {
        result: { result: true },
        energy_used: 541,
        constant_result: [units.toString(16).padStart(64, '0')],
        transaction: { ret: [{}] },
      };
    }
    const receiver = `41${parameter.slice(24, 64)}`;
    const units = BigInt(`0x${parameter.slice(64)}`);
    const isRefused =
      [...this.refused].some((each) => tronHex(each) === receiver) ||
      (this.tokens.get(holderOf(owner)) ?? 0n) < units;
    if (isRefused)
      return {
        result: { result: true, message: Buffer.from('REVERT opcode executed').toString('hex') },
        energy_used: 2_000,
        constant_result: [''],
        transaction: { ret: [{ ret: 'FAILED' }] },
      };
    return {
      result: { result: true },
      energy_used: Number(this.energyOf(holderOf(receiver))),
      constant_result: ['1'.padStart(64, '0')],
      transaction: { ret: [{}] },
    };
  }

  private async take(raw: string): Promise<unknown> {
    const refusal = (code: string, text: string, txid: string) => ({
      code,
      txid,
      message: Buffer.from(text).toString('hex'),
    });
    const transaction = await readTronTransfer(raw);
    const { txid, owner, expiration, refBytes, refHash } = transaction;
    this.submitted.push(txid);
    const isKnown =
      this.pool.some((pending) => pending.txid === txid) ||
      this.blocks.some(({ executed }) => executed.some(({ result }) => result['id'] === txid));
    if (isKnown) return refusal('DUP_TRANSACTION_ERROR', 'Dup transaction.', txid);
    if (expiration <= this.blocks.at(-1)!.time)
      return refusal('TRANSACTION_EXPIRATION_ERROR', 'Transaction expired', txid);
    const isNamed = this.blocks.some((block) => {
      const reference = referenceOf(block);
      return reference.refBytes === refBytes && reference.refHash === refHash;
    });
    if (!isNamed) return refusal('TAPOS_ERROR', 'Tapos check error.', txid);
    if ((this.coins.get(owner) ?? 0n) < BigInt(transaction.bytes) * PRICE.byte)
      return refusal('BANDWITH_ERROR', 'Account resource insufficient error.', txid);
    if (!this.isDeaf && !this.loses(txid)) this.pool.push(transaction);
    return { result: true, txid };
  }
}

function blockAnswer({ number, hash, parentHash, time, executed }: Block) {
  return {
    blockID: hash,
    block_header: {
      // TRON's JSON omits fields that are zero.
      raw_data: {
        number: number === 0 ? undefined : number,
        parentHash,
        timestamp: time === 0 ? undefined : time,
      },
    },
    transactions: executed.length === 0 ? undefined : executed.map(transactionAnswer),
  };
}

function transactionAnswer({ owner, paid, result: { id } }: Executed) {
  const contract =
    paid === undefined
      ? { parameter: { value: { owner_address: tronHex(owner) } }, type: 'TriggerSmartContract' }
      : {
          parameter: {
            value: {
              owner_address: tronHex(owner),
              to_address: tronHex(paid.to),
              amount: Number(paid.units),
            },
          },
          type: 'TransferContract',
        };
  return { txID: id, raw_data: { contract: [contract] } };
}

function eventOf(contract: string, from: string, to: string, units: bigint) {
  return {
    address: hexOf(contract),
    topics: [TRON_TRANSFER_TOPIC, hexOf(from).padStart(64, '0'), hexOf(to).padStart(64, '0')],
    data: tronTransferData(to, units).slice(-64),
  };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Returns the 40 hex digits of an address in base 58, without its first byte and its checksum. */
function hexOf(address: string): string {
  return tronHex(address).slice(2);
}
