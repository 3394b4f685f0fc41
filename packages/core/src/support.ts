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
 * Maximum length of a support request in UTF-16 units, and maximum number of support requests within 60 minutes from
 * one user, or for visitors from one IPv4 address or one IPv6 /64 network. A user can also write at most this number of
 * messages within 60 minutes in each conversation of a support request.
 */
export const SUPPORT_TEXT_MAX = 2_000;
export const SUPPORT_PER_HOUR = 5;
/**
 * Number of days after the latest answer within which the user can reply to an answered support request, and number of
 * messages of both sides in a conversation from which the user can no longer reply. The text of the request
 * and the notes of operators do not count.
 */
export const SUPPORT_REPLY_DAYS = 30;
export const SUPPORT_MESSAGES_MAX = 100;
