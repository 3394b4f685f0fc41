import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { MessagePlace } from '@exchange/core/message-place.ts';

/** Kinds of messages; each has texts in every language. */
export const MESSAGE_KINDS = [
  'welcome',
  'agreementsChanged',
  'newDevice',
  'newNetwork',
  'newDeviceAndNetwork',
  'passwordChanged',
  'passwordReset',
  'tradePasswordSet',
  'tradePasswordChanged',
  'tradePasswordLocked',
  'accountFrozen',
  'authenticatorBound',
  'authenticatorRemoved',
  'recoveryCodeUsed',
  'recoveryCodesRenewed',
  'emailChanged',
  'apiKeyCreated',
  'apiKeyNewAddress',
  'priceRose',
  'priceFell',
  'priceMoved',
  'buyFilled',
  'sellFilled',
  'buyPartlyFilled',
  'sellPartlyFilled',
  'exitsNotPlaced',
  'incomeDigest',
  'financeBought',
  'financeIncome',
  'financeMatured',
  'miningStarted',
  'miningIncome',
  'miningEnded',
  'miningRedeemed',
  'fundBought',
  'fundCancelled',
  'fundWarned',
  'fundLiquidated',
  'fundSold',
  'fundExited',
  'secondsWon',
  'secondsLost',
  'secondsDrawn',
  'secondsNoPrice',
  'secondsIntervalVoid',
  'secondsRefunded',
  'subscriptionAllocated',
  'subscriptionRefunded',
  'identityVerified',
  'identityRejected',
  'depositCredited',
  'depositRejected',
  'withdrawalHeld',
  'withdrawalFinished',
  'withdrawalRejected',
  'withdrawalFailed',
  'withdrawalReturned',
  'operatorNote',
  'supportAnswered',
  'inviteRewarded',
] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

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

const PLACES: Readonly<Record<Exclude<MessagePlace, 'none'>, readonly MessageKind[]>> = {
  start: ['welcome'],
  security: [
    'newDevice',
    'newNetwork',
    'newDeviceAndNetwork',
    'passwordChanged',
    'passwordReset',
    'emailChanged',
    'tradePasswordSet',
    'tradePasswordChanged',
    'tradePasswordLocked',
    'authenticatorBound',
    'authenticatorRemoved',
    'recoveryCodeUsed',
    'recoveryCodesRenewed',
    'apiKeyCreated',
    'apiKeyNewAddress',
  ],
  verification: ['identityVerified', 'identityRejected'],
  agreements: ['agreementsChanged'],
  support: ['supportAnswered', 'accountFrozen'],
  invitations: ['inviteRewarded'],
  pair: ['priceRose', 'priceFell', 'priceMoved'],
  order: ['buyFilled', 'sellFilled', 'buyPartlyFilled', 'sellPartlyFilled', 'exitsNotPlaced'],
  statement: ['incomeDigest'],
  finance: ['financeBought', 'financeIncome', 'financeMatured'],
  mining: ['miningStarted', 'miningIncome', 'miningEnded', 'miningRedeemed'],
  fund: ['fundBought', 'fundCancelled', 'fundWarned', 'fundLiquidated', 'fundSold', 'fundExited'],
  seconds: [
    'secondsWon',
    'secondsLost',
    'secondsDrawn',
    'secondsNoPrice',
    'secondsIntervalVoid',
    'secondsRefunded',
  ],
  launchpad: ['subscriptionAllocated', 'subscriptionRefunded'],
  deposits: ['depositCredited', 'depositRejected'],
  withdrawals: [
    'withdrawalHeld',
    'withdrawalFinished',
    'withdrawalRejected',
    'withdrawalFailed',
    'withdrawalReturned',
  ],
};
const PLACE_OF = new Map(
  Object.entries(PLACES).flatMap(([place, kinds]) => kinds.map((kind) => [kind, place as MessagePlace])),
);

/** The screen that a message links to, with the order or pair to show there. */
export function placeOf({ kind, parameters }: Pick<Message, 'kind' | 'parameters'>) {
  const place = PLACE_OF.get(kind) ?? 'none';
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
