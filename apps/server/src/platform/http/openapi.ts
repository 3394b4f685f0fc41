import { CALL_GROUPS } from '@exchange/wire/catalogue.ts';
import { API_BASE, COMMON_FIELDS, FILE_PART, type Access, type Endpoint } from '@exchange/wire/endpoint.ts';
import { FEED_PATH } from '@exchange/wire/feed.ts';
import { prefilledExampleOf } from '@exchange/wire/examples.ts';
import * as z from 'zod/mini';

type Json = Readonly<Record<string, unknown>>;

interface DocumentOptions {
  readonly version: string;
  /** The endpoints to document. In live mode, the caller must leave out endpoints for demos only. */
  readonly endpoints: readonly Endpoint[];
  /** Time in milliseconds UTC to which all times in the examples are relative. */
  readonly now: number;
}

const FORM = 'application/x-www-form-urlencoded';

/**
 * Builds the OpenAPI 3.1 document from the descriptions of endpoints, in groups and with an example for each endpoint.
 * Endpoints that are in none of `CALL_GROUPS` are left out. The paths are built when they are first read, so that they
 * do not delay the server's start.
 */
export function openApiDocument({ version, endpoints, now }: DocumentOptions): Json {
  const groups = CALL_GROUPS.map(({ name, about, calls }) => ({
    name,
    description: about,
    calls: calls.filter((call) => endpoints.includes(call)),
  })).filter(({ calls }) => calls.length > 0);
  const makePaths = () => {
    const operations = groups.flatMap(({ name, calls }) =>
      calls.map((endpoint) => {
        const operation = operationOf(endpoint, name, prefilledExampleOf(endpoint, now));
        return [API_BASE + endpoint.path, { [endpoint.method.toLowerCase()]: operation }] as const;
      }),
    );
    return Object.fromEntries(operations);
  };
  let paths: Readonly<Record<string, Json>> | undefined;
  return {
    openapi: '3.1.0',
    info: { title: 'Amethyst', version, description: DESCRIPTION },
    servers: [{ url: '/' }],
    tags: groups.map(({ name, description }) => ({ name, description })),
    get paths() {
      return (paths ??= makePaths());
    },
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'header', name: 'X-Access-Token' } },
    },
  };
}

const DESCRIPTION = [
  'These are the calls of the apps. Programs that trade use [the trading API](/docs/api), which trading tools speak.',
  [
    'Calls are form-encoded. Every answer is JSON with `code` 1 for success, −2 when the session has ended and',
    'another number for a refusal, whose `msg` is a sentence, whose `errKey` names it and whose `data` holds',
    'the field and the limit it mentions. Amounts are decimal text; `/huobi/*` answers JSON numbers. Send',
    '`clientId` (or the header `Idempotency-Key`) where it is offered: the same one gives the first answer again.',
  ].join(' '),
  [
    'Each form below can be sent as it stands to a new demo, but for what only you have: `id`s of zeros stand for one',
    'of yours, from the list of the same group, and `123456` for the code that was mailed, on a demo to `/dev/mail`.',
    'Signing up, logging in and `/user/demoLogin` answer a `token`, which the calls of users want as the header',
    '`X-Access-Token`; **Authorize** sends it from this page.',
  ].join(' '),
  [
    `Live data comes over one WebSocket at \`${FEED_PATH}\`, JSON both ways: \`{"op":"subscribe","topics":["ticker.btcusdt",`,
    '"depth.btcusdt","trade.btcusdt","kline.btcusdt.1min"]}`, and after `{"op":"auth","token":"…"}` the topics of a user',
    'such as `order` and `asset`. Each topic begins with a snapshot; its updates count `seq` up by one, and where one is',
    'missing, subscribe again. `{"op":"ping","ts":0}` keeps it open.',
  ].join(' '),
].join('\n\n');

type Example = Readonly<Record<string, string>>;

function operationOf(endpoint: Endpoint, tag: string, example: Example): Json {
  const [, group = '', name = ''] = endpoint.path.split('/');
  const isOpen = endpoint.access.who === 'anyone';
  return {
    operationId: `${group}.${name}`,
    summary: endpoint.summary,
    description: demandsOf(endpoint),
    tags: [tag],
    security: isOpen ? [] : [{ session: [] }],
    ...inputOf(endpoint, example),
    responses: { 200: responseOf(endpoint) },
  };
}

function responseOf(endpoint: Endpoint): Json {
  if (endpoint.envelope === 'csv') return fileOf(endpoint);
  if (endpoint.envelope === 'pdf') return DOCUMENT;
  return endpoint.envelope === 'image' ? PICTURE : answerOf(endpoint);
}

function answerOf(endpoint: Endpoint): Json {
  return { description: 'The envelope', content: { 'application/json': { schema: envelopeOf(endpoint) } } };
}

function fileOf(endpoint: Endpoint): Json {
  return {
    description: 'The file, or the envelope of a refusal',
    content: {
      'text/csv': { schema: schemaOf(endpoint.data, 'output') },
      'application/json': { schema: REFUSAL },
    },
  };
}

function inputOf(endpoint: Endpoint, example: Example): Json {
  const schema = withCommonFields(endpoint, withExample(schemaOf(endpoint.fields, 'input'), example));
  if (endpoint.takesFile)
    return { requestBody: { content: { 'multipart/form-data': { schema: withFile(schema) } } } };
  if (endpoint.method === 'POST') return { requestBody: { content: { [FORM]: { schema } } } };
  const required = (schema['required'] ?? []) as readonly string[];
  const fields = Object.entries((schema['properties'] ?? {}) as Json);
  return {
    parameters: fields.map(([name, field]) => ({
      name,
      in: 'query',
      required: required.includes(name),
      schema: field,
    })),
  };
}

/**
 * Adds an example to every field of a JSON schema. A field without a known example gets an empty text, because the
 * documentation page would otherwise invent a value.
 */
function withExample(schema: Json, example: Example): Json {
  const fields = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Json>>);
  const properties = fields.map(([name, field]) => [name, { ...field, example: example[name] ?? '' }]);
  return { ...schema, properties: Object.fromEntries(properties) as Json };
}

function withFile(schema: Json): Json {
  const properties = schema['properties'] as Json;
  const required = (schema['required'] ?? []) as readonly string[];
  return {
    ...schema,
    properties: { ...properties, [FILE_PART]: { contentMediaType: 'application/octet-stream' } },
    required: [...required, FILE_PART],
  };
}

function withCommonFields(endpoint: Endpoint, schema: Json): Json {
  if (!endpoint.idempotent) return schema;
  const common = Object.fromEntries(COMMON_FIELDS.map((name) => [name, { type: 'string', example: '' }]));
  return { ...schema, properties: { ...(schema['properties'] as Json), ...common } };
}

function envelopeOf(endpoint: Endpoint): Json {
  const payload = endpoint.envelope === 'plain' ? 'data' : endpoint.envelope;
  const market = endpoint.envelope === 'plain' ? {} : { status: { const: 'ok' } };
  return enveloped(payload, schemaOf(endpoint.data, 'output'), market);
}

function enveloped(payload: string, schema: Json, additionalFields: Json): Json {
  return {
    type: 'object',
    required: ['code', 'msg', payload, 'ts', 'traceId'],
    properties: {
      code: { type: 'integer' },
      msg: { type: 'string' },
      errKey: { type: 'string' },
      ...additionalFields,
      [payload]: schema,
      ts: { type: 'integer', description: 'Milliseconds UTC' },
      traceId: { type: 'string' },
    },
  };
}

const REFUSAL = enveloped('data', { type: 'object', additionalProperties: { type: 'string' } }, {});

const PICTURE: Json = {
  description: 'The picture, or the envelope of a refusal',
  content: {
    'image/jpeg': { schema: { contentMediaType: 'image/jpeg' } },
    'application/json': { schema: REFUSAL },
  },
};

const DOCUMENT: Json = {
  description: 'The document, or the envelope of a refusal',
  content: {
    'application/pdf': { schema: { contentMediaType: 'application/pdf' } },
    'application/json': { schema: REFUSAL },
  },
};

interface SchemaCache {
  input?: Json;
  output?: Json;
}

/** Cache of JSON schemas by zod schema, shared by all servers of the process. Schemas never change. */
const schemaCache = new WeakMap<z.ZodMiniType, SchemaCache>();

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const cached = schemaCache.get(schema) ?? {};
  schemaCache.set(schema, cached);
  return (cached[io] ??= jsonSchemaOf(schema, io));
}

function jsonSchemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  // Converts a zod schema to JSON Schema, without its refinements. A type that JSON Schema cannot express
  // becomes a schema that permits any value.
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Record<
    string,
    unknown
  >;
  return rest;
}

const DEMANDS: readonly (readonly [keyof Access, string])[] = [
  ['ownAccount', 'an account of one’s own'],
  ['verified', 'a verified identity'],
  ['tradePassword', 'the trade password'],
  ['mailCode', 'a mailed code'],
];

function demandsOf({ access, charge, spacing }: Endpoint): string {
  const demands = DEMANDS.filter(([name]) => (access[name] ?? false) !== false).map(([, words]) => words);
  const needs = access.who === 'user' ? [`Needs ${['a session', ...demands].join(', ')}.`] : [];
  const charges = [charge, ...(spacing === undefined ? [] : [spacing.charge])].map(
    ({ weight, limit }) => `Counts ${weight} against the limit \`${limit}\`.`,
  );
  return [...needs, ...charges].join(' ');
}
