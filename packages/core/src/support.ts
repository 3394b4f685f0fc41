/** Topics of a request to customer service, in the order of the form's menu. */
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
 * Maximum length in characters of a request to customer service, and maximum number of requests per hour from one user,
 * or for visitors from one group of IP addresses. The same number of messages per hour is permitted in a conversation.
 */
export const SUPPORT_TEXT_MAX = 2_000;
export const SUPPORT_PER_HOUR = 5;
/**
 * Number of days after an answer during which the user can reply, and number of messages of a conversation from which
 * the user can no longer reply.
 */
export const SUPPORT_REPLY_DAYS = 30;
export const SUPPORT_MESSAGES_MAX = 100;
