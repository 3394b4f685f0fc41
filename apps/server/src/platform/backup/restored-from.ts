/** The setting of a database that was restored: when its backup was made. */
export const RESTORED_FROM = 'restored_from';
