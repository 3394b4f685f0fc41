import type { Recipient } from '@exchange/core/recipient.ts';
import { ADDRESSES_MAX, type WithdrawalStage } from '@exchange/core/network.ts';
import {
  addAddress,
  addressList,
  cancelWithdrawal,
  removeAddress,
  renameAddress,
  sendWithdrawalCode,
  setWhitelist,
  submitWithdrawal,
  withdrawalConfig,
  withdrawalDetail,
  withdrawalQuote,
  withdrawalRecords,
} from '@exchange/wire/withdrawal.ts';
import { withdrawalStats } from '@exchange/wire/withdrawal-times.ts';
import type { DemoTexts } from '../../platform/demo-texts.ts';
import {
  mapPage,
  pageAnswer,
  pageOfItems,
  type Route,
  route,
  type SignedInCaller,
  submissionRoute,
} from '../../platform/http/route.ts';
import type { AddressBook } from './address-book.ts';
import type { AddressEntry, Whitelist, Withdrawal } from './domain.ts';
import {
  presentAddress,
  presentQuote,
  presentTerms,
  presentTimes,
  presentWhitelist,
  presentWithdrawal,
} from './present.ts';
import type { Withdrawals } from './service.ts';

interface Around {
  readonly now: () => number;
  /** Starts a run of the withdrawal job, and returns without waiting for its end. */
  readonly move: () => void;
  readonly demoTexts: DemoTexts;
}

/** Returns the handlers of the withdrawal endpoints that `wire/withdrawal` declares. */
export function withdrawalRoutes(
  withdrawals: Withdrawals,
  addressBook: AddressBook,
  { now, move, demoTexts }: Around,
): Route[] {
  const rowOf = (withdrawal: Withdrawal, stage?: WithdrawalStage) =>
    presentWithdrawal(withdrawal, {
      confirmed: withdrawals.confirmed(withdrawal),
      stage,
      explorer: withdrawals.explorerPage(withdrawal),
    });
  const row = async (withdrawal: Withdrawal) =>
    rowOf(withdrawal, (await withdrawals.stages([withdrawal])).get(withdrawal.id));
  // The answer to a repeated submission is the stored one without a stage, because the stage may have changed since.
  const restore = async (stored: string, { session }: SignedInCaller) =>
    rowOf(await withdrawals.restoreAnswer(session.userId, stored));
  return [
    route(withdrawalConfig, async ({ currency, network }, { session, locale }) =>
      presentTerms(await withdrawals.terms(session.userId, currency, network), now(), locale),
    ),
    route(withdrawalQuote, async (fields, { session }) => {
      const { currency, network, amount, addressId, address, memo, withoutMemo, remark } = fields;
      const request = {
        asset: currency,
        network,
        amount,
        addressId,
        address,
        memo,
        withoutMemo,
        remark,
        recipient: recipientOf(fields),
      };
      return presentQuote(await withdrawals.quote(session.userId, request));
    }),
    route(sendWithdrawalCode, async (fields, caller) => {
      const { currency, network, amount, addressId, address, memo, withoutMemo } = fields;
      const request = { asset: currency, network, amount, addressId, address, memo, withoutMemo };
      return withdrawals.sendCode(caller, request, { endpoint: submitWithdrawal, fields });
    }),
    submissionRoute(submitWithdrawal, {
      operation: 'withdrawals.submit',
      serve: async (fields, { session, submission }) => {
        const { currency, network, amount, addressId, address, memo, withoutMemo, remark, fee } = fields;
        const request = {
          asset: currency,
          network,
          amount,
          addressId,
          address,
          memo,
          withoutMemo,
          remark,
          recipient: recipientOf(fields),
          shownFee: fee,
        };
        const withdrawal = await withdrawals.submit(session.userId, request, submission);
        move();
        return rowOf(withdrawal);
      },
      restore,
    }),
    submissionRoute(cancelWithdrawal, {
      operation: 'withdrawals.cancel',
      serve: async ({ id }, { session, submission }) =>
        rowOf(await withdrawals.cancel(session.userId, id, submission)),
      restore,
    }),
    route(withdrawalRecords, async ({ currency, status, ...page }, { session }) => {
      const filter = { asset: currency, status: status === undefined ? undefined : Number(status) };
      const records = await withdrawals.records(session.userId, filter, page);
      const stages = await withdrawals.stages(records.list);
      return pageAnswer(
        mapPage(records, (withdrawal) => rowOf(withdrawal, stages.get(withdrawal.id))),
        page,
      );
    }),
    route(withdrawalDetail, async ({ id }, { session }) => row(await withdrawals.detail(session.userId, id))),
    route(withdrawalStats, async () => {
      const { routes, ...times } = await withdrawals.times();
      return { withdrawals: times, list: routes.map(presentTimes) };
    }),
    ...addressRoutes(addressBook, demoTexts),
  ];
}

/**
 * Returns the recipient of a withdrawal, from the fields of a request; missing fields count as false or
 * empty.
 */
function recipientOf({
  recipientOwn,
  recipientName = '',
  recipientProvider = '',
}: {
  readonly recipientOwn?: boolean | undefined;
  readonly recipientName?: string | undefined;
  readonly recipientProvider?: string | undefined;
}): Recipient {
  return { isOwn: recipientOwn === true, name: recipientName, provider: recipientProvider };
}

function addressRoutes(addressBook: AddressBook, demoTexts: DemoTexts): Route[] {
  return [
    route(addressList, async ({ currency, network, ...page }, { session, locale }) => {
      const book = await addressBook.list(session.userId, { asset: currency, network });
      const entries = mapPage(
        pageOfItems(book.list, page, ({ id }) => id),
        (entry) =>
          presentAddress({
            ...entry,
            remark: entry.remark && demoTexts.read(session.userId, entry.remark, locale),
          }),
      );
      const answer = pageAnswer(entries, page);
      const whitelist = presentWhitelist(book.whitelist);
      return { ...answer, ...whitelist, most: ADDRESSES_MAX };
    }),
    submissionRoute(addAddress, {
      operation: 'withdrawals.addAddress',
      serve: async ({ currency, network, address, memo, withoutMemo, remark }, { session, submission }) => {
        const entry = { asset: currency, network, address, memo, withoutMemo, remark };
        return presentAddress(await addressBook.add(session.userId, entry, submission));
      },
      restore: (stored) => presentAddress(JSON.parse(stored) as AddressEntry),
    }),
    route(renameAddress, async ({ id, remark }, { session }) =>
      presentAddress(await addressBook.rename(session.userId, id, remark)),
    ),
    submissionRoute(removeAddress, {
      operation: 'withdrawals.removeAddress',
      serve: async ({ id }, { session, submission }) => {
        await addressBook.remove(session.userId, id, submission);
        return {};
      },
    }),
    submissionRoute(setWhitelist, {
      operation: 'withdrawals.setWhitelist',
      serve: async ({ on }, { session, submission }) =>
        presentWhitelist(await addressBook.setWhitelist(session.userId, on, submission)),
      restore: (stored) => presentWhitelist(JSON.parse(stored) as Whitelist),
    }),
  ];
}
