/** Maximum number of sub-accounts that a master account has at the same time. Archived ones do not count. */
export const SUB_ACCOUNTS_MAX = 20;
/**
 * Maximum number of sub-accounts that a master account can create in total, archived ones included. It limits the
 * length of the list of sub-accounts.
 */
export const SUB_ACCOUNTS_EVER_MAX = 100;
