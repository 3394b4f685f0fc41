/** What somebody may ask customer service about, in the order of the form. */
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

/** A request may be so long, and so many may be sent within an hour by one account or from one network. */
export const SUPPORT_TEXT_MAX = 2_000;
export const SUPPORT_PER_HOUR = 5;
