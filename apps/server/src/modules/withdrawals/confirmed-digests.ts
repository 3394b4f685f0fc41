import type { Decimal } from '@exchange/core/decimal.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { sameDigest, type ServerSecret } from '../../platform/secrets/server-secret.ts';
import {
  DIGEST_PURPOSE,
  withdrawalDigest,
  type ConfirmedWithdrawal,
} from '../../platform/signer/protocol.ts';
import { arrivalOf, type Withdrawal } from './domain.ts';

/** Number of hex digits of a digest that people compare. */
const SHORT = 12;

/**
 * Computes, with a key of the server, the digest of what an owner confirmed, and finds withdrawals whose fields were
 * changed afterwards. The key is not in the database, so a person who can write there cannot compute a matching digest.
 */
export class ConfirmedDigests {
  private readonly key: Buffer;

  constructor(secret: Pick<ServerSecret, 'key'>) {
    this.key = secret.key(DIGEST_PURPOSE);
  }

  /** The digest of a new withdrawal, in hex; `amount` is the amount that arrives. */
  create(confirmed: ConfirmedWithdrawal & { readonly amount: Decimal }): string {
    return withdrawalDigest(this.key, confirmed);
  }

  /** Whether a withdrawal differs from what its owner confirmed. Old withdrawals without a digest do not. */
  isChanged(withdrawal: Withdrawal): boolean {
    if (withdrawal.digest === undefined) return false;
    const expected = this.create({ ...withdrawal, amount: arrivalOf(withdrawal) });
    return !sameDigest(Buffer.from(expected), Buffer.from(withdrawal.digest));
  }

  /** Refuses a withdrawal that differs from what its owner confirmed. */
  requireUnchanged(withdrawal: Withdrawal): void {
    if (this.isChanged(withdrawal)) throw new Refused(refusal('closed', 'l.withdraw_changed'));
  }

  /** The beginning of the digest, which approvers compare; undefined for a withdrawal without one. */
  short({ digest }: Pick<Withdrawal, 'digest'>): string | undefined {
    return digest?.slice(0, SHORT);
  }
}
