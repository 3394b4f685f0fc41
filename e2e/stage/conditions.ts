import { coinInfo } from '../../packages/wire/src/coin-info.ts';
import { parameter, serverInfo } from '../../packages/wire/src/parameter.ts';
import { spotBasics } from '../../packages/wire/src/spot.ts';
import { demoLogin, userInfo } from '../../packages/wire/src/user.ts';
import type { Page, Route, WebSocketRoute } from 'playwright-core';
import { LOCALES } from './words.ts';
import { REFUSAL_CODES } from '../../packages/wire/src/codes.ts';
import { REFUSAL_WORDS } from '../../packages/wire/src/words/refusals.ts';

/** Conditions of the requests of a page. */
export const CONDITIONS = ['loading', 'empty', 'refused', 'failed', 'offline'] as const;
export type Condition = (typeof CONDITIONS)[number] | 'full';

const CALLS = '**/bb/app/**';
const FEED = '**/bb/app/ws';
/** Requests for the user and the settings, without which no member's screen is displayed. */
const FRAME = [userInfo.path, demoLogin.path, parameter.path, serverInfo.path];
/** Requests for pairs and coins, which exist also without any trade. */
const MARKET = [spotBasics.path, coinInfo.path, '/huobi/'];
const REFUSED = 'l.not_found';

/** Answers the requests of a page according to a condition, starting with the next request. */
export class Line {
  private condition: Condition = 'full';
  private readonly sockets = new Set<WebSocketRoute>();
  private readonly held = new Set<Route>();

  /** Intercepts the requests of a page that has not been opened yet. */
  static async of(page: Page): Promise<Line> {
    const line = new Line();
    await page.routeWebSocket(FEED, (socket) => line.connect(socket));
    // Reason: leaving a screen aborts its requests; an unanswered request is visible on the screen.
    await page.route(CALLS, (route) => line.answer(route).catch(() => undefined));
    return line;
  }

  async set(condition: Condition): Promise<void> {
    this.condition = condition;
    // Held requests belong to a screen that has been left.
    for (const route of this.held) await route.abort('aborted').catch(() => undefined);
    this.held.clear();
    if (condition !== 'offline') return;
    for (const socket of this.sockets) await socket.close();
    this.sockets.clear();
  }

  private connect(socket: WebSocketRoute): void {
    if (this.condition === 'offline' || this.condition === 'failed') {
      void socket.close();
      return;
    }
    if (this.condition === 'loading') return;
    socket.connectToServer();
    this.sockets.add(socket);
  }

  private async answer(route: Route): Promise<void> {
    const request = route.request();
    if (this.condition === 'full') return route.continue();
    if (this.condition === 'failed' || this.condition === 'offline') return route.abort('failed');
    if (isOf(FRAME, request.url())) return route.continue();
    if (this.condition === 'loading') return void this.held.add(route);
    if (this.condition === 'refused') {
      const spoken = request.headers()['accept-language'] ?? '';
      const locale = LOCALES.find((one) => spoken.startsWith(one)) ?? 'en-US';
      const [code, msg] = [REFUSAL_CODES.generic, REFUSAL_WORDS[locale][REFUSED]];
      return route.fulfill({ json: { code, msg, errKey: REFUSED, status: 'error' } });
    }
    if (isOf(MARKET, request.url())) return route.continue();
    const response = await route.fetch();
    const isJson = response.headers()['content-type']?.includes('json') === true;
    return route.fulfill(isJson ? { response, json: emptied(await response.json()) } : { response });
  }
}

/** Returns the response of an exchange without any data: every list empty, every count 0. */
function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      typeof part === 'number' && /^(?:sum|total|totalRow|count)$/.test(name) ? 0 : emptied(part),
    ]),
  );
}

const isOf = (paths: readonly string[], address: string): boolean =>
  paths.some((path) => new URL(address).pathname.includes(path));
