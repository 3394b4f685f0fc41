/** A page or file that is no described call, e.g. the demo's mailbox. Served under the policy of all pages. */
export interface Page {
  /** Outside the calls' base path. */
  readonly path: string;
  /** Exists only when the server runs in demo mode. */
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
