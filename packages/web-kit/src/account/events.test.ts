import { EVENT_FILTERS } from '@exchange/wire/portfolio.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventOfGroup, viewOfEvent, type EventChange } from './events.ts';
import { historyQueryOf, historyViewOf } from './history-query.ts';
import { STATEMENT_GROUPS } from './statement.ts';

const change = (account: EventChange['account'], amount: string, currency = 'USDT'): EventChange => ({
  account,
  currency,
  amount,
});

describe('an event of the account history', () => {
  it('WEB-960 a trade shows credits before debits on the spot account', () => {
    const received = change('spot', '0.001', 'BTC');
    const paid = change('spot', '-95');
    expect(viewOfEvent([paid, received])).toEqual({
      main: [received, paid],
      route: undefined,
      others: [],
    });
  });

  it('WEB-960 a purchase shows the change of the spot account and the route', () => {
    const paid = change('spot', '-500');
    expect(viewOfEvent([change('finance', '500'), paid])).toEqual({
      main: [paid],
      route: { from: 'spot', to: 'finance' },
      others: [],
    });
    const returned = change('spot', '500');
    expect(viewOfEvent([returned, change('mining', '-500.0')]).route).toEqual({ from: 'mining', to: 'spot' });
  });

  it('WEB-960 an event beyond a transfer lists all other changes, and events outside the spot account are unchanged', () => {
    const refund = change('spot', '500');
    const tokens = change('subscription', '200000', 'ORCH');
    const cost = change('subscription', '-1500');
    expect(viewOfEvent([refund, cost, tokens])).toEqual({
      main: [refund],
      route: undefined,
      others: [tokens, cost],
    });
    const lost = change('seconds', '-10');
    expect(viewOfEvent([lost])).toEqual({ main: [lost], route: undefined, others: [] });
  });

  it('WEB-961 the URL contains the filters of the history and is parsed unchanged', () => {
    const views = fc.record({
      group: fc.constantFrom(...STATEMENT_GROUPS),
      event: fc.constantFrom(...EVENT_FILTERS),
      isLedger: fc.boolean(),
    });
    fc.assert(
      fc.property(views, (view) => {
        expect(historyViewOf(new URLSearchParams(historyQueryOf(view)))).toEqual(view);
      }),
    );
    for (const group of STATEMENT_GROUPS) {
      const view = { group, event: eventOfGroup(group), isLedger: false };
      expect(historyViewOf(new URLSearchParams(historyQueryOf(view)))).toEqual(view);
    }
    expect(historyViewOf(new URLSearchParams('type=9'))).toBeUndefined();
    expect(historyViewOf(new URLSearchParams('type=4&event=nonsense'))?.event).toBeUndefined();
  });
});
