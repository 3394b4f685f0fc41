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
 * Maximum length in characters of a request to customer service, and maximum number of requests per hour from one user
 * or one network.
 */
export const SUPPORT_TEXT_MAX = 2_000;
export const SUPPORT_PER_HOUR = 5;
/** Number of days after an answer during which the user can reply, and maximum number of messages of a conversation. */
export const SUPPORT_REPLY_DAYS = 30;
export const SUPPORT_MESSAGES_MAX = 100;
