import { API_BASE } from '@exchange/wire/endpoint.ts';
import { type PageServer, startPageServer } from '../../api/testing/page-server.ts';

type Answer = { readonly code: number; readonly [name: string]: unknown };
type Serve = (form: URLSearchParams, token: string | undefined) => Answer | Promise<Answer>;

/** A real HTTP server for tests; it serves a few endpoints by path and records the requests. */
export class AccountServer {
  readonly received: { path: string; form: URLSearchParams; token: string | undefined }[] = [];
  private server: PageServer | undefined;
  private calls: Readonly<Record<string, Serve>> = {};

  /** Starts a server of this class and directs all API requests of the page to it; resolves to the server. */
  static async start(): Promise<AccountServer> {
    const accounts = new AccountServer();
    accounts.server = await startPageServer(({ url, headers, form }, response) => {
      const path = url.slice(API_BASE.length);
      const token = headers['x-access-token'] as string | undefined;
      accounts.received.push({ path, form, token });
      void Promise.resolve(accounts.calls[path]?.(form, token) ?? { code: 0, msg: 'none' }).then((answer) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ msg: 'success', ...answer }));
      });
    });
    return accounts;
  }

  /** Replaces the endpoints that the server serves, and forgets the recorded requests. */
  serve(calls: Readonly<Record<string, Serve>>): void {
    this.calls = calls;
    this.received.length = 0;
  }

  async stop(): Promise<void> {
    await this.server?.stop();
  }
}
