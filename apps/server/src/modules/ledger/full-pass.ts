import { Decimal } from '@exchange/core/decimal.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import type { Tx } from '../../platform/database/database.ts';
import { holdProblems, type HoldSource, signProblems, sumProblem } from './audit-repository.ts';
import type { AuditProblem } from './domain.ts';
import {
  type Advanced,
  balanceProblems,
  lastOfPage,
  lastOwnerOfPage,
  sumsOf,
} from './reconciliation-repository.ts';
import { accountsBetween, ownersBetween } from '../../platform/database/scope.ts';

/**
 * A problem found by the reconciliation, with the account or owner that must be compared again
 * until it is resolved.
 */
export type Finding = AuditProblem & { readonly account?: number; readonly owner?: string };

/**
 * Result of comparing one page of accounts or holds within a transaction; the caller calls `apply` after the commit.
 */
export interface FullPassPage {
  readonly findings: readonly Finding[];
  /** Marks the page as compared, so that the next call compares the page after it. */
  readonly apply: () => void;
}

/**
 * One comparison of all accounts with their postings, and then of all owners' holds, page by page. Each page is read in
 * a transaction in which the checkpoint of the reconciliation includes the last ledger entry. The sums over all
 * accounts are exact although pages are read at different times: if an account that was read already changes later, the
 * change is added to the sums.
 */
export class FullPass {
  private readonly holds: readonly HoldSource[];
  private readonly pageSize: number;
  private readonly sums = new Map<AssetCode, Decimal>();
  private part: 'accounts' | 'holds' | 'done' = 'accounts';
  /**
   * Id of the last compared account. The initial value is below all ids, because the id of a forged account can be any
   * number.
   */
  private account = Number.MIN_SAFE_INTEGER;
  private owner: string | undefined;
  private accountPages = 0;
  private holdPages = 0;
  /**
   * Problems of the sums by asset, which concern no single account; they are reported until a later full pass is done.
   */
  readonly sumProblems: AuditProblem[] = [];

  constructor(holds: readonly HoldSource[], pageSize: number) {
    this.holds = holds;
    this.pageSize = pageSize;
  }

  get isDone(): boolean {
    return this.part === 'done';
  }

  /**
   * The greatest account id whose balance the sums include, while accounts are compared; 0 in the later phase that
   * compares holds.
   */
  get counted(): number {
    return this.part === 'accounts' ? this.account : 0;
  }

  /** Progress of the comparison of accounts and holds, as text for operators. */
  get progress(): string {
    const { part, accountPages, holdPages, pageSize } = this;
    if (part === 'done') return 'done';
    if (part === 'accounts') return `${accountPages * pageSize} accounts compared`;
    return `all accounts compared, holds of ${holdPages * pageSize} accounts compared`;
  }

  /**
   * Adds to the sums the changes that new entries made to accounts which the pass has already read; does nothing once
   * all accounts are compared.
   */
  add({ moved }: Pick<Advanced, 'moved'>): void {
    if (this.part !== 'accounts') return;
    for (const [asset, amount] of moved) this.sums.set(asset, this.sumOf(asset).plus(amount));
  }

  /**
   * Compares the next page of accounts or holds. The transaction must have advanced the checkpoint of the
   * reconciliation to the last ledger entry before.
   */
  async nextPage(transaction: Tx): Promise<FullPassPage> {
    return this.part === 'accounts' ? this.accountPage(transaction) : this.holdPage(transaction);
  }

  private async accountPage(transaction: Tx): Promise<FullPassPage> {
    const last = await lastOfPage(transaction, this.account, this.pageSize);
    const page = accountsBetween(this.account, last);
    const findings = [
      ...(await balanceProblems(transaction, page)),
      ...(await signProblems(transaction, page)),
    ];
    const sums = await sumsOf(transaction, page);
    const apply = () => {
      this.add({ moved: sums });
      this.accountPages += 1;
      if (last !== undefined) this.account = last;
      else this.endAccounts();
    };
    return { findings, apply };
  }

  private endAccounts(): void {
    for (const [asset, sum] of this.sums)
      if (!sum.isZero()) this.sumProblems.push(sumProblem(asset, sum.toString()));
    this.sums.clear();
    this.part = 'holds';
  }

  private async holdPage(transaction: Tx): Promise<FullPassPage> {
    const last = await lastOwnerOfPage(transaction, this.owner, this.pageSize);
    const findings = await holdProblems(transaction, this.holds, ownersBetween(this.owner, last));
    const apply = () => {
      this.holdPages += 1;
      if (last === undefined) this.part = 'done';
      else this.owner = last;
    };
    return { findings, apply };
  }

  private sumOf(asset: AssetCode): Decimal {
    return this.sums.get(asset) ?? Decimal.zero;
  }
}
