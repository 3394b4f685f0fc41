import {
  CALL_GROUPS,
  SIGNED_PARAMETERS,
  type ApiCall,
  type API_CALLS,
} from '@exchange/wire/public-api/calls.ts';
import { PARAMETER_TEXTS } from '@exchange/wire/public-api/parameter-texts.ts';
import type { Parameter } from '@exchange/wire/public-api/parameters.ts';
import { CALL_EXAMPLES, type CallExample } from './reference-examples.ts';

/** A parameter of an endpoint in the form of the API's documents. */
export interface DescribedParameter {
  readonly name: string;
  readonly place: 'path' | 'query';
  readonly isRequired: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

const PAIR_SCHEMA = { type: 'string', examples: ['BTC_USDT'] };
const { timestamp, recvWindow } = SIGNED_PARAMETERS;
const examples: ReadonlyMap<string, CallExample> = new Map(Object.entries(CALL_EXAMPLES));

/** The name of a call in documents and in the table of examples: `GET /api/v3/depth`. */
export function callName({ method, path }: ApiCall): string {
  return `${method} ${path}`;
}

/** The recorded example of a call; undefined for a call that has none yet. */
export function exampleOf(call: ApiCall): CallExample | undefined {
  return examples.get(callName(call));
}

/** The parameters of a call, those of its path first and those of the signature last, without `signature`. */
export function describedParameters({ path, parameters, access }: ApiCall): DescribedParameter[] {
  const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]): DescribedParameter => ({
    name: name!,
    place: 'path',
    isRequired: true,
    schema: PAIR_SCHEMA,
  }));
  const signing = access === 'signed' ? { timestamp, recvWindow } : {};
  const sent = Object.entries<Parameter<unknown>>({ ...parameters, ...signing }).map(
    ([name, { isRequired, schema }]): DescribedParameter => ({
      name,
      place: 'query',
      isRequired,
      schema,
    }),
  );
  return [...placeholders, ...sent].map((parameter) => {
    const description = PARAMETER_TEXTS.get(parameter.name) ?? parameter.schema['description'];
    return description === undefined
      ? parameter
      : { ...parameter, schema: { ...parameter.schema, description } };
  });
}

/** A sample batch of one order, with which the documented weights are computed. */
const ORDERS: readonly unknown[] = [{}];
/**
 * The lowest value of the parameter `limit` (number of requested rows) in each range of it to which some calls assign a
 * request weight of its own.
 */
const ROWS = [1, 101, 501, 1_001];

/** The least and the greatest request weight of a call. */
export function weightRange({ weight }: ApiCall): readonly [least: number, most: number] {
  const weights = ['BTCUSDT', undefined].flatMap((symbol) =>
    ROWS.map((limit) => weight({ symbol, limit, batchOrders: ORDERS })),
  );
  return [Math.min(...weights), Math.max(...weights)];
}

/** A named group of API calls in the documents. */
export interface CallGroup {
  readonly name: ApiCall['group'];
  readonly about: string;
  readonly calls: readonly ApiCall[];
}

/** The API calls by group, in the order of the documents. */
export function groupedCalls(calls: typeof API_CALLS): CallGroup[] {
  return Object.entries(CALL_GROUPS).map(([name, about]) => ({
    name: name as ApiCall['group'],
    about,
    calls: calls.filter(({ group }) => group === name),
  }));
}
