import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import { refuse } from './order.ts';

export interface NaiveAccount {
  readonly owner: UserId;
  readonly asset: AssetCode;
  available: Decimal;
  frozen: Decimal;
}

/** Balances of the reference exchange in one list, and the fees that it has collected. */
export class NaiveAccounts {
  rows: NaiveAccount[] = [];
  fees: { readonly asset: AssetCode; amount: Decimal }[] = [];

  accountOf(owner: UserId, asset: AssetCode): NaiveAccount {
    for (const row of this.rows) if (row.owner === owner && row.asset === asset) return row;
    const row = { owner, asset, available: Decimal.zero, frozen: Decimal.zero };
    this.rows.push(row);
    return row;
  }

  fund(owner: UserId, asset: AssetCode, amount: Decimal): void {
    const account = this.accountOf(owner, asset);
    account.available = account.available.plus(amount);
  }

  hold(owner: UserId, asset: AssetCode, amount: Decimal): void {
    const account = this.accountOf(owner, asset);
    if (account.available.isLess(amount)) refuse('l.insufficient_balance');
    account.available = account.available.minus(amount);
    account.frozen = account.frozen.plus(amount);
  }

  release(owner: UserId, asset: AssetCode, amount: Decimal): void {
    this.payFrozen(owner, asset, amount);
    this.fund(owner, asset, amount);
  }

  /** Subtracts an amount from the frozen balance; throws if it becomes negative. */
  payFrozen(owner: UserId, asset: AssetCode, amount: Decimal): void {
    const account = this.accountOf(owner, asset);
    account.frozen = account.frozen.minus(amount);
    if (account.frozen.isNegative()) throw new Error(`naive: ${owner} ${asset} froze too little`);
  }

  earn(asset: AssetCode, fee: Decimal): void {
    const row = this.fees.find((earned) => earned.asset === asset);
    if (row === undefined) this.fees.push({ asset, amount: fee });
    else row.amount = row.amount.plus(fee);
  }

  earned(asset: AssetCode): Decimal {
    return this.fees.find((row) => row.asset === asset)?.amount ?? Decimal.zero;
  }

  copy(): NaiveAccounts {
    const copy = new NaiveAccounts();
    copy.rows = this.rows.map((row) => ({ ...row }));
    copy.fees = this.fees.map((row) => ({ ...row }));
    return copy;
  }
}
