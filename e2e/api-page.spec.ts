import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ENDPOINTS } from '@exchange/wire/catalogue.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DocumentPages } from '../apps/server/src/platform/http/document-pages.ts';
import { openApiDocument } from '../apps/server/src/platform/http/openapi.ts';
import { documentHeaders } from '../apps/server/src/platform/http/security-headers.ts';
import { closeProfiles, sharedBrowser } from './fixtures/browser.ts';
import { watchPage } from './fixtures/console-messages.ts';
import { openContext } from './fixtures/contexts.ts';

/**
 * Serves the API page with its OpenAPI document and its content security policy from a small server. The page calls no
 * endpoint, so no exchange runs.
 */
let browser: Browser;
let server: Server;
let pages: DocumentPages;
let origin: string;

beforeAll(async () => {
  browser = await sharedBrowser();
  const now = Date.UTC(2026, 0, 5);
  // The test serves the page with only some of the endpoints. With all endpoints the page would need half a minute on a
  // busy machine and would behave in the same way.
  const endpoints = ENDPOINTS.filter(({ path }) => path.startsWith('/address/'));
  pages = new DocumentPages(openApiDocument({ version: 'test', endpoints, now }));
  const headers = documentHeaders(undefined);
  const answer = async (url: string, response: ServerResponse) => {
    const page = await pages.find(url);
    response.writeHead(page.status, { ...page.headers, ...headers }).end(page.body);
  };
  server = createServer(({ url = '/' }, response) => void answer(url, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await closeProfiles(browser);
  server.closeAllConnections();
  server.close();
  await pages.close();
});

it('EDGE-940 the page of the API is displayed, expanded and filled in without violating its content security policy', async () => {
  const context = await openContext(browser, {});
  const page = await context.newPage();
  const complaints: string[] = [];
  watchPage(page, complaints);
  await page.goto(`${origin}/docs`);
  await page.locator('.opblock-tag', { hasText: 'The address book' }).click();
  await page.locator('.opblock-summary', { hasText: '/address/delete' }).click();
  await page.getByRole('button', { name: 'Try it out' }).click();
  await page.getByRole('button', { name: 'Execute' }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});
