import { overview } from '@exchange/wire/account.ts';
import { route, type Route } from '../../platform/http/route.ts';
import type { Portfolio } from './service.ts';

export function portfolioRoutes(portfolio: Portfolio): Route[] {
  return [route(overview, (_, { session }) => portfolio.overview(session.userId))];
}
