import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { readXrpTransaction, xrpTxid } from '../src/platform/xrp/transactions.ts';

/** An account in the ledger of a simulated XRP node. */
interface Account {
  balance: bigint;
  sequence: number;
  flags: number;
}

/** A transaction in the form in which `account_tx` and `tx` of a real node return it. */
interface Entry {
  readonly hash: string;
  readonly ledger_index: number;
  validated: boolean;
  readonly tx_json: Record<string, unknown>;
  readonly meta: Record<string, unknown>;
}

/** A payment from outside the exchange. */
interface OutsidePayment {
  readonly from?: string;
  readonly to: string;
  readonly tag?: number;
  /** The payment's `Amount` in drops. */
  readonly drops: bigint;
  /**
   * Number of drops by which a successful payment increases the receiver's balance; by default the amount. A
   * payment with another `result` than `tesSUCCESS` delivers nothing.
   */
  readonly delivered?: bigint;
  /** The `delivered_amount` that the node reports, by default the drops that arrive; `null` omits it. */
  readonly said?: unknown;
  readonly type?: string;
  readonly result?: string;
}

/** Address of an account outside the exchange that exists in every ledger of a simulated XRP node. */
export const OUTSIDER = 'rEiq1iAcpzP8WLjezP9MzAQEJ7jqKMLFSA';
const RESERVE_BASE = 1_000_000;
const RESERVE_EACH = 200_000;
const PAGE_MOST = 3;

/**
 * A simulated node of the XRP Ledger on a free port, with the interface of `rippled`. A ledger closes only when a test
 * calls `close`. Submitted transactions are decoded, checked, and applied by the rules of sequence numbers and last
 * ledgers. Tests cause faults by setting fields of this object.
 */
export class FakeRippled {
  readonly accounts = new Map<string, Account>([[OUTSIDER, { balance: 10n ** 15n, sequence: 1, flags: 0 }]]);
  /** Index of the newest validated ledger. */
  ledger = 1_000;
  networkId = 21_338;
  /** The `complete_ledgers` that the node reports; undefined means all ledgers. */
  complete: string | undefined;
  /** Changes an answer of the simulated node before it is sent. */
  distort: ((method: string, result: Record<string, unknown>) => void) | undefined;
  /** True if the node drops submitted transactions although it reports them as accepted. */
  isDeaf = false;
  openFee = 12n;
  readonly submitted: string[] = [];
  private readonly entries: Entry[] = [];
  private readonly balances = new Map<string, bigint>();
  private waiting: string[] = [];
  private count = 0;
  private salt = 'a ledger';
  private server: Server | undefined;

  async start(): Promise<void> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString()) as {
          method: string;
          params: [Record<string, unknown>];
        };
        void this.answer(body.method, body.params[0]).then((result) => {
          this.distort?.(body.method, result);
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify({ result: { status: 'success', ...result } }));
        });
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    this.server = server;
    this.remember();
  }

  get url(): string {
    const { port } = this.server!.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise<void>((resolve) => {
      if (this.server === undefined) resolve();
      else this.server.close(() => resolve());
    });
  }

  fund(address: string, drops: bigint, flags = 0): void {
    this.accounts.set(address, { balance: drops, sequence: this.ledger, flags });
    this.remember();
  }

  /** From this call on the node reports other hashes of its ledgers, as if it belonged to another network. */
  becomeOther(): void {
    this.salt = 'another ledger';
  }

  /** Makes a payment from outside in the ledger that closes next, and returns its hash. */
  pay({ from = OUTSIDER, to, tag, drops, type = 'Payment', result = 'tesSUCCESS', ...more }: OutsidePayment) {
    const delivered = result === 'tesSUCCESS' ? (more.delivered ?? drops) : 0n;
    const fields: Record<string, unknown> = {
      TransactionType: type,
      Account: from,
      Destination: to,
      DeliverMax: drops.toString(),
      Fee: '12',
      Sequence: this.accounts.get(from)!.sequence,
      Flags: more.delivered === undefined ? 0 : 0x0002_0000,
      SigningPubKey: '',
    };
    if (tag !== undefined) fields['DestinationTag'] = tag;
    const said = more.said === undefined ? delivered.toString() : more.said;
    this.count += 1;
    const hash = createHash('sha256').update(`outside ${this.count}`).digest('hex').toUpperCase();
    this.apply({ hash, fields, from, to, delivered, fee: 12n, result, said });
    return hash;
  }

  /**
   * Closes `count` ledgers. Each one executes the submitted transactions that are waiting. A transaction
   * whose sequence number is too high waits further, and one whose number is used or whose last ledger has
   * passed is dropped.
   */
  async close(count = 1): Promise<void> {
    for (let closed = 0; closed < count; closed += 1) {
      const waiting = this.waiting;
      this.waiting = [];
      for (const raw of waiting) await this.execute(raw);
      this.ledger += 1;
      this.remember();
    }
  }

  balance(address: string): bigint {
    return this.accounts.get(address)?.balance ?? 0n;
  }

  private remember(): void {
    for (const [address, { balance }] of this.accounts)
      this.balances.set(`${this.ledger} ${address}`, balance);
  }

  private async execute(raw: string): Promise<void> {
    const transaction = await readXrpTransaction(raw);
    const { account, sequence, lastLedger, fee, payment, txid } = transaction;
    const payer = this.accounts.get(account)!;
    if (lastLedger <= this.ledger || sequence < payer.sequence) return;
    if (sequence > payer.sequence) {
      this.waiting.push(raw);
      return;
    }
    const recipient = payment === undefined ? undefined : this.accounts.get(payment.address);
    let result = 'tesSUCCESS';
    if (payment !== undefined) {
      if (payer.balance - BigInt(RESERVE_BASE) < payment.drops) result = 'tecUNFUNDED_PAYMENT';
      else if (recipient === undefined && payment.drops < RESERVE_BASE) result = 'tecNO_DST_INSUF_XRP';
      else if (((recipient?.flags ?? 0) & 0x0002_0000) !== 0 && payment.tag === undefined)
        result = 'tecDST_TAG_NEEDED';
    }
    if (payment !== undefined && recipient === undefined && result === 'tesSUCCESS')
      this.accounts.set(payment.address, { balance: 0n, sequence: this.ledger, flags: 0 });
    const fields: Record<string, unknown> = {
      TransactionType: payment === undefined ? 'AccountSet' : 'Payment',
      Account: account,
      Fee: fee.toString(),
      Sequence: sequence,
      LastLedgerSequence: lastLedger,
    };
    if (payment !== undefined) fields['Destination'] = payment.address;
    if (payment?.tag !== undefined) fields['DestinationTag'] = payment.tag;
    const delivered = result === 'tesSUCCESS' ? (payment?.drops ?? 0n) : 0n;
    this.apply({
      hash: txid,
      fields,
      from: account,
      to: payment?.address,
      delivered,
      fee,
      result,
      said: null,
    });
  }

  private apply(transaction: {
    readonly hash: string;
    readonly fields: Record<string, unknown>;
    readonly from: string;
    readonly to: string | undefined;
    readonly delivered: bigint;
    readonly fee: bigint;
    readonly result: string;
    readonly said: unknown;
  }): void {
    const { hash, fields, from, to, delivered, fee, result, said } = transaction;
    const nodes = [this.change(from, -delivered - fee, 1)];
    if (to !== undefined && delivered > 0n) nodes.push(this.change(to, delivered, 0));
    const meta: Record<string, unknown> = {
      AffectedNodes: nodes,
      TransactionIndex: 0,
      TransactionResult: result,
    };
    if (said !== null) meta['delivered_amount'] = said;
    else if (to !== undefined && result === 'tesSUCCESS' && fields['DeliverMax'] === undefined)
      meta['delivered_amount'] = delivered.toString();
    this.entries.push({ hash, ledger_index: this.ledger + 1, validated: true, tx_json: fields, meta });
  }

  private change(address: string, drops: bigint, sequences: number) {
    const account = this.accounts.get(address)!;
    const before = account.balance;
    account.balance += drops;
    account.sequence += sequences;
    return {
      ModifiedNode: {
        LedgerEntryType: 'AccountRoot',
        LedgerIndex: createHash('sha256').update(address).digest('hex').toUpperCase(),
        FinalFields: {
          Account: address,
          Balance: account.balance.toString(),
          Flags: account.flags,
          OwnerCount: 0,
          Sequence: account.sequence,
        },
        PreviousFields: { Balance: before.toString() },
      },
    };
  }

  private async answer(method: string, fields: Record<string, unknown>): Promise<Record<string, unknown>> {
    switch (method) {
      case 'server_state':
        return {
          state: {
            complete_ledgers: this.complete ?? `1-${this.ledger}`,
            network_id: this.networkId,
            validated_ledger: {
              seq: this.ledger,
              base_fee: 10,
              reserve_base: RESERVE_BASE,
              reserve_inc: RESERVE_EACH,
            },
          },
        };
      case 'ledger':
        return this.ledgerAt(fields['ledger_index'] as number);
      case 'fee':
        return { drops: { base_fee: '10', minimum_fee: '10', open_ledger_fee: this.openFee.toString() } };
      case 'account_info':
        return this.accountInfo(fields['account'] as string, fields['ledger_index']);
      case 'account_tx':
        return this.transactionsOf(fields);
      case 'submit':
        return this.submit(fields['tx_blob'] as string);
      case 'tx': {
        const entry = this.entries.find(({ hash }) => hash === fields['transaction']);
        return entry === undefined || entry.ledger_index > this.ledger
          ? { status: 'error', error: 'txnNotFound', error_message: 'Transaction not found.' }
          : { ...entry };
      }
      default:
        return { status: 'error', error: 'unknownCmd', error_message: 'Unknown method.' };
    }
  }

  private ledgerAt(index: number) {
    if (index > this.ledger)
      return { status: 'error', error: 'lgrNotFound', error_message: 'ledgerNotFound' };
    const hash = createHash('sha256').update(`${this.salt} ${index}`).digest('hex').toUpperCase();
    return { ledger_hash: hash, ledger_index: index, validated: true };
  }

  private accountInfo(address: string, at: unknown) {
    const account = this.accounts.get(address);
    if (account === undefined)
      return { status: 'error', error: 'actNotFound', error_message: 'Account not found.' };
    const balance = typeof at === 'number' ? this.balances.get(`${at} ${address}`) : undefined;
    return {
      validated: true,
      account_data: {
        Account: address,
        Balance: (balance ?? account.balance).toString(),
        Flags: account.flags,
        OwnerCount: 0,
        Sequence: account.sequence,
      },
    };
  }

  private transactionsOf(fields: Record<string, unknown>) {
    const [account, from, to] = [
      fields['account'],
      fields['ledger_index_min'] as number,
      fields['ledger_index_max'] as number,
    ];
    const all = this.entries.filter(
      ({ ledger_index: ledger, tx_json: { Account, Destination } }) =>
        ledger >= from &&
        ledger <= Math.min(to, this.ledger) &&
        (Account === account || Destination === account),
    );
    const start = (fields['marker'] as { readonly seq: number } | undefined)?.seq ?? 0;
    const page = all.slice(start, start + PAGE_MOST);
    const result: Record<string, unknown> = {
      account,
      validated: true,
      ledger_index_min: from,
      ledger_index_max: Math.min(to, this.ledger),
      transactions: page,
    };
    if (start + PAGE_MOST < all.length) result['marker'] = { ledger: to, seq: start + PAGE_MOST };
    return result;
  }

  private async submit(raw: string) {
    this.submitted.push(xrpTxid(raw));
    const { account, sequence, lastLedger } = await readXrpTransaction(raw);
    const next = this.accounts.get(account)!.sequence;
    const answer = (engine: string) => ({ engine_result: engine, engine_result_message: engine });
    if (sequence < next) return answer('tefPAST_SEQ');
    if (lastLedger <= this.ledger) return answer('tefMAX_LEDGER');
    if (!this.isDeaf && !this.waiting.includes(raw)) this.waiting.push(raw);
    return answer(sequence > next ? 'terPRE_SEQ' : 'tesSUCCESS');
  }
}
