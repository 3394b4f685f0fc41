import * as described from '@exchange/wire/console/treasury.ts';
import { mapBounded } from '../../platform/database/bounded-rows.ts';
import { idOf, serveAction, serveList, whyOf, type Operation } from '../../platform/console/operation.ts';
import type { Market } from '../market/index.ts';
import type { WalletTransfer } from './hot-domain.ts';
import { stateOfView, type HotWallets } from './hot-wallets.ts';
import type { Treasury } from './service.ts';

interface Parts {
  readonly hot: HotWallets;
  readonly treasury: Pick<Treasury, 'ceilings'>;
  readonly market: Pick<Market, 'usdtPrice'>;
}

const VALUE_PLACES = 2;

/** Returns the console operations on the hot wallets and on transfers between them and the cold wallet. */
export function hotOperations({ hot, treasury, market }: Parts): Operation[] {
  return [
    serveList(described.hotWallets, () =>
      Promise.resolve({
        list: hot.overview.map((coin) => ({
          network: coin.network,
          asset: coin.asset,
          state: stateOfView(coin),
          balance: coin.balance,
          needed: coin.needed,
          least: coin.bounds.least,
          target: coin.bounds.target,
          most: coin.bounds.most,
          wallet: coin.hot.address,
          cold: coin.hot.cold,
        })),
      }),
    ),
    serveList(described.walletTransfers, async () =>
      mapBounded(await hot.open(), (transfer) => ({
        ...transferRow(transfer),
        holdsNow: hot.coinOf(transfer)?.balance,
        createdAt: transfer.createdAt,
      })),
    ),
    serveList(described.closedTransfers, async () =>
      mapBounded(await hot.closed(), (transfer) => ({
        ...transferRow(transfer),
        received: transfer.received,
        createdAt: transfer.createdAt,
        closedAt: transfer.closedAt,
      })),
    ),
    serveAction(described.moveSurplus, {
      check: (call) => hot.requireMovable(idOf(call)),
      secondPerson: {
        ceiling: async (call, { roles }) =>
          treasury.ceilings.check(roles, await hot.requireMovable(idOf(call))),
        evidence: async (call) => {
          const { id, network, asset, amount, source, destination } = await hot.requireMovable(idOf(call));
          const coin = hot.coinOf({ network, asset });
          return {
            facts: {
              network,
              asset,
              amount,
              source,
              destination,
              id,
            },
            context: {
              holdsNow: coin?.balance,
              needed: coin?.needed,
              remains: coin?.balance?.minus(amount),
              valueNowUsdt: market.usdtPrice(asset)?.times(amount, 'down', VALUE_PLACES),
            },
            money: { amount, asset, destination },
          };
        },
      },
      run: async (call) => {
        await hot.approve(idOf(call), whyOf(call));
        return {};
      },
    }),
    serveAction(described.cancelSurplus, {
      check: (call) => hot.requireCancellable(idOf(call)),
      run: async (call) => {
        await hot.cancel(idOf(call), whyOf(call));
        return {};
      },
    }),
  ];
}

/**
 * Returns the values of a transfer between hot and cold wallet, in the columns that the list of open
 * transfers and the list of closed ones have in common.
 */
function transferRow(transfer: WalletTransfer) {
  return {
    id: transfer.id,
    kind: transfer.kind,
    network: transfer.network,
    asset: transfer.asset,
    amount: transfer.amount,
    source: transfer.source,
    destination: transfer.destination,
    state: transfer.state,
    approvedBy: transfer.approvedBy,
    txid: transfer.txid,
  };
}
