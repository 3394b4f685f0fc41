import { CSP_REPORTS_PATH } from './csp-reports.ts';

/** Headers of the API's answers. They forbid caching, framing and interpretation as another content type. */
export const ANSWER_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/**
 * Content security policy of pages: resources are loaded only from the page's origin, pictures also from `data:` and
 * `blob:` URLs. Inline scripts and styles are forbidden.
 */
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

/** Directives that make browsers report violations. Older browsers support only `report-uri`. */
const REPORTING = `report-uri ${CSP_REPORTS_PATH}; report-to csp`;

/**
 * Returns the headers of pages and files. HSTS is included only if `publicUrl` begins with `https:`. The
 * pages may frame only pages of the origin of `chatUrl` (the live chat of customer service), and no page may
 * frame them. Browsers report violations to this server.
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

/**
 * Returns the security headers of pages on a port that accepts no reports of violations of the content
 * security policy, such as the operators' port.
 */
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

/**
 * Returns the headers of the API documentation pages, which permit the inline style attributes that their
 * viewer sets.
 */
export function documentHeaders(publicUrl: string | undefined): Readonly<Record<string, string>> {
  const policy = `${PAGE_POLICY}; style-src-attr 'unsafe-inline'; ${REPORTING}`;
  return { ...pageHeaders(publicUrl), 'content-security-policy': policy };
}

/**
 * Returns the HSTS header for a year, including all subdomains, so that no subdomain can set a cookie over
 * http. Empty if `publicUrl` does not begin with `https:`.
 */
export function transportHeaders(publicUrl: string | undefined): Readonly<Record<string, string>> {
  return publicUrl?.startsWith('https:') === true
    ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
    : {};
}
