import * as z from 'zod/mini';
import { ChannelUnavailable } from './channel.ts';
import type { XrpTransaction } from './xrp-domain.ts';

const TIMEOUT_MS = 30_000;
const PAGE = 200;
/** Error codes of a node that cannot answer at present. */
const AWAY: ReadonlySet<string> = new Set([
  'noNetwork',
  'noCurrent',
  'noClosed',
  'amendmentBlocked',
  'tooBusy',
  'slowDown',
  'notReady',
  'notSynced',
  'InsufficientNetworkMode',
]);

const uint = z.int().check(z.minimum(0));
const hash = z.string().check(z.regex(/^[0-9A-F]{64}$/));
const drops = z.pipe(
  z.string().check(z.regex(/^\d{1,17}$/)),
  z.transform((text: string) => BigInt(text)),
);
const address = z.string().check(z.regex(/^r[1-9A-HJ-NP-Za-km-z]{24,34}$/));
const answerSchema = z.object({
  result: z.looseObject({
    error: z.optional(z.string()),
    error_message: z.optional(z.string()),
  }),
});
const stateSchema = z.object({
  state: z.object({
    complete_ledgers: z.string(),
    network_id: z.optional(uint),
    validated_ledger: z.optional(z.object({ seq: uint, reserve_base: uint, reserve_inc: uint })),
  }),
});
const ledgerSchema = z.object({
  ledger_hash: hash,
  ledger_index: uint,
  validated: z.optional(z.boolean()),
});
const accountSchema = z.object({
  validated: z.optional(z.boolean()),
  account_data: z.object({ Balance: drops, Sequence: uint, OwnerCount: uint, Flags: uint }),
});
const feeSchema = z.object({
  drops: z.object({ minimum_fee: drops, open_ledger_fee: drops }),
});
const submitSchema = z.object({ engine_result: z.string(), engine_result_message: z.string() });
/** An amount of XRP is a text; an amount of an issued currency is an object. */
const amount = z.union([z.string(), z.looseObject({})]);
const balances = z.optional(z.looseObject({ Balance: z.optional(amount), Account: z.optional(z.string()) }));
const node = z.looseObject({
  LedgerEntryType: z.string(),
  FinalFields: balances,
  PreviousFields: balances,
  NewFields: balances,
});
const metaSchema = z.object({
  TransactionResult: z.string(),
  delivered_amount: z.optional(amount),
  AffectedNodes: z.array(
    z.object({
      CreatedNode: z.optional(node),
      ModifiedNode: z.optional(node),
      DeletedNode: z.optional(node),
    }),
  ),
});
const transactionSchema = z.object({
  hash,
  validated: z.optional(z.boolean()),
  ledger_index: uint,
  tx_json: z.object({
    TransactionType: z.string(),
    Account: address,
    Sequence: uint,
    Fee: drops,
    Destination: z.optional(address),
    DestinationTag: z.optional(uint),
  }),
  meta: metaSchema,
});
const pageSchema = z.object({
  validated: z.optional(z.boolean()),
  ledger_index_min: uint,
  ledger_index_max: uint,
  marker: z.optional(z.unknown()),
  transactions: z.array(z.looseObject({ validated: z.optional(z.boolean()) })),
});

/** Thrown when the node refuses a request; contains the node's error code. */
class XrpNodeRefused extends Error {
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

export interface XrpState {
  /** Number of the newest validated ledger. */
  readonly ledger: number;
  /** Ranges of the numbers of the ledgers that the node has, as a text such as `100-150,200-250`. */
  readonly complete: string;
  readonly networkId: number;
  /**
   * Balance in drops that the network requires an account to keep: `base`, and `each` for every object that
   * the account owns.
   */
  readonly reserve: { readonly base: bigint; readonly each: bigint };
}

interface XrpAccount {
  readonly balance: bigint;
  readonly sequence: number;
  readonly owned: number;
  readonly flags: number;
}

interface XrpPage {
  readonly transactions: readonly XrpTransaction[];
  /** The node's position of the next page; undefined after the last page. */
  readonly marker: unknown;
}

/** JSON-RPC client of a node of the XRP Ledger (`rippled` 2 or later, API version 2). */
export class XrpNode {
  private readonly url: string;
  private readonly timeoutMs: number;

  constructor(url: string, timeoutMs = TIMEOUT_MS) {
    this.url = url;
    this.timeoutMs = timeoutMs;
  }

  /**
   * What the node reports about itself: the newest validated ledger, the ledgers that it has, the id of its
   * network, and the reserves of the network. Throws `ChannelUnavailable` while it has no validated ledger.
   */
  async state(): Promise<XrpState> {
    const { state } = stateSchema.parse(await this.call('server_state'));
    const { validated_ledger: validated, network_id: networkId = 0, complete_ledgers: complete } = state;
    if (validated === undefined) throw new ChannelUnavailable('the node has no validated ledger yet');
    return {
      ledger: validated.seq,
      complete,
      networkId,
      reserve: { base: BigInt(validated.reserve_base), each: BigInt(validated.reserve_inc) },
    };
  }

  /**
   * Hash of a validated ledger; undefined if the node does not have the ledger. Throws if the node answers
   * with a ledger that is not validated or has another number.
   */
  async hashAt(ledger: number): Promise<string | undefined> {
    try {
      const answer = ledgerSchema.parse(await this.call('ledger', { ledger_index: ledger }));
      if (answer.validated !== true || answer.ledger_index !== ledger)
        throw new Error(`the node has no validated ledger ${ledger}`);
      return answer.ledger_hash;
    } catch (cause) {
      if (cause instanceof XrpNodeRefused && cause.code === 'lgrNotFound') return undefined;
      throw cause;
    }
  }

  /**
   * A page of an account's transactions in these ledgers, oldest first. Throws if the node has not searched all of
   * these ledgers, or if a transaction is not validated or belongs to a ledger outside the range.
   */
  async transactions(
    account: string,
    { from, to, marker }: { readonly from: number; readonly to: number; readonly marker: unknown },
  ): Promise<XrpPage> {
    const answer = await this.call('account_tx', {
      account,
      ledger_index_min: from,
      ledger_index_max: to,
      forward: true,
      limit: PAGE,
      marker,
    });
    const page = pageSchema.parse(answer);
    if (page.validated !== true || page.ledger_index_min > from || page.ledger_index_max < to)
      throw new Error(
        `the node read the ledgers ${page.ledger_index_min} to ${page.ledger_index_max}, not ${from} to ${to}`,
      );
    const transactions = page.transactions.map((entry) => {
      // This is checked before the fields are parsed, because a transaction that is not validated may lack required
      // fields.
      if (entry.validated !== true) throw new Error(`a transaction of ${account} is not validated`);
      return transactionOf(transactionSchema.parse(entry));
    });
    const stray = transactions.find(({ ledger }) => ledger < from || ledger > to);
    if (stray !== undefined)
      throw new Error(`${stray.txid} is in the ledger ${stray.ledger}, not in ${from} to ${to}`);
    return { transactions, marker: page.marker };
  }

  /**
   * The account as of a validated ledger; undefined if it does not exist there. Throws `ChannelUnavailable`
   * if the node does not have the ledger.
   */
  async account(
    account: string,
    ledger: number | 'validated' = 'validated',
  ): Promise<XrpAccount | undefined> {
    try {
      const answer = accountSchema.parse(await this.call('account_info', { account, ledger_index: ledger }));
      if (answer.validated !== true) throw new Error(`the balance of ${account} is not validated`);
      const { Balance: balance, Sequence: sequence, OwnerCount: owned, Flags: flags } = answer.account_data;
      return { balance, sequence, owned, flags };
    } catch (cause) {
      if (cause instanceof XrpNodeRefused && cause.code === 'actNotFound') return undefined;
      if (cause instanceof XrpNodeRefused && cause.code === 'lgrNotFound')
        throw new ChannelUnavailable(`the node does not have the ledger ${ledger}`, { cause });
      throw cause;
    }
  }

  /**
   * The fee in drops with which a transaction currently gets into the open ledger without waiting in the node's queue.
   */
  async fee(): Promise<bigint> {
    const { minimum_fee: minimum, open_ledger_fee: open } = feeSchema.parse(await this.call('fee')).drops;
    return open > minimum ? open : minimum;
  }

  /**
   * Submits a signed transaction to the node; returns its preliminary result, which is not final.
   */
  async submit(raw: string): Promise<{ readonly result: string; readonly text: string }> {
    const answer = submitSchema.parse(await this.call('submit', { tx_blob: raw }));
    return { result: answer.engine_result, text: answer.engine_result_message };
  }

  /**
   * The transaction with this id in a validated ledger; undefined if the node does not have it, has it in no
   * validated ledger, or answers with another transaction.
   */
  async transaction(txid: string): Promise<XrpTransaction | undefined> {
    try {
      const answer = await this.call('tx', { transaction: txid });
      if (answer['validated'] !== true) return undefined;
      const transaction = transactionOf(transactionSchema.parse(answer));
      return transaction.txid === txid ? transaction : undefined;
    } catch (cause) {
      if (cause instanceof XrpNodeRefused && cause.code === 'txnNotFound') return undefined;
      throw cause;
    }
  }

  private async call(
    method: string,
    parameters: Readonly<Record<string, unknown>> = {},
  ): Promise<Record<string, unknown>> {
    const body = JSON.stringify({ method, params: [{ ...parameters, api_version: 2 }] });
    const parsed = answerSchema.safeParse(await this.post(body));
    if (!parsed.success) throw new ChannelUnavailable(`the node answers ${method} in an unknown form`);
    const { result } = parsed.data;
    const { error } = result;
    if (error === undefined) return result;
    const text = `${method}: ${result.error_message ?? error}`;
    throw AWAY.has(error) ? new ChannelUnavailable(text) : new XrpNodeRefused(text, error);
  }

  private async post(body: string): Promise<unknown> {
    let status: number;
    let text: string;
    try {
      const response = await fetch(this.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(this.timeoutMs),
      });
      status = response.status;
      text = await response.text();
    } catch (cause) {
      throw new ChannelUnavailable('the node does not answer', { cause });
    }
    try {
      return JSON.parse(text) as unknown;
    } catch (cause) {
      throw new ChannelUnavailable(`the node answers with status ${status} and no JSON`, { cause });
    }
  }
}

function transactionOf({
  hash: txid,
  ledger_index: ledger,
  tx_json: fields,
  meta,
}: z.output<typeof transactionSchema>): XrpTransaction {
  const changes = new Map<string, bigint>();
  for (const { CreatedNode, ModifiedNode, DeletedNode } of meta.AffectedNodes) {
    const changed = ModifiedNode ?? DeletedNode;
    const account = CreatedNode?.NewFields?.Account ?? changed?.FinalFields?.Account;
    if ((CreatedNode ?? changed)?.LedgerEntryType !== 'AccountRoot' || account === undefined) continue;
    const before = dropsOf(changed?.PreviousFields?.Balance);
    const after = dropsOf(CreatedNode?.NewFields?.Balance ?? changed?.FinalFields?.Balance);
    // The metadata contains no previous balance of an existing account whose balance did not change, so such
    // an account is missing in `changes`.
    if (after !== undefined && (CreatedNode !== undefined || before !== undefined))
      changes.set(account, after - (before ?? 0n));
  }
  return {
    txid,
    ledger,
    type: fields.TransactionType,
    account: fields.Account,
    sequence: fields.Sequence,
    fee: fields.Fee,
    destination: fields.Destination,
    tag: fields.DestinationTag,
    result: meta.TransactionResult,
    delivered: dropsOf(meta.delivered_amount),
    changes,
  };
}

/**
 * The amount in drops; undefined for an issued currency, and for a text that is not 1 to 17 digits, such as
 * `unavailable` or a negative amount.
 */
function dropsOf(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^\d{1,17}$/.test(value) ? BigInt(value) : undefined;
}
