/** A tool of the MCP server that an assistant may call. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON schema of the tool's arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  /** Executes the tool and returns its result as text. Throws a `ToolFailed` whose message the assistant can read. */
  readonly run: (input: Readonly<Record<string, unknown>>, signal: AbortSignal) => Promise<string>;
}

/** Thrown by a tool that could not do its work. The assistant receives its message. */
export class ToolFailed extends Error {}

/** Version and instructions that the MCP server sends to the assistant when a session starts. */
export interface ServerFacts {
  readonly version: string;
  readonly instructions: string;
}

type Json = Readonly<Record<string, unknown>>;
type Id = string | number;

/**
 * Supported versions of the Model Context Protocol, newest first. This server's messages about tools are the same in
 * all of them.
 */
const VERSIONS = ['2025-11-25', '2025-06-18', '2024-11-05'];
const LINE_LENGTH_MAX = 1_000_000;
const CONCURRENT_MAX = 16;

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;
const TOO_MANY = -32_000;

class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isId(value: unknown): value is Id {
  return typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value));
}

/**
 * A session of a Model Context Protocol server that offers tools. Its messages are JSON-RPC, one per line. It receives
 * and returns lines and does no input or output itself, so that tests can use it without a process.
 */
export class Session {
  private readonly tools: ReadonlyMap<string, Tool>;
  private readonly facts: ServerFacts;
  private readonly running = new Map<Id, AbortController>();
  private isInitialized = false;

  constructor(tools: readonly Tool[], facts: ServerFacts) {
    this.tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.facts = facts;
  }

  /**
   * Handles a line of input and resolves to the response line. Resolves to undefined for notifications, responses and
   * cancelled requests, which get no response.
   */
  async handle(line: string): Promise<string | undefined> {
    const message = parsed(line);
    if (!isObject(message) || message['jsonrpc'] !== '2.0')
      return message === undefined
        ? answer(
            null,
            new RpcError(PARSE_ERROR, 'The line is not JSON, or longer than a million characters.'),
          )
        : answer(null, new RpcError(INVALID_REQUEST, 'A message is an object of JSON-RPC 2.0.'));
    const { id, method, params } = message;
    // Responses are ignored, because this server sends no requests.
    if (typeof method !== 'string')
      return 'result' in message || 'error' in message
        ? undefined
        : answer(isId(id) ? id : null, new RpcError(INVALID_REQUEST, 'A request names its method.'));
    if (id === undefined) {
      this.notice(method, isObject(params) ? params : {});
      return undefined;
    }
    if (!isId(id)) return answer(null, new RpcError(INVALID_REQUEST, 'An id is a text or a whole number.'));
    return this.serve(id, method, isObject(params) ? params : {});
  }

  private notice(method: string, params: Json): void {
    if (method !== 'notifications/cancelled') return;
    const { requestId } = params;
    if (isId(requestId)) this.running.get(requestId)?.abort();
  }

  private async serve(id: Id, method: string, params: Json): Promise<string | undefined> {
    if (this.running.has(id))
      return answer(id, new RpcError(INVALID_REQUEST, 'A request with this id is in progress.'));
    if (this.running.size >= CONCURRENT_MAX)
      return answer(id, new RpcError(TOO_MANY, 'Too many requests are in progress.'));
    const controller = new AbortController();
    this.running.set(id, controller);
    try {
      const result = await this.resultOf(method, params, controller.signal);
      return controller.signal.aborted ? undefined : answer(id, result);
    } catch (cause) {
      if (controller.signal.aborted) return undefined;
      return answer(
        id,
        cause instanceof RpcError ? cause : new RpcError(INTERNAL_ERROR, 'The request failed.'),
      );
    } finally {
      this.running.delete(id);
    }
  }

  private resultOf(method: string, params: Json, signal: AbortSignal): Json | Promise<Json> {
    if (method === 'initialize') return this.initialize(params);
    if (method === 'ping') return {};
    if (!this.isInitialized) throw new RpcError(INVALID_REQUEST, 'The session begins with "initialize".');
    if (method === 'tools/list') return { tools: [...this.tools.values()].map(describe) };
    if (method === 'tools/call') return this.call(params, signal);
    throw new RpcError(METHOD_NOT_FOUND, 'Only tools are offered.');
  }

  private initialize({ protocolVersion }: Json): Json {
    this.isInitialized = true;
    const { version, instructions } = this.facts;
    return {
      protocolVersion: VERSIONS.find((candidate) => candidate === protocolVersion) ?? VERSIONS[0],
      capabilities: { tools: {} },
      serverInfo: { name: 'exchange', title: 'Cryptocurrency exchange', version },
      instructions,
    };
  }

  private async call({ name, arguments: input = {} }: Json, signal: AbortSignal): Promise<Json> {
    const tool = typeof name === 'string' ? this.tools.get(name) : undefined;
    if (tool === undefined) throw new RpcError(INVALID_PARAMS, 'No tool has this name.');
    if (!isObject(input)) throw new RpcError(INVALID_PARAMS, 'The arguments of a tool are an object.');
    try {
      return toolResult(await tool.run(input, signal), false);
    } catch (cause) {
      if (cause instanceof ToolFailed) return toolResult(cause.message, true);
      throw cause;
    }
  }
}

function toolResult(text: string, isError: boolean): Json {
  return { content: [{ type: 'text', text }], isError };
}

function describe({ name, title, description, inputSchema, annotations }: Tool): Json {
  return {
    name,
    title,
    description,
    inputSchema,
    annotations: { title, ...annotations },
  };
}

function answer(id: Id | null, result: Json | RpcError): string {
  if (!(result instanceof RpcError)) return JSON.stringify({ jsonrpc: '2.0', id, result });
  const { code, message } = result;
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}

function parsed(line: string): unknown {
  if (line.length > LINE_LENGTH_MAX) return undefined;
  try {
    return JSON.parse(line) as unknown;
  } catch {
    // A line that is not valid JSON results in undefined. The caller then responds with the protocol's parse error.
    return undefined;
  }
}
