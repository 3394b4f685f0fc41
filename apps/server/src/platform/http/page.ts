/**
 * A page or file that is not a described call, e.g. the demo's mailbox. Served with the headers of all pages.
 */
export interface Page {
  /** A path outside the base path of the calls. */
  readonly path: string;
  /** Whether the page exists in demo mode only. */
  readonly demoOnly: boolean;
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
