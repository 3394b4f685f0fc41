import { Decimal } from '@exchange/core/decimal.ts';
import { depositRecords, DEPOSIT_STATUS } from '@exchange/wire/deposit.ts';
import { spotAssets } from '@exchange/wire/spot.ts';

/** Sends an API request as a visitor or as the user of `token`. Throws the refusal, if any. */
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

/** Signs in as the demo trader without a browser. Returns the token. */
export async function demoToken(call: Call): Promise<string> {
  const { token } = (await call('/user/demoLogin', {})) as { token: string };
  return token;
}

/** Returns the demo trader's balance of a coin without the deposits that the demo credits while a test runs. */
export async function ownBalance(call: Call, token: string, coin: string): Promise<Decimal> {
  for (;;) {
    const before = await deposited(call, token, coin);
    const { list } = (await call(spotAssets.path, { currency: coin }, token)) as {
      list: readonly { availableCurrency: string }[];
    };
    const available = Decimal.parse(list[0]?.availableCurrency ?? '0');
    if ((await deposited(call, token, coin)).equals(before)) return available.minus(before);
  }
}

async function deposited(call: Call, token: string, currency: string): Promise<Decimal> {
  const fields = { currency, status: String(DEPOSIT_STATUS.finished) };
  const { list } = (await call(depositRecords.path, fields, token)) as {
    list: readonly { amount: string }[];
  };
  return list.reduce((sum, { amount }) => sum.plus(Decimal.parse(amount)), Decimal.zero);
}
