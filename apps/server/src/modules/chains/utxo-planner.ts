import { Decimal } from '@exchange/core/decimal.ts';
import { UTXO_DIGITS } from '@exchange/core/utxo-network.ts';
import { feeAt, sumOf, vbytesOf } from '@exchange/core/utxo-transaction.ts';
import { newId, systemRandom } from '../../platform/secrets/random.ts';
import {
  BATCH_INPUTS_MAX,
  BATCH_PAYMENTS_MAX,
  LEGACY_INPUTS_MAX,
  PREVIOUS_BYTES_MAX,
  PREVIOUS_TOTAL_MAX,
  type BatchPayment,
} from '../../platform/signer/utxo-protocol.ts';
import { approverOf, type PaymentCost, type Sending } from './domain.ts';
import {
  insertBatch,
  newestBatchAt,
  spendableOutputs,
  type SpendableOutput,
} from './utxo-batch-repository.ts';
import { beyondPrevious, chooseBatch, unitsOf, type BatchChoice } from './utxo-domain.ts';
import type { UtxoFeeRates } from './utxo-fee-rates.ts';
import type { UtxoParts } from './utxo-parts.ts';

const BATCH_MS = 60_000;
/** Number of small outputs that a batch merges, provided that the account has more than `ENOUGH_OUTPUTS` outputs. */
const CONSOLIDATED = 20;
const ENOUGH_OUTPUTS = 60;

interface Parts extends Pick<
  UtxoParts,
  'clock' | 'codec' | 'database' | 'height' | 'needed' | 'network' | 'node' | 'own' | 'rates'
> {
  readonly fees: UtxoFeeRates;
}

/** Plans batches: chooses payments and the outputs that pay for them, and stores both before the signer receives them. */
export class UtxoPlanner {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /**
   * True if the newest batch of payments on the network was planned a minute ago or longer, or if there is
   * none.
   */
  async isTimeForBatch(): Promise<boolean> {
    const { database, network, clock } = this.parts;
    const newestAt = await newestBatchAt(database.store, network.code);
    return newestAt === undefined || clock.now() - newestAt >= BATCH_MS;
  }

  /**
   * Converts a payment to the form of the signer's request, with the script of its address. Throws for an
   * address or an amount that the network does not accept, and for a payment that has neither the digest of
   * its owner's confirmation nor that of an approved transfer to the cold wallet.
   */
  async requestOf(sending: Sending) {
    const { origin, address, amount, confirmed, coldDigest } = sending;
    const script = (await this.parts.codec()).scriptOf(address);
    if (script === undefined) throw new Error(`${address} is no address of ${this.parts.network.code}`);
    const units = unitsOf(amount);
    if (units < this.parts.network.dust) throw new Error(`${origin} pays less than the network takes`);
    const fields = {
      origin,
      address,
      units: units.toString(),
      approvedBy: approverOf(sending),
    };
    let payment: BatchPayment;
    if (confirmed !== undefined)
      payment = { kind: 'pay', owner: confirmed.owner, digest: confirmed.digest, ...fields };
    else if (coldDigest !== undefined) payment = { kind: 'cold', digest: coldDigest, ...fields };
    else throw new Error(`${origin} has no digest of its owner's confirmation`);
    return { payment, script, units };
  }

  /**
   * Returns the network fee, in units of the coin with decimals and at the current fee rate, of a transaction
   * that makes one payment and spends one output. A payment in a batch usually adds no more than this size.
   */
  async paymentCosts(): Promise<ReadonlyMap<string, PaymentCost>> {
    const { fees, network } = this.parts;
    const { script } = await this.parts.own();
    const fee = feeAt(await fees.current(), vbytesOf(1, [script, script], network.script));
    return new Map([[network.code, { coin: network.code, amount: Decimal.ofScaled(fee, UTXO_DIGITS) }]]);
  }

  /**
   * Plans and stores one batch with as many of the first `BATCH_PAYMENTS_MAX` payments as the spendable
   * outputs can pay. Returns its id and the number of these payments that wait for other outputs. Throws if
   * the outputs can pay none.
   */
  async planBatch(sendings: readonly Sending[]): Promise<{ readonly id: string; readonly waiting: number }> {
    const { database, fees, network, rates, height, needed, clock } = this.parts;
    const own = await this.parts.own();
    const payments = await Promise.all(
      sendings.slice(0, BATCH_PAYMENTS_MAX).map((each) => this.requestOf(each)),
    );
    const rate = await fees.current();
    const isCheap = rate <= rates.consolidate;
    const spendable = {
      height: height(),
      depositsUntil: height() - needed.deposit + 1,
      // Without segregated witness, a re-org can replace a transaction by the same one under another id. A batch that
      // spends the change under the first id could then never be mined, so the change of such networks is spent only
      // when it is final.
      changeUntil: network.script === 'wpkh' ? height() : height() - needed.payment + 1,
    };
    const inputsMax = network.script === 'wpkh' ? BATCH_INPUTS_MAX : LEGACY_INPUTS_MAX;
    const coins = await spendableOutputs(database.store, network.code, {
      order: 'largest',
      limit: inputsMax - CONSOLIDATED,
      ...spendable,
    });
    const small =
      isCheap && coins.length > ENOUGH_OUTPUTS
        ? await spendableOutputs(database.store, network.code, {
            order: 'smallest',
            limit: CONSOLIDATED,
            ...spendable,
          })
        : [];
    const byName = new Map(coins.map((coin) => [`${coin.txid}:${coin.vout}`, coin]));
    const extra = small.map((coin) => byName.get(`${coin.txid}:${coin.vout}`) ?? coin);
    const choice = await this.choose({ coins, extra, payments, rate, change: own.script });
    if (choice === undefined) {
      const available = Decimal.ofScaled(sumOf(coins), UTXO_DIGITS);
      const wanted = Decimal.ofScaled(sumOf(payments), UTXO_DIGITS);
      throw new Error(
        `${available} ${network.code} can be spent now, and ${wanted} are to be paid; unconfirmed coins and open batches are not spent`,
      );
    }
    const id = newId(systemRandom, clock.now());
    await database.transaction((tx) =>
      insertBatch(tx, {
        id,
        network: network.code,
        fee: choice.fee,
        now: clock.now(),
        inputs: choice.inputs.map(({ units, ...coin }) => ({ ...coin, units: units.toString() })),
        payments: choice.payments.map(({ payment }) => payment),
      }),
    );
    return { id, waiting: payments.length - choice.payments.length };
  }

  /**
   * Chooses the payments and outputs of a batch, as `chooseBatch` does. On a network without segregated witness, outputs
   * whose previous transactions do not fit into a request to the signer, or are unknown to the node, are left for later
   * batches; throws if no payment can be made without them.
   */
  private async choose<Payment extends { readonly units: bigint; readonly script: string }>({
    payments,
    rate,
    change,
    ...available
  }: {
    readonly coins: readonly SpendableOutput[];
    readonly extra: readonly SpendableOutput[];
    readonly payments: readonly Payment[];
    readonly rate: bigint;
    readonly change: string;
  }): Promise<BatchChoice<SpendableOutput, Payment> | undefined> {
    const { node, network } = this.parts;
    const kind = network.script;
    const sizes = new Map<string, number>();
    let { coins, extra } = available;
    let left = 0;
    for (;;) {
      const choice = chooseBatch({ coins, extra, payments, rate, change, kind });
      if (choice === undefined && left > 0)
        throw new Error(
          `${left} outputs on ${network.code} wait: the transactions that made them are unknown to the node, or too large together for a batch`,
        );
      if (choice === undefined || kind === 'wpkh') return choice;
      for (const { txid } of choice.inputs) {
        const raw = sizes.has(txid) ? undefined : await node.rawTransaction(txid);
        if (raw !== undefined) sizes.set(txid, raw.length / 2);
      }
      const limits = { each: PREVIOUS_BYTES_MAX, total: PREVIOUS_TOTAL_MAX };
      const beyond = beyondPrevious(choice.inputs, sizes, limits);
      if (beyond.size === 0) return choice;
      left += beyond.size;
      coins = coins.filter((coin) => !beyond.has(coin));
      extra = extra.filter((coin) => !beyond.has(coin));
    }
  }
}
