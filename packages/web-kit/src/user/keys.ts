import { ownKeys } from '../session/own-key.ts';

/** The signed-in person, their devices and sign-ins in the cache. */
export const USER = ownKeys('user');
