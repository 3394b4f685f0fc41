/** Headers of every answer of the calls: never kept, never framed, never taken for anything but JSON. */
export const ANSWER_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** What a page may load: everything from our own origin only; neither scripts nor styles stand in the page itself. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const UNUSED_POWERS = ['accelerometer', 'camera', 'geolocation', 'gyroscope', 'microphone', 'payment', 'usb'];

/**
 * Headers of every page and file; a browser is told to insist on https only where we are reached by it. Only the live chat
 * of customer service may stand in a frame.
 */
export function pageHeaders(
  publicUrl: string | undefined,
  chatUrl?: string,
): Readonly<Record<string, string>> {
  return {
    'content-security-policy':
      chatUrl === undefined ? PAGE_POLICY : `${PAGE_POLICY}; frame-src ${new URL(chatUrl).origin}`,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': UNUSED_POWERS.map((power) => `${power}=()`).join(', '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...transportHeaders(publicUrl),
  };
}

/** Headers of the API's pages, whose reader writes style attributes of its own. */
export function documentHeaders(publicUrl: string | undefined): Readonly<Record<string, string>> {
  const policy = `${PAGE_POLICY}; style-src-attr 'unsafe-inline'`;
  return { ...pageHeaders(publicUrl), 'content-security-policy': policy };
}

export function transportHeaders(publicUrl: string | undefined): Readonly<Record<string, string>> {
  return publicUrl?.startsWith('https:') === true ? { 'strict-transport-security': 'max-age=31536000' } : {};
}
