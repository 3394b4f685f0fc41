import { CSP_REPORTS_PATH } from './csp-reports.ts';

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

/** Of both generations of browsers: the older ones know `report-uri` alone. */
const REPORTING = `report-uri ${CSP_REPORTS_PATH}; report-to csp`;

/**
 * Headers of every page and file; a browser is told to insist on https only where we are reached by it. Only the live chat
 * of customer service may stand in a frame. Violations are reported to the public port.
 */
export function pageHeaders(
  publicUrl: string | undefined,
  chatUrl?: string,
): Readonly<Record<string, string>> {
  const policy = chatUrl === undefined ? PAGE_POLICY : `${PAGE_POLICY}; frame-src ${new URL(chatUrl).origin}`;
  return {
    ...privatePageHeaders(publicUrl),
    'content-security-policy': `${policy}; ${REPORTING}`,
    'reporting-endpoints': `csp="${CSP_REPORTS_PATH}"`,
  };
}

/** The same for a port that takes no reports. */
export function privatePageHeaders(publicUrl: string | undefined): Readonly<Record<string, string>> {
  return {
    'content-security-policy': PAGE_POLICY,
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
  const policy = `${PAGE_POLICY}; style-src-attr 'unsafe-inline'; ${REPORTING}`;
  return { ...pageHeaders(publicUrl), 'content-security-policy': policy };
}

/** https for a year, for the site's name and every name below it: none of them can be used to plant a cookie over http. */
export function transportHeaders(publicUrl: string | undefined): Readonly<Record<string, string>> {
  return publicUrl?.startsWith('https:') === true
    ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
    : {};
}
