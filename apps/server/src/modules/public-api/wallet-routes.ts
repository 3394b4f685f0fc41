import type { UserId } from '@exchange/core/ids.ts';
import { Refused } from '@exchange/core/refusal.ts';
import { instant } from '@exchange/core/time.ts';
import * as calls from '@exchange/wire/public-api/calls.ts';
import { apiErrors } from '@exchange/wire/public-api/errors.ts';
import type { Limits } from '../../platform/limits/limits.ts';
import { LimitExceeded } from './call-routes.ts';
import { handler, type Handler } from './handlers.ts';
import { walletErrorOf } from './refusal-routes.ts';
import type { ApiMarket } from './service.ts';
import type { ApiTrading } from './trading-service.ts';
import {
  depositStatuses,
  networkName,
  presentCoin,
  presentDeposit,
  presentWithdrawal,
  withdrawalStatuses,
} from './wallet-present.ts';
import { withdrawsFrom, type ApiWallet, type WalletNetwork } from './wallet-service.ts';

interface WalletRouteParts {
  readonly market: Pick<ApiMarket, 'coins' | 'now'>;
  readonly trading: Pick<ApiTrading, 'balances'>;
  readonly wallet: ApiWallet;
  readonly limits: Pick<Limits, 'charge'>;
}

/** Calls about coins, deposit addresses, and deposits and withdrawals; one call requests a withdrawal. */
export function walletRoutes({ market, trading, wallet, limits }: WalletRouteParts): Handler[] {
  const requireCoin = (code: string): string => {
    if (!market.coins.some((coin) => coin.code === code)) throw apiErrors.unknownCoin();
    return code;
  };
  const optionalCoin = (code: string | undefined) => (code === undefined ? undefined : requireCoin(code));
  return [
    handler(calls.coinConfiguration, async (_values, _path, caller) => {
      const balances = await trading.balances(caller!.owner);
      const balanceOf = new Map(balances.map((balance) => [balance.asset, balance]));
      return market.coins.map((coin) =>
        presentCoin(coin, wallet.networks(coin.code), balanceOf.get(coin.code)),
      );
    }),
    handler(calls.walletDepositAddress, async ({ coin, network }, _path, caller) => {
      const code = networkCode(wallet.networks(requireCoin(coin)), network);
      const depositAddress = await withWalletErrors(() => wallet.address(caller!.owner, coin, code));
      if (depositAddress === undefined)
        throw apiErrors.walletRefused(
          'A sub-account has no deposit addresses. Transfer from the main account.',
        );
      const { address, memo } = depositAddress;
      return {
        coin,
        address,
        tag: memo ?? '',
        url: '',
      };
    }),
    handler(calls.walletDeposits, async (values, _path, caller) => {
      const { coin, status, startTime, endTime, offset, limit } = values;
      const records = await wallet.deposits(caller!.owner, {
        asset: optionalCoin(coin),
        statuses: status === undefined ? undefined : depositStatuses(status),
        from: startTime,
        to: endTime,
        offset,
        limit,
      });
      return records.map(presentDeposit);
    }),
    handler(calls.applyWithdrawal, async (values, _path, caller) => {
      const { coin, network, amount, address, addressTag, fee, withdrawOrderId } = values;
      const { keyId, keyName, withdrawalLimit, owner } = caller!;
      const from = withdrawsFrom({ createdAt: instant(caller!.createdAt) });
      if (from > market.now()) throw apiErrors.withdrawalTooEarly(new Date(from).toISOString());
      const request = {
        asset: requireCoin(coin),
        network: networkCode(wallet.networks(coin), network),
        amount,
        address,
        memo: addressTag,
        shownFee: fee,
        recipient: {
          isOwn: values.recipientOwn === 'true',
          name: values.recipientName ?? '',
          provider: values.recipientProvider ?? '',
        },
        key: { id: keyId, name: keyName },
        keyLimit: withdrawalLimit!,
        orderName: withdrawOrderId,
      };
      if (!amount.isPositive()) throw apiErrors.invalidData('amount');
      const admit = () => chargeWithdrawal(limits, owner);
      return { id: await withWalletErrors(() => wallet.withdraw(caller!, request, admit)) };
    }),
    handler(calls.walletWithdrawals, async (values, _path, caller) => {
      const { coin, status, startTime, endTime, withdrawOrderId, offset, limit } = values;
      const records = await wallet.withdrawals(caller!.owner, {
        asset: optionalCoin(coin),
        statuses: status === undefined ? undefined : withdrawalStatuses(status),
        orderName: withdrawOrderId,
        from: startTime,
        to: endTime,
        offset,
        limit,
      });
      return records.map(presentWithdrawal);
    }),
  ];
}

/**
 * Counts a withdrawal request against the limits of transfers and of withdrawals that the account also has in the app.
 * Throws `LimitExceeded` when one is exhausted.
 */
function chargeWithdrawal(limits: Pick<Limits, 'charge'>, owner: UserId): void {
  const caller = { addressGroup: '', userId: owner };
  for (const limit of ['transfer', 'withdrawal'] as const) {
    const waitSeconds = limits.charge({ limit, weight: 1 }, caller);
    if (waitSeconds > 0) throw new LimitExceeded(apiErrors.tooManyWithdrawals(), waitSeconds);
  }
}

/**
 * The code of a coin's network by its name in the trading API; without a name, the code of the first network, which is
 * the default. Throws `ApiError` if the coin has no network of this name.
 */
function networkCode(networks: readonly WalletNetwork[], name: string | undefined): string {
  const found = networks.find(
    ({ coinNetwork }) => name === undefined || networkName(coinNetwork.network.code) === name,
  );
  if (found === undefined) throw apiErrors.unknownNetwork();
  return found.coinNetwork.network.code;
}

/** Runs `work` and converts the refusals that it throws to errors of the wallet endpoints. */
export async function withWalletErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw cause instanceof Refused ? walletErrorOf(cause.refusal) : cause;
  }
}
