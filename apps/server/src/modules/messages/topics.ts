import type { NoticeTopic } from '@exchange/wire/message.ts';

export type { NoticeTopic };

/** For messages on a topic: whether they are delivered to the inbox, and whether they are mailed. */
export interface Channels {
  readonly inbox: boolean;
  readonly mail: boolean;
}

interface TopicRule {
  /** Where messages on the topic are delivered (inbox, mail) until the user changes the setting. */
  readonly byDefault: Channels;
  /** Deliveries (inbox, mail) that are always on; users cannot switch them off. */
  readonly fixed: Channels;
}

const INBOX_ONLY = { inbox: true, mail: false };
const BOTH = { inbox: true, mail: true };
const NOTHING = { inbox: false, mail: false };

/**
 * Messages on account security and risk are always delivered to the inbox and by mail, messages on transfers always to
 * the inbox. For all other topics and channels, users can switch delivery on and off.
 */
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

/** All topics, in the order of the settings screen. */
export const NOTICE_TOPICS = Object.keys(TOPIC_RULES) as readonly NoticeTopic[];

/** Topics whose module writes its own mails; `send` does not mail them. */
export const MAILED_BY_SENDER: ReadonlySet<NoticeTopic> = new Set(['alerts']);

/**
 * The delivery setting of a topic after a user's changes; channels that the topic requires stay switched on. Without a
 * `previous` setting, the changes apply to the default.
 */
export function applyChoice(topic: NoticeTopic, changes: Partial<Channels>, previous?: Channels): Channels {
  const { byDefault, fixed } = TOPIC_RULES[topic];
  const current = previous ?? byDefault;
  return {
    inbox: fixed.inbox ? byDefault.inbox : (changes.inbox ?? current.inbox),
    mail: fixed.mail ? byDefault.mail : (changes.mail ?? current.mail),
  };
}
