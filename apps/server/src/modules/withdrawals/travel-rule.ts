import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { needsRecipient, recipientProblem, type Recipient } from '@exchange/core/recipient.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { DAY_MS, HOUR_MS, later } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { ServerSecret } from '../../platform/secrets/server-secret.ts';
import type { Identity } from '../identity/index.ts';
import type { Kyc } from '../kyc/index.ts';
import type { Screened } from '../screening/index.ts';
import type { Withdrawal } from './domain.ts';
import { otherRecipient, travelRuleRecord, type TravelRuleRecord } from './travel-rule-domain.ts';
import { findRecord, insertRecord, removeOrphans, removeRecord } from './travel-rule-repository.ts';

/**
 * Name of the purpose for which the key that encrypts travel-rule records is derived from the server's
 * secret.
 */
const PURPOSE = 'travel rule';

export interface TravelRuleSettings {
  /** Value in USDT from which on a withdrawal needs a travel-rule record; undefined if no withdrawal needs one. */
  readonly from: Decimal | undefined;
  /** Legal name of the exchange. */
  readonly vasp: string;
}

interface Parts {
  readonly clock: Clock;
  readonly database: Pick<Database, 'store'>;
  readonly identity: Pick<Identity, 'findUser'>;
  readonly kyc: Pick<Kyc, 'verifiedPerson'>;
  readonly secret: Pick<ServerSecret, 'encrypt' | 'decrypt'>;
  readonly travelRule: TravelRuleSettings;
}

/** The payment of a withdrawal that is about to be requested, for its travel-rule record. */
interface RecordedPayment {
  readonly id: string;
  readonly owner: UserId;
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  readonly memo: string | undefined;
  /** The amount that arrives at the recipient, in units of the coin. */
  readonly amount: Decimal;
}

/**
 * Travel-rule records: the sender and the receiver of each withdrawal from a certain value on. If no value is
 * configured, no records are made. A record is encrypted and stored before its withdrawal is requested, so that no
 * withdrawal above the value lacks a record.
 */
export class TravelRule {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** The value in USDT from which on a withdrawal needs a travel-rule record; undefined while the rule is off. */
  get from(): Decimal | undefined {
    return this.parts.travelRule.from;
  }

  /**
   * Refuses a withdrawal of this value in USDT if it must name its recipient and the recipient is missing or
   * incomplete.
   */
  requireRecipient(value: Decimal, recipient: Recipient | undefined): void {
    if (!needsRecipient(value, this.from)) return;
    const stated = recipient ?? { isOwn: false, name: '', provider: '' };
    const problem = recipientProblem(stated);
    if (problem !== undefined) throw new Refused(problem);
  }

  /**
   * Stores the travel-rule record of a withdrawal that is about to be requested, if its value in USDT needs one.
   * Returns whether a record was stored. Refuses an incomplete recipient.
   */
  async store(
    { id, owner, amount, ...place }: RecordedPayment,
    value: Decimal,
    recipient: Recipient | undefined,
  ): Promise<boolean> {
    if (!needsRecipient(value, this.from)) return false;
    this.requireRecipient(value, recipient);
    const { clock, database, identity, kyc, secret, travelRule } = this.parts;
    const [person, user] = [await kyc.verifiedPerson(owner), await identity.findUser(owner)];
    const originator = {
      uid: user?.uid ?? '',
      // System accounts and the demo trader are verified without an identity, so these fields are empty for
      // them.
      name: person?.name ?? '',
      idCard: person?.idCard ?? '',
      country: person?.country ?? '',
    };
    const payment = { ...place, amount: amount.toString() };
    const record = travelRuleRecord(originator, recipient!, payment, travelRule.vasp);
    const sealed = secret.encrypt(PURPOSE, Buffer.from(JSON.stringify(record)), aboutOf(id, owner));
    await insertRecord(database.store, { withdrawal: id, owner, sealed, createdAt: clock.now() });
    return true;
  }

  /** Removes the travel-rule record with this withdrawal id; does nothing if the withdrawal exists. */
  remove(id: string): Promise<void> {
    return removeRecord(this.parts.database.store, id);
  }

  /**
   * Removes travel-rule records that have no withdrawal, because the server stopped before the request. Considers only
   * records that were stored in the last three days, but not in the last hour.
   */
  async removeOrphans(): Promise<void> {
    const { clock, database } = this.parts;
    const now = clock.now();
    await removeOrphans(database.store, { since: later(now, -3 * DAY_MS), before: later(now, -HOUR_MS) });
  }

  /** Returns the travel-rule record of a withdrawal. Refuses if the withdrawal has none. */
  async read(id: string): Promise<TravelRuleRecord> {
    const record = await this.find(id);
    if (record === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return record;
  }

  /**
   * Returns what is compared with the sanctions lists before a withdrawal: its address and, if another person
   * receives it and the travel rule is on, the name of the recipient in its record. The identity of the owner
   * is compared elsewhere.
   */
  async screened({ id, owner, address }: Pick<Withdrawal, 'id' | 'owner' | 'address'>): Promise<Screened[]> {
    const subject = { subjectKind: 'withdrawal' as const, subject: id, owner };
    const record = this.from === undefined ? undefined : await this.find(id);
    const name = record === undefined ? undefined : otherRecipient(record);
    const screenedAddress = { ...subject, address };
    return name === undefined ? [screenedAddress] : [screenedAddress, { ...subject, name }];
  }

  private async find(id: string): Promise<TravelRuleRecord | undefined> {
    const { database, secret } = this.parts;
    const stored = await findRecord(database.store, id);
    if (stored === undefined) return undefined;
    const plain = secret.decrypt(PURPOSE, stored.sealed, aboutOf(id, stored.owner));
    return JSON.parse(plain.toString()) as TravelRuleRecord;
  }
}

/**
 * Returns the additional authenticated data of the encryption, so that a travel-rule record cannot be
 * decrypted as that of another withdrawal or owner.
 */
function aboutOf(id: string, owner: UserId): string {
  return `${id} ${owner}`;
}
