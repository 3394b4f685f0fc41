import { Decimal, least } from '@exchange/core/decimal.ts';
import type { Closing } from '@exchange/core/fund.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import { houseAddress, userAddress, worldAddress, type EntryKind, type Ledger } from '../ledger/index.ts';
import type { Position } from './domain.ts';

/**
 * Accounts of the exchange for funds: `fund` pays profits and receives losses; `insurance` receives liquidation fees
 * and pays losses beyond the margin; `fees` receives the daily costs.
 */
export const ACCOUNTS = {
  fund: houseAddress('fund'),
  insurance: houseAddress('insurance'),
  fees: houseAddress('fees'),
};

export const spotOf = (user: UserId) => userAddress(user, 'spot', 'available');
const frozenOf = (user: UserId) => userAddress(user, 'fund', 'frozen');
const lockedOf = (user: UserId) => userAddress(user, 'fund', 'locked');

/** Posts the ledger entries of fund positions. */
export class FundPosts {
  private readonly ledger: Ledger;

  constructor(ledger: Ledger) {
    this.ledger = ledger;
  }

  /** Freezes the margin of a fund purchase until the purchase executes at the next unit value. */
  hold(step: SqlStep, { id, owner, asset, margin }: Position): void {
    const posting = { source: spotOf(owner), destination: frozenOf(owner), asset, amount: margin };
    this.ledger.post(step, 'fund.held', id, [posting]);
  }

  /** Locks the part of the margin that the bought units need, and releases the rest of the frozen margin. */
  buy(step: SqlStep, { id, owner, asset, margin }: Position, used: Decimal): void {
    const source = frozenOf(owner);
    const unused = margin.minus(used);
    this.ledger.post(step, 'fund.bought', id, [
      { source, destination: lockedOf(owner), asset, amount: used },
      ...(unused.isPositive() ? [{ source, destination: spotOf(owner), asset, amount: unused }] : []),
    ]);
  }

  refund(step: SqlStep, { id, owner, asset, margin }: Position): void {
    const posting = { source: frozenOf(owner), destination: spotOf(owner), asset, amount: margin };
    this.ledger.post(step, 'fund.refunded', id, [posting]);
  }

  addMargin(step: SqlStep, { id, owner, asset }: Position, amount: Decimal): void {
    const posting = { source: spotOf(owner), destination: lockedOf(owner), asset, amount };
    this.ledger.post(step, 'fund.margin', id, [posting]);
  }

  chargeCost(step: SqlStep, { id, owner, asset }: Position, amount: Decimal): void {
    if (!amount.isPositive()) return;
    const posting = { source: lockedOf(owner), destination: ACCOUNTS.fees, asset, amount };
    this.ledger.post(step, 'fund.cost', id, [posting]);
  }

  /**
   * True if the balance of the exchange's fund account covers its part of the closing of a fund position now; false in
   * a halted coin.
   */
  canPay(asset: string, { fromHouse }: Closing): boolean {
    return !this.ledger.isHalted(asset) && !fromHouse.isMore(this.ledger.balance(ACCOUNTS.fund, asset));
  }

  /**
   * Posts the closing of a fund position or of a sold part: the owner receives the payout, `insurance` the
   * liquidation fee, and `fund` receives the loss or pays the profit. `insurance` pays losses beyond the
   * margin to `fund` as far as its balance suffices. The caller has to check with `canPay` before that `fund`
   * can pay; then no balance becomes negative.
   */
  close(
    step: SqlStep,
    kind: EntryKind,
    { id, owner, asset, margin, costs }: Position,
    { payout, fee, shortfall, fromHouse }: Closing,
  ): void {
    const locked = margin.minus(costs);
    const loss = fromHouse.isNegative() ? fromHouse.negated() : Decimal.zero;
    const afterLoss = locked.minus(loss);
    const feeFromMargin = least(fee, afterLoss);
    const payoutFromMargin = least(payout, afterLoss.minus(feeFromMargin));
    const fromInsurance = least(shortfall, this.ledger.balance(ACCOUNTS.insurance, asset));
    const lockedAccount = lockedOf(owner);
    const postings = [
      { source: lockedAccount, destination: ACCOUNTS.fund, asset, amount: loss },
      { source: lockedAccount, destination: ACCOUNTS.insurance, asset, amount: feeFromMargin },
      { source: lockedAccount, destination: spotOf(owner), asset, amount: payoutFromMargin },
      { source: ACCOUNTS.fund, destination: ACCOUNTS.insurance, asset, amount: fee.minus(feeFromMargin) },
      { source: ACCOUNTS.fund, destination: spotOf(owner), asset, amount: payout.minus(payoutFromMargin) },
      { source: ACCOUNTS.insurance, destination: ACCOUNTS.fund, asset, amount: fromInsurance },
    ].filter(({ amount }) => amount.isPositive());
    if (postings.length > 0) this.ledger.post(step, kind, id, postings);
  }

  /**
   * Credits play money, or fees from the account `fees`, to the account that pays profits (`fund`) or to the
   * insurance pool.
   */
  fund(
    step: SqlStep,
    account: 'fund' | 'insurance',
    asset: string,
    amount: Decimal,
    from: 'demo' | 'fees',
  ): void {
    const source = from === 'demo' ? worldAddress(asset, 'demo') : ACCOUNTS.fees;
    this.ledger.post(step, 'fund.funded', null, [{ source, destination: ACCOUNTS[account], asset, amount }]);
  }
}
