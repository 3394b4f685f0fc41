/**
 * Returns the message of any thrown value, for operators and logs. An error without a message is described by
 * the messages of the errors that it aggregates (e.g. one for each address of a failed connection), otherwise
 * by its code or its name.
 */
export function errorMessage(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.message !== '') return cause.message;
  if (cause instanceof AggregateError && cause.errors.length > 0)
    return [...new Set(cause.errors.map(errorMessage))].join('; ');
  const { code } = cause as { readonly code?: unknown };
  return typeof code === 'string' ? code : cause.name;
}
