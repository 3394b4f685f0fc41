import { CANDLE_TIMERS } from '@exchange/core/candle.ts';
import { LOCALES } from '@exchange/core/locale.ts';
import type { RefusalKey } from '@exchange/core/refusal.ts';
import { LEAST_AMOUNT } from '@exchange/core/seconds.ts';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { ENDPOINTS } from './catalogue.ts';
import { DEPTH_ROWS, KLINE_SIZE_MAX } from './market.ts';
import { PAGE_SIZE_DEFAULT } from './paging.ts';
import { SECONDS_STATUS, SECONDS_TRANSFER, secondsTransfer } from './seconds.ts';
import { REFUSAL_WORDS } from './words/refusals.ts';

/**
 * Endpoints of the specification: [method and path, names of request fields, names of response fields], the
 * names separated by spaces. If the response is a list, the names are those of a row.
 */
const CALLS: readonly (readonly [call: string, fields: string, answer: string])[] = [
  ['POST /user/sendEmailCode', 'email', ''],
  ['POST /user/emailVerification', 'email code', ''],
  ['POST /user/register', 'email code password invitationCode', 'userId token'],
  ['POST /user/login', 'account code password', 'userId token code msg'],
  [
    'POST /user/info',
    'token userId',
    'email icon uid auth invitationCode assetsPwd idCard idCardPhotoPositive idCardPhotoReverseSide remark name ' +
      'purchase googleBind',
  ],
  ['POST /user/setTransactionPwd', 'code', ''],
  ['POST /user/updatePwd', 'code', ''],
  ['POST /user/forgetPwd', 'email code', ''],
  ['POST /user/sendEmailCodeForget', 'email', ''],
  ['POST /user/sendUpdateAssetEmail', '', ''],
  ['POST /index/getNoticeCount', '', 'count'],
  ['POST /index/getNoticePage', 'pageNo pageSize', 'list totalRow sum'],
  ['POST /index/getNoticeDetail', 'id', 'title content'],
  ['GET /paramter/getParamListByKeyName', 'paramName', 'valueName'],
  ['GET /paramter/contractconfig', '', 'seconds'],
  ['POST /huobi/getDetails', 'symbol timer size', 'open close high low vol'],
  ['POST /huobi/getHuobiDetailsByQuoteCoin', 'quoteCoin', 'tick baseCoin logo'],
  ['POST /huobi/getKline', 'symbol timer size', 'id open close high low vol'],
  ['POST /huobi/getHuobiContractDepthV2', 'symbol timer size', 'bids asks'],
  ['POST /huobi/getMarketTrade', 'symbol', 'price amount'],
  ['POST /contract/createOrder', 'openAmount baseCoin quoteCoin positionTime tradeType', ''],
  [
    'POST /contract/getAssets',
    '',
    'currencyName currency status price total availableCurrency frozenCurrency',
  ],
  ['POST /contract/getAssetsRecord', 'currency pageNo pageSize', 'list totalRow sum'],
  ['POST /contract/getContractRecord', 'pageNo pageSize entryStatus baseCoin quoteCoin', 'list totalRow sum'],
  ['POST /contract/transfer', 'amount currency type', ''],
];

/**
 * Returns the names of the fields of a zod schema: of an object its own, of a list or an optional value those
 * of the element, otherwise none.
 */
function namesOf(schema: unknown): string[] {
  const { shape, element } = (schema as { _zod: { def: { shape?: object; element?: unknown } } })._zod.def;
  return shape === undefined ? (element === undefined ? [] : namesOf(element)) : Object.keys(shape);
}
const words = (text: string) => text.split(' ').filter((word) => word !== '');

describe('names of the specification', () => {
  it.each(CALLS)('SPEC-005 %s has the specified fields in request and answer', (call, fields, answer) => {
    const endpoint = ENDPOINTS.find(({ method, path }) => `${method} ${path}` === call);
    expect(endpoint, call).toBeDefined();
    expect(namesOf(endpoint?.fields)).toEqual(expect.arrayContaining(words(fields)));
    expect(namesOf(endpoint?.data)).toEqual(expect.arrayContaining(words(answer)));
  });

  it('SPEC-005 positions and durations have the specified fields', () => {
    const rowsOf = (path: string, list: string) => {
      const { data } = ENDPOINTS.find((endpoint) => endpoint.path === path)!;
      const { shape } = (data as unknown as { _zod: { def: { shape: Record<string, unknown> } } })._zod.def;
      return namesOf(shape[list]);
    };
    expect(rowsOf('/paramter/contractconfig', 'seconds')).toEqual(['second', 'incomeRate', 'openAmountMin']);
    expect(rowsOf('/contract/getContractRecord', 'list')).toEqual(
      expect.arrayContaining(
        words(
          'openTime openAmount profitRate feeRate tradeType buyAmount buyPrice settlePrice settleProfit holdTime ' +
            'finishTime status result',
        ),
      ),
    );
  });

  it('SPEC-006 sizes, intervals, states and minimum amounts equal the specification', () => {
    expect([PAGE_SIZE_DEFAULT, KLINE_SIZE_MAX, DEPTH_ROWS]).toEqual([10, 2_000, 20]);
    expect(CANDLE_TIMERS).toEqual(expect.arrayContaining(['1min', '5min', '15min', '30min', '1day']));
    expect(LEAST_AMOUNT.toString()).toBe('0.00001');
    expect(SECONDS_STATUS).toEqual({ holding: 0, completed: 1, returned: 2 });
    expect(SECONDS_TRANSFER.in).toBe(1);
    const parsed = z.parse(secondsTransfer.fields, { amount: '1', currency: 'USDT' });
    expect(parsed.type).toBe(String(SECONDS_TRANSFER.in));
  });

  it('SPEC-009 every prompt of the specification has its own sentence in each language', () => {
    for (const locale of LOCALES) {
      const sentences = Object.values(PROMPTS).map((key) => REFUSAL_WORDS[locale][key]);
      expect(sentences.filter((sentence) => sentence.trim() === '')).toEqual([]);
      expect(new Set(sentences).size, locale).toBe(new Set(Object.values(PROMPTS)).size);
    }
  });
});

const PROMPTS: Readonly<Record<string, RefusalKey>> = {
  'please log in first': 'l.session_ended',
  'enter email': 'l.enter_email',
  'email error': 'l.email_invalid',
  'enter the email code': 'l.enter_code',
  'verification code error': 'l.code_invalid',
  'password incorrect': 'l.password_wrong',
  'passwords inconsistent': 'l.password_mismatch',
  'enter old, new and confirm password': 'l.field_required',
  'enter a fund password': 'l.trade_password_required',
  'trade password of 6 digits': 'l.trade_password_format',
  'agree to the user agreement': 'l.agree_required',
  'accept the finance agreement': 'l.finance_agreement',
  'ID number does not meet the specification': 'l.kyc_number_format',
  'upload credentials': 'l.proof_required',
  'insufficient available balance': 'l.insufficient_balance',
  'enter a purchase quantity, an exchange amount, shares, or a subscription amount': 'l.amount_required',
  'enter a suitable price, or a sale price': 'l.price_required',
  'choose a sell type': 'l.field_choice',
  'below the minimum limit': 'l.u_limit_min_low',
  'transfer amount required': 'l.c_a_transferTip',
  'opening amount required': 'l.c_enteropenamt',
  'early withdrawal is not supported': 'l.finance_not_matured',
};
