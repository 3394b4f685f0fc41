import { createHmac, createPrivateKey, sign } from 'node:crypto';
import { Decimal } from '@exchange/core/decimal.ts';

/**
 * Maximum value in USDT of a single order (`orderMost`), and of all orders together that an assistant places during one
 * run of the MCP server (`totalMost`).
 */
export interface TradingLimits {
  readonly orderMost: Decimal;
  readonly totalMost: Decimal;
}

/** An API key of the exchange, and the function that signs requests for it. */
export interface SigningKey {
  readonly key: string;
  readonly sign: (text: string) => string;
}

export interface Settings {
  /** Origin of the exchange's URL, without a slash at the end. */
  readonly url: string;
  /** The API key. If it is undefined, the assistant can read only public market data. */
  readonly key: SigningKey | undefined;
  /** The spending limits. If they are undefined, the assistant can neither place nor cancel orders. */
  readonly trading: TradingLimits | undefined;
}

/** Thrown for invalid settings. The message states the reason and what the user must do. */
export class SettingsRefused extends Error {}

export const HELP = `Usage: exchange-mcp [--trade] [--max-order=100] [--max-total=500]

Serves the tools of the exchange to an assistant over standard input and output (Model Context Protocol).

  --trade             lets the assistant plan, place and cancel orders; without it everything is read-only
  --max-order=AMOUNT  greatest value of an order in USDT (100)
  --max-total=AMOUNT  greatest value of all orders of one run in USDT (500)

Environment:
  EXCHANGE_URL               address of the exchange (http://localhost:3000)
  EXCHANGE_API_KEY           a key that cannot withdraw; without one there are market data only
  EXCHANGE_API_SECRET        its secret, or instead of it
  EXCHANGE_PRIVATE_KEY_FILE  file with the private key (Ed25519, PEM) whose public half belongs to the key
`;

const DEMO = 'http://localhost:3000';
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
const FLAGS = { trade: '--trade', order: '--max-order=', total: '--max-total=' };

/**
 * Reads the settings from the command line and the environment. `readFile` returns the text of a file. Throws
 * `SettingsRefused` for invalid settings.
 */
export function readSettings(
  parameters: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
): Settings {
  const url = originOf(environment['EXCHANGE_URL'] ?? DEMO);
  const key = signingKey(environment, readFile);
  if (key !== undefined && url.protocol === 'http:' && !LOCAL_HOSTS.includes(url.hostname))
    throw new SettingsRefused('A key is sent over https only, except to an exchange on this machine.');
  const trading = tradingLimits(parameters);
  if (trading !== undefined && key === undefined)
    throw new SettingsRefused('--trade needs EXCHANGE_API_KEY with a secret or a private key.');
  return { url: url.origin, key, trading };
}

function originOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.username !== '')
    throw new SettingsRefused('EXCHANGE_URL is not an address such as https://api.example.com.');
  return url;
}

function tradingLimits(parameters: readonly string[]): TradingLimits | undefined {
  const unknown = parameters.find(
    (word) => word !== FLAGS.trade && !word.startsWith(FLAGS.order) && !word.startsWith(FLAGS.total),
  );
  if (unknown !== undefined) throw new SettingsRefused(`Unknown parameter "${unknown}".\n\n${HELP}`);
  const amount = (flag: string, usual: string): Decimal => {
    const text = parameters.find((word) => word.startsWith(flag))?.slice(flag.length) ?? usual;
    const value = Decimal.tryParse(text);
    if (value === undefined || !value.isPositive())
      throw new SettingsRefused(`${flag.slice(0, -1)} is not an amount such as 100.`);
    return value;
  };
  const limits = { orderMost: amount(FLAGS.order, '100'), totalMost: amount(FLAGS.total, '500') };
  return parameters.includes(FLAGS.trade) ? limits : undefined;
}

function signingKey(
  environment: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
): SigningKey | undefined {
  const key = environment['EXCHANGE_API_KEY'] ?? '';
  const secret = environment['EXCHANGE_API_SECRET'] ?? '';
  const file = environment['EXCHANGE_PRIVATE_KEY_FILE'] ?? '';
  if (key === '') {
    if (secret !== '' || file !== '')
      throw new SettingsRefused('EXCHANGE_API_KEY is missing; the secret belongs to a key.');
    return undefined;
  }
  if ((secret === '') === (file === ''))
    throw new SettingsRefused('A key needs EXCHANGE_API_SECRET or EXCHANGE_PRIVATE_KEY_FILE, not both.');
  if (secret !== '') return { key, sign: (text) => createHmac('sha256', secret).update(text).digest('hex') };
  return { key, sign: ed25519Signer(file, readFile) };
}

function ed25519Signer(file: string, readFile: (path: string) => string): SigningKey['sign'] {
  try {
    const privateKey = createPrivateKey(readFile(file));
    if (privateKey.asymmetricKeyType === 'ed25519')
      return (text) => sign(null, Buffer.from(text), privateKey).toString('base64');
  } catch {
    // The original error is not passed on, because its text could reveal the content of the key file.
  }
  throw new SettingsRefused(`${file} does not contain a readable private key of the kind Ed25519.`);
}
