import { PRODUCT_ACCOUNTS } from './accounts.ts';

/**
 * The screen that a message links to; `none` for a message without a link. A product's place has the name of
 * its account, except `launchpad`.
 */
export const MESSAGE_PLACES = [
  ...([
    'none',
    'start',
    'security',
    'apiKeys',
    'verification',
    'agreements',
    'support',
    'invitations',
  ] as const),
  ...(['pair', 'order'] as const),
  ...PRODUCT_ACCOUNTS.filter((account) => account !== 'subscription'),
  ...(['seconds', 'launchpad'] as const),
  ...(['deposits', 'withdrawals'] as const),
  'recurring',
  'statement',
  'assets',
] as const;
export type MessagePlace = (typeof MESSAGE_PLACES)[number];
