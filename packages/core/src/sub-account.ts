/** Sub-accounts that a master can have at a time; archived ones do not count. */
export const SUB_ACCOUNTS_MAX = 20;
/** Sub-accounts that a master can ever create, so that the list of all stays bounded. */
export const SUB_ACCOUNTS_EVER_MAX = 100;
