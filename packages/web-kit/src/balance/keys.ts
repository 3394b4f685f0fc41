import { ownKeys } from '../session/own-key.ts';

/** The coin account in the cache. */
export const BALANCES = ownKeys('balance');
/** What everything of a person is worth; it changes with their balances. */
export const ACCOUNT = ownKeys('account');
