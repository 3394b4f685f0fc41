import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/http/route.ts';
import { newId, type Random } from '../../platform/secrets/random.ts';
import { deviceName } from '../../platform/session/device-name.ts';
import type { SecurityEventKind, SecurityRepository } from './security-repository.ts';

export interface SecurityEvent {
  /** Id of the user; undefined for a failed login that belongs to no known account. */
  readonly userId: UserId | undefined;
  readonly kind: SecurityEventKind;
  readonly caller: Pick<Caller, 'address' | 'userAgent'>;
  readonly detail?: string;
}

/**
 * The security log of accounts. An entry is written in the transaction that the caller passes, usually that of the
 * change that the entry describes. Entries of users are never deleted.
 */
export class SecurityLog {
  readonly repository: SecurityRepository;
  private readonly random: Random;

  constructor(repository: SecurityRepository, random: Random) {
    this.repository = repository;
    this.random = random;
  }

  write(tx: Tx, { userId, kind, caller, detail = '' }: SecurityEvent, at: Instant): Promise<void> {
    const id = newId(this.random, at);
    const device = deviceName(caller.userAgent);
    return this.repository.insert(tx, { id, userId, kind, device, address: caller.address, detail, at });
  }
}
