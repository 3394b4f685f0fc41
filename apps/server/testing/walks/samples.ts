import { kline } from '@exchange/wire/market.ts';
import type { Endpoint } from '@exchange/wire/endpoint.ts';
import type * as z from 'zod/mini';

/** A proper value of every field by its name; a call that reads one differently says so below. */
const VALUES: Readonly<Record<string, string>> = {
  account: 'walker@example.com',
  agree: '1',
  all: '1',
  amount: '0.001',
  assetsPwd: '258036',
  baseCoin: 'BTC',
  clientId: 'walk',
  code: '123456',
  confirmAssetsPwd: '258036',
  confirmPassword: 'Jasmine4river',
  currency: 'USDT',
  deviceId: 'device',
  email: 'walker@example.com',
  endTime: '1800000000000',
  entryStatus: '0',
  googleCode: '123456',
  id: '00000000-0000-7000-8000-000000000000',
  invitationCode: 'ABCDEFGH',
  lang: 'en-US',
  newPassword: 'Jasmine5river',
  nickname: 'Walker123',
  oldAssetsPwd: '258037',
  oldPassword: 'Jasmine4river',
  orderType: 'limit',
  pageNo: '1',
  pageSize: '10',
  paramName: 'APP_NAME',
  password: 'Jasmine4river',
  postOnly: '0',
  price: '49000',
  quoteCoin: 'USDT',
  readFlag: '0',
  size: '10',
  startTime: '0',
  stp: 'cancelTaker',
  symbol: 'btcusdt',
  ticket: 'ticket',
  timeInForce: 'GTC',
  timer: '1min',
  token: 'token',
  total: '10',
  tradeType: '1',
  type: '1',
  userId: 'walker',
};

const OWN_VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [kline.path]: { endTime: '1800000000' },
};

/** The names of a call's fields, as it describes them. */
export function fieldNames(endpoint: Endpoint): string[] {
  return Object.keys((endpoint.fields as z.ZodMiniObject).shape);
}

/** A form in which every field of a call has a proper value. Throws for a field nobody has written down. */
export function sampleOf(endpoint: Endpoint): Record<string, string> {
  const entries = fieldNames(endpoint).map((name) => {
    const value = OWN_VALUES[endpoint.path]?.[name] ?? VALUES[name];
    if (value === undefined)
      throw new Error(`${endpoint.path} has a new field ${name}: write a value of it down`);
    return [name, value] as const;
  });
  return Object.fromEntries(entries);
}
