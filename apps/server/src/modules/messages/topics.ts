import type { NoticeTopic } from '@exchange/wire/message.ts';
import type { MessageKind } from './domain.ts';

export type { NoticeTopic };

/** Where messages of a topic go. */
export interface Channels {
  readonly inbox: boolean;
  readonly mail: boolean;
}

interface TopicRule {
  /** Before anybody has chosen. */
  readonly byDefault: Channels;
  /** What nobody can choose. */
  readonly fixed: Channels;
}

const INBOX_ONLY = { inbox: true, mail: false };
const BOTH = { inbox: true, mail: true };
const NOTHING = { inbox: false, mail: false };

/** What touches the account, or endangers money, always reaches its owner; whose module mails it by itself is fixed too. */
export const TOPIC_RULES: Readonly<Record<NoticeTopic, TopicRule>> = {
  account: { byDefault: BOTH, fixed: BOTH },
  risk: { byDefault: BOTH, fixed: BOTH },
  transfers: { byDefault: BOTH, fixed: INBOX_ONLY },
  fills: { byDefault: INBOX_ONLY, fixed: NOTHING },
  products: { byDefault: INBOX_ONLY, fixed: NOTHING },
  seconds: { byDefault: INBOX_ONLY, fixed: NOTHING },
  alerts: { byDefault: BOTH, fixed: NOTHING },
  income: { byDefault: INBOX_ONLY, fixed: NOTHING },
  rewards: { byDefault: INBOX_ONLY, fixed: NOTHING },
};

/** Every topic, in the order in which settings show them. */
export const NOTICE_TOPICS = Object.keys(TOPIC_RULES) as readonly NoticeTopic[];

const KINDS: Partial<Record<NoticeTopic, readonly MessageKind[]>> = {
  transfers: ['depositCredited', 'withdrawalHeld', 'withdrawalFinished', 'withdrawalRejected'],
  fills: ['buyFilled', 'sellFilled', 'buyPartlyFilled', 'sellPartlyFilled'],
  products: [
    ...(['financeBought', 'financeMatured', 'miningStarted', 'miningEnded', 'miningRedeemed'] as const),
    ...(['fundBought', 'fundCancelled', 'fundSold'] as const),
    ...(['secondsNoPrice', 'secondsIntervalVoid', 'secondsRefunded'] as const),
    ...(['subscriptionAllocated', 'subscriptionRefunded'] as const),
  ],
  seconds: ['secondsWon', 'secondsLost', 'secondsDrawn'],
  alerts: ['priceRose', 'priceFell', 'priceMoved'],
  income: ['incomeDigest', 'financeIncome', 'miningIncome'],
  rewards: ['inviteRewarded'],
};
const TOPIC_OF = new Map(
  NOTICE_TOPICS.flatMap((topic) => (KINDS[topic] ?? []).map((kind) => [kind, topic] as const)),
);

/** The topic by which a kind's way is chosen; undefined where its sender has decided, and it is always in the inbox. */
export function topicOf(kind: MessageKind): NoticeTopic | undefined {
  return TOPIC_OF.get(kind);
}

/** Topics whose module writes its own mails: `send` writes these to inboxes only. */
export const MAILED_BY_SENDER: ReadonlySet<NoticeTopic> = new Set(['alerts']);

/** A user's choice as far as a topic leaves one. */
export function allowed(topic: NoticeTopic, wanted: Partial<Channels>, before?: Channels): Channels {
  const { byDefault, fixed } = TOPIC_RULES[topic];
  const now = before ?? byDefault;
  return {
    inbox: fixed.inbox ? byDefault.inbox : (wanted.inbox ?? now.inbox),
    mail: fixed.mail ? byDefault.mail : (wanted.mail ?? now.mail),
  };
}
