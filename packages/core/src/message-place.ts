import { PRODUCT_ACCOUNTS } from './accounts.ts';

/**
 * The values of a message's field `place`: the screen to which the message links. `none` is for a message without a
 * link. The screen of a product is named like the product's account, except that `launchpad` stands for the account
 * `subscription`.
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
