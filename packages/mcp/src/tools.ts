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

/**
 * Maximum number of characters of a tool's result. For a longer one the tool fails, although the request was executed,
 * because an assistant always reads the whole result.
 */
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

/**
 * Creates the tools of an MCP session. `plans` is undefined if the assistant cannot trade; only the tools
 * that read data are then created.
 */
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

/**
 * Creates a tool that sends an API request and returns the exchange's response unchanged. The tool fails if the
 * response has more than `ANSWER_LENGTH_MAX` characters.
 */
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
      // A request that changes something is completed even if the assistant cancels the call, so that its outcome is
      // known.
      const text = await client.text(call, limited, annotations.readOnlyHint ? signal : undefined);
      if (text.length > ANSWER_LENGTH_MAX)
        throw new ToolFailed('The answer is too long. Name a pair, or a smaller "limit".');
      return text;
    },
  };
}

/** Returns the JSON schema of a tool's arguments. `rows` is the default of the argument `limit`. */
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
 * Converts a tool's arguments to text. Throws a `ToolFailed` for an unknown argument and for an argument of the wrong
 * type. Amounts must be text, because JSON numbers can lose digits.
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

/** Validates arguments by the exchange's own rules. Throws a `ToolFailed` for values that the exchange would refuse. */
function valuesOf<P extends Parameters>(parameters: P, sent: Sent): ValuesOf<P> {
  try {
    return readParameters(parameters, new Map(Object.entries(sent)));
  } catch (cause) {
    if (cause instanceof ApiError) throw new ToolFailed(`${cause.code}: ${cause.message}`);
    throw cause;
  }
}
