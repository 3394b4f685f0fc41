import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { MessagePlace } from '@exchange/core/message-place.ts';
import type { PushKind } from '@exchange/core/push.ts';

/** The link, topic and push kind of a kind of message. */
export interface MessageRule {
  /** The screen that the message links to. */
  readonly place: MessagePlace;
  /**
   * The topic whose setting controls where the message is delivered. Absent for messages without a setting: they always
   * go to the inbox, and this module does not mail them.
   */
  readonly topic?: string;
  /** The push kind that a device must have enabled to receive the message; by default that of its topic, if any. */
  readonly push?: PushKind;
}

/** Kinds of messages that no other module declares; each has texts in every language. */
export const MESSAGE_RULES = {
  welcome: {
    place: 'start',
  },
  agreementsChanged: {
    place: 'agreements',
  },
  newDevice: {
    place: 'security',
    push: 'signIns',
  },
  newNetwork: {
    place: 'security',
    push: 'signIns',
  },
  newDeviceAndNetwork: {
    place: 'security',
    push: 'signIns',
  },
  passwordChanged: {
    place: 'security',
    push: 'signIns',
  },
  passwordReset: {
    place: 'security',
    push: 'signIns',
  },
  passwordResetWithPasskeys: {
    place: 'security',
    push: 'signIns',
  },
  tradePasswordSet: {
    place: 'security',
    push: 'signIns',
  },
  tradePasswordChanged: {
    place: 'security',
    push: 'signIns',
  },
  tradePasswordLocked: {
    place: 'security',
    push: 'signIns',
  },
  accountFrozen: {
    place: 'support',
    push: 'signIns',
  },
  authenticatorBound: {
    place: 'security',
    push: 'signIns',
  },
  authenticatorRemoved: {
    place: 'security',
    push: 'signIns',
  },
  recoveryCodeUsed: {
    place: 'security',
    push: 'signIns',
  },
  recoveryCodesRenewed: {
    place: 'security',
    push: 'signIns',
  },
  emailChanged: {
    place: 'security',
    push: 'signIns',
  },
  passkeyAdded: {
    place: 'security',
    push: 'signIns',
  },
  passkeyRemoved: {
    place: 'security',
    push: 'signIns',
  },
  passkeyCounter: {
    place: 'security',
    push: 'signIns',
  },
  apiKeyCreated: {
    place: 'apiKeys',
    topic: 'account',
    push: 'signIns',
  },
  apiKeyNewAddress: {
    place: 'apiKeys',
    topic: 'account',
    push: 'signIns',
  },
  priceRose: {
    place: 'pair',
    topic: 'alerts',
  },
  priceFell: {
    place: 'pair',
    topic: 'alerts',
  },
  priceMoved: {
    place: 'pair',
    topic: 'alerts',
  },
  indexRose: {
    place: 'pair',
    topic: 'alerts',
  },
  indexFell: {
    place: 'pair',
    topic: 'alerts',
  },
  indexMoved: {
    place: 'pair',
    topic: 'alerts',
  },
  buyFilled: {
    place: 'order',
    topic: 'fills',
  },
  sellFilled: {
    place: 'order',
    topic: 'fills',
  },
  buyPartlyFilled: {
    place: 'order',
    topic: 'fills',
  },
  sellPartlyFilled: {
    place: 'order',
    topic: 'fills',
  },
  exitsNotPlaced: {
    place: 'order',
    push: 'fills',
  },
  identityVerified: {
    place: 'verification',
  },
  identityRejected: {
    place: 'verification',
  },
  depositCredited: {
    place: 'deposits',
    topic: 'transfers',
    push: 'deposits',
  },
  depositRejected: {
    place: 'deposits',
    push: 'deposits',
  },
  withdrawalHeld: {
    place: 'withdrawals',
    topic: 'transfers',
    push: 'withdrawals',
  },
  withdrawalByKey: {
    place: 'withdrawals',
    topic: 'transfers',
    push: 'withdrawals',
  },
  withdrawalFinished: {
    place: 'withdrawals',
    topic: 'transfers',
    push: 'withdrawals',
  },
  withdrawalRejected: {
    place: 'withdrawals',
    topic: 'transfers',
    push: 'withdrawals',
  },
  withdrawalFailed: {
    place: 'withdrawals',
    push: 'withdrawals',
  },
  withdrawalReturned: {
    place: 'withdrawals',
    push: 'withdrawals',
  },
  withdrawalPaused: {
    place: 'withdrawals',
    topic: 'transfers',
    push: 'withdrawals',
  },
  withdrawalResumed: {
    place: 'withdrawals',
    topic: 'transfers',
    push: 'withdrawals',
  },
  operatorNote: {
    place: 'none',
  },
  supportAnswered: {
    place: 'support',
  },
} as const satisfies Readonly<Record<string, MessageRule>>;
export type OwnMessageKind = keyof typeof MESSAGE_RULES;

declare const DECLARED: unique symbol;
/** The name of a kind of message that another module has declared with `declareMessages`. */
export type DeclaredMessageKind = string & { readonly [DECLARED]: true };
export type MessageKind = OwnMessageKind | DeclaredMessageKind;

/** Types of messages, which are the tabs of the inbox, with their numbers in the API. */
export const MESSAGE_TYPES = { system: 1, trade: 2, asset: 3, activity: 4 } as const;
export type MessageType = keyof typeof MESSAGE_TYPES;

export interface Message {
  readonly type: MessageType;
  readonly kind: MessageKind;
  /** Values for the placeholders of the texts; numbers and times are already formatted. */
  readonly parameters: Readonly<Record<string, string>>;
}

export interface AddressedMessage {
  readonly userId: UserId;
  readonly message: Message;
  /**
   * Id of the object that the message concerns, such as an order. Only one message of a kind about the same object is
   * stored; further ones are dropped, even for another user.
   */
  readonly about?: string;
  /**
   * True for a message that the inbox does not show, whatever the setting of its topic. It is mailed and pushed
   * according to the reader's settings. If it is delivered in one of these ways, it is also stored, so that a later
   * duplicate is dropped.
   */
  readonly isHidden?: boolean;
}

/** A message in a user's inbox. */
export interface StoredMessage {
  readonly id: string;
  readonly type: number;
  readonly kind: MessageKind;
  readonly parameters: Readonly<Record<string, string>>;
  readonly isRead: boolean;
  readonly createdAt: Instant;
}

export interface MessageWords {
  readonly title: string;
  /** The message in one line, for the list. */
  readonly summary: string;
  /** Plain text of the message; paragraphs are separated by an empty line. */
  readonly content: string;
}
