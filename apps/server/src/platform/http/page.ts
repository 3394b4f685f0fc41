/**
 * A page or file that is not an API endpoint, e.g. the demo's mailbox. It is served with the security headers of pages.
 */
export interface Page {
  /** URL path of the page. It does not begin with the base path of the API. */
  readonly path: string;
  /** Whether the page exists only in demo mode. */
  readonly demoOnly: boolean;
  /** Builds the page. The parameter `lang` is the language of the browser, unless the URL names another. */
  serve(query: URLSearchParams): PageAnswer | Promise<PageAnswer>;
}

export interface PageAnswer {
  readonly status?: number;
  readonly type: 'html' | 'json' | 'css' | 'javascript' | 'text';
  readonly body: string;
}

export const CONTENT_TYPES: Readonly<Record<PageAnswer['type'], string>> = {
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  css: 'text/css; charset=utf-8',
  javascript: 'text/javascript; charset=utf-8',
  text: 'text/plain; charset=utf-8',
};
