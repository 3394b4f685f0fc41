import { Script } from 'node:vm';
import { API_CALLS } from '@exchange/wire/public-api/calls.ts';
import { ERROR_CATALOGUE } from '@exchange/wire/public-api/error-catalogue.ts';
import { apiErrors, type ApiError } from '@exchange/wire/public-api/errors.ts';
import { SOCKET_METHODS } from '@exchange/wire/public-api/socket-calls.ts';
import { describe, expect, it } from 'vitest';
import { describedParameters } from './calls-present.ts';
import { openApiPage } from './open-api-routes.ts';
import { REFUSAL_ERRORS } from './refusal-routes.ts';
import { REFERENCE_SCRIPT } from './reference-assets.ts';
import { referencePage } from './reference-present.ts';

type Json = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Json;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, Json>>;
}

interface Document extends Json {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Json>>;
}

const JSON_TYPES: ReadonlySet<unknown> = new Set([
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
]);

const FILTER_FAILURE = -1013;

async function readDocument(): Promise<Document> {
  const { body } = await openApiPage('1.2.3').serve(new URLSearchParams());
  return JSON.parse(body) as Document;
}

/**
 * All objects within a JSON value except those in examples, each with the name of the member that contains
 * it.
 */
function objectsIn(value: unknown, holder = ''): { readonly holder: string; readonly object: Json }[] {
  if (Array.isArray(value)) return value.flatMap((item) => objectsIn(item, holder));
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, field]) =>
    // Examples are skipped, because they contain data of calls and no parts of the document.
    name === 'example' || name === 'examples' ? [] : objectsIn(field, name),
  );
  return [{ holder, object: value as Json }, ...inner];
}

/** Whether a value has the types that a schema states. */
function fits(value: unknown, schema: Json): boolean {
  const { type, items, prefixItems, properties } = schema;
  if (type === undefined) return true;
  if (type === 'array')
    return (
      Array.isArray(value) &&
      value.every((item, index) =>
        fits(item, (prefixItems as Json[] | undefined)?.[index] ?? (items as Json) ?? {}),
      )
    );
  if (type === 'object')
    return (
      typeof value === 'object' &&
      value !== null &&
      Object.entries(properties as Record<string, Json>).every(
        ([name, field]) => !(name in value) || fits((value as Json)[name], field),
      )
    );
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

describe('the documents of the public API', () => {
  it('PAPI-118 the OpenAPI document is sound: references, tags, security, ids, parameters and schemas', async () => {
    const document = await readDocument();
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' } });
    const objects = objectsIn(document);
    const resolve = (reference: string) =>
      reference
        .slice(2)
        .split('/')
        .reduce<unknown>((value, name) => (value as Json | undefined)?.[name], document);
    const references = objects.flatMap(({ object }) =>
      typeof object['$ref'] === 'string' ? [object['$ref']] : [],
    );
    expect(references.length).toBeGreaterThan(100);
    expect(references.filter((reference) => resolve(reference) === undefined)).toEqual([]);
    const types = objects.filter(({ holder }) => holder === 'schema' || holder === 'items');
    expect(types.filter(({ object }) => 'type' in object && !JSON_TYPES.has(object['type']))).toEqual([]);
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );
    expect(operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`).toSorted()).toEqual(
      API_CALLS.map(({ path, method }) => `${method} ${path}`).toSorted(),
    );
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = new Set(document.tags.map(({ name }) => name));
    const schemes = Object.keys(document.components['securitySchemes']!);
    for (const { path, operation } of operations) {
      expect([path, operation.tags.filter((tag) => !tags.has(tag)), operation.summary === '']).toEqual([
        path,
        [],
        false,
      ]);
      const named = operation.security.flatMap((scheme) => Object.keys(scheme));
      expect([path, named.filter((name) => !schemes.includes(name))]).toEqual([path, []]);
      const places = operation.parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      expect([path, new Set(places).size]).toEqual([path, places.length]);
      const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `path ${name}`);
      expect(places.filter((name) => name.startsWith('path '))).toEqual(placeholders);
      expect(Object.keys(operation.responses)).toEqual(['200', '429', '4XX', '5XX']);
    }
  });

  it('PAPI-118 keys and signatures are named as security, and every example fits the schema of its answer', async () => {
    const { paths } = await readDocument();
    expect(paths['/api/v3/depth']!['get']!.security).toEqual([]);
    expect(paths['/api/v3/userDataStream']!['post']!.security).toEqual([{ apiKey: [] }]);
    const order = paths['/api/v3/order']!['post']!;
    expect(order.security).toEqual([{ apiKey: [], signature: [] }]);
    expect(order.parameters.filter(({ required }) => required).map(({ name }) => name)).toEqual([
      'symbol',
      'side',
      'type',
      'timestamp',
    ]);
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { responses }] of Object.entries(methods)) {
        const [answer] = Object.values(responses['200']!['content'] as Record<string, Json>);
        const { schema, example } = answer as { schema: Json; example: unknown };
        expect([path, method, example !== undefined && fits(example, schema)]).toEqual([path, method, true]);
      }
  });

  it('PAPI-116 every parameter is described in words', () => {
    const described = API_CALLS.flatMap((call) =>
      describedParameters(call).map((parameter) => ({ call, parameter })),
    );
    const silent = described.filter(({ parameter }) => parameter.schema['description'] === undefined);
    expect(silent.map(({ call, parameter }) => `${call.path} ${parameter.name}`)).toEqual([]);
  });

  it('PAPI-117 the catalogue explains every error that the server makes, with code, status and text', () => {
    const explained = new Set(
      ERROR_CATALOGUE.map(({ error }) => `${error.code} ${error.status} ${error.message}`),
    );
    const refusals = REFUSAL_ERRORS.filter(
      ({ code, message }) => code === -2010 || !message.includes('Filter'),
    );
    expect(refusals.length).toBeGreaterThan(5);
    const missing = refusals.filter(
      ({ code, status, message }) => !explained.has(`${code} ${status} ${message}`),
    );
    expect(missing.map(({ message }) => message)).toEqual([]);
    for (const [name, make] of Object.entries(apiErrors)) {
      const sample = (make as (text: string) => ApiError)('<x>');
      const isExplained = ERROR_CATALOGUE.some(
        ({ error }) => error.code === sample.code && error.status === sample.status,
      );
      expect([name, isExplained]).toEqual([name, true]);
    }
    const filters = REFUSAL_ERRORS.filter(({ code }) => code === FILTER_FAILURE).map(
      ({ message }) => message.split(': ')[1]!,
    );
    const { when } = ERROR_CATALOGUE.find(({ error }) => error.code === FILTER_FAILURE)!;
    expect(filters.filter((filter) => !when.includes(filter))).toEqual([]);
    for (const { when: occasion, remedy } of ERROR_CATALOGUE) expect(occasion && remedy).not.toBe('');
  });

  it('PAPI-117 the page has every call, method and error, each anchor once, and no markup of values', () => {
    const html = referencePage('<b>1</b>');
    expect(html).not.toContain('<b>1</b>');
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
    expect(new Set(ids).size).toBe(ids.length);
    const anchors = [...html.matchAll(/href="#([^"]+)"/g)].map(([, anchor]) => anchor!);
    expect(anchors.filter((anchor) => !ids.includes(anchor))).toEqual([]);
    expect([...html.matchAll(/<article class="call"/g)]).toHaveLength(API_CALLS.length);
    expect([...html.matchAll(/<article class="error"/g)]).toHaveLength(ERROR_CATALOGUE.length);
    for (const method of SOCKET_METHODS.keys()) expect(html).toContain(`<code>${method}</code>`);
    const runnable = API_CALLS.filter(({ access, method }) => access === 'open' && method === 'GET');
    expect([...html.matchAll(/<form class="parameters run"/g)]).toHaveLength(runnable.length);
    // The content security policy forbids inline scripts, styles and event handlers, so the page must contain
    // none.
    expect(html).not.toMatch(/<style|style="| on[a-z]+="|<script(?! src="\/docs\/api\.js" defer>)/);
    expect(() => new Script(REFERENCE_SCRIPT)).not.toThrow();
  });
});
