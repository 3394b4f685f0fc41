import { convertProblem, QUOTE_MS, termsForPayment, type ConvertSide } from '@exchange/core/convert.ts';
import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import { accepted, refused, type Result } from '@exchange/core/result.ts';
import { later } from '@exchange/core/time.ts';
import type { SqlStep, Step } from '../../platform/sequencer/step.ts';
import { houseAddress, userAddress, type Ledger } from '../ledger/index.ts';
import { fundsProblem, inventoryProblem, type Quote } from './domain.ts';
import { insertQuotes, quotedOutflow } from './repository.ts';

const INVENTORY = houseAddress('inventory');
const FEES = houseAddress('fees');

/**
 * Request for an exchange at a given rate: the amount that the user pays, in the coin `from`, and the
 * fraction (`spread`) by which the rate is worse for the user than the index.
 */
export interface ExchangeRequest {
  readonly owner: UserId;
  readonly from: ConvertSide;
  readonly to: ConvertSide;
  readonly amount: Decimal;
  readonly spread: Decimal;
}

/** Makes instant exchanges inside a step of the sequencer, for the commands of this module and of other modules. */
export class ExchangeSteps {
  private readonly ledger: Ledger;

  constructor(ledger: Ledger) {
    this.ledger = ledger;
  }

  /**
   * Makes an exchange at once, without a quote, at the index less the spread of the request. The command must have
   * loaded the owner's balances before (`prepare`). Returns (does not throw) a refusal, and moves no balance, if the
   * amount is outside the limits of an exchange, if the owner's balance is too small, or if the inventory, less the
   * amounts that open quotes need, is too small.
   */
  async exchange(step: SqlStep, request: ExchangeRequest): Promise<Result<Quote, Refusal>> {
    const { owner, from, to, amount, spread } = request;
    const terms = termsForPayment(from, to, amount, spread);
    const exchange: Quote = {
      ...terms,
      id: step.newId(),
      owner,
      from: from.asset,
      to: to.asset,
      fromIndex: from.index,
      toIndex: to.index,
      madeAt: step.now,
      expiresAt: later(step.now, QUOTE_MS),
      acceptedAt: step.now,
      bundle: undefined,
    };
    const problem = convertProblem(from, terms) ?? fundsProblem(exchange, this.available(owner, from.asset));
    if (problem !== undefined) return refused(problem);
    const held = this.ledger.balance(INVENTORY, to.asset);
    const bound = await quotedOutflow(step.sql, to.asset, step.now);
    const shortage = inventoryProblem(terms, { to: to.asset, held, bound });
    if (shortage !== undefined) return refused(shortage);
    this.settle(step, exchange);
    await insertQuotes(step.sql, [exchange]);
    return accepted(exchange);
  }

  /** The balance of a coin that a user can exchange: the available balance of the spot account. */
  available(owner: UserId, asset: string): Decimal {
    return this.ledger.balance(userAddress(owner, 'spot', 'available'), asset);
  }

  /** Posts the paid amount, the received amount and the fee of an exchange in the ledger. */
  settle(step: Step, { id, owner, from, to, fromAmount, toAmount, fee }: Quote): void {
    const spot = userAddress(owner, 'spot', 'available');
    const postings = [
      {
        source: spot,
        destination: INVENTORY,
        asset: from,
        amount: fromAmount,
      },
      {
        source: INVENTORY,
        destination: spot,
        asset: to,
        amount: toAmount,
      },
      {
        source: INVENTORY,
        destination: FEES,
        asset: to,
        amount: fee,
      },
    ];
    this.ledger.post(
      step,
      'convert.exchanged',
      id,
      postings.filter(({ amount: posted }) => posted.isPositive()),
    );
  }
}
