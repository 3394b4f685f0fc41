/**
 * The message of any thrown value, for operators and logs. An error without a message, such as that of a connection
 * that failed at several addresses, is described by the messages of its parts, by its code or by its name.
 */
export function errorMessage(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.message !== '') return cause.message;
  if (cause instanceof AggregateError && cause.errors.length > 0)
    return [...new Set(cause.errors.map(errorMessage))].join('; ');
  const { code } = cause as { readonly code?: unknown };
  return typeof code === 'string' ? code : cause.name;
}
