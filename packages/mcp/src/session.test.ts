import { describe, expect, it } from 'vitest';
import { Session, ToolFailed, type Tool } from './session.ts';

const HINTS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

function aTool(name: string, run: Tool['run']): Tool {
  return {
    name,
    title: name,
    description: name,
    inputSchema: { type: 'object' },
    annotations: HINTS,
    run,
  };
}

const echo = aTool('echo', (input) => Promise.resolve(JSON.stringify(input)));
const fail = aTool('fail', () => Promise.reject(new ToolFailed('The book is empty.')));
const crash = aTool('crash', () => Promise.reject(new Error('secret detail')));
const wait = aTool(
  'wait',
  (_input, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')));
    }),
);

/**
 * Starts and initialises an MCP session. Returns the session, a function that sends a request and returns its
 * response, and the response to `initialize`.
 */
async function begun(version = '2025-06-18') {
  const session = new Session([echo, fail, crash, wait], { version: '1', instructions: 'Ask first.' });
  const request = async (id: unknown, method: string, params?: unknown) => {
    const line = await session.handle(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return line === undefined ? undefined : (JSON.parse(line) as Record<string, never>);
  };
  const greeting = await request(1, 'initialize', { protocolVersion: version });
  return { session, request, greeting };
}

describe('a session with an assistant', () => {
  it('PAPI-131 uses the client’s protocol version if it is supported, and otherwise the newest supported one', async () => {
    const { greeting } = await begun('2024-11-05');
    expect(greeting).toMatchObject({
      result: { protocolVersion: '2024-11-05', capabilities: { tools: {} }, instructions: 'Ask first.' },
    });
    for (const version of ['1999-01-01', '2025-03-26'])
      expect((await begun(version)).greeting).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
  });

  it('PAPI-131 lists its tools and answers calls, also refusals, which name the reason', async () => {
    const { request } = await begun();
    expect(await request('a', 'tools/list')).toMatchObject({
      id: 'a',
      result: { tools: [{ name: 'echo', annotations: { readOnlyHint: true, title: 'echo' } }, {}, {}, {}] },
    });
    expect(await request(2, 'tools/call', { name: 'echo', arguments: { a: '1' } })).toEqual({
      jsonrpc: '2.0',
      id: 2,
      result: { content: [{ type: 'text', text: '{"a":"1"}' }], isError: false },
    });
    expect(await request(3, 'tools/call', { name: 'fail' })).toMatchObject({
      result: { content: [{ text: 'The book is empty.' }], isError: true },
    });
    expect(await request(4, 'ping')).toMatchObject({ result: {} });
  });

  it('PAPI-131 refuses malformed messages and continues', async () => {
    const { session, request } = await begun();
    const codeOf = async (line: string) =>
      (JSON.parse((await session.handle(line))!) as { error: { code: number } }).error.code;
    expect(await codeOf('{')).toBe(-32_700);
    expect(await codeOf(`"${'x'.repeat(1_000_000)}"`)).toBe(-32_700);
    for (const line of ['[]', '1', '{"id":1,"method":"ping"}', '{"jsonrpc":"2.0","id":1}'])
      expect([line, await codeOf(line)]).toEqual([line, -32_600]);
    expect(await codeOf('{"jsonrpc":"2.0","id":1.5,"method":"ping"}')).toBe(-32_600);
    expect(await request(2, 'resources/list')).toMatchObject({ error: { code: -32_601 } });
    for (const params of [{ name: 'none' }, { name: 'toString' }, { name: 'echo', arguments: [] }])
      expect(await request(3, 'tools/call', params)).toMatchObject({ error: { code: -32_602 } });
    // The assistant receives a general message instead of the message of an unexpected error.
    expect(await request(4, 'tools/call', { name: 'crash' })).toMatchObject({
      error: { code: -32_603, message: 'The request failed.' },
    });
    expect(await request(5, 'ping')).toMatchObject({ result: {} });
  });

  it('PAPI-131 nothing is called before the session begins', async () => {
    const session = new Session([echo], { version: '1', instructions: '' });
    expect(await session.handle('{"jsonrpc":"2.0","id":1,"method":"tools/list"}')).toContain('-32600');
  });

  it('PAPI-131 a cancelled request is not answered, and the number of requests in progress is limited', async () => {
    const { session, request } = await begun();
    const waiting = Array.from({ length: 16 }, (_, id) => request(id, 'tools/call', { name: 'wait' }));
    expect(await request(16, 'ping')).toMatchObject({ error: { code: -32_000 } });
    expect(await request(3, 'ping')).toMatchObject({ error: { code: -32_600 } });
    for (let id = 0; id < 16; id += 1)
      expect(
        await session.handle(
          JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } }),
        ),
      ).toBeUndefined();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([undefined]));
    expect(await request(17, 'ping')).toMatchObject({ result: {} });
  });
});
