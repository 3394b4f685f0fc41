import type { DataOf } from '@exchange/wire/endpoint.ts';
import type { financeIncome, financeOrders, financeProducts } from '@exchange/wire/finance.ts';

export type Product = DataOf<typeof financeProducts>['list'][number];
/** An order of a product. */
export type Holding = DataOf<typeof financeOrders>['list'][number];
/** One day's interest of an order. */
export type IncomeDay = DataOf<typeof financeIncome>['list'][number];
