import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { MessagePlace } from '@exchange/core/message-place.ts';

/** What the inbox knows about a kind of message. */
interface MessageRule {
  /** The screen that the message links to. */
  readonly place: MessagePlace;
  /** The topic whose setting controls the message; absent for messages that are always delivered. */
  readonly topic?: string;
}

/** Kinds of messages; each has texts in every language. */
export const MESSAGE_RULES = {
  welcome: {
    place: 'start',
  },
  agreementsChanged: {
    place: 'agreements',
  },
  newDevice: {
    place: 'security',
  },
  newNetwork: {
    place: 'security',
  },
  newDeviceAndNetwork: {
    place: 'security',
  },
  passwordChanged: {
    place: 'security',
  },
  passwordReset: {
    place: 'security',
  },
  tradePasswordSet: {
    place: 'security',
  },
  tradePasswordChanged: {
    place: 'security',
  },
  tradePasswordLocked: {
    place: 'security',
  },
  accountFrozen: {
    place: 'support',
  },
  authenticatorBound: {
    place: 'security',
  },
  authenticatorRemoved: {
    place: 'security',
  },
  recoveryCodeUsed: {
    place: 'security',
  },
  recoveryCodesRenewed: {
    place: 'security',
  },
  emailChanged: {
    place: 'security',
  },
  apiKeyCreated: {
    place: 'apiKeys',
    topic: 'account',
  },
  apiKeyNewAddress: {
    place: 'apiKeys',
    topic: 'account',
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
  },
  incomeDigest: {
    place: 'statement',
    topic: 'income',
  },
  financeBought: {
    place: 'finance',
    topic: 'products',
  },
  financeIncome: {
    place: 'finance',
    topic: 'income',
  },
  financeMatured: {
    place: 'finance',
    topic: 'products',
  },
  miningStarted: {
    place: 'mining',
    topic: 'products',
  },
  miningIncome: {
    place: 'mining',
    topic: 'income',
  },
  miningEnded: {
    place: 'mining',
    topic: 'products',
  },
  miningRedeemed: {
    place: 'mining',
    topic: 'products',
  },
  fundBought: {
    place: 'fund',
    topic: 'products',
  },
  fundCancelled: {
    place: 'fund',
    topic: 'products',
  },
  fundWarned: {
    place: 'fund',
  },
  fundLiquidated: {
    place: 'fund',
  },
  fundSold: {
    place: 'fund',
    topic: 'products',
  },
  fundExited: {
    place: 'fund',
  },
  secondsWon: {
    place: 'seconds',
    topic: 'seconds',
  },
  secondsLost: {
    place: 'seconds',
    topic: 'seconds',
  },
  secondsDrawn: {
    place: 'seconds',
    topic: 'seconds',
  },
  secondsNoPrice: {
    place: 'seconds',
    topic: 'products',
  },
  secondsIntervalVoid: {
    place: 'seconds',
    topic: 'products',
  },
  secondsRefunded: {
    place: 'seconds',
    topic: 'products',
  },
  subscriptionAllocated: {
    place: 'launchpad',
    topic: 'products',
  },
  subscriptionRefunded: {
    place: 'launchpad',
    topic: 'products',
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
  },
  depositRejected: {
    place: 'deposits',
  },
  withdrawalHeld: {
    place: 'withdrawals',
    topic: 'transfers',
  },
  withdrawalFinished: {
    place: 'withdrawals',
    topic: 'transfers',
  },
  withdrawalRejected: {
    place: 'withdrawals',
    topic: 'transfers',
  },
  withdrawalFailed: {
    place: 'withdrawals',
  },
  withdrawalReturned: {
    place: 'withdrawals',
  },
  operatorNote: {
    place: 'none',
  },
  supportAnswered: {
    place: 'support',
  },
  inviteRewarded: {
    place: 'invitations',
    topic: 'rewards',
  },
} as const satisfies Readonly<Record<string, MessageRule>>;
export type MessageKind = keyof typeof MESSAGE_RULES;
export const MESSAGE_KINDS = Object.keys(MESSAGE_RULES) as readonly MessageKind[];

/** Tabs of the inbox, with their numbers on the wire. */
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
   * Id of the object that the message concerns, e.g. an order. A second message of the same kind about it is dropped.
   */
  readonly about?: string;
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
  /** One line for the list. */
  readonly summary: string;
  /** Plain text; paragraphs are separated by an empty line. */
  readonly content: string;
}

/** Whether a stored kind is known to this version of the program. */
export function isMessageKind(text: string): text is MessageKind {
  return (MESSAGE_KINDS as readonly string[]).includes(text);
}

/** The screen that a message links to, with the order or pair to show there. */
export function placeOf({ kind, parameters }: Pick<Message, 'kind' | 'parameters'>) {
  const { place } = MESSAGE_RULES[kind];
  const { order = '', pair = '' } = parameters;
  const items: Partial<Record<MessagePlace, string>> = {
    order,
    finance: order,
    mining: order,
    seconds: order,
    pair: pair.replace('/', '_'),
  };
  return { place, item: items[place] ?? '' };
}
