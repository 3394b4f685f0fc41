/** An order as parameters of the public trading API, without API key, time and signature. */
export interface ApiOrderRequest {
  /** Path of the `POST` request that places the order. */
  readonly path: '/api/v3/order' | '/api/v3/orderList/oco';
  /** Parameters by name, in the order in which they are sent. */
  readonly parameters: ReadonlyMap<string, string>;
}

export type SnippetLanguage = 'curl' | 'javascript' | 'python';
export const SNIPPET_LANGUAGES: readonly SnippetLanguage[] = ['curl', 'javascript', 'python'];

/**
 * Returns an example program that sends a request of the trading API; the reader has to insert API key and
 * secret. `origin` is the address of the exchange, such as `https://example.com`. Values of parameters
 * consist of letters, digits, dots and underscores, so they are inserted without escaping.
 */
export function orderSnippet(language: SnippetLanguage, request: ApiOrderRequest, origin: string): string {
  if (language === 'curl') return curlSnippet(request, origin);
  return language === 'javascript' ? javascriptSnippet(request, origin) : pythonSnippet(request, origin);
}

function curlSnippet({ path, parameters }: ApiOrderRequest, origin: string): string {
  const query = [...parameters].map(([name, value]) => `${name}=${value}`).join('&');
  return `KEY='your API key'
SECRET='your secret'
BODY="${query}&timestamp=$(date +%s)000"
SIGNATURE=$(printf '%s' "$BODY" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d ' ' -f 1)
curl -X POST -H "X-MBX-APIKEY: $KEY" -d "$BODY&signature=$SIGNATURE" '${origin}${path}'
`;
}

/** By path of the endpoint: the methods of the client library ccxt that send the parameters unchanged. */
const CCXT_METHODS = {
  '/api/v3/order': { javascript: 'privatePostOrder', python: 'private_post_order' },
  '/api/v3/orderList/oco': {
    javascript: 'privatePostOrderListOco',
    python: 'private_post_orderlist_oco',
  },
} as const;

function javascriptSnippet({ path, parameters }: ApiOrderRequest, origin: string): string {
  const fields = [...parameters].map(([name, value]) => `  ${name}: '${value}',`).join('\n');
  return `import ccxt from 'ccxt';

const exchange = new ccxt.binance({ apiKey: 'your API key', secret: 'your secret' });
for (const [name, url] of Object.entries(exchange.urls.api))
  if (typeof url === 'string') exchange.urls.api[name] = url.replace(/^https:\\/\\/[^/]+/, '${origin}');

const answer = await exchange.${CCXT_METHODS[path].javascript}({
${fields}
});
console.log(answer);
`;
}

function pythonSnippet({ path, parameters }: ApiOrderRequest, origin: string): string {
  const fields = [...parameters].map(([name, value]) => `    '${name}': '${value}',`).join('\n');
  return `import re
import ccxt

exchange = ccxt.binance({'apiKey': 'your API key', 'secret': 'your secret'})
for name, url in exchange.urls['api'].items():
    if isinstance(url, str):
        exchange.urls['api'][name] = re.sub(r'^https://[^/]+', '${origin}', url)

answer = exchange.${CCXT_METHODS[path].python}({
${fields}
})
print(answer)
`;
}
