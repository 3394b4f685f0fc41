import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { MessagePlace } from '@exchange/core/message-place.ts';

/** What a message is about; each kind has its words in every locale. */
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
  'operatorNote',
  'supportAnswered',
  'inviteRewarded',
] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** The tabs of the inbox, as numbers on the wire. */
export const MESSAGE_TYPES = { system: 1, trade: 2, asset: 3, activity: 4 } as const;
export type MessageType = keyof typeof MESSAGE_TYPES;

export interface Message {
  readonly type: MessageType;
  readonly kind: MessageKind;
  /** Fills the words; numbers and times are already text. */
  readonly parameters: Readonly<Record<string, string>>;
}

export interface AddressedMessage {
  readonly userId: UserId;
  readonly message: Message;
  /** The id of what the message is about, e.g. an order: of each kind there is one message about it, however often sent. */
  readonly about?: string;
}

/** A message in its owner's inbox. */
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
  /** Plain text; an empty line parts paragraphs. */
  readonly content: string;
}

/** Whether a stored text is a kind that this version of the program has words for. */
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
  withdrawals: ['withdrawalHeld', 'withdrawalFinished', 'withdrawalRejected', 'withdrawalFailed'],
};
const PLACE_OF = new Map(
  Object.entries(PLACES).flatMap(([place, kinds]) => kinds.map((kind) => [kind, place as MessagePlace])),
);

/** Where a message leads, and to which order or pair there; the words hold both. */
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
