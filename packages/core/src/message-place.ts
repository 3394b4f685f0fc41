/** What of the site a message leads to; `none` where its text is all there is. */
export const MESSAGE_PLACES = [
  ...(['none', 'start', 'security', 'verification', 'agreements', 'support', 'invitations'] as const),
  ...(['pair', 'order', 'finance', 'mining', 'fund', 'seconds', 'launchpad'] as const),
  ...(['deposits', 'withdrawals'] as const),
  'statement',
] as const;
export type MessagePlace = (typeof MESSAGE_PLACES)[number];
