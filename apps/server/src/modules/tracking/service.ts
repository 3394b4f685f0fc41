import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { TRACKED_MAX, typedAmounts, type TransferKind } from '@exchange/core/tracking.ts';
import type { Clock } from '../../platform/clock.ts';
import { recordQuery } from '../../platform/console/records.ts';
import type { TransferNames } from '../../platform/database/tracked-rows.ts';
import type { Deposits, Proofs } from '../deposits/index.ts';
import type { Support, Writer } from '../support/index.ts';
import { promisedAt, type Withdrawals } from '../withdrawals/index.ts';
import { trackedDeposit, trackedReport, trackedWithdrawal, type TrackedTransfer } from './domain.ts';

export interface TrackingParts {
  readonly clock: Clock;
  readonly deposits: Pick<Deposits, 'explorerPage' | 'named' | 'progress'>;
  readonly proofs: Pick<Proofs, 'named'>;
  readonly withdrawals: Pick<Withdrawals, 'confirmed' | 'explorerPage' | 'named' | 'stages'>;
  readonly support: Pick<Support, 'latestAbout' | 'submit'>;
}

/**
 * Use cases with which a user finds deposits, reports of missing deposits and withdrawals, and sends support
 * requests about one of them.
 */
export class Tracking {
  private readonly parts: TrackingParts;

  constructor(parts: TrackingParts) {
    this.parts = parts;
  }

  /**
   * Returns a user's deposits, reports of missing deposits, and withdrawals that match a search text, at most
   * `TRACKED_MAX`, newest first, each with the latest support request about it and the block explorer's page
   * about its transaction. Without a text, those that have not ended.
   */
  async find(owner: UserId, query: string | undefined) {
    const transfers = await this.transfers(owner, namesOf(query));
    const tickets = await this.parts.support.latestAbout(
      owner,
      transfers.map(({ id }) => id),
    );
    return transfers.map((transfer) => ({
      transfer,
      ticket: tickets.get(transfer.id),
      explorer: this.explorerPage(transfer),
    }));
  }

  /**
   * Sends customer service a user's request about one of the user's own transfers. Refuses other users'
   * transfers with `l.not_found`, and a second request about a transfer with `l.support_pending` while an
   * earlier request about this transfer waits for an answer.
   */
  async ask(
    writer: Writer & { readonly session: { readonly userId: UserId } },
    { kind, id, content }: { readonly kind: TransferKind; readonly id: string; readonly content: string },
  ): Promise<{ readonly id: string; readonly number: number }> {
    const named = await this.transfers(writer.session.userId, { by: 'name', id, transactions: [] });
    if (!named.some((transfer) => transfer.id === id && transfer.kind === kind))
      throw new Refused(refusal('generic', 'l.not_found'));
    const topic = kind === 'withdrawal' ? 'withdrawal' : 'deposit';
    return this.parts.support.submit(writer, { topic, content, about: { kind, id } });
  }

  private explorerPage(transfer: TrackedTransfer): string | undefined {
    const { deposits, withdrawals } = this.parts;
    return (transfer.kind === 'withdrawal' ? withdrawals : deposits).explorerPage(transfer);
  }

  private async transfers(owner: UserId, names: TransferNames): Promise<readonly TrackedTransfer[]> {
    const { clock, deposits, proofs, withdrawals } = this.parts;
    const [received, reported, requested] = await Promise.all([
      deposits.named(owner, names, TRACKED_MAX),
      proofs.named(owner, names, TRACKED_MAX),
      withdrawals.named(owner, names, TRACKED_MAX),
    ]);
    const stages = await withdrawals.stages(requested);
    const now = clock.now();
    return [
      ...received.map((deposit) => trackedDeposit(deposit, deposits.progress(deposit))),
      ...reported.map(trackedReport),
      ...requested.map((withdrawal) => {
        const progress = {
          confirmed: withdrawals.confirmed(withdrawal),
          stage: stages.get(withdrawal.id),
          promisedAt: promisedAt(withdrawal),
        };
        return trackedWithdrawal(withdrawal, progress, now);
      }),
    ]
      .toSorted((left, right) => right.createdAt - left.createdAt)
      .slice(0, TRACKED_MAX);
  }
}

/**
 * Returns the criterion by which a search text selects transfers: by the amount if the text is a number,
 * otherwise by transaction or id. An empty or missing text selects the transfers that have not ended.
 */
function namesOf(typed: string | undefined): TransferNames {
  const query = recordQuery(typed ?? '');
  if (query === undefined) return { by: 'open' };
  const amounts = typedAmounts(query.text);
  if (amounts !== undefined) return { by: 'amount', amounts };
  return { by: 'name', id: query.id, transactions: query.transactions };
}
