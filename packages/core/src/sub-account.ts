/** Greatest number of sub-accounts of a master account at a time; archived ones do not count. */
export const SUB_ACCOUNTS_MAX = 20;
/**
 * Greatest number of sub-accounts that a master account can ever create, so that the list of all stays
 * bounded.
 */
export const SUB_ACCOUNTS_EVER_MAX = 100;
