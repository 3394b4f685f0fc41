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

/** A difference, with the account or the owner to be compared again until it is gone. */
export type Finding = AuditProblem & { readonly account?: number; readonly owner?: string };

/** A page as it was compared in a transaction; it counts when that is committed. */
export interface FullPassPage {
  readonly findings: readonly Finding[];
  /** Lets the pass continue behind the page. */
  readonly apply: () => void;
}

/**
 * One comparison of every account and of every owner's holds, a page at a time. Each page is compared in a transaction
 * in which the checkpoint is at the chain's end. The sums of all accounts come out for one instant although the pages
 * are read at several: what later entries move on accounts that were read already is added to what was read.
 */
export class FullPass {
  private readonly holds: readonly HoldSource[];
  private readonly pageSize: number;
  private readonly sums = new Map<AssetCode, Decimal>();
  private part: 'accounts' | 'holds' | 'done' = 'accounts';
  /** The last account that was compared; planted ones may have any number. */
  private account = Number.MIN_SAFE_INTEGER;
  private owner: string | undefined;
  private accountPages = 0;
  private holdPages = 0;
  /** What concerns no single account: it stays until a later pass finds otherwise. */
  readonly sumProblems: AuditProblem[] = [];

  constructor(holds: readonly HoldSource[], pageSize: number) {
    this.holds = holds;
    this.pageSize = pageSize;
  }

  get isDone(): boolean {
    return this.part === 'done';
  }

  /** Up to which account the sums contain what entries have moved. */
  get counted(): number {
    return this.part === 'accounts' ? this.account : 0;
  }

  /** How far it is, for operators. */
  get progress(): string {
    const { part, accountPages, holdPages, pageSize } = this;
    if (part === 'done') return 'done';
    if (part === 'accounts') return `${accountPages * pageSize} accounts compared`;
    return `all accounts compared, holds of ${holdPages * pageSize} accounts compared`;
  }

  /** Notes what newer entries moved on accounts that were read already. */
  add({ moved }: Pick<Advanced, 'moved'>): void {
    if (this.part !== 'accounts') return;
    for (const [asset, amount] of moved) this.sums.set(asset, this.sumOf(asset).plus(amount));
  }

  /** Compares the next page; the checkpoint has to be at the chain's end in this transaction. */
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
