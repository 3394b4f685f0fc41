import {
  CANCELLING_TOOLS,
  PLACE_ORDER,
  PLAN_ORDER,
  READING_TOOLS,
  type AssistantTool,
} from '@exchange/wire/public-api/assistant-tools.ts';
import { ApiError } from '@exchange/wire/public-api/errors.ts';
import { PARAMETER_TEXTS } from '@exchange/wire/public-api/parameter-texts.ts';
import {
  readParameters,
  type Parameter,
  type Parameters,
  type ValuesOf,
} from '@exchange/wire/public-api/parameters.ts';
import type { ExchangeClient, Sent } from './exchange-client.ts';
import type { OrderPlans } from './order-plans.ts';
import { ToolFailed, type Tool } from './session.ts';

/** Longer answers are refused, because an assistant reads them as a whole. */
const ANSWER_LENGTH_MAX = 200_000;

const READS: Tool['annotations'] = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
const CHANGES: Tool['annotations'] = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};

/** The tools of a session. `plans` is undefined where the assistant cannot trade. */
export function createTools(client: ExchangeClient, plans: OrderPlans | undefined): Tool[] {
  const reading = READING_TOOLS.map((tool) => callTool(client, tool, READS));
  if (plans === undefined) return reading;
  return [
    ...reading,
    {
      name: PLAN_ORDER.name,
      title: PLAN_ORDER.title,
      description: PLAN_ORDER.description,
      inputSchema: schemaOf(PLAN_ORDER.parameters),
      annotations: READS,
      run: async (input) => {
        const sent = textsOf(PLAN_ORDER.parameters, input);
        return JSON.stringify(await plans.plan(valuesOf(PLAN_ORDER.parameters, sent), sent));
      },
    },
    {
      name: PLACE_ORDER.name,
      title: PLACE_ORDER.title,
      description: PLACE_ORDER.description,
      inputSchema: schemaOf(PLACE_ORDER.parameters),
      annotations: CHANGES,
      run: async (input) => {
        const { planId } = valuesOf(PLACE_ORDER.parameters, textsOf(PLACE_ORDER.parameters, input));
        return plans.place(planId);
      },
    },
    ...CANCELLING_TOOLS.map((tool) => callTool(client, tool, CHANGES)),
  ];
}

/** A tool that sends its call and answers as the exchange does. */
function callTool(
  client: ExchangeClient,
  { name, title, call, without, rows }: AssistantTool,
  annotations: Tool['annotations'],
): Tool {
  const parameters = Object.fromEntries(
    Object.entries<Parameter<unknown>>(call.parameters).filter(([parameter]) => !without.includes(parameter)),
  );
  return {
    name,
    title,
    description: `${call.summary}${call.access === 'open' ? '' : ' Needs a key.'}`,
    inputSchema: schemaOf(parameters, rows),
    annotations,
    run: async (input, signal) => {
      const sent = textsOf(parameters, input);
      valuesOf(parameters, sent);
      const limited = rows === undefined || 'limit' in sent ? sent : { ...sent, limit: String(rows) };
      // A cancellation is not given up half-way, so that its outcome is known.
      const text = await client.text(call, limited, annotations.readOnlyHint ? signal : undefined);
      if (text.length > ANSWER_LENGTH_MAX)
        throw new ToolFailed('The answer is too long. Name a pair, or a smaller "limit".');
      return text;
    },
  };
}

/** The JSON schema of an object with these parameters. `rows` is the value of an absent `limit`. */
function schemaOf(parameters: Parameters, rows?: number): Tool['inputSchema'] {
  const properties = Object.entries(parameters).map(([name, { schema }]) => {
    const description = PARAMETER_TEXTS.get(name) ?? schema['description'];
    const described = description === undefined ? schema : { ...schema, description };
    return [name, name === 'limit' && rows !== undefined ? { ...described, default: rows } : described];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties) as Record<string, unknown>,
    required: Object.keys(parameters).filter((name) => parameters[name]!.isRequired),
    additionalProperties: false,
  };
}

/**
 * The texts of arguments. Throws a `ToolFailed` for an argument that the tool does not have or of another type. An
 * amount has to be text, because numbers of JSON lose digits.
 */
function textsOf(parameters: Parameters, input: Readonly<Record<string, unknown>>): Sent {
  const texts = Object.entries(input).map(([name, value]) => {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (parameter === undefined) throw new ToolFailed(`This tool has no argument "${name}".`);
    const isWhole = typeof value === 'number' && Number.isSafeInteger(value);
    if (parameter.schema['type'] === 'integer' && isWhole) return [name, String(value)];
    if (typeof value === 'string') return [name, value];
    throw new ToolFailed(`"${name}" has to be ${wantedOf(parameter)}.`);
  });
  return Object.fromEntries(texts) as Sent;
}

function wantedOf({ schema }: Parameter<unknown>): string {
  if (schema['type'] === 'integer') return 'a whole number';
  const [example] = Array.isArray(schema['examples']) ? (schema['examples'] as unknown[]) : [];
  return example === undefined ? 'text' : `text, such as ${JSON.stringify(example)}`;
}

/** Checks the texts as the exchange does. Throws a `ToolFailed` for those that it would refuse. */
function valuesOf<P extends Parameters>(parameters: P, sent: Sent): ValuesOf<P> {
  try {
    return readParameters(parameters, new Map(Object.entries(sent)));
  } catch (cause) {
    if (cause instanceof ApiError) throw new ToolFailed(`${cause.code}: ${cause.message}`);
    throw cause;
  }
}
