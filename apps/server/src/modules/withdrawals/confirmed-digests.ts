import type { Decimal } from '@exchange/core/decimal.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { sameDigest, type ServerSecret } from '../../platform/secrets/server-secret.ts';
import {
  DIGEST_PURPOSE,
  withdrawalDigest,
  type ConfirmedWithdrawal,
} from '../../platform/signer/protocol.ts';
import { arrivalOf, type Withdrawal } from './domain.ts';

/** Number of hex digits at the beginning of a digest that people compare. */
const SHORT = 12;

/**
 * Computes, with a key of the server, a digest of the fields that the owner of a withdrawal confirmed. Detects
 * withdrawals whose stored fields were changed afterwards. The key is not in the database, so a person who can only
 * write to the database cannot compute a matching digest.
 */
export class ConfirmedDigests {
  private readonly key: Buffer;

  constructor(secret: Pick<ServerSecret, 'key'>) {
    this.key = secret.key(DIGEST_PURPOSE);
  }

  /**
   * Returns the digest of the fields of a new withdrawal, in hex; `amount` is the amount that arrives, i.e.
   * without the fee.
   */
  create(confirmed: ConfirmedWithdrawal & { readonly amount: Decimal }): string {
    return withdrawalDigest(this.key, confirmed);
  }

  /**
   * Returns whether the stored fields of a withdrawal differ from those that its owner confirmed. False for
   * old withdrawals without a digest.
   */
  isChanged(withdrawal: Withdrawal): boolean {
    if (withdrawal.digest === undefined) return false;
    const expected = this.create({ ...withdrawal, amount: arrivalOf(withdrawal) });
    return !sameDigest(Buffer.from(expected), Buffer.from(withdrawal.digest));
  }

  /**
   * Refuses a withdrawal whose stored fields differ from those that its owner confirmed; one without a digest is
   * accepted.
   */
  requireUnchanged(withdrawal: Withdrawal): void {
    if (this.isChanged(withdrawal)) throw new Refused(refusal('closed', 'l.withdraw_changed'));
  }

  /**
   * Returns the first hex digits of a withdrawal's digest, which approving operators compare; undefined for
   * an old withdrawal without a digest.
   */
  short({ digest }: Pick<Withdrawal, 'digest'>): string | undefined {
    return digest?.slice(0, SHORT);
  }
}
