import { API_CALLS, WEIGHT_PER_MINUTE, type ApiCall } from '@exchange/wire/public-api/calls.ts';
import type { Page } from '../../platform/http/page.ts';

const DESCRIPTION = [
  'Market data and trading for programs, in the wire format that most trading tools speak: point the base address of',
  'your library here. Prices, amounts and rates are decimal text, times are milliseconds UTC. Errors are',
  '`{"code","msg"}` with a negative code. Every answer names the request weight that your address has used in',
  `\`X-MBX-USED-WEIGHT-1M\`; ${WEIGHT_PER_MINUTE} are available per minute.`,
].join(' ');

const ERROR_SCHEMA = {
  type: 'object',
  required: ['code', 'msg'],
  properties: { code: { type: 'integer' }, msg: { type: 'string' } },
};

/** The OpenAPI 3.1 document of the public trading API at `/api/openapi.json`. */
export function openApiPage(version: string): Page {
  let body: string | undefined;
  return {
    path: '/api/openapi.json',
    demoOnly: false,
    serve: () => ({ type: 'json', body: (body ??= JSON.stringify(documentOf(version))) }),
  };
}

function documentOf(version: string) {
  const paths = new Map<string, Record<string, unknown>>();
  for (const call of API_CALLS)
    paths.set(call.path, { ...paths.get(call.path), [call.method.toLowerCase()]: operationOf(call) });
  return {
    openapi: '3.1.0',
    info: { title: 'Amethyst public trading API', version, description: DESCRIPTION },
    servers: [{ url: '/' }],
    paths: Object.fromEntries(paths),
  };
}

function operationOf({ method, path, group, summary, parameters }: ApiCall) {
  const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', examples: ['BTC_USDT'] },
  }));
  const fields = Object.entries(parameters).map(([name, { isRequired, schema }]) => ({
    name,
    in: 'query',
    required: isRequired,
    schema,
  }));
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/[^A-Za-z0-9]+/g, '_')}`,
    summary,
    tags: [group],
    parameters: [...placeholders, ...fields],
    responses: {
      200: { description: 'The answer', content: { 'application/json': {} } },
      '4XX': { description: 'A refusal', content: { 'application/json': { schema: ERROR_SCHEMA } } },
    },
  };
}
