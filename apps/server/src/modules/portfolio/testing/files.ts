import { API_BASE, type Endpoint } from '@exchange/wire/endpoint.ts';
import { exportTax } from '@exchange/wire/tax.ts';
import type { TestExchange, TestTrader } from '../../../../testing/exchange.ts';

/** The lines of a file of a user's tax year, in English. */
export async function linesOfFile(
  exchange: Pick<TestExchange, 'url'>,
  trader: Pick<TestTrader, 'token'>,
  fields: Record<string, string>,
  { path }: Pick<Endpoint, 'path'> = exportTax,
): Promise<string[]> {
  const response = await fetch(`${exchange.url}${API_BASE}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-access-token': trader.token,
      'accept-language': 'en-US',
    },
    body: new URLSearchParams(fields).toString(),
  });
  return (await response.text()).trim().split('\r\n');
}
