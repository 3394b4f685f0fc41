import { userKeys } from '../session/user-keys.ts';

/** Query keys of the user's spot orders, fills and fee tier. */
export const SPOT = userKeys('spot');
