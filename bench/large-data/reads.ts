import { ENDPOINTS } from '@exchange/wire/catalogue.ts';
import { API_BASE, type Endpoint } from '@exchange/wire/endpoint.ts';
import { exampleOf } from '@exchange/wire/examples.ts';

/** A reading request of the public API or of the console. */
export interface Read {
  readonly name: string;
  readonly path: string;
  readonly method: 'GET' | 'POST';
  /** Alternative sets of form fields. They are tried in this order, and the first request that succeeds is measured. */
  readonly forms: readonly Readonly<Record<string, string>>[];
}

/**
 * Form fields that the first try of a reading request omits, because they restrict a list or refer to a single object
 * that the benchmark does not know.
 */
const LEFT_OUT = new Set(['anchor', 'startTime', 'endTime', 'status', 'type', 'symbol', 'coin', 'currency']);

/**
 * Returns a reading request for every endpoint that only reads according to its rate limit and its path, except images.
 * It is tried first with the fields of a first page, then with all fields of the endpoint's example. `now` is in
 * milliseconds.
 */
export function publicReads(now: number): Read[] {
  return ENDPOINTS.filter(isRead).map((endpoint) => {
    const example = exampleOf(endpoint, now);
    const allFields = Object.entries(example);
    const listFields = allFields.filter(([name]) => !LEFT_OUT.has(name));
    return {
      name: endpoint.path,
      path: `${API_BASE}${endpoint.path}`,
      method: endpoint.method,
      forms: [Object.fromEntries(listFields), Object.fromEntries(allFields)],
    };
  });
}

/**
 * Regular expression that matches the paths of endpoints that change something although the rate limits count
 * them as reads. A path with `/get` counts as reading even if it matches. Some of the changes would end the
 * benchmark's own sessions.
 */
const CHANGES = /logout|revoke|freeze|\/add$|\/remove$|\/read|choose|set/i;

function isRead({ charge, envelope, path }: Endpoint): boolean {
  const isCharged = ['publicRead', 'signedInRead'].includes(charge.limit);
  return isCharged && envelope !== 'image' && (!CHANGES.test(path) || /\/get[A-Z]/.test(path));
}

/**
 * Returns the reading operations of the console except files. `user` is inserted for the user parameter of a path.
 * Paths with other parameters are omitted.
 */
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

/** Sends a reading request. Returns whether it succeeded, its duration in milliseconds and the text of the response. */
export async function send(
  url: string,
  { path, method }: Read,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
): Promise<{ isServed: boolean; ms: number; text: string }> {
  const fields = new URLSearchParams(form).toString();
  const isGet = method === 'GET';
  const startMs = performance.now();
  const response = await fetch(`${url}${path}${isGet && fields !== '' ? `?${fields}` : ''}`, {
    method,
    headers: {
      ...headers,
      'content-type': 'application/x-www-form-urlencoded',
    },
    ...(isGet ? {} : { body: fields }),
  });
  const text = await response.text();
  const ms = performance.now() - startMs;
  return { isServed: response.ok && !isRefusal(text), ms, text };
}

/**
 * Returns whether a JSON response is a refusal, i.e. has a code other than 1. Responses of the console and files have
 * no code.
 */
function isRefusal(text: string): boolean {
  const code = /^\{"code":(-?\d+)/.exec(text)?.[1];
  return code !== undefined && code !== '1';
}
