import type { UserId } from '@exchange/core/ids.ts';
import type { PushKind } from '@exchange/core/push.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Message } from './domain.ts';

/** A stored message to push to those devices of its reader that have its push kind enabled. */
export interface PushedMessage {
  readonly id: string;
  readonly userId: UserId;
  readonly message: Message;
  readonly pushKind: PushKind;
}

/** Sends messages to devices; the module `push` implements it. */
export interface PushChannel {
  /**
   * By user, the push kinds that are enabled on at least one of the user's devices; users without devices are left out.
   */
  wantedKinds(tx: Tx, users: readonly UserId[]): Promise<ReadonlyMap<UserId, ReadonlySet<PushKind>>>;
  /** Queues messages for devices in the transaction; none is sent if it does not commit. */
  enqueue(tx: Tx, messages: readonly PushedMessage[]): Promise<void>;
}
