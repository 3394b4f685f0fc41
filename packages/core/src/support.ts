/** Topics of a request to customer service, in the order of the form. */
export const SUPPORT_TOPICS = [
  'account',
  'verification',
  'deposit',
  'withdrawal',
  'trading',
  'products',
  'other',
] as const;
export type SupportTopic = (typeof SUPPORT_TOPICS)[number];

/**
 * Greatest length of a customer service request in characters, and greatest number of requests per hour from
 * one account or one network.
 */
export const SUPPORT_TEXT_MAX = 2_000;
export const SUPPORT_PER_HOUR = 5;
/**
 * Days after an answer in which the customer can reply, and greatest number of messages of a conversation.
 */
export const SUPPORT_REPLY_DAYS = 30;
export const SUPPORT_MESSAGES_MAX = 100;
