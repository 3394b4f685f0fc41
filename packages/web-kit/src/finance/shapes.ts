import type { DataOf } from '@exchange/wire/endpoint.ts';
import type { buyFinance, financeIncome, financeOrders, financeProducts } from '@exchange/wire/finance.ts';
import type { CallFields } from '../api/client.ts';
import type { Translate } from '../i18n/words.ts';

type FinanceOrder = DataOf<typeof financeOrders>['list'][number];
type FinanceIncome = DataOf<typeof financeIncome>['list'][number];

/**
 * An earn product as the finance endpoint sends it; `mining-kind.ts` converts mining products to this type.
 */
export type Product = DataOf<typeof financeProducts>['list'][number];
/** A user's order of an earn product. */
export type Holding = Omit<FinanceOrder, 'status'> & { readonly status: 1 | 2 | 3 };
/** One day's interest of an earn order. */
export type IncomeDay = Omit<FinanceIncome, 'paid'>;
export type Totals = DataOf<typeof financeOrders>['totals'];
export type PurchasePayload = CallFields<typeof buyFinance>;
export type Bought = DataOf<typeof buyFinance>;
export type EarnTranslate = Translate<'finance' | 'mining'>;

export interface Page<Row> {
  readonly list: Row[];
  readonly sum: number;
  readonly pageNo: number;
}

/** Tabs of the earn order list: earning, ready to be redeemed, completed. */
export type HoldingTab = 'hosting' | 'redeemable' | 'completed';
