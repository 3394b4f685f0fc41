import { instant } from '@exchange/core/time.ts';
import { timeText } from '../../platform/time-text.ts';
import { deliverNotices, type NoticeParts } from '../messages/index.ts';
import { treasuryNotices } from './notices-repository.ts';
import { treasuryMessages } from './words/messages.ts';

/** Moves queued messages about corrections and debts into the inboxes of their users. */
export class TreasuryNotices {
  private readonly parts: NoticeParts;

  constructor(parts: NoticeParts) {
    this.parts = parts;
  }

  /**
   * Delivers all queued messages, except to system accounts and sub-accounts. If the delivery of a message fails, a
   * later call tries again.
   */
  async deliver(): Promise<void> {
    await deliverNotices(this.parts, 'treasury notices', treasuryNotices, (notices) =>
      notices.map(({ id, kind, owner, parameters }) => ({
        userId: owner,
        about: id,
        message: {
          type: 'asset',
          kind: treasuryMessages.kinds[kind],
          parameters: { ...parameters, time: timeText(instant(Number(parameters['at']))) },
        },
      })),
    );
  }
}
