import type { Page, Route } from 'playwright-core';

/**
 * Repeats the first response of an endpoint that `isWanted` accepts, so that a temporary state stays on the screen.
 * The returned function ends this.
 */
export async function repeatAnswer(
  page: Page,
  path: string,
  isWanted: (data: unknown) => boolean,
): Promise<() => Promise<void>> {
  let wanted: { readonly headers: Record<string, string>; readonly body: string } | undefined;
  const answer = async (route: Route): Promise<void> => {
    if (wanted === undefined) {
      const response = await route.fetch();
      const [headers, body] = [response.headers(), await response.text()];
      if (isWanted((JSON.parse(body) as { data?: unknown }).data)) wanted ??= { headers, body };
      if (wanted === undefined) return route.fulfill({ response, body });
    }
    return route.fulfill({ status: 200, ...wanted });
  };
  const calls = `**/bb/app${path}*`;
  await page.route(calls, answer);
  return () => page.unroute(calls, answer);
}
