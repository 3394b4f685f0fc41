import { API_CALLS, CALL_GROUPS, WEIGHT_PER_MINUTE, type ApiCall } from '@exchange/wire/public-api/calls.ts';
import { ERROR_CATALOGUE } from '@exchange/wire/public-api/error-catalogue.ts';
import type { Page } from '../../platform/http/page.ts';
import { describedParameters, exampleOf, weightRange } from './calls-present.ts';

type Json = Readonly<Record<string, unknown>>;

const DESCRIPTION = [
  'Market data and trading for programs, in the wire format that most trading tools speak: point the base address of',
  'your library here. Prices, amounts and rates are decimal text, times are milliseconds UTC. Errors are',
  '`{"code","msg"}` with a negative code. Every answer names the request weight that your address has used in',
  `\`X-MBX-USED-WEIGHT-1M\`; ${WEIGHT_PER_MINUTE} are available per minute. The reference with examples, streams and the`,
  'WebSocket API is at `/docs/api`.',
].join(' ');

const SECURITY_SCHEMES = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-MBX-APIKEY',
    description: 'The key, created in Security under API keys.',
  },
  signature: {
    type: 'apiKey',
    in: 'query',
    name: 'signature',
    description:
      'HMAC-SHA-256 (hexadecimal) with the secret, or Ed25519 (base 64), over the query followed by the body, as they are sent and without this parameter, which comes last.',
  },
};
const SECURITY: Readonly<Record<ApiCall['access'], readonly Json[]>> = {
  open: [],
  key: [{ apiKey: [] }],
  signed: [{ apiKey: [], signature: [] }],
};

const ERROR_SCHEMA = {
  type: 'object',
  required: ['code', 'msg'],
  properties: {
    code: {
      type: 'integer',
      enum: [...new Set(ERROR_CATALOGUE.map(({ error }) => error.code))],
      description: 'Negative; `/docs/api#errors` says when each occurs and what to do.',
    },
    msg: { type: 'string' },
  },
};
const RETRY_AFTER = { description: 'Seconds to wait', schema: { type: 'integer' } };

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
  const paths = new Map<string, Json>();
  for (const call of API_CALLS)
    paths.set(call.path, { ...paths.get(call.path), [call.method.toLowerCase()]: operationOf(call) });
  return {
    openapi: '3.1.0',
    info: { title: 'Amethyst public trading API', version, description: DESCRIPTION },
    servers: [{ url: '/' }],
    tags: Object.entries(CALL_GROUPS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: { Error: ERROR_SCHEMA },
      responses: {
        Refused: errorResponse('The request is refused; nothing was changed', [400, 401, 404, 405, 409]),
        TooMuch: {
          ...errorResponse('Too much request weight or too many orders', [429]),
          headers: { 'Retry-After': RETRY_AFTER },
        },
        Failed: errorResponse('The server failed, or its answer is unknown', [500, 504]),
      },
    },
  };
}

/**
 * The OpenAPI response for a description, with every API error of one of the HTTP statuses `statuses` as an example.
 */
function errorResponse(description: string, statuses: readonly number[]) {
  const described = ERROR_CATALOGUE.filter(({ error }) => statuses.includes(error.status));
  const examples = described.map(({ error, when }, index) => [
    `error${index + 1}`,
    { summary: when, value: { code: error.code, msg: error.message } },
  ]);
  return {
    description,
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(examples) as Json,
      },
    },
  };
}

function operationOf(call: ApiCall) {
  const { method, path, group, summary, access } = call;
  const [least, most] = weightRange(call);
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/[^A-Za-z0-9]+/g, '_')}`,
    summary,
    description: `Request weight ${least === most ? String(least) : `${least} to ${most}`}.`,
    tags: [group],
    security: SECURITY[access],
    parameters: describedParameters(call).map(({ name, place, isRequired, schema }) => ({
      name,
      in: place,
      required: isRequired,
      schema,
    })),
    responses: {
      200: answerOf(call),
      '4XX': { $ref: '#/components/responses/Refused' },
      429: { $ref: '#/components/responses/TooMuch' },
      '5XX': { $ref: '#/components/responses/Failed' },
    },
  };
}

function answerOf(call: ApiCall) {
  const example = exampleOf(call);
  if (example === undefined) return { description: 'The answer', content: { 'application/json': {} } };
  const { answer } = example;
  const type = typeof answer === 'string' ? 'text/plain' : 'application/json';
  return {
    description: 'The answer; the schema follows from the example',
    content: { [type]: { schema: schemaOf(answer), example: answer } },
  };
}

/** A JSON schema derived from an example value. */
function schemaOf(value: unknown): Json {
  if (value === null) return {};
  if (Array.isArray(value)) return listSchema(value);
  if (typeof value === 'object') {
    const properties = Object.entries(value).map(([name, field]) => [name, schemaOf(field)]);
    return { type: 'object', properties: Object.fromEntries(properties) as Json };
  }
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
  return { type: typeof value };
}

/**
 * The JSON schema of an example list. Items of different types are the cells of a row and get one schema
 * each; items of one type share that of the first item or, for objects, one with the fields of all of them.
 */
function listSchema(list: readonly unknown[]): Json {
  const schemas = list.map(schemaOf);
  const types = new Set(schemas.map(({ type }) => type));
  if (types.size > 1) return { type: 'array', prefixItems: schemas };
  if (!types.has('object')) return { type: 'array', items: schemas[0] ?? {} };
  const fields = schemas.flatMap(({ properties }) => Object.entries(properties as Json));
  return { type: 'array', items: { type: 'object', properties: Object.fromEntries(fields) as Json } };
}
