import type { UserId } from '@exchange/core/ids.ts';
import type { PushKind } from '@exchange/core/push.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Message } from './domain.ts';

/** A message that was stored and goes to the devices of its reader that want its kind. */
export interface PushedMessage {
  readonly id: string;
  readonly userId: UserId;
  readonly message: Message;
  readonly pushKind: PushKind;
}

/** Sends messages to devices; the module `push` implements it. */
export interface PushChannel {
  /** The kinds that at least one device of each user wants; users without devices are left out. */
  wantedKinds(tx: Tx, users: readonly UserId[]): Promise<ReadonlyMap<UserId, ReadonlySet<PushKind>>>;
  /** Queues messages for devices in the transaction; none is sent if it does not commit. */
  enqueue(tx: Tx, messages: readonly PushedMessage[]): Promise<void>;
}
