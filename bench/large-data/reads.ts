import { ENDPOINTS } from '@exchange/wire/catalogue.ts';
import { API_BASE, type Endpoint } from '@exchange/wire/endpoint.ts';
import { exampleOf } from '@exchange/wire/examples.ts';

/** A read of the public port or of the console, as it is sent. */
export interface Read {
  readonly name: string;
  readonly path: string;
  readonly method: 'GET' | 'POST';
  /** Forms to try in this order: the first that is served is measured. */
  readonly forms: readonly Readonly<Record<string, string>>[];
}

/** Fields that name one thing, which a crawl has none of, and periods, which would narrow a list. */
const LEFT_OUT = new Set(['anchor', 'startTime', 'endTime', 'status', 'type', 'symbol', 'coin', 'currency']);

/** Every call that only reads, with the fields of a first page. `now` in milliseconds. */
export function publicReads(now: number): Read[] {
  return ENDPOINTS.filter(isRead).map((endpoint) => {
    const example = exampleOf(endpoint, now);
    const narrow = Object.entries(example);
    const wide = narrow.filter(([name]) => !LEFT_OUT.has(name));
    return {
      name: endpoint.path,
      path: `${API_BASE}${endpoint.path}`,
      method: endpoint.method,
      forms: [Object.fromEntries(wide), Object.fromEntries(narrow)],
    };
  });
}

/** Calls that are charged like a read and change something: the crawl would end its own sessions. */
const CHANGES = /logout|revoke|freeze|\/add$|\/remove$|\/read|choose|set/i;

function isRead({ charge, envelope, path }: Endpoint): boolean {
  const isCharged = ['publicRead', 'signedInRead'].includes(charge.limit);
  return isCharged && envelope !== 'image' && (!CHANGES.test(path) || /\/get[A-Z]/.test(path));
}

/** Lists and pages of the console. `user` is put wherever a path names a user; other named parts are left out. */
export function consoleReads(
  operations: readonly { readonly method: string; readonly path: string; readonly isFile?: boolean }[],
  user: string,
): Read[] {
  return operations.flatMap(({ method, path, isFile }) => {
    const filled = path.replace(':user', user);
    if (method !== 'GET' || isFile === true || filled.includes(':')) return [];
    return [
      {
        name: path,
        path: filled.startsWith('/ops/') ? filled : `/ops/${filled}`,
        method: 'GET' as const,
        forms: [{}],
      },
    ];
  });
}

/** Sends a read; gives whether it was served, its milliseconds, and the answer's text. */
export async function send(
  url: string,
  { path, method }: Read,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
): Promise<{ isServed: boolean; ms: number; text: string }> {
  const fields = new URLSearchParams(form).toString();
  const isGet = method === 'GET';
  const beganMs = performance.now();
  const response = await fetch(`${url}${path}${isGet && fields !== '' ? `?${fields}` : ''}`, {
    method,
    headers: {
      ...headers,
      'content-type': 'application/x-www-form-urlencoded',
    },
    ...(isGet ? {} : { body: fields }),
  });
  const text = await response.text();
  const ms = performance.now() - beganMs;
  return { isServed: response.ok && !isRefusal(text), ms, text };
}

/** Whether an answer is an envelope with a code other than 1; console answers and files have none. */
function isRefusal(text: string): boolean {
  const code = /^\{"code":(-?\d+)/.exec(text)?.[1];
  return code !== undefined && code !== '1';
}
