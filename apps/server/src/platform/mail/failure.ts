/**
 * Descriptions of failures to send a mail, for operators, by the error codes of the mail library and the
 * operating system.
 */
const WORDS_BY_CODE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    EAUTH: 'it refuses the user or password of SMTP_URL',
    ECONNECTION: 'it cannot be reached',
    ECONNREFUSED: 'nothing answers at its address and port',
    ECONNRESET: 'it breaks off the connection',
    EDNS: 'its name cannot be looked up',
    EENVELOPE: 'it refuses the sender or the recipient',
    EHOSTUNREACH: 'no way leads to its address',
    ENOTFOUND: 'its name cannot be looked up',
    ESOCKET: 'the connection to it breaks',
    ETIMEDOUT: 'it does not answer in time',
    ETLS: 'no secure connection to it can be made',
  }),
);

/**
 * Returns the reason why a mail could not be sent. It is derived from the error's codes only, because
 * messages of mail servers may contain addresses.
 */
export function failureOf(error: unknown): string {
  const { responseCode, code, syscall, message } = error as Readonly<Record<string, unknown>>;
  if (typeof responseCode === 'number') return `${refusedAs(responseCode, code)} (SMTP ${responseCode})`;
  // For a failed connection, the mail library's code does not say why it failed, so the system's error code is taken
  // from the error message.
  const inner = syscall === 'connect' ? /\b(E[A-Z]+)\b/.exec(String(message))?.[1] : undefined;
  const name = inner ?? (typeof code === 'string' && /^[A-Z_]+$/.test(code) ? code : undefined);
  if (name === undefined) return 'an error';
  return `${WORDS_BY_CODE.get(name) ?? 'the connection to it fails'} (${name})`;
}

function refusedAs(responseCode: number, code: unknown): string {
  if (code === 'EAUTH') return 'it refuses the user or password of SMTP_URL';
  return responseCode < 500 ? 'it takes no mail for now' : 'it refuses the mail';
}
