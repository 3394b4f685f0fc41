/** An order in the parameters of the public trading API, without key, time and signature. */
export interface ApiOrderRequest {
  /** Path of the `POST` request. */
  readonly path: '/api/v3/order' | '/api/v3/orderList/oco';
  /** Parameters by name, in the order in which they are sent. */
  readonly parameters: ReadonlyMap<string, string>;
}

export type SnippetLanguage = 'curl' | 'javascript' | 'python';
export const SNIPPET_LANGUAGES: readonly SnippetLanguage[] = ['curl', 'javascript', 'python'];

/**
 * An example program that sends a trading API request; its reader fills in key and secret. `origin` is the
 * address of the exchange, for example `https://example.com`. Values contain letters, digits, dots and
 * underscores only, so nothing is escaped.
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

/** Methods of the client library ccxt that send parameters unchanged, by endpoint. */
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
