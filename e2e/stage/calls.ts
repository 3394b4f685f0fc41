/** Calls the exchange as the sites do, as a visitor or as whom `token` belongs to; throws what it was refused for. */
export type Call = (path: string, fields: Record<string, string>, token?: string) => Promise<unknown>;

export function callerOf(origin: string): Call {
  return async (path, fields, token = '') => {
    const response = await fetch(`${origin}/bb/app${path}`, {
      method: 'POST',
      headers: { 'X-Access-Token': token },
      body: new URLSearchParams(fields),
    });
    const { code, msg, data, tick } = (await response.json()) as {
      code: number;
      msg: string;
      data?: unknown;
      tick?: unknown;
    };
    if (code !== 1) throw new Error(`${path} was refused: ${msg}`);
    return data ?? tick;
  };
}

/** Signs in as the demo trader, apart from any browser; gives the token. */
export async function demoToken(call: Call): Promise<string> {
  const { token } = (await call('/user/demoLogin', {})) as { token: string };
  return token;
}
