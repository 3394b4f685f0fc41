/**
 * The message of anything that was thrown, for operators and logs. An error without a message of its own, such as that of a
 * connection which failed at several addresses, is described by the messages of its parts, its code or its name.
 */
export function errorMessage(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.message !== '') return cause.message;
  if (cause instanceof AggregateError && cause.errors.length > 0)
    return [...new Set(cause.errors.map(errorMessage))].join('; ');
  const { code } = cause as { readonly code?: unknown };
  return typeof code === 'string' ? code : cause.name;
}
